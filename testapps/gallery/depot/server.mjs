// An app whose modules wait outside of functions before it listens: for a store that
// opens, a file, a plugin that is imported only then. Two of them import each other.
import express from 'express';
import { readFile } from 'node:fs/promises';
import { open } from './store.mjs';
import { label } from './label.mjs';

const greeting = (await readFile(new URL('./greeting.txt', import.meta.url), 'utf8')).trim();
const store = await open('main');
//karousos:loggable
const orders = await Promise.resolve([]);
const { default: price } = await import('./price.mjs');
const [limit, { unit = 'kg', ...rest }] = await Promise.all([5, { scale: 2 }]);

let asked = 0;
class Crate {
  static made = [];
  constructor(id) {
    Crate.made.push(`${id}.${Crate.made.length}`);
  }
}

const app = express();
app.use(express.json());
app.get('/', (req, res) => res.send(`${greeting} ${++asked} ${unit} ${JSON.stringify(rest)}`));
for await (const path of ['/first', Promise.resolve('/second')]) app.get(path, (req, res) => res.send(`${path} ${asked}`));
app.put('/goods/:id', async (req, res) => {
  await store.put(req.params.id, req.body.amount);
  new Crate(req.params.id);
  res.json({ kinds: store.kinds });
});
app.get('/goods/:id', async (req, res) => res.json({ ...(await store.get(req.params.id)), price: price(req.params.id), label: label(req.params.id) }));
app.post('/orders/:id', async (req, res) => {
  const good = await store.get(req.params.id);
  if (orders.length < 20 && good?.amount >= limit) orders.push(req.params.id);
  res.json({ orders: orders.length, last: Crate.made.at(-1) ?? null });
});
app.listen(process.env.PORT || 3000);

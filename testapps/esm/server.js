import express from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import shapes, { area, settings as defaults } from './lib/shapes.js';
import * as all from './lib/shapes.js';
import legacy from './lib/legacy.cjs';
import './lib/script.cjs';

const require = createRequire(import.meta.url);
const { version } = require('./package.json');
const __dirname = dirname(fileURLToPath(import.meta.url));
const greeting = readFileSync(join(__dirname, 'views', 'greeting.txt'), 'utf8').trim();

//karousos:loggable
const drawn = new Map();

const app = express();
app.use(express.json());

app.get('/', (req, res) => res.send(`${greeting}, ${req.query.name ?? 'you'}`));
app.get('/kinds', (req, res) => res.json({ kinds: shapes, names: Object.keys(all).sort(), tag: legacy.tag(defaults.unit), version, units: require('./lib/units.cjs'), at: require.resolve('./views/greeting.txt').split('/').at(-2) }));
app.get('/more/:name', async (req, res) => {
  const found = await import(`./lib/${req.params.name}.js`).catch((e) => e.code);
  res.json(typeof found === 'object' ? Object.keys(found) : found);
});
// What only strict code refuses.
app.get('/strict/:word', (req, res) => {
  const { word } = req.params;
  const frozen = Object.freeze({ word, list: Object.freeze([word]) });
  const out = [];
  const tries = [
    () => { frozen.word = 'other'; },
    () => { frozen.more = word; },
    () => delete frozen.word,
    () => frozen.list.push(word),
    () => { undeclared = word; },
    () => { all.kinds = word; },
    () => delete all.settings,
    () => { all = word; },
    () => { defaults = word; },
    () => { defaults.unit += ''; return defaults.unit; },
    () => { word.length = 1; },
    function () { return this === undefined; },
    (a = 1) => (function () { return typeof this; })(),
    function (a) { arguments[0] = 'changed'; return a; },
    () => legacy.loose(),
    { method({ length } = word) { word.x = length; } }.method,
  ];
  for (const f of tries) {
    try {
      out.push(f('given'));
    } catch (e) {
      out.push(e.name);
    }
  }
  res.json([out, typeof undeclared, typeof fromScript, word]);
});
app.put('/shapes/:id', (req, res) => {
  const shape = { ...defaults, ...req.body };
  drawn.set(req.params.id, shape);
  res.json({ area: area(shape) });
});
app.get('/shapes', async (req, res) => {
  const { total } = await import('./lib/total.js');
  res.json({ count: drawn.size, total: total(drawn.values()) });
});

app.listen(Number(process.env.PORT ?? 3000));

'use strict';

const express = require('express');
const items = require('./items');

const app = express();
app.use(express.json());
app.use(express.urlencoded({ extended: false }));

// Who asks, and how long the path is, as headers: middleware that touches every request.
app.use((req, res, next) => {
  req.user = req.get('x-user') || 'anonymous';
  res.set('x-user', req.user);
  next();
});

class NotFound extends Error {
  constructor(what) {
    super(`no such ${what}`);
    this.status = 404;
  }
}

function mustBeKnown(req, res, next) {
  if (req.user === 'anonymous') {
    res.status(401).json({ error: 'who are you?' });
    return;
  }
  next();
}

const router = express.Router();

router.param('id', (req, res, next, id) => {
  req.item = items.get(id);
  if (!req.item) return next(new NotFound('item'));
  next();
});

router.get('/', (req, res) => {
  const names = [];
  for (const item of items.values()) names.push(`${item.id}:${item.name}`);
  res.json({ count: items.size, names });
});

router.get('/:id', (req, res) => {
  res.json(req.item);
});

router.get('/:id/tags', (req, res) => {
  res.type('text').send(req.item.tags.map((t) => `#${t}`).join(' '));
});

router.post('/', mustBeKnown, (req, res, next) => {
  const { id, name, price } = req.body;
  if (typeof id !== 'string' || typeof name !== 'string') {
    const e = new Error('id and name must be strings');
    e.status = 400;
    return next(e);
  }
  const known = items.has(id);
  items.set(id, { id, name, price: Number(price) || 0, tags: [], stock: { count: 0, reserved: 0 } });
  res.status(known ? 200 : 201).json({ id, replaced: known });
});

router.put('/:id/price', mustBeKnown, (req, res) => {
  const before = req.item.price;
  req.item.price = Number(req.body.price);
  res.json({ id: req.item.id, before, after: req.item.price });
});

router.post('/:id/tags', mustBeKnown, (req, res) => {
  req.item.tags.push(String(req.body.tag));
  res.json({ tags: req.item.tags });
});

// The item is held across an await, so others may change it meanwhile.
router.post('/:id/reserve', mustBeKnown, async (req, res, next) => {
  try {
    const { stock } = req.item;
    if (stock.reserved >= stock.count) {
      res.status(409).json({ error: 'nothing left', stock });
      return;
    }
    stock.reserved++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    res.json({ id: req.params.id, reserved: stock.reserved, of: stock.count, lucky: Math.random() < 0.5 });
  } catch (e) {
    next(e);
  }
});

router.delete('/:id', mustBeKnown, (req, res) => {
  res.json({ deleted: items.delete(req.params.id), left: items.size });
});

app.use('/items', router);

app.get('/boom', () => {
  throw new Error('boom');
});

app.use((req, res, next) => {
  next(new NotFound('page'));
});

app.use((err, req, res, next) => {
  res.status(err.status || 500).json({ error: err.message, user: req.user, method: req.method, query: req.query });
});

const port = Number(process.env.PORT) || 3000;
app.listen(port, () => console.log(`catalog listens on ${port}`));

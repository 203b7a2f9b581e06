'use strict';

// Packages that keep in memory what requests share, as their readmes use them.

const crypto = require('crypto');
const express = require('express');
const session = require('express-session');
const { rateLimit } = require('express-rate-limit');
const { LRUCache } = require('lru-cache');
const NodeCache = require('node-cache');
const memory = require('memory-cache');
const Keyv = require('keyv');
const QuickLRU = require('quick-lru');

const app = express();
const lru = new LRUCache({ max: 3 });
const quick = new QuickLRU({ maxSize: 2 });
const nodes = new NodeCache({ checkperiod: 0 });
const keyv = new Keyv();

app.get('/lru/:key', (req, res) => {
  const n = (lru.get(req.params.key) || 0) + 1;
  lru.set(req.params.key, n);
  res.json({ n, size: lru.size, keys: [...lru.keys()] });
});
app.get('/quick/:key', (req, res) => {
  const n = (quick.get(req.params.key) || 0) + 1;
  quick.set(req.params.key, n);
  res.json({ n, size: quick.size });
});
app.get('/node/:key', (req, res) => {
  const seen = nodes.get(req.params.key) || { n: 0 };
  nodes.set(req.params.key, { n: seen.n + 1 });
  res.json({ n: seen.n, keys: nodes.keys() });
});
app.get('/memory/:key', (req, res) => {
  const n = (memory.get(req.params.key) || 0) + 1;
  memory.put(req.params.key, n);
  res.json({ n, size: memory.size() });
});
app.get('/keyv/:key', async (req, res) => {
  const n = ((await keyv.get(req.params.key)) || 0) + 1;
  await keyv.set(req.params.key, n);
  res.json({ n });
});

const limiter = rateLimit({ windowMs: 3_600_000, limit: 9, legacyHeaders: false, keyGenerator: (req) => req.params.who });
app.get('/limited/:who', limiter, (req, res) => res.json({ left: req.rateLimit.remaining }));

const sessions = session({ secret: 'not so secret', resave: false, saveUninitialized: false, genid: () => crypto.randomUUID() });
app.get('/visits', sessions, (req, res) => {
  req.session.views = (req.session.views || 0) + 1;
  res.json({ views: req.session.views });
});

app.listen(process.env.PORT || 3000, () => console.log('the stores are open'));

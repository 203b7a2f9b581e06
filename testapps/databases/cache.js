'use strict';

// Counts and lists in Redis, by two clients that all requests share.
const express = require('express');
const { createClient } = require('redis');
const Redis = require('ioredis');

const url = process.env.REDIS || 'redis://127.0.0.1:6379';
const prefix = process.env.PREFIX || 'karousosc:';
const client = createClient({ url });
const other = new Redis(url, { lazyConnect: true });

const app = express();
app.use(express.json());

app.get('/count/:name', async (req, res) => {
  res.json(await client.incr(prefix + req.params.name));
});

app.put('/things/:name', async (req, res) => {
  await client.set(prefix + req.params.name, JSON.stringify(req.body), { EX: 100 });
  await other.sadd(prefix + 'names', req.params.name);
  res.status(204).end();
});

app.get('/things/:name', async (req, res) => {
  const text = await other.get(prefix + req.params.name);
  if (text === null) return res.status(404).send('nothing');
  res.type('json').send(text);
});

app.get('/things', async (req, res) => {
  const names = await client.sMembers(prefix + 'names');
  res.json(names.sort());
});

app.get('/pipeline', async (req, res) => {
  const [a, b] = await Promise.all([other.pipeline().set(prefix + 'p', 'ü'.repeat(500)).get(prefix + 'p').strlen(prefix + 'p').exec(), client.multi().ping().echo('e').exec()]);
  res.json([a, b]);
});

app.get('/wrong', async (req, res) => {
  await client.set(prefix + 'text', 'x');
  const errors = [];
  await client.lPush(prefix + 'text', 'y').catch((e) => errors.push(e.message));
  await other.lpush(prefix + 'text', 'y').catch((e) => errors.push([e.name, e.message]));
  res.json(errors);
});

(async () => {
  await client.connect();
  await other.connect();
  for (const name of await client.keys(prefix + '*')) await client.del(name);
  app.listen(process.env.PORT || 3000);
})();

'use strict';

// Shared state that is no Map: an annotated variable, a Set, an array and a plain
// object used as a table.

const express = require('express');

//karousos:loggable
let visits = 0;

//karousos:loggable
let last = null;

//karousos:loggable
const members = new Set(['root']);

//karousos:loggable
const log = [];

//karousos:loggable
const settings = { theme: 'dark', limits: { size: 10 } };

const app = express();
app.use(express.urlencoded({ extended: true }));
app.use(express.json());

app.use((req, res, next) => {
  visits++;
  res.set('X-Visit', String(visits));
  next();
});

app.get('/', (req, res) => {
  const before = last;
  last = { path: req.originalUrl, visit: visits };
  res.json({ visits, before });
});

app.get('/visits', (req, res) => {
  setTimeout(() => {
    visits += 10;
    res.type('text').send(`${visits} visits`);
  }, 1);
});

app.post('/members', (req, res) => {
  const { name } = req.body;
  const known = members.has(name);
  members.add(name);
  res.json({ name, known, size: members.size });
});

app.delete('/members/:name', (req, res) => {
  res.json({ gone: members.delete(req.params.name), all: [...members] });
});

app.get('/members', (req, res) => {
  const names = [];
  members.forEach((name) => names.push(name));
  res.json(names);
});

app.post('/log', async (req, res) => {
  log.push({ text: String(req.body.text), at: log.length });
  await new Promise((resolve) => setImmediate(resolve));
  if (log.length > 20) log.splice(0, 5);
  res.status(201).json({ entries: log.length, first: log.length > 0 ? log[0].text : null });
});

app.get('/log', (req, res) => {
  res.json(log.map((e) => e.text));
});

app.get('/log/last', (req, res) => {
  const n = Number(req.query.n) || 3;
  res.json({ last: log.slice(-n), any: log.some((e) => e.at > 5), at: log[log.length - 1] });
});

app.delete('/log', (req, res) => {
  const dropped = log.length;
  log.length = 0;
  res.json({ dropped });
});

app.put('/settings/:key', (req, res) => {
  const { key } = req.params;
  const was = settings[key];
  settings[key] = req.body.value;
  res.json({ was, now: settings[key], keys: Object.keys(settings) });
});

app.delete('/settings/:key', (req, res) => {
  const had = req.params.key in settings;
  delete settings[req.params.key];
  res.json({ had, settings });
});

app.get('/settings', (req, res) => {
  const lines = [];
  for (const key in settings) lines.push(`${key}=${JSON.stringify(settings[key])}`);
  settings.limits && settings.limits.size < 100 && (settings.limits.size += 1);
  res.type('text').send(lines.join('\n'));
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`counters listens on ${port}`));

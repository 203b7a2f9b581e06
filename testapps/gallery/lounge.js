'use strict';

// State in closures, aliases, and properties of functions, of the app and of the
// global object: nothing is annotated, and the build finds it.

const { readFile } = require('fs/promises');
const express = require('express');
const { rooms, enter } = require('./lounge/rooms');
const limiter = require('./lounge/limiter');
const leaderboard = require('./lounge/leaderboard');

const app = express();
app.use(express.json());
app.locals.title = 'lounge';
app.locals.served = 0;

// What follows the limiter counts only what it let through.
const limit = limiter({ burst: 40, per: (req) => req.get('x-client') || 'nobody' });
app.use(limit);
app.use(function counted(req, res, next) {
  counted.calls = (counted.calls || 0) + 1;
  app.locals.served++;
  globalThis.lastPath = req.path;
  next();
});

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A chat: whoever polls says what it has seen.
app.post('/rooms/:name', (req, res) => {
  const room = enter(req.params.name);
  const n = room.say(String(req.body.who), String(req.body.text));
  res.status(201).json({ n, rooms: Object.keys(rooms).length });
});
app.get('/rooms/:name/since/:n', async (req, res) => {
  const room = enter(req.params.name);
  const first = room.since(Number(req.params.n));
  if (first.length === 0) await soon(1);
  res.json({ messages: room.since(Number(req.params.n)), polls: room.polled() });
});

// A counter that loses updates across an await, in a closure.
const visits = (() => {
  let n = 0;
  return {
    async bump() {
      const before = n;
      await soon(1);
      n = before + 1;
      return [before, n];
    },
    reset: () => (n = 0),
  };
})();
app.get('/visit', async (req, res) => res.json(await visits.bump()));
app.delete('/visit', (req, res) => res.json(visits.reset()));

// Feature flags that are replaced as a whole.
let flags = { dark: false, beta: [] };
app.put('/flags', (req, res) => {
  flags = { ...flags, ...req.body };
  res.json(flags);
});
app.get('/flags/:name', (req, res) => res.json({ on: Boolean(flags[req.params.name]), all: flags }));

const board = leaderboard(3);
app.post('/score', (req, res) => res.json({ place: board.put(req.body.name, req.body.score), top: board.top() }));

// What one request's own callbacks share, while they overlap.
app.get('/sum/:n', async (req, res) => {
  let total = 0;
  const order = [];
  await Promise.all(Array.from({ length: Number(req.params.n) }, async (_, i) => {
    await (req.query.race ? soon(3 - (i % 3)) : soon(1));
    if (req.query.race) await readFile(__filename);
    total = total * 2 + i;
    order.push(i);
  }));
  res.json({ total, order });
});

app.get('/', (req, res) => {
  const counted = app._router.stack.find((l) => l.name === 'counted').handle;
  res.json({ title: app.locals.title, served: app.locals.served, calls: counted.calls, last: globalThis.lastPath, blocked: limit.blocked() });
});

// Parameters that closures change.
const numbers = (n) => () => ++n;
function supply(left) {
  return { take: (count) => (count > left ? null : (left -= count)) };
}
const next = numbers(100);
const pencils = supply(300);
app.get('/ticket', (req, res) => res.json({ number: next(), left: pencils.take(2) }));

app.listen(process.env.PORT || 3000, () => console.log('the lounge is open'));

'use strict';

// Shared state in several styles, none of which is annotated: the build finds it.

const express = require('express');

const soon = () => new Promise((resolve) => setImmediate(resolve));

// Sessions in memory.
const sessions = Object.create(null);
let nextSession = 1;

// A token bucket per client.
const buckets = new Map();
const limits = { burst: 5, blocked: 0 };

// A leaderboard that is kept sorted.
const board = [];

// A counter that loses updates across an await.
let visits = 0;

// Only load time fills these: they cost nothing.
const commands = {};
let server;

function command(name, run) {
  commands[name] = run;
}

command('double', (n) => 2 * n);
command('square', (n) => n * n);

function take(client) {
  let bucket = buckets.get(client);
  if (bucket === undefined) {
    bucket = { tokens: limits.burst, refused: 0 };
    buckets.set(client, bucket);
  }
  if (bucket.tokens === 0) {
    bucket.refused++;
    limits.blocked++;
    if (bucket.refused % 3 === 0) bucket.tokens = limits.burst;
    return false;
  }
  bucket.tokens--;
  return true;
}

function place(name, score) {
  const at = board.findIndex((e) => e.name === name);
  if (at >= 0) board.splice(at, 1);
  let i = 0;
  while (i < board.length && board[i].score >= score) i++;
  board.splice(i, 0, { name, score });
  return i;
}

const app = express();
app.use(express.json());

app.post('/login', async (req, res) => {
  const id = 's' + nextSession++;
  const session = { user: String(req.body.user), hits: 0 };
  sessions[id] = session;
  await soon();
  session.hits++;
  res.json({ id, user: session.user, known: id in sessions });
});

app.get('/me/:id', async (req, res) => {
  const session = sessions[req.params.id];
  if (session === undefined) return res.status(401).json({ known: req.params.id in sessions });
  session.hits++;
  await soon();
  res.json(session);
});

app.delete('/me/:id', (req, res) => {
  res.json({ was: delete sessions[req.params.id], left: Object.keys(sessions).length });
});

app.get('/visit', async (req, res) => {
  const before = visits;
  await soon();
  visits = before + 1;
  res.json({ before, visits });
});

app.get('/work/:command/:n', (req, res) => {
  if (!take(req.query.client)) return res.status(429).json({ blocked: limits.blocked });
  const run = commands[req.params.command];
  res.json({ result: run === undefined ? null : run(Number(req.params.n)), listening: server !== undefined });
});

app.post('/score', (req, res) => {
  res.json({ place: place(req.body.name, req.body.score), best: board.slice(0, 3) });
});

server = app.listen(process.env.PORT || 3000, () => console.log('the club is open'));

process.on('SIGHUP', () => {
  server = undefined;
});

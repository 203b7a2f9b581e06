'use strict';

// Accounts that many requests change at once: handlers await between reading and
// writing, hold objects across awaits, and meet in one Map.

const express = require('express');

//karousos:loggable
const accounts = new Map();

const app = express();
app.use(express.json());

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const soon = () => new Promise((resolve) => setImmediate(resolve));

function wrap(handler) {
  return (req, res, next) => handler(req, res, next).catch(next);
}

class Refused extends Error {
  constructor(status, message, details = {}) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.details = details;
  }
}

function find(id) {
  const account = accounts.get(id);
  if (!account) throw new Refused(404, `no account ${id}`, { id });
  return account;
}

app.put('/accounts/:id', wrap(async (req, res) => {
  const { id } = req.params;
  const existed = accounts.has(id);
  await soon();
  accounts.set(id, { id, owner: { name: String(req.body.owner), since: 2020 }, balance: 0, history: [] });
  res.status(existed ? 200 : 201).json({ id, existed });
}));

app.get('/accounts/:id', wrap(async (req, res) => {
  const account = find(req.params.id);
  await null;
  res.json(account);
}));

app.post('/accounts/:id/deposit', wrap(async (req, res) => {
  const account = find(req.params.id);
  const before = account.balance;
  await pause(1);
  // Somebody may have deposited meanwhile: this app loses updates, and the
  // audit must say that it did exactly that.
  account.balance = before + req.body.amount;
  account.history.push({ kind: 'deposit', amount: req.body.amount });
  await soon();
  res.json({ before, after: account.balance, entries: account.history.length });
}));

app.post('/transfer', wrap(async (req, res) => {
  const { from, to, amount } = req.body;
  const a = find(from);
  await soon();
  const b = find(to);
  if (a.balance < amount) throw new Refused(409, 'not enough money', { balance: a.balance });
  a.balance -= amount;
  await null;
  b.balance += amount;
  const [left, there] = await Promise.all([soon().then(() => a.balance), pause(1).then(() => b.balance)]);
  res.json({ left, there });
}));

app.patch('/accounts/:id/owner', wrap(async (req, res) => {
  const { owner } = find(req.params.id);
  const was = owner.name;
  await soon();
  Object.assign(owner, req.body);
  if (req.body.forget) delete owner.since;
  res.json({ was, owner });
}));

app.delete('/accounts/:id', wrap(async (req, res) => {
  await soon();
  const gone = accounts.delete(req.params.id);
  res.status(gone ? 200 : 404).json({ gone, left: accounts.size });
}));

app.get('/accounts', wrap(async (req, res) => {
  let sum = 0;
  const ids = [];
  for (const [id, account] of accounts) {
    ids.push(id);
    sum += account.balance;
  }
  await null;
  res.json({ ids, sum, size: accounts.size, rich: [...accounts.values()].filter((a) => a.balance > 100).map((a) => a.id) });
}));

app.use((err, req, res, next) => {
  if (err instanceof Refused) {
    res.status(err.status).json({ error: err.message, ...err.details });
    return;
  }
  next(err);
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`accounts listens on ${port}`));

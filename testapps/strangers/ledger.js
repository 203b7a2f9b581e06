// An event-sourced account: a log, a reducer, a snapshot now and then.
//> POST /{acme|globex}/deposit/{1-90}
//> POST /{acme|globex}/withdraw/{1-90}
//> GET /{acme|globex}
//> GET /{acme|globex}/events?from={0-20}
const express = require('express');
const log = [];
const snapshots = {};

const reducers = {
  deposited: (s, e) => ({ ...s, balance: s.balance + e.amount }),
  withdrawn: (s, e) => ({ ...s, balance: s.balance - e.amount }),
  refused: (s) => ({ ...s, refusals: s.refusals + 1 }),
};

function state(account) {
  const { at = 0, value = { balance: 0, refusals: 0 } } = snapshots[account] || {};
  return log.slice(at).reduce((s, e) => (e.account === account ? reducers[e.type](s, e) : s), value);
}

function append(account, type, amount) {
  const e = Object.freeze({ seq: log.length, account, type, amount });
  log.push(e);
  if (log.length % 16 === 0) snapshots[account] = { at: log.length, value: state(account) };
  return e;
}

const app = express();
app.post('/:account/deposit/:amount', (req, res) => res.json(append(req.params.account, 'deposited', +req.params.amount)));
app.post('/:account/withdraw/:amount', (req, res) => {
  const { account, amount } = req.params;
  const ok = state(account).balance >= amount;
  res.status(ok ? 200 : 409).json(append(account, ok ? 'withdrawn' : 'refused', +amount));
});
app.get('/:account', (req, res) => res.json(state(req.params.account)));
app.get('/:account/events', (req, res) => res.json(log.filter((e) => e.account === req.params.account && e.seq >= req.query.from)));
app.listen(process.env.PORT || 3000);

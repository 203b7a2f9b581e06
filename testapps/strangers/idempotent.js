// Payments with idempotency keys: the first answer is kept.
//> POST /pay {"key":"k{1-15}","amount":{1-9}}
//> POST /pay {"key":"k{1-15}","amount":{1-9}}
//> GET /total
const express = require('express');
const answers = new Map();
let total = 0;

const once = (handler) => async (req, res) => {
  const { key } = req.body;
  const known = answers.get(key);
  if (known === 'pending') return res.status(409).json({ error: 'in progress' });
  if (known) return res.set('Idempotent-Replay', 'true').status(known.status).json(known.body);
  answers.set(key, 'pending');
  const answer = await handler(req);
  answers.set(key, answer);
  res.status(answer.status).json(answer.body);
};

const app = express();
app.use(express.json());
app.post(
  '/pay',
  once(async ({ body: { amount } }) => {
    await new Promise((r) => setTimeout(r, 1));
    if (amount > 8) return { status: 402, body: { error: 'too much' } };
    total += amount;
    return { status: 201, body: { paid: amount, total } };
  })
);
app.get('/total', (req, res) => res.json({ total, keys: answers.size }));
app.listen(process.env.PORT || 3000);

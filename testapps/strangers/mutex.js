// A mutex around a read, an await and a write.
//> POST /transfer {"from":"{a|b}","to":"{c|d}","amount":{1-20}}
//> POST /transfer {"from":"{c|d}","to":"{a|b}","amount":{1-20}}
//> GET /balances
const express = require('express');

class Mutex {
  locked = false;
  queue = [];
  async run(f) {
    if (this.locked) await new Promise((r) => this.queue.push(r));
    this.locked = true;
    try {
      return await f();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.locked = false;
    }
  }
}

const lock = new Mutex();
const balances = { a: 100, b: 100, c: 100, d: 100 };
const pause = (ms) => new Promise((r) => setTimeout(r, ms));

const app = express();
app.use(express.json());
app.post('/transfer', async (req, res) => {
  const { from, to, amount } = req.body;
  const ok = await lock.run(async () => {
    const have = balances[from];
    await pause(1);
    if (have < amount) return false;
    balances[from] = have - amount;
    await pause(1);
    balances[to] += amount;
    return true;
  });
  res.status(ok ? 200 : 409).json({ ok, from: balances[from] });
});
app.get('/balances', (req, res) => res.json(balances));
app.listen(process.env.PORT || 3000);

// A queue of work as a chain of promises, one for each account.
//> POST /{a|b|c}/{1-9}
//> POST /{a|b|c}/{1-9}
//> GET /{a|b|c}
const http = require('http');
const tails = new Map();
const totals = new Map();

function enqueue(key, job) {
  const before = tails.get(key) || Promise.resolve();
  const after = before.then(job, job);
  tails.set(key, after);
  return after;
}

http
  .createServer(async (req, res) => {
    const [key, n] = req.url.slice(1).split('/');
    if (req.method === 'GET') return res.end(String(totals.get(key) ?? 'none'));
    const total = await enqueue(key, async () => {
      const t = totals.get(key) ?? 0;
      await null;
      totals.set(key, t + Number(n));
      return t + Number(n);
    });
    res.end(String(total));
  })
  .listen(process.env.PORT || 3000);

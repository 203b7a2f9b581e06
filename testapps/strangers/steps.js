// Iterating over shared collections across awaits, while others change them.
//> POST /{a|b|c|d}
//> POST /{a|b|c|d}
//> DELETE /{a|b|c}
//> GET /slow
//> GET /each
const http = require('http');
const queue = new Set();
const totals = new Map();
const list = [];
const nap = () => new Promise((r) => setTimeout(r, 1));

http.createServer(async (req, res) => {
  const k = req.url.slice(1);
  if (req.method === 'POST') {
    queue.add(k);
    totals.set(k, (totals.get(k) ?? 0) + 1);
    list.push(k);
    return res.end(`${queue.size}`);
  }
  if (req.method === 'DELETE') {
    queue.delete(k);
    totals.delete(k);
    return res.end(`${list.splice(0, 2)}`);
  }
  const out = [];
  if (k === 'slow') {
    for (const [x, n] of totals) {
      out.push(x + n);
      await nap();
      if (out.length > 4) break;
    }
    for (const x of queue) {
      await null;
      out.push(x);
      if (out.length > 8) break;
    }
  } else {
    for (let i = 0; i < list.length && i < 4; i++) {
      await null;
      out.push(list[i] ?? 'gone');
    }
  }
  res.end(out.join());
}).listen(process.env.PORT || 3000);

// Properties that Maps, Sets, arrays and functions carry beside what they hold, and objects that are sealed.
//> GET /map/{a|b|c}
//> GET /map/{a|b|c}
//> POST /list/{1-9}
//> PUT /limit/{1-9}
//> GET /set/{x|y}
//> GET /
const http = require('http');

const cache = new Map();
cache.hits = 0;
const list = [];
list.total = 0;
const seen = new Set();
const limits = Object.seal({ max: 5, writes: 0 });
const pair = Object.seal([0, 0]);
const hidden = Object.defineProperty({ n: 0 }, 'calls', { value: 0, writable: true });

http.createServer((req, res) => {
  const [, what, x] = req.url.split('/');
  switch (what) {
    case 'map':
      if (cache.has(x)) cache.hits++;
      else cache.set(x, x.charCodeAt(0));
      hidden.calls++;
      return res.end(`${cache.get(x)} ${cache.hits} ${hidden.calls}`);
    case 'list':
      list.push(Number(x));
      list.total += Number(x);
      pair[list.length % 2]++;
      return res.end(`${list.length} ${list.total} ${pair}`);
    case 'limit':
      limits.max = Number(x);
      limits.writes++;
      return res.end(JSON.stringify(limits));
    case 'set':
      seen.add(x).last = x;
      return res.end(`${seen.size} ${seen.last}`);
  }
  res.end(JSON.stringify({ ...limits, last: seen.last, hits: cache.hits, total: list.total, pair }));
}).listen(process.env.PORT || 3000);

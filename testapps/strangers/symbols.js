// State under symbols.
//> POST /{a|b|c}
//> POST /{a|b|c}
//> GET /{a|b|c}
//> GET /
const http = require('http');
const HITS = Symbol('hits');
const META = Symbol.for('app.meta');

const pages = { a: { title: 'A', [HITS]: 0 }, b: { title: 'B', [HITS]: 0 } };
pages[META] = { changes: 0 };

http.createServer((req, res) => {
  const name = req.url.slice(1);
  if (!name) return res.end(JSON.stringify({ pages, changes: pages[META].changes, first: pages.a[HITS] }));
  if (req.method === 'POST') {
    pages[META].changes++;
    if (!pages[name]) pages[name] = { title: name, [HITS]: 0 };
    pages[name][HITS] += 1;
  }
  const p = pages[name];
  res.end(p ? `${p.title} ${p[HITS]}` : 'none');
}).listen(process.env.PORT || 3000);

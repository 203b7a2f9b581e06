//> POST /roads/{a|b|c|d|e}/{a|b|c|d|e}/{1-9}
//> DELETE /roads/{a|b|c|d|e}/{a|b|c|d|e}
//> GET /path/{a|b|c|d|e}/{a|b|c|d|e}
//> GET /degree
// A weighted graph: a Map of Maps; shortest paths on demand, remembered until a road changes.
const http = require('http');
const graph = new Map();
let generation = 0;
const cache = new Map();

const neighbours = (n) => graph.get(n) ?? graph.set(n, new Map()).get(n);
function connect(a, b, w) {
  neighbours(a).set(b, w);
  neighbours(b).set(a, w);
  generation += 1;
  cache.clear();
}
function disconnect(a, b) {
  const there = graph.get(a)?.delete(b) ?? false;
  graph.get(b)?.delete(a);
  for (const [n, to] of graph) if (to.size === 0) graph.delete(n);
  if (there) cache.clear(), generation++;
  return there;
}
function path(from, to) {
  const key = `${from}>${to}`;
  if (cache.has(key)) return { ...cache.get(key), cached: true };
  const dist = new Map([[from, 0]]);
  const prev = {};
  const done = new Set();
  for (;;) {
    let best;
    for (const [n, d] of dist) if (!done.has(n) && (best === undefined || d < dist.get(best))) best = n;
    if (best === undefined || best === to) break;
    done.add(best);
    graph.get(best)?.forEach((w, n) => {
      const d = dist.get(best) + w;
      if (!(dist.get(n) <= d)) dist.set(n, d), (prev[n] = best);
    });
  }
  const route = [];
  if (dist.has(to)) for (let n = to; n !== undefined; n = prev[n]) route.unshift(n);
  const answer = { length: dist.get(to) ?? null, route };
  cache.set(key, answer);
  return answer;
}
http
  .createServer((req, res) => {
    const [, what, a, b, w] = req.url.split('/');
    if (what === 'roads' && req.method === 'POST') return connect(a, b, Number(w)), res.end(`${generation}`);
    if (what === 'roads') return res.end(`${disconnect(a, b)} ${graph.size}`);
    if (what === 'path') return res.end(JSON.stringify(path(a, b)));
    res.end(JSON.stringify([...graph].map(([n, to]) => [n, [...to.keys()].sort()]).sort()));
  })
  .listen(process.env.PORT || 3000);

//> POST /plugins/{a|b|c}?weight={1-9}
//> DELETE /plugins/{a|b|c}
//> GET /plugins
//> POST /run/{1-9}
// Registries keyed by symbols.
const http = require('http');
const kName = Symbol('name');
const kRuns = Symbol('runs');
const kWeight = Symbol.for('app.weight');
const ids = { a: Symbol('a'), b: Symbol('b'), c: Symbol('c') };
const registry = new Map();
const total = { [kRuns]: 0, last: null };
class Plugin {
  constructor(name, weight) {
    this[kName] = name;
    this[kRuns] = 0;
    this[kWeight] = weight;
  }
  run(n) {
    this[kRuns]++;
    return n * this[kWeight];
  }
  get [Symbol.toStringTag]() {
    return `Plugin ${this[kName]}`;
  }
  *[Symbol.iterator]() {
    yield this[kName];
    yield this[kWeight];
    yield this[kRuns];
  }
}
http
  .createServer((req, res) => {
    const url = new URL(req.url, 'http://x');
    const [, what, id] = url.pathname.split('/');
    if (what === 'plugins' && req.method === 'POST') {
      registry.set(ids[id], new Plugin(id, Number(url.searchParams.get('weight'))));
      return res.end(String(registry.get(ids[id])));
    }
    if (req.method === 'DELETE') return res.end(String(registry.delete(ids[id])));
    if (what === 'run') {
      let sum = 0;
      for (const [, p] of registry) sum += p.run(Number(id));
      total[kRuns] += registry.size;
      total.last = sum;
      return res.end(`${sum} ${total[kRuns]}`);
    }
    res.end(JSON.stringify([...registry.values()].map((p) => [...p])) + total[kRuns] + total.last);
  })
  .listen(process.env.PORT || 3000);

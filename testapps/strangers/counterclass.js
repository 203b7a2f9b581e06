// Function-constructors, mixins, and objects that inherit from shared ones.
//> POST /{gold|silver}
//> POST /{gold|silver}
//> GET /{gold|silver}
//> PUT /base/{1-9}
const http = require('http');
const Countable = (Base) =>
  class extends Base {
    count = 0;
    add(n = 1) {
      this.count += n;
      return this;
    }
  };
const Named = (Base) =>
  class extends Base {
    names = new Set();
    name(x) {
      this.names.add(x);
      return this;
    }
  };
class Thing {}
class Medal extends Named(Countable(Thing)) {}
const medals = { gold: new Medal(), silver: new Medal() };
const base = { worth: 1, bonus: [] };
const worths = { gold: Object.create(base, { factor: { value: 3, writable: true } }), silver: Object.create(base) };

http.createServer((req, res) => {
  const [, what, n] = req.url.split('/');
  if (what === 'base') {
    base.worth = Number(n);
    base.bonus.push(base.worth);
    return res.end('ok');
  }
  if (req.method === 'POST') medals[what].add().name(`n${medals[what].count % 4}`);
  const w = worths[what];
  if (req.method === 'POST' && medals[what].count % 5 === 0) w.worth = w.worth + 1;
  res.end(`${medals[what].count} ${[...medals[what].names]} ${w.worth * (w.factor ?? 1)} ${w.bonus.length} ${Object.hasOwn(w, 'worth')}`);
}).listen(process.env.PORT || 3000);

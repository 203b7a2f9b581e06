// A store behind a Proxy that validates and tells.
//> PUT /{age|name|size}/{1-99}
//> PUT /{age|name|size}/{1-99}
//> DELETE /{age|name|size}
//> GET /
const http = require('http');
const changes = [];

const observed = (target, tell) =>
  new Proxy(target, {
    set(t, k, v) {
      if (k === 'age' && v > 90) throw new TypeError('too old');
      tell(k, t[k], v);
      return Reflect.set(t, k, v);
    },
    deleteProperty(t, k) {
      tell(k, t[k], undefined);
      return delete t[k];
    },
    get: (t, k, r) => (k in t || typeof k === 'symbol' ? Reflect.get(t, k, r) : `no ${String(k)}`),
  });

const store = observed({ name: 1 }, (k, from, to) => {
  changes.push({ k, from, to });
  if (changes.length > 6) changes.shift();
});

http.createServer((req, res) => {
  const [, k, v] = req.url.split('/');
  try {
    if (req.method === 'PUT') store[k] = Number(v);
    if (req.method === 'DELETE') delete store[k];
    res.end(JSON.stringify({ keys: Object.keys(store), age: store.age, changes }));
  } catch (e) {
    res.writeHead(400).end(e.message);
  }
}).listen(process.env.PORT || 3000);

// An LRU cache by the order of a Map's keys.
//> GET /k{1-9}
//> GET /k{1-9}
//> PUT /k{1-9}
//> GET /
const { createServer } = require('node:http');
const limit = 5;
const store = new Map();
let evicted = 0;

const touch = (k) => {
  if (!store.has(k)) return undefined;
  const v = store.get(k);
  store.delete(k);
  store.set(k, v);
  return v;
};

const put = (k, v) => {
  store.delete(k);
  store.set(k, v);
  while (store.size > limit) {
    store.delete(store.keys().next().value);
    evicted += 1;
  }
};

createServer((req, res) => {
  const k = req.url.slice(1);
  if (k === '') return res.end(`${[...store.keys()].join()} ${evicted}\n`);
  if (req.method === 'PUT') {
    put(k, { at: store.size, by: k });
    return res.end('ok');
  }
  const v = touch(k);
  if (v === undefined) {
    res.statusCode = 404;
    return res.end('miss');
  }
  res.end(JSON.stringify(v));
}).listen(process.env.PORT);

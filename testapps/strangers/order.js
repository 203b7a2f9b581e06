// The order of keys, which come and go.
//> PUT /{b|a|10|2|c}
//> PUT /{b|a|10|2|c}
//> DELETE /{b|a|10|2|c}
//> GET /
const http = require('http');
const object = {};
const map = new Map();
const set = new Set();
http.createServer((req, res) => {
  const k = req.url.slice(1);
  if (req.method === 'PUT') {
    object[k] ??= 0;
    object[k]++;
    map.set(k, (map.get(k) || 0) + 1);
    set.delete(k);
    set.add(k);
  } else if (req.method === 'DELETE') {
    delete object[k];
    map.delete(k);
    set.delete(k);
  }
  const seen = [];
  for (const x in object) seen.push(x);
  map.forEach((v, x) => seen.push(x + v));
  res.end(`${seen} ${[...set]} ${JSON.stringify(object)} ${Object.entries(object).length} ${'a' in object} ${Object.hasOwn(object, '2')}`);
}).listen(process.env.PORT || 3000);

// What a WeakMap holds about objects that never change themselves.
//> GET /{north|south}
//> GET /{north|south}
const http = require('http');
const regions = { north: { name: 'North' }, south: { name: 'South' } };
const asked = new WeakMap();
http.createServer((req, res) => {
  const r = regions[req.url.slice(1)];
  asked.set(r, (asked.get(r) ?? 0) + 1);
  res.end(`${r.name} ${asked.get(r)}`);
}).listen(process.env.PORT || 3000);

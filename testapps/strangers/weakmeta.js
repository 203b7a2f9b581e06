// What is known about objects beside them, in WeakMaps.
//> POST /docs/{a|b|c}
//> GET /docs/{a|b|c}
//> POST /lock/{a|b|c}
//> POST /unlock/{a|b|c}
const http = require('http');
const docs = { a: { text: 'A' }, b: { text: 'B' } };
const meta = new WeakMap();
const locked = new WeakSet();

const about = (d) => {
  if (!meta.has(d)) meta.set(d, { views: 0, tags: new Set() });
  return meta.get(d);
};

http.createServer((req, res) => {
  const [, verb, name] = req.url.split('/');
  if (verb === 'docs' && req.method === 'POST') docs[name] = { text: name.repeat(2) };
  const d = docs[name];
  if (!d) return res.writeHead(404).end();
  if (verb === 'lock') locked.add(d);
  if (verb === 'unlock') locked.delete(d);
  const m = about(d);
  m.views++;
  m.tags.add(req.method);
  res.end(JSON.stringify({ ...d, views: m.views, tags: [...m.tags], locked: locked.has(d) }));
}).listen(process.env.PORT || 3000);

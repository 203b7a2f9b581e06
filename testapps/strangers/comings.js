//> POST /seen/{1-40}
//> GET /seen/{1-40}
//> DELETE /seen/{1-40}
//> POST /visit/{1-9}
//> POST /slow/{1-40}
//> GET /all
// Keys that come and go, far more of them than there are at any time: in a Map, a Set and an object.
const http = require('http');

const seen = new Map();
const tags = new Set();
const byName = {};
let visits = 0;

function put(k, v) {
  seen.set(k, null);
  seen.set(k, v);
  tags.add('t' + k);
  byName['n' + k] = { v };
}

function drop(k) {
  const was = seen.delete(k);
  tags.delete('t' + k);
  delete byName['n' + k];
  return was;
}

const look = (k) => `${seen.get(k)} ${seen.has(k)} ${tags.has('t' + k)} ${byName['n' + k] ? byName['n' + k].v : 'no'} ${'n' + k in byName}`;

http
  .createServer((req, res) => {
    const [, what, k] = req.url.split('/');
    const key = Number(k);
    if (what === 'all') return res.end(JSON.stringify([[...seen], [...tags], byName, visits]));
    if (what === 'visit') {
      const from = visits;
      visits += key * 7;
      for (let i = from; i < visits; i++) put('v' + i, i);
      for (let i = from; i < visits; i++) drop('v' + i);
      return res.end('visit ' + visits + ' ' + seen.size);
    }
    if (what === 'slow') {
      const before = look(key);
      put(key, req.url);
      return setImmediate(() => setTimeout(() => {
        const later = look(key);
        put(key, 'again');
        setImmediate(() => {
          const last = drop(key);
          res.end(before + '; ' + later + '; ' + last + '; ' + look(key));
        });
      }, 3));
    }
    if (req.method === 'POST') {
      put(key, req.url);
      if (key === 40) {
        seen.clear();
        tags.clear();
      }
      return res.end('put');
    }
    if (req.method === 'DELETE') return res.end(String(drop(key)));
    res.end(look(key));
  })
  .listen(process.env.PORT || 3000);

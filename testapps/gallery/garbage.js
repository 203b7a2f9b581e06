'use strict';

// Records that come and go. Whoever starts it may want to know what became of them.

const http = require('http');

const watch = globalThis.watchObject || (() => {});
const byKey = new Map();
const recent = [];
const index = {};
let last = null;

http
  .createServer((req, res) => {
    const [, what, n] = req.url.split('/');
    if (what === 'put') {
      const record = { n, parts: [{ n }], tags: new Set([n]) };
      [record, record.parts, record.parts[0], record.tags].forEach((o) => watch(o));
      byKey.set(`k${n % 3}`, record);
      index[`i${n % 3}`] = record.parts[0];
      recent.push(record.tags);
      if (recent.length > 3) recent.shift();
      last = record;
      delete index[`i${(n + 1) % 3}`];
      return res.end(`${byKey.size} ${recent.length} ${Object.keys(index).length} ${last.n}`);
    }
    res.end(globalThis.liveObjects ? `${globalThis.liveObjects()}` : '');
  })
  .listen(process.env.PORT || 3000);

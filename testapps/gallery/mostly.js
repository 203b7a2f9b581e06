'use strict';

// A cache of ten thousand entries that load time fills and requests hardly change.

const http = require('http');

const cache = new Map();
const prices = {};
const rows = [];
for (let i = 0; i < 10_000; i++) {
  cache.set(`k${i}`, { i, name: `entry ${i}` });
  prices[`p${i}`] = i;
  rows.push([i, -i]);
}

http
  .createServer((req, res) => {
    const [, what, n] = req.url.split('/');
    if (what === 'change') {
      cache.get('k0').name = `changed by ${n}`;
      cache.set('new', n);
      prices.p0 = Number(n);
      rows[0][0] = Number(n);
    }
    const entry = cache.get(`k${n}`);
    res.end(`${entry.name} ${prices[`p${n}`]} ${rows[n]} ${cache.get('k0').name}`);
  })
  .listen(process.env.PORT || 3000);

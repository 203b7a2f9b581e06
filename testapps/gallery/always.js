'use strict';

// Keys that come and go beside one that was there from the start.

const http = require('http');

const map = new Map([['start', 1]]);
const set = new Set(['start']);
const dictionary = { start: 1 };
let made = 0;

function churn(n) {
  const from = made;
  made += n;
  for (let i = from; i < made; i++) {
    map.set(`k${i}`, i);
    set.add(`k${i}`);
    dictionary[`k${i}`] = i;
  }
  for (let i = from; i < made; i++) {
    map.delete(`k${i}`);
    set.delete(`k${i}`);
    delete dictionary[`k${i}`];
  }
  return `${made}`;
}

http
  .createServer((req, res) => {
    const [, what, n] = req.url.split('/');
    if (what === 'many') return res.end(churn(Number(n)));
    if (what === 'churn') return res.end(churn(100));
    if (what === 'heap') return res.end(globalThis.heap ? `${globalThis.heap()}` : '');
    if (what === 'drop') return res.end(`${map.delete('start')} ${set.delete('start')} ${delete dictionary.start}`);
    res.end(`${map.get('start')} ${set.has('start')} ${dictionary.start} ${map.get('k7')} ${set.has('k7')} ${dictionary.k7}`);
  })
  .listen(process.env.PORT || 3000);

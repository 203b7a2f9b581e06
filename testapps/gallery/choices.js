'use strict';
// GET /thing/a or /thing/b: what is handed to the platform is chosen by a key, and so differs between requests in which
// nothing else does.
const http = require('http');

const things = {
  reaction: (k) => Promise.resolve('passed').then({ a: () => 'A', b: () => 'B' }[k]),
  caught: (k) => Promise.reject('passed').catch({ a: () => 'A', b: () => 'B' }[k]).catch((e) => e),
  promise: async (k) => await { a: Promise.resolve('A'), b: 'B' }[k],
  thenable: async (k) => await { a: { then: (f) => f('A') }, b: { then: (f) => f('B') } }[k],
  any: (k) => Promise.any([{ a: Promise.resolve('A'), b: Promise.resolve('B') }[k]]).catch(() => 'none'),
  tick: (k) =>
    new Promise((resolve) => {
      const how = { a: () => resolve('A'), b: () => resolve('B') }[k];
      try {
        process.nextTick(how);
      } catch (e) {
        resolve(e.code);
      }
    }),
  each: (k) => {
    let last = 'none';
    Buffer.from({ a: 'A', b: 'B' }[k]).forEach((c) => {
      last = String.fromCharCode(c);
    });
    return last;
  },
};

http
  .createServer(async (req, res) => {
    const [, thing, k] = req.url.split('/');
    res.end(`${await things[thing](k)}`);
  })
  .listen(process.env.PORT || 3000);

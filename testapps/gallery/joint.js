'use strict';

// What only joint re-execution follows, with everything in it whose order a server could lie about: clocks, timers,
// answers that are too much to be written at once, and clients that wait for one another.

const http = require('http');
const { readFile } = require('fs/promises');

let waiting = [];
let passed = 0;
const log = [];

const routes = {
  // wait is answered by the next request that calls.
  wait: (res) => {
    waiting.push((by) => res.end(`called by ${by}, ${++passed}`));
  },
  call: (res, name) => {
    const all = waiting;
    waiting = [];
    for (const f of all) f(name);
    res.end(`${all.length} waited`);
  },
  time: (res) => {
    const wall = Date.now();
    const [s, ns] = process.hrtime();
    res.end(JSON.stringify({ wall, perf: performance.now(), up: process.uptime(), mono: s * 1e9 + ns }));
  },
  later: (res) => {
    setTimeout(() => {
      log.push('timer');
      res.end(`${log.length} ${Date.now()}`);
    }, 2);
  },
  much: (res, n) => {
    let left = Number(n);
    let drains = 0;
    const more = () => {
      while (left-- > 0) if (!res.write('0123456789abcdef'.repeat(4096))) break;
      if (left > 0) {
        res.once('drain', () => {
          log.push('drain');
          drains++;
          more();
        });
      } else res.end('end');
    };
    res.on('finish', () => log.push(`finish ${drains > 0}`));
    more();
  },
  both: async (res) => {
    const [a, b] = await Promise.all([readFile('/proc/sys/kernel/ostype', 'utf8'), readFile('/proc/sys/kernel/hostname', 'utf8')]);
    res.end(`${a.trim()} ${b.length > 0} ${log.length}`);
  },
  fails: (res) => {
    res.end(new Error('in vain').stack);
  },
  log: (res) => res.end(log.join()),
};

http.createServer((req, res) => {
  const [, name, rest] = req.url.split('/');
  routes[name](res, rest);
}).listen(process.env.PORT || 3000);

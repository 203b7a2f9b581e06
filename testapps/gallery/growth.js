'use strict';

// State that grows with every request: a Map, a linked list, and a counter that all change.

const http = require('http');

const keys = new Map();
let head = null;
let hot = 0;

http
  .createServer((req, res) => {
    const [, what, n] = req.url.split('/');
    switch (what) {
      case 'fill': {
        const before = keys.size;
        for (let i = 0; i < 1000; i++) keys.set(`k${n}.${i}`, i);
        return res.end(`${before} ${keys.size}`);
      }
      case 'prepend':
        head = { n, next: head, depth: head === null ? 1 : head.depth + 1 };
        return res.end(`${head.depth}`);
      case 'hot':
        for (let i = 0; i < 1000; i++) hot++;
        return res.end(`${hot}`);
    }
    res.end();
  })
  .listen(process.env.PORT || 3000);

'use strict';
// What a request can know when the program hears of it, and when its body comes.
const http = require('http');

http
  .createServer((req, res) => {
    const seen = [res.socket !== null, req.complete];
    let size = 0;
    let first = '';
    req.on('data', (c) => (size += c.length));
    req.on('end', () => {
      first ||= 'end';
      req.push(null); // which changes nothing
      setTimeout(() => res.end([...seen, size, first].join(' ')), 2);
    });
    Promise.resolve().then(() => (first ||= 'promise'));
  })
  .listen(process.env.PORT);

'use strict';
// Responses that their clients have before the program ends them, because their lengths were told.
const http = require('http');

let late = 0;

const kinds = {
  '/text': (res, size) => {
    res.writeHead(200, { 'Content-Length': 2 * size });
    for (let i = 0; i < size; i++) res.write(i % 2 === 0 ? 'ä' : Buffer.from('ab'));
  },
  '/none': (res) => {
    res.setHeader('Content-Length', 0);
    res.flushHeaders();
  },
  '/empty': (res) => {
    res.writeHead(204);
    res.flushHeaders();
  },
};

http
  .createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://x');
    if (pathname === '/late') return res.end(String(late));
    kinds[pathname](res, Number(searchParams.get('size')));
    if (req.method === 'HEAD') res.flushHeaders();
    if (searchParams.has('never')) return;
    setTimeout(() => {
      late++;
      res.end();
    }, 20);
  })
  .listen(process.env.PORT);

'use strict';
// A server on Node's own http and nothing else.
const http = require('http');
const { parse } = require('querystring');

//karousos:loggable
let counter = 0;

const routes = {
  'GET /': (req, res) => {
    res.setHeader('X-Count', String(counter));
    res.writeHead(200, 'Fine', { 'Content-Type': 'text/plain' });
    res.end(`counted to ${counter}\n`);
  },
  'POST /count': (req, res) => {
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('end', () => {
      const by = Number(parse(Buffer.concat(chunks).toString()).by ?? 1);
      if (!Number.isFinite(by)) {
        res.statusCode = 400;
        return res.end('by how much?');
      }
      counter += by;
      setImmediate(() => res.end(String(counter)));
    });
  },
  'POST /echo': (req, res) => {
    res.writeHead(200, { 'Content-Type': req.headers['content-type'] ?? 'application/octet-stream' });
    req.pipe(res);
  },
  // Reads with pauses, and what else happens may come first.
  'POST /slowly': (req, res) => {
    const list = [];
    setTimeout(() => list.push('timer'), 1);
    const read = () => {
      req.on('data', (c) => {
        list.push(`data ${c.length} ${req.complete}`);
        req.pause();
        setTimeout(() => {
          list.push('resume');
          req.resume();
        }, 2);
      });
      req.on('end', () => {
        list.push('end');
        setTimeout(() => res.end(list.join()), 5);
      });
    };
    if (req.url.endsWith('?text')) req.setEncoding('utf8');
    if (req.url.endsWith('?late')) setTimeout(read, 3);
    else read();
  },
  'GET /empty': (req, res) => res.writeHead(204).end(),
  'GET /cached': (req, res) => res.writeHead(304, { ETag: '"x"' }).end(),
};

http
  .createServer((req, res) => {
    const route = routes[`${req.method === 'HEAD' ? 'GET' : req.method} ${req.url.split('?')[0]}`];
    if (route !== undefined) return route(req, res);
    res.writeHead(404);
    res.end();
  })
  .listen(Number(process.env.PORT || 3000));

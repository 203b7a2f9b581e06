'use strict';

// Some connections become something else than HTTP: what the program does with them is
// not recorded, and its requests are audited all the same, unless it changes what they share.
const http = require('http');

const visits = new Map();
let lines = 0;

const server = http.createServer((req, res) => {
  visits.set(req.url, (visits.get(req.url) || 0) + 1);
  res.end(`${req.url} ${visits.get(req.url)} ${lines} ${[req.headers, req.headersDistinct].map(Object.keys)}`);
});

server.on('upgrade', (req, socket) => {
  if (req.headers.upgrade !== 'lines') {
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  const own = Object.keys(req.headers).filter((k) => k.startsWith('karousos'));
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: lines\r\nConnection: Upgrade\r\n\r\nwelcome${own}\n`);
  socket.on('data', (chunk) => {
    if (req.url === '/counted') lines++;
    setTimeout(() => socket.write(`${visits.size} ${String(chunk).toUpperCase()}`), Math.random());
  });
  socket.on('end', () => socket.end());
});

server.listen(Number(process.env.PORT || 3000));

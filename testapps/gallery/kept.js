// Keeps things with the connections that requests come by.
const http = require('http');

const numbers = new WeakMap();
const seen = new Map();
let next = 0;
let last = null;

const things = {
  property: ({ socket }) => (socket.count = (socket.count ?? 0) + 1),
  number: ({ socket }) => {
    if (!numbers.has(socket)) numbers.set(socket, ++next);
    return numbers.get(socket);
  },
  seen: ({ socket }) => {
    seen.set(socket, (seen.get(socket) ?? 0) + 1);
    return `${seen.get(socket)} of ${seen.size}`;
  },
  last: ({ socket }) => {
    const again = last === socket;
    last = socket;
    return again;
  },
};

http
  .createServer((req, res) => {
    const answer = things[req.url.slice(1)](req);
    setTimeout(() => res.end(String(answer)), 5);
  })
  .listen(process.env.PORT);

// Hears of connections, and of their ends.
const http = require('http');

const open = new Set();
let first = null;
let ended = 0;
let once = 0;

const server = http.createServer((req, res) => {
  const { socket } = req;
  if (req.url === '/how-many') {
    server.getConnections((err, n) => res.end(err ? err.message : typeof n));
    return;
  }
  if (req.url === '/hears') socket.once('close', () => ended++);
  setTimeout(() => res.end([socket.number, open.has(socket), open.size > 0, socket === first, ended, once].join()), 5);
});
let number = 0;
server.on('connection', (socket) => {
  socket.number = ++number;
  open.add(socket);
  first ??= socket;
  socket.once('close', () => open.delete(socket));
});
server.once('connection', () => once++);
server.listen(process.env.PORT);

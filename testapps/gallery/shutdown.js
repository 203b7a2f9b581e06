// Clears up before it ends, as servers in production do.
const http = require('http');

const cache = new Map();
let open = true;

const server = http.createServer((req, res) => {
  cache.set(req.url, (cache.get(req.url) ?? 0) + 1);
  setTimeout(() => res.end(`${req.url} ${cache.get(req.url)}`), req.url === '/slow' ? 300 : 1);
});
server.listen(process.env.PORT);

process.on('SIGTERM', async () => {
  console.log('no more requests');
  setTimeout(() => process.exit(1), 10000).unref();
  await new Promise((resolve) => server.close(resolve));
  open = false;
  cache.clear();
  console.log('closed at', Date.now(), open);
  process.exit(0);
});

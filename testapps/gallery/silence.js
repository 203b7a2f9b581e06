// Connections on which nothing is heard for as long as the program says, and clients that ask before they send a body.
const http = require('http');
const { AsyncLocalStorage } = require('async_hooks');

const store = new AsyncLocalStorage();
let cut = 0;

const handlers = {
  '/response': (q, s) => s.setTimeout(20, (socket) => s.end(`response ${socket === q.socket}`)),
  '/stored': (q, s) => store.run('stored', () => s.setTimeout(20, () => s.end(store.getStore()))),
  '/heard'(q, s) {
    const heard = [];
    q.socket.setTimeout(20);
    q.on('timeout', () => heard.push('request'));
    s.on('timeout', () => heard.push('response'));
    q.socket.once('timeout', () => s.end(heard.join()));
  },
  // Who is told may say something, and be told again.
  '/twice'(q, s) {
    q.socket.setTimeout(20, () => {
      s.write('once');
      Promise.resolve().then(() => s.write(' promise'));
      process.nextTick(() => s.write(' tick'));
      q.socket.once('timeout', () => s.end(' twice'));
    });
  },
  // The answer comes before anything was silent for so long, or never, or nothing was asked.
  '/busy': (q, s) => {
    q.setTimeout(60_000, () => s.end('late'));
    s.end('busy');
  },
  '/none': (q, s) => setTimeout(() => s.end('none'), 40),
  // The server's own listener takes what nobody else does.
  '/cut': (q) => q.socket.setTimeout(20),
  '/cuts': (q, s) => s.end(`${cut}`),
  '/refusals'(q, s) {
    const refused = [() => q.setTimeout('20'), () => s.setTimeout(-1), () => q.socket.setTimeout(20, 'f'), () => s.setTimeout(NaN)].map((f) => {
      try {
        return f();
      } catch (e) {
        return `${e.code}: ${e.message}`;
      }
    });
    const { writableHighWaterMark, readableFlowing, writableEnded, writableCorked } = q.socket;
    s.end(JSON.stringify([refused, writableHighWaterMark, readableFlowing, writableEnded, writableCorked, server.noDelay, server.keepAlive, server.highWaterMark]));
  },
  '/flushed'(q, s) {
    s.writeHead(200, { 'X-Early': 'yes' });
    s.flushHeaders();
    setTimeout(() => s.end('flushed'), 300);
  },
};

function upload(q, s) {
  let body = '';
  q.on('data', (d) => (body += d));
  q.on('end', () => s.end(`${body} ${q.headers.expect}`));
}

const server = http.createServer((q, s) => (handlers[q.url] ?? upload)(q, s));
server.on('checkContinue', (q, s) => {
  if (q.url === '/refused') {
    s.statusCode = 403;
    return s.end('refused');
  }
  s.writeContinue();
  upload(q, s);
});
server.on('timeout', (socket) => {
  const { req } = socket._httpMessage;
  if (req.url !== '/cut') return;
  cut++;
  socket.destroy();
});
server.listen(process.env.PORT);

// Events that are sent to whoever listens.
//> GET /events?n={1-2}
//> POST /publish hello {1-9}
//> POST /publish hello {1-9}
const http = require('http');
const clients = new Set();
let id = 0;

class Client {
  constructor(res, n) {
    this.res = res;
    this.left = n;
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    this.timer = setTimeout(() => this.close(), 25);
  }
  send(event) {
    this.res.write(`id: ${event.id}\ndata: ${JSON.stringify(event.data)}\n\n`);
    if (--this.left === 0) this.close();
  }
  close() {
    clearTimeout(this.timer);
    clients.delete(this);
    this.res.end();
  }
}

http.createServer((req, res) => {
  if (req.url.startsWith('/events')) {
    clients.add(new Client(res, Number(req.url.split('=')[1])));
    return;
  }
  let text = '';
  req.on('data', (c) => (text += c));
  req.on('end', () => {
    const event = { id: ++id, data: { text } };
    const n = clients.size;
    for (const c of clients) c.send(event);
    res.end(`sent to ${n}`);
  });
}).listen(process.env.PORT || 3000);

// Mailboxes as async generators' sources: whoever comes gets what is there, or waits a little.
//> POST /{a|b} m{1-9}
//> POST /{a|b} m{1-9}
//> GET /{a|b}
const http = require('http');

class Mailbox {
  items = [];
  closed = 0;
  async *take(n) {
    for (let i = 0; i < n; i++) {
      if (this.items.length === 0) await new Promise((r) => setTimeout(r, 2));
      if (this.items.length === 0) return;
      yield this.items.shift();
    }
  }
}
const boxes = { a: new Mailbox(), b: new Mailbox() };

http.createServer(async (req, res) => {
  const box = boxes[req.url.slice(1)];
  if (req.method === 'POST') {
    let text = '';
    for await (const c of req) text += c;
    box.items.push(text);
    return res.end(String(box.items.length));
  }
  const got = [];
  for await (const m of box.take(3)) got.push(m);
  box.closed++;
  res.end(`${got.join(' ')} (${box.closed})`);
}).listen(process.env.PORT || 3000);

// Methods that are bound to what nobody else holds.
//> POST /ticket
//> POST /ticket
//> POST /note/{a|b|c}
//> GET /
const http = require('http');

class Dispenser {
  n = 0;
  last = [];
  next() {
    return ++this.n;
  }
  note(limit, x) {
    this.last.push(x);
    if (this.last.length > limit) this.last.shift();
    return this.last.join();
  }
}

const take = (() => new Dispenser())();
const ticket = Dispenser.prototype.next.bind(new Dispenser());
const note = take.note.bind(take, 3);

http.createServer((req, res) => {
  const [, what, x] = req.url.split('/');
  if (what === 'ticket') return res.end(String(ticket()));
  if (what === 'note') return res.end(note(x));
  res.end(take.last.join());
}).listen(process.env.PORT || 3000);

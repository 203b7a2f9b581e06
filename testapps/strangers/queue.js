// A linked list as a queue, and one that runs in a circle.
//> POST /q/{1-99}
//> POST /q/{1-99}
//> DELETE /q
//> GET /q
//> GET /turn
const http = require('http');

class LinkedQueue {
  constructor() {
    this.clear();
  }
  clear() {
    this.head = this.tail = undefined;
    this.length = 0;
  }
  enqueue(value) {
    const node = { value };
    if (this.tail) this.tail.next = node;
    else this.head = node;
    this.tail = node;
    return ++this.length;
  }
  dequeue() {
    if (!this.head) return undefined;
    const { value, next } = this.head;
    if (!(this.head = next)) this.tail = undefined;
    this.length--;
    return value;
  }
  *[Symbol.iterator]() {
    for (let n = this.head; n; n = n.next) yield n.value;
  }
}

const q = new LinkedQueue();
const ring = { name: 'n', next: { name: 'e', next: { name: 's' } } };
ring.next.next.next = ring;
let here = ring;

http.createServer((req, res) => {
  const [, what, v] = req.url.split('/');
  if (what === 'turn') {
    here = here.next;
    return res.end(here.name);
  }
  if (req.method === 'POST') return res.end(String(q.enqueue(Number(v))));
  if (req.method === 'DELETE') return res.end(String(q.dequeue()));
  res.end(JSON.stringify({ items: [...q], length: q.length }));
}).listen(process.env.PORT || 3000);

//> POST /tasks {"name":"t{1-30}","priority":{1-9}}
//> POST /next
//> GET /peek
//> PATCH /tasks/t{1-30} {"priority":{1-9}}
// A priority queue whose comparator is given when it is made.
const http = require('http');

class PriorityQueue {
  constructor(compare = (a, b) => a - b) {
    this.compare = compare;
    this.items = [];
    this.position = {};
  }
  get size() {
    return this.items.length;
  }
  swap(i, j) {
    [this.items[i], this.items[j]] = [this.items[j], this.items[i]];
    this.position[this.items[i].name] = i;
    this.position[this.items[j].name] = j;
  }
  up(i) {
    while (i > 0) {
      const p = (i - 1) >> 1;
      if (this.compare(this.items[i], this.items[p]) >= 0) break;
      this.swap(i, p);
      i = p;
    }
  }
  down(i) {
    for (;;) {
      let m = i;
      for (const c of [2 * i + 1, 2 * i + 2]) if (c < this.size && this.compare(this.items[c], this.items[m]) < 0) m = c;
      if (m === i) return;
      this.swap(i, m);
      i = m;
    }
  }
  push(item) {
    if (item.name in this.position) return this.change(item.name, item.priority);
    this.position[item.name] = this.items.push(item) - 1;
    this.up(this.size - 1);
    return this.size;
  }
  pop() {
    if (this.size === 0) return null;
    this.swap(0, this.size - 1);
    const item = this.items.pop();
    delete this.position[item.name];
    if (this.size) this.down(0);
    return item;
  }
  change(name, priority) {
    const i = this.position[name];
    if (i === undefined) return -1;
    const before = this.items[i].priority;
    this.items[i].priority = priority;
    priority < before ? this.up(i) : this.down(i);
    return this.position[name];
  }
}
const queue = new PriorityQueue((a, b) => a.priority - b.priority || a.seq - b.seq);
let seq = 0;
const body = async (req) => {
  let s = '';
  for await (const c of req) s += c;
  return s ? JSON.parse(s) : {};
};
http
  .createServer(async (req, res) => {
    const { name, priority } = await body(req);
    const json = (x) => res.end(JSON.stringify(x));
    if (req.url === '/tasks') return json({ size: queue.push({ name, priority, seq: ++seq }) });
    if (req.url === '/next') return json(queue.pop());
    if (req.url === '/peek') return json(queue.items.map((t) => `${t.name}:${t.priority}`));
    json({ at: queue.change(req.url.split('/')[2], priority) });
  })
  .listen(process.env.PORT || 3000);

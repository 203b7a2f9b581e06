// Jobs by priority, in a binary heap.
//> POST /{urgent|normal|idle}/{1-99}
//> POST /{urgent|normal|idle}/{1-99}
//> POST /next
//> GET /
const http = require('http');
const levels = { urgent: 0, normal: 1, idle: 2 };
const heap = [];
let seq = 0;

const less = (i, j) => heap[i].level - heap[j].level || heap[i].seq - heap[j].seq;
function up(i) {
  while (i > 0) {
    const p = (i - 1) >> 1;
    if (less(i, p) >= 0) return;
    [heap[i], heap[p]] = [heap[p], heap[i]];
    i = p;
  }
}
function down(i) {
  for (;;) {
    let m = i;
    for (const c of [2 * i + 1, 2 * i + 2]) if (c < heap.length && less(c, m) < 0) m = c;
    if (m === i) return;
    const t = heap[i];
    heap[i] = heap[m];
    heap[m] = t;
    i = m;
  }
}

http.createServer((req, res) => {
  const [, name, job] = req.url.split('/');
  if (req.method === 'GET') return res.end(heap.map((x) => x.job).join());
  if (name === 'next') {
    if (!heap.length) return res.writeHead(204).end();
    const top = heap[0];
    const last = heap.pop();
    if (heap.length) {
      heap[0] = last;
      down(0);
    }
    return res.end(JSON.stringify(top));
  }
  heap.push({ job, level: levels[name], seq: seq++ });
  up(heap.length - 1);
  res.end(`${heap.length} waiting`);
}).listen(process.env.PORT || 3000);

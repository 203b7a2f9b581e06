// Observables with computed values.
//> PUT /{price|count}/{1-9}
//> PUT /{price|count}/{1-9}
//> GET /
const http = require('http');

class Cell {
  static active = null;
  constructor(value) {
    this.value = value;
    this.users = new Set();
  }
  get() {
    if (Cell.active) this.users.add(Cell.active);
    return this.value;
  }
  set(v) {
    if (v === this.value) return;
    this.value = v;
    for (const u of [...this.users]) u.dirty = true;
  }
}
class Computed extends Cell {
  dirty = true;
  runs = 0;
  constructor(f) {
    super(undefined);
    this.f = f;
  }
  get() {
    if (this.dirty) {
      const outer = Cell.active;
      Cell.active = this;
      try {
        this.value = this.f();
      } finally {
        Cell.active = outer;
      }
      this.dirty = false;
      this.runs++;
    }
    return super.get();
  }
}
const cells = { price: new Cell(5), count: new Cell(1) };
const total = new Computed(() => cells.price.get() * cells.count.get());
const label = new Computed(() => `total ${total.get()}`);

http.createServer((req, res) => {
  const [, k, v] = req.url.split('/');
  if (k) cells[k].set(Number(v));
  res.end(`${label.get()} ${total.runs} ${label.runs} ${cells.price.users.size}`);
}).listen(process.env.PORT || 3000);

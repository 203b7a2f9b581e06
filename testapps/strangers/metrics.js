// Metrics with labels and histograms.
//> GET /work/{1-30}
//> GET /work/{1-30}
//> GET /fail
//> GET /metrics
const express = require('express');

class Metric {
  constructor(name) {
    this.name = name;
    this.values = {};
    Metric.registry.push(this);
  }
  static registry = [];
  static render() {
    return Metric.registry.map((m) => m.render()).join('');
  }
  key(labels) {
    return Object.entries(labels)
      .map(([k, v]) => `${k}="${v}"`)
      .join();
  }
}
class Counter extends Metric {
  inc(labels = {}, by = 1) {
    const k = this.key(labels);
    this.values[k] = (this.values[k] || 0) + by;
  }
  render() {
    return Object.keys(this.values).sort().map((k) => `${this.name}{${k}} ${this.values[k]}\n`).join('');
  }
}
class Histogram extends Metric {
  constructor(name, bounds) {
    super(name);
    this.bounds = bounds;
    this.buckets = bounds.map(() => 0);
    this.sum = this.count = 0;
  }
  observe(v) {
    this.bounds.forEach((b, i) => {
      if (v <= b) this.buckets[i]++;
    });
    this.sum += v;
    ++this.count;
  }
  render() {
    return this.bounds.map((b, i) => `${this.name}_bucket{le="${b}"} ${this.buckets[i]}\n`).join('') + `${this.name}_sum ${this.sum}\n`;
  }
}

const requests = new Counter('requests');
const sizes = new Histogram('sizes', [5, 10, 20]);
const app = express();
app.use((req, res, next) => {
  res.on('finish', () => requests.inc({ method: req.method, status: res.statusCode }));
  next();
});
app.get('/work/:n', (req, res) => {
  sizes.observe(+req.params.n);
  res.send('x'.repeat(req.params.n));
});
app.get('/fail', () => {
  throw new Error('failed');
});
app.get('/metrics', (req, res) => res.type('text').send(Metric.render()));
app.use((err, req, res, next) => res.status(500).send(err.message));
app.listen(process.env.PORT || 3000);

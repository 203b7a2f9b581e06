// The last errors, as they were thrown.
//> GET /div/{1-9}/{0-3}
//> GET /parse/{1|x|y}
//> GET /errors
const express = require('express');
class BadInput extends Error {
  constructor(message, input) {
    super(message);
    this.name = 'BadInput';
    this.input = input;
  }
}
const recent = [];
const counts = new Map();
const app = express();
app.get('/div/:a/:b', (req, res) => {
  if (req.params.b === '0') throw new RangeError('division by zero');
  res.send(String(req.params.a / req.params.b));
});
app.get('/parse/:x', (req, res, next) => {
  const n = parseInt(req.params.x, 10);
  if (Number.isNaN(n)) return next(new BadInput('not a number', req.params.x));
  res.send(String(n));
});
app.get('/errors', (req, res) => res.json({ recent: recent.map((e) => `${e.name}: ${e.message} ${e.input ?? ''}`), counts: Object.fromEntries(counts) }));
app.use((err, req, res, next) => {
  recent.unshift(err);
  recent.length = Math.min(recent.length, 4);
  counts.set(err.constructor.name, (counts.get(err.constructor.name) || 0) + 1);
  res.status(400).send(err.message);
});
app.listen(process.env.PORT || 3000);

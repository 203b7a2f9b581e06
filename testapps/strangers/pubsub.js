// What listeners of an EventEmitter keep.
//> POST /order {"sku":"{a|b|c}","n":{1-5}}
//> POST /order {"sku":"{a|b|c}","n":{1-5}}
//> POST /cancel/{1-9}
//> GET /report
const express = require('express');
const { EventEmitter } = require('events');

const bus = new EventEmitter();
const orders = [];
const stock = { a: 20, b: 20, c: 20 };
const audit = { placed: 0, cancelled: 0, last: null };

bus.on('placed', (o) => (stock[o.sku] -= o.n));
bus.on('placed', (o) => {
  audit.placed++;
  audit.last = o.id;
});
bus.on('cancelled', function (o) {
  stock[o.sku] += o.n;
  audit.cancelled++;
  if (stock[o.sku] > 15) this.emit('restocked', o.sku);
});
bus.on('restocked', (sku) => (audit.restocked = sku));

const app = express();
app.use(express.json());
app.post('/order', (req, res) => {
  const { sku, n } = req.body;
  if (stock[sku] < n) return res.status(409).send('sold out');
  const o = { id: orders.length + 1, sku, n, open: true };
  orders.push(o);
  bus.emit('placed', o);
  res.json(o);
});
app.post('/cancel/:id', (req, res) => {
  const o = orders.find((x) => x.id == req.params.id && x.open);
  if (!o) return res.sendStatus(404);
  o.open = false;
  bus.emit('cancelled', o);
  res.json(o);
});
app.get('/report', (req, res) => res.json({ stock, audit }));
app.listen(process.env.PORT || 3000);

// Reservations that expire.
//> POST /reserve/{cup|pan} {"n":{1-3}}
//> POST /reserve/{cup|pan} {"n":{1-3}}
//> POST /confirm/{1-20}
//> GET /stock
const express = require('express');
const stock = { cup: 10, pan: 6 };
const reservations = new Map();
let nextId = 1;

const app = express();
app.use(express.json());
app.post('/reserve/:sku', (req, res) => {
  const { sku } = req.params;
  const { n } = req.body;
  if (stock[sku] < n) return res.status(409).json({ left: stock[sku] });
  stock[sku] -= n;
  const id = nextId++;
  const timer = setTimeout(() => {
    reservations.delete(id);
    stock[sku] += n;
  }, 15);
  reservations.set(id, { sku, n, timer });
  res.status(201).json({ id, left: stock[sku] });
});
app.post('/confirm/:id', (req, res) => {
  const r = reservations.get(+req.params.id);
  if (!r) return res.status(410).end();
  clearTimeout(r.timer);
  reservations.delete(+req.params.id);
  res.json({ sold: r.n, sku: r.sku });
});
app.get('/stock', (req, res) => res.json({ ...stock, reserved: reservations.size }));
app.listen(process.env.PORT || 3000);

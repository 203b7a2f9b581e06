// A grid of typed arrays that is changed in place.
//> POST /set/{0-7}/{0-7}/{1-9}
//> POST /set/{0-7}/{0-7}/{1-9}
//> POST /scale/{0-7}
//> GET /row/{0-7}
//> GET /sum
const express = require('express');
const N = 8;
const rows = Array.from({ length: N }, () => new Float64Array(N));
const touched = new Uint8Array(N * N);

const app = express();
app.post('/set/:r/:c/:v', (req, res) => {
  const [r, c, v] = [req.params.r, req.params.c, req.params.v].map(Number);
  const old = rows[r][c];
  rows[r][c] = v;
  touched[r * N + c] = 1;
  res.json({ old });
});
app.post('/scale/:r', (req, res) => {
  const row = rows[+req.params.r];
  for (let i = 0; i < row.length; i++) row[i] *= 0.5;
  res.json([...row]);
});
app.get('/row/:r', (req, res) => res.json(Array.from(rows[+req.params.r])));
app.get('/sum', (req, res) => res.json({ sum: rows.reduce((s, r) => s + r.reduce((a, b) => a + b, 0), 0), touched: touched.filter(Boolean).length }));
app.listen(process.env.PORT || 3000);

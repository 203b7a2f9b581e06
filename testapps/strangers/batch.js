// Loads that are collected for a tick and made together.
//> GET /user/{1-9}
//> GET /user/{1-9}
//> GET /batches
const express = require('express');
let pending = null;
const sizes = [];
const names = ['', 'ann', 'bob', 'cid', 'dee', 'eve', 'fay', 'gus', 'hal', 'ivy'];

function load(id) {
  if (!pending) {
    pending = { ids: new Set() };
    pending.promise = new Promise((resolve) => {
      setTimeout(() => {
        const { ids } = pending;
        pending = null;
        sizes.push(ids.size);
        resolve(new Map([...ids].map((i) => [i, { id: i, name: names[i] }])));
      }, 1);
    });
  }
  pending.ids.add(id);
  return pending.promise.then((m) => m.get(id));
}
const app = express();
app.get('/user/:id', async (req, res) => res.json(await load(Number(req.params.id))));
app.get('/batches', (req, res) => res.json({ batches: sizes.length, largest: Math.max(0, ...sizes) }));
app.listen(process.env.PORT || 3000);

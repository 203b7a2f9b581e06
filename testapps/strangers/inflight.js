// Requests for the same thing share one load of it.
//> GET /item/{1-5}
//> GET /item/{1-5}
//> GET /loads
const express = require('express');
const app = express();
const inFlight = new Map();
const loads = {};

function fetchItem(id) {
  const pending = inFlight.get(id);
  if (pending) return pending;
  const p = new Promise((resolve, reject) => {
    setTimeout(() => {
      loads[id] = (loads[id] || 0) + 1;
      if (id === '5') reject(new Error('no item 5'));
      else resolve({ id, name: `item ${id}`, load: loads[id] });
    }, 3);
  }).finally(() => inFlight.delete(id));
  inFlight.set(id, p);
  return p;
}

app.get('/item/:id', (req, res, next) => fetchItem(req.params.id).then((x) => res.json(x), next));
app.get('/loads', (req, res) => res.json({ loads, waiting: inFlight.size }));
app.use((err, req, res, next) => res.status(502).send(err.message));
app.listen(process.env.PORT || 3000);

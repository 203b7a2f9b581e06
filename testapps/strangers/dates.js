// Reminders whose dates are moved in place.
//> POST / {"what":"{call|mail|walk}","on":"2024-0{1-9}-1{0-9}"}
//> POST / {"what":"{call|mail|walk}","on":"2024-0{1-9}-1{0-9}"}
//> POST /{0-9}/snooze/{1-9}
//> GET /
//> GET /{0-9}
const express = require('express');
const reminders = [];
const latest = new Date(0);

const app = express();
app.use(express.json());
app.post('/', (req, res) => {
  const due = new Date(req.body.on + 'T00:00:00Z');
  const n = reminders.push({ what: req.body.what, due, moved: 0 });
  if (due > latest) latest.setTime(due.getTime());
  res.json(n);
});
app.post('/:i/snooze/:days', (req, res) => {
  const r = reminders[req.params.i];
  if (!r) return res.sendStatus(404);
  r.due.setUTCDate(r.due.getUTCDate() + Number(req.params.days));
  r.moved++;
  res.json(r);
});
app.get('/', (req, res) => res.json({ n: reminders.length, latest, next: reminders.reduce((a, r) => (a && a.due <= r.due ? a : r), null) }));
app.get('/:i', (req, res) => res.json(reminders[req.params.i] ?? null));
app.listen(process.env.PORT || 3000);

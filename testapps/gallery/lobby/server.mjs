// An app of ES modules: a queue of guests, settings that are replaced, and a module
// whose bindings change under those who import them.
import express from 'express';
import { guests, enter, leave, served } from './guests.mjs';
import settings, { update } from './settings.mjs';

const app = express();
app.use(express.json());
const seen = {};

app.post('/guests', async (req, res) => {
  const place = enter(req.body.name);
  seen[req.body.name] ??= 0;
  seen[req.body.name] += 1;
  await null;
  res.json({ place, seen: seen[req.body.name], limit: settings.limit });
});
app.delete('/guests', (req, res) => res.json({ left: leave() ?? null, served, waiting: guests.length }));
app.put('/settings', (req, res) => res.json(update(req.body)));
app.listen(process.env.PORT || 3000, () => console.log('the lobby is open'));

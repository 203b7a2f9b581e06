// Cursors with random tokens, and one-time codes.
//> POST /search/{a|b}
//> POST /otp/{ann|bob}
//> GET /stats
const express = require('express');
const { randomUUID, randomInt, createHmac, timingSafeEqual } = require('crypto');
const cursors = new Map();
const codes = {};
const items = Array.from({ length: 20 }, (_, i) => `${'ab'[i % 2]}${i}`);
let pages = 0;

const app = express();
app.post('/search/:q', (req, res) => {
  const token = randomUUID();
  cursors.set(token, { q: req.params.q, at: 0, made: Date.now() });
  for (const [t, c] of cursors) {
    if (c.q !== req.params.q) continue;
    const found = items.filter((x) => x.startsWith(c.q)).slice(c.at, c.at + 3);
    c.at += 3;
    pages++;
    if (found.length < 3) cursors.delete(t);
    return res.json({ found, more: cursors.has(t) });
  }
});
app.post('/otp/:who', (req, res) => {
  const code = String(randomInt(0, 1e6)).padStart(6, '0');
  const mac = createHmac('sha256', 'secret').update(code).digest();
  const before = codes[req.params.who];
  codes[req.params.who] = { mac: mac.toString('base64'), tries: (before?.tries ?? 0) + 1 };
  const same = before !== undefined && timingSafeEqual(Buffer.from(before.mac, 'base64'), mac);
  res.json({ same, tries: codes[req.params.who].tries, length: code.length });
});
app.get('/stats', (req, res) => res.json({ pages, open: cursors.size, who: Object.keys(codes).sort() }));
app.listen(process.env.PORT || 3000);

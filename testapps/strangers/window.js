// Rate limiting by a sliding window of times.
//> GET /{a|b|c}
//> GET /{a|b|c}
//> GET /stats
const express = require('express');

function slidingWindow({ ms, max }) {
  const seen = new Map();
  return (req, res, next) => {
    const now = Date.now();
    const key = req.path;
    const times = (seen.get(key) || []).filter((t) => now - t < ms);
    times.push(now);
    seen.set(key, times);
    res.set('X-Seen', String(Math.min(times.length, max)));
    if (times.length > max) return res.status(429).send('too many');
    next();
  };
}

let served = 0;
const app = express();
app.use(slidingWindow({ ms: 40, max: 5 }));
app.get('/stats', (req, res) => res.send(`${served} served`));
app.get('/:x', (req, res) => {
  served++;
  res.send(req.params.x);
});
app.listen(process.env.PORT || 3000);

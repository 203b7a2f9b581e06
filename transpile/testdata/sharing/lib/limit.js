module.exports = function limit(max) {
  const buckets = {}; // want "buckets changed"
  let blocked = 0; // want "blocked assigned"
  setInterval(() => {
    for (const k of Object.keys(buckets)) delete buckets[k];
  }, 1000);
  return (req, res, next) => {
    const n = (buckets[req.ip] = (buckets[req.ip] || 0) + 1);
    if (n > max) {
      blocked += 1;
      return res.status(429).end(String(blocked));
    }
    next();
  };
};

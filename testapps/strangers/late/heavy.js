const known = new Map();
exports.stats = { calls: 0 };
exports.work = (n) => {
  exports.stats.calls++;
  if (!known.has(n)) known.set(n, n * n + known.size);
  return known.get(n);
};

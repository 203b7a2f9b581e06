'use strict';

module.exports = function leaderboard(size) {
  let list = [];
  const best = {};
  return {
    put(name, score) {
      best[name] = Math.max(best[name] ?? 0, score);
      list = list.filter((e) => e.name !== name);
      list.push({ name, score: best[name] });
      list.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
      return list.findIndex((e) => e.name === name);
    },
    top: () => list.slice(0, size),
  };
};

// A leaderboard in an array that stays sorted.
//> POST /score?name={ann|bob|cid|dee|eve}&points={1-50}
//> POST /score?name={ann|bob|cid|dee|eve}&points={1-50}
//> GET /top/{1-4}
//> GET /rank/{ann|bob|zed}
const express = require('express');
const app = express();
const board = [];

const position = (points) => {
  let lo = 0;
  let hi = board.length;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (board[mid].points >= points) lo = mid + 1;
    else hi = mid;
  }
  return lo;
};

app.post('/score', (req, res) => {
  const { name } = req.query;
  const points = parseInt(req.query.points, 10);
  const old = board.findIndex((x) => x.name === name);
  if (old !== -1) {
    if (board[old].points >= points) return res.json({ rank: old + 1, better: false });
    board.splice(old, 1);
  }
  const at = position(points);
  board.splice(at, 0, { name, points });
  if (board.length > 4) board.pop();
  res.json({ rank: at + 1, better: true });
});
app.get('/top/:n', (req, res) => res.json(board.slice(0, req.params.n).map(({ name, points }) => `${name} ${points}`)));
app.get('/rank/:name', (req, res) => res.json({ rank: board.findIndex((x) => x.name === req.params.name) + 1, last: board.at(-1) ?? null }));
app.listen(process.env.PORT || 3000);

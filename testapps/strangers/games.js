// A game of tic-tac-toe for each room, on boards of arrays.
//> POST /{x|y}/{0-2}/{0-2}
//> POST /{x|y}/{0-2}/{0-2}
//> POST /{x|y}/{0-2}/{0-2}
//> DELETE /{x|y}
//> GET /{x|y}
const express = require('express');
const games = {};
const fresh = () => ({ board: [...Array(3)].map(() => Array(3).fill(null)), turn: 'X', winner: null, moves: [] });
const lines = (b) => [...b, ...b[0].map((_, i) => b.map((r) => r[i])), [b[0][0], b[1][1], b[2][2]], [b[0][2], b[1][1], b[2][0]]];
const won = (b) => lines(b).find(([p, q, r]) => p && p === q && q === r)?.[0] ?? null;
const draw = (b) => b.map((r) => r.map((c) => c ?? '.').join('')).join('/');

const app = express();
app.use('/:id', (req, res, next) => {
  res.locals.game = games[req.params.id] ??= fresh();
  next();
});
app.post('/:id/:r/:c', (req, res) => {
  const g = res.locals.game;
  const { r, c } = req.params;
  if (g.winner || g.board[r][c]) return res.status(409).send(draw(g.board));
  g.board[r][c] = g.turn;
  g.moves.push([+r, +c]);
  g.turn = g.turn === 'X' ? 'O' : 'X';
  g.winner = won(g.board);
  res.send(`${draw(g.board)} ${g.winner}`);
});
app.delete('/:id', (req, res) => {
  const { moves } = res.locals.game;
  games[req.params.id] = fresh();
  res.json(moves);
});
app.get('/:id', (req, res) => res.json(res.locals.game));
app.listen(process.env.PORT || 3000);

'use strict';

// Routes whose cost depends on what they read, for histories that would make an
// audit compute or allocate without end.

const express = require('express');

//karousos:loggable
let limit = 1;

const app = express();

app.get('/limit', (req, res) => {
  limit = Number(req.query.n);
  res.send('set');
});

app.get('/loop', (req, res) => {
  const n = limit;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += i % 7;
  res.send(`${sum}`);
});

app.get('/fill', (req, res) => {
  const n = limit;
  const all = [];
  for (let i = 0; i < n; i++) all.push(new Array(1000).fill(i));
  res.send(`${all.length}`);
});

app.get('/spin', async (req, res) => {
  for (let n = limit; n > 0; n--) await null;
  res.send('spun');
});

app.get('/repeat', (req, res) => {
  res.send('x'.repeat(limit));
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`greedy listens on ${port}`));

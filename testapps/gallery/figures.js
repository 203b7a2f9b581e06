'use strict';

// A few shared variables, for histories that no schedule can have: the request
// that reads one variable twice, the pair that each write one and read the other.

const express = require('express');

//karousos:loggable
let x = 0;

//karousos:loggable
let left = 0;

//karousos:loggable
let right = 0;

//karousos:loggable
let flag = false;

//karousos:loggable
let text = null;

const app = express();
const pause = (req) => new Promise((resolve) => setTimeout(resolve, Number(req.query.ms) || 0));

app.get('/set', (req, res) => {
  x = Number(req.query.x);
  res.send(`x is ${x}`);
});

// Figure 5 of the paper: whoever else sets x meanwhile, it does not go back.
app.get('/difference', async (req, res) => {
  x = 1;
  await pause(req);
  const y = x;
  await pause(req);
  const z = x;
  res.send(`${y - z}`);
});

app.get('/text', (req, res) => {
  text = req.query.t || null;
  res.send('set');
});

// Nobody catches what is thrown here.
app.get('/later', (req, res) => {
  setTimeout(() => res.send(`${text.length} characters`), 1);
});

// The answer does not depend on what was drawn.
app.get('/unused', (req, res) => {
  const n = Math.random();
  res.send(n < 2 || n === undefined ? 'drawn' : 'never');
});

// Nor does it on where the error was made.
app.get('/stack', (req, res) => {
  const { stack } = new Error('an error');
  res.send(stack.length > 5 ? 'long' : 'short');
});

app.get('/left', (req, res) => {
  left++;
  res.send(`right is ${right}`);
});

app.get('/right', (req, res) => {
  right++;
  res.send(`left is ${left}`);
});

app.get('/flag', (req, res) => {
  if (req.query.on !== undefined) flag = req.query.on === '1';
  res.send(flag ? 'on' : 'off');
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`figures listens on ${port}`));

'use strict';

// Turns that compete: who comes first decides, and some can only come second.

const express = require('express');

//karousos:loggable
let x = 'none';

const app = express();

// The limit begins when the work is done.
app.get('/limit', (req, res) => {
  new Promise((resolve) => {
    setTimeout(() => {
      resolve('work');
      setTimeout(() => resolve('limit'), 1);
    }, 1);
  }).then((v) => setTimeout(() => res.send(v), 20));
});

// Cleared before it could fire.
app.get('/cleared', (req, res) => {
  const t = setTimeout(() => {
    x = 'fired';
  }, 5);
  clearTimeout(t);
  setTimeout(() => res.send(x), 20);
});

// Cleared by its own second tick.
app.get('/ticks', (req, res) => {
  let n = 0;
  const t = setInterval(() => {
    if (++n === 2) clearInterval(t);
  }, 1);
  setTimeout(() => res.send(`${n} ticks`), 20);
});

// Either may come first.
app.get('/either', async (req, res) => {
  const settled = await new Promise((resolve) => {
    setTimeout(() => resolve('timer'), 1);
    setImmediate(() => resolve('immediate'));
  });
  setTimeout(() => res.send(settled), 10);
});

app.get('/set', (req, res) => {
  x = req.query.x;
  res.send('set');
});

// What x was when the first of two looked, and when the last of all did.
app.get('/watch', async (req, res) => {
  const look = (ms) => new Promise((resolve) => setTimeout(() => resolve(x), ms));
  const first = await Promise.race([look(1), look(40)]);
  const all = await Promise.all([look(1), look(2)]);
  res.send(`${first} then ${all}`);
});

// When it was asked before.
let stamp = 0;
app.get('/stamp', (req, res) => {
  const before = stamp;
  stamp = Date.now();
  res.send(`${stamp} after ${before}`);
});

// Forgotten after an hour.
app.get('/keep', (req, res) => {
  x = req.query.x;
  setTimeout(() => {
    x = 'forgotten';
  }, 3_600_000).unref();
  res.send('kept');
});

app.get('/x', (req, res) => res.send(`x is ${x}`));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`contests listens on ${port}`));

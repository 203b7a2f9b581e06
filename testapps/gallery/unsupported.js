'use strict';

// What cannot be audited yet, and must be told apart from lies.

const express = require('express');

//karousos:loggable
const shared = new Map();

class Account {
  constructor() {
    this.balance = 0;
  }
}

const app = express();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

app.get('/plain', (req, res) => {
  shared.set('plain', (shared.get('plain') || 0) + 1);
  res.send(String(shared.get('plain')));
});

app.get('/race', async (req, res) => {
  res.send(await Promise.race([pause(1).then(() => 'one'), pause(2).then(() => 'two')]));
});

app.get('/function', (req, res) => {
  shared.set('function', () => req.path);
  res.send('kept');
});

app.get('/instance', (req, res) => {
  shared.set('instance', new Account());
  res.send('kept');
});

app.get('/interval', (req, res) => {
  let n = 0;
  const timer = setInterval(() => {
    if (++n < 3) return;
    clearInterval(timer);
    res.send('three');
  }, 1);
});

app.get('/socket', (req, res) => {
  shared.set('socket', res);
  res.send('kept');
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`unsupported listens on ${port}`));

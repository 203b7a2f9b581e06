'use strict';

// What cannot be audited yet, and must be told apart from lies.

const express = require('express');
const stream = require('stream');

//karousos:loggable
const shared = new Map();

class Account {
  constructor() {
    this.balance = 0;
  }
}

const app = express();

app.get('/plain', (req, res) => {
  shared.set('plain', (shared.get('plain') || 0) + 1);
  res.send(String(shared.get('plain')));
});

app.get('/function', (req, res) => {
  shared.set('function', () => req.path);
  res.send('kept');
});

app.get('/instance', (req, res) => {
  shared.set('instance', new Account());
  res.send('kept');
});

app.get('/socket', (req, res) => {
  shared.set('socket', res);
  res.send('kept');
});

// The platform asks for each next chunk, in no activation of the program.
app.get('/generator', (req, res) => {
  async function* years() {
    yield 'the year ';
    yield String(new Date().getFullYear());
  }
  stream.pipeline(years(), res, () => {});
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`unsupported listens on ${port}`));

'use strict';
// Packages that keep what requests share where nothing can be logged: a pool of random
// bytes in a module, a lock with a queue of callbacks.
const express = require('express');
const { Mutex } = require('async-mutex');
const { nanoid } = require('nanoid');

const app = express();
const mutex = new Mutex();
let made = 0;

app.get('/id', (req, res) => res.send(nanoid()));

app.post('/alone', async (req, res) => {
  const number = await mutex.runExclusive(async () => {
    const before = made;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return (made = before + 1);
  });
  res.json({ number });
});

app.listen(Number(process.env.PORT || 3000));

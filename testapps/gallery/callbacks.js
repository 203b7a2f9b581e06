'use strict';

// Handlers in the style of before promises: turns of one request that nothing orders
// count together in a variable of their own, and whichever comes last answers.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { PassThrough } = require('stream');
const express = require('express');

//karousos:loggable
let x = 'none';

const app = express();

// The first timer sets x, the second one answers.
app.get('/count', (req, res) => {
  let left = 2;
  const done = () => {
    if (--left === 0) res.send(`set, with ${req.query.x}`);
  };
  setTimeout(() => {
    x = req.query.x;
    done();
  }, 1);
  setTimeout(done, 30);
});

// The same with what comes from outside.
app.get('/gather', (req, res) => {
  const sizes = [];
  const done = (err, s) => {
    sizes.push(err ? 0 : 1);
    if (sizes.length === 1) x = req.query.x;
    else res.send(`gathered ${sizes.length}`);
  };
  fs.stat(os.tmpdir(), done);
  fs.stat('/', done);
});

// And with promises, whose reactions meet in a variable.
app.get('/reads', (req, res) => {
  const sizes = [];
  const one = async (p) => {
    await fs.promises.stat(p);
    sizes.push(1);
    if (sizes.length === 1) x = req.query.x;
    else res.send(`read ${sizes.length}`);
  };
  one(os.tmpdir());
  one('/');
});

// The answer is a stream, which the platform ends.
app.get('/stream', (req, res) => {
  setTimeout(() => {
    x = req.query.x;
    fs.createReadStream(path.join(__dirname, 'package.json')).pipe(res);
  }, 1);
});

app.get('/through', (req, res) => {
  const p = new PassThrough();
  p.pipe(res);
  setTimeout(() => {
    x = req.query.x;
    p.end('done');
  }, 1);
});

app.get('/x', (req, res) => res.send(`x is ${x}`));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`callbacks listens on ${port}`));

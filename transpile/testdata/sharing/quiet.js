'use strict';
// Nothing here changes after load.
const express = require('express');
const { EventEmitter } = require('events');
const config = Object.assign({}, { port: 3000 }, process.env);
const colours = { red: 1, green: 2 };
const byNumber = {};
for (const [k, v] of Object.entries(colours)) byNumber[v] = k;
const commands = new Map();
let loaded = 0;
let server;
const logger = { level: 'info', info(...args) { console.log(...args); } };
const bus = new EventEmitter();
const app = express();
const router = express.Router();

function command(name, run) {
  commands.set(name, run);
  loaded++;
}
command('double', (n) => 2 * n);
['a', 'b'].forEach((name) => {
  commands.set(name, () => name);
  loaded++;
});

class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
    this.tags = [];
    this.tags.push('new');
  }
  moved(dx) {
    const p = new Point(this.x + dx, this.y);
    return p;
  }
}
const origin = new Point(0, 0);

async function start() {
  await null;
  server = app.listen(config.port);
}

router.use(express.json());
router.get('/:n', async (req, res) => {
  let total = 0;
  const parts = [];
  await Promise.all([1, 2].map(async (n) => {
    total += n;
    parts.push(n);
  }));
  const answer = { total, parts, colour: byNumber[req.params.n] };
  answer.at = origin.moved(total);
  logger.info(commands.get('double')(2), loaded);
  bus.emit('answer', answer);
  res.locals.answer = answer;
  req.seen = true;
  res.json(answer);
});
app.use(router);
start();

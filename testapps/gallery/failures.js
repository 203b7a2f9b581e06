'use strict';

// Every way in which a program fails without catching it. Alone, each ends the process;
// see handled.js.

const { EventEmitter } = require('events');
const fs = require('fs');
const http = require('http');
const { Transform } = require('stream');

//karousos:loggable
const counts = new Map();
const count = (what) => counts.set(what, (counts.get(what) || 0) + 1);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const fail = (what) => {
  count(what);
  throw new Error(`${what} failed`);
};

const failures = {
  sync: () => fail('sync'),
  async: async () => fail('async'),
  later: async () => {
    await wait(60);
    fail('later');
  },
  rejected: () => void Promise.reject(new TypeError('rejected failed')),
  chained: () => void wait(1).then(() => fail('chained')).finally(() => count('finally')),
  all: () => void Promise.all([wait(1), wait(2).then(() => fail('all'))]),
  adopted: async () => {
    const inner = (async () => fail('adopted'))();
    return inner;
  },
  thrown: async () => {
    throw 'thrown failed';
  },
  timer: () => void setTimeout(() => fail('timer'), 2),
  immediate: () => void setImmediate(() => fail('immediate')),
  tick: () => process.nextTick(() => fail('tick')),
  microtask: () => queueMicrotask(() => fail('microtask')),
  event: (req) => req.resume().on('end', () => fail('event')),
  file: () => void fs.createReadStream(__filename).on('data', () => fail('file')),
  unheard: () => new EventEmitter().emit('error', new Error('unheard failed')),
  transform: () => {
    const t = new Transform({ transform: () => fail('transform') });
    t.write('x');
  },
  emitted: () => void setTimeout(() => new EventEmitter().on('x', () => fail('emitted')).emit('x'), 1),
};

// What looks like a failure, and is none.
const fine = {
  ok: async () => count('ok'),
  caught: async () => {
    const p = Promise.reject(new Error('caught'));
    await null;
    await null;
    return p.catch((e) => e.message);
  },
  settled: async () => (await Promise.allSettled([Promise.reject(1), wait(1)])).map((r) => r.status).join(),
  raced: async () => Promise.race([wait(1).then(() => 'first'), wait(60).then(() => Promise.reject(new Error('too late')))]),
  any: async () => Promise.any([Promise.reject(new Error('no')), wait(1).then(() => 'yes')]),
  adopter: async () => {
    const p = Promise.resolve().then(() => Promise.reject(new Error('inner')));
    try {
      await p;
    } catch (e) {
      return e.message;
    }
  },
  thenable: async () => {
    try {
      return await { then: (_resolve, reject) => setTimeout(reject, 1, new Error('thenable')) };
    } catch (e) {
      return e.message;
    }
  },
  slow: async () => {
    await wait(20);
    count('slow');
    await wait(20);
    return String(counts.get('slow'));
  },
};

// What handlers may answer.
exports.waiting = new Map();
let last = 0;

exports.server = http.createServer(async (req, res) => {
  const name = req.url.slice(1);
  if (fine[name]) return res.end(String(await fine[name]()));
  if (name === 'counts') return res.end(JSON.stringify([...counts]));
  if (name === 'exit') {
    res.end('bye');
    return void setTimeout(() => {
      try {
        process.exit(3);
      } finally {
        count('after the end');
      }
    }, 5);
  }
  if (!failures[name]) return res.writeHead(404).end();
  const id = ++last;
  exports.waiting.set(id, res);
  res.on('close', () => exports.waiting.delete(id));
  return failures[name](req, res);
});
// Without the async function around it.
exports.server.prependListener('request', (req) => {
  if (req.url === '/outside') fail('outside');
});
exports.server.listen(Number(process.env.PORT || 3000));

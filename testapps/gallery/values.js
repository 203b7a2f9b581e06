'use strict';

// All that shared state may hold, under all kinds of keys: what a forger may try to pass
// off as something else.

const crypto = require('crypto');
const os = require('os');
const zlib = require('zlib');
const util = require('util');
const express = require('express');

//karousos:loggable
let box = null;

//karousos:loggable
const map = new Map();

//karousos:loggable
const set = new Set();

//karousos:loggable
const list = [];

//karousos:loggable
const bag = {};

const app = express();

const one = { made: 'at load' };
const two = { made: 'at load', too: true };

const kinds = {
  date: () => new Date(1e12),
  regexp: () => /a+/gi,
  lookalike: () => ({ source: 'a+', flags: 'gi', lastIndex: 0 }),
  bigint: () => 12345678901234567890n,
  nan: () => NaN,
  zero: () => 0,
  minus: () => -0,
  undefined: () => undefined,
  null: () => null,
  text: () => '["#",5]',
  five: () => 5,
  proto: () => '__proto__',
  constructor: () => 'constructor',
  true: () => true,
  one: () => one,
  two: () => two,
  plain: () => ({ a: 1, b: 'two', __proto__: null }),
  object: () => ({ a: 1, b: 'two' }),
  own: () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  array: () => [1, 'two', [3]],
  holes: () => [, 1, , 2],
  map: () => new Map([['k', { n: 1 }]]),
  set: () => new Set(['k', 'l']),
  error: () => new RangeError('out of it'),
};

const value = (req) => kinds[req.query.kind]();
function show(v) {
  if (typeof v !== 'object' || v === null) return util.inspect(v);
  if (v instanceof Date) return String(v.getTime());
  if (v instanceof RegExp || v instanceof Error) return String(v);
  if (Array.isArray(v)) return `[${Array.from(v, show)}]`;
  if (v instanceof Map) return `Map[${[...v].map(show)}]`;
  if (v instanceof Set) return `Set[${[...v].map(show)}]`;
  return `{${Object.keys(v).map((k) => `${k}: ${show(v[k])}`)}}${Object.getPrototypeOf(v) === null ? ' bare' : ''}`;
}

app.get('/put', (req, res) => {
  box = value(req);
  res.send('put');
});
app.get('/box', (req, res) => res.send(`${show(box)} ${{}.polluted}`));

// A chain of what all requests made, of which only the end is looked at.
app.get('/chain', (req, res) => {
  box = { next: box, v: req.query.v };
  res.send('longer');
});
app.get('/end', (req, res) => res.send(`${box && box.v}`));

app.get('/set', (req, res) => {
  map.set(value(req), req.query.v);
  res.send('set');
});
app.get('/get', (req, res) => res.send(`${map.get(value(req))} ${map.has(value(req))}`));
app.get('/delete', (req, res) => res.send(`${map.delete(value(req))}`));
app.get('/keys', (req, res) => res.send(show([...map])));

app.get('/add', (req, res) => res.send(`${set.add(value(req)).size}`));
app.get('/remove', (req, res) => res.send(`${set.delete(value(req))}`));
app.get('/members', (req, res) => res.send(show([...set])));

app.get('/push', (req, res) => res.send(`${list.push(req.query.v)}`));
app.get('/splice', (req, res) => res.send(show(list.splice(Number(req.query.at), 1, req.query.v, 'more'))));
app.get('/assign', (req, res) => {
  list[Number(req.query.at)] = req.query.v;
  res.send('assigned');
});
app.get('/empty', (req, res) => {
  list.length = 0;
  res.send('empty');
});
app.get('/list', (req, res) => res.send(show(list)));

app.get('/fill', (req, res) => {
  bag[value(req)] = req.query.v;
  res.send('filled');
});
app.get('/bag', (req, res) => res.send(`${show(bag)} ${Object.keys(bag)} ${{}.polluted}`));

// What is drawn is not shown, only that it was possible.
app.get('/draw', (req, res) => {
  const before = process.hrtime();
  const drawn = [
    performance.now() >= 0, process.uptime() >= 0, process.hrtime(before)[0] >= 0, process.hrtime.bigint() > 0n, process.pid > 0, os.freemem() > 0, os.hostname().length > 0,
    process.memoryUsage().heapUsed > 0, process.memoryUsage.rss() > 0, crypto.randomBytes(4).length, crypto.randomInt(5) < 5, crypto.randomUUID().length, Date.now() > 0,
    zlib.inflateSync(zlib.deflateSync('text')).toString(),
  ];
  res.send(`${drawn}`);
});

// Whether a process is there.
app.get('/alive', (req, res) => {
  try {
    process.kill(process.pid, 0);
    res.send('yes');
  } catch (e) {
    res.send(`no: ${e.code} ${e.extra}`);
  }
});

// Time does not go back.
app.get('/time', (req, res) => {
  const a = [performance.now(), process.uptime(), process.hrtime.bigint(), process.hrtime()];
  const b = [performance.now(), process.uptime(), process.hrtime.bigint(), process.hrtime()];
  res.send(`${a[0] <= b[0]} ${a[1] <= b[1]} ${a[2] <= b[2]} ${a[3][0] < b[3][0] || (a[3][0] === b[3][0] && a[3][1] <= b[3][1])}`);
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`values listens on ${port}`));

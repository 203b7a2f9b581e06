// Classes that extend Map, Set, Array and EventEmitter.
//> POST /word/{a|b|c|d}
//> POST /word/{a|b|c|d}
//> POST /tag/{X|y|Z}
//> GET /words
//> GET /recent
//> GET /tags
const express = require('express');
const EventEmitter = require('events');

class DefaultMap extends Map {
  constructor(make) {
    super();
    this.make = make;
  }
  get(k) {
    if (!this.has(k)) this.set(k, this.make(k));
    return super.get(k);
  }
}
class Tags extends Set {
  add(x) {
    return super.add(x.toLowerCase());
  }
}
class Recent extends Array {
  note(x) {
    this.push(x);
    if (this.length > 5) this.shift();
    return this;
  }
  get last() {
    return this[this.length - 1];
  }
}
class Counter extends EventEmitter {
  n = 0;
  hit() {
    this.n++;
    this.emit('hit', this.n);
  }
}

const words = new DefaultMap((k) => ({ k, n: 0 }));
const tags = new Tags();
const recent = new Recent();
const counter = new Counter();
let tenths = 0;
counter.on('hit', (n) => n % 10 === 0 && tenths++);

const app = express();
app.post('/word/:w', (req, res) => {
  counter.hit();
  recent.note(req.params.w);
  const w = words.get(req.params.w);
  w.n++;
  res.json({ ...w, last: recent.last });
});
app.post('/tag/:t', (req, res) => res.json(tags.add(req.params.t).size));
app.get('/words', (req, res) => res.json({ words: [...words], hits: counter.n, tenths }));
app.get('/recent', (req, res) => res.json(recent.map((x) => x.toUpperCase())));
app.get('/tags', (req, res) => res.json([...tags]));
app.listen(process.env.PORT || 3000);

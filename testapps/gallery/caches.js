'use strict';

// A cache with a linked list of instances, sessions in a class, a token bucket that
// looks at the clock, and a leaderboard that is kept sorted.

const express = require('express');
const { randomUUID } = require('crypto');

const soon = () => new Promise((resolve) => setImmediate(resolve));

class Node {
  prev = null;
  next = null;
  constructor(key, value) {
    this.key = key;
    this.value = value;
  }
}

class LRU {
  #map = new Map();
  #head = null;
  #tail = null;
  hits = 0;
  misses = 0;
  constructor(limit) {
    this.limit = limit;
  }
  #unlink(node) {
    if (node.prev) node.prev.next = node.next;
    else this.#head = node.next;
    if (node.next) node.next.prev = node.prev;
    else this.#tail = node.prev;
    node.prev = node.next = null;
  }
  #front(node) {
    node.next = this.#head;
    if (this.#head) this.#head.prev = node;
    else this.#tail = node;
    this.#head = node;
  }
  get(key) {
    const node = this.#map.get(key);
    if (node === undefined) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    this.#unlink(node);
    this.#front(node);
    return node.value;
  }
  set(key, value) {
    let node = this.#map.get(key);
    if (node) {
      node.value = value;
      this.#unlink(node);
    } else {
      this.#map.set(key, (node = new Node(key, value)));
      if (this.#map.size > this.limit) {
        const last = this.#tail;
        this.#unlink(last);
        this.#map.delete(last.key);
      }
    }
    this.#front(node);
  }
  *[Symbol.iterator]() {
    for (let node = this.#head; node; node = node.next) yield [node.key, node.value];
  }
}

class Session {
  views = 0;
  constructor(user) {
    this.user = user;
  }
}

class SessionStore {
  #sessions = new Map();
  static limit = 50;
  create(user) {
    const id = randomUUID();
    this.#sessions.set(id, new Session(user));
    if (this.#sessions.size > SessionStore.limit) this.#sessions.delete(this.#sessions.keys().next().value);
    return id;
  }
  find(id) {
    return this.#sessions.get(id);
  }
  of(user) {
    return [...this.#sessions.values()].filter((s) => s.user === user);
  }
  get size() {
    return this.#sessions.size;
  }
}

class TokenBucket {
  constructor(burst, perSecond) {
    this.burst = burst;
    this.rate = perSecond / 1000;
    this.tokens = burst;
    this.at = Date.now();
  }
  take() {
    const now = Date.now();
    this.tokens = Math.min(this.burst, this.tokens + (now - this.at) * this.rate);
    this.at = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}

class Score {
  constructor(name, points) {
    this.name = name;
    this.points = points;
    Object.freeze(this);
  }
}

//karousos:loggable
const cache = new LRU(5);
//karousos:loggable
const sessions = new SessionStore();
const buckets = new Map();
const board = [];

const app = express();
app.use(express.json());

app.get('/cache', (req, res) => res.json({ entries: [...cache], hits: cache.hits, misses: cache.misses }));

app.get('/cache/:key', async (req, res) => {
  let value = cache.get(req.params.key);
  if (value === undefined) {
    await soon();
    value = { text: req.params.key.repeat(3), reads: 0 };
    cache.set(req.params.key, value);
  }
  value.reads++;
  res.json(value);
});

app.post('/sessions', async (req, res) => {
  const id = sessions.create(req.body.user);
  await soon();
  sessions.find(id).views++;
  res.json({ id, of: sessions.of(req.body.user).length, size: sessions.size > 0 });
});

app.get('/sessions/:user', (req, res) => res.json(sessions.of(req.params.user)));

app.get('/limited/:client', (req, res) => {
  const { client } = req.params;
  let bucket = buckets.get(client);
  if (!bucket) buckets.set(client, (bucket = new TokenBucket(3, 200)));
  if (!bucket.take()) return res.status(429).send('slow down');
  res.send(`${Math.floor(bucket.tokens)} left`);
});

app.post('/board', (req, res) => {
  const score = new Score(req.body.name, req.body.points);
  const old = board.findIndex((s) => s.name === score.name);
  if (old >= 0) board.splice(old, 1);
  board.push(score);
  board.sort((a, b) => b.points - a.points || (a.name < b.name ? -1 : 1));
  if (board.length > 4) board.length = 4;
  res.json({ rank: board.indexOf(score), frozen: Object.isFrozen(board[0]) });
});

app.get('/board', (req, res) => res.json(board));

app.listen(process.env.PORT || 3000);

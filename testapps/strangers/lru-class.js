// An LRU cache with a linked list of its own.
//> GET /square/{1-12}
//> GET /square/{1-12}
//> GET /stats
//> DELETE /square/{1-12}
const express = require('express');

class Entry {
  constructor(key, value) {
    this.key = key;
    this.value = value;
    this.prev = this.next = null;
  }
}

class LRU {
  #index = new Map();
  #head = null;
  #tail = null;
  hits = 0;
  misses = 0;
  constructor(capacity) {
    this.capacity = capacity;
  }
  get size() {
    return this.#index.size;
  }
  get(key) {
    const e = this.#index.get(key);
    if (!e) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    this.#unlink(e);
    this.#push(e);
    return e.value;
  }
  set(key, value) {
    let e = this.#index.get(key);
    if (e) {
      e.value = value;
      this.#unlink(e);
    } else {
      if (this.#index.size >= this.capacity) this.delete(this.#tail.key);
      e = new Entry(key, value);
      this.#index.set(key, e);
    }
    this.#push(e);
  }
  delete(key) {
    const e = this.#index.get(key);
    if (!e) return false;
    this.#unlink(e);
    return this.#index.delete(key);
  }
  *keys() {
    for (let e = this.#head; e; e = e.next) yield e.key;
  }
  #push(e) {
    e.next = this.#head;
    e.prev = null;
    if (this.#head) this.#head.prev = e;
    this.#head = e;
    this.#tail ??= e;
  }
  #unlink(e) {
    if (e.prev) e.prev.next = e.next;
    else this.#head = e.next;
    if (e.next) e.next.prev = e.prev;
    else this.#tail = e.prev;
    e.prev = e.next = null;
  }
}

const cache = new LRU(6);
const app = express();
app.get('/square/:n', async (req, res) => {
  let v = cache.get(req.params.n);
  if (v === undefined) {
    await new Promise((r) => setTimeout(r, 2));
    v = { n: +req.params.n, square: req.params.n ** 2 };
    cache.set(req.params.n, v);
  }
  res.json(v);
});
app.delete('/square/:n', (req, res) => res.json({ gone: cache.delete(req.params.n) }));
app.get('/stats', (req, res) => res.json({ keys: [...cache.keys()], size: cache.size, hits: cache.hits, misses: cache.misses }));
app.listen(process.env.PORT || 3000);

'use strict';

// A counter for each place in which state can hide from who looks for it in the text.

const express = require('express');

const key = ['n'].join('');
const add = (o) => Reflect.set(o, key, Reflect.get(o, key) + 1);
const holder = (o) => ({ next: () => (add(o), Reflect.get(o, key)) });

class Private {
  #n = 0;
  next() {
    return ++this.#n;
  }
}

function later(make) {
  const it = make();
  return { next: () => it.next(), put: (n) => it.put(n), get: () => it.get() };
}

const counters = {
  object: holder({ n: 0 }),
  function: holder(Object.assign(() => {}, { n: 0 })),
  prototype: holder(Object.assign(Object.create(null), { n: 0 })),
  global: { next: () => (Reflect.set(globalThis, key, (Reflect.get(globalThis, key) || 0) + 1), Reflect.get(globalThis, key)) },
  private: later(() => new Private()),
  date: later(() => {
    const d = new Date(0);
    return { next: () => d.setTime(d.getTime() + 1) };
  }),
  regexp: later(() => {
    const r = /./g;
    return { next: () => (r.exec('ab'.repeat(1000)), r.lastIndex) };
  }),
  bytes: later(() => {
    const b = new Uint8Array(1);
    return { next: () => b.fill(b[0] + 1)[0] };
  }),
  weak: later(() => {
    const m = new WeakMap();
    const k = { key };
    m.set(k, 0);
    return { k, next: () => m.set(k, m.get(k) + 1).get(k) };
  }),
  newly: later(() => {
    const m = new WeakMap();
    const k = { key };
    return { k, next: () => m.set(k, (m.get(k) || 0) + 1).get(k) };
  }),
  generator: later(function () {
    const g = (function* () {
      for (let i = 1; ; i++) yield i;
    })();
    return { next: () => g.next().value };
  }),
  keys: later(() => {
    const it = new Array(1000).keys();
    return { next: () => it.next().value + 1 };
  }),
  process: holder((process.hidden = { n: 0 })),
  inherited: (() => {
    function Base() {}
    Base.prototype.n = 0;
    return holder(Reflect.get(Base, 'prototype'));
  })(),
  beside: (() => {
    const found = new Map();
    const o = Object.assign(found, { n: 0 });
    return { next: () => (found.set('k', found.size), add(o), Reflect.get(o, key)) };
  })(),
  environment: { next: () => (process.env.HIDDEN = Number(process.env.HIDDEN || 0) + 1) },
  hash: later(() => {
    const { createHash } = require('crypto');
    const all = ['x', 'xx', 'xxx'].map((s) => createHash('sha1').update(s).digest('hex'));
    const h = createHash('sha1');
    return { next: () => (h.update('x'), all.indexOf(h.copy().digest('hex')) + 1) };
  }),
  parameters: later(() => {
    const p = new URLSearchParams();
    return { next: () => (p.append('a', '1'), p.getAll('a').length) };
  }),
  headers: later(() => {
    const h = new Headers();
    return { next: () => (h.append('a', '1'), h.get('a').split(',').length) };
  }),
  emitter: later(() => {
    const e = new (require('events'))();
    return { next: () => e.on('x', add).listenerCount('x') };
  }),
  renamed: later(() => {
    process.env.hidden1 = 'there';
    return {
      next: () => {
        const n = [1, 2, 3].find((k) => `hidden${k}` in process.env);
        delete process.env[`hidden${n}`];
        process.env[`hidden${n + 1}`] = 'there';
        return n;
      },
    };
  }),
  bound: later(() => ({ next: Private.prototype.next.bind(new Private()) })),
  sealed: holder(Object.seal({ n: 0 })),
  view: later(() => {
    const v = new DataView(new ArrayBuffer(8));
    return { next: () => (v.setUint8(0, v.getUint8(0) + 1), v.getUint8(0)) };
  }),
};

// Levels that are the same again once whoever raised them is done.
const levels = {
  weak: later(() => {
    const m = new WeakMap();
    const k = { key };
    m.set(k, 0);
    return { k, put: (n) => void m.set(k, n), get: () => m.get(k) };
  }),
  object: later(() => {
    const o = { n: 0 };
    return { put: (n) => void Reflect.set(o, key, n), get: () => Reflect.get(o, key) };
  }),
  list: later(() => {
    const l = [];
    return { put: (n) => void (n > 0 ? l.push(n) : l.pop()), get: () => l.length };
  }),
  map: later(() => {
    const m = new Map();
    return { put: (n) => void (n > 0 ? m.set(key, n) : m.clear()), get: () => m.size };
  }),
  variable: later(() => {
    let v = 0;
    return { put: (n) => void (v = n), get: () => v };
  }),
  regexp: later(() => {
    const r = /./g;
    return { put: (n) => void (n > 0 ? r.exec('a') : r.exec('')), get: () => r.lastIndex };
  }),
  global: {
    put: (n) => void Reflect.set(globalThis, 'level', n),
    get: () => Reflect.get(globalThis, 'level') || 0,
  },
};
//karousos:loggable
let phase = 'idle';

const until = (ready, then) => {
  const t = setInterval(() => {
    if (!ready()) return;
    clearInterval(t);
    then();
  }, 1);
};

const app = express();
app.get('/raise/:where', (req, res) => (levels[req.params.where].put(1), res.end('raised')));
app.get('/level/:where', (req, res) => res.end(`level ${levels[req.params.where].get()}`));
app.get('/lower/:where', (req, res) => (levels[req.params.where].put(0), res.end('lowered')));
app.get('/busy/:where', (req, res) => {
  const level = levels[req.params.where];
  level.put(1);
  phase = 'busy';
  until(() => phase === 'seen', () => {
    level.put(0);
    res.end('done');
  });
});
app.get('/look/:where', (req, res) => {
  until(() => phase === 'busy', () => {
    phase = 'seen';
    res.end(`level ${levels[req.params.where].get()}`);
  });
});
// Of two like these, each finds what the other left, and nothing of it is left.
app.get('/swing/:where', (req, res) => {
  const level = levels[req.params.where];
  const n = level.get();
  level.put(1 - n);
  setTimeout(() => res.end(`it was ${n}`), 1);
});
app.get('/tip/:where/:back', (req, res) => {
  const level = levels[req.params.where];
  const n = level.get();
  level.put(1 - n);
  if (req.params.back === 'back') level.put(n);
  res.end(`it was ${n}`);
});
app.get('/:where', (req, res) => res.send(`the ${counters[req.params.where].next()}. time`));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`hidden listens on ${port}`));

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
  return { next: () => it.next() };
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
  sealed: holder(Object.seal({ n: 0 })),
  view: later(() => {
    const v = new DataView(new ArrayBuffer(8));
    return { next: () => (v.setUint8(0, v.getUint8(0) + 1), v.getUint8(0)) };
  }),
};

const app = express();
app.get('/:where', (req, res) => res.send(`the ${counters[req.params.where].next()}. time`));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`hidden listens on ${port}`));

'use strict';

// What a server has to say of shared state, because no log can hold it: here each is put, changed and looked at by requests of their own.

const http = require('http');

let when = null;
let pattern = null;
let fn = null;
let gate = null;
const bag = {};
const map = new Map();
const mark = Symbol('mark');
const list = [];
let error = null;
const kept = new Map();
let buffer = null;
let later = null;

class Counter {
  #n = 0;
  inc() {
    this.#n++;
  }
  get n() {
    return this.#n;
  }
}

const ready = ((o) => ((o.promise = new Promise((resolve) => (o.resolve = resolve))), o))({});

const does = {
  'date/put': () => ((when = new Date(0)), 'put'),
  'date/change': () => (when.setTime(5), 'changed'),
  'date/look': () => String(when.getTime()),
  'expando/put': () => ((when = new Date(0)), 'put'),
  'expando/change': () => ((when.extra = 5), 'changed'),
  'expando/look': () => String(when.extra),
  'element/put': () => (list.push(new Date(0)), 'put'),
  'element/change': () => (list[0].setUTCFullYear(2000), 'changed'),
  'element/look': () => list[0].toISOString(),
  'pattern/put': () => ((pattern = /a/g), 'put'),
  'pattern/change': () => String(pattern.test('aaa')),
  'pattern/look': () => String(pattern.lastIndex),
  'function/put': () => {
    let n = 0;
    fn = () => ++n;
    return 'put';
  },
  'function/change': () => String(fn()),
  'function/look': () => String(fn()),
  'symbol/put': () => ((bag.s = {}), 'put'),
  'symbol/change': () => ((bag.s[mark] = 5), 'changed'),
  'symbol/look': () => String(bag.s[mark]),
  'getter/put': () => ((bag.g = { n: 0 }), 'put'),
  'getter/change': () => (Object.defineProperty(bag.g, 'n', { get: () => 5, configurable: true }), 'changed'),
  'getter/look': () => String(bag.g.n),
  'late/put': () => ((bag.p = { n: 0 }), 'put'),
  'late/change': () => ((new Proxy(bag.p, {}).n = 5), 'changed'),
  'late/look': () => String(bag.p.n),
  'proto/put': () => ((bag.o = { n: 0 }), 'put'),
  'proto/change': () => (Object.setPrototypeOf(bag.o, { m: 5 }), 'changed'),
  'proto/look': () => String(bag.o.m),
  'error/put': () => ((error = new Error('put')), 'put'),
  'error/change': () => ((error.stack = 'changed'), 'changed'),
  'error/look': () => error.stack.slice(0, 10),
  'key/put': () => (kept.set(new Date(0), 1), 'put'),
  'key/change': () => ([...kept.keys()][0].setTime(5), 'changed'),
  'key/look': () => String([...kept.keys()].map((d) => d.getTime())),
  'bytes/put': () => ((buffer = new Uint8Array(1)), 'put'),
  'bytes/change': () => ((buffer[0] = 5), 'changed'),
  'bytes/look': () => String(buffer[0]),
  'weak/put': () => ((bag.w = new WeakMap([[bag, 1]])), 'put'),
  'weak/change': () => (bag.w.set(bag, 5), 'changed'),
  'weak/look': () => String(bag.w.get(bag)),
  'own/put': () => ((bag.d = new (class Own extends Map {})([['k', 1]])), 'put'),
  'own/change': () => (bag.d.set('k', 5), 'changed'),
  'own/look': () => String(bag.d.get('k')),
  'sealed/put': () => ((bag.f = { n: 0 }), 'put'),
  'sealed/change': () => (Object.freeze(bag.f), 'changed'),
  'sealed/look': () => {
    try {
      bag.f.n = 5;
    } catch {}
    return String(bag.f.n);
  },
  'frozen/put': () => ((bag.z = { n: 0 }), 'put'),
  'frozen/change': () => (Object.freeze(bag.z), 'changed'),
  'frozen/look': () => String(Object.isFrozen(bag.z)),
  'another proto/put': () => ((bag.q = { n: 0 }), 'put'),
  'another proto/change': () => (Object.setPrototypeOf(bag.q, Counter.prototype), 'changed'),
  'another proto/look': () => String(bag.q instanceof Counter),
  'beside/put': () => ((bag.l = [1]), 'put'),
  'beside/change': () => ((bag.l.extra = 5), 'changed'),
  'beside/look': () => String(bag.l.extra),
  'mapped/put': () => ((bag.m = new Map()), 'put'),
  'mapped/change': () => ((bag.m.extra = 5), 'changed'),
  'mapped/look': () => String(bag.m.extra),
  'mine/put': () => {
    const d = (when = new Date(0));
    later = () => d.setTime(5);
    return 'put';
  },
  'mine/change': () => (later(), 'changed'),
  'mine/look': () => String(when.getTime()),
  'error field/put': () => ((bag.e = new Error('put')), 'put'),
  'error field/change': () => ((bag.e.code = 5), 'changed'),
  'error field/look': () => String(bag.e.code),
  'error name/put': () => ((bag.e = new Error('put')), 'put'),
  'error name/change': () => ((bag.e.name = 'Changed'), 'changed'),
  'error name/look': () => String(bag.e),
  'error message/put': () => ((bag.e = new Error('put')), 'put'),
  'error message/change': () => ((bag.e.message = 'changed'), 'changed'),
  'error message/look': () => String(bag.e),
  'private/put': () => ((bag.c = new Counter()), 'put'),
  'private/change': () => (bag.c.inc(), 'changed'),
  'private/look': () => String(bag.c.n),
  'accessor/put': () => {
    let n = 0;
    bag.a = { get x() { return n; }, set x(v) { n = v; } };
    return 'put';
  },
  'accessor/change': () => ((bag.a.x = 5), 'changed'),
  'accessor/look': () => String(bag.a.x),
  'shut/put': () => ((bag.sh = Object.seal({ n: 0 })), 'put'),
  'shut/change': () => {
    try {
      bag.sh.n = 5;
    } catch {}
    return 'changed';
  },
  'shut/look': () => String(bag.sh.n),
  'shut list/put': () => ((bag.sl = Object.seal([0])), 'put'),
  'shut list/change': () => {
    try {
      bag.sl[0] = 5;
    } catch {}
    return 'changed';
  },
  'shut list/look': () => String(bag.sl[0]),
  'frozen map/put': () => ((bag.fm = Object.freeze(new Map())), 'put'),
  'frozen map/change': () => (bag.fm.set('k', 5), 'changed'),
  'frozen map/look': () => String(bag.fm.get('k')),
  'frozen date/put': () => ((bag.fd = Object.freeze(new Date(0))), 'put'),
  'frozen date/change': () => (bag.fd.setTime(5), 'changed'),
  'frozen date/look': () => String(bag.fd.getTime()),
  'in frozen/put': () => ((bag.if = Object.freeze({ d: new Date(0), l: [0] })), 'put'),
  'in frozen/change': () => (bag.if.l.push(5), bag.if.d.setTime(5), 'changed'),
  'in frozen/look': () => String(bag.if.l) + bag.if.d.getTime(),
  'unwritable/put': () => ((bag.u = Object.defineProperty({}, 'n', { value: 0, enumerable: true, configurable: true })), 'put'),
  'unwritable/change': () => {
    try {
      bag.u.n = 5;
    } catch {}
    return 'changed';
  },
  'unwritable/look': () => String(bag.u.n),
  'hidden/put': () => ((bag.h = Object.defineProperty({}, 'n', { value: 0, writable: true, configurable: true })), 'put'),
  'hidden/change': () => ((bag.h.n = 5), 'changed'),
  'hidden/look': () => JSON.stringify(bag.h) + bag.h.n,
  'boxed/put': () => ((bag.b = new String('x')), 'put'),
  'boxed/change': () => ((bag.b.n = 5), 'changed'),
  'boxed/look': () => String(bag.b.n),
  'arguments/put': () => ((bag.ar = (function () { return arguments; })(1, 2)), 'put'),
  'arguments/change': () => ((bag.ar[0] = 5), 'changed'),
  'arguments/look': () => String(bag.ar[0]) + bag.ar.length,
  'pattern field/put': () => ((pattern = /a/), 'put'),
  'pattern field/change': () => ((pattern.lastIndex = 5), 'changed'),
  'pattern field/look': () => String(pattern.lastIndex),
  'compiled/put': () => ((pattern = /a/), 'put'),
  'compiled/change': () => (pattern.compile('b'), 'changed'),
  'compiled/look': () => String(pattern),
  'replaced/put': () => ((pattern = /a/y), 'put'),
  'replaced/change': () => 'aaa'.replace(pattern, 'b'),
  'replaced/look': () => String(pattern.lastIndex),
  'map proto/put': () => ((bag.mp = new Map([['k', 1]])), 'put'),
  'map proto/change': () => (Object.setPrototypeOf(bag.mp, Object.assign(Object.create(Map.prototype), { own: 5 })), 'changed'),
  'map proto/look': () => String(bag.mp.own),
  'map shut/put': () => ((bag.ms = new Map([['k', 1]])), 'put'),
  'map shut/change': () => (Object.preventExtensions(bag.ms), 'changed'),
  'map shut/look': () => String(Object.isExtensible(bag.ms)),
  'list shut/put': () => ((bag.ls = [1]), 'put'),
  'list shut/change': () => (Object.freeze(bag.ls), 'changed'),
  'list shut/look': () => {
    try {
      bag.ls.push(5);
    } catch {}
    return String(bag.ls);
  },
  'same/put': () => ((bag.x = bag.y = new Date(0)), 'put'),
  'same/change': () => ((bag.y = new Date(0)), 'changed'),
  'same/look': () => String(bag.x === bag.y),
  'kept proxy/put': () => ((bag.kp = new Proxy({ n: 0 }, {})), 'put'),
  'kept proxy/change': () => ((bag.kp.n = 5), 'changed'),
  'kept proxy/look': () => String(bag.kp.n),
  'proxied/put': () => {
    const o = { n: 0 };
    new Proxy(o, {}).n = 1;
    bag.px = o;
    return 'put';
  },
  'proxied/change': () => ((bag.px.n = 5), 'changed'),
  'proxied/look': () => String(bag.px.n),
  'promise/put': () => 'put',
  'promise/change': () => (ready.resolve('changed'), 'changed'),
  'promise/look': () => Promise.race([ready.promise, Promise.resolve('as it was')]),
  'walk/put': () => (map.set('a', 1).set('b', 2), 'put'),
  'walk/change': async () => {
    const met = [];
    for (const k of map.keys()) {
      met.push(k);
      await null;
      if (k === 'a' && met.length < 3) map.delete('a'), map.set('a', 3);
    }
    return (bag.met = met.join());
  },
  'walk/look': () => String(bag.met),
  'identity/put': () => ((when = new Date(0)), (pattern = /a/), 'put'),
  'identity/change': async () => {
    const own = (bag.own = new Date(5));
    const [d, p] = [when, pattern];
    await new Promise((resolve) => setTimeout(resolve, 1));
    return String([when === d, pattern === p, bag.own === own]);
  },
  'identity/look': () => String(bag.own === bag.own),
  'iterator/put': () => (map.set('a', 1).set('b', 2), (bag.i = 0), 'put'),
  'iterator/change': () => ((bag.it = map.keys()), bag.it.next().value),
  'iterator/look': () => String(bag.it.next().value),
};

http.createServer((req, res) => {
  const failed = (e) => res.end('failed: ' + e.message);
  try {
    const answer = does[decodeURIComponent(req.url.slice(1))]();
    if (answer instanceof Promise) answer.then((text) => res.end(text), failed);
    else res.end(answer);
  } catch (e) {
    failed(e);
  }
}).listen(process.env.PORT || 3000);

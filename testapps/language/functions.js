'use strict';
// Functions of every kind: closures, this, arguments, names, new.target, tails.
const util = require('util');

module.exports = {
  prototypes: (s) => {
    const of = Object.getPrototypeOf;
    const names = (o) => [o[Symbol.toStringTag], Object.prototype.toString.call(o), of(o) === Function.prototype];
    class C { async m() { return s; } async *g() { yield s; } }
    return [async () => s, async function* () {}, C.prototype.m, C.prototype.g, function* () {}, () => s].map((f) => [names(of(f)), of(f) === Reflect.getPrototypeOf(f), typeof of(of(f).prototype || of(f))]);
  },
  // Libraries look whether functions are the engine's own.
  natives: () => {
    const text = (f) => Function.prototype.toString.call(f);
    const own = [Object, Object.defineProperty, Object.keys, Object.prototype.hasOwnProperty, Function, Function.prototype.toString, Array.prototype.concat, Array.prototype.flat, Array.prototype.push, Date, Date.now, Map, Map.prototype.get, Set, WeakMap, Promise, Promise.resolve, Promise.prototype.then, Proxy, Reflect.apply, Math.random, JSON.stringify, parseInt, Symbol];
    return [own.map(text), text(Object.getOwnPropertyDescriptor(Map.prototype, 'size').get), text(Array.prototype[Symbol.iterator]), String(Object.assign), own.map((f) => f.name)];
  },
  closures: (s) => {
    const fs = [];
    for (let i = 0; i < 3; i++) fs.push(() => i++ + s);
    for (var j = 0; j < 2; j++) fs.push(() => j);
    for (const k of [s, 'y']) fs.push(() => k);
    for (const k in { p: 1, q: 2 }) fs.push(() => k);
    return [fs.map((f) => f()), fs.map((f) => f())];
  },
  loopCopies: (s) => {
    const fs = [];
    for (let i = 0, step = () => i++; i < 3; step(), i++) fs.push(() => i);
    let n = 0;
    for (let i = 0; ; i++) {
      if (n++ > 3) break;
      if (i === 1) continue;
      fs.push(() => [i, s]);
    }
    return fs.map((f) => f());
  },
  deadZone: (s) => {
    const out = [];
    try { x; let x = s; } catch (e) { out.push(e.name, e.message); }
    try { (() => y)(); const y = 1; } catch (e) { out.push(e.name, e.message); }
    try { typeof z; let z; } catch (e) { out.push(e.name); }
    try { new C(); class C {} } catch (e) { out.push(e.message); }
    try { ((a = b, b = 1) => a)(); } catch (e) { out.push(e.message); }
    try { switch (s) { case 'never': let q; default: q = 1; } } catch (e) { out.push(e.message); }
    return out;
  },
  names: () => {
    const a = () => {}, b = function () {}, c = function d() {}, e = class {}, f = class g {}, h = async () => {}, i = function* () {}, j = async function* () {};
    const k = 'computed', sym = Symbol('sym'), none = Symbol();
    const o = { [k]() {}, [k + 1]: () => {}, m() {}, get p() { return 1; }, set p(v) {}, async q() {}, *r() {}, async *t() {}, [sym]: function () {}, [none]: () => {}, u: class {}, 'v w': () => {}, 12: () => {}, x: (0, () => {}), __proto__: null };
    const d = Object.getOwnPropertyDescriptor(o, 'p');
    let y;
    y = () => {};
    let z = ((w) => w)(() => {});
    let aa = null;
    aa ??= () => {};
    let bb = (0, function () {});
    return [a, b, c, e, f, h, i, j, o.computed, o.computed1, o.m, d.get, d.set, o.q, o.r, o.t, o[sym], o[none], o.u, o['v w'], o[12], o.x, y, z, aa, bb, a.bind(null), (() => {}), new Function('return 1')].map((x) => x.name);
  },
  namesOfStatics: () => {
    class A { static a = () => {}; static b = class {}; d = () => {}; static name = 'own'; #e = () => {}; e() { return this.#e.name; } static get f() { return 1; } static 'g h'() {} }
    const B = class { static name() {} }, C = class { static { this.seen = this.name; } };
    return [A.a.name, A.b.name, new A().d.name, A.name, new A().e(), typeof B.name, C.seen, C.name, A['g h'].name, Object.getOwnPropertyDescriptor(A, 'f').get.name];
  },
  lengths: () => [(a, b) => {}, (a, b = 1, c) => {}, (...a) => {}, ({ a }, [b]) => {}, function (a) {}, class { constructor(a, b) {} }, async (a, b, c) => {}, function* (a) {}, { m(a, b) {} }.m, Object.getOwnPropertyDescriptor({ set x(v) {} }, 'x').set].map((f) => f.length),
  prototypes: () => [() => {}, function () {}, function* () {}, { m() {} }.m, class {}, { *m() {} }.m, Object.getOwnPropertyDescriptor({ get x() { return 1; } }, 'x').get].map((f) => [typeof f.prototype, 'prototype' in f, Object.prototype.toString.call(f), f.constructor === Function]),
  newOf: (s) => {
    const out = [];
    for (const f of [() => {}, { m() {} }.m, async () => {}, function* () {}, Math.max, Symbol]) {
      try { new f(s); out.push('made'); } catch (e) { out.push(e.name); }
    }
    try { (class K {})(); } catch (e) { out.push(e.name); }
    return out;
  },
  newTarget: (s) => {
    function F() { return new.target === undefined ? 'called' : Object.assign(this, { t: new.target.name, a: (() => new.target.name)() }); }
    class G extends F { constructor() { super(); this.g = new.target.name; } }
    return [F(), new F(), new G(), Reflect.construct(F, [], class H {}), s];
  },
  arguments: function (s) {
    const f = function (a, b) { return [arguments.length, Array.from(arguments), [...arguments], Array.prototype.slice.call(arguments, 1), typeof arguments, Object.prototype.toString.call(arguments), (() => arguments[0])(), 'callee' in arguments]; };
    function g() { return f.apply(this, arguments); }
    return [f(s, 1, 2), g(), g(undefined, s)];
  },
  strictThis: function (s) {
    function f() { return this === undefined; }
    return [f(), (0, { f }.f)(), { f }.f(), f.call(s), f.call(undefined), [1].map(f)[0]];
  },
  callApplyBind: (s) => {
    function f(...a) { return [typeof this, String(this), ...a]; }
    const b = f.bind('t', s), o = { f };
    return [b(1), b.bind('u', 2)(3), f.call(1, s), f.apply(null, [s, ...'ab']), Reflect.apply(f, true, [s]), (o.f)(s).length, (o?.f)(s)[0], o.f?.(s)[0], o['f'](...s)[0], b.length, new (function G(x) { this.x = x; }.bind(null, s))().x];
  },
  hoisting: (s) => {
    const out = [typeof f, typeof v, f()];
    var v = s;
    function f() { return typeof v; }
    { function g() { return 'inner'; } out.push(g()); }
    out.push(typeof h);
    if (s !== 'never') { var h = 1; }
    return out;
  },
  recursion: (s) => {
    const fac = function self(n) { return n < 2 ? 1 : n * self(n - 1); };
    const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1);
    const deep = (n) => { try { return n ? deep(n - 1) : 0; } finally { if (n === 5) s += n; } };
    return [fac(5), even(10), deep(50), s];
  },
  selfNameIsConst: (s) => {
    const f = function g() { g = s; };
    try { f(); } catch (e) { return [e.name, e.message]; }
    return 'no';
  },
  stackOverflow: () => {
    const f = (n) => f(n + 1) + 1;
    try { f(0); } catch (e) { return [e.name, e.message]; }
    return 'no';
  },
  immediately: (s) => [(function () { return s; })(), (() => s)(), !function () { return s; }(), void (async () => {})(), new (class { constructor() { this.s = s; } })().s, (function f(n) { return n ? f(n - 1) + s : ''; })(2)],
  currying: (s) => ((a) => (b) => (c) => [a, b, c])(1)(s)(3),
  defaultsThrow: (s) => {
    const need = (n) => { throw new TypeError('missing ' + n); };
    const f = (a = need('a'), { b = need('b') } = {}) => [a, b];
    const out = [];
    for (const args of [[], [1], [1, { b: s }]]) try { out.push(f(...args)); } catch (e) { out.push(e.message); }
    return out;
  },
  errorsOfCalls: (s) => {
    const o = { s, n: null, f: { g: 1 } }, out = [];
    const t = (f) => { try { out.push(f()); } catch (e) { out.push(e.name + ': ' + e.message); } };
    t(() => o.nope()); t(() => o.f.g()); t(() => o.n.x); t(() => o.u.v.w); t(() => new o.s()); t(() => o.f.g.h.i); t(() => undefinedName); t(() => (void 0)()); t(() => s()); t(() => s.x()); t(() => s.x.y);
    t(() => o.n.x = 1); t(() => { const [a] = null; }); t(() => new Map([1])); t(() => Symbol() + ''); t(() => 1n + 1); t(() => null[Symbol.iterator]); t(() => ({}) instanceof 5); t(() => 'a' in s); t(() => Object.freeze({ a: 1 }).a = 2); t(() => delete Object.freeze({ a: 1 }).a); t(() => s.length = 5); t(() => new Array(-1)); t(() => 'x'.repeat(-1)); t(() => (1).toFixed(101)); t(() => JSON.parse('{' + s)); t(() => decodeURIComponent('%')); t(() => new RegExp('[')); t(() => BigInt(1.5)); t(() => { class A extends s {} }); t(() => super_()); t(() => Reflect.construct(1)); t(() => Object.defineProperty(1, 'a', {})); t(() => [].reduce((a) => a)); t(() => { let a = { get x() { throw new RangeError(s); } }; a.x; });
    return out;
  },
  getterOnArguments: function (s) { return Object.keys(arguments).concat(Object.getOwnPropertyNames(arguments)); },
  toStringOfNatives: () => [Math.max.toString(), String(Array.prototype.push)],
  generatorsInParameters: (s) => { const f = (a, ...[b, { c = s } = {}]) => [a, b, c]; return f(1, 2); },
  commaAndVoid: (s) => { let i = 0; const r = (i++, i++, s); return [r, i, void s]; },
  optional: (s) => {
    const o = { a: { f() { return this === o.a; }, g: null, k: s } }, n = null, u = undefined, i = [0];
    return [o?.a?.f(), o.a?.['f'](), o.b?.f(), o.b?.f.g.h(i[0]++), n?.[i[0]++], u?.(i[0]++), o.a.g?.(), o?.a.k.length, delete o?.a?.k, delete n?.x, i[0], (o?.a).f(), o.a?.f?.call(o.a), `${n?.x}`, typeof n?.x, n?.x ?? s];
  },
  logicalAssignment: (s) => {
    const o = { a: null, b: 0, c: 1, get d() { this.n = (this.n || 0) + 1; return 'd'; }, set d(v) { this.set = v; } };
    let i = 0;
    o.a ??= s; o.b ||= s; o.c &&= s; o.d ??= i++; o.d ||= i++; o.d &&= 'x'; o[(i++, 'e')] ??= (i++, s);
    let x = null; x ??= function () {};
    return [o, i, x.name];
  },
  exponent: (s) => { let n = s.length; n **= 2; return [n, 2 ** 3 ** 2, (-2) ** 2, 2n ** 64n, 2 ** -1, n ** 0.5]; },
  asyncness: (s) => {
    const a = async () => s, b = async function named(x, y = 1) { return x; }, c = async function* () {}, d = () => a(), f = function () { return a(); };
    class A { async m() {} static async n(...r) {} p() { return this.m(); } async *q() {} }
    const o = { async m() {}, async ['k' + s.length](x) {}, m2: async (x) => x };
    const AsyncFunction = (async () => {}).constructor, Same = Object.getPrototypeOf(async function () {}).constructor;
    return [a, b, c, d, f, new A().m, A.n, new A().p, new A().q, A, o.m, o['k' + s.length], o.m2, Math.max, null].map((x) => [
      x?.[Symbol.toStringTag], Object.prototype.toString.call(x), x === null ? 0 : x.constructor.name.startsWith('Async') && !x[Symbol.toStringTag].endsWith('GeneratorFunction'), util.types.isAsyncFunction(x), x instanceof AsyncFunction, x instanceof Function,
    ]).concat([[AsyncFunction === Same, AsyncFunction.name, AsyncFunction === Function, {}.constructor.name, s.constructor.name, [].constructor.name, new A().constructor.name, 'm' in A.prototype]]);
  },
};

'use strict';
// Symbols, Proxy and Reflect, property descriptors, conversions.
const util = require('util');

// What requests share and cannot change in all of its parts.
const mixed = Object.defineProperties({ a: 1 }, { got: { get: () => 5, enumerable: true }, hidden: { get: () => 6 }, value: { value: 7, enumerable: true } });

module.exports = {
  mixed: (s) => {
    const not = (k) => { try { return delete mixed[k]; } catch (e) { return e.message; } };
    const out = [not('got'), not('hidden'), not('value'), Reflect.deleteProperty(mixed, 'got'), delete mixed[s], Object.keys(mixed), mixed.got, 'hidden' in mixed];
    mixed.a = s;
    return [out, delete mixed.b, mixed.a];
  },
  proxies: (s) => {
    const calls = [];
    const h = new Proxy({}, { get: (t, trap) => (...args) => { calls.push(trap + (typeof args[1] === 'string' ? ' ' + args[1] : '')); return Reflect[trap](...args); } });
    const p = new Proxy({ a: s, b: 1 }, h);
    p.a; p.c = 2; 'a' in p; delete p.b; Object.keys(p); Object.getOwnPropertyDescriptor(p, 'a'); Object.defineProperty(p, 'd', { value: 1, configurable: true }); p.a += '!'; JSON.stringify(p); Object.getPrototypeOf(p); p instanceof Object; Object.isExtensible(p); p.hasOwnProperty('a'); Object.assign(p, { e: 1 }); for (const k in p) calls.push('in ' + k);
    return calls;
  },
  defaults: (s) => {
    const d = new Proxy({}, { get: (t, k) => (k in t ? t[k] : `no ${String(k)}`), set(t, k, v) { if (v === null) throw new TypeError('null ' + k); t[k] = v; return true; } });
    d.x = s;
    try { d.y = null; } catch (e) { return [d.x, d.z, e.message, `${d.q}`]; }
  },
  strict: (s) => {
    const asked = [];
    const d = new Proxy({ a: s, f: (x) => [x, s] }, { get: (t, k) => { asked.push(String(k)); if (!(k in t)) throw new Error('no ' + String(k)); return t[k]; }, has: (t, k) => { asked.push('has ' + String(k)); return k in t; } });
    const k = 'a' + s.slice(9), out = [d[k], (d[k] += '!'), [d][0][k + ''], d['f'](1), [d][s.length - s.length][['f'][0]](2), k in d];
    for (const x of ['b', 'f']) try { out.push(typeof d[x]); } catch (e) { out.push(e.message); }
    const r = Proxy.revocable({ x: s }, { get: (t, key) => (typeof key === 'symbol' ? asked.push('symbol') : t[key]) });
    return [out, asked, r.proxy[['x'][0]], Proxy.name, Proxy.length, typeof Proxy.prototype];
  },
  made: (s) => {
    const f = new Function('s', 'function check(x) { check.errors = x === s ? null : [x, s]; return x === s; } check.errors = "none"; return check;')(s);
    const before = f.errors, C = new Function('return class Made { constructor(x) { this.x = x; } static of(x) { return new this(x); } }')();
    class D extends C {}
    return [before, f(s), f.errors, f('other'), f.errors, f.name, f.length, Object.keys(f), C.of(s).x, new D(s).x, new D(1) instanceof C, C.name];
  },
  counted: (s) => {
    const out = [];
    const o = { get m() { out.push('m'); return (x) => x + s; }, get ['n' + 1]() { out.push('n1'); return Object.assign((x) => x, { call: 'mine', apply: 'mine' }); } };
    const k = ['n', 'm'];
    return [(() => o)()[k[1]](1), (() => o)()[k[0] + k.length / 2](s), [o][0].m(2), (0, o)['n1'](3), out];
  },
  methods: (s) => {
    const api = new Proxy(function () {}, { get: (t, k, r) => (typeof k === 'symbol' ? Reflect.get(t, k, r) : (...a) => [k, ...a]), apply: (t, self, args) => ['called', ...args], construct: (t, args) => ({ made: args }), has: (t, k) => k.startsWith('x') });
    return [api.anything(s), api(s, 2), new api(s), 'xy' in api, 'y' in api, typeof api];
  },
  chain: (s) => { const path = (p = []) => new Proxy(() => {}, { get: (_, k) => path([...p, k]), apply: (_, t, a) => p.join('/') + '?' + a.join() }); return path().users[s].posts(1, 2); },
  membrane: (s) => { const log = [], seen = new WeakMap(); const w = (o) => { if (Object(o) !== o) return o; if (!seen.has(o)) seen.set(o, new Proxy(o, { get: (t, k, r) => (log.push(String(k)), w(Reflect.get(t, k, r))), set: (t, k, v) => (log.push('set ' + k), Reflect.set(t, k, v)) })); return seen.get(o); }; const o = w({ a: { b: [1, s] }, n: 0 }); o.a.b.push(3); o.n++; return [o.a.b.length, o.a.b.map((x) => x), o.a === o.a, log]; },
  proxyOfArray: (s) => { const a = new Proxy([1, s, 3], { get: (t, k, r) => (typeof k === 'string' && /^-\d+$/.test(k) ? t[t.length + +k] : Reflect.get(t, k, r)) }); return [a[-1], a.length, a.map((x) => x), Array.isArray(a), [...a], JSON.stringify(a), a.concat([4]).length, a.indexOf(s)]; },
  proxyOfClass: (s) => { class A { constructor(x) { this.x = x; } m() { return this.x; } } const P = new Proxy(A, { construct: (t, a, n) => Reflect.construct(t, [a[0] + '!'], n), get: (t, k, r) => (k === 'extra' ? s : Reflect.get(t, k, r)) }); class B extends P {} return [new P(s).m(), new B(s).m(), P.extra, B.extra, P.name, new P(1) instanceof A]; },
  invariants: (s) => { const out = []; const t = (f) => { try { out.push(f()); } catch (e) { out.push(e.name, e.message); } }; const frozen = Object.freeze({ a: 1 }); t(() => new Proxy(frozen, { get: () => s }).a); t(() => Object.keys(new Proxy(frozen, { ownKeys: () => [] }))); t(() => { new Proxy({}, { set: () => false }).x = 1; }); t(() => delete new Proxy({ a: 1 }, { deleteProperty: () => false }).a); const r = Proxy.revocable({ s }, {}); t(() => r.proxy.s); r.revoke(); t(() => r.proxy.s); t(() => new Proxy(1, {})); t(() => new Proxy({}, { get: 5 }).x); return out; },
  reflect: (s) => { const o = { get x() { return this.y; }, y: 1 }, z = Object.freeze({ a: 1 }); return [Reflect.get(o, 'x', { y: s }), Reflect.set(z, 'a', 2), Reflect.has(o, 'toString'), Reflect.ownKeys({ b: 1, a: 2, 1: 3, [Symbol.iterator]: 4 }).map(String), Reflect.deleteProperty(z, 'a'), Reflect.defineProperty({}, 'a', { value: s }), Reflect.getPrototypeOf([]) === Array.prototype, Reflect.isExtensible(z), Reflect.apply(Math.max, null, [1, 2]), Reflect.construct(Date, [0]).getTime(), Reflect.setPrototypeOf({}, null)]; },
  symbols: (s) => { const a = Symbol(s), b = Symbol.for(s), o = { [a]: 1, [b]: s, plain: 2 }; return [String(a), a.description, b === Symbol.for(s), Symbol.keyFor(b), o[a], o[b], Object.keys(o), Object.getOwnPropertySymbols(o).length, JSON.stringify(o), typeof a, a.toString(), Object(a) == a, { ...o }[a], Symbol.iterator in []]; },
  wellKnown: (s) => {
    const out = [];
    class Splitter { [Symbol.split](x) { return ['split', x]; } [Symbol.replace](x, r) { return 'replaced ' + x + r; } [Symbol.match](x) { return ['match ' + x]; } [Symbol.search]() { return 42; } *[Symbol.matchAll](x) { yield x; } }
    const k = new Splitter();
    out.push(s.split(k), s.replace(k, 'r'), s.match(k), s.search(k), [...s.matchAll(k)]);
    out.push([1].concat({ length: 2, 0: 'a', 1: s, [Symbol.isConcatSpreadable]: true }), Object.prototype.toString.call({ get [Symbol.toStringTag]() { return s; } }));
    out.push(util.inspect({ [util.inspect.custom]: () => 'custom ' + s }), String({ [Symbol.toPrimitive]: (h) => h + s }), +{ valueOf: () => 7 }, { toString: () => s } + '', [{ valueOf: () => 1, toString: () => 'str' }] + 1);
    return out;
  },
  conversions: (s) => { const out = []; const t = (f) => { try { out.push(f()); } catch (e) { out.push(e.name + e.message); } }; const bad = { [Symbol.toPrimitive]: () => ({}) }, none = { toString: null, valueOf: null }; t(() => bad + ''); t(() => +none); t(() => `${Symbol('x')}`); t(() => Object.create(null) + s); t(() => [1, 2] * 2); t(() => ['5'] * 2); t(() => new Date(0) + 1 === String(new Date(0)) + '1'); t(() => ({}) + s); t(() => s * 1); t(() => parseInt(s, 36)); t(() => Number('0x1f') + Number('') + Number(' 12 ')); t(() => [10, 1, 3].map(parseInt)); t(() => ['1', '2'].map(Number)); t(() => 1 + +'2' + '3'); t(() => '3' * '4'); t(() => true + true); t(() => [] + []); t(() => null + 1); t(() => undefined + 1); t(() => 5 / 0); t(() => 0.1 + 0.2); t(() => 1e21 + ''); t(() => (25).toString(36)); t(() => (0.000001234).toString()); t(() => 9007199254740993n * 2n); t(() => BigInt(s.length) << 3n); t(() => ~~3.7); t(() => -7 % 3); t(() => 2 ** 32 >> 0); t(() => -1 >>> 28); return out; },
  descriptors: (s) => { const o = Object.defineProperties({}, { a: { value: s, enumerable: true }, b: { get: () => s + '!', configurable: true }, c: { value: 1, writable: true } }); const out = [Object.keys(o), o.b, Object.getOwnPropertyDescriptors(o).a]; for (const f of [() => (o.a = 1), () => (o.b = 1), () => delete o.a, () => Object.defineProperty(o, 'a', { value: 2 })]) try { f(); out.push('ok'); } catch (e) { out.push(e.message); } o.c = s; const fr = Object.freeze([1, { x: 1 }]), se = Object.seal({ a: 1 }), pe = Object.preventExtensions({ a: 1 }); fr[1].x = s; se.a = 2; delete pe.a; for (const f of [() => fr.push(1), () => (se.b = 1), () => delete se.a, () => (pe.c = 1), () => (fr[0] = 2)]) try { f(); out.push('ok'); } catch (e) { out.push(e.message); } return [out, o.c, fr, se, pe, Object.isFrozen(fr), Object.isSealed(se), Object.isFrozen('x')]; },
  objects: (s) => [Object.entries({ b: 1, a: s, 2: 'x', 1: 'y' }), Object.assign({}, null, { a: 1 }, s), Object.is(NaN, NaN), Object.is(-0, 0), Object.fromEntries([['a', s]]), Object.create({ p: 1 }, {}).p, Object.getOwnPropertyNames('ab'), { a: { ...{ b: s } } }, structuredClone({ d: new Date(0), m: new Map([[s, 1]]), n: [undefined, null] }).m.get(s), Object.hasOwn({ s }, 's'), Object.values(s), 'constructor' in {}, Object.prototype.propertyIsEnumerable.call([1], 'length'), ({}).toString(), Object.prototype.toString.call(null)],
  json: (s) => [JSON.stringify({ u: undefined, f() {}, s, d: new Date(0), n: NaN, i: Infinity, z: -0, e: [undefined, () => {}, Symbol()], o: Object(1n).constructor.name, nested: { toJSON: (k) => k + s } }), JSON.stringify([s], null, 2), JSON.stringify({ a: [1, { b: s }] }, ['a'], '--'), JSON.stringify({ a: 1, b: s }, (k, v) => (k === 'a' ? undefined : v)), JSON.parse('{"a":[1,{"b":2}]}', function (k, v) { return typeof v === 'number' ? v + s : v; }), JSON.stringify('\u2028\ud800"' + s), JSON.stringify(undefined) === undefined, JSON.stringify(Object.create({ x: 1 })), JSON.stringify(new Map([[1, 2]])), (() => { const c = {}; c.c = c; try { JSON.stringify(c); } catch (e) { return e.name; } })(), (() => { try { JSON.stringify(1n); } catch (e) { return e.message; } })(), JSON.stringify(Object.assign([1], { x: 1 })), JSON.stringify(new (class { a = 1; #b = 2; get c() { return 3; } })())],
  getOwn: (s) => { const o = { get a() { return s; }, b: 1 }; const c = Object.create(Object.getPrototypeOf(o), Object.getOwnPropertyDescriptors(o)); return [c.a, Object.getOwnPropertyDescriptor(c, 'a').get === Object.getOwnPropertyDescriptor(o, 'a').get, o.__proto__ === Object.prototype, o.__lookupGetter__('a')(), (o.__defineGetter__('z', () => 5), o.z)]; },
  inheritance: (s) => { function A(x) { this.x = x; } A.prototype.m = function () { return 'A' + this.x; }; function B(x) { A.call(this, x); } util.inherits(B, A); B.prototype.m = function () { return 'B' + B.super_.prototype.m.call(this); }; const b = new B(s); const c = Object.setPrototypeOf({ x: 'c' }, B.prototype); return [b.m(), c.m(), b instanceof A, B.super_.name, Object.keys(b), b.constructor === B, A.prototype.isPrototypeOf(b)]; },
  weak: (s) => { const r = new WeakRef({ s }), w = new WeakSet(), k = {}; w.add(k); return [typeof r.deref(), w.has(k), w.has({}), (() => { try { w.add(1); } catch (e) { return e.name; } })(), typeof FinalizationRegistry, typeof globalThis, typeof process.version, typeof global]; },
  dates: (s) => { const d = new Date(Date.UTC(2020, 1, 29, 12, 30, 15, 123)); d.setUTCFullYear(2021); return [d.toISOString(), d.getUTCDay(), JSON.stringify(d), new Date('2020-01-01T00:00:00Z').getTime(), isNaN(new Date(s + 'x')), Date.parse('2020-02-30T00:00:00Z'), new Date(NaN).getTime(), (() => { try { new Date(NaN).toISOString(); } catch (e) { return e.message; } })(), d > new Date(0), d - new Date(0), typeof (d + 1), new Date(2020, 0).getMonth(), new Date(d) === d, String(new Date(NaN))]; },
  intlReceiver: (s) => { const o = Object.create(Intl.NumberFormat.prototype), r = Intl.NumberFormat.call(o, 'en-US'); return [r === o, Object.getOwnPropertySymbols(o).map(String), Intl.NumberFormat('en-US').format(1234.5), s]; },
  intl: (s) => [(1234567.891).toLocaleString('en-US'), new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(12.5), new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC' }), ['b', 'a', s].sort((a, b) => a.localeCompare(b)), 'ä'.localeCompare('z', 'de'), 'İ'.toLowerCase().length, s.normalize('NFD'), new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' }).format(0)],
};

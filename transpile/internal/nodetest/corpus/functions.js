//// parameters
function f(a, b = a * 2, c = () => a + b, ...rest) { a = 10; return [a, b, c(), rest, arguments.length]; }
print(f(1), f(1, undefined, undefined, 4, 5), f.length);
function shadow(x, y = () => x) { var x = 2; return [x, y()]; }
print(shadow(1));
function shadow2(x, y = () => x) { x = 2; return [x, y()]; }
print(shadow2(1));
function dup(a, a) { return a; }
print(dup(1, 2));
function argsUse(a) { a = 2; arguments[0] = 3; return [a, arguments[0]]; }
print(argsUse(1));
print(((a, { b, c = b } = {}) => [a, b, c])(1, { b: 2 }));
(function (arguments) { print(arguments); })(5);
const arrowArgs = function () { return (() => arguments[0])(); }; print(arrowArgs(7));
function defaultsScope(a = b, b = 1) { return a; }
try { defaultsScope(); } catch (e) { print(e.name); }
print((function f(f) { return f; })(3), (function g() { var g = 2; return g; })());

//// closures
function counter() { let n = 0; return { inc: () => ++n, dec() { return --n; }, get n() { return n; } }; }
const a = counter(), b = counter(); a.inc(); a.inc(); b.dec(); print(a.n, b.n);
const adders = [1, 2, 3].map((x) => (y) => x + y); print(adders.map((f) => f(10)));
const Y = (f) => ((x) => x(x))((x) => f((y) => x(x)(y))); print(Y((f) => (n) => n ? n * f(n - 1) : 1)(5));
var self = this; print((() => this === self)(), (function () { return (() => this)(); }).call(5) == 5);
function outer() { const r = inner(); function inner() { return 'hoisted'; } return r; } print(outer());
const memo = ((cache) => (k) => cache[k] ??= k * 2)({}); print(memo(2), memo(2));

//// generators
function* g(n) { try { for (let i = 0; i < n; i++) { const r = yield i * 2; if (r) print('got', r); } return 'ret'; } finally { print('cleanup'); } }
const it = g(3); print(it.next(), it.next('x'), it.next(), it.next(), it.next());
print([...g(2)], Array.from(g(1)));
const it2 = g(5); it2.next(); print(it2.return('early'), it2.next());
const it3 = g(5); it3.next(); try { it3.throw(new Error('t')); } catch (e) { print(e.message); }
function* del() { const r = yield* inner(); print('inner returned', r); yield* [1, 2]; yield* 'ab'; }
function* inner() { yield 'i'; return 'r'; } print([...del()]);
const o = { *gen() { yield this.v; }, v: 4, *[Symbol.iterator]() { yield* this.gen(); } }; print([...o]);
function* args() { yield arguments.length; yield (yield 1) + (yield 2); } const a = args(1, 2); print(a.next().value, a.next(), a.next(3), a.next(4), a.next());
class C { static *s() { yield* [1]; } } print([...C.s()]);
function* fib() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }
for (const x of fib()) { if (x > 20) break; print(x); }
function* def(a = print('default evaluated at call'), b) { print('body'); yield a; } const d = def(); print('created'); d.next();
function* strict() { 'use strict'; yield this === undefined; } print(strict().next().value);

//// async
const sleep = (v) => new Promise((r) => setTimeout(r, 1, v));
async function f(n) { print('start', n); const a = await n; print('after', a); try { await Promise.reject(new Error('rej')); } catch (e) { print('caught', e.message); } finally { print('fin'); } return a + await sleep(1); }
f(1).then((v) => print('f', v));
(async () => { for (const x of [1, 2]) { print('loop', await x); } })();
const o = { async m() { return this.v; }, v: 3 }; o.m().then((v) => print('m', v));
class A { static async s() { await null; throw new TypeError('s'); } } A.s().catch((e) => print(e.name));
async function* ag() { yield 1; await null; yield sleep(2); } (async () => { for await (const x of ag()) print('ag', x); for await (const x of [sleep(3), 4]) print('fa', x); })();
Promise.all([sleep('a'), 'b', f(5)]).then((v) => print(v)); Promise.race([sleep(1), 2]).then((v) => print('race', v));
(async function () { await Promise.all([1, 2].map(async (x) => { await x; print('map', x); })); print('done'); })();
print('sync end');

//// promises
new Promise((res, rej) => { print('executor'); res(1); rej(2); }).then((v) => { print(v); throw new Error('x'); }).catch((e) => e.message).finally(() => print('finally')).then(print);
class P extends Promise { constructor(x) { super(x); } } print(P.resolve(1) instanceof P, new P((r) => r(2)) instanceof Promise);
new P((r) => r(3)).then((v) => print('sub', v)); Promise.allSettled([Promise.reject(1), 2]).then((r) => print(r));
const { promise, resolve } = (() => { let resolve; const promise = new Promise((r) => { resolve = r; }); return { promise, resolve }; })(); promise.then((v) => print('deferred', v)); resolve('d');
print(Object.prototype.toString.call(new Promise(() => {})), (() => { try { new Promise(); } catch (e) { return e.message; } })());

//// classes
class A { constructor(x) { this.x = x; } m() { return 'A.m ' + this.x; } static s() { return 'A.s ' + this.name; } get g() { return this.x; } ['comp' + 1]() { return 'c'; } 'str'() { return 's'; } 12() { return 'n'; } }
class B extends A { constructor() { super(5); this.y = super.m(); } m() { return 'B.m>' + super.m(); } static s() { return super.s() + '!'; } toString() { return `B(${this.x})`; } }
const b = new B(); print(b.m(), B.s(), b.g, b.comp1(), b.str(), b[12](), `${b}`, b.y, b instanceof A, Object.getPrototypeOf(B) === A);
class C extends B { } print(new C().m(), C.name, C.length);
const D = class Named { who() { return Named.name; } }; print(new D().who(), D.name);
class E extends null { static x = 1; } print(E.x);
class F extends (0, A) { constructor() { if (0) super(); else { super(1); } } } print(new F().x);
try { A(); } catch (e) { print(e.message); }
try { new (class extends A { constructor() {} })(); } catch (e) { print(e.name); }
const mixin = (Base) => class extends Base { mixed() { return 'mixed ' + this.x; } }; print(new (mixin(A))(3).mixed());
class Arr extends Array { sum() { return this.reduce((a, b) => a + b, 0); } } print(Arr.of(1, 2, 3).sum(), new Arr(1, 2).map((x) => x * 2) instanceof Arr);
class Err extends Error { constructor(m) { super(m); this.name = 'Err'; } } try { throw new Err('boom'); } catch (e) { print(e instanceof Err, `${e}`); }
function Old(x) { this.x = x; } Old.prototype.get = function () { return this.x; }; class New extends Old { get() { return super.get() * 2; } } print(new New(4).get());
print(typeof A, Object.getOwnPropertyNames(A.prototype), (function () { return new.target === undefined; })());
class Arrow extends A { constructor() { const s = () => super(9); s(); this.f = () => super.m(); } } print(new Arrow().f());
const obj = { __proto__: { hi() { return 'proto hi ' + this.n; } }, n: 1, hi() { return super.hi() + '!'; } }; print(obj.hi());
class Ret { constructor() { return { replaced: true }; } } print(new Ret());

//// class fields
class A { a = 1; b = this.a + 1; static c = 'static'; static d = this.c + '!'; #p = 5; static #sp = 6; get p() { return this.#p; } set p(v) { this.#p = v; } #m() { return 'priv ' + this.#p; } m() { return this.#m(); } static sp() { return A.#sp++; } has(o) { return #p in o; } static { this.blk = 'block'; } arrow = () => this.a; ['comp' + 'uted'] = 1; inc() { return this.#p++ + ++this.#p; } }
const a = new A(); a.p = 9; print(a.a, a.b, A.c, A.d, a.p, a.m(), A.sp(), A.sp(), a.has(a), a.has({}), A.blk, a.arrow.call(null), a.computed, a.inc(), a.p);
class B extends A { a = 'B'; e; constructor() { super(); print(this.a, 'e' in this); } } new B();
try { A.prototype.m.call({}); } catch (e) { print(e.name); }
let order = []; class O { [(order.push('k1'), 'x')] = order.push('v1'); static [(order.push('k2'), 'y')] = order.push('v2'); } new O(); print(order);

//// bind call apply
function f(...a) { return [this.n, ...a]; }
print(f.call({ n: 1 }, 2, 3), f.apply({ n: 2 }, [4]), f.bind({ n: 3 }, 5)(6));
print([3, 1, 2].sort((a, b) => a - b), [1, 2, 3].reduce((a, b) => a + b), ['a', 'b'].map((x, i, all) => x + i + all.length), [1, [2, [3]]].flat(Infinity));
print(Array.from({ length: 3 }, (_, i) => i * i), Object.entries({ a: 1 }).map(([k, v]) => k + v), 'a-b'.replace(/(\w)-(\w)/, (m, x, y) => y + x));
const o = { toString() { return 'str'; }, valueOf() { return 42; }, [Symbol.toPrimitive]: undefined, toJSON() { return 'json'; } };
print(`${o}`, o + 1, o * 2, JSON.stringify({ o }), [o] + '', o > 41);
print(JSON.parse('{"a":[1,{"b":2}]}', (k, v) => typeof v === 'number' ? v + 1 : v), JSON.stringify({ a: [1, { b: 2 }], c: undefined }, null, 1));

//// symbols and proxies
const log = [];
const p = new Proxy({ a: 1 }, { get(t, k, r) { if (typeof k !== 'symbol') log.push('get ' + k); return Reflect.get(t, k, r); }, set(t, k, v) { log.push('set ' + String(k)); t[k] = v; return true; }, has(t, k) { log.push('has ' + String(k)); return k in t; }, deleteProperty(t, k) { log.push('del ' + String(k)); return delete t[k]; }, ownKeys(t) { log.push('keys'); return Reflect.ownKeys(t); } });
p.a; p['b'] = 2; p.a += 1; 'a' in p; delete p.b; for (const k in p); Object.keys(p); ({ ...p }); const { a } = p; p.c?.d; p['x' + 1]; p.n++;
print(log);
const s = Symbol('desc'); const o = { [s]: 1 }; print(o[s], s.description, Object.getOwnPropertySymbols(o).length);
class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } } print(2 instanceof Even, 1 instanceof Even);
const iter = { *[Symbol.iterator]() { yield* [1, 2, 3]; } }; print([...iter], Math.max(...iter)); const [x, ...y] = iter; print(x, y);

//// recursion and mutation
const tree = (d) => d ? { l: tree(d - 1), r: tree(d - 1) } : null; const count = (t) => t ? 1 + count(t.l) + count(t.r) : 0; print(count(tree(5)));
function ack(m, n) { return m === 0 ? n + 1 : n === 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); } print(ack(2, 3));
const sieve = []; outer: for (let i = 2; sieve.length < 10; i++) { for (const p of sieve) { if (p * p > i) break; if (i % p === 0) continue outer; } sieve.push(i); } print(sieve);
let s = ''; for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) s += i === j ? 'x' : '.'; print(s);
const q = [[0, 0]], seen = new Set(['0,0']); while (q.length) { const [x, y] = q.shift(); for (const [dx, dy] of [[1, 0], [0, 1]]) { const k = `${x + dx},${y + dy}`; if (x + dx < 3 && y + dy < 3 && !seen.has(k)) { seen.add(k); q.push([x + dx, y + dy]); } } } print([...seen]);
function parse(t) { let i = 0; const ws = () => { while (t[i] === ' ') i++; }; function expr() { let v = term(); for (;;) { ws(); if (t[i] === '+') { i++; v += term(); } else if (t[i] === '-') { i++; v -= term(); } else return v; } } function term() { let v = fac(); for (;;) { ws(); if (t[i] === '*') { i++; v *= fac(); } else return v; } } function fac() { ws(); if (t[i] === '(') { i++; const v = expr(); ws(); i++; return v; } let n = ''; while (t[i] >= '0' && t[i] <= '9') n += t[i++]; return +n; } return expr(); } print(parse('2 * (3 + 4) - 10 * (1 - 2)'));

//// scopes
var x = 'global'; let y = 'script';
{ let x = 'block'; { const x = 'inner'; print(x); } print(x); } print(x);
function f() { print(x); var x = 'fn'; print(x); { let x = 'blk'; f2(); function f2() { print(x); } } } f();
(function (x) { { function x() {} } print(typeof x); })(1);
const fn = function name() { { let name = 1; print(name); } print(typeof name); }; fn();
class K { static make() { return K; } } const K2 = K; print(K2.make() === K);
try { throw 1; } catch (x) { { let x = 2; print(x); } print(x); }
for (let x = 0, f = () => x; x < 2; x++) print(x, f());
switch (0) { case 0: let x = 'sw'; print(x); } print(x, y);
var a = 1; { var a = 2; } print(a); if (true) var b = 3; print(b); for (var c of [1, 2]); print(c);
print(typeof later, (() => { try { return later2; } catch (e) { return e.name; } })()); var later; let later2;
const o = { x, y, f() { return x; } }; print(o.f(), o);
label: { let x = 'l'; print(x); break label; }
(function () { var undefined = 1; print(undefined); })(); (function (NaN) { print(NaN); })(2);
print((function () { return typeof arguments; })(), (() => { var arguments = 1; return arguments; })());

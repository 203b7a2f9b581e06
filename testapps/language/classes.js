'use strict';
// Classes: fields, privates, accessors, statics, super, built-in bases.
const { EventEmitter } = require('events');

module.exports = {
  // Private members of what has none, in the engine's words.
  misused: (s) => {
    class Vault { #gold = s; #count() { return this.#gold.length; } static #keys = 1; static open(v) { return v.#gold; } static fill(v) { v.#gold = 1; } static count(v) { return v.#count(); } static more(v) { return ++v.#gold; } static is(v) { return #gold in v; } static keys() { return this.#keys; } look() { return this.#gold; } }
    const out = [], t = (f) => { try { out.push(f()); } catch (e) { out.push(e.message); } }, { look } = new Vault();
    for (const f of ['open', 'fill', 'count', 'more', 'is']) for (const v of [{ s }, null, s, new Vault()]) t(() => Vault[f](v));
    t(() => look()); t(() => class extends Vault {}.keys());
    return out;
  },
  // A function is called by the key of its field.
  fieldNames: (s) => {
    const k = 'k' + s;
    const sym = Symbol(s);
    class A { [k] = () => {}; static [k + 's'] = function () {}; ['lit'] = () => s; plain = () => {}; [sym] = () => {}; [k + 'own'] = function own() {}; }
    const a = new A();
    return [a[k].name, A[k + 's'].name, a.lit.name, a.lit(), a.plain.name, a[sym].name, a[k + 'own'].name];
  },
  fields: (s) => {
    const order = [];
    const n = (x) => (order.push(x), x);
    class A { [n('k1')] = n('v1'); static [n('k2')] = n('v2'); a = this; b; ['c' + s] = () => this.b; static d; 'quoted' = 1; 12 = 2; constructor() { n('ctor'); this.b = s; } }
    const a = new A();
    return [order, Object.keys(a), a.a === a, a['c' + s](), 'd' in A, a.b];
  },
  fieldsDefine: (s) => {
    class A { set x(v) { this.y = v; } get x() { return 'acc'; } }
    class B extends A { x = s; }
    const b = new B();
    return [b.x, b.y, Object.getOwnPropertyDescriptor(b, 'x')];
  },
  fieldsBeforeSubclass: (s) => {
    const order = [];
    class A { a = order.push('A.a'); constructor() { order.push('A()'); this.init(); } init() { order.push('A.init'); } }
    class B extends A { b = order.push('B.b'); constructor() { order.push('B()'); super(); order.push('B end'); } init() { order.push('B.init ' + this.b); } }
    new B();
    return [order, s];
  },
  privates: (s) => {
    class P {
      #a = s; static #count = 0; #m() { return this.#a + '!'; } get #g() { return this.#a.length; } set #g(v) { this.#a += v; } static #sm(x) { return x.#a; }
      constructor() { P.#count++; }
      test() { this.#g = 'x'; this.#a += 'y'; this.#a ||= 'never'; return [this.#a, this.#m(), this.#g, P.#sm(this), #a in this, #a in {}, P.#count]; }
      static read(o) { return o.#a; } static call(o) { return o.#m(); } static write(o) { o.#a = 1; } static maybe(o) { return o?.#a; } static has(o) { return #m in o; }
      static assign(o) { [o.#a, ...o.#b] = [1, 2, 3]; ({ x: o.#a } = { x: 'dx' }); return [o.#a, o.#b]; } #b; inc() { this.#b = 1; this.#b++; ++this.#b; return this.#b--; }
      setMethod() { this.#m = 1; }
    }
    const p = new P(), out = [p.test(), P.maybe(null), P.has(p), P.has({}), P.assign(p), p.inc()];
    for (const k of ['read', 'call', 'write', 'has']) for (const o of [{}, 1]) try { out.push(P[k](o)); } catch (e) { out.push(e.name); }
    try { p.setMethod(); } catch (e) { out.push(e.name); }
    return out;
  },
  privateTwice: (s) => {
    class Base { constructor(o) { return o; } }
    class Stamp extends Base { #x = s; static get(o) { return o.#x; } }
    const o = {};
    new Stamp(o);
    try { new Stamp(o); } catch (e) { return [Stamp.get(o), e.name]; }
    return 'no';
  },
  accessors: (s) => {
    class A { #v = s; get v() { return this.#v; } set v(x) { this.#v = x + '!'; } static get sv() { return this.name; } get ['c' + 1]() { return 'computed'; } }
    class B extends A { get v() { return 'B' + super.v; } set v(x) { super.v = 'b' + x; } }
    const b = new B();
    b.v = s;
    b.v += '?';
    return [b.v, B.sv, b.c1, Object.keys(b), 'v' in b, Object.getOwnPropertyNames(B.prototype)];
  },
  statics: (s) => {
    const seen = [];
    class A { static a = s; static b = this.a + '2'; static { seen.push(this.b); try { throw new Error('in block'); } catch (e) { seen.push(e.message); } } static c = seen.length; static m() { return this.a; } static async n() { return this.b; } }
    class B extends A { static a = super.m() + '-B'; static m() { return super.m() + '+'; } static { seen.push(super.m()); } }
    return [seen, A.c, B.a, B.m(), Object.keys(A), Object.getPrototypeOf(B) === A];
  },
  superCalls: (s) => {
    class A { constructor(x) { this.x = x; } m() { return 'A' + this.x; } get g() { return 'g' + this.x; } static of(...a) { return new this(...a); } }
    class B extends A { constructor(...a) { const f = () => super(...a); f(); this.y = super.m(); } m() { return [super.m(), super['m'](), (() => super.m())(), super.g, super.nope, typeof super.toString]; } set(v) { super.z = v; return this.z; } call() { return super.nope(); } }
    const b = B.of(s), out = [b.m(), b.y, b.set(3), b instanceof A, b.constructor.name];
    try { b.call(); } catch (e) { out.push(e.message); }
    return out;
  },
  superTwice: (s) => {
    const out = [];
    class A { constructor() { out.push('A'); } }
    class B extends A { constructor(w) { if (w !== 0) super(); if (w === 2) super(); if (w === 3) return 5; if (w === 4) return { other: s }; } }
    for (const w of [0, 1, 2, 3, 4]) try { out.push(new B(w)); } catch (e) { out.push(e.name, e.message); }
    return out;
  },
  superInObjects: (s) => {
    const p = { m() { return 'p' + this.s; }, get g() { return 'pg' + this.s; } };
    const o = { __proto__: p, s, m() { return super.m() + 'o'; }, get g() { return super.g + 'o'; }, async n() { return super.m(); }, *it() { yield super.m(); }, arrow() { return [1].map(() => super.m()); } };
    return Promise.all([o.m(), o.g, o.n(), [...o.it()], o.arrow()]);
  },
  asyncSuper: async (s) => {
    class A { async m(x) { return [x, this.s]; } async *g() { yield 'a' + this.s; } static async c() { return 'static'; } }
    class B extends A { s = s; async m(x) { await null; const r = await super.m(x); return (async () => [r, await super.m('arrow')])(); } async *g() { yield* super.g(); for await (const x of super.g()) yield x + '!'; } static async c() { return (await super.c()) + 'B'; } get arrow() { return async () => { await 1; return this.s; }; } }
    const b = new B(), out = [await b.m(1), await b.arrow(), await B.c()];
    for await (const x of b.g()) out.push(x);
    return out;
  },
  builtinBases: (s) => {
    class List extends Array { get last() { return this.at(-1); } sum() { return this.reduce((a, b) => a + b, ''); } }
    class Dict extends Map { get(k) { return super.get(k) ?? 'none'; } set(k, v) { return super.set(k, v + '!'); } }
    class Bag extends Set { add(x) { return super.add(String(x)); } }
    class Err extends Error { name = 'Err'; constructor(m, code) { super(m, { cause: code }); this.code = code; } }
    class Fn extends Function { constructor() { super('return 5'); } }
    class Str extends String { shout() { return this.toUpperCase() + this.length; } }
    class Num extends Number { twice() { return this * 2; } }
    class Re extends RegExp { test(x) { return super.test(x) ? 'yes' : 'no'; } }
    class When extends Date { year() { return this.getUTCFullYear(); } }
    class Emit extends EventEmitter { go(x) { const r = []; this.on('a', (v) => r.push(v)); this.emit('a', x); return r; } }
    class Bytes extends Uint8Array { first() { return this[0]; } }
    const l = List.of(1, s, 3), m = l.map((x) => x + 'm'), d = new Dict([['a', 1]]), e = new Err(s, 5);
    return [l.last, l.sum(), m instanceof List, m.last, l.filter(Boolean).constructor.name, l.length, new List(3).length, Array.isArray(l), JSON.stringify(l), d.get('a'), d.get('z'), d.size, [...new Bag([1, s, '1'])], String(e), e instanceof Error, e.cause, e.stack.split('\n')[0], Object.prototype.toString.call(e), new Fn()(), new Str(s).shout(), new Num(4).twice(), new Re('^a').test(s), new When(0).year(), new Emit().go(s), new Bytes([7, 8]).first(), List.from(s).sum(), l.concat([1]) instanceof List, l.slice(1).sum(), [...l.entries()][0]];
  },
  promiseBase: async (s) => {
    class Mine extends Promise { static made = 0; constructor(f) { super(f); Mine.made++; } extra() { return this.then((v) => v + '!'); } }
    const p = Mine.resolve(s), q = p.then((x) => x);
    return [p instanceof Mine, q instanceof Mine, await p.extra(), await Mine.all([1, Mine.resolve(2)]), Object.prototype.toString.call(q), await q.finally(() => {}), p.constructor.name];
  },
  species: (s) => {
    class L extends Array { static get [Symbol.species]() { return Array; } }
    const l = new L(1, 2, s);
    return [l.map((x) => x) instanceof L, l.filter(() => true).constructor.name, l instanceof L];
  },
  expressions: (s) => {
    const make = (Base) => class extends Base { m() { return 'mixed' + super.m(); } };
    class A { m() { return s; } }
    const C = make(make(A)), D = class Named { who() { return Named.name; } }, { E } = { E: class {} };
    return [new C().m(), C.name, D.name, new D().who(), E.name, new (class { x = s; })().x, typeof class {}, (class { static x = 1; }).x];
  },
  computedMembers: (s) => {
    const out = [], n = (x) => (out.push(x), x);
    class A { static [n('a')]() {} [n('b')]() { return s; } get [n('c')]() { return 1; } static async *[n('d')]() {} static [n('e')] = n('e value'); [n('f')] = n('f value'); }
    new A();
    return [out, new A().b(), out.length];
  },
  instanceOf: (s) => {
    class Even { static [Symbol.hasInstance](x) { return x.length % 2 === 0; } }
    function F() {}
    const f = new F();
    F.prototype = {};
    return [s instanceof Even, 'ab' instanceof Even, f instanceof F, Object.create(F.prototype) instanceof F, (() => { try { return f instanceof (() => {}); } catch (e) { return e.message; } })()];
  },
  toPrimitive: (s) => {
    class M { constructor(n) { this.n = n; } [Symbol.toPrimitive](h) { return h === 'string' ? s : h === 'number' ? this.n : s + this.n; } get [Symbol.toStringTag]() { return 'M' + s; } toJSON(k) { return [k, this.n]; } }
    const m = new M(3);
    return [`${m}`, m + '', +m, m * 2, m > 2, m == s + 3, Object.prototype.toString.call(m), JSON.stringify({ k: m }), [m] + '', { [m]: 1 }, new Date(m).getTime(), isNaN(m), String(m), Number(m)];
  },
  getterOnPrototype: (s) => {
    class A { get x() { return s; } }
    const a = new A();
    try { a.x = 1; } catch (e) { return [e.name, a.x, Object.entries(a), JSON.stringify(a), { ...a }]; }
    return 'no';
  },
  deleteSuper: () => { class A { m() { delete super.x; } } try { new A().m(); } catch (e) { return e.name; } return 'no'; },
  extendsNull: () => { class A extends null { static m() { return 1; } } return [A.m(), Object.getPrototypeOf(A.prototype), Object.getPrototypeOf(A) === Function.prototype]; },
  returnOverride: (s) => { class A { constructor() { return Object.assign(() => s, { own: 1 }); } } class B extends A { f = s; } const b = new B(); return [b(), b.f, b.own]; },
  classInLoop: (s) => { const cs = []; for (let i = 0; i < 3; i++) cs.push(class { v = i + s; static w = i; }); return cs.map((C) => [new C().v, C.w]); },
  generatorMethods: (s) => { class A { *[Symbol.iterator]() { yield* this.#items(); } *#items() { yield 1; yield s; } static *range(n) { while (n--) yield n; } } return [[...new A()], [...A.range(3)], Math.max(...A.range(4))]; },
  accessorPairs: (s) => { const o = { _v: 1, get v() { return this._v; }, set v(x) { this._v = x; }, get ['w']() { return s; } }; o.v += 2; o.v++; return [o.v, o.w, Object.keys(o), Object.getOwnPropertyDescriptor(o, 'w').set]; },
  protoKeys: (s) => { const p = { x: s }; const __proto__ = p; return [{ __proto__: p }.x, { '__proto__': p }.x, Object.keys({ __proto__ }), Object.keys({ ['__proto__']: 1 }), Object.keys({ __proto__() {} }), { __proto__: null } instanceof Object, JSON.stringify(JSON.parse('{"__proto__":1}'))]; },
};

'use strict';
// Generators, iterators, async generators, collections.
const wait = (v) => new Promise((resolve) => setImmediate(resolve, v));

// Of requests, so that reading them is more than the engine sees.
const counted = {};
let last = 0;

module.exports = {
  generator: (s) => {
    const out = [];
    function* g(a) { const b = yield a + 1; out.push(b); try { const c = yield b + s; out.push(c); } catch (e) { out.push('caught ' + e); yield 'again'; } finally { out.push('finally'); } return 'end'; }
    const i = g(1), j = g(5);
    return [i.next('ignored'), i.next('b'), i.throw('t'), i.next(), i.next(), j.next(), j.return('r'), j.next(), out, Object.prototype.toString.call(i), i[Symbol.iterator]() === i];
  },
  delegates: (s) => {
    const out = [];
    function* inner() { try { const x = yield 'i1'; out.push(x); yield 'i2'; return 'inner result'; } finally { out.push('closed'); } }
    function* outer() { const r = yield* inner(); out.push(r); yield* s; yield* [1, 2]; yield* (function* () { yield 'anon'; })(); }
    const i = outer();
    const all = [i.next(), i.next('sent'), ...i];
    const j = outer();
    j.next();
    return [all, j.return('early'), out];
  },
  yieldEverywhere: (s) => {
    function* g() { const o = { [yield 'key']: yield 'value' }; const a = [yield 1, ...(yield 2)]; const t = `${yield 3}-${yield 4}`; const f = (yield 5) ? yield 6 : yield 7; if ((yield 8) && (yield 9)) return [o, a, t, f, (yield 10) + (yield 11), yield]; }
    const i = g(), out = [];
    let r = i.next(), n = 0;
    while (!r.done) { out.push(r.value); r = i.next(r.value === 2 ? [s] : r.value === 'key' ? 'k' + s : ++n); }
    return [out, r.value];
  },
  doneAsAnyName: (s) => {
    const from = (e) => { const t = {}; if (null != e.done && (t.done = Boolean(e.done)), null != e.error) t.error = e.error; e.more ? t.done = e.more : t.left = !(t.done = e.done); return t; };
    return [from({ done: s }), from({ error: s }), from({ more: s }), [1, (from({}).done = s)]];
  },
  ownIterators: (s) => {
    class Tree { constructor(v, l, r) { Object.assign(this, { v, l, r }); } *[Symbol.iterator]() { if (this.l) yield* this.l; yield this.v; if (this.r) yield* this.r; } }
    const t = new Tree('m', new Tree('a', null, new Tree(s)), new Tree('z'));
    const plain = { from: 1, to: 4, [Symbol.iterator]() { let n = this.from; const to = this.to; return { next: () => (n <= to ? { done: false, value: n++ } : { done: true, value: undefined }), [Symbol.iterator]() { return this; } }; } };
    const [x, ...y] = t;
    return [[...t], Array.from(plain, (v) => v * 2), Math.max(...plain), new Set(plain).size, [...new Map([...t].map((v, i) => [v, i]))], x, y, Object.fromEntries([...t].entries()), Array.from({ length: 2, 0: s }), Array.from(t).join()];
  },
  lazy: (s) => {
    function* nat() { let n = 0; for (;;) yield n++; }
    function* map(it, f) { for (const x of it) yield f(x); }
    function* filter(it, f) { for (const x of it) if (f(x)) yield x; }
    function* take(it, n) { if (n <= 0) return; for (const x of it) { yield x; if (--n <= 0) return; } }
    const pipe = (...fs) => (x) => fs.reduce((a, f) => f(a), x);
    return [...pipe((i) => filter(i, (x) => x % 3 === 0), (i) => map(i, (x) => x + s), (i) => take(i, 4))(nat())];
  },
  generatorErrors: (s) => {
    const out = [];
    function* g() { yield 1; throw new Error(s); }
    const i = g();
    i.next();
    try { i.next(); } catch (e) { out.push(e.message); }
    out.push(i.next());
    function* self() { it.next(); yield 1; }
    const it = self();
    try { it.next(); } catch (e) { out.push(e.name, e.message); }
    const j = g();
    try { j.throw(new RangeError('before start')); } catch (e) { out.push(e.message); }
    out.push(j.next(), g().return(5));
    function* d() { yield* 5; }
    try { d().next(); } catch (e) { out.push(e.name); }
    try { new g(); } catch (e) { out.push(e.name); }
    return out;
  },
  asyncGenerator: async (s) => {
    const out = [];
    async function* g(n) { try { for (let i = 0; i < n; i++) { const r = yield wait(i + s); out.push(r); } return 'done'; } finally { out.push('finally'); await wait(); out.push('after'); } }
    const i = g(2);
    out.push(await i.next(), await i.next('x'), await i.next('y'), await i.next());
    for await (const x of g(3)) { out.push(x); if (x.startsWith('1')) break; }
    const j = g(2);
    out.push(await j.next(), await j.return(wait('r')), await j.next());
    const k = g(1);
    await k.next();
    try { await k.throw(new Error('thrown')); } catch (e) { out.push(e.message); }
    return out;
  },
  asyncQueue: async (s) => {
    const out = [];
    async function* g() { out.push('start'); const a = yield 1; out.push(a); const b = yield 2; out.push(b); return s; }
    const i = g(), ps = [i.next('a'), i.next('b'), i.next('c'), i.next('d')];
    out.push('queued');
    return [await Promise.all(ps), out];
  },
  asyncDelegates: async (s) => {
    const out = [];
    async function* inner() { try { yield 1; yield Promise.resolve(s); return 'r'; } finally { out.push('inner closed'); } }
    async function* outer() { const r = yield* inner(); yield r; yield* [wait('sync'), 3]; yield* (function* () { yield 'gen'; })(); }
    for await (const x of outer()) out.push(x);
    for await (const x of outer()) { out.push(x); break; }
    return out;
  },
  forAwait: async (s) => {
    const out = [];
    for await (const x of [1, wait(s), Promise.resolve(3)]) out.push(x);
    for await (const [a, { b = s }] of [wait([1, {}])]) out.push(a, b);
    try { for await (const x of [1, Promise.reject(new Error(s)), 3]) out.push(x); } catch (e) { out.push(e.message); }
    const own = { [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ value: n, done: n++ > 2 }), return: async () => (out.push('returned'), {}) }; } };
    for await (const x of own) out.push(x);
    for await (const x of own) { if (x === 1) break; }
    l: for await (const x of own) for await (const y of own) continue l;
    const syncIt = { [Symbol.iterator]() { let n = 0; return { next: () => ({ value: wait(n), done: n++ > 1 }), return() { out.push('sync return'); return {}; } }; } };
    for await (const x of syncIt) { out.push(x); if (x === 1) break; }
    try { for await (const x of 5); } catch (e) { out.push(e.name); }
    try { for await (const x of own) throw new Error('body'); } catch (e) { out.push(e.message); }
    return out;
  },
  asyncErrors: async (s) => {
    const out = [];
    async function* g() { try { yield 1; yield Promise.reject(new Error(s)); } catch (e) { out.push('in ' + e.message); yield 2; throw new RangeError('end'); } }
    const i = g();
    out.push(await i.next(), await i.next());
    try { await i.next(); } catch (e) { out.push(e.message); }
    out.push(await i.next());
    return out;
  },
  asyncGeneratorInClass: async (s) => {
    class Pager { #pages = [[1, 2], [s], []]; async *[Symbol.asyncIterator]() { for (const p of this.#pages) { await wait(); yield* p; } } async collect() { const r = []; for await (const x of this) r.push(x); return r; } }
    return new Pager().collect();
  },
  asyncOrder: async (s) => {
    const out = [];
    async function* g(n) { for (let i = 0; i < 3; i++) { out.push(n + i); yield i; } }
    await Promise.all(['a', 'b', s].map(async (n) => { for await (const x of g(n)) out.push(n + ':' + x); }));
    return out;
  },
  maps: (s) => {
    const m = new Map([[s, 1], ['b', 2], [NaN, 3], [0, 4]]);
    m.set(-0, 'z').delete('b');
    const out = [];
    for (const [k, v] of m) { out.push([String(k), v]); if (out.length === 1) m.set('late', s); }
    m.forEach((v, k, me) => out.push(v, me === m));
    const w = new WeakMap(), key = {};
    w.set(key, s);
    return [out, m.size, [...m.keys()].map(String), m.get(NaN), m.has(s), new Set([s, s, 'q']).size, [...new Set('hello')], w.get(key), w.has({}), Object.fromEntries(new Map([['a', s]])), new Map(Object.entries({ x: s })).get('x'), Object.groupBy === undefined];
  },
  setsChangedWhileIterated: (s) => { const set = new Set([1, 2, 3]), out = []; for (const x of set) { out.push(x); if (x === 1) { set.delete(2); set.add(s); } if (x === 3) set.add(1); } return out; },
  arrays: (s) => {
    const a = [3, 1, 2], sparse = [1, , 3];
    return [a.toSorted?.(), [...a].sort((x, y) => y - x), a.indexOf(1), sparse.length, 1 in sparse, sparse.map((x) => x * 2).length, Object.keys(sparse), [...sparse], sparse.flatMap((x) => [x, x]), [[1, [2]], [s]].flat(Infinity), Array.from({ length: 3 }, (_, i) => i + s), a.copyWithin(0, 1), [1, 2, 3].fill(s, 1), a.findLast((x) => x < 3), [1, 2, 3, 4].splice(1, 2), Array.of(7).length, Array(3).join('-'), [undefined, null, s].join(), [1, [2, [s]]].toString(), [10, 9, 1].sort(), ['b', undefined, 'a'].sort(), a.concat(s, [1, [2]]), a.includes(NaN), [NaN].includes(NaN), [NaN].indexOf(NaN), a.lastIndexOf(2), a.entries().next(), a.reduceRight((x, y) => x + '-' + y), a.every(Number.isInteger), [].at(-1), Object.entries([s]), a.with?.(0, s)];
  },
  holesAndLength: (s) => { const a = []; a[3] = s; a.length = 5; a.foo = 'prop'; a['1'] = 'one'; a[-1] = 'neg'; return [a, a.length, Object.keys(a), a.length = 2, a, JSON.stringify(a), a.push(1, 2), a.unshift(0), a.shift(), a.pop(), delete a[0], a]; },
  spreads: (s) => [[...s, ...[1], ...new Set([2])], { ...s, ...[9], ...null, ...{ a: 1 }, a: 2 }, Math.max(...[1, 2], ...[s.length]), ((...a) => a.length)(...s, ...s), new Array(...[1, 2, s]), [...(s ? ['yes'] : []), ...(s ? [] : ['no'])], { ...(s && { s }), ...(!s && { none: 1 }) }, new Date(...[2020, 0, 1]).getFullYear(), String.raw(...[{ raw: ['a', 'b'] }, s])],
  typedArrays: (s) => { const b = new ArrayBuffer(8), v = new DataView(b), u = new Uint8Array(b); v.setInt16(1, -2); v.setFloat32(4, 1.5, true); u[0] = 300; return [[...u], u.subarray(1, 3).length, Uint8Array.from(s, (c) => c.charCodeAt(0)).join(), new Float64Array([1, s.length])[1], u.map((x) => x * 2)[1], Array.from(u.entries()).length, new Uint8ClampedArray([300, -5]).join(), BigInt64Array.of(5n)[0], u.slice(0, 2) instanceof Uint8Array, b.slice(2).byteLength, u.toString(), Object.keys(u).length]; },
  notIterable: (s) => {
    const o = { a: { b: 5 }, n: 1, s, f() { return 1; } }, f = (...a) => a.length, u = undefined, nul = null;
    counted[s] = last = s.length;
    return [
      () => { for (const x of o.a) x; }, () => { for (const x of o.s.length) x; }, () => { for (const x of o[s]) x; }, () => { for (const x of last) x; }, () => { for (const x of counted[s]) x; },
      () => { for (const x of f()) x; }, () => { for (const x of o.f()) x; }, () => { for (const x of o.f().g) x; }, () => { for (const x of s ? 1 : 2) x; }, () => { for (const x of o.a || s) x; },
      () => { for (const x of new Date(0)) x; }, () => { for (const x of s.length + 1 - 0) x; }, () => { for (const x of o.n = 5) x; }, () => { for (const x of o.n++) x; }, () => { for (const x of null) x; },
      () => { for (const x of function () {}) x; }, () => { for (const x of {}) x; }, () => { for (const x of 5) x; }, () => { for (const x of -s) x; }, () => { for (const x of [1, o].length) x; },
      () => [...o.a], () => [1, ...o.zz], () => [...u], () => [...last], () => [...o[s]], () => [...f()], () => [...o.f()],
      () => f(...o.a), () => f(...u), () => f(...o.zz), () => f(...o[s]), () => f(...last), () => f(...o.zz, 1), () => new Date(...nul), () => Math.max(...o.a.b),
      () => { const [a] = o.a; return a; }, () => { const [a] = o.zz; return a; }, () => { const [a] = u; return a; }, () => { const [a] = f(); return a; }, () => { const [a] = o.f(); return a; }, () => { const [a] = o[s]; return a; }, () => { const [a] = null; return a; },
      () => { let a; [a] = o.a; return a; }, () => { let a; [a] = u; return a; }, () => { const [[a]] = [1]; return a; }, () => (([a]) => a)(o),
      () => [...(function* () { yield* o.zz; })()], () => [...(function* () { yield* u; })()], () => [...(function* () { yield* f(); })()], () => new Map(5), () => Object.fromEntries([5]), () => Array.from({ length: 1 }).length,
    ].map((g) => { try { return g(); } catch (e) { return e.name + ': ' + e.message; } });
  },
};

'use strict';
// Async functions, promises and their combinators.
const { inspect } = require('util');
const wait = (v, ms = 1) => new Promise((resolve) => setTimeout(resolve, ms, v));
const fail = (m) => new Promise((_, reject) => setImmediate(() => reject(new Error(m))));

module.exports = {
  // What cannot be gone over is called as the source calls it.
  notAsyncIterable: async (s) => {
    const out = [];
    const o = { a: 1, b: { c: 2 }, f() {} };
    const tries = [
      async () => { for await (const x of null); },
      async () => { for await (const x of o.b.c); },
      async () => { for await (const x of {}); },
      async () => { for await (const x of o && o.b); },
      async () => { for await (const x of await s.length); },
      async () => { for await (const x of { [Symbol.asyncIterator]: 5 }); },
      async () => { for await (const x of { [Symbol.iterator]: 5 }); },
      async () => { for await (const x of o['a']); },
      async () => { for await (const x of o[s]); },
      async () => { for await (const x of [s, Promise.resolve(1)]) out.push(x); },
    ];
    for (const f of tries) await f().catch((e) => out.push(e.name, e.message));
    return out;
  },
  asyncGeneratorObjects: async (s) => {
    const i = (async function* g() { yield s; })();
    return [inspect(i), Object.keys(i), Symbol.asyncIterator in i, i[Symbol.asyncIterator]() === i, String(i), JSON.stringify(i), await i.next(), i.next.length];
  },
  awaits: async (s) => {
    const out = [];
    const f = async (x) => { out.push('in ' + x); const y = await x; out.push('out ' + y); return y; };
    const p = f(s);
    out.push('sync');
    await Promise.all([p, f(wait(2)), f(1)]);
    return out;
  },
  awaitEverywhere: async (s) => {
    const v = async (x) => x;
    const o = { [await v('k')]: await v(s), ...(await v({ m: 1 })), f: async () => await v(2) };
    const a = [await v(1), ...(await v([2, 3]))], { b = await v('default') } = await v({}), [c = await v(s)] = await v([]);
    let n = 1;
    n += await v(2);
    o.k += await v('!');
    o[await v('z')] ??= await v('assigned');
    return [o.k, o.m, await o.f(), a, b, c, n, o.z, `${await v(1)}${await v(s)}`, (await v(1)) && (await v(2)), (await v(0)) || (await v(3)), (await v(s)) ? await v(4) : await v(5), await (await v(v))(6), await await v(7), typeof (await v(s)), !(await v(0)), (await v({ g() { return this === undefined ? 'lost' : 'kept'; } })).g(), await Promise.all([v(1), 2].map(async (x) => (await x) * 2)), (await v([1])).length, (await v(null))?.x, new (await v(Date))(0).getTime(), await (async () => { throw 5; })().catch((e) => e)];
  },
  loops: async (s) => {
    const out = [];
    for (let i = 0; i < (await wait(3)); i++) { if (i === (await wait(1))) continue; out.push(() => i); }
    let n = 3;
    while (await wait(n--)) out.push(() => n);
    do { out.push(() => 'do'); } while (await wait(false));
    for (const k in await wait({ a: 1, b: 2 })) { await null; out.push(() => k + s); }
    for (const x of await wait([1, s])) { await wait(); out.push(() => x); }
    o: for (const x of [1, 2]) for (const y of [1, 2]) { await null; if (y === 2) continue o; out.push(() => [x, y]); }
    switch (await wait(s)) { case await wait('zz'): out.push(() => 'zz'); break; default: await null; out.push(() => 'default'); }
    return out.map((f) => f());
  },
  finallyAwait: async (s) => {
    const out = [];
    const f = async (how) => { try { await null; if (how === 'throw') throw new Error(s); if (how === 'return') return await wait('r'); out.push('through'); } catch (e) { await null; out.push('caught ' + e.message); if (how === 'throw') return 'from catch'; } finally { await wait(); out.push('finally ' + how); } return 'end'; };
    return [await f('throw'), await f('return'), await f('pass'), out];
  },
  finallyReturns: async (s) => { const f = async () => { try { await fail(s); } finally { return 'swallowed'; } }; const g = async () => { for (;;) { try { return await wait(1); } finally { await null; break; } } return 'broke'; }; return [await f(), await g()]; },
  rejections: async (s) => {
    const out = [];
    const t = async (p) => { try { out.push(await p()); } catch (e) { out.push('caught', e && e.message, e instanceof Error); } };
    await t(() => fail(s)); await t(async () => { throw new TypeError(s); }); await t(() => Promise.reject(s)); await t(() => Promise.reject()); await t(async () => null.x); await t(() => new Promise(() => { throw new Error('in executor'); })); await t(() => Promise.resolve().then(() => undefinedName)); await t(async () => { return fail('returned'); }); await t(async () => { await fail('awaited'); }); await t(async (a = await1()) => a); await t(() => Promise.reject(new Error(s)).finally(() => 1)); await t(() => Promise.resolve(1).finally(() => { throw new Error('finally'); })); await t(() => Promise.reject(new Error('a')).catch((e) => { throw new Error(e.message + 'b'); }));
    return out;
  },
  all: async (s) => {
    const out = [await Promise.all([1, wait(s), { then: (f) => f('thenable') }]), await Promise.all([]), await Promise.all('ab'), await Promise.all(new Set([wait(1)]))];
    try { await Promise.all([wait(1), fail('all ' + s), fail('later')]); } catch (e) { out.push(e.message); }
    try { await Promise.all(5); } catch (e) { out.push(e.name, e.message); }
    return out;
  },
  allSettled: async (s) => (await Promise.allSettled([wait(s), fail(s), 3, Promise.reject(4)])).map((r) => [r.status, r.value, r.reason && (r.reason.message || r.reason), Object.keys(r)]),
  race: async (s) => {
    const out = [await Promise.race([wait('slow', 20), s, wait('fast')]), await Promise.race([fail('f').catch((e) => e.message), wait(1, 30)])];
    try { await Promise.race([Promise.reject(new Error(s)), wait(1)]); } catch (e) { out.push(e.message); }
    return out;
  },
  any: async (s) => {
    const out = [await Promise.any([fail('x'), wait(s)]), await Promise.any([Promise.reject(1), 2])];
    try { await Promise.any([fail('x'), Promise.reject(s)]); } catch (e) { out.push(e.name, e.message, e.errors.map((x) => x.message || x)); }
    try { await Promise.any([]); } catch (e) { out.push(e.errors.length, e.message); }
    return out;
  },
  chains: async (s) => [
    await Promise.resolve(s).then((v) => v + 1).then((v) => wait(v + 2)).then((v) => { throw new Error(v); }).then(() => 'never').catch((e) => e.message).finally(() => 'ignored').then((v) => v + '!'),
    await Promise.resolve(s).then(5).then(null, 6).then(),
    await Promise.reject(s).then(() => 1, (e) => e + '2').then((v) => v + 3),
    await new Promise((r) => r(new Promise((q) => q(wait(s))))),
    await Promise.resolve(Promise.resolve(s)),
    await Promise.resolve({ then(r) { r(s); } }),
    await Promise.resolve({ get then() { throw new Error('getter'); } }).catch((e) => e.message),
    await new Promise((r, j) => { r(1); j(2); r(3); throw 4; }),
  ],
  selfResolution: async () => { let r; const p = new Promise((f) => (r = f)); r(p); try { await p; } catch (e) { return [e.name, e.message]; } return 'no'; },
  thenables: async (s) => {
    const out = [];
    class Lazy { constructor(v) { this.v = v; } then(ok, no) { out.push('then called'); return Promise.resolve(this.v).then(ok, no); } }
    out.push(await new Lazy(s), await Promise.all([new Lazy(1)]));
    const f = async () => new Lazy(2);
    out.push(await f());
    try { await { then(a, b) { b(new Error('no')); } }; } catch (e) { out.push(e.message); }
    try { await { then() { throw new Error('thrown'); } }; } catch (e) { out.push(e.message); }
    out.push(typeof (await { then: 5 }).then);
    return out;
  },
  mapLimit: async (s) => {
    const out = [];
    const limit = async (n, list, f) => { const it = list.entries(), res = []; await Promise.all(Array.from({ length: n }, async () => { for (const [i, x] of it) res[i] = await f(x); })); return res; };
    const r = await limit(2, [3, 1, 2, s], async (x) => { out.push('begin ' + x); await null; out.push('end ' + x); return x + 'r'; });
    return [r, out];
  },
  sequence: (s) => [1, s, 3].reduce((p, x) => p.then(async (acc) => [...acc, await wait(x)]), Promise.resolve([])),
  retry: async (s) => { let n = 0; const f = async () => { if (++n < 3) throw new Error('try ' + n); return s + n; }; for (;;) try { return await f(); } catch (e) { if (n > 5) throw e; await wait(); } },
  timeout: async (s) => { const t = (p, ms) => { let h; return Promise.race([p, new Promise((_, j) => (h = setTimeout(() => j(new Error('timed out')), ms)))]).finally(() => clearTimeout(h)); }; const out = [await t(wait(s), 500)]; try { await t(new Promise(() => {}), 2); } catch (e) { out.push(e.message); } return out; },
  deferred: async (s) => { const d = {}; d.promise = new Promise((resolve, reject) => Object.assign(d, { resolve, reject })); setImmediate(() => d.resolve(s)); const w = []; for (let i = 0; i < 3; i++) d.promise.then((v) => w.push(v + i)); await d.promise; await null; return w; },
  mutex: async (s) => { let tail = Promise.resolve(), n = 0; const out = []; const locked = (f) => { const r = tail.then(f); tail = r.catch(() => {}); return r; }; await Promise.allSettled([1, 2, 3].map((i) => locked(async () => { const k = n; await wait(); n = k + 1; out.push(i + s); if (i === 2) throw i; }))); return [n, out]; },
  thisAndArguments: async function (s) { const o = { v: s, async m() { await null; return [this.v, arguments.length, arguments[0], (() => this.v + arguments[1])()]; } }; async function f() { await 1; return [arguments.length, typeof this]; } return [await o.m('a', 'b'), await f(1, 2, 3)]; },
  callbacks: async (s) => { const { promisify } = require('util'); const old = (x, cb) => setImmediate(() => (x ? cb(null, x + '!') : cb(new Error('empty')))); const p = promisify(old); return [await p('x' + s), await p('').catch((e) => e.message)]; },
  closuresAcrossAwait: async (s) => { let n = 0; const fs = []; for (let i = 0; i < 3; i++) { await null; fs.push(async () => { const k = i; await null; n += k; return k + s; }); } return [await Promise.all(fs.map((f) => f())), n]; },
  asyncArrows: async (s) => { const f = async x => x, g = async (x) => ({ x }), h = async ({ x = s } = {}, ...r) => [x, r], async = (x) => x; return [await f(1), await g(s), await h(), async(5), await (async () => {})(), await h({ x: 1 }, 2, 3)]; },
  asyncMethods: async (s) => { const o = { async a() { return s; }, async *b() { yield s; }, async ['c' + 1]() { return 'c'; }, async() { return 'named async'; }, get: async () => 'get', async get1() { return 1; }, async 5() { return 5; }, await: 1 }; return [await o.a(), (await o.b().next()).value, await o.c1(), o.async(), await o.get(), await o.get1(), await o[5](), o.await]; },
  parameterErrors: async (s) => { const f = async (a = (() => { throw new Error(s); })()) => a; const p = f(); const g = async ({ x }) => x; return [await p.catch((e) => e.message), await g(null).catch((e) => e.name)]; },
  lateCatch: async (s) => { const p = Promise.reject(new Error(s)); p.catch(() => {}); await wait(); return p.catch((e) => e.message); },
  constructors: async (s) => { class A { constructor(v) { this.v = v; this.ready = this.init(); } async init() { await wait(); this.v += '!'; return this; } static async make(v) { const a = new A(v); await a.ready; return a; } } return (await A.make(s)).v; },
  thenReadOnce: async (s) => {
    const out = [];
    const once = (o, name) => { let reads = 0; return Object.defineProperty(o, 'then', { get() { out.push(name + ++reads); return reads % 2 ? undefined : (ok) => setTimeout(ok, 1, s); } }); };
    const o = once({ s }, 'o'), f = async () => o;
    out.push((await o) === o, await o, await Promise.resolve().then(() => o) === o, await f());
    out.push((await new Promise((ok) => ok(o))) === o, (await Promise.all([0, Promise.resolve(1).finally(() => 0)])).length, (await Promise.race([o])) === s);
    out.push(await Promise.resolve(once(() => 0, 'f')).then((g) => g()), (await Promise.allSettled([Object.create(once({}, 'p'))]))[0].status);
    const seen = [], p = new Proxy({ s }, { get: (t, k) => (seen.push(String(k)), t[k]) });
    out.push((await p) === p, await Promise.resolve(p).then((q) => q.s), (await (async () => p)()) === p, seen);
    return out;
  },
  // As avvio's instances, and so Fastify's: who awaits one gets it when what is loading has loaded.
  awaitsInstance: async (s) => {
    let wrap = true, loaded = 0;
    const instance = { use: () => (loaded--, instance) };
    Object.defineProperty(instance, 'then', { get() { if (!wrap) { wrap = true; return; } return (ok) => Promise.resolve().then(() => setTimeout(() => { loaded += 2; wrap = false; ok(instance); }, 1)); } });
    for (const _ of s) await instance.use();
    return [(await instance) === instance, loaded];
  },
  printsPromises: async (s) => {
    const failed = Promise.reject(new Error(s));
    console.log(Promise.resolve(s), [new Promise(() => {})], { a: failed }, new Map([[s, 1]]).entries());
    return failed.catch((e) => e.message);
  },
};

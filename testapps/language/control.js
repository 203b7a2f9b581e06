'use strict';
// Control flow: labels, switch, exceptions through finally, loops left early.
module.exports = {
  // Strict code makes no variable, even if several requests try.
  undeclared: (s) => { const out = []; try { neverDeclared = s; } catch (e) { out.push(e.name, e.message); } return [out, typeof neverDeclared, 'neverDeclared' in globalThis]; },
  // What is assigned to a constant is made all the same, and nothing comes after it.
  constants: async (s) => {
    const out = [], c = s, t = (f) => { try { out.push(f()); } catch (e) { out.push([e.name, e.message]); } };
    t(() => { c = out.push('made'); }); t(() => { c++; }); t(() => { c += { toString() { out.push('read'); return s; } }; }); t(() => { [c] = [1]; }); t(() => { ({ c } = {}); });
    t(() => { ({ c = 2, ...out[0] } = {}); }); t(() => { ({ a: c } = { a: s }); }); t(() => { for (c of [1]); }); t(() => { for (c in {}); return 'none'; }); t(() => { for (c of []); return 'none'; });
    t(() => { for (const i = 0; i < 3; i++) out.push('once'); }); t(() => { c ||= 3; return 'tried'; }); t(() => { c ??= 3; return c; }); t(() => { c &&= 3; return 'tried'; });
    t(() => { d = s; const d = 1; }); t(() => { class K { static m() { K = s; } } K.m(); }); t(() => { const L = class M { m() { M = s; } }; new L().m(); });
    t(() => { const e = 1
      e = 2 }); t(() => { const n = { f() { n = 1; } }; n.f(); }); t(() => (function f() { f = s; return typeof f; })()); await (async () => { c = await 1; })().catch((e) => out.push(e.message));
    return [out, c];
  },
  labels: (s) => {
    const out = [];
    outer: for (let i = 0; i < 3; i++) {
      inner: for (let j = 0; j < 3; j++) {
        if (j === 1) continue outer;
        if (i === 2) break outer;
        out.push([i, j]);
        { if (s === 'never') break inner; }
      }
    }
    block: { out.push('in'); if (s !== 'never') break block; out.push('never'); }
    a: b: c: for (;;) break b;
    l: if (s) { break l; }
    d: do { for (;;) continue d; } while (out.push('d') < 6);
    w: while (true) { switch (s) { default: break w; } }
    return out;
  },
  finallyOrder: (s) => {
    const out = [];
    const f = (how) => { try { out.push('try ' + how); if (how === 'throw') throw new Error(s); if (how === 'return') return 'returned'; } catch (e) { out.push('catch ' + e.message); if (how === 'rethrow') throw e; return 'caught'; } finally { out.push('finally ' + how); } return 'end'; };
    return [f('throw'), f('return'), f('pass'), out];
  },
  finallyOverrides: (s) => {
    const f = () => { try { return s; } finally { return 'finally'; } };
    const g = () => { try { throw new Error(s); } finally { return 'swallowed'; } };
    const h = () => { for (const x of [1, 2, 3]) { try { return x; } finally { if (x < 3) continue; else break; } } return 'after'; };
    const i = () => { let x = 1; try { return x; } finally { x = 2; } };
    const j = () => { l: try { return 1; } finally { break l; } return 'left'; };
    const k = () => { try { try { throw new Error('first'); } finally { throw new Error('second'); } } catch (e) { return e.message; } };
    return [f(), g(), h(), i(), j(), k()];
  },
  finallyInLoops: (s) => {
    const out = [];
    for (let i = 0; i < 4; i++) { try { if (i === 1) continue; if (i === 3) break; out.push(i); } finally { out.push('f' + i); } }
    o: for (const c of s + 'ab') { for (;;) { try { if (c === 'a') break o; continue o; } finally { out.push(c); } } }
    return out;
  },
  iteratorsClosed: (s) => {
    const out = [];
    const it = (n) => ({ [Symbol.iterator]() { let i = 0; return { next: () => ({ value: i++, done: i > n }), return(v) { out.push('return ' + n); return { done: true, value: v }; } }; } });
    for (const x of it(5)) if (x === 1) break;
    for (const x of it(2)) out.push(x);
    (() => { for (const x of it(7)) return x; })();
    try { for (const x of it(9)) throw new Error(s); } catch (e) { out.push(e.message); }
    l: for (const a of it(3)) for (const b of it(4)) continue l;
    const [p] = it(6);
    const [...q] = it(2);
    return [out, p, q];
  },
  returnThrows: (s) => {
    const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { throw new Error('return'); } }) };
    const out = [];
    try { for (const x of it) break; } catch (e) { out.push(e.message); }
    try { for (const x of it) throw new Error(s); } catch (e) { out.push(e.message); }
    try { const [a] = it; } catch (e) { out.push(e.message); }
    const bad = { [Symbol.iterator]: () => ({ next: () => 5 }) };
    try { for (const x of bad); } catch (e) { out.push(e.message); }
    try { for (const x of { [Symbol.iterator]: () => 5 }); } catch (e) { out.push(e.message); }
    try { for (const x of { [Symbol.iterator]: 5 }); } catch (e) { out.push(e.message); }
    return out;
  },
  switches: (s) => {
    const f = (x) => { const out = []; switch (x) { case 1: out.push(1); case '1': out.push('1'); break; default: out.push('d'); case 2: { let y = x; out.push(y); break; } case NaN: out.push('never'); case (out.push('asked'), 7): out.push(7); } return out; };
    const g = (x) => { switch (true) { case x > 5: return 'big'; case x > 2: return 'mid'; default: return 'small'; } };
    const h = (x) => { switch (typeof x) { case 'string': return x.length; case 'object': return Object.keys(x); } return 'none'; };
    const i = () => { for (const x of [1, 2, 3]) { switch (x) { case 2: continue; case 3: return 'three'; } } };
    switch (s) {}
    switch (s) { case s: function inner() { return 'hoisted'; } }
    return [f(1), f('1'), f(2), f(NaN), f(7), f(s), g(s.length), h(s), h({ s }), h(1), i()];
  },
  loops: (s) => {
    const out = [];
    let i = 0;
    do { out.push(i); if (i === 2) continue; } while (i++ < 3);
    while (i--) { if (i % 2) continue; out.push(i); }
    for (let a = 0, b = s.length; a < b; a++, b--) out.push([a, b]);
    for (const k in 'ab') out.push(k);
    for (const k in [7, 8]) out.push(k);
    for (const k in null) out.push('never');
    for (const k in Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true }, hidden: { value: 1 } })) out.push(k);
    const o = { a: 1, b: 2, c: 3, 2: 0, 1: 0 };
    for (const k in o) { out.push(k); delete o.b; o.d = 1; }
    for (const x of [1, 2, 3].entries()) out.push(x);
    const grow = [1];
    for (const x of grow) { if (grow.length < 4) grow.push(x + 1); out.push(x); }
    for (var v = 0; v < 2; v++);
    for (;;) { if (v++ > 3) break; }
    return [out, v];
  },
  nestedTry: (s) => {
    const out = [];
    try { try { throw new TypeError(s); } catch (e) { if (!(e instanceof RangeError)) throw Object.assign(e, { more: 1 }); } finally { out.push('inner'); } } catch ({ name, message, more }) { out.push(name, message, more); } finally { out.push('outer'); }
    try { throw undefined; } catch (e) { out.push(e === undefined); }
    try { throw null; } catch { out.push('no binding'); }
    try { throw s; } catch (e) { var e = 5; out.push(e); }
    out.push(e);
    return out;
  },
  errorKinds: (s) => {
    const e = new Error(s, { cause: 'c' }), a = new AggregateError([new Error('1'), 2], 'agg'), d = Error('called');
    return [e.cause, a.errors.length, a.message, a.name, d instanceof Error, Object.keys(e), 'cause' in d, JSON.stringify(e), String(new RangeError()), `${new TypeError(s)}`, Object.prototype.toString.call(a), e.toString(), Error.prototype.toString.call({ name: 'N', message: s }), typeof Error.captureStackTrace, Error.prototype.hasOwnProperty('message')];
  },
  throwInGetter: (s) => { const o = { get x() { throw new Error(s); }, set x(v) { throw new RangeError(v); } }; const out = []; try { o.x; } catch (e) { out.push(e.message); } try { o.x = 'v'; } catch (e) { out.push(e.name, e.message); } try { ({ ...o }); } catch (e) { out.push(e.message); } try { o.x += 1; } catch (e) { out.push(e.message); } return out; },
  conditions: (s) => [s ? 1 : 2, !s, !!s, s && 1, s || 1, s ?? 1, s === '' ? 'e' : s < 'm' ? 'low' : 'high', (s, 1), typeof s === 'string' && s.length > 2, [] + {}, [] == false, null >= 0, undefined == null, NaN !== NaN, '2' > '12', 2 > '12', -0 === 0, 1 < 2 < 3, 3 > 2 > 1, 'b' + 'a' + +'a' + 'a'],
  unicodeEscapes: (s) => { const \u0061bc = s, ünï = 1, $ = 2, _ = 3, 变量 = 4; return [abc, ünï, $, _, 变量, '\u{1F600}', '\x41', 'a\
b']; },
};

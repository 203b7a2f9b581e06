//// message board
const board = new Map(); function post(date, message, readable) { board.set(date, { message, readable }); return `set ${date}`; }
function get(date, today) { const e = board.get(date); if (e === undefined || (!e.readable && date !== today)) return `No message for ${date}`; return `${date}: ${e.message}`; }
print(post('a', 'hello', true), post('b', 'secret', false), get('a', 'x'), get('b', 'x'), get('b', 'b'), get('c', 'c'), board.size);

//// event emitter
function Emitter() { this.handlers = Object.create(null); }
Emitter.prototype.on = function (n, f) { (this.handlers[n] = this.handlers[n] || []).push(f); return this; };
Emitter.prototype.once = function (n, f) { const self = this; return this.on(n, function g(...a) { self.handlers[n].splice(self.handlers[n].indexOf(g), 1); f.apply(this, a); }); };
Emitter.prototype.emit = function (n) { const l = this.handlers[n]; if (!l) return false; for (let i = 0, c = l.slice(); i < c.length; i++) c[i].apply(this, [].slice.call(arguments, 1)); return true; };
const e = new Emitter(); e.on('x', (...a) => print('first', a)).once('x', function (v) { print('once', v, this === e); }); print(e.emit('x', 1, 2), e.emit('x', 3), e.emit('y'));
class Loud extends Emitter { constructor() { super(); this.on('x', (v) => { this.last = v; }); } on(n, f) { print('on', n); return super.on(n, f); } } const l = new Loud(); l.emit('x', 9); print(l.last);

//// router with next
const stack = []; const use = (path, ...fns) => { for (const f of fns) stack.push({ path, f }); };
function handle(req, res, i = 0) { let idx = i; const next = (err) => { for (;;) { const layer = stack[idx++]; if (!layer) return print('end', err && err.message); if (layer.path !== undefined && !req.url.startsWith(layer.path)) continue; if (err ? layer.f.length !== 4 : layer.f.length === 4) continue; try { return err ? layer.f(err, req, res, next) : layer.f(req, res, next); } catch (e) { err = e; } } }; next(); }
use(undefined, (q, r, n) => { r.log = [q.url]; n(); }); use('/a', (q, r, n) => { r.log.push('a'); n(); }, (q, r) => { r.log.push('done'); print(r.log); }); use('/err', () => { throw new Error('boom'); }); use(undefined, (e, q, r, n) => { print('handler', e.message, r.log); n(e); });
handle({ url: '/a/b' }, {}); handle({ url: '/err' }, {}); handle({ url: '/none' }, {});

//// query string
function parse(q) { const out = Object.create(null); for (const part of q.split('&')) { if (!part) continue; const i = part.indexOf('='); let k = i < 0 ? part : part.slice(0, i), v = i < 0 ? '' : part.slice(i + 1); try { k = decodeURIComponent(k.replace(/\+/g, ' ')); v = decodeURIComponent(v.replace(/\+/g, ' ')); } catch { v = 'bad'; } if (k in out) { if (Array.isArray(out[k])) out[k].push(v); else out[k] = [out[k], v]; } else out[k] = v; } return { ...out }; }
print(parse('a=1&b=2&a=3&a=4&c&d=%zz&e=x+y&=q&__proto__=p'));

//// tokenizer and json
function json(s) { let i = 0; const err = () => { throw new SyntaxError(`at ${i}`); }; const ws = () => { while (' \n\t'.includes(s[i]) && i < s.length) i++; }; function value() { ws(); const c = s[i]; if (c === '{') { const o = {}; i++; ws(); if (s[i] === '}') { i++; return o; } for (;;) { ws(); const k = str(); ws(); if (s[i++] !== ':') err(); o[k] = value(); ws(); if (s[i] === ',') { i++; continue; } if (s[i++] === '}') return o; err(); } } if (c === '[') { const a = []; i++; ws(); if (s[i] === ']') { i++; return a; } do { a.push(value()); ws(); } while (s[i++] === ','); if (s[i - 1] !== ']') err(); return a; } if (c === '"') return str(); for (const [t, v] of [['true', true], ['false', false], ['null', null]]) if (s.startsWith(t, i)) { i += t.length; return v; } const m = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(s.slice(i)); if (!m) err(); i += m[0].length; return +m[0]; } function str() { if (s[i] !== '"') err(); let out = ''; for (i++; s[i] !== '"'; i++) { if (i >= s.length) err(); if (s[i] === '\\') { const e = s[++i]; out += e === 'u' ? String.fromCharCode(parseInt(s.substr((i += 4) - 3, 4), 16)) : { n: '\n', t: '\t' }[e] || e; } else out += s[i]; } i++; return out; } const v = value(); ws(); if (i < s.length) err(); return v; }
const text = '{"a": [1, -2.5e1, true, null, {"b": "x\\n\\u0041\\""}], "c": {}, "d": []}'; print(json(text), JSON.stringify(json(text)) === JSON.stringify(JSON.parse(text))); for (const bad of ['{', '[1,', '"a', '{"a" 1}', 'tru', '1 2']) try { print(json(bad)); } catch (e) { print(e.name, e.message); }

//// template engine
const compile = (t) => { const parts = t.split(/{{(.*?)}}/); return (ctx) => parts.map((p, i) => { if (i % 2 === 0) return p; const [path, ...filters] = p.split('|').map((x) => x.trim()); let v = path.split('.').reduce((o, k) => o == null ? o : o[k], ctx); for (const f of filters) v = ({ upper: (s) => s.toUpperCase(), len: (s) => s.length })[f](v); return v ?? ''; }).join(''); };
print(compile('Hi {{user.name|upper}}, {{ items.length }} items: {{items.1}} {{none.x}}{{user.name|len}}')({ user: { name: 'bob' }, items: ['a', 'b'] }));

//// lru cache
class LRU { constructor(n) { this.n = n; this.m = new Map(); } get(k) { if (!this.m.has(k)) return -1; const v = this.m.get(k); this.m.delete(k); this.m.set(k, v); return v; } set(k, v) { this.m.delete(k); this.m.set(k, v); if (this.m.size > this.n) this.m.delete(this.m.keys().next().value); return this; } get keys() { return [...this.m.keys()]; } }
const c = new LRU(2).set('a', 1).set('b', 2); print(c.get('a'), c.set('c', 3).keys, c.get('b'));

//// linked list and tree
class Node { constructor(v, next = null) { this.v = v; this.next = next; } *[Symbol.iterator]() { for (let n = this; n; n = n.next) yield n.v; } static of(...vs) { return vs.reduceRight((n, v) => new Node(v, n), null); } reverse() { let p = null, n = this; while (n) [n.next, p, n] = [p, n, n.next]; return p; } } print([...Node.of(1, 2, 3)], [...Node.of(1, 2, 3).reverse()]);
const insert = (t, v) => { if (!t) return { v, l: null, r: null }; t[v < t.v ? 'l' : 'r'] = insert(t[v < t.v ? 'l' : 'r'], v); return t; }; function* walk(t) { if (t) { yield* walk(t.l); yield t.v; yield* walk(t.r); } } print([...walk([5, 2, 8, 1, 9].reduce(insert, null))]);

//// async queue
const sleep = () => new Promise((r) => setTimeout(r, 0)); class Queue { constructor(n) { this.n = n; this.running = 0; this.q = []; } add(f) { return new Promise((res, rej) => { this.q.push({ f, res, rej }); this.pump(); }); } async pump() { while (this.running < this.n && this.q.length) { const { f, res, rej } = this.q.shift(); this.running++; try { res(await f()); } catch (e) { rej(e); } finally { this.running--; } } } }
const q = new Queue(1), log = []; Promise.all([1, 2, 3].map((x) => q.add(async () => { log.push('s' + x); await sleep(); log.push('e' + x); if (x === 2) throw new Error('two'); return x; }).catch((e) => e.message))).then((r) => print(r, log));

//// promise by hand
class P { constructor(f) { this.s = 0; this.cbs = []; const settle = (s) => (v) => { if (this.s) return; this.s = s; this.v = v; for (const c of this.cbs) c(); }; try { f(settle(1), settle(2)); } catch (e) { settle(2)(e); } } then(a, b) { return new P((res, rej) => { const run = () => setTimeout(() => { try { const f = this.s === 1 ? a : b; if (typeof f !== 'function') return (this.s === 1 ? res : rej)(this.v); res(f(this.v)); } catch (e) { rej(e); } }, 0); this.s ? run() : this.cbs.push(run); }); } } new P((r) => setTimeout(() => r(1), 1)).then((v) => v + 1).then((v) => { throw v; }).then(null, (e) => print('P', e)); (async () => print('thenable', await { then(r) { r(5); } }))();

//// state machine
const machine = (defs, state) => ({ get state() { return state; }, send(ev, ...args) { const t = defs[state]?.[ev]; switch (typeof t) { case 'string': state = t; break; case 'function': state = t(...args) ?? state; break; default: throw new RangeError(`${ev} in ${state}`); } return this; } });
const m = machine({ idle: { start: 'run', count: (n) => n > 2 ? 'run' : undefined }, run: { stop: 'idle' } }, 'idle'); print(m.send('count', 1).state, m.send('count', 3).state, m.send('stop').state); try { m.send('fly'); } catch (e) { print(e.message); }

//// mixins and symbols
const Ser = (B) => class extends B { toJSON() { return { ...super.toJSON?.(), type: this.constructor.name }; } }, Cmp = (B) => class extends B { [Symbol.toPrimitive](h) { return h === 'string' ? 'S' : this.v; } }; class Base { constructor(v) { this.v = v; } toJSON() { return { v: this.v }; } } class X extends Ser(Cmp(Base)) {} const x = new X(4); print(JSON.stringify(x), x + 1, `${x}`, x > 3, Object.getPrototypeOf(X.prototype) !== Base.prototype, x instanceof Base);

//// currying and composition
const curry = (f) => function g(...a) { return a.length >= f.length ? f.apply(this, a) : (...b) => g.apply(this, [...a, ...b]); }, compose = (...fs) => (x) => fs.reduceRight((v, f) => f(v), x), add = curry((a, b, c) => a + b + c); print(add(1)(2)(3), add(1, 2)(3), add(1)(2, 3), compose((x) => x + 1, (x) => x * 2)(5), [1, 2, 3].map(add(1, 1)));

//// date and number formatting
const pad = (n, w = 2) => String(n).padStart(w, '0'), d = new Date(Date.UTC(2020, 1, 29, 3, 4, 5)); print(`${d.getUTCFullYear()}-${pad(d.getUTCMonth() + 1)}-${pad(d.getUTCDate())}T${pad(d.getUTCHours())}`, d.toISOString(), (1234.5678).toFixed(2), (255).toString(16), parseInt('ff', 16), Number('0x1f'), +'' === 0, Number.MAX_SAFE_INTEGER, 0.1 + 0.2, (25).toString(36), 1e21 + '', -0 === 0, Object.is(-0, 0));

//// regular expressions
const re = /(\d+)-(?<w>\w+)/g, s = '1-a 22-bb'; let m2; while ((m2 = re.exec(s)) !== null) print(m2[0], m2[1], m2.groups.w, m2.index, re.lastIndex); print(s.replace(re, (all, n, w, off) => `${w}${n * 2}@${off}`), [...s.matchAll(/\w+/g)].map((x) => x[0]), s.split(/[\s-]/), /^[\w.]+@\w+\.\w{2,}$/.test('a.b@c.de'), 'aBc'.replace(/[A-Z]/, (c) => '_' + c.toLowerCase()), /(?<=\$)\d+/.exec('$42')[0], /a.c/s.test('a\nc'), 'x'.replace('x', '$&$&'));

//// error handling and causes
class HttpError extends Error { constructor(status, ...a) { super(...a); this.status = status; Error.captureStackTrace?.(this, HttpError); } get name() { return 'HttpError'; } } const wrap = (f) => (...a) => { try { return { ok: f(...a) }; } catch (e) { return { error: `${e}`, status: e.status ?? 500, cause: e.cause?.message }; } };
print(wrap(() => 1)(), wrap(() => { throw new HttpError(404, 'nope'); })(), wrap(() => { throw new Error('outer', { cause: new Error('inner') }); })(), wrap((x) => x.y.z)({}), wrap(() => { null.f(); })(), wrap(() => { throw 'str'; })(), new HttpError(1, 'm').stack.split('\n')[0]); try { try { throw 1; } finally { throw 2; } } catch (e) { print(e); } print((() => { try { return 'a'; } finally { print('f'); } })(), (() => { for (;;) { try { return 1; } finally { break; } } return 2; })());

//// sorting and grouping
const people = [{ n: 'a', age: 30 }, { n: 'b', age: 20 }, { n: 'c', age: 30 }]; const groupBy = (xs, k) => xs.reduce((g, x) => { (g[x[k]] ||= []).push(x.n); return g; }, {}); print(groupBy(people, 'age'), [...people].sort((x, y) => x.age - y.age || y.n.localeCompare(x.n)).map((p) => p.n)); const { a = 0, ...others } = people.reduce((m, { n, age }) => ({ ...m, [n]: age }), {}); print(a, others); const uniq = [...new Set(people.map((p) => p.age))]; print(uniq, Math.max(...uniq), Object.fromEntries(people.map((p) => [p.n, p.age])));

//// matrix and bits
const mul = (A, B) => A.map((r, i) => B[0].map((_, j) => r.reduce((s, _, k) => s + A[i][k] * B[k][j], 0))); print(mul([[1, 2], [3, 4]], [[0, 1], [1, 0]])); let h = 0x811c9dc5; for (const c of 'hash') { h ^= c.charCodeAt(0); h = Math.imul(h, 0x01000193); } print(h >>> 0, h | 0, ~~3.7, 1 << 31, 1 << 31 >>> 0, 5 & -5, 2 ** 31 | 0); let bits = []; for (let n = 37; n; n >>= 1) bits.unshift(n & 1); print(bits.join(''));

//// getters memo and freeze
const lazy = { get big() { print('computing'); Object.defineProperty(this, 'big', { value: 42 }); return this.big; } }; print(lazy.big, lazy.big); const fz = Object.freeze({ a: [1] }); fz.a[0] = 2; fz.b = 1; fz.a.push(3); print(fz, Object.isFrozen(fz)); (function () { 'use strict'; try { fz['c'] = 1; } catch (e) { print(e.message); } try { fz.a = 1; } catch (e) { print(e.message); } const sealed = Object.seal([1]); try { sealed[1] = 2; } catch (e) { print(e.message); } sealed[0] = 9; print(sealed); })(); const sl = Object.seal([1]); sl[1] = 2; sl[0]++; print(sl);

//// modules like the bundler's
var __commonJS = (cb, mod) => () => (mod || (0, cb[Object.keys(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports); var require_a = __commonJS({ 'a.js'(exports, module) { print('load a'); exports.n = 1; module.exports.inc = () => ++exports.n; } }), require_b = __commonJS({ 'b.js'(exports, module) { var a = require_a(); module.exports = { twice: () => a.inc() + a.inc(), get n() { return a.n; } }; } }); const b = require_b(); print(b.twice(), b.n, require_a().n, require_b() === b);

//// with many branches
function grade(n) { return n >= 90 ? 'A' : n >= 80 ? 'B' : n >= 70 ? 'C' : n > 0 && n < 60 || n === 0 ? 'F' : 'D'; } print([95, 85, 75, 65, 55, 0, -1].map(grade)); const fizz = (n) => n % 15 ? n % 5 ? n % 3 ? n : 'fizz' : 'buzz' : 'fizzbuzz'; print(Array.from({ length: 15 }, (_, i) => fizz(i + 1)).join(' ')); let out = []; for (let i = 0; i < 20; i++) { if (i % 2) continue; if (i > 15) break; switch (i % 6) { case 0: out.push('zero'); continue; case 2: out.push('two'); case 4: out.push('four'); break; } if (i === 8) out.push('eight'); else if (i === 10) { out.push('ten'); } else out.push(i); } print(out.join()); var a = 0 || null || '' || 'last', b2 = 1 && 'x' && 0 && 'never', c2 = null ?? undefined ?? 0 ?? 1; print(a, b2, c2);

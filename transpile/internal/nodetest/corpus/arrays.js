//// nested element access
const m = [[1, 2], [3, 4]]; let i = 0, j = 1;
print(m[i][j], m[j][i], m[m[i][i]][i], m[i++][i], i, [m[0], m[1]].map((r) => r[j]));
m[m[0][0]][m[0].length - 1] = m[0][m.length - 1] + m[1][0]; print(m);
print(m.map((r) => r.length), m[0][m[0].length - 1], m.length.toString().length);

//// swaps and shuffles
const a = [1, 2, 3, 4, 5];
[a[0], a[4]] = [a[4], a[0]]; print(a);
for (let i = a.length - 1; i > 0; i--) { const j = (i * 7) % (i + 1); [a[i], a[j]] = [a[j], a[i]]; } print(a);
const t = a[1]; a[1] = a[2]; a[2] = t; print(a);
[a[0], ...a[1]] = [9, 8, 7]; print(a); [[a[0]], { x: a[1] = 5 }] = [[1], {}]; print(a);
const o = { list: [] }; [o.list[0], o.list['1'], o['list'][2]] = 'xyz'; print(o);
let k = 0; [a[k++], a[k++]] = [a[k], a[k + 1]]; print(a, k);

//// temporaries across yields
function* g(a) { a[yield 'key'] = yield 'value'; a[0] += yield 'add'; a[yield 'k2']++; return [a[yield 'idx'], a.length, a[yield 'm'](yield 'arg')]; }
const it = g([1, 2, (x) => x * 2]); print(it.next().value, it.next(1).value, it.next(20).value, it.next(5).value, it.next(1).value, it.next(1).value, it.next(2).value, it.next(21));
const one = g([1]), two = g([2]); one.next(); two.next(); one.next(0); two.next(0); one.next('one'); two.next('two'); print(one.next(1).value, two.next(2).value);

//// temporaries and recursion
const memo = []; function fib(n) { return n < 2 ? n : memo[n] || (memo[n] = fib(n - 1) + fib(n - 2)); } print(fib(30), memo.length);
function depth(t) { return t.kids[t.kids.length - 1] ? 1 + depth(t.kids[t.kids.length - 1]) : 0; } print(depth({ kids: [{ kids: [{ kids: [] }] }] }));
function perm(a, n = a.length, out = []) { if (n === 1) out.push(a.join('')); for (let i = 0; i < n; i++) { perm(a, n - 1, out); const j = n % 2 ? 0 : i; [a[j], a[n - 1]] = [a[n - 1], a[j]]; if (n === 1) break; } return out; } print(perm([1, 2, 3]));
const rec = { v: [1, 2, 3], get(i) { return i < this.v.length ? this.v[i] + this.get(i + 1) : 0; } }; print(rec.get(0));
const q = (a) => a.length < 2 ? a : [...q(a.slice(1).filter((x) => x < a[0])), a[0], ...q(a.slice(1).filter((x) => x >= a[0]))]; print(q([3, 1, 4, 1, 5, 9, 2, 6]));

//// length
const a = [1, 2, 3]; a.length = 1; print(a, a.length); a.length += 2; print(a); a.length++; print(a.length, a.length--, --a.length); a.length = 0; print(a);
try { a.length = -1; } catch (e) { print(e.name, e.message); }
try { undefined.length; } catch (e) { print(e.message); } try { null.length = 1; } catch (e) { print(e.message); }
let n = null; try { n.length++; } catch (e) { print(e.message); } try { n[0]; } catch (e) { print(e.message); } try { n[0] = 1; } catch (e) { print(e.message); } try { n[(() => { throw new Error('key'); })()]; } catch (e) { print(e.message); }
print('abc'.length, (function (a, b) {}).length, { length: 5 }.length, [].length, new Map().length, (5).length);
const o = { get length() { return 7; }, set length(v) { print('set', v); } }; o.length += 1; o.length++; ++o.length; print(o.length);
const { length } = 'four'; const { length: l2, [0]: first } = [1]; print(length, l2, first); [a.length] = [3]; print(a); [a['length']] = [1]; print(a);
for (a.length of [2, 3]) print(a); ({ x: a.length = 4 } = {}); print(a.length); a.length ||= 9; a.length &&= 2; print(a.length);

//// keys of every kind
const s = Symbol('s'), k = { toString() { return 'tk'; } }, a = []; a[s] = 1; a[k] = 2; a['3'] = 3; a[1.5] = 4; a[-1] = 5; a[true] = 6; a[null] = 7; a[undefined] = 8; a[10n] = 9; a['length'] = 20; a[`x${1}`] = 10;
print(a[s], a[k], a[3], a[1.5], a[-1], a[true], a[null], a[undefined], a[10n], a.length, a.x1, Object.keys(a));
const f = () => 'dyn'; const o = { [f()]: 1, [1 + 1]: 2 }; o[f()] += 1; o[f()]++; o[f() + f()] = o[f()]; print(o, o['dyn'], o["dyn"], o[`dyn`], o[('dyn')]);
print('str'[1], 'str'['length'], 'str'[f()], (5)[f()], Symbol.iterator in a, [..."ab"][1], arguments_()); function arguments_() { return arguments[0] === undefined && arguments['length']; }

//// compound and update on elements
const a = [1, '2', 3n, undefined, null, 2.5], log = []; const t = (x) => { log.push(x); return x; };
a[t(0)] += t(1); a[1] += 1; a[2] **= 2n; a[3] += 1; a[4]++; a[5] %= 2; print(a, log);
print(a[0]++, ++a[0], a[1]++, a[1], a[2]++, a[2], --a[2], a[4]--, a[3]++, a[3]);
a[0] <<= 2; a[0] >>= 1; a[0] >>>= 1; a[0] |= 8; a[0] &= 12; a[0] ^= 1; a[0] -= 1; a[0] *= 3; a[0] /= 2; print(a[0]);
a[9] ||= 'or'; a[9] &&= 'and'; a[8] ??= 'nn'; a[8] ??= t('never'); print(a, log); let i = 0; a[i++] = a[i++] = i++; print(a[0], a[1], i);
const u = {}; u[t('n')] = u[t('m')] ??= t('v'); print(u, log); const fns = {}; fns['f'] = function () {}; fns[t('g')] = () => {}; fns[t('h')] ||= class {}; print([fns.f.name, fns.g.name, fns.h.name]);
let v = 1; const arr = [v, v = 2, v++, v]; arr[v] = arr[v = 0] = v; print(arr, v); let x = [1, 2], y = x; x[0] = (x = [9], 5); print(x, y); y[y.length] = y.length; print(y);
let p = 0; const w = [0, 0, 0]; w[p] = p = 2; print(w, p); w[p] += (p = 1, 10); print(w, p); w[p++] += p++; print(w, p);

//// calls of elements
const o = { n: 'o', 0() { return this.n; }, m() { return [this.n, ...arguments]; } }, k = 'm'; const fs = [function () { return this === fs; }, (x) => x];
print(o[0](), o[k](1, 2), o['m'](3), fs[0](), fs[1](5), (0, fs[0])(), o[k].call({ n: 'c' }), o[k].bind({ n: 'b' })(), o[k]`t${1}`.length, new (class { constructor(v) { this.v = v; } [k]() { return this.v; } })(4)[k]());
try { o['nope'](); } catch (e) { print(e.message); } try { o[k + 'x'](); } catch (e) { print(e.name); } try { fs[7](); } catch (e) { print(e.name); }
const K = { A: class { constructor(x) { this.x = x; } } }; print(new K['A'](1).x, new K[['A'][0]](2).x, new (K['A'].bind(null, 3))().x);
let c = 0; const get = () => { c++; return o; }; print(get()[k](c), c, get()[(c++, k)](c), c); const chain = { add(x) { this.v = (this.v || 0) + x; return this; } }; print(chain['add'](1)['add'](2).add(3).v);
const table = { add: (a, b) => a + b, sub: (a, b) => a - b }; print(['add', 'sub'].map((op) => table[op](5, 3)), Object.keys(table).reduce((acc, op) => table[op](acc, 1), 0));

//// in delete and for in on objects
const o = { a: 1, b: { c: 2 }, d: undefined }, key = 'b'; print('a' in o, 'zz' in o, key in o, 'd' in o, 'c' in o[key], !('a' in o), 0 in [1], 1 in [1], 'length' in []);
print(delete o.a, delete o[key].c, delete o['d'], delete o.none, o, delete [1][0]); const arr = [1, 2, 3]; delete arr[1]; print(arr, arr.length, 1 in arr);
for (const k in { x: 1, y: 2 }) { if (k in o) print('in'); o[k] = k; } print(o); for (const k in o) { delete o[k]; } print(o); for (const i in arr) print(typeof i, i, arr[i]);
for (const k in 'ab') print(k); for (const k in 5) print(k); for (const k in undefined) print(k); const p = Object.create({ inh: 1 }, { own: { value: 1, enumerable: true } }); for (const k in p) print(k, Object.prototype.hasOwnProperty.call(p, k));
try { 'x' in 5; } catch (e) { print(e.name, e.message); } try { delete null.x; } catch (e) { print(e.name); } (function () { 'use strict'; try { delete Object.freeze([1])[0]; } catch (e) { print(e.name); } })(); print(delete Object.freeze([1])[0]);
const target = {}; for (target['k'] in { q: 1 }) print(target); for (target[0] in { r: 1 }); print(target); const e = []; for (e[e.length] in { a: 1, b: 2, c: 3 }); print(e); for (e[e.length] of 'xy'); print(e);

//// array methods and iteration
const a = [5, 3, 8, 1]; print([...a].sort(), a.slice().reverse(), a.indexOf(8), a.findIndex((x) => x > 5), a.some((x, i) => a[i] > 7), a.every((x) => x), a.reduce((s, x, i) => s + a[i], 0), a.flatMap((x) => [x, x]).length);
for (const [i, x] of a.entries()) print(i, x); a.forEach((x, i, arr) => { arr[i] = x * 2; }); print(a, a.at(-1), a.splice(1, 2, 'x', 'y', 'z'), a, a.fill(0, 1, 2), a.copyWithin(0, 2));
print(Array.from(a.keys()), Object.entries(a).length, a.concat([1], 2, [[3]]).length, Array.isArray(a), a.includes(NaN), [1, [2, [3, [4]]]].flat(2), Array.of(7).length, [3, 20, 100].sort(), [, 1].map((x) => 2));
let i = 0; while (a.length) { a.pop(); i++; } print(i, a.length, a[0]); const stack = []; stack.push(1, 2); stack[stack.length] = 3; print(stack[stack.length - 1], stack.shift(), stack.unshift(0), stack);
const grid = Array.from({ length: 3 }, () => Array(3).fill(0)); for (let r = 0; r < grid.length; r++) for (let c = 0; c < grid[r].length; c++) grid[r][c] = r * grid.length + c; print(grid, grid.map((r) => r[r.length - 1]));

//// typed arrays and strings
const b = new Uint8Array(4); b[0] = 300; b[1]--; b[2] += 1.9; b[9] = 1; print(b[0], b[1], b[2], b[9], b.length, [...b]); const f = new Float64Array([1.5]); f[0] *= 2; print(f[0], f.length);
const s = 'héllo'; let out = ''; for (let i = 0; i < s.length; i++) out = s[i] + out; print(out, s[s.length - 1], s[99], s.at(-1), s.charCodeAt(1)); (function () { 'use strict'; try { s[0] = 'x'; } catch (e) { print(e.name); } })();
const counts = {}; for (const ch of 'mississippi') counts[ch] = (counts[ch] || 0) + 1; print(counts); const words = 'the cat the dog'.split(' '), idx = {}; for (let i = 0; i < words.length; i++) (idx[words[i]] = idx[words[i]] || []).push(i); print(idx);
const view = new DataView(new ArrayBuffer(8)); view.setInt16(0, -2); print(view.getUint8(0), view.byteLength); const map = new Map([[1, [2]]]); map.get(1)[0]++; print(map.get(1)[0], map.size);

//// parameter defaults with elements
function f(a, b = a[0], c = a.length, d = (a[1] = 9), e = a[b] + 1, g = a[0]++, h = () => a[2]) { return [b, c, d, e, g, h(), a]; } print(f([1, 2, 3]));
const g = ({ x = [7][0], y = 'abc'.length, ['z' + 1]: z = x in [1] } = {}) => [x, y, z]; print(g(), g({ x: 0, z1: 5 })); const h = (a, n = a.length ? a[a.length - 1] : 'none') => n; print(h([]), h([1, 2]));
function self(n, fn = (k) => k ? self(k - 1)[0] : n) { return [fn(n)]; } print(self(3)); class C { m(a, b = this[a], c = a in this) { return [b, c]; } } C.prototype.q = 5; print(new C().m('q')); function del(o, r = delete o.x) { return [o, r]; } print(del({ x: 1 }));

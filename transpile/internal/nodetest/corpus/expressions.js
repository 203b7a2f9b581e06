//// operators
print(1 + 2 * 3 - 4 / 2 % 3, 2 ** 3 ** 2, (-2) ** 2, 7 & 3 | 8 ^ 1, ~5, 1 << 3 >> 1 >>> 1, -1 >>> 28);
print(1 < 2 < 3, 3 > 2 > 1, 3 > (2 > 1), 1 == '1', 1 === '1', null == undefined, NaN != NaN, null !== undefined);
print('b' in { b: 1 }, [] instanceof Array, 'length' in [] in { true: 1 }, !1, !!'a', +'3', -'3', - -3, +-+3);
print(typeof undefinedVariable, typeof null, typeof 1n, typeof Symbol(), typeof print, void 0);
print('a' + 1 + 2, 1 + 2 + 'a', [] + {}, 1 + null, 'x' + undefined, 10n ** 20n, 7n / 2n);
let i = 1; print(i++ + ++i, i-- - --i, i, - --i, i+ +i, i - -i);
print(0 || 'a', '' ?? 'b', null ?? 'c', 0 && 'd', 1 && 2 || 3, 1 || 2 && 3, (null ?? 0) || 'e');
print((1, 2, 3), [(1, 2)], 1 ? 2 ? 'a' : 'b' : 'c', (0 ? 1 : 2) ? 3 : 4);

//// evaluation order
const log = [];
const t = (n, v) => { log.push(n); return v; };
const o = { get a() { log.push('get a'); return { b: 1, f(...x) { log.push(x); return this.b; } }; } };
t('obj', o).a.f(t(1, 1), t(2, 2));
t('o', [1, 2])[t('k', 1)] = t('v', 3);
t('o2', { x: 1 })[t('k2', 'x')] += t('v2', 3);
t('o3', { x: 1 })[{ toString() { log.push('tostring'); return 'x'; } }]++;
t('a') ? t('b') : t('c');
t('d', 0) || t('e', 1) && t('f', 2);
t('g', 1) + t('h', 2) * t('i', 3);
[t('j'), t('k'), ...t('l', [1])];
({ [t('m', 'x')]: t('n'), [t('o', 'y')]: t('p'), get [t('q', 'z')]() { return 1; } });
`${t('r')}${t('s')}`;
new (t('t', class { constructor(...a) { log.push(a.length); } }))(t('u'), ...t('v', [1, 2]));
const { [t('w', 'a')]: w = t('x', 1), ...rest } = t('y', { b: 2 });
const [y1 = t('z', 1), [y2 = t('aa', 2)] = t('bb', [])] = t('cc', []);
let z;
[t('dd', {}).p = t('ee', 1), { q: t('ff', {})[t('gg', 'r')] }] = t('hh', [undefined, { q: 1 }]);
delete t('ii', { x: 1 })[t('jj', 'x')];
t('kk', 'x') in t('ll', { x: 1 });
function def(a = t('mm', 1), { b = t('nn', a) } = t('oo', {})) { t('pp'); return a + b; }
def(); def(1, { b: 2 });
print(log);

//// member assignment
const o = { n: 1, a: [1, 2, 3], s: 'x', nested: { deep: { v: 1 } } };
o.n += 2; o.n -= 1; o.n *= 10; o.n /= 4; o.n %= 3; o.n **= 3; o.n <<= 2; o.n >>= 1; o.n >>>= 1; o.n |= 9; o.n &= 12; o.n ^= 5;
o.s += 'y'; o['s'] += 'z';
o.a[0]++; ++o.a[1]; o.a[2]--; --o.a[2]; print(o.a[0]++, ++o.a[0], o.a.length);
o.nested.deep.v ||= 5; o.nested.deep.w ||= 6; o.nested.deep.v &&= 7; o.nested.deep.z ??= 8; o.nested.deep.z ??= 9;
let k = 0; o.a[k++] += 10; o.a[k++] = k; print(k);
o.a.length = 2; o.a[4] = 'e'; print(o.a, o.a.length);
o.x = o.y = o['z'] = 4;
print(o);
let c = 5; c += c++ + ++c; print(c);
const acc = { get v() { print('get'); return 1; }, set v(x) { print('set', x); } };
print(acc.v++, ++acc.v, acc.v += 5, acc['v'] = 3);

//// calls and this
const o = { n: 1, f() { return this && this.n; }, ['g']() { return this.n; }, inner: { n: 2, f() { return this.n; } } };
print(o.f(), o['f'](), o.inner.f(), (o.f)(), (0, o.f)() === undefined, o['g']());
print((o.f || 0)() === undefined, (1 ? o.f : 0)() === undefined);
const tag = function (s, ...v) { return [this === o, s.raw.join('|'), v]; };
o.tag = tag;
print(o.tag`a${1}b${2}c`, tag`x\n`, o['tag']`y`);
print(new Date(0).getTime(), new (class { v = 3 })().v, new Array(3).length, new Map([[1, 2]]).get(1));
function F(a) { if (!new.target) return new F(a); this.a = a; }
print(F(1).a, new F(2).a, new F().a, new (F.bind(null, 3))().a);
function get() { return F; }
print(new (get())(4).a, new (get().prototype.constructor)(5).a);
print(Math.max(...[1, 2], 3, ...[4]), o?.f(), o.zz?.f(), o.zz?.[print('no')], o.f?.(), o?.['inner'].f(), (o?.inner).f());
print(((a, b) => a + b)(1, 2), (function () { return arguments.length; })(1, 2, 3));
print((() => { try { return o.missing(); } catch (e) { return e.message; } })());
print((() => { try { return o.inner.f.g.h(); } catch (e) { return e.message; } })());
print((() => { try { return new o.n(); } catch (e) { return e.message; } })());
print((() => { try { return o.n`x`; } catch (e) { return e.message; } })());
print(delete o.n, delete o['g'], o.n, 'g' in o, delete o.zz);

//// names
const a = function () {}, b = () => {}, c = class {}, d = class D {}, e = function E() {};
let f; f = function () {}; let g; (g) = function () {}; let h = (0, function () {});
const o = { p: function () {}, q: () => {}, r() {}, get s() { return 1; }, ['t' + 1]: () => {}, [Symbol('sym')]: class {}, async u() {}, *v() {}, 1: () => {}, 'w x': function () {}, __proto__: function () {} };
print(a.name, b.name, c.name, d.name, e.name, f.name, [g.name], [h.name]);
print(o.p.name, o.q.name, o.r.name, Object.getOwnPropertyDescriptor(o, 's').get.name, o.t1.name, o[Object.getOwnPropertySymbols(o)[0]].name, o.u.name, o.v.name, o[1].name, o['w x'].name);
const { m = function () {}, n = () => {} } = {}; const [x = class {}, y = () => {}] = [];
print(m.name, n.name, x.name, y.name);
function params(p = () => {}, { q = function () {} } = {}) { return [p.name, q.name]; }
print(params());
let l; l ||= () => {}; let nn; nn ??= function () {}; print(l.name, nn.name);
o.z = function () {}; print([o.z.name], [(() => {}).name], [(function () {}).name]);
let arr; [arr = () => {}] = []; print(arr.name); ({ arr = class {} } = {}); print(arr.name);
class K { static s = () => {}; f = function () {}; static ['c' + 1]() {} static #p() {} static pn() { return this.#p.name; } }
print(K.s.name, new K().f.name, K.c1.name, K.pn(), K.name);
const cond = true ? function () {} : 0, log = null || (() => {}); print([cond.name], [log.name]);
var v1 = (function () {}); print(v1.name);
print((function fact(n) { return n < 2 ? 1 : n * fact(n - 1); })(5));
(function self() { try { self = 1; } catch (e) { print('threw'); } print(typeof self); })();

//// literals
print([, 1, , 2, ,].length, [,].length, [1, , 3], [...'ab', ...[1]]);
print('\x41\u{1F600}\0\
cont', '\'"', "\"'", `a\`b\${c}${'d'}\n`, 'a\u2028b'.length);
print(0x1F, 0b11, 0o17, 1_000, .5, 5., 1e3, 1E-2, 0xFFFFFFFFFFn);
print(/a[/\]]b\/c/gi.source, /x/y.flags, 'aXbX'.replace(/x/gi, '-'), /(?<y>\d+)/.exec('a12').groups.y, /\u{61}/u.test('a'));
print({ a: 1, 'b-c': 2, 3: 4, [`d${1}`]: 5, __proto__: { z: 1 } }.z, { '__proto__': null } instanceof Object, Object.keys({ ['__proto__']: 1 }));
const __proto__ = 7; print(Object.keys({ __proto__ }));
print({ ...{ a: 1, b: 2 }, b: 3, ...null, ...'xy' });
print((1).toFixed(1), 1.5.toFixed(0), 1..toString(), (-1).toString(), 0x10.toString(2));
print(`${1}${'a'}` + `x`, `${[1, 2]}`, `line1
line2`);
function same() { return ((s) => s)`t`; }
print(same() === same(), same().raw);

//// destructuring
const { a, b: { c = 1, ...d } = {}, ['e' + 1]: e = 'dflt', ...f } = { a: 1, b: { x: 1, y: 2 }, g: 3, h: 4 };
print(a, c, d, e, f);
const [g, , h = 5, [i] = [6], ...[j, ...k]] = [1, 2, undefined, undefined, 7, 8, 9];
print(g, h, i, j, k);
let x = 1, y = 2; [x, y] = [y, x]; print(x, y);
const o = {}; [o.a, o['b'], ...o.c] = 'abcd'; ({ p: o.p, q: o.q = 3, ...o.r } = { p: 1, s: 2 }); print(o);
function f1({ a, b = a + 1 }, [c, d = c] = [1], ...[e, f]) { return [a, b, c, d, e, f]; }
print(f1({ a: 1 }), f1({ a: 1, b: 5 }, [3], 4, 5), f1.length);
print((({ a = 1 } = {}) => a)(), (([a]) => a)('z'));
try { const { q } = null; } catch (e) { print(e.name); }
try { const [q] = {}; } catch (e) { print(e.name); }
let z; print(({ z } = { z: 5 }).z, z, ([z] = [6]).length, z);
for (const { v, w: [w] } of [{ v: 1, w: [2] }]) print(v, w);
const { length, 0: first, [1]: second } = 'hey'; print(length, first, second);
let al = 1, bl; ({ al: bl, al = 9 } = { }); print(al, bl);
var { vv } = { vv: 1 }, { vv } = { vv: 2 }; print(vv);
const swap = ([a, b]) => [b, a]; print(swap([1, 2]));

//// delete in typeof
'use strict';
const o = { a: 1, b: { c: 2 } };
print(delete o.a, o, 'a' in o, 'b' in o, delete o['b'].c, o, typeof o.b.c, typeof o.q);
try { delete Object.freeze({ x: 1 }).x; } catch (e) { print(e.name); }
const arr = [1, 2, 3]; print(delete arr[1], arr, 1 in arr, '2' in arr, 5 in arr);
try { 'a' in 'b'; } catch (e) { print(e.name); }

//// optional and nullish
const o = { a: { b: null, f() { return this.g; }, g: 'g' } }; let n = null, c = 0;
print(o?.a?.b?.c, n?.x.y.z, n?.[c++], n?.(c++), c, o.a?.f(), (o.a?.f)(), o.h?.(), delete n?.x, delete o?.a.b, o);
print(n ?? 'd', o.a.b ?? 'e', 0 ?? 'f', (n || undefined) ?? 'g');
print(o.a?.['f'](), o?.['a'].f?.(), n?.a.b().c[d()], typeof n?.x);

//// comma void spread
let i = 0;
for (i = 0, j = 5; i < j; i++, j--); var j;
print((i++, i), i, void i++, i);
print(...[1, 2], ...'ab', ...new Set([3, 3]));
function f() { return [].slice.call(arguments); }
print(f(...[], 1, ...[2, 3]), new (class extends Array {})(...[1, 2]).length);

//// getters and setters
const o = { _v: 1, get v() { return this._v; }, set v(x) { this._v = x * 2; }, get ['c' + 1]() { return 'computed'; }, set 'str key'(x) { print('set', x); } };
o.v = 5; o.v += 1; o.v++; print(o.v, o.c1, o['str key']); o['str key'] = 1;
const p = Object.create(o); p.v = 3; print(Object.keys(p), p.v, o.v);
class A { get x() { return 1; } static get y() { return 2; } set x(v) { print('A.x', v); } }
class B extends A { get x() { return super.x + 10; } set x(v) { super.x = v + 1; } }
const b = new B(); b.x = 5; print(b.x, A.y, B.y);
Object.defineProperty(o, 'ro', { value: 1 }); o.ro = 2; print(o.ro);
(function () { 'use strict'; try { o.ro = 2; } catch (e) { print(e.message); } })();

//// tagged templates
function tag(s, ...v) { return s.map((x, i) => x + (i in v ? '[' + v[i] + ']' : '')).join('') + s.raw.length; }
print(tag`a${1}b${2}c`, tag`\u{41}${'x'}`, tag``, tag`${1}${2}`);
print(((s) => [s[0], s.raw[0]])`\unicode`);
const cache = new Set(); for (let i = 0; i < 3; i++) cache.add(((s) => s)`x`); print(cache.size);
print(tag`${tag`${1}`}`, String.raw`a\n${1}`, (() => tag)()`z`, { tag }.tag`w`, new (class { m = tag })().m`q`);

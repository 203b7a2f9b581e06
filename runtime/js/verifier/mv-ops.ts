// What emitted code calls where the language itself looks at a value: operators,
// conditions, typeof, computed keys and the like. A site comes here only with
// an object in hand, which may be a multivalue.
import { refuseDelete } from '../shared/tracked';
import { getKeys, isGuestProxy, isMarked, laneKeys, mergeKeys, mvGet, mvSet, nativeFunctions, taint, unvariant } from './mv-dispatch';
import { agree, diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, normBooleans, normPlain, normStrings, project, state, Tag } from './mv-core';
import { perLane, throwTypeError } from './mv-errors';
import { touch } from './mv-touch';
import { hooks } from './track-hooks';

// ---- conversion to a primitive, which may be a multivalue

export function prim(x: any, hint: 'default' | 'number' | 'string'): any {
  if ((typeof x !== 'object' || x === null || x instanceof MV) && typeof x !== 'function') return x;
  const exotic = x[Symbol.toPrimitive];
  if (exotic !== undefined && exotic !== null) {
    const r = exotic.call(x, hint);
    if (isPrimitive(r)) return r;
    throw new TypeError('Cannot convert object to primitive value');
  }
  for (const name of hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString']) {
    const f = x[name];
    if (typeof f === 'function') {
      const r = f.call(x);
      if (isPrimitive(r)) return r;
    } else if (isMV(f)) diverge('a conversion that differs by lane');
  }
  throw new TypeError('Cannot convert object to primitive value');
}

function isPrimitive(x: any): boolean {
  return (typeof x !== 'object' && typeof x !== 'function') || x === null || x instanceof MV;
}

// lanePrim converts one lane's value. What the program wrote must not run once per lane.
function lanePrim(x: any, i: number, hint: 'default' | 'number' | 'string'): any {
  if ((typeof x !== 'object' && typeof x !== 'function') || x === null) return x;
  const exotic = x[Symbol.toPrimitive];
  for (const f of exotic === undefined ? [x.valueOf, x.toString] : [exotic]) {
    if (!nativeFunctions.has(f)) diverge('a conversion of objects that differ by lane');
  }
  return lane(prim(x, hint), i);
}

// str is ToString, a string or a multivalue of strings.
export function str(x: any): any {
  if (typeof x === 'string') return x;
  if (typeof x !== 'object' || x === null) return `${typeof x === 'function' ? prim(x, 'string') : x}`;
  if (x instanceof MV) {
    if (x.$tag === Tag.String) return state.L >= 0 ? project(x) : x;
    if (state.L >= 0) return str(project(x));
    return perLane((i) => `${lanePrim(lanesOf(x)[i], i, 'string')}`);
  }
  const p = prim(x, 'string');
  return isMV(p) ? str(p) : `${p}`;
}

// ---- binary operators: one function each, with a loop of its own

type Binary = (a: any, b: any) => any;

const arithmetic = `return function OP(a, b) {
  if (a instanceof MV) {
    const v = lanesOf(a);
    if (state.L >= 0) return OP(v[state.L], b);
    if (a.$tag > 3) return slow(one, a, b, HINT);
    const n = v.length, r = new A(n);
    if (typeof b === 'object' || typeof b === 'function') {
      if (b instanceof MV) {
        const w = lanesOf(b);
        if (b.$tag > 3) return slow(one, a, b, HINT);
        try { for (let i = 0; i < n; i++) r[i] = v[i] SIGN w[i]; } catch { return slow(one, a, b, HINT); }
        return norm(r);
      }
      if (b !== null) return OP(a, prim(b, HINT));
    }
    try { for (let i = 0; i < n; i++) r[i] = v[i] SIGN b; } catch { return slow(one, a, b, HINT); }
    return norm(r);
  }
  if (b instanceof MV) {
    const w = lanesOf(b);
    if (state.L >= 0) return OP(a, w[state.L]);
    if ((typeof a === 'object' && a !== null) || typeof a === 'function') return OP(prim(a, HINT), b);
    if (b.$tag > 3) return slow(one, a, b, HINT);
    const n = w.length, r = new A(n);
    try { for (let i = 0; i < n; i++) r[i] = a SIGN w[i]; } catch { return slow(one, a, b, HINT); }
    return norm(r);
  }
  if (state.N > 1) {
    a = prim(a, HINT);
    b = prim(b, HINT);
    if (a instanceof MV || b instanceof MV) return OP(a, b);
  }
  return a SIGN b;
}`;

const identity = `return function OP(a, b) {
  if (a instanceof MV) {
    const v = lanesOf(a);
    if (state.L >= 0) return OP(v[state.L], b);
    const n = v.length, r = new A(n);
    if (b instanceof MV) {
      const w = lanesOf(b);
      for (let i = 0; i < n; i++) r[i] = v[i] SIGN w[i];
    } else for (let i = 0; i < n; i++) r[i] = v[i] SIGN b;
    return norm(r);
  }
  if (b instanceof MV) {
    const w = lanesOf(b);
    if (state.L >= 0) return OP(a, w[state.L]);
    const n = w.length, r = new A(n);
    for (let i = 0; i < n; i++) r[i] = a SIGN w[i];
    return norm(r);
  }
  return a SIGN b;
}`;

function compile(template: string, name: string, sign: string, hint: string, normalise: (r: any[]) => any): Binary {
  const text = template.replaceAll('OP', name).replaceAll('SIGN', sign).replaceAll('HINT', `'${hint}'`);
  const one = native.construct(native.Function, ['a', 'b', `return a ${sign} b`]);
  return native.construct(native.Function, ['MV', 'lanesOf', 'state', 'slow', 'one', 'prim', 'norm', 'A', text])(MV, lanesOf, state, slow, one, prim, normalise, native.Array);
}

function slow(one: Binary, a: any, b: any, hint: 'default' | 'number'): any {
  if (!isMV(a)) a = prim(a, hint);
  if (!isMV(b)) b = prim(b, hint);
  return perLane((i) => {
    const x = lanePrim(lane(a, i), i, hint);
    return one(x, lanePrim(lane(b, i), i, hint));
  });
}

export const add = compile(arithmetic, 'add', '+', 'default', normPlain);
export const sub = compile(arithmetic, 'sub', '-', 'number', normPlain);
export const mul = compile(arithmetic, 'mul', '*', 'number', normPlain);
export const div = compile(arithmetic, 'div', '/', 'number', normPlain);
export const mod = compile(arithmetic, 'mod', '%', 'number', normPlain);
export const pow = compile(arithmetic, 'pow', '**', 'number', normPlain);
export const and = compile(arithmetic, 'and', '&', 'number', normPlain);
export const or = compile(arithmetic, 'or', '|', 'number', normPlain);
export const xor = compile(arithmetic, 'xor', '^', 'number', normPlain);
export const shl = compile(arithmetic, 'shl', '<<', 'number', normPlain);
export const sar = compile(arithmetic, 'sar', '>>', 'number', normPlain);
export const shr = compile(arithmetic, 'shr', '>>>', 'number', normPlain);
export const lt = compile(arithmetic, 'lt', '<', 'number', normBooleans);
export const gt = compile(arithmetic, 'gt', '>', 'number', normBooleans);
export const le = compile(arithmetic, 'le', '<=', 'number', normBooleans);
export const ge = compile(arithmetic, 'ge', '>=', 'number', normBooleans);
export const seq = compile(identity, 'seq', '===', '', normBooleans);
export const sne = compile(identity, 'sne', '!==', '', normBooleans);

// a == b. An object is converted at most once, and only if no lane could do without.
export function eq(a: any, b: any): any {
  if (!(a instanceof MV) && !(b instanceof MV)) {
    if (state.N === 1 || isPrimitive(a) === isPrimitive(b)) return a == b;
    if (a === null || a === undefined || b === null || b === undefined) return false;
    return eq(prim(a, 'default'), prim(b, 'default'));
  }
  if (state.L >= 0) return eq(project(a), project(b));
  if (a instanceof MV && b instanceof MV && a.$tag <= Tag.Primitive && b.$tag <= Tag.Primitive) return seqLoose(a, b);
  const [m, x] = a instanceof MV ? [a, b] : [b as MV, a];
  if (isPrimitive(x) && !isMV(x)) {
    if (x === null || x === undefined || m.$tag <= Tag.Primitive) return seqLoose(m, x);
  } else if (!isMV(x) && m.$tag <= Tag.Primitive) {
    const v = lanesOf(m);
    if (v.every((y) => y === null || y === undefined)) return false;
    if (v.some((y) => y === null || y === undefined)) diverge('== between an object and a value that is missing in some lanes');
    return eq(m, prim(x, 'default'));
  }
  return perLane((i) => {
    const l = lane(a, i);
    const r = lane(b, i);
    if (isPrimitive(l) === isPrimitive(r)) return l == r;
    if (l === null || l === undefined || r === null || r === undefined) return false;
    return lanePrim(l, i, 'default') == lanePrim(r, i, 'default');
  });
}

function seqLoose(a: any, b: any): any {
  const r = new native.Array(state.N);
  for (let i = 0; i < r.length; i++) r[i] = lane(a, i) == lane(b, i);
  return normBooleans(r);
}

export function ne(a: any, b: any): any {
  return not(eq(a, b));
}

// ---- conditions: all lanes agree, or the group parts

export function truth(x: any): boolean {
  if (!(x instanceof MV)) return !!x;
  const v = lanesOf(x);
  if (state.L >= 0) return !!v[state.L];
  const a = !!v[0];
  for (let i = 1; i < v.length; i++) if (!!v[i] !== a) branch(v);
  return a;
}

function branch(v: any[]): never {
  return diverge(
    'a branch',
    Int32Array.from(v, (x) => (x ? 1 : 0)),
  );
}

const test = (f: Binary): Binary => (a, b) => {
  const r = f(a, b);
  return typeof r === 'boolean' ? r : truth(r);
};
export const tlt = test(lt);
export const tgt = test(gt);
export const tle = test(le);
export const tge = test(ge);
export const teq = test(eq);
export const tne = test(ne);
export const tseq = test(seq);
export const tsne = test(sne);

// nl is for ?? and ?.: x, where it is missing in all lanes or in none.
export function nl(x: any): any {
  if (!(x instanceof MV)) return x;
  const v = lanesOf(x);
  if (state.L >= 0) return v[state.L];
  const a = v[0] === null || v[0] === undefined;
  for (let i = 1; i < v.length; i++) {
    if ((v[i] === null || v[i] === undefined) !== a)
      divergeBy(
        'a value that is missing in some lanes',
        v.map((y) => y == null),
      );
  }
  return a ? null : x;
}

// und: a default value replaces undefined in all lanes or in none.
export function und(x: any): void {
  if (!(x instanceof MV) || state.L >= 0) return;
  const v = lanesOf(x);
  for (let i = 0; i < v.length; i++)
    if (v[i] === undefined)
      divergeBy(
        'a default value',
        v.map((y) => y === undefined),
      );
}

// ---- unary operators

export function not(x: any): any {
  if (!(x instanceof MV)) return !x;
  const v = lanesOf(x);
  if (state.L >= 0) return !v[state.L];
  const r = new native.Array(v.length);
  for (let i = 0; i < v.length; i++) r[i] = !v[i];
  return normBooleans(r);
}

function unary(f: (x: any) => any): (x: any) => any {
  return function apply(x: any): any {
    if (!(x instanceof MV)) {
      if (state.N === 1) return f(x);
      const p = prim(x, 'number');
      return isMV(p) ? apply(p) : f(p);
    }
    if (state.L >= 0) return f(project(x));
    const v = lanesOf(x);
    if (x.$tag > Tag.Boolean) return perLane((i) => f(lanePrim(v[i], i, 'number')));
    const r = new native.Array(v.length);
    for (let i = 0; i < v.length; i++) r[i] = f(v[i]);
    return normPlain(r);
  };
}

export const neg = unary((x) => -x);
export const pos = unary((x) => +x);
export const bnot = unary((x) => ~x);
// What ++ and -- make of their operand before they change it.
export const num = unary((x) => (typeof x === 'bigint' ? x : +x));
export const inc = unary((x) => (typeof x === 'bigint' ? x + 1n : +x + 1));
export const dec = unary((x) => (typeof x === 'bigint' ? x - 1n : +x - 1));

export function typeOf(x: any): any {
  if (!(x instanceof MV)) return typeof x;
  if (state.L >= 0) return typeof project(x);
  switch (x.$tag) {
    case Tag.String:
      return 'string';
    case Tag.Number:
      return 'number';
    case Tag.Boolean:
      return 'boolean';
    case Tag.Object:
      return 'object';
    case Tag.Function:
      return 'function';
  }
  return normStrings(lanesOf(x).map((y) => typeof y));
}

// ---- in, instanceof, delete

export function isIn(k: any, o: any): any {
  if (state.L >= 0) {
    k = project(k);
    o = project(o);
  }
  if (typeof k === 'object' && state.N > 1) k = prim(k, 'string');
  if (o instanceof MV || k instanceof MV) {
    if (!(o instanceof MV) && o !== null && typeof o === 'object') {
      if (isMarked(o)) return hooks.has(k, o);
      if (isGuestProxy(o)) diverge('keys that differ by lane asked of a Proxy');
    }
    return perLane((i) => lane(k, i) in lane(o, i));
  }
  if (typeof o === 'object' && o !== null && isMarked(o)) return hooks.has(k, o);
  return k in o;
}

const hasInstance = Function.prototype[Symbol.hasInstance];

export function inst(x: any, c: any): any {
  if (state.L >= 0) {
    x = project(x);
    c = project(c);
  }
  if (state.N === 1) return x instanceof c;
  const own = typeof c === 'function' || (typeof c === 'object' && c !== null && !(c instanceof MV)) ? c[Symbol.hasInstance] : undefined;
  if (typeof own === 'function' && (own !== hasInstance || !(x instanceof MV))) {
    const r = native.apply(own, c, [x]);
    return isMV(r) ? normBooleans(lanesOf(r).map((y) => !!y)) : !!r;
  }
  if (x instanceof MV || c instanceof MV) return perLane((i) => lane(x, i) instanceof lane(c, i));
  return x instanceof c;
}

export function del(o: any, k: any, strict: number): any {
  if (state.L >= 0) {
    o = project(o);
    k = project(k);
  }
  if (typeof k === 'object' && state.N > 1) k = prim(k, 'string');
  if (o instanceof MV) {
    if (!o.$own) diverge('a property is deleted from objects that differ by lane');
    return perLane((i) => remove(lanesOf(o)[i], lane(k, i), strict));
  }
  if (k instanceof MV) {
    if (o !== null && o !== undefined && isMarked(o)) return hooks.del(o, k);
    const keys = lanesOf(k);
    if (typeof o !== 'object' || o === null || isGuestProxy(o) || keys.some((y) => native.hasOwn(o, y))) divergeBy('a key to delete', keys);
    return true;
  }
  if (o !== null && o !== undefined && isMarked(o)) {
    const r = hooks.del(o, k);
    if (r === false && strict) refuseDelete(o, Object.getPrototypeOf(o), k);
    return r;
  }
  return remove(o, k, strict);
}

function remove(o: any, k: any, strict: number): boolean {
  touch(o);
  return strict ? strictly(o, k) : loosely(o, k);
}
const loosely: any = native.construct(native.Function, ['o', 'k', 'return delete o[k]']);
const strictly: any = native.construct(native.Function, ['o', 'k', '"use strict"; return delete o[k]']);

// ---- computed keys

export function geti(o: any, k: any): any {
  if (state.L >= 0) {
    o = project(o);
    k = project(k);
  }
  if (k instanceof MV && (o === null || o === undefined)) diverge('a key that differs by lane of a value that is missing');
  if (typeof k === 'object' && k !== null && state.N > 1 && o !== null && o !== undefined) {
    k = prim(k, 'string');
    if (k instanceof MV) {
      if (!(o instanceof MV) && isMarked(o)) return hooks.get(o, k);
      return getKeys(o, k);
    }
  }
  if (o instanceof MV && typeof k === 'symbol') return mvGet(o, k);
  if (typeof o === 'object' && o !== null && isMarked(o) && !(o instanceof MV)) return hooks.get(o, k);
  return o[k];
}

function set(o: any, k: any, x: any, plain: (o: any, k: any, x: any) => any): any {
  if (state.L >= 0) {
    o = project(o);
    k = project(k);
  }
  if (k instanceof MV && (o === null || o === undefined)) diverge('a key that differs by lane of a value that is missing');
  if (typeof k === 'object' && k !== null && state.N > 1 && o !== null && o !== undefined) {
    k = prim(k, 'string');
    if (k instanceof MV) {
      if (o instanceof MV) {
        if (!o.$own) divergeBy('keys of objects that differ by lane', lanesOf(k));
        taint(x);
        perLane((i) => {
          plain(touch(lanesOf(o)[i]), lanesOf(k)[i], lane(x, i));
        });
      } else if (isMarked(o)) hooks.set(o, k, x);
      else if ((typeof o !== 'object' && typeof o !== 'function') || isGuestProxy(o)) divergeBy('a write to keys that differ by lane', lanesOf(k));
      else mergeKeys(o, lanesOf(k), x);
      return x;
    }
  }
  if (typeof o === 'object' && o !== null && isMarked(o) && !(o instanceof MV)) return hooks.set(o, k, x);
  return plain(touch(o), k, x);
}

// A write that fails is silent in sloppy code and throws in strict code.
const sloppy: any = native.construct(native.Function, ['o', 'k', 'x', 'return o[k] = x']);
const strict: any = native.construct(native.Function, ['o', 'k', 'x', '"use strict"; return o[k] = x']);

export function seti(o: any, k: any, x: any): any {
  return set(o, k, x, sloppy);
}

export function setis(o: any, k: any, x: any): any {
  return set(o, k, x, strict);
}

// len is `o.length` of a tracked object.
export function len(o: any): any {
  return hooks.length(o);
}

// key: what a method is called by must not differ by lane.
export function key(k: any): void {
  if (k instanceof MV && state.L < 0) divergeBy('a computed method name', lanesOf(k));
  if (typeof k === 'object' && k !== null && state.N > 1) {
    const p = prim(k, 'string');
    if (isMV(p) && state.L < 0) divergeBy('a computed method name', lanesOf(p));
  }
}

// ---- switch

// sw: lanes must go to the same clause. labels are the literals, clauses the
// number of the statement list that each leads to; none is default's.
export function sw(x: any, labels: any[] | null, clauses: number[], none: number): any {
  if (!(x instanceof MV)) return x;
  const v = lanesOf(x);
  if (state.L >= 0) return v[state.L];
  if (labels === null) return agree(x, 'a switch');
  const to = v.map((y) => {
    const i = native.apply(indexOf, labels, [y]);
    return i < 0 ? none : clauses[i];
  });
  for (let i = 1; i < to.length; i++) if (to[i] !== to[0]) divergeBy('a switch', to);
  return v[0];
}
const indexOf = Array.prototype.indexOf;

// kase is a label that is no literal: what to compare with the plain x.
export function kase(x: any, label: any): any {
  if (!(label instanceof MV)) return label;
  const v = lanesOf(label);
  if (state.L >= 0) return v[state.L];
  const hit = v.map((y) => y === x);
  for (let i = 1; i < hit.length; i++) if (hit[i] !== hit[0]) divergeBy('a switch', hit);
  return hit[0] ? x : NaN;
}

// ---- for-in, templates, catch and finally

// fi is what for-in goes over: lanes must have the same keys in the same order.
export function fi(o: any): any {
  if (typeof o !== 'object' || o === null) return o;
  if (o instanceof MV) {
    const v = lanesOf(o);
    if (state.L >= 0) return v[state.L];
    const all = v.map((x, i) => enumerate(x, i).join('\n'));
    for (let i = 1; i < all.length; i++) if (all[i] !== all[0]) divergeBy('the keys of for-in', all);
    return v[0];
  }
  if (isMarked(o)) {
    const ks = hooks.keys(o);
    if (isMV(ks)) diverge('the keys of for-in');
  }
  return o;
}

function enumerate(x: any, i: number): string[] {
  const r: string[] = [];
  if (typeof x === 'object' && x !== null) laneKeys(x, i);
  for (const k in x) r[r.length] = k.length + ':' + k;
  return r;
}

export function tpl(texts: string[], ...xs: any[]): any {
  let r: any = texts[0];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    if (typeof x === 'symbol') throwTypeError('Cannot convert a Symbol value to a string');
    const s = str(x);
    r = typeof r === 'string' && typeof s === 'string' ? r + s : add(r, s);
    if (texts[i + 1] !== '') r = typeof r === 'string' ? r + texts[i + 1] : add(r, texts[i + 1]);
  }
  return r;
}

export { unvariant, mvGet, mvSet, project };

// Properties of multivalues. Emitted code says `o.p` and `o.m(x)` whatever o
// is; a multivalue answers by accessors on MV.prototype, one compiled for each
// property name at its first use, with a Proxy behind them for the rest. So
// the engine's inline caches do the test for a multivalue, for nothing.
import { T } from '../shared/tracked';
import { diverge, divergeBy, lane, lanesOf, MV, native, norm, project, state, Tag } from './mv-core';
import { touch } from './mv-touch';
import { hint, hooks } from './track-hooks';

// Names that some object has an accessor for. Reading such a name runs guest
// code, which must not happen once per lane.
const accessorNames = new native.Set<PropertyKey>();

// Once the program has a Proxy, any read may run guest code.
const watch = { all: false };
const proxies = new native.WeakMap<object, [target: object, handler: object]>();
const proxied = new native.WeakSet<object>();

const { has, set } = native.WeakMap.prototype; // as they are before they look out for multivalues

export function noteProxy(p: object, target: object, handler: object): void {
  if (!watch.all) {
    watch.all = true;
    // From now on, what an object inherits from may be for the program to say. (Before, the engine's own instanceof is faster.)
    native.define(MV, Symbol.hasInstance, { value: (x: any) => typeof x === 'object' && x !== null && !native.apply(has, proxies, [x]) && native.getProto(x) === MV.prototype });
  }
  native.apply(set, proxies, [p, [target, handler]]);
  proxied.add(target);
  hooks.proxied(target);
}

// isProxied tells whether the program has made a Proxy for o.
export function isProxied(o: object): boolean {
  return watch.all && proxied.has(o);
}

// behindProxies is what the program's Proxies stand for, or o itself.
export function behindProxies(o: any): any {
  if (!watch.all) return o;
  for (let t = o; t !== undefined; t = proxies.get(o)?.[0]) o = t;
  return o;
}

// proxyParts are the target and the handler of a Proxy of the program's.
export function proxyParts(o: any): [target: object, handler: object] | undefined {
  return watch.all ? proxies.get(o) : undefined;
}

export function isGuestProxy(o: any): boolean {
  return proxyParts(o) !== undefined;
}

// isMarked tells tracked objects. A Proxy is none; one that was revoked must not even be asked.
export function isMarked(o: any): boolean {
  return !isGuestProxy(o) && o[T] !== undefined;
}

export function noteAccessor(k: PropertyKey): void {
  accessorNames.add(typeof k === 'number' ? native.String(k) : k);
}

// Natives that must not be called with a multivalue as `this`, and what to
// call in their place. Natives that were replaced for good are not here.
const variants = new native.Map<Function, Function>();
const originals = new native.Map<Function, Function>();

export function setVariant(f: Function, v: Function): void {
  variants.set(f, v);
  originals.set(v, f);
}

export function variantOf(f: any): any {
  return typeof f === 'function' ? (variants.get(f) ?? f) : f;
}

// unvariant undoes it where the program looks at the function instead of calling it.
export function unvariant(f: any): any {
  return typeof f === 'function' ? (originals.get(f) ?? f) : f;
}

// Every function of the engine itself: calling one has no effects that the
// program wrote.
export const nativeFunctions = new native.WeakSet<Function>();

// tainted: in this group, an object that lanes share was stored in an object of one lane.
let tainted = 0;

export function isTainted(): boolean {
  return tainted === state.G;
}

export function taint(x: any): void {
  if (typeof x === 'function' || (typeof x === 'object' && x !== null && !(x instanceof MV && (x.$own || x.$tag <= Tag.Primitive)))) tainted = state.G;
}

const stringProto: any = String.prototype;

function nullish(mv: MV, k: PropertyKey): never {
  const v = lanesOf(mv);
  return divergeBy(
    `${String(k)} of a value that is missing in some lanes`,
    v.map((x) => x == null),
  );
}

// inLane runs f on behalf of one lane, for tracked objects.
function inLane(i: number, f: () => any): any {
  const saved = hint.lane;
  hint.lane = i;
  try {
    return f();
  } finally {
    hint.lane = saved;
  }
}

// laneKeys is what lane i enumerates of its x. A tracked object's native keys are
// brought up to date for that lane by asking.
export function laneKeys(x: any, i: number): string[] {
  if (typeof x === 'object' && x !== null && x[T] !== undefined) return inLane(i, () => hooks.keys(x));
  return native.keys(native.Object(x));
}

// accessorOf finds a guest accessor that reading or writing o[k] would call.
function accessorOf(o: any, k: PropertyKey): PropertyDescriptor | undefined {
  for (let p = o; p !== null && p !== undefined; p = native.getProto(p)) {
    if (watch.all && proxies.has(p)) diverge('a Proxy whose use differs by lane');
    const d = native.getOwn(p, k);
    if (d !== undefined) {
      const f = d.get ?? d.set;
      return f !== undefined && !nativeFunctions.has(f) ? d : undefined;
    }
  }
  return undefined;
}

// readIn reads x[k] for lane i. Objects of the group answer with a multivalue,
// which norm takes apart.
function readIn(x: any, k: PropertyKey, i: number): any {
  if (typeof x === 'object' || typeof x === 'function') {
    if (x[T] !== undefined) return readTracked(x, k, i);
    if (accessorOf(x, k) !== undefined) diverge(`the accessor ${String(k)} of objects that differ by lane`);
  }
  return x[k];
}

// readTracked reads x[k] of a tracked object for lane i.
function readTracked(x: any, k: PropertyKey, i: number): any {
  return inLane(i, () => lane(hooks.get(x, k), i));
}

export function mvGet(mv: MV, k: PropertyKey): any {
  const v = lanesOf(mv);
  if (state.L >= 0) return variantOf(v[state.L][k]);
  const n = v.length;
  const r = new native.Array(n);
  const careful = !mv.$own && (watch.all || accessorNames.has(k));
  for (let i = 0; i < n; i++) {
    const x = v[i];
    if (x === null || x === undefined) nullish(mv, k);
    r[i] = careful ? readIn(x, k, i) : typeof x === 'object' && x[T] !== undefined ? readTracked(x, k, i) : x[k];
  }
  return fromGet(mv, norm(r, mv.$own && !isTainted()));
}

function fromGet(mv: MV, x: any): any {
  return typeof x === 'function' ? variantOf(x) : x;
}

// mvSet is `mv.k = val`.
export function mvSet(mv: MV, k: PropertyKey, val: any): void {
  const v = lanesOf(mv);
  if (state.L >= 0) {
    v[state.L][k] = val;
    return;
  }
  if (mv.$own) {
    taint(val);
    stores(v, k, val);
    for (let i = 0; i < v.length; i++) {
      const x = v[i];
      if (x === null || x === undefined) nullish(mv, k);
      if (typeof x === 'object' && x[T] !== undefined) inLane(i, () => hooks.set(x, k, lane(val, i)));
      else touch(x)[k] = lane(val, i);
    }
    hint.op = 0;
    return;
  }
  merge(v, k, val);
}

// stores begins the operation of lanes that write to tracked objects. (What accessors
// of the program's do are operations of their own.)
function stores(v: any[], k: PropertyKey, val: any): void {
  hint.op = 0;
  if (typeof val === 'object' && !accessorNames.has(k) && v.every((x) => x?.[T] !== undefined)) hooks.storing(val);
}

// merge writes through objects that belong to the group: each gets the new
// value in those lanes that mean it, and keeps what it has in the others.
function merge(v: any[], k: PropertyKey, val: any): void {
  const done = new native.Map<any, any[]>();
  const r = new native.Array(v.length);
  for (let i = 0; i < v.length; i++) {
    const x = v[i];
    if ((typeof x !== 'object' || x === null) && typeof x !== 'function') diverge(`a write of ${String(k)} to a value that is no object in some lanes`);
    if (x[T] !== undefined) continue;
    if (done.has(x)) continue;
    done.set(x, v);
    const d = native.getOwn(x, k);
    if (d === undefined) diverge(`a write of ${String(k)}, which is absent in other lanes`, partsOf(v));
    if (!('value' in d) || !d.writable) diverge(`a write of ${String(k)} through objects that differ by lane`, partsOf(v));
  }
  stores(v, k, val);
  for (let i = 0; i < v.length; i++) if (v[i][T] !== undefined) inLane(i, () => hooks.set(v[i], k, lane(val, i)));
  hint.op = 0;
  done.forEach((_, x) => {
    const old = x[k];
    for (let i = 0; i < v.length; i++) r[i] = lane(v[i] === x ? val : old, i);
    touch(x)[k] = norm(r.slice());
  });
}

// mergeKeys is `o[mvKey] = val` for an object of the group: the keys must be there in all lanes.
export function mergeKeys(o: any, keys: any[], val: any): void {
  const distinct = new native.Set<PropertyKey>();
  for (let i = 0; i < keys.length; i++) distinct.add(typeof keys[i] === 'symbol' ? keys[i] : native.String(keys[i]));
  distinct.forEach((k) => {
    const d = native.getOwn(o, k);
    if (d === undefined) divergeBy('a key that would be there in some lanes only', keys);
    if (!('value' in d) || !d.writable) divergeBy('a write to keys that differ by lane', keys);
  });
  distinct.forEach((k) => {
    const old = o[k];
    const r = new native.Array(keys.length);
    for (let i = 0; i < keys.length; i++) r[i] = lane((typeof keys[i] === 'symbol' ? keys[i] : native.String(keys[i])) === k ? val : old, i);
    touch(o)[k] = norm(r);
  });
}

// partsOf numbers lanes by their value.
export function partsOf(v: any[]): Int32Array {
  const m = new native.Map<any, number>();
  return Int32Array.from(v, (x) => {
    let c = m.get(x);
    if (c === undefined) m.set(x, (c = m.size));
    return c;
  });
}

// getKeys is `o[mvKey]`.
export function getKeys(o: any, key: MV): any {
  const keys = lanesOf(key);
  const n = keys.length;
  const r = new native.Array(n);
  const seen = o instanceof MV ? null : new native.Map<any, any>();
  for (let i = 0; i < n; i++) {
    let k = keys[i];
    if (typeof k === 'object' && k !== null) k = lanePropertyKey(k);
    if (seen === null) {
      const x = lane(o, i);
      if (x === null || x === undefined) nullish(o, 'a key');
      r[i] = readIn(x, k, i);
      continue;
    }
    let y = seen.get(k);
    if (y === undefined && !seen.has(k)) seen.set(k, (y = readIn(o, k, i)));
    r[i] = y;
  }
  return fromGet(key, norm(r));
}

function lanePropertyKey(k: any): PropertyKey {
  const f = k[Symbol.toPrimitive] ?? k.toString;
  if (!nativeFunctions.has(f)) diverge('a key that is an object with a conversion of its own');
  const s = f.call(k, 'string');
  if (typeof s !== 'string') diverge('a key that is an object');
  return s;
}

// ---- the accessors

// The text is compiled for each name so that its loop has inline caches of its
// own; only NAME differs.
const template = `'use strict'; return {
  get() {
    const v = lanesOf(this);
    if (state.L >= 0) {
      const y = v[state.L][NAME];
      return typeof y === 'function' ? variantOf(y) : y;
    }
    if (this.$tag === 1 && method !== undefined) return method;
    if (!this.$own && (watch.all || accessorNames.has(NAME))) return slow(this, NAME);
    const n = v.length, r = new A(n);
    for (let i = 0; i < n; i++) {
      const x = v[i];
      if (x === null || x === undefined) nullish(this, NAME);
      r[i] = typeof x === 'object' && x[T] !== undefined ? tracked(x, NAME, i) : x[NAME];
    }
    const y = norm(r, this.$own && !isTainted());
    return typeof y === 'function' ? variantOf(y) : y;
  },
  set(x) { write(this, NAME, x) },
}`;
const parameters = ['lanesOf', 'state', 'method', 'watch', 'accessorNames', 'slow', 'nullish', 'norm', 'isTainted', 'variantOf', 'write', 'A', 'T', 'tracked'];

function accessor(k: string): { get(): any; set(x: any): void } {
  const inherited = k === 'length' ? undefined : native.getOwn(stringProto, k)?.value;
  const method = typeof inherited === 'function' ? variantOf(inherited) : undefined;
  const text = template.replaceAll('NAME', () => JSON.stringify(k));
  return native.construct(native.Function, [...parameters, text])(lanesOf, state, method, watch, accessorNames, mvGet, nullish, norm, isTainted, variantOf, mvSet, native.Array, T, readTracked);
}

function defineName(k: string): { get(): any } {
  const d = accessor(k);
  native.define(MV.prototype, k, { get: d.get, set: d.set, configurable: true, enumerable: false });
  return d;
}

function isIndex(k: string): boolean {
  const c = k.charCodeAt(0);
  return (c >= 48 && c <= 57) || k === '';
}

const compiled = { left: 5000 };

const behind: ProxyHandler<any> = {
  get(_t, k, mv) {
    if (!(mv instanceof MV)) return undefined;
    if (typeof k === 'symbol') return symbolOf(mv, k);
    if (isIndex(k) || compiled.left <= 0) return mvGet(mv, k);
    compiled.left--;
    return native.apply(defineName(k).get, mv, []);
  },
  set(_t, k, x, mv) {
    if (!(mv instanceof MV)) diverge('a write to what multivalues inherit from');
    mvSet(mv, k, x);
    return true;
  },
  has: () => diverge('a native function asks whether a multivalue has a property'),
  getPrototypeOf: () => null,
  ownKeys: () => [],
  getOwnPropertyDescriptor: () => undefined,
  defineProperty: () => diverge('a property is defined on what multivalues inherit from'),
};

// Symbols are asked for by native functions too, which then go on without
// looking at the lanes.
function symbolOf(mv: MV, k: symbol): any {
  const v = lanesOf(mv);
  if (state.L >= 0) return v[state.L][k];
  switch (k) {
    case Symbol.iterator:
      return iteratorOf(mv);
    case Symbol.hasInstance:
      return diverge('instanceof a value that differs by lane');
    case Symbol.toStringTag: {
      // Object.prototype.toString asks; programs that ask come by geti.
      const r = norm(v.map((x) => native.apply(objectToString, x, [])));
      if (typeof r !== 'string') diverge('Object.prototype.toString of several kinds of things');
      return r.slice(8, -1);
    }
    case Symbol.isConcatSpreadable:
      if (mv.$tag <= Tag.Primitive) return undefined;
      return diverge('concat of values that differ by lane');
    case Symbol.species:
    case Symbol.unscopables:
      return diverge('a native function looks at a value that differs by lane');
  }
  return mvGet(mv, k);
}

const objectToString = Object.prototype.toString;

// ---- iteration

const arrayValues = Array.prototype[Symbol.iterator];
const stringIterator = String.prototype[Symbol.iterator];

// iteratorOf is the method that iterates over a multivalue.
function iteratorOf(mv: MV): any {
  if (mv.$tag === Tag.String) return steps;
  const f = mvGet(mv, Symbol.iterator);
  if (f === undefined) {
    // Programs that ask come by geti. A typed array's constructor would take a
    // number or a buffer for an empty list.
    diverge('a native function looks at a value that differs by lane');
  }
  if (typeof f !== 'function') diverge('iteration over several kinds of things');
  if (f === arrayValues || f === stringIterator || nativeFunctions.has(f)) return steps;
  return f;
}

// steps iterates over all lanes at once; they must end together.
function steps(this: MV): any {
  const mv = this;
  if (mv.$tag === Tag.Object && lanesOf(mv).every((x) => native.isArray(x))) {
    let at = 0;
    return iterator(() => {
      const v = lanesOf(mv);
      const done = v[0].length <= at;
      for (let i = 1; i < v.length; i++) {
        if (v[i].length <= at !== done)
          divergeBy(
            'the number of elements',
            v.map((x) => x.length),
          );
      }
      if (done) return { value: undefined, done: true };
      return { value: mvGet(mv, native.String(at++)), done: false };
    });
  }
  const its = lanesOf(mv).map((x) => {
    const it = x[Symbol.iterator]();
    return { it, next: it.next };
  });
  const pairs = lanesOf(mv).every((x) => x instanceof native.Map);
  const next = (i: number): IteratorResult<any> => native.apply(its[i].next, its[i].it, []);
  return iterator(() => {
    const r = new native.Array(its.length);
    const done = new native.Array(its.length);
    for (let i = 0; i < its.length; i++) {
      const s = next(i);
      r[i] = s.value;
      done[i] = s.done;
    }
    for (let i = 1; i < its.length; i++) if (done[i] !== done[0]) divergeBy('the number of steps', done);
    if (done[0]) return { value: undefined, done: true };
    return { value: pairs ? zipEntries(r) : norm(r), done: false };
  });
}

// zipEntries: fresh [key, value] pairs of lanes become one pair.
function zipEntries(r: any[]): any {
  if (!r.every((x) => native.isArray(x) && x.length === 2)) return norm(r);
  return [norm(r.map((x) => x[0])), norm(r.map((x) => x[1]))];
}

function iterator(next: () => IteratorResult<any>): any {
  return {
    next,
    [Symbol.iterator]() {
      return this;
    },
  };
}

// toArray: a multivalue of arrays or strings as one array of (multi)values.
export function toArray(x: any): any[] {
  const out: any[] = [];
  for (const y of x) out[out.length] = y;
  return out;
}

export function installDispatch(): void {
  const P: any = MV.prototype;
  delete P.constructor;
  native.define(P, T, { value: undefined });
  // The last defence: a native function that converts its argument ends here.
  native.define(P, Symbol.toPrimitive, {
    value(this: MV, kind: string) {
      if (state.L >= 0 && state.N > 1) {
        const x = project(this);
        if (typeof x !== 'object' && typeof x !== 'function') return x;
        return kind === 'string' ? native.String(x) : kind === 'number' ? native.Number(x) : x + '';
      }
      lanesOf(this);
      return diverge('a native function converts a value that differs by lane');
    },
  });
  // The engine looks for this one by itself, and not behind a Proxy.
  native.define(P, Symbol.toStringTag, {
    get(this: MV) {
      return this instanceof MV ? symbolOf(this, Symbol.toStringTag) : undefined;
    },
  });
  native.setProto(P, new native.Proxy(native.Object.create(null), behind));
  for (const k of ['length', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', '__proto__', 'toJSON']) defineName(k);
}

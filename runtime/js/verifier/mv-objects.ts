// Object, Reflect, Function and the constructors that look at a value without
// converting it.
import { T } from '../shared/tracked';
import { anyMV, diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, project, state, Tag } from './mv-core';
import { isGuestProxy, isMarked, laneKeys, mvGet, mvSet, nativeFunctions, noteAccessor, taint, toArray, variantOf } from './mv-dispatch';
import { constructorOf, entries, newArray } from './mv-constructors';
import { collect, misused, perLane, throwTypeError } from './mv-errors';
import { disguise, How, laneArgs, laneCall, lanewise, method, patch, replace, variant, zip, zipLanes } from './mv-natives';
import { iterable } from './mv-iterate';
import { del, geti, isIn, seti, setis, str, truth } from './mv-ops';
import { watched } from './mv-touch';
import { hooks } from './track-hooks';

// LEAVING a hook's own calls of Object.keys and others alone.
let hooked = false;

function hook<X>(f: () => X): X {
  hooked = true;
  try {
    return f();
  } finally {
    hooked = false;
  }
}

export function isTracked(o: any): boolean {
  return typeof o === 'object' && o !== null && !hooked && !(o instanceof MV) && isMarked(o);
}

export function trackedKeys(o: any): string[] {
  const ks = hook(() => hooks.keys(o));
  return isMV(ks) ? alike(lanesOf(ks)) : ks;
}

// alike: key lists that must be the same in all lanes.
function alike(all: any[][]): any[] {
  const first = all[0];
  for (const ks of all) {
    if (ks.length !== first.length || ks.some((k, j) => k !== first[j]))
      divergeBy(
        'the keys of an object',
        all.map((l) => l.map((k) => (typeof k === 'symbol' ? 'symbol' : k)).join('\n')),
      );
  }
  return first;
}

// list replaces keys, values, entries and the like.
function list(f: any, tracked: ((o: any) => any) | null): Function {
  return {
    m(this: any, o: any): any {
      if (typeof o === 'object' && o !== null) {
        if (o instanceof MV) {
          if (state.L >= 0) return f(project(o));
          const v = lanesOf(o);
          if (f === native.keys) return zipLanes((i) => (typeof v[i] === 'object' && v[i] !== null ? laneKeys(v[i], i) : f(v[i])));
          if (f === native.ownKeys) return zipLanes((i) => (laneKeys(v[i], i), f(v[i])));
          return alikeThen(v, f);
        }
        if (tracked !== null && isTracked(o)) return tracked(o);
      }
      return f(o);
    },
  }.m;
}

// alikeThen: values and entries of objects with the same keys.
function alikeThen(v: any[], f: any): any {
  const ks = v.map(laneKeys);
  for (const x of v) if (typeof x === 'object' && x !== null) for (const k of native.keys(x)) if (guestGetter(x, k)) diverge('accessors of objects that differ by lane');
  if (f.name === 'values') return zipLanes((i) => (laneKeys(v[i], i), f(v[i])));
  const keys = alike(ks);
  const all = collect((i) => (laneKeys(v[i], i), f(v[i])));
  if (f.name !== 'entries') return zip(all);
  return keys.map((k, j) => [k, norm(all.map((es) => es[j][1]))]);
}

function guestGetter(x: any, k: string): boolean {
  const g = native.getOwn(x, k)?.get;
  return g !== undefined && !nativeFunctions.has(g) && x[T] === undefined;
}

export function ownKeysOf(s: any): PropertyKey[] {
  if (isMV(s)) {
    if (state.L >= 0) return enumerable(project(s));
    return alike(lanesOf(s).map((x, i) => (x === null || x === undefined ? [] : (laneKeys(x, i), enumerable(native.Object(x))))));
  }
  if (isTracked(s)) return trackedKeys(s);
  return enumerable(native.Object(s));
}

function enumerable(x: any): PropertyKey[] {
  if (x === null || x === undefined) return [];
  return native.ownKeys(x).filter((k) => native.getOwn(x, k)?.enumerable);
}

function assign(f: any): Function {
  return {
    m(this: any, target: any): any {
      if (state.N === 1 && !isTracked(target)) {
        let plain = true;
        for (let i = 1; i < arguments.length; i++) if (isTracked(arguments[i])) plain = false;
        if (plain) return native.apply(f, this, arguments);
      }
      let special = isMV(target) || isTracked(target);
      for (let i = 1; i < arguments.length; i++) if (isMV(arguments[i]) || isTracked(arguments[i])) special = true;
      if (!special) return native.apply(f, this, arguments);
      if (isMV(target) && target.$tag !== Tag.Object && target.$tag !== Tag.Function) diverge('Object.assign to values that differ by lane');
      if (target === null || target === undefined) return native.apply(f, this, arguments);
      const t = native.Object(target);
      for (let i = 1; i < arguments.length; i++) {
        const s = arguments[i];
        if (s === null || s === undefined) continue;
        if (isMV(t) && state.L < 0 && t.$own && isMV(s) && s.$own) {
          taint(s);
          perLane((j) => f(lanesOf(t)[j], lanesOf(s)[j]));
          continue;
        }
        for (const k of ownKeysOf(s)) setis(t, k, geti(s, k));
      }
      return t;
    },
  }.m;
}

// own: freeze and the like change objects of lanes, never those of the group in some lanes.
function changing(f: any): Function {
  return {
    m(o: any): any {
      if (!isMV(o)) return native.apply(f, this, arguments);
      if (state.L >= 0) return f(project(o));
      if (o.$tag <= Tag.Primitive) return lanesOf(o), o;
      if (!o.$own) diverge(`${f.name} of objects that differ by lane`);
      for (const x of lanesOf(o)) f(x);
      return o;
    },
  }.m;
}

// descriptor checks what a program defines a property by.
export function descriptor(k: any, d: any): any {
  if (typeof d !== 'object' || d === null) return d;
  if (isMV(d)) diverge('a property descriptor that differs by lane');
  if (isGuestProxy(d)) return state.N === 1 ? d : diverge('a Proxy for a property descriptor');
  if (d.get !== undefined || d.set !== undefined) {
    if (!isMV(k)) noteAccessor(typeof k === 'symbol' ? k : native.String(k));
    if (isMV(d.get) || isMV(d.set)) diverge('an accessor that differs by lane');
  }
  let r = d;
  for (const flag of ['enumerable', 'configurable', 'writable']) {
    if (!isMV(d[flag])) continue;
    if (r === d) r = { ...d };
    r[flag] = truth(d[flag]);
  }
  return r;
}

function define(f: any, reflect: boolean): Function {
  return {
    m(this: any, o: any, k: any, d: any): any {
      if (isTracked(o) && !isMV(k) && typeof d === 'object' && d !== null && hook(() => hooks.define(o, k, d))) return reflect ? true : o;
      if (state.N === 1) {
        if (typeof d !== 'object' || d === null || (!isGuestProxy(d) && 'value' in d)) return f(o, k, d);
        // What it is defined by, and called, is asked for once.
        const key = typeof k === 'object' && k !== null ? native.String(k) : k;
        const r = f(o, key, d);
        if (isGuestProxy(o) || native.getOwn(o, key)?.value === undefined) noteAccessor(typeof key === 'symbol' ? key : native.String(key));
        return r;
      }
      if (state.L >= 0) return f(project(o), project(k), d);
      const e = descriptor(k, d);
      if (k === Symbol.toStringTag) tag(e?.value);
      if (!isMV(o) && !isMV(k)) return f(o, k, e);
      if (!isMV(o)) return divergeBy('a key to define', lanesOf(k));
      if (!o.$own || 'get' in e || 'set' in e) diverge('a property defined on objects that differ by lane');
      taint(e.value);
      perLane((i) => f(lanesOf(o)[i], lane(k, i), 'value' in e ? { ...e, value: lane(e.value, i) } : e));
      return reflect ? true : o;
    },
  }.m;
}

function getDescriptor(f: any): Function {
  return {
    m(this: any, o: any, k: any): any {
      if (state.N === 1 || (!isMV(o) && !isMV(k))) {
        const d = isTracked(o) ? hook(() => hooks.describe(o, k, f(o, k))) : f(o, k);
        if (d !== undefined && d.value === native.Array) d.value = constructorOf(d.value);
        return d;
      }
      if (state.L >= 0) return f(project(o), project(k));
      const r = collect((i) => f(lane(o, i), lane(k, i)));
      if (r.every((d) => d === undefined)) return undefined;
      if (r.some((d) => d === undefined || !('value' in d))) diverge('property descriptors that differ by lane');
      return {
        value: norm(r.map((d) => d.value)),
        writable: norm(r.map((d) => d.writable)),
        enumerable: norm(r.map((d) => d.enumerable)),
        configurable: norm(r.map((d) => d.configurable)),
      };
    },
  }.m;
}

function getDescriptors(f: any): Function {
  const one = getDescriptor(native.getOwn);
  return {
    m(this: any, o: any): any {
      if (isMV(o)) diverge('descriptors of objects that differ by lane');
      if (!isTracked(o)) return f(o);
      trackedKeys(o);
      const ds = f(o);
      for (const k of native.ownKeys(ds)) ds[k] = one(o, k);
      return ds;
    },
  }.m;
}

const noMV = (why: string) => (f: any) => ({
  m(this: any): any {
    if (state.N > 1 && anyMV(arguments)) diverge(why);
    return native.apply(f, this, arguments);
  },
}).m;

function hasOwn(f: any): Function {
  return {
    m(this: any, k: any): any {
      const t = this;
      if (typeof t === 'object' && t !== null) {
        if (t instanceof MV || (typeof k === 'object' && isMV(k))) return isTracked(t) ? hooks.hasOwn(t, k) : laneCall(f, t, [k], How.Pure);
        if (isTracked(t)) return hook(() => hooks.hasOwn(t, k));
      } else if (typeof k === 'object' && isMV(k)) return laneCall(f, t, [k], How.Pure);
      return native.apply(f, t, [k]);
    },
  }.m;
}

export function installObjects(): void {
  const O: any = Object;
  const OP: any = Object.prototype;
  const R: any = Reflect;
  const pure = (f: any): Function => lanewise(f, How.Pure);
  patch(O, 'keys', (f) => list(f, trackedKeys));
  patch(O, 'values', (f) => list(f, (o) => trackedKeys(o).map((k) => geti(o, k))));
  patch(O, 'entries', (f) => list(f, (o) => trackedKeys(o).map((k) => [k, geti(o, k)])));
  patch(O, 'getOwnPropertyNames', (f) =>
    list(f, (o) => {
      trackedKeys(o);
      return f(o);
    }),
  );
  patch(O, 'getOwnPropertySymbols', (f) => list(f, null));
  patch(R, 'ownKeys', (f) =>
    list(f, (o) => {
      trackedKeys(o);
      return f(o);
    }),
  );
  patch(O, 'assign', assign);
  for (const k of ['freeze', 'seal', 'preventExtensions']) patch(O, k, changing);
  patch(R, 'preventExtensions', (f) => ({
    m(o: any): any {
      if (isMV(o)) diverge('Reflect.preventExtensions of a value that differs by lane');
      return f(o);
    },
  }).m);
  for (const k of ['is', 'isFrozen', 'isSealed', 'isExtensible', 'getPrototypeOf']) patch(O, k, pure);
  patch(R, 'isExtensible', pure);
  patch(R, 'getPrototypeOf', pure);
  for (const o of [O, R]) {
    patch(o, 'defineProperty', (f) => define(f, o === R));
    patch(o, 'getOwnPropertyDescriptor', getDescriptor);
    patch(o, 'setPrototypeOf', noMV('a prototype, or an object to give one to, that differs by lane'));
  }
  patch(O, 'getOwnPropertyDescriptors', getDescriptors);
  patch(O, 'hasOwn', (f) => ({
    m(o: any, k: any): any {
      if (isTracked(o)) return isMV(k) ? hooks.hasOwn(o, k) : hook(() => hooks.hasOwn(o, k));
      return isMV(o) || isMV(k) ? laneCall(f, undefined, [o, k], How.Pure) : f(o, k);
    },
  }).m);
  patch(OP, 'hasOwnProperty', hasOwn);
  patch(OP, 'propertyIsEnumerable', hasOwn);
  patch(OP, 'isPrototypeOf', pure);
  patch(OP, 'valueOf', (f) =>
    method((t, args) => {
      if (state.N > 1 && isMV(t) && t.$tag !== Tag.Object && state.L < 0) diverge('valueOf of values that differ by lane');
      return native.apply(f, project(t), args);
    }),
  );
  patch(O, 'create', (f) => ({
    m(p: any, ds: any): any {
      if (isMV(p) || isMV(ds)) diverge('Object.create of values that differ by lane');
      return ds === undefined ? f(p) : f(p, descriptors(ds));
    },
  }).m);
  patch(O, 'defineProperties', (f) => ({
    m(o: any, ds: any): any {
      if (isMV(o) || isMV(ds)) diverge('Object.defineProperties of values that differ by lane');
      return f(o, descriptors(ds));
    },
  }).m);
  patch(O, 'fromEntries', (f) => (x: any) => f(entries(iterable(x))));
  const typed = native.getProto(Uint8Array.prototype);
  const tag = native.getOwn(typed, Symbol.toStringTag)!;
  native.define(typed, Symbol.toStringTag, { ...tag, get: lanewise(tag.get, How.Pure) as () => any });
  for (const k of ['__defineGetter__', '__defineSetter__'])
    patch(OP, k, (f) =>
      method((t, args) => {
        if (state.N > 1 && (isMV(t) || anyMV(args))) diverge('an accessor that differs by lane');
        if (t === null || t === undefined || typeof args[1] !== 'function') return native.apply(f, t, args);
        const key = typeof args[0] === 'symbol' ? args[0] : native.String(args[0]);
        noteAccessor(key);
        return native.apply(f, t, [key, args[1]]);
      }),
    );
  const proto = native.getOwn(OP, '__proto__')!;
  native.define(OP, '__proto__', {
    ...proto,
    get: disguise(proto.get!, lanewise(proto.get, How.Pure)) as () => any,
    set: disguise(
      proto.set!,
      method((t, args) => {
        if (isMV(args[0])) diverge('a prototype that differs by lane');
        return native.apply(proto.set!, t, args);
      }),
    ) as (x: any) => void,
  });
  patch(R, 'get', (f) => ({
    m(o: any, k: any): any {
      if (state.N > 1 && (isMV(o) || isMV(k) || (arguments.length > 2 && isMV(arguments[2])))) {
        if (arguments.length > 2 && arguments[2] !== o) diverge('Reflect.get with a receiver that differs by lane');
        objectsOnly(o);
        return constructorOf(geti(o, k));
      }
      return constructorOf(native.apply(f, undefined, arguments));
    },
  }).m);
  patch(R, 'set', (f) => ({
    m(o: any, k: any, x: any): any {
      if (arguments.length === 3 && isTracked(o) && native.isArray(o)) {
        seti(o, k, x);
        return true;
      }
      if (state.N > 1 && (isMV(o) || isMV(k) || (arguments.length > 3 && isMV(arguments[3])))) {
        objectsOnly(o);
        if (arguments.length > 3 || !(isMV(o) ? o.$own : false)) diverge('Reflect.set on a value that differs by lane');
        seti(o, k, x);
        return true;
      }
      return native.apply(f, undefined, arguments);
    },
  }).m);
  patch(R, 'has', (f) => (o: any, k: any) => (state.N > 1 && (isMV(o) || isMV(k)) ? (objectsOnly(o), isIn(k, o)) : f(o, k)));
  patch(R, 'deleteProperty', (f) => (o: any, k: any) => (isTracked(o) ? hook(() => hooks.del(o, k)) : state.N > 1 && (isMV(o) || isMV(k)) ? (objectsOnly(o), del(o, k, 0)) : f(o, k)));
  patch(R, 'apply', (f) => ({
    m(g: any, t: any, args: any): any {
      hooks.list(args);
      g = hooks.inPlaceOf(g, t);
      if (state.N === 1) return f(g, t, args);
      if (isMV(g)) diverge('a function that differs by lane');
      if (isMV(args) && args.$tag !== Tag.Object) diverge('arguments that are no list');
      const a = isMV(args) ? toArray(args) : args;
      return f(isMV(t) || (a && anyMV(a)) ? variantOf(g) : g, t, a);
    },
  }).m);
  patch(R, 'construct', (f) => ({
    m(c: any, args: any): any {
      hooks.list(args);
      if (state.N > 1) {
        if (anyMV(arguments)) diverge('Reflect.construct of a value that differs by lane');
        if (args && anyMV(args) && looksOnly(c)) diverge(`${c.name} of a value that differs by lane`);
      }
      return native.apply(f, undefined, arguments);
    },
  }).m);
  patch(Error.prototype, 'toString', (f) =>
    method((t, args) => {
      if (state.N === 1 || typeof t !== 'object' || t === null || state.L >= 0) return native.apply(f, project(t), args);
      if (isMV(t)) return laneCall(f, t, args, How.Pure);
      const [name, message] = [t.name, t.message];
      if (!isMV(name) && !isMV(message)) return native.apply(f, t, args);
      const n = name === undefined ? 'Error' : str(name);
      const m = message === undefined ? '' : str(message);
      return perLane((i) => (lane(n, i) === '' ? lane(m, i) : lane(m, i) === '' ? lane(n, i) : `${lane(n, i)}: ${lane(m, i)}`));
    }),
  );
  patch(Function.prototype, 'call', (f) => method((t, args) => native.apply(f, hooks.inPlaceOf(t, args[0]), args)));
  patch(Function.prototype, 'apply', (f) =>
    method((t, args) => {
      hooks.list(args[1]);
      return native.apply(f, hooks.inPlaceOf(t, args[0]), args);
    }),
  );
  variant(Function.prototype, 'call', (f) => method((t, args) => native.apply(f, variantOf(callee(t)), args)));
  variant(Function.prototype, 'apply', (f) =>
    method((t, args) => {
      const a = [...args];
      hooks.list(a[1]);
      if (isMV(a[1])) a[1] = state.L >= 0 ? project(a[1]) : toArray(a[1]);
      return native.apply(f, variantOf(callee(t)), a);
    }),
  );
  patch(Function.prototype, 'bind', (f) =>
    method((t, args) => {
      // call.bind(f) is f with its receiver as first parameter: for multivalues, its variant.
      const a = [...args];
      if ((t === Function.prototype.call || t === Function.prototype.apply) && typeof a[0] === 'function') a[0] = variantOf(a[0]);
      const b = native.apply(f, watched.walking(t, a[0]), a);
      watched.bound(b, t, a);
      return b;
    }),
  );
}

function callee(f: any): any {
  if (isMV(f)) diverge('a function that differs by lane');
  return f;
}

function objectsOnly(o: any): void {
  if (isMV(o) ? o.$tag !== Tag.Object && o.$tag !== Tag.Function : (typeof o !== 'object' && typeof o !== 'function') || o === null) diverge('Reflect of values that are no objects');
}

function descriptors(ds: any): any {
  if (typeof ds !== 'object' || ds === null) return ds;
  let r = ds;
  for (const k of native.ownKeys(ds)) {
    if (!native.getOwn(ds, k)?.enumerable) continue;
    const d = ds[k];
    const e = descriptor(k, d);
    if (e === d) continue;
    if (r === ds) r = { ...ds };
    r[k] = e;
  }
  return r;
}

// ---- constructors

// Constructors that take a number or an object, and look which it is.
const lookers = new native.Set<any>();

// looksOnly: c, or what it inherits from, would take a multivalue for an object.
export function looksOnly(c: any): boolean {
  for (let p = c; typeof p === 'function'; p = native.getProto(p)) {
    if (isGuestProxy(p)) diverge('a Proxy for a constructor is given a value that differs by lane');
    if (lookers.has(p)) return true;
  }
  return false;
}

// The engine's typed arrays look for an iterator, which a multivalue sees.
for (const c of [native.getProto(Uint8Array)]) lookers.add(c);

// ncall is a native constructor called by its name, as a function, with an
// object among its arguments.
export function ncall(c: any, ...args: any[]): any {
  if (state.N === 1 || !anyMV(args)) return native.apply(conversions.get(c) ?? c, undefined, args);
  if (state.L >= 0) return native.apply(c, undefined, laneArgs(args, state.L));
  if (c === native.Array) return newArray(args);
  return native.apply(conversions.get(c) ?? laneCtor(c), undefined, args);
}

// mcall calls a method that was looked up before. (Its own `call` is the program's business.)
export function mcall(f: any, o: any, ...args: any[]): any {
  return native.apply(f, o, args);
}

// mno is o.name(…) for forEach, map and the like, with what may be no function.
export function mno(o: any, name: string, text: string, ...args: any[]): any {
  const f = o[name];
  if (typeof f !== 'function') throwTypeError(`${text} is not a function`);
  return state.N === 1 && typeof args[0] !== 'function' && ofArrays.has(f) ? misused(f, o, args, args[0]) : native.apply(variantOf(f), o, args);
}

// Those of Map and Set say the same in both engines.
const ofArrays = new native.Set<Function>();
for (const o of [Array.prototype, native.getProto(Uint8Array.prototype)]) for (const k of ['forEach', 'map', 'reduce', 'reduceRight']) ofArrays.add(o[k]);

// nnew is `new C(…)` with an object among its arguments.
export function nnew(c: any, ...args: any[]): any {
  if (state.N === 1 || !anyMV(args)) return new c(...args);
  if (state.L >= 0) return new c(...laneArgs(args, state.L));
  if (c === native.Array) return newArray(args);
  if (perLaneCtors.has(c)) return perLane((i) => new c(...laneArgs(args, i)), true);
  if (looksOnly(c)) diverge(`new ${c.name} of a value that differs by lane`);
  return new c(...args);
}

const perLaneCtors = new native.Set<any>([Date, RegExp, String, Number]);
const conversions = new native.Map<any, Function>();

export function setConversion(c: Function, f: Function): void {
  conversions.set(c, f);
}

// addLaneConstructor: dates are also made by what the driver puts in Date's place.
export function addLaneConstructor(c: Function): void {
  perLaneCtors.add(c);
}

function laneCtor(c: any): Function {
  return (...args: any[]) => perLane((i) => native.apply(c, undefined, laneArgs(args, i)), true);
}

// na is the only argument of `new c(x)`, where c may be anything.
export function na(c: any, x: any): any {
  if (x instanceof MV && state.L < 0 && looksOnly(c)) {
    lanesOf(x);
    diverge(`new ${c.name} of a value that differs by lane`);
  }
  return x;
}

// nc is what `new` made: a constructor that returns a primitive makes an object all the same.
export function nc(x: any): any {
  if (x instanceof MV) {
    if (!native.hasOwn(x, '$mv')) diverge('a prototype that differs by lane');
    if (state.L < 0 && x.$tag !== Tag.Object && x.$tag !== Tag.Function) diverge('a constructor that returns a value that differs by lane');
  }
  return x;
}

// tag is what an object answers for Symbol.toStringTag: natives take no notice of
// what is no string.
export function tag(x: any): any {
  if (isMV(x)) diverge('a Symbol.toStringTag that differs by lane');
  return x;
}

// spread is what an object literal spreads.
export function spread(x: any): any {
  if (!isMV(x)) {
    if (isTracked(x)) trackedKeys(x);
    return x;
  }
  if (state.L >= 0) return project(x);
  if (x.$tag === Tag.Primitive && lanesOf(x).every((y) => y === null || y === undefined)) return null;
  const out: any = native.Object.create(null);
  for (const k of ownKeysOf(x)) out[k] = geti(x, k);
  return out;
}

// proto is the value of `__proto__:` in an object literal.
export function proto(p: any): any {
  if (isMV(p)) diverge('a prototype that differs by lane');
  return p;
}

export { mvGet, mvSet, replace };

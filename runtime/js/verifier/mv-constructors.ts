// Constructors that look at what they are given without converting it. Sites that
// call them by name see multivalues coming; a subclass, another name for one, or
// a native that takes one as a callback does not. So what the program finds under
// their names are these, and sites that know better call the engine's own.
import { isMV, lanesOf, MV, native, norm, state, Tag, anyMV, diverge, lane } from './mv-core';
import { hooks } from './track-hooks';
import { perLane } from './mv-errors';
import { constructorNamed, disguise, nested } from './mv-natives';
import { iterable } from './mv-iterate';
import { born } from './mv-collections';
import { isGuestProxy, noteProxy, toArray } from './mv-dispatch';
import { truth } from './mv-ops';
import { quiet } from '../shared/proxies';

type Make = (args: any[], target: any, self: any, receiver: any) => any;

// standIn makes a constructor that takes f's place, all but in f.prototype.constructor.
function standIn(f: any, make: Make): any {
  const c = constructorNamed(f.name, make);
  for (const k of native.ownKeys(f)) {
    const d = native.getOwn(f, k)!;
    if (k === 'prototype') native.define(c, k, { value: f.prototype, writable: false, enumerable: false, configurable: false });
    else native.define(c, k, d);
  }
  return disguise(f, c);
}

function wrap(o: any, name: string, make: (f: any) => Make): any {
  const f = o[name];
  if (typeof f !== 'function') return;
  const c = standIn(f, make(f));
  if (typeof f.prototype === 'object') native.define(f.prototype, 'constructor', { value: c, writable: true, enumerable: false, configurable: true });
  native.define(o, name, { value: c, writable: true, enumerable: false, configurable: true });
}

// The program's Array. Array.prototype.constructor stays the engine's own, because
// the engine's fast paths for map, slice and others depend on it: sites that read
// `.constructor` come to constructorOf.
let guestArray: any;

function installArray(g: any): void {
  const f = native.Array as any;
  guestArray = standIn(f, (args, target, self) => {
    const plain = target === undefined || target === self;
    if (state.N > 1 && args.length === 1 && isMV(args[0])) {
      const v = lanesOf(args[0]);
      if (!plain) diverge('an array of a length that may differ by lane');
      if (state.L >= 0) return f(v[state.L]);
      if (v.every((x) => typeof x !== 'number')) return [args[0]];
      return perLane((i) => f(v[i]), true);
    }
    return plain ? native.apply(f, undefined, args) : native.construct(f, args, target);
  });
  native.define(g, 'Array', { value: guestArray, writable: true, enumerable: false, configurable: true });
}

// newArray is Array(…) with a multivalue among its arguments.
export function newArray(args: any[]): any {
  return guestArray(...args);
}

// plainArray: who asks for Array by its name means the engine's.
export function plainArray(c: any): any {
  return c === guestArray ? native.Array : c;
}

// constructorOf is what the program reads as `.constructor`.
export function constructorOf(c: any): any {
  if (c === native.Array) return guestArray;
  if (typeof c === 'object' && c instanceof MV && c.$tag >= Tag.Function && lanesOf(c).includes(native.Array)) return norm(lanesOf(c).map((f) => (f === native.Array ? guestArray : f)));
  return c;
}

// listed makes a collection from a list. It must be known to be the group's own
// before it gets keys that differ by lane.
const listed = (add: string, keyed: boolean) => (f: any): Make => (args, target, self) => {
  if (target === undefined) return f(...args);
  const made = target === self ? f : target;
  if (state.N === 1) {
    if (keyed) entries(args[0]);
    return native.construct(f, args, made);
  }
  let x = iterable(args[0]);
  if (keyed) x = entries(x);
  if (isGuestProxy(x)) diverge('a list that is a Proxy');
  const apart = native.isArray(x) && x.some((e) => isMV(keyed && typeof e === 'object' && e !== null ? e[0] : e));
  const c = native.construct(f, apart ? [] : [x], made) as any;
  born(c);
  if (apart) {
    const adder = c[add];
    for (const e of x) native.apply(adder, c, keyed ? [e[0], e[1]] : [e]);
  }
  return c;
};

export function installConstructors(): void {
  const g: any = globalThis;
  wrap(g, 'Object', (f) => (args, target, self) => {
    if (target !== undefined && target !== self) return native.construct(f, args, target);
    const x = args[0];
    if (!isMV(x)) return f(x);
    if (state.L >= 0) return f(lane(x, state.L));
    return x.$tag === Tag.Object || x.$tag === Tag.Function ? x : perLane((i) => f(lanesOf(x)[i]));
  });
  wrap(g, 'Boolean', (f) => (args, target, self) => {
    const x = args[0];
    if (state.N > 1 && isMV(x)) return target === undefined ? perLane((i) => f(lane(x, i))) : diverge('a Boolean object that differs by lane');
    return target === undefined ? f(x) : native.construct(f, args, target === self ? f : target);
  });
  wrap(g, 'Proxy', (f) => (args, target, self) => {
    if (target === undefined) return f();
    const [t, h] = args;
    if (isMV(t) || isMV(h)) diverge('a Proxy of values that differ by lane');
    const p: any = native.construct(f, [t, traps(h)], target === self ? f : target);
    if (guest) noteProxy(p, t, h);
    return p;
  });
  const revocable = g.Proxy.revocable;
  // Bound functions have no prototype, as Proxy has none.
  native.define(g, 'Proxy', { value: disguise(native.Proxy, g.Proxy.bind(undefined)), writable: true, enumerable: false, configurable: true });
  native.define(g.Proxy, 'revocable', {
    value: disguise(revocable, (t: any, h: any) => {
      if (isMV(t) || isMV(h)) diverge('a Proxy of values that differ by lane');
      const r = revocable(t, traps(h));
      if (guest) noteProxy(r.proxy, t, h);
      return r;
    }),
    writable: true,
    enumerable: false,
    configurable: true,
  });
  installArray(g);
  for (const name of ['Map', 'WeakMap']) wrap(g, name, listed('set', true));
  for (const name of ['Set', 'WeakSet']) wrap(g, name, listed('add', false));
  for (const name of ['WeakRef', 'FinalizationRegistry']) wrap(g, name, careful);
  for (const name of native.ownKeys(g.Intl ?? {})) if (typeof g.Intl[name]?.prototype === 'object') wrap(g.Intl, name as string, careful);
}

// careful: a constructor that takes no multivalue, not even as an option.
const careful = (f: any): Make => (args, target, self, receiver) => {
  if (state.N > 1 && (anyMV(args) || nested(args))) diverge(`${f.name} of a value that differs by lane`);
  // Some of Intl's do something to their receiver when they are called.
  return target === undefined ? native.apply(f, receiver, args) : native.construct(f, args, target === self ? f : target);
};

// What the program itself makes is told apart from what the runtime makes first.
let guest = false;

export function guestBegins(): void {
  guest = true;
}

const yesNo = new native.Set<PropertyKey>(['has', 'deleteProperty', 'set', 'defineProperty', 'isExtensible', 'preventExtensions', 'setPrototypeOf']);

// traps: the engine takes what some traps answer for a boolean.
function traps(h: any): any {
  if (!guest) return h;
  return quiet(h, (k, r) => {
    if (!isMV(r)) return r;
    return yesNo.has(k) ? truth(r) : k === 'get' || k === 'apply' || k === 'construct' ? r : diverge(`a Proxy’s ${String(k)} that differs by lane`);
  });
}

// entries is x, a list of [key, value] for a constructor, unless some entry has no
// key and value in some lane.
export function entries(x: any): any {
  if (typeof x !== 'object' || x === null) return x;
  if (isGuestProxy(x)) return state.N === 1 ? x : diverge('a list that is a Proxy');
  const check = (e: any): any => {
    hooks.list(e);
    if (isMV(e) && e.$tag !== Tag.Object) diverge('an entry that differs by lane');
    return e;
  };
  if (native.isArray(x)) {
    for (let i = 0; i < x.length; i++) check(x[i]);
    return x;
  }
  if (!isMV(x)) return x;
  return toArray(x).map(check);
}

// Where the program, or a native on its behalf, looks at or changes tracked objects
// in ways that neither accessors nor prototypes see.
import * as asyncness from '../shared/asyncness';
import { isArrayKind, isKeyed, Kind, ordinary, refuseDelete } from '../shared/tracked';
import { completed, harden } from '../shared/stand-ins';
import * as log from './log';
import { defineProperty, getOwnPropertyDescriptor, hasOwn, natives, ownKeys, prototypeOf, recOf, stamped } from './track';
import { ArrayRec, mutate, readArray, TrackedArray } from './track-arrays';
import { TrackedMap, TrackedSet } from './track-collections';
import { installBorrowing } from './track-borrow';
import { elementsChanged, installDates } from './track-values';
import { deleteField, type Name, ObjectRec, protoOf, readPresence, readShape, standFor } from './track-objects';

const { OutgoingMessage } = require('http');
const querystring = require('querystring');
// As it is before installNatives.
const { apply, deleteProperty, set } = Reflect;

// ---- what emitted code calls where o[T] is set (see "Guest ABI")

function isArrayIndex(k: any): boolean {
  return typeof k === 'number' || (typeof k === 'string' && String(Number(k)) === k);
}

export const sites = {
  gi(o: any, k: any, v: any): any {
    if (Array.isArray(o) && isArrayIndex(k)) readArray(o);
    return v;
  },
  len(o: any, v: any): any {
    if (Array.isArray(o)) readArray(o);
    return v;
  },
  // strict: a write that fails throws, as in the code it comes from.
  si(o: any, k: any, v: any, strict?: number): any {
    const assign = () => {
      if (strict) o[k] = v;
      else set(Object(o), k, v, o);
      return v;
    };
    if (Array.isArray(o) && stamped(o) !== undefined && (isArrayIndex(k) || k === 'length')) {
      const i = Number(k);
      readArray(o);
      const inside = k !== 'length' && Number.isInteger(i) && i >= 0 && i <= o.length;
      return mutate(o, k === 'length' ? [] : [v], inside ? { start: i, del: i < o.length ? 1 : 0, items: [v] } : null, assign);
    }
    if (ArrayBuffer.isView(o)) elementsChanged();
    return assign();
  },
  has(k: any, o: any): boolean {
    const found = k in o;
    looksFor(o, k);
    return found;
  },
  del(o: any, k: any, strict: number): boolean {
    const r = recOf(o);
    if (r instanceof ObjectRec && r.kind !== Kind.FrozenObject) {
      if (deleteField(r, k)) return true;
      return strict ? refuseDelete(o, protoOf(prototypeOf(o)), k) : false;
    }
    const run = () => (strict ? delete o[k] : deleteProperty(Object(o), k));
    if (!(r instanceof ArrayRec) || r.kind !== Kind.Array) return run();
    readArray(o);
    return mutate(o, [], null, run);
  },
  fi(o: any): any {
    enumerates(o);
    return o;
  },
};

// looksFor reads whether o has k.
function looksFor(o: any, k: any): void {
  const r = recOf(o);
  if (r instanceof ArrayRec) readArray(o);
  else if (r instanceof ObjectRec) readPresence(r, typeof k === 'symbol' ? k : String(k));
}

// enumerates reads which keys o has.
function enumerates(o: any): void {
  const r = recOf(o);
  if (r === undefined) return;
  if (isArrayKind(r.kind)) readArray(o);
  else if (!isKeyed(r.kind)) readShape(r);
}

// changedInPlace: what is assigned to o's elements, no accessor sees.
function changedInPlace(o: any): boolean {
  return Array.isArray(o) && stamped(o)?.kind === Kind.Array;
}

// ---- natives

function hook(o: any, k: string, before: (args: IArguments) => unknown): void {
  const f = o[k] as Function;
  replace(o, k, {
    m(this: any) {
      before(arguments);
      return apply(f, this, arguments);
    },
  }.m);
}

export function installNatives(): void {
  for (const k of ['keys', 'values', 'entries', 'getOwnPropertyNames', 'getOwnPropertyDescriptors', 'isFrozen', 'isSealed']) hook(Object, k, (args) => enumerates(args[0]));
  hook(Reflect, 'ownKeys', (args) => enumerates(args[0]));
  const { assign } = Object;
  replace(Object, 'assign', {
    m(to: any, ...from: any[]) {
      for (const x of from) enumerates(x);
      if (!changedInPlace(to)) return apply(assign, Object, [to, ...from]);
      // An accessor would see it, but elements have none.
      for (const x of from) for (const k of ownKeys(Object(x))) if (getOwnPropertyDescriptor(x, k)!.enumerable) sites.si(to, k, x[k], 1);
      return to;
    },
  }.m);
  replace(Reflect, 'deleteProperty', {
    m(o: any, k: any) {
      return recOf(o) === undefined ? apply(deleteProperty, Reflect, arguments) : sites.del(o, k, 0);
    },
  }.m);
  replace(Reflect, 'set', {
    m(o: any, k: any, v: any) {
      if (arguments.length > 3 || !changedInPlace(o)) return apply(set, Reflect, arguments);
      sites.si(o, k, v);
      return true;
    },
  }.m);
  hook(Object, 'hasOwn', (args) => looksFor(args[0], args[1]));
  for (const k of ['hasOwnProperty', 'propertyIsEnumerable']) {
    const f = (Object.prototype as any)[k];
    replace(Object.prototype, k, {
      m(this: any, key: any) {
        looksFor(this, key);
        return apply(f, this, arguments);
      },
    }.m);
  }
  hook(globalThis, 'structuredClone', (args) => readDeep(args[0], new Set()));
  for (const k of ['from', 'concat']) hook(Buffer, k, (args) => Array.isArray(args[0]) && readArray(args[0]));
  // Node's own code looks at what it is given without asking.
  for (const k of ['stringify', 'encode']) hook(querystring, k, (args) => readDeep(args[0], new Set()));
  for (const k of ['setHeader', 'appendHeader']) hook(OutgoingMessage.prototype, k, (args) => Array.isArray(args[1]) && readArray(args[1]));
  const concat = Array.prototype.concat;
  replace(Array.prototype, 'concat', {
    m(this: any) {
      for (let i = 0; i < arguments.length; i++) if (Array.isArray(arguments[i])) readArray(arguments[i]);
      return apply(concat, this, arguments as any);
    },
  }.m);
  installReflection();
  installDates(replace);
  installBorrowing(replace);
}

function installReflection(): void {
  for (const [p, proto] of [
    [TrackedArray.prototype, Array.prototype],
    [TrackedMap.prototype, Map.prototype],
    [TrackedSet.prototype, Set.prototype],
  ]) {
    standFor(p, proto);
    defineProperty(p, '__proto__', { get: () => proto, set: getOwnPropertyDescriptor(Object.prototype, '__proto__')!.set, configurable: true });
  }
  for (const owner of [Object, Reflect] as const) {
    const get = owner.getPrototypeOf;
    replace(owner, 'getPrototypeOf', {
      m(this: any) {
        return asyncness.prototypeOf(arguments[0], protoOf(apply(get, this, arguments as any)));
      },
    }.m);
    for (const k of ['setPrototypeOf', 'preventExtensions', 'freeze', 'seal'] as const) {
      if (!(k in owner)) continue;
      const said = k === 'setPrototypeOf' ? 'the prototype of an object in shared state is changed' : `${k} is called on an object in shared state`;
      hook(owner, k, (args) => {
        const r = recOf(args[0]);
        if (r === undefined || r.kind === Kind.FrozenObject || r.kind === Kind.FrozenArray) return;
        if (k === 'setPrototypeOf' && Object.getPrototypeOf(args[0]) === args[1]) return;
        log.unloggable(said);
        if (k === 'freeze' && r instanceof ObjectRec) harden(natives, args[0], (name) => r.tracks(name as Name));
      });
    }
    const define = owner.defineProperty as Function;
    replace(owner, 'defineProperty', {
      m(this: any, o: any, k: any, d: any) {
        if (recOf(o) === undefined) return apply(define, this, arguments as any);
        if (redefine(o, k, d)) return owner === Object ? o : true;
        const r = recOf(o);
        const key = typeof k === 'symbol' ? k : String(k);
        return apply(define, this, [o, k, r instanceof ObjectRec && r.tracks(key) && getOwnPropertyDescriptor(o, key)?.get !== undefined ? completed(o, k, d) : d]);
      },
    }.m);
    const describe = owner.getOwnPropertyDescriptor as Function;
    replace(owner, 'getOwnPropertyDescriptor', {
      m(this: any, o: any, k: any) {
        const d = apply(describe, this, arguments as any);
        return seen(o, k, d);
      },
    }.m);
  }
  const all = Object.getOwnPropertyDescriptors;
  replace(Object, 'getOwnPropertyDescriptors', {
    m(o: any) {
      const ds = all(o);
      if (recOf(o) !== undefined) for (const k of ownKeys(ds)) (ds as any)[k] = seen(o, k as string, (ds as any)[k]);
      return ds;
    },
  }.m);
  hook(Object, 'defineProperties', (args) => {
    if (recOf(args[0]) !== undefined) log.unloggable('Object.defineProperties is called on an object in shared state');
  });
}

// seen is a descriptor as the program would see it if o were not tracked.
function seen(o: any, k: PropertyKey, d: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  const r = recOf(o);
  if (r === undefined) return d;
  looksFor(o, k);
  if (!(r instanceof ObjectRec) || d === undefined || d.get === undefined || !r.tracks(typeof k === 'number' ? String(k) : k)) return d;
  return { value: o[k], writable: true, enumerable: d.enumerable, configurable: d.configurable };
}

// redefine makes an ordinary property of a tracked object, which is like assigning
// it, and says so of all others.
function redefine(o: any, k: any, d: any): boolean {
  const r = recOf(o)!;
  if (r.kind === Kind.FrozenObject || r.kind === Kind.FrozenArray) return false;
  if (r instanceof ObjectRec && typeof k === 'string' && ordinary(d, () => has(o, k)) && (inherits(protoOf(prototypeOf(o)), k) ? has(o, k) : true) && (!hasOwn(o, k) || r.tracks(k))) {
    o[k] = d.value;
    return true;
  }
  log.unloggable('Object.defineProperty is called on an object in shared state');
  return false;
}

function inherits(proto: any, k: string): boolean {
  return proto !== null && k in proto;
}

function has(o: any, k: string): boolean {
  looksFor(o, k);
  return hasOwn(o, k);
}

// readDeep reads all that can be reached from x.
function readDeep(x: any, met: Set<any>): void {
  if (typeof x !== 'object' || x === null || met.has(x)) return;
  met.add(x);
  enumerates(x);
  if (x instanceof Map) for (const [k, v] of x) readDeep(k, met), readDeep(v, met);
  else if (x instanceof Set) for (const v of x) readDeep(v, met);
  else if (Array.isArray(x) || recOf(x) !== undefined || Object.getPrototypeOf(x) === Object.prototype) for (const k of ownKeys(x)) readDeep(x[k], met);
}

function replace(o: any, k: string, f: Function): void {
  const d = getOwnPropertyDescriptor(o, k)!;
  defineProperty(f, 'name', { value: k, configurable: true });
  defineProperty(f, 'length', { value: d.value.length, configurable: true });
  defineProperty(o, k, { ...d, value: f });
}

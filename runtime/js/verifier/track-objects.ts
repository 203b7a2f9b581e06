// Plain objects and instances of the program's classes.
import * as asyncness from '../shared/asyncness';
import { isArrayKind, isKeyed, Kind, noPrototype, T } from '../shared/tracked';
import { behindProxies, native as realm } from './mv';
import { ABSENT, group, nextOp, sharing, things } from './group';
import { readLoc } from './state';
import { setVariant, variantOf } from './mv-dispatch';
import { disguise } from './mv-natives';
import { RawMap, RawWeakMap } from './raw';
import { each, FIXED, hidden, inherited, isError, publishing, put, type Rec, recOf, removeKey, shapeOf, share, stamp, stamped, valueOr } from './track';
import { weakFieldsOf } from './track-weak';

publishing((o, proto, lane, enqueue) => {
  let classId = 0;
  if (proto === null) classId = noPrototype;
  else if (proto !== Object.prototype) {
    classId = things.instances(proto);
    if (classId === 0) return null;
  }
  return publishObject(o, proto, classId, lane, enqueue);
});

function publishObject(o: any, proto: object | null, classId: number, lane: number, enqueue: (x: any) => void): Rec {
  const extensible = realm.isExtensible(o);
  const r = stamp(o, !extensible ? Kind.FrozenObject : classId === 0 || classId === noPrototype ? Kind.Object : Kind.Instance, classId, lane);
  const error = isError(o);
  for (const k of realm.ownKeys(o)) {
    const d = realm.getOwn(o, k)!;
    // The server's engine writes the stack trace when it is asked for the descriptor, this one only when it is read.
    if (k === 'stack' && error && !group.loading && d.get !== undefined) o.stack;
    if (typeof k === 'symbol' && things.of(k) < 0) {
      if (!group.loading) continue;
      things.add(k);
    }
    const value = 'value' in d;
    if (!value || (extensible && !(d.configurable && d.writable))) {
      if (value) enqueue(d.value);
      if (group.loading) r.fields.set(k, FIXED);
      if (group.loading && !d.enumerable && typeof k === 'string') (r.concealed ??= new Set()).add(k);
      continue;
    }
    // See the server's track-objects.ts: what is not tracked there must not be here.
    if (k === 'stack' && error && !group.loading) continue;
    if (extensible && !group.loading && d.enumerable === (error && typeof k === 'string' && hidden(k))) continue;
    r.fields.set(k, d.value);
    if (group.loading && !d.enumerable && typeof k === 'string') (r.concealed ??= new Set()).add(k);
    enqueue(d.value);
    if (extensible) realm.define(o, k, accessor(k, d.enumerable!));
  }
  for (const [weak, v] of weakFieldsOf(o)) {
    r.fields.set(weak, v);
    enqueue(v);
  }
  if (extensible) realm.setProto(o, proxyOf(proto));
  return r;
}

export const accessors = new RawMap<string | symbol, PropertyDescriptor>();

export function accessor(k: string | symbol, enumerable: boolean): PropertyDescriptor {
  const cached = accessors.get(k);
  if (cached !== undefined && enumerable) return cached;
  const d = {
    configurable: true,
    enumerable,
    get(this: any) {
      const r = owner(this, k);
      if (group.init) return r.fields.get(k);
      return valueOr(each(r, (i) => readLoc(r, k, i)));
    },
    set(this: any, v: any) {
      const r = stamped(behindProxies(this));
      if (r === undefined) {
        realm.define(this, k, { value: v, writable: true, enumerable: true, configurable: true });
        return;
      }
      const op = nextOp();
      share(v, op);
      if (group.init) r.fields.set(k, v);
      else put(r, k, v, op);
    },
  };
  if (enumerable) accessors.set(k, d);
  return d;
}

// owner: the tracked object itself, or the one that o inherits from.
function owner(o: any, k: string | symbol): Rec {
  for (let p = behindProxies(o); p !== null && p !== undefined; p = behindProxies(realm.getProto(p))) {
    const r = recOf(p);
    if (r !== undefined) return r;
  }
  throw new TypeError(`Illegal read of ${String(k)}`);
}

function protoProxy(proto: object | null): object {
  const target = proto ?? Object.create(null);
  return new Proxy(target, {
    get(_t, k, receiver) {
      const r = recOf(receiver);
      if (r !== undefined) {
        if (k === '__proto__' && proto !== null) return proto;
        if (typeof k === 'string' && !group.init) {
          if (k === 'toJSON') syncShape(r);
          const own = each(r, (i) => readLoc(r, k, i));
          if (!(k in target)) return valueOr(own);
          if (own !== ABSENT) return inherited(own, Reflect.get(target, k, receiver));
        }
      }
      return proto === null ? undefined : Reflect.get(proto, k, receiver);
    },
    set(_t, k, v, by) {
      const receiver = behindProxies(by);
      const r = recOf(receiver);
      if (r === undefined) return Reflect.set(target, k, v, receiver);
      const inherited = inheritedBy(target, k);
      if (inherited !== undefined && !('value' in inherited)) {
        if (inherited.set === undefined) return false;
        inherited.set.call(receiver, v);
        return true;
      }
      if (inherited !== undefined && !inherited.writable) return false;
      if (!realm.isExtensible(receiver)) return false;
      if (typeof k === 'symbol') {
        if (!group.init) sharing('a symbol becomes a key of shared state');
        return Reflect.defineProperty(receiver, k, { value: v, writable: true, enumerable: true, configurable: true });
      }
      const op = nextOp();
      share(v, op);
      if (group.init) r.fields.set(k, v);
      else put(r, k, v, op);
      if (group.init || group.lanes === 1) realm.define(receiver, k, accessor(k, true));
      return true;
    },
    getPrototypeOf: () => proto,
    setPrototypeOf: (_t, q) => q === proto,
  });
}

function inheritedBy(proto: any, k: PropertyKey): PropertyDescriptor | undefined {
  for (let p = proto; p !== null; p = realm.getProto(p)) {
    const d = realm.getOwn(p, k);
    if (d !== undefined) return d;
  }
  return undefined;
}

// Between an object and the Proxy lies an object that answers for T, which is
// asked for often.
const marked = (p: object): object => Object.create(p, { [T]: { value: true } });
const proxies = new RawWeakMap<object, object>();
const behind = new RawWeakMap<object, object | null>();

// proxyOf is what takes the place of a prototype.
export function proxyOf(proto: object | null): object {
  if (proto === null) return nullProxy;
  let p = proxies.get(proto);
  if (p === undefined) {
    if (!named && inheritedBy(proto, Symbol.toStringTag)?.get !== undefined) nameTracked();
    proxies.set(proto, (p = stand(proto)));
  }
  return p;
}

// standFor notes that p takes the place of a prototype.
export function standFor(p: object, proto: object | null): void {
  behind.set(p, proto);
}

function stand(proto: object | null): object {
  const p = marked(protoProxy(proto));
  standFor(p, proto);
  return p;
}

const nullProxy = stand(null);

// protoOf is the prototype that the program sees.
export function protoOf(p: any): any {
  const proto = typeof p === 'object' && p !== null ? behind.get(p) : undefined;
  return proto === undefined ? p : proto;
}

for (const owner of [Object, Reflect] as const) {
  const f = owner.getPrototypeOf;
  const getPrototypeOf = (o: any): any => asyncness.prototypeOf(o, protoOf(Reflect.apply(f, owner, [o])));
  realm.define(getPrototypeOf, 'name', { value: 'getPrototypeOf', configurable: true }); // the bundler may have renamed it
  realm.define(owner, 'getPrototypeOf', { value: getPrototypeOf, writable: true, configurable: true });
}

// syncShape reads the shape and makes the native own keys those it names, so
// that natives which enumerate see what the lanes see.
export function syncShape(r: Rec): string[] {
  if (group.init) return realm.keys(r.target);
  const keys = shapeOf(r) as string[];
  const own = realm.keys(r.target);
  if (!realm.isExtensible(r.target)) return own;
  if (own.length !== keys.length || own.some((k, i) => k !== keys[i])) {
    const fixed = new RawMap<string, PropertyDescriptor>();
    for (const k of own) {
      if (r.fields.get(k) === FIXED) fixed.set(k, realm.getOwn(r.target, k)!);
      remove(r.target, k);
    }
    for (const k of keys) realm.define(r.target, k, fixed.get(k) ?? accessor(k, true));
  }
  return keys;
}

// remove is Reflect.deleteProperty before the runtime asked us about it.
export function remove(o: any, k: PropertyKey): boolean {
  try {
    return delete o[k];
  } catch {
    return false;
  }
}

export function removeField(o: any, k: string): boolean {
  const r = stamped(o)!;
  if (!realm.isExtensible(o)) return !realm.hasOwn(o, k);
  if (group.init) {
    const d = realm.getOwn(o, k);
    if (d === undefined) return true;
    if (!d.configurable) return false;
    nextOp();
    r.fields.delete(k);
    return remove(o, k);
  }
  // What was tracked never is: it was so when the object was published, in all lanes alike.
  if (realm.getOwn(o, k)?.configurable === false) return false;
  removeKey(r, k);
  if (group.lanes === 1) remove(o, k);
  return true;
}

// The engine asks the Proxy behind a tracked object for its tag as if that were the object. So the
// program's Object.prototype.toString is another, once a class that says by itself what its tag
// is has tracked instances (not before: the engine's messages call objects otherwise then).
let named = false;
const { toString } = Object.prototype;
const nameOf = {
  toString(this: any): string {
    const r = recOf(this);
    if (r === undefined || isKeyed(r.kind) || isArrayKind(r.kind)) return realm.apply(toString, this, []);
    const tag = this[Symbol.toStringTag];
    return `[object ${typeof tag === 'string' ? tag : isError(this) ? 'Error' : 'Object'}]`;
  },
}.toString;

function nameTracked(): void {
  named = true;
  setVariant(nameOf, variantOf(toString));
  realm.define(Object.prototype, 'toString', { value: disguise(toString, nameOf), writable: true, configurable: true });
}

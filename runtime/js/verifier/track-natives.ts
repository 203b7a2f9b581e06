// What the multivalue runtime asks where o[T] is set.
import { completed, harden, lending } from '../shared/stand-ins';
import { Kind, ordinary } from '../shared/tracked';
import { diverge, divergeBy, isMV, lane as laneOf, lanesOf, native as realm } from './mv';
import { group, nextOp, sharing } from './group';
import { each, FIXED, presentKey, put, readKey, type Rec, recOf, share, storing, valueOr } from './track';
import { touch } from './mv-touch';
import { natives, RawMap } from './raw';
import { mutate, sync, TrackedArray } from './track-arrays';
import { TrackedMap, TrackedSet } from './track-collections';
import { accessors, protoOf, remove, removeField, standFor, syncShape } from './track-objects';
import './track-views';
import { hooks } from './track-hooks';

function isIndex(k: any): boolean {
  return typeof k === 'number' || (typeof k === 'string' && String(Number(k)) === k);
}

// isObject: its properties are locations.
const isObject = (r: Rec): boolean => r.kind === Kind.Object || r.kind === Kind.Instance;

// tracksField tells whether k is a field of an object that is a location.
const tracksField = (r: Rec, k: PropertyKey): boolean => r.fields.has(k as string) && r.fields.get(k as string) !== FIXED;

// plainKeys splits the group where keys that differ by lane are not all mere fields of o:
// some inherit something, or have accessors of the program's.
function plainKeys(r: Rec, keys: any): void {
  const proto = protoOf(realm.getProto(r.target));
  const plain = (key: any) => {
    if (typeof key === 'symbol' || (proto !== null && key in proto)) return false;
    const k = String(key);
    if (r.fields.has(k)) return r.fields.get(k) !== FIXED;
    const d = realm.getOwn(r.target, k);
    return d === undefined || (d.get !== undefined && d.get === accessors.get(k)?.get);
  };
  const all = lanesOf(keys);
  if (!all.every(plain)) divergeBy('keys that differ by lane, not all of which are mere fields', all);
}

hooks.get = (o, k) => {
  const r = recOf(o);
  if (r === undefined) return o[k];
  if (r.kind === Kind.Array && (isIndex(k) || k === 'length')) sync(o);
  if (isObject(r) && isMV(k)) {
    plainKeys(r, k);
    return valueOr(readKey(r, k));
  }
  return o[k];
};
hooks.set = (o, k, v) => {
  const r = recOf(o);
  if (r !== undefined && r.kind === Kind.Array && (isIndex(k) || k === 'length')) {
    sync(o);
    const i = Number(k);
    const inside = k !== 'length' && Number.isInteger(i) && i >= 0 && i <= o.length;
    return mutate(o, k === 'length' ? [] : [v], inside ? { start: i, del: i < o.length ? 1 : 0, items: [v] } : null, () => (o[k] = v));
  }
  if (r !== undefined && isObject(r) && isMV(k)) {
    plainKeys(r, k);
    const op = nextOp();
    share(v, op);
    put(r, k, v, op);
    return v;
  }
  return (touch(o)[k] = v);
};
hooks.storing = storing;
hooks.length = (o) => {
  if (recOf(o)?.kind === Kind.Array) sync(o);
  return o.length;
};
hooks.setLength = (o, n) => hooks.set(o, 'length', n);
hooks.has = (k, o) => {
  const r = recOf(o);
  if (r === undefined || group.init || !(isObject(r) || r.kind === Kind.Array) || typeof k === 'symbol') return k in o;
  if (r.kind === Kind.Array) {
    sync(o);
    return k in o;
  }
  const own = presentKey(r, isMV(k) ? k : String(k));
  const proto = protoOf(realm.getProto(o));
  return each(r, (i) => laneOf(own, i) || (proto !== null && String(laneOf(k, i)) in proto));
};
hooks.hasOwn = (o, k) => {
  const r = recOf(o);
  if (r === undefined || group.init || !(isObject(r) || r.kind === Kind.Array) || typeof k === 'symbol') return realm.hasOwn(o, k);
  if (r.kind === Kind.Array) {
    sync(o);
    return realm.hasOwn(o, k);
  }
  return presentKey(r, isMV(k) ? k : String(k));
};
hooks.describe = (o, k, d) => {
  const r = recOf(o);
  if (r === undefined || group.init || !isObject(r) || typeof k === 'symbol' || r.fields.get(String(k)) === FIXED) {
    return d !== undefined && d.get !== undefined && r !== undefined && isObject(r) && tracksField(r, k) ? { value: o[k], writable: true, enumerable: d.enumerable, configurable: true } : d;
  }
  const there = hooks.hasOwn(o, k);
  if (isMV(there)) diverge('property descriptors that differ by lane');
  return there ? { value: o[k], writable: true, enumerable: !(typeof k === 'string' && r.hides(k)), configurable: true } : undefined;
};
hooks.define = (o, k, d) => {
  const r = recOf(o);
  if (r === undefined || r.kind === Kind.FrozenObject || r.kind === Kind.FrozenArray) return false;
  if (isObject(r) && typeof k === 'string' && r.fields.get(k) !== FIXED && ordinary(d, () => hooks.hasOwn(o, k))) {
    const proto = protoOf(realm.getProto(o));
    if (proto === null || !(k in proto) || hooks.hasOwn(o, k)) {
      o[k] = d.value;
      return true;
    }
  }
  if (!group.init) sharing('Object.defineProperty is called on an object in shared state');
  if (!isObject(r) || !tracksField(r, k) || realm.getOwn(o, k)?.get === undefined) return false;
  realm.define(o, k, completed(o, k, d));
  return true;
};
hooks.freeze = (o) => {
  const r = recOf(o);
  if (r !== undefined && isObject(r)) harden(natives, o, (k) => tracksField(r, k));
};
hooks.manner = (o) => {
  const r = recOf(o);
  if (r === undefined || group.init || group.together || r.kind === Kind.FrozenObject || r.kind === Kind.FrozenArray) return;
  sharing('an object in shared state is sealed, or gets another prototype');
};
hooks.del = (o, k) => {
  const r = recOf(o);
  if (r === undefined || !(isObject(r) || r.kind === Kind.Array)) return remove(o, k);
  if (r.kind === Kind.Array) {
    sync(o);
    return mutate(o, [], null, () => remove(o, k));
  }
  return removeField(o, String(k));
};
hooks.keys = (o) => {
  const r = recOf(o);
  if (r === undefined) return realm.keys(o);
  if (r.kind === Kind.Array) sync(o);
  if (isObject(r)) return syncShape(r);
  return realm.keys(o);
};
for (const [p, proto] of [
  [TrackedArray.prototype, Array.prototype],
  [TrackedMap.prototype, Map.prototype],
  [TrackedSet.prototype, Set.prototype],
]) {
  standFor(p, proto);
  realm.define(p, '__proto__', { get: () => proto, set: realm.getOwn(Object.prototype, '__proto__')!.set, configurable: true });
}

const { lend, inPlaceOf } = lending(natives, new RawMap(), (o) => recOf(o) !== undefined);
lend(Array.prototype, TrackedArray.prototype);
lend(Map.prototype, TrackedMap.prototype);
lend(Set.prototype, TrackedSet.prototype);
hooks.inPlaceOf = inPlaceOf;
hooks.iterate = (o) => o[Symbol.iterator]();

// Tracked objects in re-execution: the same publication, in the same order and
// under the same names, as in the server's runtime; but what they hold is a
// question to the log (state.ts), lane by lane.
import { current } from '../shared/activation';
import { arrayChange, changesArray, isArrayKind, isKeyed, Kind, noPrototype, ordinary, type Splice, T } from '../shared/tracked';
import { ALL, type Json, KeyRef, parseKey, SHAPE } from './feed';
import { behindProxies, diverge, divergeBy, isGuestProxy, isMV, isProxied, isSplit, lane as laneOf, lanesOf, native as realm, norm } from './mv';
import {
  ABSENT, bind, type Delta, enumerated, equalElements, equals, group, hasProperties, keyName, Later, lengthOf, type List, listOf, materialise, materialiseLater, nextOp, number, peek, problem, readLoc, setMakeView, setRecOf,
  sharing, takeObject, things, Tracked, unnumbered, unsupported, wantMore, writeLoc,
} from './state';
import { RawMap, RawWeakMap } from './raw';
import { hint, hooks } from './track-hooks';

class Returns {
  constructor(o: object) {
    return o;
  }
}
class Stamp extends Returns {
  #rec!: Rec;
  static put(o: object, r: Rec): void {
    (new Stamp(o) as any as Stamp).#rec = r;
  }
  static of(o: any): Rec | undefined {
    return #rec in o ? (o as Stamp).#rec : undefined;
  }
}

// Rec: `fields` is the initial version by key; for init's objects it is also
// the storage while init runs.
class Rec extends Tracked {
  fields: Map<any, any> = new RawMap();
  list: any[] = [];
  // keys caches those of fields, once published in a group.
  keys: any[] | null = null;
  // The activation for which an array's native elements were last brought up to date.
  synced: object | null = null;
  holes: Set<any> | null = null;
  // concealed: fields of init's that enumerating passes over.
  concealed: Set<string> | null = null;
  constructor(
    target: any,
    readonly kind: Kind,
    readonly classId: number,
    lane: number,
  ) {
    super(target, lane);
  }

  initial(key: any, lane: number): any {
    if (key === SHAPE) return isKeyed(this.kind) ? [...this.fields.keys()] : [...this.fields.keys()].filter((k) => typeof k === 'string' && !this.hides(k));
    if (key === ALL) this.list.forEach((v, i) => {
      if (v instanceof Later) this.list[i] = v.get(lane);
    });
    if (key === ALL) return this.lane < 0 && isLanewise(this.list) ? this.list.map((v) => laneOf(v, lane)) : this.list;
    if (this.holes !== null && this.holes.has(key)) problem(lane, 'R-hole', `the log keeps back the initial value of ${keyName(key)}`);
    const v = this.fields.get(key);
    if (v === undefined && !this.fields.has(key)) return this.logged(key, lane);
    if (v instanceof Later) {
      const o = v.get(lane);
      this.fields.set(key, o);
      return o;
    }
    return isMV(v) ? laneOf(v, lane) : v;
  }

  // hides tells of a field whether natives that enumerate pass it over. A plain object
  // is no error: asking for what it inherits takes long.
  hides(k: string): boolean {
    return (this.concealed !== null && this.concealed.has(k)) || (this.classId !== 0 && hidden(k) && isError(this.target));
  }

  // logged: the key may be an object that only this lane has materialised.
  private logged(_key: any, _lane: number): any {
    return ABSENT;
  }
}

function isLanewise(l: any[]): boolean {
  return l.some(isMV);
}

// FIXED stands for what is no location: a property of an object of init's that
// cannot be made an accessor, or that is one of the program's own.
const FIXED = Symbol('fixed');

const isError = (o: any): boolean => o instanceof Error;

// hidden: fields of errors that are not enumerable.
const hidden = (k: string | symbol): boolean => k === 'message' || k === 'cause' || k === 'errors';

export function recOf(o: any): Rec | undefined {
  return (typeof o === 'object' && o !== null) || typeof o === 'function' ? Stamp.of(o) : undefined;
}
setRecOf(recOf);

// lanes of the current operation on r: one, or all of them.
function each<V>(r: Rec, f: (lane: number) => V): V {
  if (group.lanes === 1) return f(0);
  if (r.lane >= 0) return f(r.lane);
  if (hint.lane >= 0) return f(hint.lane);
  const out = new Array(group.lanes);
  for (let i = 0; i < group.lanes; i++) out[i] = f(i);
  return norm(out) as V;
}

// ---- publication

export function share(v: any, op: number): any {
  if (isMV(v)) {
    for (let i = 0; i < group.lanes; i++) publishAll(laneOf(v, i), op, i);
    return v;
  }
  publishAll(v, op, hint.lane);
  return v;
}

function isValue(o: object): boolean {
  return o instanceof Date || o instanceof RegExp;
}

function publishAll(v: any, op: number, lane: number): void {
  if (typeof v === 'function' || typeof v === 'symbol') {
    if (group.loading) things.add(v);
    return;
  }
  if (typeof v !== 'object' || v === null || Stamp.of(v) !== undefined) return;
  const queue: any[] = [v];
  const made: Rec[] = [];
  const enqueue = (x: any): void => {
    if (isMV(x)) {
      for (let i = 0; i < group.lanes; i++) if (isPublishable(laneOf(x, i))) diverge('objects that differ by lane are published inside another');
      return;
    }
    if (isPublishable(x)) queue.push(x);
    else if (group.loading && (typeof x === 'function' || typeof x === 'symbol')) things.add(x);
  };
  for (let i = 0; i < queue.length; i++) {
    const o = queue[i];
    if (Stamp.of(o) !== undefined || isValue(o)) continue;
    // What is done through a Proxy is hardly seen.
    if (isGuestProxy(o) || isProxied(o)) sharesProxy();
    if (isGuestProxy(o)) continue;
    const r = publish(o, lane, enqueue);
    if (r !== null) made.push(r);
  }
  if (group.init) return;
  const first = lane < 0 ? 0 : lane;
  const last = lane < 0 ? group.lanes - 1 : lane;
  if (group.node === null || group.node.objects === null) return;
  for (let i = first; i <= last; i++) {
    for (let index = 0; index < made.length; index++) {
      const obj = takeObject(i, op, index);
      if (obj < 0) continue;
      const r = made[index];
      r.numbered(i, obj);
      bind(i, obj, r.target);
    }
    for (let index = 0; index < made.length; index++) {
      const num = made[index].numIn(i);
      if (num !== unnumbered) checkDefinition(made[index], num, i);
    }
  }
}

function sharesProxy(): void {
  if (!group.together) sharing('a Proxy is made of shared state, or stored in it');
}
hooks.proxied = (o) => {
  if (recOf(o) !== undefined) sharesProxy();
};

function isPublishable(x: any): boolean {
  return typeof x === 'object' && x !== null && Stamp.of(x) === undefined;
}

// checkDefinition: what the log says an object held when it was published must
// be what re-execution made.
function checkDefinition(r: Rec, obj: number, lane: number): void {
  const def = group.feed!.objects[obj];
  const wrong = (msg: string, expected?: any, found?: any) => problem(lane, 'R-object', msg, expected, found);
  if (def.kind !== r.kind) return wrong('an object is logged as another kind of object');
  if (def.classId !== r.classId) return wrong('an object is logged as an instance of another class');
  if (isArrayKind(r.kind)) {
    if (def.fields.length === 1 && isHole(def.fields[0][1])) return;
    const l = r.initial(ALL, lane) as any[];
    if (l.length !== def.fields.length || !def.fields.every(([, v], i) => equalElements(v, l[i], lane))) wrong('an array is logged with other elements than it had', def.fields, l);
    return;
  }
  const keys = (r.keys ??= [...r.fields.keys()]);
  if (keys.length !== def.fields.length) return wrong('an object is logged with other keys than it had', def.fields.length, keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const [k, v] = def.fields[i];
    if (k !== key) {
      const logged = parseKey(k);
      if (!(Object.is(logged, key) || (logged instanceof KeyRef && number(key, lane) === logged.obj))) return wrong('an object is logged with another key', k, String(key));
    }
    if (isHole(v)) continue;
    const value = r.initial(key, lane);
    if (!equals(v, value, lane)) wrong(`${keyName(key)} of an object is logged with another value`, v, value);
  }
}

function isHole(v: Json): boolean {
  return realm.isArray(v) && v[0] === 'h';
}

function publish(o: any, lane: number, enqueue: (x: any) => void): Rec | null {
  if (isSplit(o)) diverge('a collection of keys that differ by lane becomes shared');
  const proto = realm.getProto(o);
  if (realm.isArray(o) && proto === Array.prototype) {
    const extensible = realm.isExtensible(o);
    const r = stamp(o, extensible ? Kind.Array : Kind.FrozenArray, 0, lane);
    r.list = elementsOf(o);
    for (const v of r.list) enqueue(v);
    if (extensible) realm.setProto(o, TrackedArray.prototype);
    return r;
  }
  if (proto === Map.prototype) {
    const r = stamp(o, Kind.Map, 0, lane);
    native.mapForEach.call(o, (v: any, k: any) => {
      r.fields.set(k, v);
      enqueue(k);
      enqueue(v);
    });
    realm.setProto(o, TrackedMap.prototype);
    return r;
  }
  if (proto === Set.prototype) {
    const r = stamp(o, Kind.Set, 0, lane);
    native.setForEach.call(o, (k: any) => {
      r.fields.set(k, true);
      enqueue(k);
    });
    realm.setProto(o, TrackedSet.prototype);
    return r;
  }
  let classId = 0;
  if (proto === null) classId = noPrototype;
  else if (proto !== Object.prototype) {
    classId = things.instances(proto);
    if (classId === 0) return null;
  }
  return publishObject(o, proto, classId, lane, enqueue);
}

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
      if (group.loading && d.enumerable) r.fields.set(k, FIXED);
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

function stamp(o: any, kind: Kind, classId: number, lane: number): Rec {
  const r = new Rec(o, kind, classId, lane);
  Stamp.put(o, r);
  if (group.init && !group.together) r.num = -(things.next(o) + 1);
  return r;
}

// view materialises an object that another request published.
setMakeView((obj, lane) => {
  const def = group.feed!.objects[obj];
  if (def === undefined) {
    problem(lane, 'R-object', 'the log names an object that it never defines');
    return undefined;
  }
  if (def.fields === null) wantMore();
  const o = blank(def, lane);
  const r = stamp(o, def.kind, def.classId, lane);
  r.num = obj;
  bind(lane, obj, o);
  if (isArrayKind(def.kind)) {
    if (def.kind === Kind.Array) realm.setProto(o, TrackedArray.prototype);
    if (def.fields.length === 1 && isHole(def.fields[0][1])) r.holes = new Set([ALL]);
    else r.list = def.fields.map(([, v]) => (def.kind === Kind.FrozenArray ? materialise(v, lane) : materialiseLater(v, lane)));
    if (def.kind === Kind.FrozenArray) {
      o.length = r.list.length;
      for (let i = 0; i < r.list.length; i++) if (r.list[i] !== ABSENT) o[i] = r.list[i];
      Object.freeze(o);
    }
    return o;
  }
  if (def.kind === Kind.Map) realm.setProto(o, TrackedMap.prototype);
  if (def.kind === Kind.Set) realm.setProto(o, TrackedSet.prototype);
  const keys = isKeyed(def.kind);
  for (const [k, v] of def.fields) {
    let key = typeof k === 'string' ? k : parseKey(k);
    if (key instanceof KeyRef) key = materialise(['r', key.obj], lane);
    if (isHole(v)) (r.holes ??= new Set()).add(key);
    const value = def.kind === Kind.FrozenObject ? materialise(v, lane) : materialiseLater(v, lane);
    r.fields.set(key, value);
    if (keys || (typeof key === 'object' && key !== null)) continue;
    if (def.kind === Kind.FrozenObject) realm.define(o, key, { value, enumerable: typeof key !== 'string' || !r.hides(key) });
    else realm.define(o, key, accessor(key, typeof key !== 'string' || !r.hides(key)));
  }
  if (def.kind === Kind.FrozenObject) Object.freeze(o);
  return o;
});

// blank is an object as the log defines it, with nothing in it.
function blank(def: { kind: number; classId: number }, lane: number): any {
  switch (def.kind) {
    case Kind.Array:
    case Kind.FrozenArray:
      return [];
    case Kind.Map:
      return new Map();
    case Kind.Set:
      return new Set();
  }
  const proto = def.classId === 0 ? Object.prototype : def.classId === noPrototype ? null : things.prototype(def.classId);
  if (proto === undefined || (def.classId !== 0 && def.classId !== noPrototype && things.instances(proto!) !== def.classId)) {
    problem(lane, 'R-object', 'the log names a class that the program does not have');
    return {};
  }
  const seen = def.kind === Kind.FrozenObject ? proto : proxyOf(proto);
  if (!(proto instanceof Error || proto === Error.prototype)) return Object.create(seen);
  const e = new Error();
  realm.define(e, 'stack', {
    get() {
      unsupported('the stack of an error that another request made');
      return '';
    },
    enumerable: false,
    configurable: true,
  });
  realm.setProto(e, seen!);
  return e;
}

// ---- access to one location by all lanes

function eachKey(key: any, f: (k: any, lane: number) => any): any {
  const out = new Array(group.lanes);
  for (let i = 0; i < out.length; i++) out[i] = f(keyIn(key, i), i);
  return norm(out);
}

// keyIn is a lane's key, as Maps and Sets take it: -0 is 0.
function keyIn(key: any, lane: number): any {
  const k = isMV(key) ? laneOf(key, lane) : key;
  return k === 0 ? 0 : k;
}

function readKey(r: Rec, key: any): any {
  if (isMV(key)) return eachKey(key, (k, i) => readLoc(r, k, i));
  return each(r, (i) => readLoc(r, keyIn(key, i), i));
}

// present: whether the location holds something; a multivalue where lanes differ.
function presentKey(r: Rec, key: any): any {
  if (isMV(key)) return eachKey(key, (k, i) => readLoc(r, k, i) !== ABSENT);
  return each(r, (i) => readLoc(r, keyIn(key, i), i) !== ABSENT);
}

function valueOr(v: any): any {
  if (v === ABSENT) return undefined;
  if (isMV(v)) {
    const n = group.lanes;
    for (let i = 0; i < n; i++) {
      if (laneOf(v, i) !== ABSENT) continue;
      const out = new Array(n);
      for (let j = 0; j < n; j++) {
        const x = laneOf(v, j);
        out[j] = x === ABSENT ? undefined : x;
      }
      return norm(out);
    }
  }
  return v;
}

// inherited is own, and in lanes that have none of their own what they inherit.
function inherited(own: any, otherwise: any): any {
  if (!isMV(own)) return own;
  return norm(Array.from({ length: group.lanes }, (_, i) => (laneOf(own, i) === ABSENT ? otherwise : laneOf(own, i))));
}

// put writes value (or, for ABSENT, deletes), and the shape where a key comes or goes.
function put(r: Rec, key: any, value: any, op: number): void {
  each(r, (i) => {
    const k = keyIn(key, i);
    const v = isMV(value) ? laneOf(value, i) : value;
    const before = writeLoc(r, k, i, op, v, null);
    if (v !== ABSENT && before === ABSENT) writeLoc(r, SHAPE, i, op, null, { add: k });
    else if (v === ABSENT && before !== ABSENT) writeLoc(r, SHAPE, i, op, null, { remove: k });
    return 0;
  });
}

// agreeOn splits the group unless all lanes hold the same keys or as many elements.
function shapeOf(r: Rec): List {
  return agreed(r, SHAPE, hasProperties(r.kind) ? enumerated : (l) => l, (l) => JSON.stringify(l.map((k: any) => (typeof k === 'object' ? 'o' : typeof k + String(k)))));
}

function agreed(r: Rec, key: any, arranged: (l: List) => List, signature: (l: List) => any): List {
  if (group.lanes === 1 || r.lane >= 0 || hint.lane >= 0) return arranged(listOf(readLoc(r, key, group.lanes === 1 ? 0 : r.lane >= 0 ? r.lane : hint.lane)));
  const lists: List[] = [];
  for (let i = 0; i < group.lanes; i++) lists.push(arranged(listOf(readLoc(r, key, i))));
  const signatures = lists.map(signature);
  if (signatures.some((x) => x !== signatures[0])) diverge(key === ALL ? 'array lengths differ' : 'keys differ', classesOf(signatures));
  return lists[0].map((_, j) => norm(lists.map((l) => l[j])));
}

// ---- plain objects

const accessors = new RawMap<string | symbol, PropertyDescriptor>();

function accessor(k: string | symbol, enumerable: boolean): PropertyDescriptor {
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
      const r = Stamp.of(behindProxies(this));
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
function proxyOf(proto: object | null): object {
  if (proto === null) return nullProxy;
  let p = proxies.get(proto);
  if (p === undefined) proxies.set(proto, (p = stand(proto)));
  return p;
}

function stand(proto: object | null): object {
  const p = marked(protoProxy(proto));
  behind.set(p, proto);
  return p;
}

const nullProxy = stand(null);

// protoOf is the prototype that the program sees.
function protoOf(p: any): any {
  const proto = typeof p === 'object' && p !== null ? behind.get(p) : undefined;
  return proto === undefined ? p : proto;
}

for (const owner of [Object, Reflect] as const) {
  const f = owner.getPrototypeOf;
  const getPrototypeOf = (o: any): any => protoOf(Reflect.apply(f, owner, [o]));
  realm.define(getPrototypeOf, 'name', { value: 'getPrototypeOf', configurable: true }); // the bundler may have renamed it
  realm.define(owner, 'getPrototypeOf', { value: getPrototypeOf, writable: true, configurable: true });
}

// syncShape reads the shape and makes the native own keys those it names, so
// that natives which enumerate see what the lanes see.
function syncShape(r: Rec): string[] {
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
function remove(o: any, k: PropertyKey): boolean {
  try {
    return delete o[k];
  } catch {
    return false;
  }
}

function removeField(o: any, k: string): boolean {
  const r = Stamp.of(o)!;
  if (!realm.isExtensible(o)) return !realm.hasOwn(o, k);
  if (group.init) {
    const d = realm.getOwn(o, k);
    if (d === undefined) return true;
    if (!d.configurable) return false;
    nextOp();
    r.fields.delete(k);
    return remove(o, k);
  }
  removeKey(r, k);
  if (group.lanes === 1) remove(o, k);
  return true;
}

// removeKey deletes a key and yields whether it was there. An absent key is only
// read; where lanes differ in that, their operation counts would differ too.
function removeKey(r: Rec, k: any): boolean {
  const there = each(r, (i) => presentAt(r, keyIn(k, i), i));
  if (isMV(there)) diverge('a key to delete is there in some lanes only', Int32Array.from({ length: group.lanes }, (_, i) => (laneOf(there, i) ? 1 : 0)));
  if (!there) {
    readKey(r, k);
    return false;
  }
  put(r, k, ABSENT, nextOp());
  return true;
}

// presentAt tells whether a lane's location holds something, without making it
// a read of its own: the caller goes on to read or to write it.
function presentAt(r: Rec, key: any, lane: number): boolean {
  return peek(r, key, lane) !== ABSENT;
}

// ---- Map and Set

class TrackedMap extends Map<any, any> {
  get(k: any): any {
    if (group.init) return native.mapGet.call(this, k);
    return valueOr(readKey(receiver(this), k));
  }
  has(k: any): any {
    if (group.init) return native.mapHas.call(this, k);
    return presentKey(receiver(this), k);
  }
  set(k: any, v: any): this {
    const r = receiver(this);
    const op = nextOp();
    share(k, op);
    share(v, op);
    if (group.init) {
      native.mapSet.call(this, k, v);
      r.fields.set(k, v);
    } else put(r, k, v, op);
    return this;
  }
  delete(k: any): any {
    const r = receiver(this);
    if (group.init) {
      if (!native.mapDelete.call(this, k)) return false;
      nextOp();
      return r.fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this), () => native.mapClear.call(this));
  }
  get size(): any {
    return size(receiver(this));
  }
  forEach(f: (v: any, k: any, m: any) => void, self?: any): void {
    for (const [k, v] of this) f.call(self, v, k, this);
  }
  keys(): any {
    return iterate(receiver(this), 'Map Iterator', (k) => k);
  }
  values(): any {
    return iterate(receiver(this), 'Map Iterator', (k) => this.get(k));
  }
  entries(): any {
    return iterate(receiver(this), 'Map Iterator', (k) => [k, this.get(k)]);
  }
}

class TrackedSet extends Set<any> {
  has(k: any): any {
    if (group.init) return native.setHas.call(this, k);
    return presentKey(receiver(this), k);
  }
  add(k: any): this {
    const r = receiver(this);
    if (group.init) {
      if (!native.setHas.call(this, k)) {
        share(k, nextOp());
        native.setAdd.call(this, k);
        r.fields.set(k, true);
      }
      return this;
    }
    const there = each(r, (i) => presentAt(r, keyIn(k, i), i));
    if (isMV(there)) diverge('an element to add is there in some lanes only', Int32Array.from({ length: group.lanes }, (_, i) => (laneOf(there, i) ? 1 : 0)));
    if (there) readKey(r, k);
    else {
      const op = nextOp();
      share(k, op);
      put(r, k, true, op);
    }
    return this;
  }
  delete(k: any): any {
    const r = receiver(this);
    if (group.init) {
      if (!native.setDelete.call(this, k)) return false;
      nextOp();
      return r.fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this), () => native.setClear.call(this));
  }
  get size(): any {
    return size(receiver(this));
  }
  forEach(f: (v: any, k: any, s: any) => void, self?: any): void {
    for (const k of this) f.call(self, k, k, this);
  }
  keys(): any {
    return iterate(receiver(this), 'Set Iterator', (k) => k);
  }
  entries(): any {
    return iterate(receiver(this), 'Set Iterator', (k) => [k, k]);
  }
}

function receiver(o: any): Rec {
  if (isMV(o)) diverge('a container that differs by lane');
  const r = recOf(o);
  if (r === undefined) throw new TypeError('Method called on incompatible receiver');
  return r;
}

function clear(r: Rec, storage: () => void): void {
  if (group.init) {
    nextOp();
    storage();
    r.fields.clear();
    return;
  }
  const keys = shapeOf(r);
  const op = nextOp();
  each(r, (i) => {
    for (const k of keys) writeLoc(r, isMV(k) ? laneOf(k, i) : k, i, op, ABSENT, null);
    writeLoc(r, SHAPE, i, op, null, { list: [] });
    return 0;
  });
}

function size(r: Rec): any {
  if (group.init) return r.fields.size;
  return each(r, (i) => lengthOf(readLoc(r, SHAPE, i)));
}

// iterate follows the container as it changes: after each step it goes on
// behind the last key it gave, or behind those before it that are still there.
function iterate(r: Rec, tag: string, item: (k: any) => any): any {
  let list: List | null = null;
  let at = 0;
  let done = false;
  let turn = current;
  const live = group.init ? r.fields.keys() : null;
  return {
    next() {
      if (done) return { value: undefined, done: true };
      if (live !== null && group.init) {
        const x = live.next();
        done = x.done === true;
        return done ? { value: undefined, done } : { value: item(x.value), done };
      }
      // A key that is deleted and added anew comes again: between turns nobody can tell.
      if (turn !== current) sharing('a shared Map or Set is iterated over in several turns');
      turn = current;
      const now = group.init ? [...r.fields.keys()] : shapeOf(r);
      if (list !== null) {
        let p = at - 1;
        let i = -1;
        while (p >= 0 && (i = now.findIndex((k) => Object.is(k, list![p]))) < 0) p--;
        at = i + 1;
      }
      list = now;
      if (at >= now.length) {
        done = true;
        return { value: undefined, done: true };
      }
      return { value: item(now[at++]), done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.toStringTag]: tag,
  };
}

const native = {
  slice: Array.prototype.slice,
  mapGet: Map.prototype.get,
  mapHas: Map.prototype.has,
  mapSet: Map.prototype.set,
  mapDelete: Map.prototype.delete,
  mapClear: Map.prototype.clear,
  mapForEach: Map.prototype.forEach,
  setHas: Set.prototype.has,
  setAdd: Set.prototype.add,
  setDelete: Set.prototype.delete,
  setClear: Set.prototype.clear,
  setForEach: Set.prototype.forEach,
  weakGet: WeakMap.prototype.get,
  weakHas: WeakMap.prototype.has,
  weakSet: WeakMap.prototype.set,
  weakDelete: WeakMap.prototype.delete,
  weakSetHas: WeakSet.prototype.has,
  weakSetAdd: WeakSet.prototype.add,
  weakSetDelete: WeakSet.prototype.delete,
};

function seal(proto: any, base: any, iterator: string): void {
  for (const k of realm.ownKeys(proto)) {
    const d = realm.getOwn(proto, k)!;
    d.enumerable = false;
    realm.define(proto, k, d);
  }
  realm.define(proto, 'constructor', { value: base, writable: true, configurable: true });
  realm.define(proto, Symbol.iterator, { value: proto[iterator], writable: true, configurable: true });
  realm.define(proto, T, { value: true });
}
seal(TrackedMap.prototype, Map, 'entries');
realm.define(TrackedSet.prototype, 'values', { value: TrackedSet.prototype.keys, writable: true, configurable: true });
seal(TrackedSet.prototype, Set, 'keys');

// ---- weak collections of init's (see the server's track-weak.ts)

const weaks: any[] = [];

export function weak(w: any): any {
  if (!group.loading) return w;
  things.add(w);
  weaks.push(w);
  realm.setProto(w, w instanceof WeakMap ? TrackedWeakMap.prototype : TrackedWeakSet.prototype);
  return w;
}

function* weakFieldsOf(o: object): Iterable<[object, any]> {
  for (let i = 0; i < weaks.length; i++) {
    const w = weaks[i];
    if (w instanceof WeakMap) {
      if (native.weakHas.call(w, o)) yield [w, native.weakGet.call(w, o)];
    } else if (native.weakSetHas.call(w, o)) yield [w, true];
  }
}

// eachWeak runs f for a key, or for that of each lane as one operation.
function eachWeak(k: any, f: (k: any, lane: number) => any): any {
  if (!isMV(k)) return f(k, -1);
  return eachArray(k, f);
}

// shared is the record of a key that is tracked.
function shared(k: any): Rec | undefined {
  const r = group.init ? undefined : recOf(k);
  return r === undefined || isKeyed(r.kind) || isArrayKind(r.kind) ? undefined : r;
}

// putWeak writes what a weak collection holds about a tracked object.
function putWeak(w: any, r: Rec, v: any): void {
  const op = nextOp();
  if (v !== ABSENT) share(v, op);
  each(r, (i) => writeLoc(r, w, i, op, isMV(v) ? laneOf(v, i) : v, null));
}

// noteWeak: while init runs, what is published already takes part by its record.
function noteWeak(w: any, k: any, v: any): void {
  if (!group.init) return;
  const r = recOf(k);
  if (r === undefined || isKeyed(r.kind) || isArrayKind(r.kind)) return;
  const op = nextOp();
  if (v === ABSENT) r.fields.delete(w);
  else {
    share(v, op);
    r.fields.set(w, v);
  }
}

// lasting.ts cannot see what a weak collection comes to hold about an object: it is told of it.
let noteWeakKey: (k: any) => void = () => {};
export function setNoteWeakKey(f: (k: any) => void): void {
  noteWeakKey = f;
}

function newWeakKey(k: any, there: boolean): void {
  if (!there && !group.init) noteWeakKey(k);
}

function presentWeak(w: any, r: Rec): boolean {
  const there = each(r, (i) => presentAt(r, w, i));
  if (isMV(there)) diverge('a weak key is there in some lanes only', Int32Array.from({ length: group.lanes }, (_, i) => (laneOf(there, i) ? 1 : 0)));
  return there;
}

class TrackedWeakMap extends WeakMap<object, any> {
  get(k: any): any {
    return eachWeak(k, (x) => {
      const r = shared(x);
      return r === undefined ? native.weakGet.call(this, x) : valueOr(readKey(r, this));
    });
  }
  has(k: any): any {
    return eachWeak(k, (x) => {
      const r = shared(x);
      return r === undefined ? native.weakHas.call(this, x) : presentKey(r, this);
    });
  }
  set(k: any, v: any): this {
    eachWeak(k, (x, i) => {
      const r = shared(x);
      const y = i < 0 ? v : laneOf(v, i);
      if (r !== undefined) return putWeak(this, r, y);
      newWeakKey(x, native.weakHas.call(this, x));
      noteWeak(this, x, y);
      native.weakSet.call(this, x, y);
    });
    return this;
  }
  delete(k: any): any {
    return eachWeak(k, (x) => {
      const r = shared(x);
      if (r !== undefined) return dropWeak(this, r);
      if (native.weakHas.call(this, x)) noteWeak(this, x, ABSENT);
      return native.weakDelete.call(this, x);
    });
  }
}

function dropWeak(w: any, r: Rec): boolean {
  const there = presentWeak(w, r);
  if (there) putWeak(w, r, ABSENT);
  else readKey(r, w);
  return there;
}

class TrackedWeakSet extends WeakSet<object> {
  has(k: any): any {
    return eachWeak(k, (x) => {
      const r = shared(x);
      return r === undefined ? native.weakSetHas.call(this, x) : presentKey(r, this);
    });
  }
  add(k: any): this {
    eachWeak(k, (x) => {
      const r = shared(x);
      if (r !== undefined) {
        if (presentWeak(this, r)) readKey(r, this);
        else putWeak(this, r, true);
        return;
      }
      newWeakKey(x, native.weakSetHas.call(this, x));
      if (!native.weakSetHas.call(this, x)) noteWeak(this, x, true);
      native.weakSetAdd.call(this, x);
    });
    return this;
  }
  delete(k: any): any {
    return eachWeak(k, (x) => {
      const r = shared(x);
      if (r !== undefined) return dropWeak(this, r);
      if (native.weakSetHas.call(this, x)) noteWeak(this, x, ABSENT);
      return native.weakSetDelete.call(this, x);
    });
  }
}

for (const [tracked, base] of [
  [TrackedWeakMap, WeakMap],
  [TrackedWeakSet, WeakSet],
] as const) {
  for (const k of realm.ownKeys(tracked.prototype)) realm.define(tracked.prototype, k, { ...realm.getOwn(tracked.prototype, k), enumerable: false });
  realm.define(tracked.prototype, 'constructor', { value: base, writable: true, configurable: true });
}

// ---- arrays: the native elements mirror what the lanes hold in this activation

class TrackedArray extends Array<any> {}

// elementsOf lists what an array holds, ABSENT where it has a hole.
function elementsOf(a: any[]): any[] {
  const out = native.slice.call(a);
  for (let i = 0; i < out.length; i++) if (out[i] === undefined && !realm.hasOwn(a, i)) out[i] = ABSENT;
  return out;
}

function sync(a: any): Rec {
  const r = Stamp.of(a)!;
  if (group.init) return r;
  // Since then only this turn has changed it, on the native elements.
  if (r.synced === current && current !== null && !(hint.lane >= 0 && r.lane < 0 && group.lanes > 1)) return r;
  const elements = agreed(r, ALL, (l) => l, (l) => (l.includes(ABSENT) ? l.map((v) => v === ABSENT).join() : l.length));
  // On behalf of one lane the native elements are that lane's for a moment.
  const alone = hint.lane >= 0 && r.lane < 0 && group.lanes > 1;
  if (r.synced !== current || alone) {
    a.length = 0;
    a.length = elements.length;
    for (let i = 0; i < elements.length; i++) if (elements[i] !== ABSENT) a[i] = elements[i];
    r.synced = alone ? null : current;
  }
  return r;
}

// Arrays that init changed after their publication.
let changedArrays: Rec[] = [];

// settleArrays notes what init left in them.
export function settleArrays(): void {
  for (const r of new Set(changedArrays)) r.list = elementsOf(r.target);
  changedArrays = [];
}

// mutate runs f on the native elements and reports the change as one write.
function mutate(a: any, added: ArrayLike<any>, splice: Splice | null, f: () => any): any {
  const r = Stamp.of(a)!;
  const op = nextOp();
  for (let i = 0; i < added.length; i++) share(added[i], op);
  const result = f();
  if (group.init) {
    if (!group.together && changedArrays[changedArrays.length - 1] !== r) changedArrays.push(r);
    return result;
  }
  const after = splice === null ? elementsOf(a) : [];
  const project = (l: List, i: number) => l.map((v) => (isMV(v) ? laneOf(v, i) : v));
  each(r, (i) => {
    const delta: Delta = splice === null ? { list: project(after, i) } : { start: splice.start, del: splice.del, items: project(splice.items, i) };
    writeLoc(r, ALL, i, op, null, delta);
    return 0;
  });
  r.synced = hint.lane >= 0 && r.lane < 0 && group.lanes > 1 ? null : current;
  return result;
}

// eachArray runs f for each lane's array, as one operation.
function eachArray(mv: any, f: (a: any, lane: number) => any): any {
  const saved = hint.lane;
  const out = new Array(group.lanes);
  hint.op = 0;
  try {
    for (let i = 0; i < group.lanes; i++) {
      hint.lane = i;
      const v = f(laneOf(mv, i), i);
      out[i] = isMV(v) ? laneOf(v, i) : v;
    }
  } finally {
    hint.lane = saved;
    hint.op = 0;
  }
  return norm(out);
}

// zipped is what the lanes' arrays hold, as one array of (multi)values.
function zipped(mv: any): any[] {
  const lists: any[][] = [];
  eachArray(mv, (a, i) => {
    if (recOf(a) !== undefined) sync(a);
    if (elementsOf(a).includes(ABSENT)) diverge('arrays with holes that differ by lane');
    lists.push(native.slice.call(a).map((v: any) => (isMV(v) ? laneOf(v, i) : v)));
  });
  if (lists.some((l) => l.length !== lists[0].length)) diverge('array lengths differ', classesOf(lists.map((l) => l.length)));
  return lists[0].map((_, j) => norm(lists.map((l) => l[j])));
}

function classesOf(keys: any[]): Int32Array {
  const seen = new Map<any, number>();
  return Int32Array.from(keys, (k) => {
    let c = seen.get(k);
    if (c === undefined) seen.set(k, (c = seen.size));
    return c;
  });
}

for (const k of realm.ownKeys(Array.prototype)) {
  const f = (Array.prototype as any)[k];
  if (typeof f !== 'function' || k === 'constructor') continue;
  const g: Function = changesArray.has(k)
    ? function (this: any, ...args: any[]): any {
        if (isMV(this)) return eachArray(this, (a, i) => g.apply(a, args.map((x: any) => laneOf(x, i))));
        if (recOf(this) === undefined) return Reflect.apply(f, this, args);
        sync(this);
        const { put, splice } = arrayChange(k, this.length, args);
        return mutate(this, put, splice, () => Reflect.apply(f, this, args));
      }
    : function (this: any): any {
        if (isMV(this)) return Reflect.apply(f, zipped(this), arguments);
        if (recOf(this) !== undefined) sync(this);
        return Reflect.apply(f, this, arguments);
      };
  realm.define(g, 'name', { value: f.name });
  realm.define(g, 'length', { value: f.length });
  realm.define(TrackedArray.prototype, k, { value: g, writable: true, configurable: true });
}
realm.define(TrackedArray.prototype, 'constructor', { value: Array, writable: true, configurable: true });
realm.define(TrackedArray.prototype, T, { value: true });
realm.define(TrackedArray.prototype, 'toJSON', {
  get(this: any) {
    if (recOf(this) !== undefined) sync(this);
    return undefined;
  },
  configurable: true,
});

// ---- what the multivalue runtime asks where o[T] is set

function isIndex(k: any): boolean {
  return typeof k === 'number' || (typeof k === 'string' && String(Number(k)) === k);
}

// isObject: its properties are locations.
const isObject = (r: Rec): boolean => r.kind === Kind.Object || r.kind === Kind.Instance;

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
  return (o[k] = v);
};
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
    const tracks = d !== undefined && d.get !== undefined && r !== undefined && isObject(r) && r.fields.get(k as string) !== FIXED;
    return tracks ? { value: o[k], writable: true, enumerable: d.enumerable, configurable: true } : d;
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
  return false;
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
hooks.iterate = (o) => o[Symbol.iterator]();

// def notes what init defines.
export function def(x: any): any {
  if (group.loading) things.add(x);
  return x;
}

export function defs(...xs: any[]): void {
  if (group.loading) for (const x of xs) things.add(x);
}

export function loggable(v: any): any {
  if (typeof v !== 'object' || v === null) return v;
  return share(v, nextOp());
}

export function box(v: any): { v: any } {
  return loggable({ v });
}

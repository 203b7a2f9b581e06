// Tracked objects, in place: when an object becomes reachable from a loggable
// container its own properties become accessors and its prototype a Proxy that
// sees absent and new keys; Map, Set and Array get a tracking prototype. So
// every alias, older ones included, is seen, and untouched objects cost nothing.
import { current } from '../shared/activation';
import { Kind, T } from '../shared/tracked';
import { DateV, ErrorV, RegExpV } from './advice';
import * as log from './log';
import { Absent, type Key, List, Loc, read, Rec, Ref, shapeKey, allKey, type Val, write } from './log';

const absent = new Absent();
// Natives as they are before installNatives makes them report what they look at.
const { keys: ownNames, hasOwn, getPrototypeOf: prototypeOf } = Object;
const { ownKeys } = Reflect;

// Stamp puts a private field on any object: invisible to the program, cheap to test.
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

export function recOf(o: any): Rec | undefined {
  return typeof o === 'object' && o !== null ? Stamp.of(o) : undefined;
}

let initObjects = 0;

// lenient: while init runs, what nobody declared shared may hold what cannot be
// logged (handlers, a server's handle): as long as it stays where init put it,
// nobody logs it, and `ref` speaks up when somebody must.
const lenient = (declared: boolean): boolean => !declared && log.initOpen;

function unfit(v: any): void {
  if (typeof v === 'object') log.unloggable(`an instance of ${prototypeOf(v)?.constructor?.name ?? 'unknown'} is stored in shared state`);
  else log.unloggable(`a ${typeof v} is stored in shared state`);
}

// share makes v, and what is reachable from it, tracked, as an effect of the
// write numbered op to something that was declared shared, or inferred to be; it
// returns v.
export function share(v: any, op: number, declared: boolean): any {
  if (typeof v !== 'object' || v === null) {
    if ((typeof v === 'function' || typeof v === 'symbol') && !lenient(declared)) unfit(v);
    return v;
  }
  if (Stamp.of(v) !== undefined) return v;
  const queue: object[] = [];
  let index = 0;
  const enqueue = (x: any): void => {
    if (typeof x === 'object' && x !== null) {
      if (Stamp.of(x) === undefined) queue.push(x);
    } else if (typeof x === 'function' && !lenient(declared)) unfit(x);
  };
  queue.push(v);
  for (let i = 0; i < queue.length; i++) {
    const o = queue[i];
    if (Stamp.of(o) !== undefined || isValue(o)) continue;
    if (publish(o, op, index, declared, enqueue)) index++;
  }
  return v;
}

// isValue: objects that the log holds by content.
function isValue(o: object): boolean {
  return o instanceof Date || o instanceof RegExp || o instanceof Error;
}

function publish(o: object, op: number, index: number, declared: boolean, enqueue: (x: any) => void): boolean {
  const proto = prototypeOf(o);
  if (Array.isArray(o) && proto === Array.prototype) return publishArray(o, op, index, declared, enqueue);
  if (proto === Map.prototype) return publishMap(o as Map<any, any>, op, index, declared, enqueue);
  if (proto === Set.prototype) return publishSet(o as Set<any>, op, index, declared, enqueue);
  if (proto === Object.prototype || proto === null) return publishObject(o as any, proto, op, index, declared, enqueue);
  if (!lenient(declared)) unfit(o);
  return false;
}

function newRec(o: object, kind: Kind, op: number, index: number, declared: boolean, fields: (r: Rec) => [Key, Val][]): Rec {
  const r = new Rec(o, kind, current, op, index, declared, fields);
  if (log.initOpen) r.o = 2 * initObjects++;
  Stamp.put(o, r);
  return r;
}

// ref gives a value as the log holds it.
export function ref(v: any): Val {
  if (typeof v === 'function' || typeof v === 'symbol') return void unfit(v);
  if (typeof v !== 'object' || v === null) return v;
  const r = Stamp.of(v);
  if (r !== undefined) return new Ref(log.objectRef(r));
  if (v instanceof Date) return new DateV(v.getTime());
  if (v instanceof RegExp) return new RegExpV(v.source, v.flags, v.lastIndex);
  if (v instanceof Error) return new ErrorV(v.name, v.message);
  return void unfit(v);
}

// ---- plain objects

class Field extends Loc {
  constructor(
    rec: Rec,
    readonly name: string | symbol,
    public value: any,
    // own at publication: part of the initial version
    readonly initially: boolean,
  ) {
    super(rec, typeof name === 'string' ? name : String(name));
  }
}

interface ObjectRec extends Rec {
  fields: Map<string | symbol, Field>;
}

function publishObject(o: any, proto: object | null, op: number, index: number, declared: boolean, enqueue: (x: any) => void): boolean {
  const keys = ownKeys(o);
  const complain = (what: string): void => {
    if (!lenient(declared)) log.unloggable(`${what} is stored in shared state`);
  };
  const r = newRec(o, Kind.Object, op, index, declared, objectFields) as ObjectRec;
  r.fields = new Map();
  if (!Object.isExtensible(o)) {
    // A frozen object's fields are constants; what they refer to is shared.
    for (const k of keys) {
      const d = Object.getOwnPropertyDescriptor(o, k)!;
      if (d.writable) complain('a sealed object with writable fields');
      if ('value' in d) {
        enqueue(d.value);
        r.fields.set(k, new Field(r, k, d.value, true));
      }
    }
    return true;
  }
  for (const k of keys) {
    const d = Object.getOwnPropertyDescriptor(o, k)!;
    if (typeof k === 'symbol') {
      complain('an object with symbol keys');
      continue;
    }
    if (!('value' in d)) {
      complain('an object with getters or setters');
      continue;
    }
    if (!d.configurable || !d.writable) {
      complain('an object with read-only fields');
      continue;
    }
    enqueue(d.value);
    addField(o, r, k, d.value, true, d.enumerable!);
  }
  Object.setPrototypeOf(o, proto === null ? nullProxy : objectProxy);
  return true;
}

function addField(o: any, r: ObjectRec, k: string | symbol, value: any, initially: boolean, enumerable: boolean): Field {
  let f = r.fields.get(k);
  if (f === undefined) r.fields.set(k, (f = new Field(r, k, value, initially)));
  f.value = value;
  defineField(o, f, enumerable);
  return f;
}

function defineField(o: any, f: Field, enumerable: boolean): void {
  Object.defineProperty(o, f.name, {
    configurable: true,
    enumerable,
    get() {
      read(f, () => ref(f.value));
      return f.value;
    },
    set(v: any) {
      if (this !== o) {
        Object.defineProperty(this, f.name, { value: v, writable: true, enumerable: true, configurable: true });
        return;
      }
      setField(f, v);
    },
  });
}

function setField(f: Field, v: any): void {
  const op = log.nextOp();
  share(v, op, f.rec.declared);
  write(f, op, () => ref(f.value), () => ref(v), null);
  f.value = v;
}

function objectFields(r: Rec): [Key, Val][] {
  const out: [Key, Val][] = [];
  for (const f of (r as ObjectRec).fields.values()) if (f.initially) out.push([f.key, f.writtenBy === null ? ref(f.value) : log.hole]);
  return out;
}

function missing(r: ObjectRec, k: string | symbol): Field {
  let f = r.fields.get(k);
  if (f === undefined) r.fields.set(k, (f = new Field(r, k, absent, false)));
  return f;
}

function shapeOf(o: any): () => Val {
  return () => new List(ownNames(o));
}

function protoProxy(proto: object | null): object {
  const target = proto ?? Object.create(null);
  return new Proxy(target, {
    get(_t, k, receiver) {
      const r = recOf(receiver) as ObjectRec | undefined;
      if (r !== undefined && typeof k === 'string') {
        if (k === 'toJSON') read(r.shape, shapeOf(receiver));
        // Also what is inherited: whether the object has it of its own is shared state.
        read(missing(r, k), () => absent);
      }
      if (k === T && r !== undefined) return true;
      return proto === null ? undefined : Reflect.get(proto, k, receiver);
    },
    set(_t, k, v, receiver) {
      const r = recOf(receiver) as ObjectRec | undefined;
      if (r === undefined) return Reflect.set(target, k, v, receiver);
      const inherited = Reflect.getOwnPropertyDescriptor(target, k);
      if (inherited !== undefined && inherited.set !== undefined) {
        inherited.set.call(receiver, v);
        return true;
      }
      if (!Object.isExtensible(receiver)) return false;
      if (typeof k === 'symbol') {
        log.unloggable('a symbol key is set on shared state');
        return Reflect.defineProperty(receiver, k, { value: v, writable: true, enumerable: true, configurable: true });
      }
      const f = missing(r, k);
      const op = log.nextOp();
      share(v, op, r.declared);
      write(f, op, () => absent, () => ref(v), null);
      write(r.shape, op, shapeOf(receiver), shapeOf(receiver), { add: ref(k) });
      addField(receiver, r, k, v, false, true);
      return true;
    },
    getPrototypeOf: () => proto,
    setPrototypeOf: (_t, q) => q === proto,
  });
}

const objectProxy = protoProxy(Object.prototype);
const nullProxy = protoProxy(null);

function deleteField(o: any, k: PropertyKey): boolean {
  const r = recOf(o) as ObjectRec;
  const f = missing(r, typeof k === 'number' ? String(k) : k);
  if (!hasOwn(o, k)) {
    read(f, () => absent);
    return true;
  }
  if (!Object.isExtensible(o)) return false;
  const op = log.nextOp();
  write(f, op, () => ref(f.value), () => absent, null);
  write(r.shape, op, shapeOf(o), () => absent, { remove: f.key as string });
  f.value = absent;
  return delete o[k];
}

// ---- Map and Set

interface KeyedRec extends Rec {
  locs: Map<any, Entry>;
}

class Entry extends Loc {
  constructor(
    rec: Rec,
    key: Key,
    readonly initially: boolean,
  ) {
    super(rec, key);
  }
}

function keyOf(k: any): Key {
  switch (typeof k) {
    case 'string':
      return k;
    case 'object':
      if (k === null) return ['#', null];
      return ['#', ref(k) as Ref];
    case 'function':
    case 'symbol':
      log.unloggable(`a ${typeof k} is a key of shared state`);
      return ['#', String(k)];
    default:
      return ['#', k];
  }
}

function entry(r: KeyedRec, k: any): Entry {
  let e = r.locs.get(k);
  if (e === undefined) r.locs.set(k, (e = new Entry(r, keyOf(k), false)));
  return e;
}

const native = {
  mapGet: Map.prototype.get,
  mapHas: Map.prototype.has,
  mapSet: Map.prototype.set,
  mapDelete: Map.prototype.delete,
  mapClear: Map.prototype.clear,
  mapKeys: Map.prototype.keys,
  mapSize: Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!,
  setHas: Set.prototype.has,
  setAdd: Set.prototype.add,
  setDelete: Set.prototype.delete,
  setClear: Set.prototype.clear,
  setKeys: Set.prototype.values,
  setSize: Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get!,
};

const mapValue = (m: any, k: any): Val => (native.mapHas.call(m, k) ? ref(native.mapGet.call(m, k)) : absent);
const setValue = (s: any, k: any): Val => (native.setHas.call(s, k) ? true : absent);
const keyVal = (k: any): Val => ref(k);
const mapShape = (m: any) => () => new List([...native.mapKeys.call(m)].map(keyVal));
const setShape = (s: any) => () => new List([...native.setKeys.call(s)].map(keyVal));

function publishMap(m: Map<any, any>, op: number, index: number, declared: boolean, enqueue: (x: any) => void): boolean {
  const keys = [...native.mapKeys.call(m)];
  const r = newRec(m, Kind.Map, op, index, declared, (q) => keyedFields(q, (k) => mapValue(m, k))) as KeyedRec;
  r.locs = new Map();
  for (const k of keys) {
    enqueue(k);
    enqueue(native.mapGet.call(m, k));
  }
  if (r.o < 0) for (const k of keys) r.locs.set(k, new Entry(r, lazyKey, true));
  Object.setPrototypeOf(m, TrackedMap.prototype);
  return true;
}

function publishSet(s: Set<any>, op: number, index: number, declared: boolean, enqueue: (x: any) => void): boolean {
  const keys = [...native.setKeys.call(s)];
  const r = newRec(s, Kind.Set, op, index, declared, (q) => keyedFields(q, () => true)) as KeyedRec;
  r.locs = new Map();
  for (const k of keys) enqueue(k);
  if (r.o < 0) for (const k of keys) r.locs.set(k, new Entry(r, lazyKey, true));
  Object.setPrototypeOf(s, TrackedSet.prototype);
  return true;
}

// lazyKey: entries made at publication get their real key when first accessed,
// because a key that is an object may not be published yet.
const lazyKey: Key = ['#', undefined];

function keyedFields(r: Rec, value: (k: any) => Val): [Key, Val][] {
  const out: [Key, Val][] = [];
  for (const [k, e] of (r as KeyedRec).locs) if (e.initially) out.push([keyOf(k), e.writtenBy === null ? value(k) : log.hole]);
  return out;
}

function keyed(m: any): KeyedRec {
  const r = Stamp.of(m);
  if (r === undefined) throw new TypeError(`Method called on incompatible receiver ${String(m)}`);
  return r as KeyedRec;
}

// locate finds the location of key k.
function locate(r: KeyedRec, k: any): Entry {
  const e = entry(r, k);
  if (e.key === lazyKey) (e as { key: Key }).key = keyOf(k);
  return e;
}

class TrackedMap extends Map<any, any> {
  get(k: any): any {
    read(locate(keyed(this), k), () => mapValue(this, k));
    return native.mapGet.call(this, k);
  }
  has(k: any): boolean {
    read(locate(keyed(this), k), () => mapValue(this, k));
    return native.mapHas.call(this, k);
  }
  set(k: any, v: any): this {
    const r = keyed(this);
    const op = log.nextOp();
    share(k, op, r.declared);
    share(v, op, r.declared);
    const isNew = !native.mapHas.call(this, k);
    write(locate(r, k), op, () => mapValue(this, k), () => ref(v), null);
    if (isNew) write(r.shape, op, mapShape(this), mapShape(this), { add: keyVal(k) });
    native.mapSet.call(this, k, v);
    return this;
  }
  delete(k: any): boolean {
    const r = keyed(this);
    const e = locate(r, k);
    if (!native.mapHas.call(this, k)) {
      read(e, () => absent);
      return false;
    }
    const op = log.nextOp();
    write(e, op, () => mapValue(this, k), () => absent, null);
    write(r.shape, op, mapShape(this), mapShape(this), { remove: keyVal(k) });
    return native.mapDelete.call(this, k);
  }
  clear(): void {
    const r = keyed(this);
    read(r.shape, mapShape(this));
    const op = log.nextOp();
    for (const k of [...native.mapKeys.call(this)]) write(locate(r, k), op, () => mapValue(this, k), () => absent, null);
    write(r.shape, op, mapShape(this), () => new List([]), { clear: true });
    native.mapClear.call(this);
  }
  get size(): number {
    read(keyed(this).shape, mapShape(this));
    return native.mapSize.call(this);
  }
  forEach(f: (v: any, k: any, m: any) => void, self?: any): void {
    for (const [k, v] of this) f.call(self, v, k, this);
  }
  keys(): any {
    return iterate(this, native.mapKeys, mapShape(this), (k) => k);
  }
  values(): any {
    return iterate(this, native.mapKeys, mapShape(this), (k) => this.get(k));
  }
  entries(): any {
    return iterate(this, native.mapKeys, mapShape(this), (k) => [k, this.get(k)]);
  }
}

class TrackedSet extends Set<any> {
  has(k: any): boolean {
    read(locate(keyed(this), k), () => setValue(this, k));
    return native.setHas.call(this, k);
  }
  add(k: any): this {
    const r = keyed(this);
    const e = locate(r, k);
    if (native.setHas.call(this, k)) {
      read(e, () => true);
      return this;
    }
    const op = log.nextOp();
    share(k, op, r.declared);
    (e as { key: Key }).key = keyOf(k);
    write(e, op, () => absent, () => true, null);
    write(r.shape, op, setShape(this), setShape(this), { add: keyVal(k) });
    native.setAdd.call(this, k);
    return this;
  }
  delete(k: any): boolean {
    const r = keyed(this);
    const e = locate(r, k);
    if (!native.setHas.call(this, k)) {
      read(e, () => absent);
      return false;
    }
    const op = log.nextOp();
    write(e, op, () => true, () => absent, null);
    write(r.shape, op, setShape(this), setShape(this), { remove: keyVal(k) });
    return native.setDelete.call(this, k);
  }
  clear(): void {
    const r = keyed(this);
    read(r.shape, setShape(this));
    const op = log.nextOp();
    for (const k of [...native.setKeys.call(this)]) write(locate(r, k), op, () => true, () => absent, null);
    write(r.shape, op, setShape(this), () => new List([]), { clear: true });
    native.setClear.call(this);
  }
  get size(): number {
    read(keyed(this).shape, setShape(this));
    return native.setSize.call(this);
  }
  forEach(f: (v: any, k: any, s: any) => void, self?: any): void {
    for (const k of this) f.call(self, k, k, this);
  }
  keys(): any {
    return iterate(this, native.setKeys, setShape(this), (k) => k);
  }
  entries(): any {
    return iterate(this, native.setKeys, setShape(this), (k) => [k, k]);
  }
}

// iterate reads the shape at every step: an iterator may live across awaits.
function iterate(m: any, nativeKeys: any, shape: () => Val, item: (k: any) => any): any {
  const r = keyed(m);
  const it = nativeKeys.call(m);
  return {
    next() {
      read(r.shape, shape);
      const x = it.next();
      return x.done ? { value: undefined, done: true } : { value: item(x.value), done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.toStringTag]: Object.prototype.toString.call(it).slice(8, -1),
  };
}

function seal(proto: any, base: any, iterator: string): void {
  for (const k of Reflect.ownKeys(proto)) {
    const d = Object.getOwnPropertyDescriptor(proto, k)!;
    d.enumerable = false;
    Object.defineProperty(proto, k, d);
  }
  Object.defineProperty(proto, 'constructor', { value: base, writable: true, configurable: true });
  Object.defineProperty(proto, Symbol.iterator, { value: proto[iterator], writable: true, configurable: true });
  Object.defineProperty(proto, T, { value: true });
}
seal(TrackedMap.prototype, Map, 'entries');
Object.defineProperty(TrackedSet.prototype, 'values', { value: TrackedSet.prototype.keys, writable: true, configurable: true });
seal(TrackedSet.prototype, Set, 'keys');

// ---- arrays: one location, whose value is the list of elements

interface ArrayRec extends Rec {
  all: Loc;
  first: Val[] | null;
}

class TrackedArray extends Array<any> {}

const elements = (a: any) => () => new List(Array.prototype.map.call(a, ref) as Val[]);

function publishArray(a: any[], op: number, index: number, declared: boolean, enqueue: (x: any) => void): boolean {
  const r = newRec(a, Kind.Array, op, index, declared, (q) => {
    const l = (q as ArrayRec).all;
    return l.writtenBy === null ? (Array.prototype.map.call(a, (v: any, i: number) => [['#', i], ref(v)]) as [Key, Val][]) : [[allKey, log.hole]];
  }) as ArrayRec;
  r.all = new Loc(r, allKey);
  for (let i = 0; i < a.length; i++) enqueue(a[i]);
  if (Object.isFrozen(a)) return true;
  Object.setPrototypeOf(a, TrackedArray.prototype);
  return true;
}

function readArray(a: any): void {
  const r = Stamp.of(a) as ArrayRec | undefined;
  if (r !== undefined) read(r.all, elements(a));
}

// mutate runs f, which changes a, as one write. splice says what it does, or is
// null where the whole list has to be logged.
function mutate(a: any, added: ArrayLike<any>, splice: { start: number; del: number; items: any[] } | null, f: () => any): any {
  const r = Stamp.of(a) as ArrayRec;
  const op = log.nextOp();
  for (let i = 0; i < added.length; i++) share(added[i], op, r.declared);
  if (splice !== null) {
    write(r.all, op, elements(a), elements(a), { start: splice.start, del: splice.del, items: splice.items.map(ref) });
    return f();
  }
  const before = [...(a as any[])];
  const result = f();
  const after = elements(a);
  write(r.all, op, () => new List(before.map(ref)), after, null);
  return result;
}

const changing = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin']);
for (const k of Reflect.ownKeys(Array.prototype)) {
  const f = (Array.prototype as any)[k];
  if (typeof f !== 'function' || k === 'constructor') continue;
  let g: Function;
  if (!changing.has(k as string)) {
    g = function (this: any): any {
      readArray(this);
      return Reflect.apply(f, this, arguments);
    };
  } else {
    g = function (this: any, ...args: any[]): any {
      if (Stamp.of(this) === undefined) return Reflect.apply(f, this, args);
      const run = () => Reflect.apply(f, this, args);
      const n = this.length;
      // A mutation is a read as well: its result, or what it does, depends on the elements.
      readArray(this);
      switch (k) {
        case 'push':
          return mutate(this, args, { start: n, del: 0, items: args }, run);
        case 'pop':
          return mutate(this, [], { start: Math.max(n - 1, 0), del: Math.min(n, 1), items: [] }, run);
        case 'shift':
          return mutate(this, [], { start: 0, del: Math.min(n, 1), items: [] }, run);
        case 'unshift':
          return mutate(this, args, { start: 0, del: 0, items: args }, run);
        default:
          return mutate(this, k === 'splice' ? args.slice(2) : k === 'fill' ? args.slice(0, 1) : [], null, run);
      }
    };
  }
  Object.defineProperty(g, 'name', { value: f.name });
  Object.defineProperty(g, 'length', { value: f.length });
  Object.defineProperty(TrackedArray.prototype, k, { value: g, writable: true, configurable: true });
}
Object.defineProperty(TrackedArray.prototype, 'constructor', { value: Array, writable: true, configurable: true });
Object.defineProperty(TrackedArray.prototype, T, { value: true });
// JSON.stringify looks for toJSON before it walks the elements natively.
Object.defineProperty(TrackedArray.prototype, 'toJSON', {
  get(this: any) {
    readArray(this);
    return undefined;
  },
  configurable: true,
});

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
      else Reflect.set(Object(o), k, v, o);
      return v;
    };
    if (Array.isArray(o) && Stamp.of(o) !== undefined && (isArrayIndex(k) || k === 'length')) {
      const i = Number(k);
      readArray(o);
      const inside = k !== 'length' && Number.isInteger(i) && i >= 0 && i <= o.length;
      return mutate(o, k === 'length' ? [] : [v], inside ? { start: i, del: i < o.length ? 1 : 0, items: [v] } : null, assign);
    }
    return assign();
  },
  has(k: any, o: any): boolean {
    const found = k in o;
    const r = recOf(o);
    if (r === undefined) return found;
    if (r.kind === Kind.Array) readArray(o);
    else if (r.kind === Kind.Object && typeof k !== 'symbol') {
      const f = missing(r as ObjectRec, String(k));
      read(f, () => (hasOwn(o, k) ? ref(f.value) : absent));
    }
    return found;
  },
  del(o: any, k: any, strict: number): boolean {
    const r = recOf(o);
    if (r === undefined || (r.kind !== Kind.Object && r.kind !== Kind.Array)) return strict ? delete o[k] : Reflect.deleteProperty(Object(o), k);
    if (r.kind === Kind.Array) {
      readArray(o);
      return mutate(o, [], null, () => (strict ? delete o[k] : Reflect.deleteProperty(o, k)));
    }
    return deleteField(o, k);
  },
  fi(o: any): any {
    readShape(o);
    return o;
  },
};

export function readShape(o: any): void {
  const r = recOf(o);
  if (r === undefined) return;
  if (r.kind === Kind.Object) read(r.shape, shapeOf(o));
  else if (r.kind === Kind.Array) readArray(o);
}

// installNatives makes the natives that enumerate own keys report it.
export function installNatives(): void {
  for (const k of ['keys', 'values', 'entries', 'getOwnPropertyNames', 'getOwnPropertyDescriptors'] as const) {
    const f = Object[k] as Function;
    replace(Object, k, function (this: any, o: any) {
      if (typeof o === 'object' && o !== null) readShape(o);
      return Reflect.apply(f, this, arguments);
    });
  }
  const assign = Object.assign;
  replace(Object, 'assign', function (this: any, _target: any) {
    for (let i = 1; i < arguments.length; i++) readShape(arguments[i]);
    return Reflect.apply(assign, this, arguments as any);
  });
  replace(Reflect, 'ownKeys', function (this: any, o: any) {
    readShape(o);
    return ownKeys(o);
  });
  const hasOwnProperty = Object.prototype.hasOwnProperty;
  replace(Object.prototype, 'hasOwnProperty', function (this: any, k: any) {
    if (recOf(this) !== undefined) sites.has(k, this);
    return Reflect.apply(hasOwnProperty, this, arguments as any);
  });
  replace(Object, 'hasOwn', function (this: any, o: any, k: any) {
    if (recOf(o) !== undefined) sites.has(k, o);
    return hasOwn(o, k);
  });
  for (const owner of [Object, Reflect] as const) {
    const f = owner.getPrototypeOf;
    replace(owner, 'getPrototypeOf', function (this: any, o: any) {
      const p = Reflect.apply(f, this, arguments as any);
      return p === objectProxy ? Object.prototype : p === nullProxy ? null : p;
    });
  }
  const concat = Array.prototype.concat;
  replace(Array.prototype, 'concat', function (this: any) {
    for (let i = 0; i < arguments.length; i++) if (Array.isArray(arguments[i])) readArray(arguments[i]);
    return Reflect.apply(concat, this, arguments as any);
  });
}

function replace(o: any, k: string, f: Function): void {
  const d = Object.getOwnPropertyDescriptor(o, k)!;
  Object.defineProperty(f, 'name', { value: k, configurable: true });
  Object.defineProperty(f, 'length', { value: d.value.length, configurable: true });
  Object.defineProperty(o, k, { ...d, value: f });
}

// loggable makes the contents of a container loggable. (A binding is made
// loggable by boxing it: the emitted code replaces it by the field of a box.)
export function loggable(v: any): any {
  if (typeof v !== 'object' || v === null) return v;
  return share(v, log.nextOp(), true);
}

export function box(v: any): { v: any } {
  return loggable({ v });
}

export { shapeKey };

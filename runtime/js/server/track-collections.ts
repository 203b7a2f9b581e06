// Maps and Sets: a location for each key, once it is written, and one for the shape.
import { seal } from '../shared/stand-ins';
import { Kind, T } from '../shared/tracked';
import { Forgotten, type Keeper } from './forget';
import * as log from './log';
import { type Key, List, Loc, Rec, Ref, Shape, type Val } from './log';
import { absent, natives, type Publication, publishing, ref, setPrototypeOf, share, stamp, stamped } from './track';

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

const isObject = (k: any): boolean => (typeof k === 'object' && k !== null) || typeof k === 'function';

// keyed is the record of a Map or Set. The locations of keys that are objects do
// not keep these alive.
class KeyedRec extends Rec implements Keeper {
  private readonly entries = new Map<any, Entry>();
  private objects: WeakMap<object, Entry> | null = null;
  forgotten: Forgotten | null = null;
  // first: the keys it was published with, until the advice knows them.
  first: any[] = [];

  find(k: any): Entry | undefined {
    return isObject(k) ? this.objects?.get(k) : this.entries.get(k);
  }

  // locate is the location of k, which is about to be written; there: it holds something.
  locate(k: any, there: boolean): Entry {
    let e = this.find(k);
    if (e !== undefined) {
      if (e.born && !there) this.forgotten?.came();
      return e;
    }
    if (isObject(k)) {
      e = new ObjectEntry(this, new WeakRef(k));
      (this.objects ??= new WeakMap()).set(k, e);
      return e;
    }
    this.entries.set(k, (e = new PrimitiveEntry(this, k)));
    if (!there && typeof k !== 'symbol') {
      e.born = true;
      this.forgotten?.born(e);
    }
    return e;
  }

  // look reads k, or that it is not there.
  look(k: any): void {
    const e = this.find(k);
    if (e !== undefined) log.read(e);
    else if (this.forgotten !== null && !isObject(k) && typeof k !== 'symbol' && !this.there(k)) this.forgotten.read(k, keyOf(k));
  }

  held(): number {
    return this.entries.size;
  }

  drop(): void {
    for (const [k, e] of this.entries) if (e.born && !this.there(k)) this.entries.delete(k);
  }

  private there(k: any): boolean {
    return this.kind === Kind.Map ? native.mapHas.call(this.target, k) : native.setHas.call(this.target, k);
  }

  value(k: any): Val {
    if (this.kind === Kind.Map) return native.mapHas.call(this.target, k) ? ref(native.mapGet.call(this.target, k)) : absent;
    return native.setHas.call(this.target, k) ? true : absent;
  }

  keys(): Val {
    return new List(Array.from(this.kind === Kind.Map ? native.mapKeys.call(this.target) : native.setKeys.call(this.target), ref));
  }

  size(): number {
    return this.kind === Kind.Map ? native.mapSize.call(this.target) : native.setSize.call(this.target);
  }

  initial(): [Key, Val][] {
    const out: [Key, Val][] = [];
    for (const k of this.first) out.push([keyOf(k), this.find(k) === undefined ? this.value(k) : log.hole]);
    this.first = [];
    return out;
  }
}

// Entry is the location of one key.
abstract class Entry extends Loc {
  declare readonly rec: KeyedRec;
  abstract get k(): any;
  get key(): Key {
    return keyOf(this.k);
  }
  present(): Val {
    return this.rec.value(this.k);
  }
}

class PrimitiveEntry extends Entry {
  constructor(
    rec: Rec,
    readonly k: any,
  ) {
    super(rec);
  }
}

class ObjectEntry extends Entry {
  constructor(
    rec: Rec,
    private readonly held: WeakRef<object>,
  ) {
    super(rec);
  }
  get k(): any {
    return this.held.deref();
  }
}

function keyOf(k: any): Key {
  if (typeof k === 'string') return k;
  // A key is the object itself, whatever it holds.
  if (k instanceof Date || k instanceof RegExp) log.unloggable(`a ${k.constructor.name} is a key of shared state`);
  else return ['#', ref(zero(k)) as Ref];
  return ['#', undefined];
}

// zero: to collections, -0 is 0.
function zero(k: any): any {
  return k === 0 ? 0 : k;
}

publishing((o, proto, p) => {
  if (!Object.isExtensible(o)) return false; // it cannot be given methods that log
  if (proto === Map.prototype) {
    const r = new KeyedRec(o, Kind.Map, 0, p.op, p.index, p.declared);
    publish(r, [...native.mapKeys.call(o as any)], p);
    for (const k of native.mapKeys.call(o as any)) {
      p.reach(k);
      p.reach(native.mapGet.call(o as any, k));
    }
    setPrototypeOf(o, TrackedMap.prototype);
    return true;
  }
  if (proto === Set.prototype) {
    const r = new KeyedRec(o, Kind.Set, 0, p.op, p.index, p.declared);
    publish(r, [...native.setKeys.call(o as any)], p);
    for (const k of native.setKeys.call(o as any)) p.reach(k);
    setPrototypeOf(o, TrackedSet.prototype);
    return true;
  }
  return false;
});

function publish(r: KeyedRec, keys: any[], p: Publication): void {
  stamp(r);
  // Init's own objects are never told.
  if (r.o < 0) r.first = keys;
  if (ownProperties(r.target)) p.complain('a Map or Set with properties of its own');
}

function ownProperties(o: object): boolean {
  return Reflect.ownKeys(o).length > 0;
}

function keyed(m: any): KeyedRec {
  const r = stamped(m);
  if (r === undefined) throw new TypeError(`Method called on incompatible receiver ${String(m)}`);
  return r as KeyedRec;
}

function look(m: any, k: any): void {
  const r = keyed(m);
  if (log.live()) r.look(k);
}

// put writes what key k holds, and the shape where a key comes or goes.
function put(r: KeyedRec, k: any, v: any, op: number, was: boolean): void {
  if (!log.live()) return;
  const e = r.locate(k, was);
  log.write(e, op, v, ref);
  if (v === absent) {
    log.change((r.shape ??= new Shape(r)), op, { remove: ref(zero(k)) });
    if (e.born) (r.forgotten ??= new Forgotten(r)).went();
  }
  else if (!was) log.change((r.shape ??= new Shape(r)), op, { add: ref(zero(k)) });
}

function readShape(m: any): void {
  const r = keyed(m);
  if (log.live() && r.shape !== null) log.read(r.shape);
}

// clear is a write of every key.
function clear(r: KeyedRec, keys: any[], f: () => void): void {
  const op = log.nextOp();
  if (log.live()) {
    for (const k of keys) {
      const e = r.locate(k, true);
      log.write(e, op, absent, ref);
      if (e.born) (r.forgotten ??= new Forgotten(r)).went();
    }
    log.change((r.shape ??= new Shape(r)), op, { clear: true });
  }
  f();
}

export class TrackedMap extends Map<any, any> {
  get(k: any): any {
    look(this, k);
    return native.mapGet.call(this, k);
  }
  has(k: any): boolean {
    look(this, k);
    return native.mapHas.call(this, k);
  }
  set(k: any, v: any): this {
    const r = keyed(this);
    const op = log.nextOp();
    share(k, op, r.declared);
    share(v, op, r.declared);
    put(r, k, v, op, native.mapHas.call(this, k));
    native.mapSet.call(this, k, v);
    return this;
  }
  delete(k: any): boolean {
    if (!native.mapHas.call(this, k)) {
      look(this, k);
      return false;
    }
    put(keyed(this), k, absent, log.nextOp(), true);
    return native.mapDelete.call(this, k);
  }
  clear(): void {
    readShape(this);
    clear(keyed(this), [...native.mapKeys.call(this)], () => native.mapClear.call(this));
  }
  get size(): number {
    readShape(this);
    return native.mapSize.call(this);
  }
  forEach(f: (v: any, k: any, m: any) => void, self?: any): void {
    for (const [k, v] of this) f.call(self, v, k, this);
  }
  keys(): any {
    return iterate(this, native.mapKeys, (k) => k);
  }
  values(): any {
    return iterate(this, native.mapKeys, (k) => this.get(k));
  }
  entries(): any {
    return iterate(this, native.mapKeys, (k) => [k, this.get(k)]);
  }
}

export class TrackedSet extends Set<any> {
  has(k: any): boolean {
    look(this, k);
    return native.setHas.call(this, k);
  }
  add(k: any): this {
    if (native.setHas.call(this, k)) {
      look(this, k);
      return this;
    }
    const r = keyed(this);
    const op = log.nextOp();
    share(k, op, r.declared);
    put(r, k, true, op, false);
    native.setAdd.call(this, k);
    return this;
  }
  delete(k: any): boolean {
    if (!native.setHas.call(this, k)) {
      look(this, k);
      return false;
    }
    put(keyed(this), k, absent, log.nextOp(), true);
    return native.setDelete.call(this, k);
  }
  clear(): void {
    readShape(this);
    clear(keyed(this), [...native.setKeys.call(this)], () => native.setClear.call(this));
  }
  get size(): number {
    readShape(this);
    return native.setSize.call(this);
  }
  forEach(f: (v: any, k: any, s: any) => void, self?: any): void {
    for (const k of this) f.call(self, k, k, this);
  }
  keys(): any {
    return iterate(this, native.setKeys, (k) => k);
  }
  entries(): any {
    return iterate(this, native.setKeys, (k) => [k, k]);
  }
}

// iterate reads the shape at every step: an iterator may live across awaits.
function iterate(m: any, nativeKeys: any, item: (k: any) => any): any {
  keyed(m);
  const it = nativeKeys.call(m);
  return {
    next() {
      readShape(m);
      const x = it.next();
      return x.done ? { value: undefined, done: true } : { value: item(x.value), done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.toStringTag]: Object.prototype.toString.call(it).slice(8, -1),
  };
}

seal(natives, T, TrackedMap.prototype, Map, 'entries');
Object.defineProperty(TrackedSet.prototype, 'values', { value: TrackedSet.prototype.keys, writable: true, configurable: true });
seal(natives, T, TrackedSet.prototype, Set, 'keys');

// Maps and Sets: a location for each key, and one for the shape.
import { current } from '../shared/activation';
import { Kind, T } from '../shared/tracked';
import { SHAPE } from './feed';
import { diverge, isMV, lane as laneOf, native as realm } from './mv';
import { ABSENT, group, type List, nextOp, sharing } from './group';
import { lengthOf } from './logged';
import { readLoc, writeLoc } from './state';
import { each, keyIn, presentAt, presentKey, publishing, put, readKey, type Rec, recOf, removeKey, shapeOf, share, stamp, valueOr } from './track';

// Called by realm.apply: what the program knows as call and apply would lead back here.
const native = {
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
};

publishing((o, proto, lane, enqueue) => {
  if (proto === Map.prototype) {
    const r = stamp(o, Kind.Map, 0, lane);
    realm.apply(native.mapForEach, o, [
      (v: any, k: any) => {
        r.fields.set(k, v);
        enqueue(k);
        enqueue(v);
      },
    ]);
    realm.setProto(o, TrackedMap.prototype);
    return r;
  }
  if (proto === Set.prototype) {
    const r = stamp(o, Kind.Set, 0, lane);
    realm.apply(native.setForEach, o, [
      (k: any) => {
        r.fields.set(k, true);
        enqueue(k);
      },
    ]);
    realm.setProto(o, TrackedSet.prototype);
    return r;
  }
  return null;
});

export class TrackedMap extends Map<any, any> {
  get(k: any): any {
    if (group.init) return realm.apply(native.mapGet, this, [k]);
    return valueOr(readKey(receiver(this), k));
  }
  has(k: any): any {
    if (group.init) return realm.apply(native.mapHas, this, [k]);
    return presentKey(receiver(this), k);
  }
  set(k: any, v: any): this {
    const r = receiver(this);
    const op = nextOp();
    share(k, op);
    share(v, op);
    if (group.init) {
      realm.apply(native.mapSet, this, [k, v]);
      r.fields.set(k, v);
    } else put(r, k, v, op);
    return this;
  }
  delete(k: any): any {
    const r = receiver(this);
    if (group.init) {
      if (!realm.apply(native.mapDelete, this, [k])) return false;
      nextOp();
      return r.fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this), () => realm.apply(native.mapClear, this, []));
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

export class TrackedSet extends Set<any> {
  has(k: any): any {
    if (group.init) return realm.apply(native.setHas, this, [k]);
    return presentKey(receiver(this), k);
  }
  add(k: any): this {
    const r = receiver(this);
    if (group.init) {
      if (!realm.apply(native.setHas, this, [k])) {
        share(k, nextOp());
        realm.apply(native.setAdd, this, [k]);
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
      if (!realm.apply(native.setDelete, this, [k])) return false;
      nextOp();
      return r.fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this), () => realm.apply(native.setClear, this, []));
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
      // It mostly is where it was. To search for what advice has twice would never end.
      if (list !== null && !Object.is(now[at - 1], list[at - 1])) {
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

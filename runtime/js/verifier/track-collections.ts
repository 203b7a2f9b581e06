// Maps and Sets: a location for each key, and one for the shape.
import { current } from '../shared/activation';
import { seal } from '../shared/stand-ins';
import { Kind, T } from '../shared/tracked';
import { SHAPE } from './feed';
import { divergeBy, isMV, lane as laneOf, lanesOf, native as realm } from './mv';
import { ABSENT, group, type List, nextOp, sharing } from './group';
import { lengthOf } from './logged';
import { readLoc, writeLoc } from './state';
import { natives } from './raw';
import { each, listsOf, presentEverywhere, presentKey, publishing, put, readKey, type Rec, recIn, type Recs, recOf, removeKey, share, stamp, valueOr, zip } from './track';

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
  if (!realm.isExtensible(o)) return null;
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
    return valueOr(readKey(receiver(this, Kind.Map), k));
  }
  has(k: any): any {
    if (group.init) return realm.apply(native.mapHas, this, [k]);
    return presentKey(receiver(this, Kind.Map), k);
  }
  set(k: any, v: any): this {
    const r = receiver(this, Kind.Map);
    const op = nextOp();
    share(k, op);
    share(v, op);
    if (group.init) {
      realm.apply(native.mapSet, this, [k, v]);
      alone(r).fields.set(k, v);
    } else put(r, k, v, op);
    return this;
  }
  delete(k: any): any {
    const r = receiver(this, Kind.Map);
    if (group.init) {
      if (!realm.apply(native.mapDelete, this, [k])) return false;
      nextOp();
      return alone(r).fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this, Kind.Map), () => realm.apply(native.mapClear, this, []));
  }
  get size(): any {
    return size(receiver(this, Kind.Map));
  }
  forEach(f: (v: any, k: any, m: any) => void, self?: any): void {
    for (const [k, v] of this) f.call(self, v, k, this);
  }
  keys(): any {
    return iterate(receiver(this, Kind.Map), 'Map Iterator', (k) => k);
  }
  values(): any {
    return iterate(receiver(this, Kind.Map), 'Map Iterator', (k) => this.get(k));
  }
  entries(): any {
    return iterate(receiver(this, Kind.Map), 'Map Iterator', (k) => [k, this.get(k)]);
  }
}

export class TrackedSet extends Set<any> {
  has(k: any): any {
    if (group.init) return realm.apply(native.setHas, this, [k]);
    return presentKey(receiver(this, Kind.Set), k);
  }
  add(k: any): this {
    const r = receiver(this, Kind.Set);
    if (group.init) {
      if (!realm.apply(native.setHas, this, [k])) {
        share(k, nextOp());
        realm.apply(native.setAdd, this, [k]);
        alone(r).fields.set(k, true);
      }
      return this;
    }
    if (presentEverywhere(r, k, 'an element to add')) readKey(r, k);
    else {
      const op = nextOp();
      share(k, op);
      put(r, k, true, op);
    }
    return this;
  }
  delete(k: any): any {
    const r = receiver(this, Kind.Set);
    if (group.init) {
      if (!realm.apply(native.setDelete, this, [k])) return false;
      nextOp();
      return alone(r).fields.delete(k);
    }
    return removeKey(r, k);
  }
  clear(): void {
    clear(receiver(this, Kind.Set), () => realm.apply(native.setClear, this, []));
  }
  get size(): any {
    return size(receiver(this, Kind.Set));
  }
  forEach(f: (v: any, k: any, s: any) => void, self?: any): void {
    for (const k of this) f.call(self, k, k, this);
  }
  keys(): any {
    return iterate(receiver(this, Kind.Set), 'Set Iterator', (k) => k);
  }
  entries(): any {
    return iterate(receiver(this, Kind.Set), 'Set Iterator', (k) => [k, k]);
  }
}

// receiver is what a method is called on: in a group, lanes may call it on different ones.
function receiver(o: any, kind: Kind): Recs {
  if (!isMV(o)) return tracked(o, kind);
  const all = lanesOf(o).map(recOf);
  if (all.some((r) => r?.kind !== kind)) divergeBy('a container that differs by lane in its kind', all.map((r) => r?.kind));
  return all as Rec[];
}

function tracked(o: any, kind: Kind): Rec {
  const r = recOf(o);
  if (r?.kind !== kind) throw new TypeError('Method called on incompatible receiver');
  return r;
}

// alone: while init runs there are no lanes.
const alone = (r: Recs): Rec => recIn(r, 0);

function clear(r: Recs, storage: () => void): void {
  if (group.init) {
    nextOp();
    storage();
    alone(r).fields.clear();
    return;
  }
  const keys = keysOf(listsOf(r, SHAPE));
  const op = nextOp();
  each(r, (i, rec) => {
    for (const k of keys) writeLoc(rec, isMV(k) ? laneOf(k, i) : k, i, op, ABSENT, null);
    writeLoc(rec, SHAPE, i, op, null, { list: [] });
    return 0;
  });
}

function size(r: Recs): any {
  if (group.init) return alone(r).fields.size;
  return each(r, (i, rec) => lengthOf(readLoc(rec, SHAPE, i)));
}

// keysOf is what lanes' Maps or Sets have as keys, if they have as many.
function keysOf(lists: List[]): List {
  return zip(lists, 'the number of keys differs', (l) => l.length);
}

// iterate follows the container as it changes: after each step it goes on
// behind the last key it gave, or behind those before it that are still there.
function iterate(r: Recs, tag: string, item: (k: any) => any): any {
  let lists: List[] | null = null;
  let keys: List = [];
  let at = 0;
  let done = false;
  let turn = current;
  const live = group.init ? alone(r).fields.keys() : null;
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
      const now = group.init ? [[...alone(r).fields.keys()]] : listsOf(r, SHAPE);
      if (lists === null || now.some((l, i) => l !== lists![i])) {
        if (lists !== null) at = behind(now, lists, at);
        keys = keysOf(now);
        lists = now;
      }
      if (at >= keys.length) {
        done = true;
        return { value: undefined, done: true };
      }
      return { value: item(keys[at++]), done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.toStringTag]: tag,
  };
}

// behind is where lists go on behind what the first `at` keys of them were before.
function behind(lists: List[], before: List[], at: number): number {
  const places = lists.map((now, i) => {
    let p = at - 1;
    // It mostly is where it was. To search for what advice has twice would never end.
    if (p < now.length && Object.is(now[p], before[i][p])) return at;
    let place = -1;
    while (p >= 0 && (place = now.findIndex((k) => Object.is(k, before[i][p]))) < 0) p--;
    return place + 1;
  });
  if (places.some((p) => p !== places[0])) divergeBy('how many keys are left to go through', places);
  return places[0];
}

seal(natives, T, TrackedMap.prototype, Map, 'entries');
realm.define(TrackedSet.prototype, 'values', { value: TrackedSet.prototype.keys, writable: true, configurable: true });
seal(natives, T, TrackedSet.prototype, Set, 'keys');

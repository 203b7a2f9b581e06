// Weak collections of init's (see the server's track-weak.ts).
import { isArrayKind, isKeyed } from '../shared/tracked';
import { divergeBy, isMV, lane as laneOf, lanesOf, native as realm } from './mv';
import { ABSENT, group, nextOp, things } from './group';
import { writeLoc } from './state';
import { each, eachLane, presentEverywhere, presentKey, readKey, type Rec, type Recs, recOf, share, valueOr } from './track';

const native = {
  weakGet: WeakMap.prototype.get,
  weakHas: WeakMap.prototype.has,
  weakSet: WeakMap.prototype.set,
  weakDelete: WeakMap.prototype.delete,
  weakSetHas: WeakSet.prototype.has,
  weakSetAdd: WeakSet.prototype.add,
  weakSetDelete: WeakSet.prototype.delete,
};

const weaks: any[] = [];

export function weak(w: any): any {
  if (!group.loading) return w;
  things.add(w);
  weaks.push(w);
  realm.setProto(w, w instanceof WeakMap ? TrackedWeakMap.prototype : TrackedWeakSet.prototype);
  return w;
}

export function* weakFieldsOf(o: object): Iterable<[object, any]> {
  for (let i = 0; i < weaks.length; i++) {
    const w = weaks[i];
    if (w instanceof WeakMap) {
      if (native.weakHas.call(w, o)) yield [w, native.weakGet.call(w, o)];
    } else if (native.weakSetHas.call(w, o)) yield [w, true];
  }
}

// shared is the record of a key that is tracked, or those of all lanes' keys.
function shared(k: any): Recs | undefined {
  if (group.init) return undefined;
  if (!isMV(k)) return holder(k);
  const all = lanesOf(k).map(holder);
  if (all.some((r) => (r === undefined) !== (all[0] === undefined))) divergeBy('a weak key that is tracked in some lanes only', all.map((r) => r === undefined));
  return all[0] === undefined ? undefined : (all as Rec[]);
}

function holder(k: any): Rec | undefined {
  const r = recOf(k);
  return r === undefined || isKeyed(r.kind) || isArrayKind(r.kind) ? undefined : r;
}

// local runs f for a key that is not tracked, or for that of each lane.
function local(k: any, f: (k: any, lane: number) => any): any {
  return isMV(k) ? eachLane(k, f) : f(k, -1);
}

// putWeak writes what a weak collection holds about a tracked object.
function putWeak(w: any, r: Recs, v: any): void {
  const op = nextOp();
  if (v !== ABSENT) share(v, op);
  each(r, (i, rec) => writeLoc(rec, w, i, op, isMV(v) ? laneOf(v, i) : v, null));
}

// noteWeak: while init runs, what is published already takes part by its record.
function noteWeak(w: any, k: any, v: any): void {
  if (!group.init) return;
  const r = holder(k);
  if (r === undefined) return;
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

const presentWeak = (w: any, r: Recs): boolean => presentEverywhere(r, w, 'a weak key');

class TrackedWeakMap extends WeakMap<object, any> {
  get(k: any): any {
    const r = shared(k);
    if (r !== undefined) return valueOr(readKey(r, this));
    return local(k, (x) => native.weakGet.call(this, x));
  }
  has(k: any): any {
    const r = shared(k);
    if (r !== undefined) return presentKey(r, this);
    return local(k, (x) => native.weakHas.call(this, x));
  }
  set(k: any, v: any): this {
    const r = shared(k);
    if (r !== undefined) putWeak(this, r, v);
    else {
      local(k, (x, i) => {
        const y = i < 0 ? v : laneOf(v, i);
        newWeakKey(x, native.weakHas.call(this, x));
        noteWeak(this, x, y);
        native.weakSet.call(this, x, y);
      });
    }
    return this;
  }
  delete(k: any): any {
    const r = shared(k);
    if (r !== undefined) return dropWeak(this, r);
    return local(k, (x) => {
      if (native.weakHas.call(this, x)) noteWeak(this, x, ABSENT);
      return native.weakDelete.call(this, x);
    });
  }
}

function dropWeak(w: any, r: Recs): boolean {
  const there = presentWeak(w, r);
  if (there) putWeak(w, r, ABSENT);
  else readKey(r, w);
  return there;
}

class TrackedWeakSet extends WeakSet<object> {
  has(k: any): any {
    const r = shared(k);
    if (r !== undefined) return presentKey(r, this);
    return local(k, (x) => native.weakSetHas.call(this, x));
  }
  add(k: any): this {
    const r = shared(k);
    if (r === undefined) {
      local(k, (x) => {
        newWeakKey(x, native.weakSetHas.call(this, x));
        if (!native.weakSetHas.call(this, x)) noteWeak(this, x, true);
        native.weakSetAdd.call(this, x);
      });
    } else if (presentWeak(this, r)) readKey(r, this);
    else putWeak(this, r, true);
    return this;
  }
  delete(k: any): any {
    const r = shared(k);
    if (r !== undefined) return dropWeak(this, r);
    return local(k, (x) => {
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

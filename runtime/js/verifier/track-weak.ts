// Weak collections of init's (see the server's track-weak.ts).
import { isArrayKind, isKeyed } from '../shared/tracked';
import { diverge, isMV, lane as laneOf, native as realm } from './mv';
import { ABSENT, group, nextOp, things } from './group';
import { writeLoc } from './state';
import { each, eachLane, presentAt, presentKey, readKey, type Rec, recOf, share, valueOr } from './track';

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

// eachWeak runs f for a key, or for that of each lane as one operation.
function eachWeak(k: any, f: (k: any, lane: number) => any): any {
  if (!isMV(k)) return f(k, -1);
  return eachLane(k, f);
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

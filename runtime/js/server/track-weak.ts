// Weak collections that init made, private fields among them (which lowering turns
// into such): what one holds about a tracked object is a field of that object. So
// nothing is kept that the program does not keep, and objects that are not shared
// cost nothing more.
import { current, type Run } from '../shared/activation';
import { keeps } from './connections';
import * as log from './log';
import { absent, def, recOf, ref, setPrototypeOf, share, things } from './track';
import { Field, ObjectRec } from './track-objects';

const native = {
  get: WeakMap.prototype.get,
  has: WeakMap.prototype.has,
  set: WeakMap.prototype.set,
  delete: WeakMap.prototype.delete,
  setHas: WeakSet.prototype.has,
  setAdd: WeakSet.prototype.add,
  setDelete: WeakSet.prototype.delete,
};

// Those that init made.
const weaks: (WeakMap<object, any> | WeakSet<object>)[] = [];
// Those that a request made, by the request: what they hold is its own.
const late = new WeakMap<object, Run | null>();

// weak notes a weak collection that the program makes.
export function weak<W extends WeakMap<object, any> | WeakSet<object>>(w: W): W {
  if (log.initOpen) {
    def(w);
    weaks.push(w);
  } else late.set(w, current === null ? null : current.run);
  setPrototypeOf(w, w instanceof WeakMap ? TrackedWeakMap.prototype : TrackedWeakSet.prototype);
  return w;
}

// weakFieldsOf is what weak collections hold about an object.
export function weakFieldsOf(o: object): readonly [object, any][] {
  let found: [object, any][] = none;
  for (let i = 0; i < weaks.length; i++) {
    const w = weaks[i];
    const map = w instanceof WeakMap;
    if (!(map ? native.has.call(w, o) : native.setHas.call(w, o))) continue;
    if (found === none) found = [];
    found.push([w, map ? native.get.call(w, o) : true]);
  }
  return found;
}

const none: [object, any][] = [];

// recordOf finds the record of k if what w holds about it is shared.
function recordOf(w: object, k: any): ObjectRec | undefined {
  const r = recOf(k);
  if (r === undefined) return undefined;
  if (things.of(w) < 0) {
    if (late.get(w) !== (current === null ? null : current.run)) log.unloggable('a weak collection that was not made at load is shared');
    return undefined;
  }
  if (!(r instanceof ObjectRec)) {
    if (log.live()) log.unloggable('a collection or array is a key of a weak collection');
    return undefined;
  }
  return r;
}

// held notes a key whose record is not shared.
function held(w: object, k: any): void {
  if (things.of(w) >= 0 && keeps(k)) log.unloggable('a connection is a key of a weak collection');
}

function look(w: object, k: any): void {
  const r = recordOf(w, k);
  if (r === undefined || !log.live()) return;
  const f = r.find(w);
  if (f !== undefined && f.writtenBy !== null) log.read(f);
}

function put(w: object, r: ObjectRec, v: any): void {
  const op = log.nextOp();
  if (v !== absent) share(v, op, r.declared);
  if (log.live()) {
    const f = r.missing(w);
    log.write(f, op, v, ref);
    f.value = v;
  } else {
    const f = r.find(w);
    if (f !== undefined) f.value = v;
  }
}

class TrackedWeakMap extends WeakMap<object, any> {
  get(k: any): any {
    look(this, k);
    return native.get.call(this, k);
  }
  has(k: any): boolean {
    look(this, k);
    return native.has.call(this, k);
  }
  set(k: any, v: any): this {
    const r = recordOf(this, k);
    if (r !== undefined) put(this, r, v);
    else held(this, k);
    return native.set.call(this, k, v) as this;
  }
  delete(k: any): boolean {
    const r = recordOf(this, k);
    if (r !== undefined) {
      if (native.has.call(this, k)) put(this, r, absent);
      else look(this, k);
    }
    return native.delete.call(this, k);
  }
}

class TrackedWeakSet extends WeakSet<object> {
  has(k: any): boolean {
    look(this, k);
    return native.setHas.call(this, k);
  }
  add(k: any): this {
    const r = recordOf(this, k);
    if (r !== undefined) {
      if (native.setHas.call(this, k)) look(this, k);
      else put(this, r, true);
    } else held(this, k);
    return native.setAdd.call(this, k) as this;
  }
  delete(k: any): boolean {
    const r = recordOf(this, k);
    if (r !== undefined) {
      if (native.setHas.call(this, k)) put(this, r, absent);
      else look(this, k);
    }
    return native.setDelete.call(this, k);
  }
}

for (const [tracked, base] of [
  [TrackedWeakMap, WeakMap],
  [TrackedWeakSet, WeakSet],
] as const) {
  for (const k of Reflect.ownKeys(tracked.prototype)) Object.defineProperty(tracked.prototype, k, { ...Object.getOwnPropertyDescriptor(tracked.prototype, k), enumerable: false });
  Object.defineProperty(tracked.prototype, 'constructor', { value: base, writable: true, configurable: true });
}

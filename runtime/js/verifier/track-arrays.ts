// Arrays: the native elements mirror what the lanes hold in this activation.
import { current } from '../shared/activation';
import { arrayChange, changesArray, ELEMENTS, Kind, type Splice, T } from '../shared/tracked';
import { ALL } from './feed';
import { diverge, isMV, lane as laneOf, native as realm, norm, proxyParts } from './mv';
import { ABSENT, group, type List, nextOp } from './group';
import { type Delta } from './logged';
import { writeLoc } from './state';
import { each, eachLane, listsOf, publishing, type Rec, recOf, share, stamp, stamped, zip } from './track';
import { hint, hooks } from './track-hooks';

publishing((o, proto, lane, enqueue) => {
  if (!realm.isArray(o) || proto !== Array.prototype) return null;
  const extensible = realm.isExtensible(o);
  const r = stamp(o, extensible ? Kind.Array : Kind.FrozenArray, 0, lane);
  r.list = elementsOf(o);
  for (const v of r.list) enqueue(v);
  if (extensible) realm.setProto(o, TrackedArray.prototype);
  return r;
});

const { slice } = Array.prototype;

export class TrackedArray extends Array<any> {}

// elementsOf lists what an array holds, ABSENT where it has a hole.
function elementsOf(a: any[]): any[] {
  const out = realm.apply(slice, a, []);
  for (let i = 0; i < out.length; i++) if (out[i] === undefined && !realm.hasOwn(a, i)) out[i] = ABSENT;
  return out;
}

// read brings the elements of what may be a tracked array up to date.
function read(a: any): void {
  if (realm.isArray(a) && recOf(a)?.kind === Kind.Array) sync(a);
}
hooks.list = read;

// nested does so for the arrays in an array, too.
hooks.nested = (a, depth) => {
  read(a);
  if (depth <= 0 || proxyParts(a) !== undefined || !realm.isArray(a)) return;
  for (let i = 0; i < a.length; i++) if (realm.isArray(a[i])) hooks.nested(a[i], depth - 1);
};

export function sync(a: any): Rec {
  const r = stamped(a)!;
  if (group.init) return r;
  // Since then only this turn has changed it, on the native elements.
  if (r.synced === current && current !== null && !(hint.lane >= 0 && r.lane < 0 && group.lanes > 1)) return r;
  const elements = zip(listsOf(r, ALL), 'array lengths differ', (l) => (l.includes(ABSENT) ? l.map((v) => v === ABSENT).join() : l.length));
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
export function mutate(a: any, added: ArrayLike<any>, splice: Splice | null, f: () => any): any {
  const r = stamped(a)!;
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

// zipped is what the lanes' arrays hold, as one array of (multi)values.
function zipped(mv: any): List {
  const lists: List[] = [];
  eachLane(mv, (a, i) => {
    if (recOf(a) !== undefined) sync(a);
    if (elementsOf(a).includes(ABSENT)) diverge('arrays with holes that differ by lane');
    lists.push(realm.apply(slice, a, []).map((v: any) => (isMV(v) ? laneOf(v, i) : v)));
  });
  return zip(lists, 'array lengths differ', (l) => l.length);
}

for (const k of realm.ownKeys(Array.prototype)) {
  const f = (Array.prototype as any)[k];
  if (typeof f !== 'function' || k === 'constructor') continue;
  const g: Function = changesArray.has(k)
    ? function (this: any, ...args: any[]): any {
        if (isMV(this)) return eachLane(this, (a, i) => g.apply(a, args.map((x: any) => laneOf(x, i))), arrayChange(k, 0, args).put);
        if (recOf(this) === undefined) return realm.apply(f, this, args);
        sync(this);
        const { put, splice } = arrayChange(k, this.length, args);
        return mutate(this, put, splice, () => realm.apply(f, this, args));
      }
    : function (this: any): any {
        if (isMV(this)) return realm.apply(f, zipped(this), arguments);
        if (recOf(this) !== undefined) sync(this);
        return realm.apply(f, this, arguments);
      };
  realm.define(g, 'name', { value: f.name });
  realm.define(g, 'length', { value: f.length });
  realm.define(TrackedArray.prototype, k, { value: g, writable: true, configurable: true });
}
realm.define(TrackedArray.prototype, 'constructor', { value: Array, writable: true, configurable: true });
realm.define(TrackedArray.prototype, T, { value: true });
for (const k of ['toJSON', ELEMENTS]) {
  realm.define(TrackedArray.prototype, k, {
    get(this: any) {
      if (recOf(this) !== undefined) sync(this);
      return undefined;
    },
    configurable: true,
  });
}

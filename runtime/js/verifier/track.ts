// Tracked objects in re-execution: the same publication, in the same order and
// under the same names, as in the server's runtime; but what they hold is a
// question to the log (state.ts), lane by lane.
import { ofPlatform } from '../shared/inferred';
import { isArrayKind, isKeyed, Kind } from '../shared/tracked';
import { ALL, type Json, KeyRef, parseKey, SHAPE } from './feed';
import { diverge, isGuestProxy, isMV, isProxied, isSplit, lane as laneOf, native as realm, norm } from './mv';
import { takeObject } from './entries';
import { ABSENT, bind, group, keyName, type List, nextOp, number, problem, setRecOf, sharing, things, unnumbered } from './group';
import { enumerated, equalElements, equals, Later, listOf } from './logged';
import { peek, readLoc, Tracked, writeLoc } from './state';
import { watched } from './mv-touch';
import { RawMap } from './raw';
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
export class Rec extends Tracked {
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

  had(key: any): boolean {
    return this.fields.has(key);
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
export const FIXED = Symbol('fixed');

export const isError = (o: any): boolean => o instanceof Error;

// hidden: fields of errors that are not enumerable.
export const hidden = (k: string | symbol): boolean => k === 'message' || k === 'cause' || k === 'errors';

export function recOf(o: any): Rec | undefined {
  return (typeof o === 'object' && o !== null) || typeof o === 'function' ? Stamp.of(o) : undefined;
}
setRecOf(recOf);

// stamped is recOf for what is known to be an object.
export const stamped: (o: any) => Rec | undefined = Stamp.of;

// Recs is the record that an operation is about, or one for each lane.
export type Recs = Rec | Rec[];

// recIn is the one that it is about in a lane.
export function recIn(r: Recs, lane: number): Rec {
  return r instanceof Rec ? r : r[lane];
}

// only is the lane of the current operation on r, or -1 for all of them.
function only(r: Recs): number {
  if (group.lanes === 1) return 0;
  if (r instanceof Rec && r.lane >= 0) return r.lane;
  return hint.lane;
}

// each runs f for the lanes of the current operation on r.
export function each<V>(r: Recs, f: (lane: number, r: Rec) => V): V {
  const lane = only(r);
  if (lane >= 0) return f(lane, recIn(r, lane));
  const out = new Array(group.lanes);
  for (let i = 0; i < group.lanes; i++) out[i] = f(i, recIn(r, i));
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
  if (isNumbered(v)) {
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
    else if (group.loading && isNumbered(x)) things.add(x);
  };
  for (let i = 0; i < queue.length; i++) {
    const o = queue[i];
    if (isValue(o)) watched.shared(o);
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
  return typeof x === 'object' && x !== null && Stamp.of(x) === undefined && !ofPlatform(x);
}

// isNumbered: what init met has a number, and stays as it is.
function isNumbered(x: any): boolean {
  return typeof x === 'function' || typeof x === 'symbol' || (typeof x === 'object' && x !== null && ofPlatform(x));
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

export function isHole(v: Json): boolean {
  return realm.isArray(v) && v[0] === 'h';
}

// A publisher tracks one object, gives to enqueue what that refers to, and yields the
// record; or null for what is not its own.
export type Publisher = (o: any, proto: object | null, lane: number, enqueue: (x: any) => void) => Rec | null;
const publishers: Publisher[] = [];

// publishing adds a publisher.
export function publishing(f: Publisher): void {
  publishers.push(f);
}

function publish(o: any, lane: number, enqueue: (x: any) => void): Rec | null {
  if (isSplit(o)) diverge('a collection of keys that differ by lane becomes shared');
  const proto = realm.getProto(o);
  for (const f of publishers) {
    const r = f(o, proto, lane, enqueue);
    if (r !== null) return r;
  }
  return null;
}

export function stamp(o: any, kind: Kind, classId: number, lane: number): Rec {
  const r = new Rec(o, kind, classId, lane);
  Stamp.put(o, r);
  if (kind === Kind.Array || kind === Kind.Map || kind === Kind.Set) watched.shared(o);
  if (group.init && !group.together) r.num = -(things.next(o) + 1);
  return r;
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

export function readKey(r: Recs, key: any): any {
  if (isMV(key)) return eachKey(key, (k, i) => readLoc(recIn(r, i), k, i));
  return each(r, (i, rec) => readLoc(rec, keyIn(key, i), i));
}

// present: whether the location holds something; a multivalue where lanes differ.
export function presentKey(r: Recs, key: any): any {
  if (isMV(key)) return eachKey(key, (k, i) => readLoc(recIn(r, i), k, i) !== ABSENT);
  return each(r, (i, rec) => readLoc(rec, keyIn(key, i), i) !== ABSENT);
}

export function valueOr(v: any): any {
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
export function inherited(own: any, otherwise: any): any {
  if (!isMV(own)) return own;
  return norm(Array.from({ length: group.lanes }, (_, i) => (laneOf(own, i) === ABSENT ? otherwise : laneOf(own, i))));
}

// put writes value (or, for ABSENT, deletes), and the shape where a key comes or goes.
export function put(r: Recs, key: any, value: any, op: number): void {
  each(r, (i, rec) => {
    const k = keyIn(key, i);
    const v = isMV(value) ? laneOf(value, i) : value;
    const before = writeLoc(rec, k, i, op, v, null);
    if (v !== ABSENT && before === ABSENT) writeLoc(rec, SHAPE, i, op, null, { add: k });
    else if (v === ABSENT && before !== ABSENT) writeLoc(rec, SHAPE, i, op, null, { remove: k });
    return 0;
  });
}

// shapeOf yields the names that all lanes enumerate, or splits the group.
export function shapeOf(r: Rec): List {
  return zip(listsOf(r, SHAPE).map(enumerated), 'keys differ', (l) => JSON.stringify(l));
}

// listsOf reads a location that holds a list, and yields that of each lane of the operation.
export function listsOf(r: Recs, key: any): List[] {
  const lane = only(r);
  if (lane >= 0) return [listOf(readLoc(recIn(r, lane), key, lane))];
  const lists: List[] = [];
  for (let i = 0; i < group.lanes; i++) lists.push(listOf(readLoc(recIn(r, i), key, i)));
  return lists;
}

// zip makes one list of (multi)values of those of lanes, and splits the group by
// what signature says of them.
export function zip(lists: List[], why: string, signature: (l: List) => any): List {
  if (lists.length === 1) return lists[0];
  const signatures = lists.map(signature);
  if (signatures.some((x) => x !== signatures[0])) diverge(why, classesOf(signatures));
  return lists[0].map((_, j) => norm(lists.map((l) => l[j])));
}

// removeKey deletes a key and yields whether it was there. An absent key is only
// read; where lanes differ in that, their operation counts would differ too.
export function removeKey(r: Recs, k: any): boolean {
  if (!presentEverywhere(r, k, 'a key to delete')) {
    readKey(r, k);
    return false;
  }
  put(r, k, ABSENT, nextOp());
  return true;
}

// presentEverywhere splits the group where lanes differ in whether a key is there.
export function presentEverywhere(r: Recs, k: any, what: string): boolean {
  const there = each(r, (i, rec) => presentAt(rec, keyIn(k, i), i));
  if (isMV(there)) diverge(`${what} is there in some lanes only`, Int32Array.from({ length: group.lanes }, (_, i) => (laneOf(there, i) ? 1 : 0)));
  return there;
}

// presentAt tells whether a lane's location holds something, without making it
// a read of its own: the caller goes on to read or to write it.
function presentAt(r: Rec, key: any, lane: number): boolean {
  return peek(r, key, lane) !== ABSENT;
}

// eachLane runs f for each lane's value of mv, as one operation, which stores `stored`.
export function eachLane(mv: any, f: (a: any, lane: number) => any, stored: ArrayLike<any> = []): any {
  const saved = hint.lane;
  const out = new Array(group.lanes);
  hint.op = 0;
  for (let i = 0; i < stored.length; i++) storing(stored[i]);
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

// storing hears what all lanes are about to store, each in an object of its own: what they
// have in common is published for all of them, by the operation that each of them begins.
export function storing(v: any): void {
  if (!isPublishable(v) || isMV(v)) return;
  const op = hint.op === 0 ? nextOp() : hint.op;
  share(v, op);
  if (hint.lane < 0) hint.op = op;
}

function classesOf(keys: any[]): Int32Array {
  const seen = new Map<any, number>();
  return Int32Array.from(keys, (k) => {
    let c = seen.get(k);
    if (c === undefined) seen.set(k, (c = seen.size));
    return c;
  });
}

// ---- what emitted code calls

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

// Multivalues: one value per lane of a group, for values that differ between
// lanes. Everything else in the group is an ordinary JavaScript value.
//
// Three modes:
//
//   state.N === 1                  a lane runs alone: there are no multivalues
//   state.N > 1, state.L < 0       lockstep: one execution stands for all lanes
//   state.N > 1, state.L === i     lane mode: a pure function runs for lane i
//                                  only, and a multivalue it meets means its lane
//
// Whatever cannot be done exactly diverges: the group is abandoned and its
// parts are re-run, in the limit one lane at a time. A divergence is sticky.
// Guest code may catch what is thrown here, but not get past state.D.

export interface State {
  N: number; // lanes
  G: number; // the group's number, carried by its multivalues
  L: number; // the only lane that runs, or -1
  D: Diverge | null;
  made: number; // multivalues in this group so far
}

export const state: State = { N: 1, G: 0, L: -1, D: null, made: 0 };

export class Diverge {
  declare stack?: string;
  constructor(
    readonly message: string,
    // A class per lane: lanes of one class may go on together.
    readonly parts: Int32Array | null,
    // A multivalue of another group was met: the program keeps state between
    // requests that it did not declare.
    readonly stale: boolean,
  ) {
    native.captureStackTrace?.(this);
  }
  toString(): string {
    return 'Diverge: ' + this.message;
  }
}

// Natives as they were before any of them was replaced.
export const native = {
  apply: Reflect.apply,
  construct: Reflect.construct,
  ownKeys: Reflect.ownKeys,
  keys: Object.keys,
  getOwn: Object.getOwnPropertyDescriptor,
  getProto: Object.getPrototypeOf,
  setProto: Object.setPrototypeOf,
  define: Object.defineProperty,
  hasOwn: Object.hasOwn,
  is: Object.is,
  isArray: Array.isArray,
  isExtensible: Object.isExtensible,
  isPrototypeOf: Object.prototype.isPrototypeOf,
  mapGet: Map.prototype.get,
  mapSet: Map.prototype.set,
  mapHas: Map.prototype.has,
  captureStackTrace: (Error as any).captureStackTrace as ((o: object, f?: Function) => void) | undefined,
  Error,
  TypeError,
  Map,
  Set,
  WeakMap,
  WeakSet,
  String,
  Number,
  Boolean,
  Array,
  Object,
  Function,
  Proxy,
  Symbol,
};

// What all lanes of a multivalue have in common.
export const enum Tag {
  String = 1,
  Number = 2,
  Boolean = 3,
  Primitive = 4, // primitives of several types, or of a rarer type
  Object = 5,
  Function = 6,
  Mixed = 7, // primitives and objects
}

export class MV {
  // Names that no program uses: a multivalue answers to every other name with
  // what its lanes have there. They are fields, which are defined: an assignment
  // to a new name would ask the Proxy that multivalues inherit from.
  $mv: any[] = null!;
  $tag: Tag = 0 as Tag;
  // Every object in it was made for its lane alone, by a native function.
  $own = false;
  $group = state.G;
  constructor(lanes: any[], tag: Tag, own: boolean) {
    this.$mv = lanes;
    this.$tag = tag;
    this.$own = own;
    state.made++;
  }
}

export function isMV(x: any): x is MV {
  return typeof x === 'object' && x instanceof MV;
}

// lanesOf is the one way to a multivalue's lanes: it sees leftovers of another group.
export function lanesOf(mv: MV): any[] {
  if (mv.$group !== state.G || state.N === 1) stale();
  return mv.$mv;
}

export function stale(): never {
  const d = new Diverge('a value that an earlier request left behind, outside declared state', null, true);
  state.D ??= d;
  throw state.D;
}

export function diverge(why: string, parts: Int32Array | null = null): never {
  state.D ??= new Diverge(why, parts, false);
  throw state.D;
}

// divergeBy splits the group by a key per lane.
export function divergeBy(why: string, keys: any[]): never {
  const classes = new native.Map<any, number>();
  const parts = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    let c = native.apply(native.mapGet, classes, [keys[i]]);
    if (c === undefined) native.apply(native.mapSet, classes, [keys[i], (c = classes.size)]);
    parts[i] = c;
  }
  diverge(why, parts);
}

export function diverged(): Diverge | null {
  return state.D;
}

export function begin(n: number, group: number): void {
  state.N = n;
  state.G = group;
  state.L = -1;
  state.D = null;
  state.made = 0;
}

export function end(): void {
  state.N = 1;
  state.L = -1;
  state.D = null;
}

export function lane(x: any, i: number): any {
  return typeof x === 'object' && x instanceof MV ? lanesOf(x)[i] : x;
}

export function lanes(x: any): any[] {
  if (isMV(x)) return lanesOf(x);
  const r = new native.Array(state.N);
  for (let i = 0; i < state.N; i++) r[i] = x;
  return r;
}

// own: what x means to the only lane that runs.
export function project(x: any): any {
  return typeof x === 'object' && x instanceof MV ? lanesOf(x)[state.L] : x;
}

// forLanes makes a value out of what f yields for each lane.
export function forLanes(f: (i: number) => any): any {
  if (state.N === 1) return f(0);
  if (state.L >= 0) return f(state.L);
  const r = new native.Array(state.N);
  for (let i = 0; i < state.N; i++) r[i] = f(i);
  return norm(r);
}

function tagOf(x: any): Tag {
  switch (typeof x) {
    case 'string':
      return Tag.String;
    case 'number':
      return Tag.Number;
    case 'boolean':
      return Tag.Boolean;
    case 'object':
      return x === null ? Tag.Primitive : Tag.Object;
    case 'function':
      return Tag.Function;
    default:
      return Tag.Primitive;
  }
}

function commonTag(r: any[]): Tag {
  const t = typeof r[0];
  if (t === 'string' || t === 'number' || t === 'boolean') {
    let i = 1;
    while (i < r.length && typeof r[i] === t) i++;
    if (i === r.length) return tagOf(r[0]);
  }
  let tag = tagOf(r[0]);
  for (let i = 1; i < r.length; i++) {
    const u = tagOf(r[i]);
    if (u === tag) continue;
    if (u > Tag.Primitive || tag > Tag.Primitive) return Tag.Mixed;
    tag = Tag.Primitive;
  }
  return tag;
}

// norm makes a value out of one per lane: the plain one if all are the same.
// Lanes that are multivalues themselves stand for their own lane. own says that
// the objects in it were made for their lanes alone. It takes the array over.
export function norm(r: any[], own = false): any {
  const n = r.length;
  let same = true;
  let a = r[0];
  if (typeof a === 'object' && a instanceof MV) {
    a = r[0] = lanesOf(a)[0];
    own = false;
  }
  for (let i = 1; i < n; i++) {
    let x = r[i];
    if (typeof x === 'object' && x instanceof MV) {
      x = r[i] = lanesOf(x)[i];
      own = false;
    }
    if (same && (x === a ? x === 0 && 1 / x !== 1 / a : x === x || a === a)) same = false;
  }
  return same ? a : new MV(r, commonTag(r), own);
}

// normPlain is norm for results of operators: no lane is a multivalue.
export function normPlain(r: any[]): any {
  const n = r.length;
  const a = r[0];
  for (let i = 1; i < n; i++) {
    const x = r[i];
    if (x === a ? x === 0 && 1 / x !== 1 / a : x === x || a === a) return new MV(r, commonTag(r), false);
  }
  return a;
}

// normStrings is norm where every lane is a string.
export function normStrings(r: string[]): any {
  const n = r.length;
  const a = r[0];
  for (let i = 1; i < n; i++) if (r[i] !== a) return new MV(r, Tag.String, false);
  return a;
}

export function normBooleans(r: boolean[]): any {
  const n = r.length;
  const a = r[0];
  for (let i = 1; i < n; i++) if (r[i] !== a) return new MV(r, Tag.Boolean, false);
  return a;
}

export function anyMV(a: ArrayLike<any>): boolean {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    if (typeof x === 'object' && x instanceof MV) return true;
  }
  return false;
}

// agree: what all lanes hold, which a branch needs.
export function agree(mv: MV, why: string): any {
  const v = lanesOf(mv);
  if (state.L >= 0) return v[state.L];
  for (let i = 1; i < v.length; i++) if (!native.is(v[i], v[0])) divergeBy(why, v);
  return v[0];
}

// Locations in re-execution. Nothing a lane reads comes from another lane or
// group: a read is fed by the log, by the lane's own writes that R-precede it,
// or by the initial version. Each access of a location that other requests can
// see is reported, so that the order phase can place it.
import { Activation, current, precedes } from '../shared/activation';
import { isArrayKind, isKeyed, type Kind, type Splice, Things } from '../shared/tracked';
import { ALL, type Feed, type FeedNode, type Json, primitive, SHAPE } from './feed';
import { diverge, diverged, divergeBy, norm } from './mv';
import { RawMap } from './raw';
import { hint } from './track-hooks';

export const unnumbered = 0x7fffffff;

// Absent is the value of a location that holds nothing.
export const ABSENT = Symbol('absent');

// List is the value of a shape or of an array: its keys or elements.
export type List = readonly any[];

export interface Problem {
  lane: number;
  rule: string;
  msg: string;
  expected?: string;
  found?: string;
  stack?: string;
}

interface OwnWrite {
  act: Activation;
  op: number;
  value: any;
  // write: the logged write that it is, or -1; at: where it is in group.ops, or -1.
  write: number;
  at: number;
}

// Cell is what a lane knows of one location.
interface Cell {
  readonly key: any;
  act: Activation;
  value: any;
  // Oldest first; null: none.
  writes: OwnWrite[] | null;
  // The cell of another of the object's locations, until an index has them.
  readonly next: Cell | null;
}

// Cells are what a lane knows of an object's locations. Most objects have few of them
// that a request looks at, and there are as many lists of cells as lanes and objects:
// an index is only made when it pays.
class Cells {
  private last: Cell | null = null;
  private count = 0;
  private index: Map<any, Cell> | null = null;

  get(key: any): Cell | undefined {
    if (this.index !== null) return this.index.get(key);
    for (let c = this.last; c !== null; c = c.next) if (c.key === key || (key !== key && c.key !== c.key)) return c;
    return undefined;
  }

  add(key: any, act: Activation, value: any, writes: OwnWrite[] | null): void {
    const c = { key, act, value, writes, next: this.index === null ? this.last : null };
    if (this.index !== null) {
      this.index.set(key, c);
      return;
    }
    this.last = c;
    if (++this.count <= mostUnindexed) return;
    this.index = new RawMap();
    for (let x: Cell | null = c; x !== null; x = x.next) this.index.set(x.key, x);
  }
}

const mostUnindexed = 8;

// Tracked describes a tracked object. lane is the one it belongs to, or -1 for
// an object of init or one that the group's program made once for all lanes.
export abstract class Tracked {
  // What the lanes of group number cellsOf know of its locations: of an object that
  // belongs to a lane, that one only.
  private own: Cells | null = null;
  private cells: (Cells | undefined)[] | null = null;
  private cellsOf = 0;

  // num: for init's objects -(k+1) in every lane.
  num = unnumbered;
  private nums: Int32Array | null = null;
  // born: the group in which it became shared. Init's objects are of all groups.
  private readonly born = group.id;
  constructor(
    readonly target: any,
    readonly lane: number,
  ) {}
  numIn(lane: number): number {
    if (this.born !== group.id && this.num >= 0) {
      sharing('an object of the app\'s start became shared in a request, and another request has it, too');
      return unnumbered;
    }
    return this.nums === null ? this.num : this.nums[lane];
  }
  // numbered: the log has a name for it in this lane.
  numbered(lane: number, obj: number): void {
    if (this.lane >= 0) this.num = obj;
    else (this.nums ??= new Int32Array(group.lanes).fill(unnumbered))[lane] = obj;
  }
  cell(lane: number, key: any): Cell | undefined {
    if (this.cellsOf !== group.id) return undefined;
    return (this.lane >= 0 ? this.own : this.cells![lane])?.get(key);
  }
  addCell(lane: number, key: any, value: any, writes: OwnWrite[] | null): void {
    if (this.cellsOf !== group.id) {
      this.cellsOf = group.id;
      this.own = null;
      this.cells = this.lane >= 0 ? null : new Array(group.lanes);
    }
    const cells = this.lane >= 0 ? (this.own ??= new Cells()) : (this.cells![lane] ??= new Cells());
    cells.add(key, current!, value, writes);
  }
  abstract readonly kind: Kind;
  // initial yields the version that the location had when it was published.
  abstract initial(key: any, lane: number): any;
}

export const group = {
  id: 0,
  lanes: 1,
  // open: init is still running alone, on native storage.
  init: true,
  // loading: no request has come yet.
  loading: true,
  // together: all requests run in this engine, on native storage (see together.ts).
  together: false,
  // Whose turn it is then.
  owner: 0,
  explain: false,
  feed: null as Feed | null,
  node: null as FeedNode | null,
  nodes: new RawMap<Activation, FeedNode>(),
  objects: [] as (Map<number, any> | undefined)[],
  ops: [] as number[],
  keys: [] as Json[],
  keyIndex: new RawMap<any, number>(),
  oddKeyIndex: new RawMap<string, number>(),
  problems: [] as Problem[],
  stacks: [] as [number, number, number, number, string][],
};

// nodeAt is what the log holds at an activation's firing, or null.
export function nodeAt(by: Activation | null, op: number, firing: number): FeedNode | null {
  return (by === null ? undefined : group.nodes.get(by))?.child(op, firing) ?? null;
}

export const things = new Things(new RawMap(), new RawMap());

// number is what the advice calls an object, or a thing of init's, in a lane.
export function number(x: any, lane: number): number {
  const r = recOf(x);
  if (r !== undefined) return r.numIn(lane);
  const n = things.of(x);
  return n < 0 ? unnumbered : -(n + 1);
}

export function resetGroup(lanes: number, feed: Feed): void {
  group.id++;
  group.lanes = lanes;
  group.feed = feed;
  group.node = null;
  group.nodes = new RawMap();
  group.objects = new Array(lanes);
  group.ops = [];
  group.keys = [];
  group.keyIndex = new RawMap();
  group.oddKeyIndex = new RawMap();
  group.problems = [];
  group.stacks = [];
  hint.lane = -1;
  hint.op = 0;
}

export function problem(lane: number, rule: string, msg: string, expected?: any, found?: any): void {
  if (group.problems.length >= 100) return;
  group.problems.push({ lane: group.together ? group.owner : lane, rule, msg, expected: show(expected), found: show(found), stack: group.explain ? whereAmI() : undefined });
}

// unsupported: the verifier cannot tell what the program does here. The verdict
// on a request with such a problem is none.
export function unsupported(what: string): void {
  if (diverged() === null) group.problems.unshift({ lane: group.together ? group.owner : 0, rule: 'R-unsupported', msg: what, stack: whereAmI() });
}

// sharing: requests share what a group cannot follow. All of them together may be able to.
export function sharing(what: string): void {
  if (diverged() === null) group.problems.unshift({ lane: 0, rule: 'R-shared', msg: what, stack: whereAmI() });
}

function show(v: any): string | undefined {
  if (v === undefined) return undefined;
  if (v === ABSENT) return 'nothing';
  if (typeof v === 'string') return JSON.stringify(v);
  try {
    return typeof v === 'object' && v !== null ? JSON.stringify(v) : String(v);
  } catch {
    return 'a value';
  }
}

// nextOp numbers a write. Lanes that write through one multivalue share it.
export function nextOp(): number {
  const c = current;
  if (c === null) return 0;
  if (hint.lane < 0) return ++c.ops;
  if (hint.op === 0) hint.op = ++c.ops;
  return hint.op;
}

// bind makes o the lane's object number obj.
export function bind(lane: number, obj: number, o: any): void {
  (group.objects[lane] ??= new RawMap()).set(obj, o);
}

export function keyName(key: any): string {
  if (key === SHAPE) return 'its keys';
  if (key === ALL) return 'its elements';
  return typeof key === 'string' ? JSON.stringify(key) : String(key);
}

// locationOf finds the number of a location in the log, or -1.
function locationOf(num: number, key: any, lane: number): number {
  return group.feed!.location(num, key, isThing(key) ? number(key, lane) : null);
}

function isThing(x: any): boolean {
  return (typeof x === 'object' && x !== null) || typeof x === 'function' || (typeof x === 'symbol' && x !== SHAPE && x !== ALL && x !== ABSENT);
}

let recOf: (o: any) => Tracked | undefined = () => undefined;
export function setRecOf(f: (o: any) => Tracked | undefined): void {
  recOf = f;
}

const noWrites: OwnWrite[] = [];

// latestOwn: the unique R-maximal write among the lane's own that R-precede c.
function latestOwn(cell: Cell, c: Activation, lane: number): OwnWrite | null {
  let best: OwnWrite | null = null;
  let unique = true;
  for (const w of cell.writes ?? noWrites) {
    if (!precedes(w.act, c)) continue;
    if (best === null || precedes(best.act, w.act)) {
      best = w;
    } else unique = false;
  }
  if (best !== null && !unique) {
    // Some write may dominate all others although they were met out of order.
    const b = best;
    if (cell.writes!.some((w) => precedes(w.act, c) && !precedes(w.act, b.act))) {
      problem(lane, 'R-unlogged', 'an unlogged access has several latest writes before it');
    }
  }
  return best;
}

// report adds an access to what the order phase gets.
function report(lane: number, c: Activation, kind: number, num: number, key: any, op: number, srcKind: number, srcA: number, srcB: number, write: number): void {
  group.ops.push(lane, c.index, kind, num, keyNumber(key, lane), op, srcKind, srcA, srcB, write);
  if (group.explain) group.stacks.push([lane, c.index, op, kind, whereAmI()]);
}

// amend makes of a reported write a later one of the same turn.
function amend(at: number, lane: number, c: Activation, op: number, write: number): void {
  group.ops[at + 5] = op;
  group.ops[at + 9] = write;
  if (group.explain) group.stacks.push([lane, c.index, op, 1, whereAmI()]);
}

function keyNumber(key: any, lane: number): number {
  let json: Json = key;
  if (typeof key !== 'string') json = keyJson(key, lane);
  // A string may read like the text of another key.
  const plain = typeof key === 'string' || key === SHAPE || key === ALL;
  const known = plain ? group.keyIndex : group.oddKeyIndex;
  const index = plain ? key : JSON.stringify(json);
  let n = known.get(index);
  if (n === undefined) {
    n = group.keys.length;
    group.keys.push(json);
    known.set(index, n);
  }
  return n;
}

function keyJson(key: any, lane: number): Json {
  if (key === SHAPE) return ['shape'];
  if (key === ALL) return ['all'];
  switch (typeof key) {
    case 'undefined':
      return ['#', ['u']];
    case 'bigint':
      return ['#', ['b', String(key)]];
    case 'number':
      // To collections, -0 is 0.
      return ['#', Number.isFinite(key) ? key + 0 : ['n', String(key)]];
  }
  if (!isThing(key)) return ['#', key];
  const num = number(key, lane);
  if (num === unnumbered) sharing('an object that is not part of it is a key of shared state');
  return ['#', ['r', num === unnumbered ? -1 : num]];
}

// readLoc yields the value that lane's program reads at (rec, key) now.
export function readLoc(rec: Tracked, key: any, lane: number): any {
  const c = current!;
  let cell = rec.cell(lane, key);
  if (cell !== undefined && cell.act === c) return cell.value;
  const num = rec.numIn(lane);
  let value: any;
  let srcKind = 0;
  let srcA = 0;
  let srcB = 0;
  const w = num === unnumbered ? -1 : takeRead(lane, num, key);
  if (w >= 0) {
    value = materialise(group.feed!.writes[w][2], lane);
    srcKind = 1;
    srcA = w;
  } else {
    const own = cell === undefined ? null : latestOwn(cell, c, lane);
    if (own !== null) {
      value = own.value;
      srcKind = 2;
      srcA = own.act.index;
      srcB = own.op;
    } else value = rec.initial(key, lane);
  }
  if (num !== unnumbered) {
    // An operation of all lanes takes its number when the first lane writes: what
    // the others read before their write still precedes it.
    const op = hint.lane >= 0 && hint.op !== 0 ? hint.op - 1 : c.ops;
    report(lane, c, 0, num, key, op, srcKind, srcA, srcB, -1);
  }
  if (cell === undefined) rec.addCell(lane, key, value, null);
  else {
    cell.act = c;
    cell.value = value;
  }
  return value;
}

// writeLoc performs a write and yields what it overwrote. value may be a
// function of that (a list that the write changes).
export function writeLoc(rec: Tracked, key: any, lane: number, op: number, value: any, delta: Delta | null): any {
  const c = current!;
  let cell = rec.cell(lane, key);
  const num = rec.numIn(lane);
  const feed = group.feed!;
  const w = num === unnumbered ? -1 : takeWrite(lane, num, key, op);
  let srcKind = 0;
  let srcA = 0;
  let srcB = 0;
  let before: any;
  const prev = w >= 0 ? feed.writes[w][1] : -1;
  if (prev >= 0) {
    srcKind = 1;
    srcA = prev;
    before = delta === null ? presence(feed.writes[prev][2]) : new LoggedList(prev, lane);
  } else {
    const own = cell === undefined ? null : latestOwn(cell, c, lane);
    if (own !== null) {
      before = own.value;
      srcKind = 2;
      srcA = own.act.index;
      srcB = own.op;
    } else before = rec.initial(key, lane);
  }
  // Nobody else can see what the same turn has overwritten since: of its writes only
  // the last one counts, and those that are logged.
  const last = prev >= 0 || cell === undefined || cell.writes === null ? undefined : cell.writes[cell.writes.length - 1];
  const again = last !== undefined && last.act === c && last.write < 0;
  const after = delta === null ? value : again && before instanceof ChangedList ? before.and(delta) : new ChangedList(before, delta);
  if (w >= 0 && !matches(feed.writes[w], after, delta, prev, lane, rec.kind)) {
    problem(lane, 'R-value', `the value written to ${keyName(key)} is not the logged one`, feed.writes[w][2], listOf(after));
  }
  if (w >= 0 && after instanceof ChangedList) after.write = w;
  if (again) {
    if (last.at >= 0) amend(last.at, lane, c, op, w);
    last.op = op;
    last.value = after;
    last.write = w;
    cell!.act = c;
    cell!.value = after;
    return before;
  }
  const at = num === unnumbered ? -1 : group.ops.length;
  if (at >= 0) report(lane, c, 1, num, key, op, srcKind, srcA, srcB, w);
  const own = { act: c, op, value: after, write: w, at };
  if (cell === undefined) rec.addCell(lane, key, after, [own]);
  else {
    cell.act = c;
    cell.value = after;
    if (cell.writes === null) cell.writes = [own];
    else cell.writes.push(own);
  }
  return before;
}

// A job leaves out lists and objects that are only built upon, or far away from what its
// requests read. wantMore asks for the job with all of them (see verifier/reexec/job.go).
export function wantMore(): never {
  diverge('the job leaves out what is needed');
}

const untold = (v: Json): boolean => Array.isArray(v) && v[0] === 'N';

// presence: of an overwritten value only matters whether there was one.
function presence(v: Json): any {
  return Array.isArray(v) && v[0] === 'z' ? ABSENT : undefined;
}

// ---- lists: what arrays and shapes hold, kept as changes until someone looks

export type Delta = Splice | { add: any } | { remove: any } | { list: List };

// Counted is a list of which the job tells the length. What else it tells takes time to work out.
class Counted {
  constructor(
    readonly length: number,
    private readonly v: Json,
    private readonly lane: number,
  ) {}
  get(): List {
    return (absolute(this.v, this.lane) ?? []).map((x: Json) => materialise(x, this.lane));
  }
}

class LoggedList {
  private list: List | null = null;
  constructor(
    readonly write: number,
    private readonly lane: number,
  ) {}
  get(): List {
    return (this.list ??= listOf(materialise(group.feed!.writes[this.write][2], this.lane)));
  }
  length(): number {
    return this.list === null ? lengthOf(materialise(group.feed!.writes[this.write][2], this.lane)) : this.list.length;
  }
}

class ChangedList {
  private list: List | null = null;
  // How many of the changes are in list.
  private done = 0;
  readonly deltas: Delta[];
  // write: the logged write that it is, or -1.
  write = -1;
  constructor(
    readonly before: any,
    delta: Delta,
  ) {
    this.deltas = [delta];
  }
  // and takes one more change.
  and(d: Delta): this {
    this.deltas.push(d);
    return this;
  }
  get(): List {
    // Without recursion: a request may have changed it in very many turns.
    const chain: ChangedList[] = [];
    let x: any = this;
    for (; x instanceof ChangedList && x.list === null; x = x.before) chain.push(x);
    let l: List = x instanceof ChangedList ? x.current() : listOf(x);
    while (chain.length > 0) {
      const y = chain.pop()!;
      y.list = l;
      l = y.current();
    }
    return l;
  }
  length(): number {
    const chain: ChangedList[] = [];
    let x: any = this;
    for (; x instanceof ChangedList && x.list === null; x = x.before) chain.push(x);
    let n = x instanceof ChangedList ? x.current().length : lengthOf(x);
    while (chain.length > 0) for (const d of chain.pop()!.deltas) n = lengthAfter(n, d);
    return n;
  }
  private current(): List {
    if (this.done < this.deltas.length) this.list = apply(this.list!, this.deltas, this.done);
    this.done = this.deltas.length;
    return this.list!;
  }
}

// lengthAfter: keys are added where they were absent, and removed where they were there.
function lengthAfter(n: number, d: Delta): number {
  if ('list' in d) return d.list.length;
  if ('add' in d) return n + 1;
  if ('remove' in d) return n - 1;
  const start = Math.min(d.start, n);
  return n - Math.min(d.del, n - start) + d.items.length;
}

// lengthOf is the length of a list, which may be untold.
export function lengthOf(v: any): number {
  return v instanceof ChangedList || v instanceof LoggedList ? v.length() : v.length;
}

export function listOf(v: any): any {
  if (v instanceof Counted) return v.get();
  if (v instanceof ChangedList) return v.get();
  if (v instanceof LoggedList) return v.get();
  return v;
}

// apply makes a new list by the changes from number `from` on.
function apply(l: List, deltas: Delta[], from: number): List {
  const keys = new RawMap<any, boolean>();
  if (deltas.slice(from).every((d) => 'add' in d || 'remove' in d)) {
    for (const k of l) keys.set(k, true);
    for (let i = from; i < deltas.length; i++) {
      const d = deltas[i] as any;
      if ('add' in d) keys.set(d.add, true);
      else keys.delete(d.remove);
    }
    return [...keys.keys()];
  }
  for (let i = from; i < deltas.length; i++) l = applyOne(l, deltas[i]);
  return l;
}

function applyOne(l: List, d: Delta): List {
  if ('list' in d) return d.list;
  if ('add' in d) return [...l, d.add];
  if ('remove' in d) return l.filter((x) => !Object.is(x, d.remove));
  return [...l.slice(0, d.start), ...d.items, ...l.slice(d.start + d.del)];
}

export const hasProperties = (kind: Kind): boolean => !isKeyed(kind) && !isArrayKind(kind);

// enumerated puts the names of properties in the order in which the language lists them:
// what reads like an array's index comes first.
export function enumerated<X extends List | Json[]>(names: X): X {
  const isIndex = (k: any): boolean => typeof k === 'string' && String((k as any) >>> 0) === k && k !== '4294967295';
  if (!names.some(isIndex)) return names;
  return [...names.filter(isIndex).sort((a: any, b: any) => a - b), ...names.filter((k: any) => !isIndex(k))] as any;
}

function matches(logged: [number, number, Json], after: any, delta: Delta | null, prev: number, lane: number, kind: Kind): boolean {
  const v = logged[2];
  if (delta === null) return equals(v, after, lane);
  if (!Array.isArray(v)) return false;
  if (v[0] === 'D' && v[1] === prev && v[2].length === 1 && sameDelta(v[2][0], delta, lane)) return true;
  if (v[0] === 'D' && changedBy(after, v[1], v[2], lane)) return true;
  let list = absolute(v, lane);
  let mine = listOf(after);
  if (list !== null && hasProperties(kind)) [list, mine] = [enumerated(list), enumerated(mine)];
  return list !== null && list.length === mine.length && list.every((x: Json, i: number) => equalElements(x, mine[i], lane));
}

// changedBy tells whether list is what the write numbered base left and ops then changed.
function changedBy(list: any, base: number, ops: Json[], lane: number): boolean {
  let n = ops.length;
  for (let x = list; ; x = x.before) {
    if ((x instanceof ChangedList || x instanceof LoggedList) && x.write === base) return n === 0;
    if (!(x instanceof ChangedList)) return false;
    for (let i = x.deltas.length - 1; i >= 0; i--) if (n === 0 || !sameDelta(ops[--n], x.deltas[i], lane)) return false;
  }
}

function sameDelta(j: Json, d: Delta, lane: number): boolean {
  if ('add' in d) return j[0] === 'add' && equals(j[1], d.add, lane);
  if ('remove' in d) return j[0] === 'remove' && equals(j[1], d.remove, lane);
  if ('list' in d) return j[0] === 'clear' && d.list.length === 0;
  return j[0] === 'splice' && j[1] === d.start && j[2] === d.del && j[3].length === d.items.length && j[3].every((x: Json, i: number) => equalElements(x, d.items[i], lane));
}

// absolute expands a logged list, whose values stay coded.
function absolute(v: Json, lane: number): Json[] | null {
  if (untold(v)) wantMore();
  if (v[0] === 'A') return v[1];
  if (v[0] !== 'D') return null;
  const base = absolute(group.feed!.writes[v[1]][2], lane);
  if (base === null) return null;
  const keyed = v[2].length > 1 && v[2].every((d: Json) => d[0] === 'add' || d[0] === 'remove');
  if (keyed) {
    const keys = new RawMap<any, Json>();
    for (const x of base) keys.set(JSON.stringify(x), x);
    for (const [kind, x] of v[2]) {
      if (kind === 'add') keys.set(JSON.stringify(x), x);
      else keys.delete(JSON.stringify(x));
    }
    return [...keys.values()];
  }
  let l: Json[] = base;
  for (const d of v[2]) {
    if (d[0] === 'clear') l = [];
    else if (d[0] === 'add') l = [...l, d[1]];
    else if (d[0] === 'remove') l = l.filter((x) => JSON.stringify(x) !== JSON.stringify(d[1]));
    else l = [...l.slice(0, d[1]), ...d[3], ...l.slice(d[1] + d[2])];
  }
  return l;
}

// ---- matching of entries

function takeRead(lane: number, num: number, key: any): number {
  const list = group.node === null || group.node.reads === null ? undefined : group.node.reads[lane];
  if (list === undefined) return -1;
  const feed = group.feed!;
  const loc = locationOf(num, key, lane);
  if (loc < 0) return -1;
  for (let i = 0; i < list.length; i++) {
    const w = list[i];
    if (w < 0 || feed.writes[w][0] !== loc) continue;
    list[i] = -1 - w;
    feed.left--;
    return w;
  }
  return -1;
}

function takeWrite(lane: number, num: number, key: any, op: number): number {
  const list = group.node === null || group.node.writes === null ? undefined : group.node.writes[lane];
  if (list === undefined) return -1;
  const feed = group.feed!;
  const loc = locationOf(num, key, lane);
  if (loc < 0) return -1;
  for (let i = 0; i < list.length; i += 2) {
    const w = list[i + 1];
    if (w < 0 || list[i] !== op || feed.writes[w][0] !== loc) continue;
    list[i + 1] = -1 - w;
    feed.left--;
    return w;
  }
  return -1;
}

export function takeObject(lane: number, op: number, index: number): number {
  const list = group.node === null || group.node.objects === null ? undefined : group.node.objects[lane];
  if (list === undefined) return -1;
  for (let i = 0; i < list.length; i += 3) {
    if (list[i] !== op || list[i + 1] !== index) continue;
    const o = list[i + 2];
    if (o < 0) continue;
    list[i + 2] = -1 - o;
    group.feed!.left--;
    return o;
  }
  return -1;
}

// takeResult feeds a recorded result to every lane.
export function takeResult(type: string, check: (v: any) => string | null): any {
  // The server has no activation either to record it in: nobody is to blame.
  if (current === null) unsupported(`${type}, in a callback whose origin the verifier does not know`);
  const n = group.node;
  const out = new Array(group.lanes);
  for (let lane = 0; lane < group.lanes; lane++) {
    const list = n === null || n.results === null ? undefined : n.results[lane];
    const at = n === null || n.resultAt === null ? 0 : n.resultAt[lane]++;
    if (list === undefined || at >= list.length) {
      problem(lane, 'R-nondet', `no recorded result for ${type}`);
      out[lane] = undefined;
      continue;
    }
    group.feed!.left--;
    const [t, v] = list[at];
    const value = t === type ? materialise(v, lane) : undefined;
    const wrong = t !== type ? `the record is of type ${t}` : check(value);
    if (wrong !== null) problem(lane, 'R-nondet', `the recorded result for ${type} is impossible: ${wrong}`, undefined, v);
    out[lane] = value;
  }
  return norm(out);
}

// nextIs tells whether the next recorded result is of this type, in all lanes.
export function nextIs(type: string): boolean {
  const n = group.node;
  const is = Array.from({ length: group.lanes }, (_, lane) => n?.results?.[lane]?.[n.resultAt![lane]]?.[0] === type);
  if (is.includes(!is[0])) divergeBy('a recorded result in some lanes only', is);
  return is[0];
}

// takeStack yields the recorded text of a stack trace whose first line is header.
export function takeStack(header: string, lane: number): string {
  const list = group.feed!.stacks[lane];
  const i = list === undefined ? -1 : list.findIndex((s) => s === header || s.startsWith(header + '\n'));
  if (i < 0) {
    problem(lane, 'R-nondet', 'no recorded stack trace begins as the error does', header);
    return header;
  }
  return list!.splice(i, 1)[0];
}

// explaining is set while the runtime itself wants to know where it is.
export const stacks = { explaining: false };

export function whereAmI(): string {
  stacks.explaining = true;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const s = String(new Error().stack);
  Error.stackTraceLimit = limit;
  stacks.explaining = false;
  return s;
}

// ---- values

// Later is an object of another request's that nobody has asked for yet.
export class Later {
  constructor(private readonly obj: number) {}
  get(lane: number): any {
    return materialise(['r', this.obj], lane);
  }
}

// materialiseLater is materialise, but for such objects.
export function materialiseLater(v: Json, lane: number): any {
  return Array.isArray(v) && v[0] === 'r' && v[1] >= 0 && group.objects[lane]?.get(v[1]) === undefined ? new Later(v[1]) : materialise(v, lane);
}

let makeView: (obj: number, lane: number) => any;
export function setMakeView(f: (obj: number, lane: number) => any): void {
  makeView = f;
}

export function materialise(v: Json, lane: number): any {
  if (!Array.isArray(v)) return v;
  switch (v[0]) {
    case 'N':
      return new Counted(v[1], v, lane);
    case 'z':
    case 'h':
      return ABSENT;
    case 'r': {
      const obj: number = v[1];
      if (obj < 0) {
        const o = things.at(-obj - 1);
        if (o === undefined) problem(lane, 'R-object', 'the log names something that init never made');
        return o;
      }
      const known = group.objects[lane]?.get(obj);
      return known === undefined ? makeView(obj, lane) : known;
    }
    case 'd':
      return new Date(time(v[1]));
    case 'x': {
      const re = new RegExp(v[1], v[2]);
      re.lastIndex = v[3] ?? 0;
      return re;
    }
    case 'A':
      return v[1].map((x: Json) => materialise(x, lane));
    case 'D':
      if (v.length > 3) return new Counted(v[3], v, lane);
      return (absolute(v, lane) ?? []).map((x: Json) => materialise(x, lane));
  }
  if (v[0] === 'e' || v[0] === 'f' || v[0] === 'y') {
    problem(lane, 'R-value', 'the log holds a value of a kind that shared state never does');
    return undefined;
  }
  return primitive(v);
}

// time is that of a logged Date; an invalid one has none.
function time(v: Json): number {
  return v === null ? NaN : primitive(v);
}

// equalElements is equals for elements of lists, which may be holes.
export function equalElements(v: Json, value: any, lane: number): boolean {
  return Array.isArray(v) && v[0] === 'h' ? value === ABSENT : equals(v, value, lane);
}

// equals: the canonical encoding of value is v.
export function equals(v: Json, value: any, lane: number): boolean {
  if (!Array.isArray(v)) return Object.is(v, value);
  switch (v[0]) {
    case 'z':
      return value === ABSENT;
    case 'r':
      return isThing(value) && number(value, lane) === v[1];
    case 'd':
      return value instanceof Date && Object.is(value.getTime(), time(v[1]));
    case 'x':
      return value instanceof RegExp && value.source === v[1] && value.flags === v[2] && value.lastIndex === (v[3] ?? 0);
    case 'A':
    case 'D': {
      const l = absolute(v, lane);
      return Array.isArray(value) && l !== null && l.length === value.length && l.every((x, i) => equalElements(x, value[i], lane));
    }
    case 'e':
    case 'f':
    case 'h':
    case 'y':
      return false;
  }
  return Object.is(primitive(v), value);
}

// peek yields what an access of (rec, key) would find, without being one: some
// operations are reads or writes depending on whether the key is there.
export function peek(rec: Tracked, key: any, lane: number): any {
  const c = current!;
  const cell = rec.cell(lane, key);
  if (cell !== undefined && cell.act === c) return cell.value;
  const num = rec.numIn(lane);
  const feed = group.feed!;
  const n = group.node;
  if (num !== unnumbered && n !== null) {
    const loc = locationOf(num, key, lane);
    const is = (w: number) => w >= 0 && feed.writes[w][0] === loc;
    for (const w of n.reads?.[lane] ?? []) if (is(w)) return presence(feed.writes[w][2]);
    const list = n.writes?.[lane] ?? [];
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== c.ops + 1 || !is(list[i + 1])) continue;
      const prev = feed.writes[list[i + 1]][1];
      if (prev >= 0) return presence(feed.writes[prev][2]);
    }
  }
  const own = cell === undefined ? null : latestOwn(cell, c, lane);
  return own !== null ? own.value : rec.initial(key, lane);
}

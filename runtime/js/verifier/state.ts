// Locations in re-execution. Nothing a lane reads comes from another lane or
// group: a read is fed by the log, by the lane's own writes that R-precede it,
// or by the initial version. Each access of a location that other requests can
// see is reported, so that the order phase can place it.
import { type Activation, current, precedes } from '../shared/activation';
import { isKeyed, type Kind } from '../shared/tracked';
import { takeRead, takeWrite } from './entries';
import { ALL, type Json, SHAPE } from './feed';
import { ABSENT, group, isThing, keyName, locationOf, number, problem, sharing, unnumbered, whereAmI } from './group';
import { ChangedList, type Delta, listOf, LoggedList, matches, presence, written, wrote } from './logged';
import { RawMap } from './raw';
import { hint } from './track-hooks';

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
  // had tells whether the key was there when it was published.
  abstract had(key: any): boolean;
  // initial yields the version that the location had when it was published.
  abstract initial(key: any, lane: number): any;
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
  if (group.explain) group.stacks.push([lane, c.index, op, Math.min(kind, 1), whereAmI()]);
}

// amend makes of a reported write a later one of the same turn.
function amend(at: number, lane: number, c: Activation, op: number, write: number, after: any): void {
  group.ops[at + 2] = after === ABSENT ? 2 : 1;
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

// isAbsence: w is no write, but stands for the removal that an absent key had last.
function isAbsence(w: number): boolean {
  return group.feed!.writes[w][3] === 1;
}

// neverHad: of a key that its object had from the start, there is always a write to name.
function neverHad(rec: Tracked, key: any, lane: number): void {
  if (rec.had(key)) problem(lane, 'R-value', `the log does not say what removed ${keyName(key)}, which was there from the start`);
}

// hasShape: the write that makes or removes key changes the shape, too. (What a weak
// collection holds about an object does not.)
function hasShape(kind: Kind, key: any): boolean {
  return isKeyed(kind) || typeof key !== 'object';
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
    value = written(w, lane);
    srcKind = 1;
    srcA = w;
    if (isAbsence(w)) neverHad(rec, key, lane);
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
    if (isAbsence(prev)) neverHad(rec, key, lane);
    before = delta === null ? presence(feed.writes[prev][2]) : new LoggedList(prev, lane);
  } else {
    const own = cell === undefined ? null : latestOwn(cell, c, lane);
    if (own !== null) {
      before = own.value;
      srcKind = 2;
      srcA = own.act.index;
      srcB = own.op;
    } else before = rec.initial(key, lane);
    // The server need not have known what removed the key last.
    if (before === ABSENT && delta === null && hasShape(rec.kind, key) && !rec.had(key)) srcKind = 3;
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
  if (w >= 0) wrote(w, lane, after);
  if (again) {
    if (last.at >= 0) amend(last.at, lane, c, op, w, after);
    last.op = op;
    last.value = after;
    last.write = w;
    cell!.act = c;
    cell!.value = after;
    return before;
  }
  const at = num === unnumbered ? -1 : group.ops.length;
  if (at >= 0) report(lane, c, after === ABSENT ? 2 : 1, num, key, op, srcKind, srcA, srcB, w);
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

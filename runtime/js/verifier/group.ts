// The group that is being re-executed: its lanes, what the log holds for them, and
// what is to be said of them.
import { type Activation, current } from '../shared/activation';
import { Things } from '../shared/tracked';
import { ALL, type Feed, type FeedNode, type Json, SHAPE } from './feed';
import { diverged } from './mv';
import { RawMap, RawWeakMap } from './raw';
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
  nodes: new RawWeakMap<Activation, FeedNode>(),
  objects: [] as (Map<number, any> | undefined)[],
  // values are the Dates and regular expressions of logged writes, by lane and number.
  values: [] as (Map<number, any> | undefined)[],
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
  group.nodes = new RawWeakMap();
  group.objects = new Array(lanes);
  group.values = new Array(lanes);
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
export function locationOf(num: number, key: any, lane: number): number {
  return group.feed!.location(num, key, isThing(key) ? number(key, lane) : null);
}

export function isThing(x: any): boolean {
  return (typeof x === 'object' && x !== null) || typeof x === 'function' || (typeof x === 'symbol' && x !== SHAPE && x !== ALL && x !== ABSENT);
}

interface Numbered {
  numIn(lane: number): number;
}

let recOf: (o: any) => Numbered | undefined = () => undefined;
export function setRecOf(f: (o: any) => Numbered | undefined): void {
  recOf = f;
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

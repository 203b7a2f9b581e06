// The server's half of figure 13, per location: which accesses must be logged,
// and how what is logged refers to requests, activations, objects and writes.
import { Activation, current, precedes, Run } from '../shared/activation';
import { type Entry, Schedule } from '../shared/schedule';
import { Kind } from '../shared/tracked';
import { placeOf } from './sources';
import { AdviceWriter, Absent, Delta, type DeltaOp, Hole, type Key, List, Ref, type Val } from './advice';

// ServerRun adds what the advice needs to know of a request.
export class ServerRun extends Run {
  tag = 0;
  // schedule holds the run's timers, if it has any.
  schedule: Schedule<Entry> | null = null;
  // first is the request's own activation.
  first: Activation | null = null;
  // q is the request's number in the advice; init is 0.
  constructor(
    isInit: boolean,
    readonly q: number,
  ) {
    super(isInit);
  }
}

// UpgradedRun is what the program does with a connection that is no longer HTTP: nothing
// of it is recorded, so nothing of it may matter to a request.
export class UpgradedRun extends ServerRun {
  constructor() {
    super(false, 0);
    // It may last, and nobody asks which of its activations precede which.
    Object.defineProperty(this, 'started', { get: () => 0, set() {} });
  }
}

// upgraded: what runs belongs to such a connection.
export function upgraded(): boolean {
  return current !== null && current.run instanceof UpgradedRun;
}

export let writer: AdviceWriter;
export const init = new ServerRun(true, 0);
// initOpen: init still runs alone, so its accesses need no log (they are the
// initial versions that re-executing init yields again).
export let initOpen = true;

export function begin(w: AdviceWriter): void {
  writer = w;
}

export function closeInit(): void {
  initOpen = false;
}

export function runOf(a: Activation): ServerRun {
  return a.run as ServerRun;
}

// logged returns the number of an activation in the advice, defining it (and
// the registrants that its name consists of) when it is first needed.
export function logged(a: Activation): number {
  // A request that awaits in a loop has as many registrants as the loop has turns.
  const unnamed: Activation[] = [];
  let at: Activation | null = a;
  for (; at !== null && at.run === a.run && at.logged < 0; at = at.registrant) unnamed.push(at);
  while (unnamed.length > 0) {
    const next = unnamed.pop()!;
    const by = next.registrant;
    next.logged = by === null || by.run !== next.run ? 0 : writer.activation(runOf(next).q, by.logged, next.op, next.firing);
  }
  return a.logged;
}

const saidReasons = new Set<string>();

// unauditable records that the current request cannot be audited, and says so
// once per place on stderr.
export function unauditable(reason: string): void {
  const where = guestPosition();
  writer.unauditable(current === null ? 0 : runOf(current).q, reason, where, false);
  say('not auditable: ', reason, where);
}

// together: shared state held what cannot be logged. So the verifier has to run all
// requests of this life together, in the order of their turns, and needs no logs.
export let together = false;
// ended: the process is about to end, and nothing that it still does can be seen.
export let ended = false;
let reasons = 0;

// unloggable says why the verifier has to do so; stack, if given, where.
export function unloggable(reason: string, stack?: string): void {
  together = true;
  tell();
  if (reasons++ >= mostReasons) return;
  const where = guestPosition(stack);
  if (say('slow to audit: ', reason, where)) writer.unauditable(current === null ? 0 : runOf(current).q, reason, where, true);
}

// What background work of init's does while no request is under way nobody can notice unless a
// request's code runs after it. Until then it is neither told nor held against groups, so that
// a server which clears up before it ends can be audited in groups.
interface Unnoticed {
  // Activations that the event loop ran.
  turns: Activation[];
  // What groups cannot follow of what they did, if anything.
  why: { reason: string; stack: string } | null;
  records: (() => void)[];
}

let unnoticed: Unnoticed | null = null;
const mostUnnoticed = 10000;

// underWay tells whether there are requests whose answers are not complete (http.ts sets it).
let underWay = (): boolean => false;

export function watchRequests(f: () => boolean): void {
  underWay = f;
}

// entering is to be called before code of a request's runs.
export function entering(): void {
  if (unnoticed === null) return;
  const { why } = unnoticed;
  if (why === null) tell();
  else unloggable(why.reason, why.stack);
}

// tell makes the records of what nobody had noticed.
function tell(): void {
  const records = unnoticed?.records ?? [];
  unnoticed = null;
  for (const note of records) note();
}

// background says what background work does that groups cannot follow; note records
// what joint re-execution needs to know of it.
export function background(reason: string, note?: () => void): void {
  if (!together && (underWay() || !untold())) unloggable(reason);
  if (together) {
    note?.();
    return;
  }
  unnoticed!.why ??= { reason, stack: stackTrace() };
  if (note !== undefined) defer(note);
}

function defer(note: () => void): void {
  if (unnoticed!.records.push(note) >= mostUnnoticed) entering();
}

// untold: nobody is told of a turn that precedes what runs now.
function untold(): boolean {
  const turns = unnoticed?.turns ?? [];
  return current !== null && turns.some((a) => precedes(a, current!));
}

export function end(): void {
  ended = together = true;
}

// Finding out where takes a stack trace.
const mostReasons = 100;

// say tells whether it was the first time.
function say(what: string, reason: string, where: string): boolean {
  const text = reason + (where === '' ? '' : ' (' + where + ')');
  if (saidReasons.has(text)) return false;
  saidReasons.add(text);
  process.stderr.write('karousos: ' + what + text + '\n');
  return true;
}

// turn records that the running activation is what the event loop ran next.
export function turn(): void {
  const a = current!;
  if (upgraded()) return;
  const note = () => writer.turn(runOf(a).q, logged(a));
  if (!a.run.isInit || initOpen || together || underWay()) {
    note();
    return;
  }
  unnoticed ??= { turns: [], why: null, records: [] };
  unnoticed.turns.push(a);
  defer(note);
}

function stackTrace(): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = undefined as any;
  const stack = String(new Error().stack);
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return stack;
}

// guestPosition is the innermost frame of the running code in the owner's
// sources, as file:line:column.
export function guestPosition(stack = stackTrace()): string {
  let fallback = '';
  for (const m of stack.matchAll(/index\.js:(\d+):(\d+)/g)) {
    const place = placeOf(Number(m[1]), Number(m[2]));
    if (place === null) continue;
    const at = `${place.file}:${place.line}:${place.column}`;
    if (!place.file.includes('node_modules')) return at;
    fallback ||= at;
  }
  return fallback;
}

// Rec describes one tracked object.
export abstract class Rec {
  // o: the object's reference in the advice, 2k for init's k-th object, 2n+1
  // for the n-th logged one, -1 while the advice does not know it.
  o = -1;
  // shape is the location of the object's keys, once somebody has written it.
  shape: ListLoc | null = null;
  readonly by: Activation | null = current;
  constructor(
    readonly target: any,
    readonly kind: Kind,
    readonly classId: number,
    readonly op: number,
    readonly index: number,
    // declared: by the owner, not inferred by the build.
    readonly declared: boolean,
  ) {}
  // initial lists what the object held when it was published, with holes for what
  // was overwritten since.
  abstract initial(): [Key, Val][];
  // keys is the present shape.
  abstract keys(): Val;
  size(): number {
    return 0;
  }
}

export const shapeKey: Key = ['shape'];
export const allKey: Key = ['all'];

// Loc is one location that somebody has written since its object was published.
// (Of others there is nothing to know: their value is the initial version.)
export abstract class Loc {
  // writtenBy === null: the last write is still the initial version.
  writtenBy: Activation | null = null;
  op = 0;
  // write: the number under which the last write is logged, or -1.
  write = -1;
  number = -1;
  readIn: Activation | null = null;
  // born: a request made the key that it is of, which may be forgotten when it is gone.
  born = false;
  constructor(readonly rec: Rec) {}
  abstract get key(): Key;
  // present is the location's value as the log holds it.
  abstract present(): Val;
}

// ListLoc is a location whose value is a list.
export abstract class ListLoc extends Loc {
  // The last logged version, and what happened to the list since (null: more
  // than a delta is worth).
  base = -1;
  since: DeltaOp[] | null = null;
  abstract list(): Val;
  // size is the length of the list, or 0 where counting it takes as long as listing it.
  abstract size(): number;
  present(): Val {
    if (this.base >= 0 && this.since !== null && this.since.length > 0) return new Delta(this.base, this.since);
    return this.list();
  }
}

// Shape is the location of an object's keys.
export class Shape extends ListLoc {
  get key(): Key {
    return shapeKey;
  }
  list(): Val {
    return this.rec.keys();
  }
  size(): number {
    return this.rec.size();
  }
}

// A delta is worth it as long as it is shorter than half the list.
const minDelta = 16;

export function locNumber(l: Loc): number {
  if (l.number < 0) l.number = writer.location(objectRef(l.rec), l.key);
  return l.number;
}

export function objectRef(r: Rec): number {
  if (r.o >= 0) return r.o;
  const a = r.by!;
  writer.object(runOf(a).q, logged(a), r.op, r.index, r.kind, r.classId, (o) => {
    r.o = 2 * o + 1;
    return r.initial();
  });
  return r.o;
}

// hole stands for an initial value that was overwritten before anyone asked.
export const hole = new Hole();

// logLate logs the last write of l, if it is not logged yet.
export function logLate(l: Loc): number {
  if (l.write >= 0) return l.write;
  const a = l.writtenBy!;
  const n = locNumber(l);
  l.write = writer.write(runOf(a).q, logged(a), l.op, n, -1, l.present());
  if (l instanceof ListLoc) rebase(l);
  return l.write;
}

function rebase(l: ListLoc): void {
  l.base = l.write;
  l.since = [];
}

// ordered: the last write of l R-precedes the current activation, and the
// verifier will find the same write without being told.
function ordered(l: Loc, c: Activation): boolean {
  const w = l.writtenBy;
  return w === null || w === c || (!c.run.forked && precedes(w, c));
}

// ignoreGarbage has no callback of a finalization registry called, which the language allows:
// when one is called follows from nothing that re-execution could know.
export function ignoreGarbage(): void {
  globalThis.FinalizationRegistry = new Proxy(FinalizationRegistry, {
    construct: (target, args, by) => Reflect.construct(target, typeof args[0] === 'function' ? [() => {}] : args, by),
  });
  Object.defineProperty(FinalizationRegistry.prototype, 'constructor', { value: FinalizationRegistry, writable: true, configurable: true });
}

let looking = false;

// unseen runs f, whose reads nobody can tell.
export function unseen<V>(f: () => V): V {
  const before = looking;
  looking = true;
  try {
    return f();
  } finally {
    looking = before;
  }
}

// live tells whether accesses have to be tracked now.
export function live(): boolean {
  if (initOpen || together || looking) return false;
  const c = current;
  if (c !== null && !c.run.isInit) return !upgraded();
  unattributed(c);
  return false;
}

// read is to be called at each read of l, if accesses are live.
export function read(l: Loc): void {
  const c = current!;
  if (ordered(l, c) || l.readIn === c) return;
  l.readIn = c;
  const w = logLate(l);
  writer.read(runOf(c).q, logged(c), w);
}

// write is to be called at each write of l, before the object changes; encode
// gives the new value as the log holds it.
export function write(l: Loc, op: number, value: any, encode: (v: any) => Val): void {
  const c = current!;
  if (ordered(l, c)) {
    l.write = -1;
  } else {
    const prev = logLate(l);
    l.write = writer.write(runOf(c).q, logged(c), op, locNumber(l), prev, encode(value));
  }
  wrote(l, c, op);
}

// change is to be called at each write of a list that is told as a delta, before
// the object changes.
export function change(l: ListLoc, op: number, delta: DeltaOp): void {
  const c = current!;
  if (ordered(l, c)) {
    l.write = -1;
    if (l.since !== null && l.since.push(delta) > minDelta && l.since.length > l.size() / 2) l.since = null;
  } else {
    const prev = logLate(l);
    l.write = writer.write(runOf(c).q, logged(c), op, locNumber(l), prev, new Delta(prev, [delta]));
    rebase(l);
  }
  wrote(l, c, op);
}

// replace runs f, which gives a list other contents, as a write.
export function replace<X>(l: ListLoc, op: number, f: () => X): X {
  const c = current!;
  if (ordered(l, c)) {
    l.write = -1;
    l.since = null;
    const result = f();
    wrote(l, c, op);
    return result;
  }
  const prev = logLate(l);
  const result = f();
  l.write = writer.write(runOf(c).q, logged(c), op, locNumber(l), prev, l.list());
  rebase(l);
  wrote(l, c, op);
  return result;
}

function wrote(l: Loc, c: Activation, op: number): void {
  l.writtenBy = c;
  l.op = op;
  c.run.noteWriter(c);
}

// changed: a connection that was upgraded changed shared state, which need be said once.
let changed = false;

// nextOp numbers a write of the current activation.
export function nextOp(): number {
  if (!changed && upgraded()) {
    changed = true;
    unauditable('a connection that was upgraded changes shared state');
  }
  return current === null ? 0 : ++current.ops;
}

function unattributed(c: Activation | null): void {
  // Streams call the program's methods and generators in an order that follows from what
  // they are given.
  if (c === null) unloggable('a stream of the program\'s own touches shared state');
  else background('background work that was started at load touches shared state');
}

export { Absent, Delta, List, Ref };
export type { DeltaOp, Key, Val };

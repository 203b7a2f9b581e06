// Runs one job: init, or a group of requests in lockstep. The engine calls
// __start, then __step between microtask checkpoints, then __result.
import { noteStandIns } from '../shared/native-text';
import { Activation, callback, context, current, fire, hooks as activationHooks, ofPlatform, Run, setContext, setCurrent } from '../shared/activation';
import { entries as registrations, on as registerListener, type Platform, platform as gather } from '../shared/emitter';
import { install as installPromises, lettingGo, newPromise, rejections, slotOf, values } from '../shared/promises';
import { mark } from '../shared/of-node';
import { install as installPipes } from '../shared/pipes';
import * as promised from '../shared/timers';
import { T } from '../shared/tracked';
import * as clocks from './clocks';
import { begin as beginContest, foretold, foretoldAt, install as installContests, undecided } from './contest';
import { aBody, Feed, type Json, leaving } from './feed';
import { connections } from './connections';
import { alike, installTimers, nextTick, reset as resetTimers } from './timers';
import { exit, fate, guarded, install as installEnds, listen, reset as resetEnds, said, stackOf, unhandledRejections } from './ends';
import { drained, drainTicks, follow, loop, reset, step } from './loop';
import { constructorOf as asyncConstructorOf } from '../shared/asyncness';
import { constructorOf } from './mv-constructors';
import { showsFunction } from './mv-natives';
import { forgetMatches } from './mv-strings';
import { begin, diverge, diverged, end, isMV, lane as laneOf, norm, proxyParts, state } from './mv';
import { atLoad, atLoadBox, endLoad, inferred, inferredBox } from './inferred';
import { platformGlobals, platformModule } from '../shared/inferred';
import { isArray, RawWeakMap, then } from './raw';
import { begins, known, lazily, lazyBox, look, lookLent, newGroup, remember } from './lasting';
import { Port } from './outside';
import { answer, answers, begin as beginTogether, entered, finish as finishTogether, type Guest, guestOf, missing, next as nextTurn, over } from './together';
import { nextIs, takeResult, takeStack } from './entries';
import { group, nodeAt, problem, resetGroup, sharing, stacks, unsupported } from './group';
import { box, def, defs, loggable } from './track';
import { settleArrays } from './track-arrays';
import { weak } from './track-weak';

interface Exchange {
  body: (() => boolean) | null;
  leave(): boolean;
  fail(error: Error): boolean;
  silent(): boolean;
}

interface Models {
  require(name: string): any;
  dispatch(req: any, done: (res: any) => void, begun: (x: Exchange) => void): void;
  upgrades(): boolean;
  connections: any;
  process: any;
}

const models = (): Models => (globalThis as any).$models;

let job: Json;
let run: Run | null = null;
let parents: number[][] = [];
let responded = -1;
// The last activation that had run when the response left.
let sent = -1;
let answered = 0;
// alone: nothing that the group could share with others has changed.
let alone = true;
// givenUp: the run before this one may have ended in the midst of a turn, and left something.
let givenUp = false;
let program: Function | null = null;

// ---- activations

activationHooks.enter = (a, more) => {
  forgetMatches();
  if (group.together) {
    const g = guestOf(a.run);
    if (g === undefined || diverged() !== null || fate.failure !== null) return false;
    entered(a, g);
    clocks.follows(a, more);
    return true;
  }
  // What an abandoned group left behind never runs.
  if (a.run !== run || diverged() !== null || fate.failure !== null) return false;
  enter(a, nodeAt(a.registrant, a.op, a.firing), more);
  clocks.follows(a, more);
  return true;
};
activationHooks.leave = () => {
  group.node = null;
};
activationHooks.foreignParent = () => {
  if (!group.together) sharing('a promise is shared by several requests');
};

function enter(a: Activation, node: any, more: Activation[] | null): void {
  group.node = node;
  if (node !== null) {
    node.entered = true;
    group.nodes.set(a, node);
  }
  const list = a.registrant === null || a.registrant.run !== a.run ? [] : [a.registrant.index];
  for (const p of more ?? []) if (p.run === a.run && !list.includes(p.index)) list.push(p.index);
  parents[a.index] = list;
}

function turn(a: Activation, node: any, f: () => void): void {
  if (!group.together) enter(a, node, null);
  forgetMatches();
  setCurrent(a);
  try {
    f();
  } finally {
    setCurrent(null);
    setContext(null);
    group.node = null;
  }
}

// ---- the job

const column = (c: Json): any => (typeof c === 'object' && c !== null ? norm(c.c) : c);

function start(text: string): void {
  job = JSON.parse(text);
  if (job.look === true) {
    group.problems = [];
    look(true);
    return;
  }
  if (job.together === true && group.together) return proceed();
  resetEnds();
  responded = sent = -1;
  answered = 0;
  alone = true;
  newGroup();
  parents = [];
  reset();
  beginContest();
  clocks.reset();
  resetTimers();
  resetGroup(job.n, new Feed(job.n, job));
  group.explain = job.explain === true;
  begin(job.n, group.id);
  if (job.together === true) return proceed();
  run = new Run(job.init === true);
  if (givenUp) look(false);
  guarded(() => {
    const first = new Activation(run!, null, 0, 0);
    if (job.init) turn(first, group.feed!.nodes[0], () => runInit(job.env ?? {}));
    else turn(first, group.feed!.nodes[0], dispatch);
  });
  guarded(drainTicks);
}

// proceed goes on with joint re-execution.
function proceed(): void {
  group.problems = [];
  beginTogether(job);
}

// stepTogether runs one turn with its ticks; false when none is left. Like Node's loop, it
// lets the microtasks and the ticks that they add run before the next turn.
function stepTogether(): boolean {
  if (drainTicks() || unhandledRejections() || follow()) return true;
  const more = nextTurn((g, t) => {
    const first = new Activation(g.run, null, 0, 0);
    entered(first, g);
    turn(first, null, () => (g.q === 0 ? runInit(t.env) : arriving(g, t)));
  });
  drainTicks();
  return more;
}

function arriving(g: Guest, t: Json): void {
  const done = (res: any) => {
    if (fate.dead !== null) return;
    answer(g);
    if (g.want !== null) compareWith(g.want, res, g.q);
  };
  arrives(g.feed, t.req, done, t.late === true, g.q);
}

// arrives gives a request to the program where turns run in the server's own order; late: its body
// comes in turns of its own.
function arrives(feed: Feed, req: Json, done: (res: any) => void, late: boolean, q?: number): void {
  const by = current!;
  const left = feed.nodes[0].child(leaving, 0);
  // cut: the rest of its body never came, be it that the client left or that the server ended.
  const cut = left !== null && foretoldAt(left, 'cut', true);
  request(req, done, { late: late || cut, leaves: true, q }, (x) => {
    if (left !== null)
      left.pending = () => {
        fire(by, leaving, 0, null, null, null, () => {}, undefined, []);
        if (!x.leave()) missing();
      };
    const wrong = feed.nodes[0].child(leaving, 1);
    if (wrong !== null)
      wrong.pending = () => {
        let error: any;
        fire(by, leaving, 1, null, null, null, () => (error = socketError()), undefined, []);
        if (!x.fail(error)) missing();
      };
    silences(by, feed, 2, () => {
      if (!x.silent()) missing();
    });
    feed.body = () => {
      if (x.body === null) problem(0, 'R-turn', 'the server says that more of the body of a request came than there is');
      else if (!x.body()) x.body = null;
    };
  });
}

// silences has silent run for each time, counted from firing, that nothing was heard of a request's connection for as long
// as the program said.
function silences(by: Activation, feed: Feed, firing: number, silent: () => void): void {
  const next = feed.nodes[0].child(leaving, firing);
  if (next === null) return;
  next.pending = () => {
    silences(by, feed, firing + 1, silent);
    fire(by, leaving, firing, null, null, null, silent, undefined, []);
  };
}

// socketError is what the server says went wrong with a connection.
function socketError(): Error {
  const told = JSON.parse(recorded('socket'));
  const error: any = new Error(String(told.message));
  for (const k of ['code', 'errno', 'syscall']) if (typeof told[k] === 'string' || typeof told[k] === 'number') error[k] = told[k];
  return error;
}

// environmentOrder is in which order the program saw the environment's variables, if it
// looked at all of them.
function environmentOrder(keys: any): string[] {
  try {
    return typeof keys === 'string' ? (JSON.parse(keys) as any[]).filter((k) => typeof k === 'string') : [];
  } catch {
    return [];
  }
}

// What is recorded of the server's process.
let environment: Json = {};

function runInit(env: Json): void {
  environment = env;
  const p = models().process;
  known(p, 'process');
  begins();
  for (const k of [...environmentOrder(env['=keys']), ...Object.keys(env)])
    if (typeof env[k] === 'string' && k[0] !== '=') Object.defineProperty(p.env, k, { value: env[k], enumerable: true, writable: true, configurable: true });
  // Where the server had the app's folder: any absolute path is as good as another.
  const folder = typeof env['='] === 'string' && env['='][0] === '/' ? env['='] : '/app';
  (globalThis as any).$folder = folder;
  program!.call({}, {}, guestRequire, { exports: {} }, folder + '/../index.js', folder, p, globalThis);
}

function dispatch(): void {
  const { script } = group.feed!;
  if (script === null) request(job.req, compare, {}, () => {});
  else arrives(group.feed!, job.req, compare, script.includes(aBody));
}

function request(q: Json, done: (res: any) => void, how: Json, begun: (x: Exchange) => void): void {
  const headers = q.headers.map(([name, value]: [string, Json]) => [name, column(value)]);
  models().dispatch({ method: column(q.method), url: column(q.url), headers, body: column(q.body), b64: q.b64 === true, chunks: q.chunks ?? null, short: q.short === true, partial: q.partial, ...how }, done, begun);
}

// compare checks a finished response against the trace, lane by lane.
function compare(res: any): void {
  if (responded >= 0) {
    problem(0, 'R-response', 'a second response was sent');
    return;
  }
  responded = current === null ? 0 : current.index;
  sent = run!.started - 1;
  const want = job.expect;
  const n = group.lanes;
  // The client was gone before any of the answer reached it: there is nothing to compare.
  if (want === null) {
    answered = n;
    return;
  }
  compareWith(want, res, -1);
  answered = n;
}

// compareWith compares with what the trace has; owner is the request, or -1 for the group.
function compareWith(want: Json, res: any, owner: number): void {
  const n = group.lanes;
  if (owner >= 0) group.owner = owner;
  const bad = new Uint8Array(n);
  const check = (what: string, expected: Json, found: any) => {
    if (!isMV(found) && (typeof expected !== 'object' || expected === null)) {
      if (expected === found) return;
    }
    for (let i = 0; i < n; i++) {
      const e = typeof expected === 'object' && expected !== null ? expected.c[i] : expected;
      const f = isMV(found) ? laneOf(found, i) : found;
      if (e === f || bad[i] === 1) continue;
      bad[i] = 1;
      problem(i, 'R-response', `the response's ${what} is not what the program answers`, f, e);
    }
  };
  check('status', want.status, res.status);
  check('reason phrase', want.reason, res.reason);
  const names = new Map<string, any[]>();
  for (const [k, v] of res.headers) {
    const name = String(k).toLowerCase();
    const l = names.get(name);
    if (l === undefined) names.set(name, [v]);
    else l.push(v);
  }
  for (const [name, value] of want.headers) check(`header ${name}`, value, names.get(name)?.shift());
  for (const [name, l] of names) for (const v of l) check(`header ${name}`, null, isMV(v) ? v : String(v));
  if ((res.b64 === true) !== (want.b64 === true)) check('body encoding', want.b64 === true, res.b64 === true);
  check('body', want.body, res.body);
  for (let i = 0; i < n; i++) {
    const body = isMV(res.body) ? laneOf(res.body, i) : res.body;
    if (bad[i] === 1 && typeof body === 'string' && showsFunction(body)) unsupported('the text of a function (toString), which is the build’s, in an answer');
  }
}

function resultTogether(): string {
  if (fate.dead !== null && !over(job)) {
    group.owner = fate.dead.owner;
    failed(fate.dead.what + ', which ends the process; but the server says that it went on', fate.dead.stack);
  }
  if (diverged() === null || fate.dead !== null) finishTogether(job.last === true, leftovers);
  const divergence = fate.dead === null ? diverged() : null;
  return JSON.stringify({
    id: job.id,
    ok: divergence === null && group.problems.length === 0,
    diverged: divergence === null ? null : { why: String(divergence.message), parts: null },
    answers,
    upgrades: models().upgrades(),
    problems: group.problems,
  });
}

// failed says that the program failed, which the server's did not.
function failed(what: string, stack: string | undefined): void {
  problem(0, 'R-exception', what);
  const last = group.problems[group.problems.length - 1];
  if (last !== undefined) last.stack = stack;
}

function result(): string {
  if (group.together) return resultTogether();
  if (job.look === true) return JSON.stringify({ id: job.id, ok: group.problems.length === 0, problems: group.problems });
  const divergence = diverged();
  givenUp = divergence !== null || fate.failure !== null || group.problems.length > 0;
  const feed = group.feed!;
  if (divergence === null && fate.failure !== null) failed('the program failed: ' + said(fate.failure.error), stackOf(fate.failure.error));
  if (divergence === null && fate.failure === null) {
    if (!job.init && job.expect !== null && answered === 0) for (let i = 0; i < group.lanes; i++) problem(i, 'R-response', undecided() ? 'the program waits for a competition of promises that nobody won, and never answers this request' : 'the program never answers this request');
    if (feed.left > 0) leftovers(feed);
    if (!job.init) neverFired(feed);
  }
  if (!job.init) lookLent();
  if (job.init) {
    endLoad();
    settleArrays();
    remember();
    group.init = false;
  }
  const out = {
    id: job.id,
    ok: divergence === null && group.problems.length === 0,
    diverged: divergence === null ? null : { why: String(divergence.message), parts: divergence.parts ? Array.from(divergence.parts) : null },
    acts: parents,
    respAct: responded,
    sent,
    clocks: clocks.seen(),
    ops: group.ops,
    keys: group.keys,
    upgrades: models().upgrades(),
    problems: group.problems,
    stacks: group.stacks,
  };
  end();
  run = null;
  return JSON.stringify(out);
}

// leftovers: entries that no operation of the re-execution answers to.
function leftovers(feed: Feed): void {
  for (const n of feed.nodes) {
    for (let i = 0; i < group.lanes; i++) {
      const read = n.reads?.[i]?.find((w) => w >= 0);
      if (read !== undefined) problem(i, 'R-leftover', 'the log holds a read that the program never makes');
      const write = n.writes?.[i]?.find((w, j) => j % 2 === 1 && w >= 0);
      if (write !== undefined) problem(i, 'R-leftover', 'the log holds a write that the program never makes');
      const object = n.objects?.[i]?.find((o, j) => j % 3 === 2 && o >= 0);
      if (object !== undefined) problem(i, 'R-leftover', 'the log holds an object that the program never makes');
      const result = n.results?.[i]?.[n.resultAt?.[i] ?? 0];
      if (result !== undefined) problem(i, 'R-leftover', `the log holds a recorded result (${result[0]}) that the program never asks for`);
    }
  }
}

// neverFired: what is said to have fired, or to have come, must have been something.
function neverFired(feed: Feed): void {
  for (const n of feed.nodes) {
    if (n.fired === null || n.turned) continue;
    for (let i = 0; i < group.lanes; i++) if (n.fired[i] === 1) problem(i, 'R-leftover', 'the advice holds a turn that the program never has');
  }
}

// ---- what the guest sees

// unsigned: nothing that the platform counts or measures is -0.
const unsigned = (v: any): boolean => Number.isFinite(v) && v >= 0 && !Object.is(v, -0);

const checks: Record<string, (v: any) => string | null> = {
  random: (v) => (unsigned(v) && v < 1 ? null : 'not a number in [0, 1)'),
  now: (v) => (Number.isSafeInteger(v) && unsigned(v) && v <= 8.64e15 ? null : 'not a time in ms'),
  perf: (v) => (unsigned(v) ? null : 'not a time in ms'),
  uptime: (v) => (unsigned(v) ? null : 'not a time in s'),
  signature: (v) => (typeof v === 'string' ? null : 'not bytes'),
  number: (v) => (unsigned(v) ? null : 'not a number of the system'),
  // Of what is plain, only text reads so.
  hrtime: (v) => (/^\d{1,15} \d{1,9}$/.test(v) ? null : 'not a time'),
  hrbig: (v) => (typeof v === 'bigint' && v >= 0n && v < 1n << 80n ? null : 'not a time'),
  zlib: (v) => (typeof v === 'string' ? null : 'not compressed bytes'),
  inflate: (v) => (typeof v === 'string' && /^(\d{1,9}(,\d{1,9})*)?$/.test(v) ? null : 'not lengths'),
  socket: (v) => (isObjectText(v) ? null : 'not an error'),
};

// isObjectText: of what is plain, only text reads so.
function isObjectText(text: any): boolean {
  try {
    const v = JSON.parse(text);
    return typeof v === 'object' && v !== null;
  } catch {
    return false;
  }
}

// What the server's process is, which it is for as long as it lives: the advice has it beside the environment.
const facts: Record<string, RegExp> = { __proto__: null as any, pid: /^[1-9]\d{0,9}$/, uid: /^\d{1,10}$/, gid: /^\d{1,10}$/, euid: /^\d{1,10}$/, egid: /^\d{1,10}$/, origin: /^\d{1,13}(\.\d{1,9})?$/ };

function fact(name: string, right: RegExp): number {
  const v = environment['=' + name];
  if (typeof v === 'string' && right.test(v)) return Number(v);
  for (let i = 0; i < group.lanes; i++) problem(i, 'R-nondet', `what the server says of its process (${name}) is impossible, or missing`, undefined, v);
  return 0;
}

function recorded(type: string, check?: (v: any) => string | null): any {
  const right = facts[type];
  if (right !== undefined) return fact(type, right);
  const v = takeResult(type, check ?? checks[type] ?? (() => 'an unknown type'));
  if (current !== null) clocks.read(type, v, current);
  return v;
}

function installClocks(): void {
  const RealDate = Date;
  function GuestDate(this: any, ...args: any[]): any {
    if (new.target === undefined) return perLane(recorded('now'), (t) => new RealDate(t).toString());
    if (args.length === 0) return perLane(recorded('now'), (t) => Reflect.construct(RealDate, [t], new.target));
    if (args.some(isMV)) return norm(Array.from({ length: group.lanes }, (_, i) => Reflect.construct(RealDate, args.map((x) => laneOf(x, i)), new.target)));
    return Reflect.construct(RealDate, args, new.target);
  }
  for (const k of Reflect.ownKeys(RealDate)) Object.defineProperty(GuestDate, k, Object.getOwnPropertyDescriptor(RealDate, k)!);
  Object.defineProperty(GuestDate, 'name', { value: 'Date' });
  Object.defineProperty(GuestDate, 'now', { value: Object.defineProperty(() => recorded('now'), 'name', { value: 'now', configurable: true }), writable: true, configurable: true });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: GuestDate, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: GuestDate, writable: true, configurable: true });
  Math.random = () => recorded('random');
}

const showsCode = Symbol.for('karousos.showsCode'); // which the models mark their errors with

// installStacks: see the server's nondeterminism.ts.
function installStacks(): void {
  (Error as any).prepareStackTrace = (error: any, frames: any[]) => {
    const trace = frames.length === 0 ? '' : '\n    at ' + frames.join('\n    at ');
    if (stacks.explaining) return 'Error' + trace;
    if (group.feed === null || diverged() !== null) return String(error) + trace;
    // Streams read it when they are destroyed by the platform; nobody notes that.
    if (current === null) return String(error);
    const name = error.name;
    const message = error.message;
    // Node.js makes some of its errors where they are not marked.
    const code = error[showsCode] === true ? error.code : undefined;
    const header = (i: number, coded: boolean) => {
      const n = String(laneOf(name, i) ?? 'Error') + (coded ? ` [${laneOf(code, i)}]` : '');
      const m = String(laneOf(message, i) ?? '');
      return m === '' ? n : n === '' ? m : n + ': ' + m;
    };
    return norm(Array.from({ length: group.lanes }, (_, i) => takeStack(header(i, code !== undefined), header(i, false), i)));
  };
}

function perLane(v: any, f: (x: any) => any): any {
  return isMV(v) ? norm(Array.from({ length: group.lanes }, (_, i) => f(laneOf(v, i)))) : f(v);
}

function noteHandled(p: any): void {
  const s = slotOf(p);
  if (s !== null) rejections.handled(s);
}

// modelThen is then as the models call it: on a promise, it registers nothing.
function modelThen(p: any, ...args: any[]): any {
  if (!(p instanceof Promise) || p.then !== Promise.prototype.then) return p.then(...args);
  noteHandled(p);
  return Reflect.apply(then, p, [lettingGo(args[0]), args[1]]);
}

function modelCatch(p: any, f: any): any {
  if (!(p instanceof Promise) || p.catch !== Promise.prototype.catch) return p.catch(f);
  noteHandled(p);
  return Reflect.apply(then, p, [undefined, f]);
}

function guestRequire(name: string): any {
  const bare = name.startsWith('node:') ? name.slice(5) : name;
  const m = models().require(bare);
  if (group.init) known(m, bare);
  platformModule(m);
  return m;
}

let gathered: Platform | null = null;

function platform(): Platform {
  if (gathered === null) {
    const of = models().require;
    const events = of('events');
    const { Readable, Writable } = of('stream');
    const http = of('http');
    gathered = gather([(events.EventEmitter ?? events).prototype, Readable.prototype, Writable.prototype, of('net').Server?.prototype, http.OutgoingMessage?.prototype, http.ServerResponse?.prototype, http.Server?.prototype, http.ClientRequest?.prototype, of('fs').ReadStream?.prototype, of('fs').WriteStream?.prototype, of('process').stdout, of('process').stderr], connections(() => models().connections));
  }
  return gathered;
}

// ctor is x.constructor.
function ctor(x: any): any {
  const c = constructorOf(x.constructor);
  return isMV(x) ? norm(Array.from({ length: group.lanes }, (_, i) => asyncConstructorOf(laneOf(x, i), laneOf(c, i)))) : asyncConstructorOf(x, c);
}

const api = {
  program(f: Function): void {
    program = f;
    noteStandIns();
    platformGlobals();
    const p = models().process;
    p.nextTick = nextTick;
    const { IncomingMessage, OutgoingMessage, Server } = models().require('http');
    const { Socket, Server: NetServer } = models().require('net');
    for (const o of [IncomingMessage.prototype, OutgoingMessage.prototype, Socket.prototype, NetServer.prototype, p]) Object.defineProperty(o, ofPlatform, { value: true });
    for (const c of [IncomingMessage, OutgoingMessage, Socket]) mark(c);
    installPipes(models().require('stream'));
    const listen = Server.prototype.listen;
    Server.prototype.listen = function (...args: any[]) {
      return Reflect.apply(listen, this, args.map((a: any) => callback(a)));
    };
  },
  require: guestRequire,
  on(o: any, method: string, text: string, ...args: any[]): any {
    const signal = current !== null && o === models().process && typeof args[0] === 'string' && args[0].startsWith('SIG') && typeof args[1] === 'function';
    return signal ? listen(o, method, args[0], args[1]) : registerListener(platform(), o, method, text, args);
  },
  ...registrations(platform),
  np: newPromise,
  ctor,
  loggable,
  box,
  inferred,
  inferredBox,
  atLoad,
  atLoadBox: (v: any) => lazyBox(atLoadBox(v)),
  def: (x: any) => (group.loading ? lazily(def(x)) : x),
  defs,
  weak,
  T,
};

export function install(): void {
  const g = globalThis as any;
  installPromises();
  installEnds();
  installContests((from, to) => {
    if (!parents[to.index].includes(from.index)) parents[to.index].push(from.index);
  });
  installTimers(guarded);
  promised.install();
  installClocks();
  installStacks();
  g.$k = api;
  g.$mv = { state, isMV, lane: laneOf, norm, diverge, diverged, isArray, RawWeakMap };
  g.$loop = loop;
  g.$proxy = proxyParts;
  values.proxy = proxyParts;
  values.several = isMV;
  values.alike = alike;
  g.$context = { get: () => context, set: setContext };
  g.$nd = recorded;
  g.$newPromise = newPromise;
  g.$then = modelThen;
  g.$catch = modelCatch;
  g.$port = Port;
  g.$running = () => current !== null;
  g.$operations = () => current?.ops ?? 0;
  g.$recordedNext = nextIs;
  g.$foretold = foretold;
  g.$timers = { setTimeout: promised.setTimeout, setImmediate: promised.setImmediate, setInterval: promised.setInterval, scheduler: promised.scheduler };
  g.$exit = exit;
  g.$impossible = (lane: number, what: string) => problem(lane, 'R-nondet', what);
  g.$unsupported = (what: string) => unsupported(what);
  g.__start = start;
  g.__step = () => {
    if (diverged() !== null || fate.failure !== null || job.look === true) return 0;
    // Whoever's turn is next may be another request's.
    if (!group.together && !group.init && alone && drained()) alone = look(false);
    let more = true;
    guarded(() => {
      more = group.together ? stepTogether() : (drained() && unhandledRejections()) || step();
    });
    return more ? 1 : 0;
  };
  g.__result = result;
}

// Activations: one synchronous turn of the event loop each. Server and verifier
// run this very code, because the audit rests on both naming activations alike
// and agreeing on which precede which.
//
// A name is the path (registrant, registration number, firing number): it does
// not depend on which of several siblings finished first. The precedence A is
// the transitive closure of parents: the registrant, and whoever made the
// activation runnable (the settler of a promise, the event before it on the same
// stream). R-precedence follows from it: see `precedes`.

import { has, type Indexes, only, union } from './indexes';

// Run is what activations belong to: a request, a group of requests that are
// re-executed in lockstep, or init.
export class Run {
  started = 0;
  lastWriter: Activation | null = null;
  // forked: two activations of this run wrote tracked state and neither
  // precedes the other, so "the latest write before me" may not be unique.
  forked = false;
  // turns counts what came from outside this run's own code: timers, immediates
  // and arrivals (see the two builds' outside.ts).
  turns = 0;
  constructor(readonly isInit: boolean) {}

  noteWriter(a: Activation): void {
    const w = this.lastWriter;
    if (w === a) return;
    if (w !== null && !precedes(w, a)) this.forked = true;
    this.lastWriter = a;
  }
}

export class Activation {
  readonly index: number;
  // ops counts this activation's writes and registrations, from 1.
  ops = 0;
  // settles counts the promises that this activation settles, from 1.
  settles = 0;
  // logged is the number under which the advice knows this activation, or -1.
  logged = -1;
  path: number;
  // Ancestors (and itself) as bits by index; `more` holds the ancestors from 31 on.
  private bits: number;
  private more: Indexes | null = null;

  constructor(
    readonly run: Run,
    readonly registrant: Activation | null,
    readonly op: number,
    readonly firing: number,
  ) {
    const i = run.started++;
    this.index = i;
    this.bits = i < 31 ? 1 << i : 0;
    this.path = 17;
    if (registrant !== null) {
      this.path = Math.imul(registrant.path ^ Math.imul(op, 0x9e3779b1) ^ firing, 0x85ebca6b) | 0;
      if (registrant.run === run) this.follows(registrant);
    }
  }

  // follows makes p, and all that precede p, precede this activation.
  follows(p: Activation): void {
    this.bits |= p.bits;
    if (p.more !== null) this.more = this.more === null ? p.more : union(this.more, p.more);
    if (p.index >= 31) this.more = union(this.more, only(p.index));
  }

  hasAncestor(index: number): boolean {
    if (index < 31) return ((this.bits >>> index) & 1) === 1;
    return index === this.index || has(this.more, index);
  }
}

// precedes: a is b or an ancestor of b, in the same run.
export function precedes(a: Activation, b: Activation): boolean {
  return a === b || (a.run === b.run && b.hasAncestor(a.index));
}

export let current: Activation | null = null;

export function setCurrent(a: Activation | null): void {
  current = a;
}

// The context is what AsyncLocalStorage finds: each activation has the one in which
// it was registered. Only the verifier sets it; the server's platform keeps its own.
export let context: any = null;

export function setContext(c: any): void {
  context = c;
}

// Callbacks that the two builds set once, before any guest code runs.
export const hooks = {
  // enter may veto an activation (a group that was abandoned): then it does not run.
  enter: (_a: Activation, _parents: Activation[] | null): boolean => true,
  leave: (_a: Activation): void => {},
  foreignParent: (_a: Activation, _p: Activation): void => {},
};

// fire runs fn as a new activation when the platform calls it, or as an
// ordinary call when guest code does. by handed it to the platform as its
// registration op in the context within, and this is its firing-th call. emitter, if
// given, chains the events of one stream: each has the one before it among its parents.
export function fire(by: Activation, op: number, firing: number, settled: Slot | null, emitter: any, within: any, fn: Function, self: any, args: ArrayLike<any>): any {
  if (current !== null) return Reflect.apply(fn, self, args);
  const a = new Activation(by.run, by, op, firing);
  let parents: Activation[] | null = null;
  if (settled !== null) parents = settlers(settled, parents, 0);
  if (emitter !== null) {
    const before = emitter[lastEvent];
    // A socket may carry several requests; only events of one are a chain.
    if (before !== undefined && before.run === a.run) (parents ??= []).push(before);
    emitter[lastEvent] = a;
  }
  if (parents !== null) {
    for (const p of parents) {
      if (p.run === a.run) a.follows(p);
      else if (!p.run.isInit) hooks.foreignParent(a, p);
    }
  }
  if (!hooks.enter(a, parents)) return undefined;
  current = a;
  context = within;
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    hooks.leave(a);
    current = null;
    context = null;
  }
}

// ofPlatform marks emitters whose events come in a context of the platform's own: what
// a request is made of. Those of the program's streams come in that of whoever uses them.
export const ofPlatform = Symbol.for('karousos.ofPlatform');

const lastEvent = Symbol('karousos.lastEvent');

// callback wraps a function that guest code hands to the platform. timed: it is for a timer or an
// immediate; chain is for what is called in order without being an emitter.
export function callback(fn: any, emitter: any = null, timed = false, chain: any = null): any {
  if (typeof fn !== 'function') return fn;
  const by = current;
  if (by === null) return fn;
  const op = ++by.ops;
  const within = emitter === null || emitter[ofPlatform] !== true ? context : null;
  let firings = 0;
  return function (this: any) {
    if (timed && current === null) by.run.turns++;
    return current === null ? fire(by, op, firings++, null, emitter ?? chain, within, fn, this, arguments) : Reflect.apply(fn, this, arguments);
  };
}

// Slot says who settled a promise: one activation, another promise's settler,
// or all settlers of several promises.
export class Slot {
  by: Activation | null = null;
  adopt: Slot | null = null;
  all: Slot[] | null = null;
  done = false;
  // Who tried to settle it before its winner did (in re-execution).
  losers: Activation[] | null = null;
}

function settlers(s: Slot, into: Activation[] | null, depth: number): Activation[] | null {
  for (let t: Slot | null = s; t !== null && depth < 1000; t = t.adopt, depth++) {
    if (t.by !== null) (into ??= []).push(t.by);
    if (t.all !== null) for (const u of t.all) into = settlers(u, into, depth + 1);
  }
  return into;
}

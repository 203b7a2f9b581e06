// What the program knows as setTimeout and its kin. A timer is an activation after
// a delay of the platform's choosing: how often an interval fires, and whether a
// clearTimeout came too late, is recorded.
import { type Activation, callback, context, current, fire } from '../shared/activation';
import { before, foretold, heralds } from './contest';
import { loop } from './loop';
import { divergeBy, isMV, lane } from './mv';
import { RawMap, then } from './raw';
import { takeResult } from './entries';
import { group, problem } from './group';
import { invalidType } from '../models/internal/errors';
import { follows, orderDecides, type Origin } from './together';

// guarded runs a task and keeps what goes wrong.
let guarded: (f: () => void) => void;

// Timers whose numbers the program knows, by lane.
let numbered: RawMap<number, Timeout>[] = [];

export function reset(): void {
  numbered = [];
}

// number has a timer known by its number in a lane.
function number(t: Timeout, id: any, i: number): void {
  const known = (numbered[i] ??= new RawMap());
  if (known.has(id)) problem(i, 'R-nondet', 'two timers have one number');
  known.set(id, t);
}

// Refable: whether the platform would go on for its sake, which is all the same here.
// But it can be asked for, so it is kept where changes of it are seen.
const refed = Symbol('refed');
class Refable {
  constructor() {
    Object.defineProperty(this, refed, { value: true, writable: true });
  }
  ref(): this {
    (this as any)[refed] = true;
    return this;
  }
  unref(): this {
    (this as any)[refed] = false;
    return this;
  }
  hasRef(): boolean {
    return (this as any)[refed];
  }
}

class Timeout extends Refable {
  _idleTimeout: number;
  #task: object | null = null;
  #start: () => object;
  #id: any = null;
  // fired is the activation that it last fired as; late are those that would have
  // cleared it, but came after it had fired.
  #fired: Activation | null = null;
  #late: Activation[] = [];
  #cleared = false;
  // due: an interval is to fire, cleared or not.
  #due: () => boolean;

  // origin names the activation that it fires as next.
  constructor(ms: any, make: (t: Timeout) => () => void, origin: () => Origin | null, due: () => boolean) {
    super();
    const delay = Number(isMV(ms) ? lane(ms, 0) : ms);
    this._idleTimeout = delay >= 1 && delay <= 2147483647 ? Math.trunc(delay) : 1;
    const task = make(this);
    this.#start = () => loop.timer(this._idleTimeout, () => guarded(task), origin());
    this.#due = due;
    this.#task = this.#start();
  }
  static fires(t: Timeout): void {
    t.#fired = current;
    for (const c of t.#late) before(current!, c);
  }
  static again(t: Timeout): void {
    t.#task = follows() ? (t.#cleared ? null : t.#start()) : t.#due() ? t.#start() : null;
  }
  static clear(t: Timeout): void {
    t.#cleared = true;
    const c = current;
    if (c !== null && t.#fired !== null) before(t.#fired, c);
    if (follows()) {
      // It is known what has fired; the record need not be believed.
      if (c !== null && t.#fired !== null) foretold('late', true);
    } else if (c !== null && (foretold('late', true) || t.#due())) {
      t.#late.push(c);
      return;
    }
    if (t.#task !== null) loop.clear(t.#task);
    t.#task = null;
  }
  refresh(): this {
    if (this.#cleared) return this; // it never fires again
    if (this.#task !== null) loop.clear(this.#task);
    this.#task = this.#start();
    return this;
  }
  close(): this {
    Timeout.clear(this);
    return this;
  }
  // The platform chooses the number.
  [Symbol.toPrimitive](): any {
    if (this.#id === null) {
      this.#id = takeResult('timer', (v) => (Number.isSafeInteger(v) && v > 0 ? null : 'not a number of a timer'));
      for (let i = 0; i < group.lanes; i++) number(this, lane(this.#id, i), i);
    }
    return this.#id;
  }
}

class Immediate extends Refable {
  #task: object;
  // make gives the task that it is to be, which runs with it.
  constructor(make: (i: Immediate) => object) {
    super();
    this.#task = make(this);
  }
  static clear(i: Immediate): void {
    loop.clear(i.#task);
  }
}
for (const c of [Timeout, Immediate] as const) Object.defineProperty(c.prototype, (Symbol as any).dispose, { value(this: any) { (c as any).clear(this); }, writable: true, configurable: true });

for (const [name, c] of [['Timeout', Timeout], ['Immediate', Immediate]] as const) Object.defineProperty(c, 'name', { value: name, configurable: true });

// alike parts the lanes if x differs between them: which kind of thing it is decides what comes next.
export function alike(x: any, what: string): void {
  if (isMV(x)) divergeBy(what, Array.from({ length: group.lanes }, (_, i) => lane(x, i)));
}

function needsFunction(f: any): void {
  alike(f, 'what is to be called');
  if (typeof f !== 'function') throw invalidType('callback', 'of type function', f);
}

const bind = (f: any, args: any[]): any =>
  args.length === 0
    ? f
    : function (this: any) {
        return Reflect.apply(f, this, args);
      };

const once = (): boolean => false;

// inTurn takes the record of a firing that was not the next one by the schedule.
function inTurn(): void {
  const { results, resultAt } = group.node ?? { results: null, resultAt: null };
  if (results === null || resultAt === null) return;
  const there = Array.from({ length: group.lanes }, (_, i) => results[i]?.[resultAt[i]]?.[0] === 'turn');
  for (const x of there) if (x !== there[0]) divergeBy('which timer fired first', there);
  if (there[0]) takeResult('turn', (v) => (Number.isSafeInteger(v) ? null : 'not a number of a turn'));
}

// registered is what the last operation of the running activation made.
function registered(firing: number): Origin | null {
  return current === null ? null : { by: current, op: current.ops, firing };
}

function setTimeout(f: any, ms?: any, ...args: any[]): Timeout {
  needsFunction(f);
  let firings = 0;
  let origin: Origin | null = null;
  return new Timeout(
    ms,
    (t) => {
      const run = callback(function () {
        inTurn();
        Timeout.fires(t);
        return Reflect.apply(f, t, args);
      }, null, true);
      origin = registered(0);
      return () => (firings++, run());
    },
    () => origin && { ...origin, firing: firings },
    once,
  );
}

// setInterval: it fires as often as is recorded.
function setInterval(f: any, ms?: any, ...args: any[]): Timeout {
  needsFunction(f);
  const by = current;
  const op = by === null ? 0 : ++by.ops;
  const within = context;
  const node = by === null ? null : group.nodes.get(by);
  let firing = 0;
  const due = () => by !== null && heralds(node?.child(op, firing), 'tick', true);
  return new Timeout(
    ms,
    (t) => () => {
      if (by === null || !(orderDecides() || due())) return;
      by.run.turns++;
      fire(by, op, firing++, null, t, within, () => (foretold('tick', true), inTurn(), Timeout.fires(t), Reflect.apply(f, t, args)), undefined, []);
      Timeout.again(t);
    },
    () => by && { by, op, firing },
    due,
  );
}

function setImmediate(f: any, ...args: any[]): Immediate {
  needsFunction(f);
  return new Immediate((i) => {
    const run = callback(() => (inTurn(), Reflect.apply(f, i, args)), null, true);
    return loop.immediate(() => guarded(() => run()), registered(0));
  });
}

// timerOf is the timer that is to be cleared in a lane, or null.
function timerOf(t: any, i: number): Timeout | null {
  if (t instanceof Timeout) return t;
  return ((typeof t === 'number' || typeof t === 'string') && numbered[i]?.get(Number(t))) || null;
}

function clear(t: any): void {
  if (t instanceof Timeout) return Timeout.clear(t);
  if (typeof t !== 'object' && typeof t !== 'number' && typeof t !== 'string') return;
  const meant = Array.from({ length: group.lanes }, (_, i) => timerOf(lane(t, i), i));
  for (const m of meant) if (m !== meant[0]) divergeBy('timers that differ by lane', meant.map((x) => x === meant[0]));
  if (meant[0] !== null) Timeout.clear(meant[0]);
}

export function nextTick(f: any, ...args: any[]): void {
  needsFunction(f);
  const run = callback(bind(f, args));
  loop.tick(() => guarded(() => run()));
}

export function installTimers(guard: (f: () => void) => void): void {
  guarded = guard;
  const g: any = globalThis;
  const resolved = Promise.resolve();
  const queueMicrotask = (f: any): void => {
    needsFunction(f);
    const run = callback(f);
    Reflect.apply(then, resolved, [() => guarded(() => run())]);
  };
  const clearTimeout = (t: any): void => clear(t);
  const clearInterval = (t: any): void => clear(t);
  const clearImmediate = (t: any): void => {
    if (t instanceof Immediate) Immediate.clear(t);
  };
  Object.assign(g, { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask });
}

// The event loop of re-execution, in Node's own order: after each macrotask the
// ticks, then (by the engine) the microtasks, first in first out. Timers fire when
// nothing else is left to run (see Schedule), unless the advice knows better.
import { type Entry, Schedule } from '../shared/schedule';
import { divergeBy } from './mv';
import { arrive, resetArrivals } from './outside';
import { aBody } from './feed';
import { group, nodeAt } from './group';
import { follows, type Origin, pend, release, turned } from './together';

type Task = () => void;

interface Timed extends Entry {
  fn: Task;
  // The platform's own entries have none.
  origin: Origin | null;
}

let ticks: Task[] = [];
// What follows when the ticks and microtasks are done, before anything else comes.
let afters: Task[] = [];
let schedule = new Schedule<Timed>();
// How many turns of the server's record have run.
let at = 0;

export const loop = {
  tick(fn: Task): void {
    ticks.push(fn);
  },
  after(fn: Task): void {
    afters.push(fn);
  },
  immediate(fn: Task, origin: Origin | null = null): object {
    if (follows()) return origin === null ? (ticks.push(fn), {}) : pend(origin, fn);
    return schedule.immediate((due, seq) => ({ due, seq, dead: !fires(origin), fn, origin }));
  },
  timer(ms: number, fn: Task, origin: Origin | null = null): object {
    if (follows()) return pend(origin, fn);
    return schedule.timer(ms, (due, seq) => ({ due, seq, dead: !fires(origin), fn, origin }));
  },
  clear(handle: any): void {
    if (handle !== null && typeof handle === 'object') handle.dead = true;
  },
  // now is platform time in ms since start; guest clocks are recorded results.
  now(): number {
    return schedule.clock;
  },
};

// fires tells whether something ever fired, on which lanes must agree: the server says so
// of each timer and immediate, and one that is still pending when it stops never does.
function fires(origin: Origin | null): boolean {
  if (origin === null || group.feed!.untold) return true;
  const fired = nodeAt(origin.by, origin.op, origin.firing)?.fired ?? null;
  if (fired === null) return false;
  if (fired.includes(0)) divergeBy('a timer fired in some lanes only', Array.from(fired));
  return true;
}

// drainTicks runs every tick, also those that ticks add.
// It tells whether there were any.
export function drainTicks(): boolean {
  if (ticks.length === 0) return false;
  for (let i = 0; i < ticks.length; i++) {
    try {
      ticks[i]();
    } catch (e) {
      if (!failed(e)) break;
    }
  }
  ticks = [];
  return true;
}

// failed takes what a tick throws; false if that is the end.
let failed: (e: any) => boolean = () => false;

export function onFailure(f: (e: any) => boolean): void {
  failed = f;
}

// follow runs the first of what follows the ticks, with its own. It tells whether there was anything.
export function follow(): boolean {
  const next = ticks.length === 0 ? afters.shift() : undefined;
  if (next === undefined) return false;
  ticks.push(next);
  return drainTicks();
}

// drained: there are no ticks.
export function drained(): boolean {
  return ticks.length === 0;
}

// foretold is the entry that the advice has fire in this turn or an earlier one,
// on which lanes must agree.
function foretold(): Timed | undefined {
  if (!group.feed?.turns) return undefined;
  let chosen: (Timed | undefined)[] | null = null;
  let turns: number[] = [];
  for (const e of schedule.pending()) {
    if (e.origin === null) continue;
    const { by } = e.origin;
    const results = nodeAt(by, e.origin.op, e.origin.firing)?.results;
    if (!results) continue;
    for (let i = 0; i < group.lanes; i++) {
      const r = results[i]?.find((x: any) => x[0] === 'turn');
      if (r === undefined || typeof r[1] !== 'number' || r[1] > by.run.turns + 1) continue;
      if (chosen === null) {
        chosen = new Array(group.lanes).fill(undefined);
        turns = new Array(group.lanes).fill(Infinity);
      }
      if (r[1] < turns[i]) {
        turns[i] = r[1];
        chosen[i] = e;
      }
    }
  }
  if (chosen === null) return undefined;
  for (const e of chosen) if (e !== chosen[0]) divergeBy('which timer fired first', chosen);
  return chosen[0];
}

// step runs one macrotask; false when nothing is left.
export function step(): boolean {
  if (follow()) return true;
  const script = group.feed?.script ?? null;
  if (ticks.length === 0 && script !== null) {
    // What comes after something impossible says nothing, and may be long.
    if (at === script.length || group.problems.length >= group.lanes) return false;
    const next = script[at++];
    if (next === aBody) group.feed!.body();
    else release(group.feed!.nodes[next]);
  } else if (ticks.length === 0 && !arrive(false)) {
    // Asking for the next begins a phase, as it does on the server.
    const next = schedule.next();
    const e = foretold() ?? next;
    if (e !== undefined) {
      schedule.fire(e);
      if (e.origin !== null) turned(e.origin);
      e.fn();
    } else if (!arrive(true)) return false;
  }
  drainTicks();
  return true;
}

// reset drops whatever an abandoned or finished group left behind.
export function reset(): void {
  ticks = [];
  afters = [];
  at = 0;
  schedule = new Schedule();
  resetArrivals();
}

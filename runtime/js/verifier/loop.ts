// The event loop of re-execution, in Node's own order: after each macrotask the
// ticks, then (by the engine) the microtasks, first in first out. Timers fire when
// nothing else is left to run, all that are due in one go, and then the immediates
// that they asked for.
import { arrive, resetArrivals } from './outside';

type Task = () => void;

interface Entry {
  due: number;
  seq: number;
  fn: Task | null;
}

let ticks: Task[] = [];
let immediates: Entry[] = [];
let timers: Entry[] = [];
// What is left of the phase that the loop is in.
let phase: Entry[] = [];
let clock = 0;
let seq = 0;

export const loop = {
  tick(fn: Task): void {
    ticks.push(fn);
  },
  immediate(fn: Task): object {
    const e = { due: 0, seq: seq++, fn };
    immediates.push(e);
    return e;
  },
  timer(ms: number, fn: Task): object {
    const delay = ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
    const e = { due: clock + delay, seq: seq++, fn };
    timers.push(e);
    return e;
  },
  clear(handle: any): void {
    if (handle !== null && typeof handle === 'object') handle.fn = null;
  },
  // now is platform time in ms since start; guest clocks are recorded results.
  now(): number {
    return clock;
  },
};

// drainTicks runs every tick, also those that ticks add.
export function drainTicks(): void {
  for (let i = 0; i < ticks.length; i++) ticks[i]();
  ticks = [];
}

// enterPhase fills the next phase: immediates, or else the timers that are due next.
function enterPhase(): void {
  if (immediates.length > 0) {
    phase = immediates;
    immediates = [];
    return;
  }
  timers = timers.filter((t) => t.fn !== null);
  if (timers.length === 0) return;
  clock = Math.max(clock, Math.min(...timers.map((t) => t.due)));
  phase = timers.filter((t) => t.due <= clock).sort((a, b) => a.due - b.due || a.seq - b.seq);
  timers = timers.filter((t) => t.due > clock);
}

// step runs one macrotask; false when nothing is left.
export function step(): boolean {
  if (ticks.length === 0 && !arrive(false)) {
    let next: Entry | undefined;
    while ((next = phase.shift()) === undefined || next.fn === null) {
      if (next !== undefined) continue;
      enterPhase();
      if (phase.length > 0) continue;
      if (!arrive(true)) return false;
      drainTicks();
      return true;
    }
    const fn = next.fn;
    next.fn = null;
    fn();
  }
  drainTicks();
  return true;
}

// reset drops whatever an abandoned or finished group left behind.
export function reset(): void {
  ticks = [];
  immediates = [];
  timers = [];
  phase = [];
  resetArrivals();
}

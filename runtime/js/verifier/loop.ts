// The event loop of re-execution, in Node's own order: after each macrotask the
// ticks, then (by the engine) the microtasks, first in first out; timers fire
// when nothing else is left to run.
import { arrive, resetArrivals } from './outside';

type Task = () => void;

interface Timer {
  due: number;
  seq: number;
  fn: Task;
}

let ticks: Task[] = [];
let immediates: Task[] = [];
let timers: Timer[] = [];
let clock = 0;
let seq = 0;

export const loop = {
  tick(fn: Task): void {
    ticks.push(fn);
  },
  immediate(fn: Task): object {
    const handle = { fn };
    immediates.push(() => handle.fn());
    return handle;
  },
  timer(ms: number, fn: Task): object {
    const delay = ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
    const t = { due: clock + delay, seq: seq++, fn };
    timers.push(t);
    return t;
  },
  clear(handle: any): void {
    if (handle === null || typeof handle !== 'object') return;
    handle.fn = () => {};
    timers = timers.filter((t) => t !== handle);
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

// step runs one macrotask; false when nothing is left.
export function step(): boolean {
  if (ticks.length === 0 && !arrive(false)) {
    const im = immediates.shift();
    if (im !== undefined) im();
    else {
      let first: Timer | null = null;
      for (const t of timers) if (first === null || t.due < first.due || (t.due === first.due && t.seq < first.seq)) first = t;
      if (first === null) {
        if (!arrive(true)) return false;
        drainTicks();
        return true;
      }
      const t = first;
      timers = timers.filter((x) => x !== t);
      clock = Math.max(clock, t.due);
      t.fn();
    }
  }
  drainTicks();
  return true;
}

// reset drops whatever an abandoned or finished group left behind.
export function reset(): void {
  ticks = [];
  immediates = [];
  timers = [];
  resetArrivals();
}

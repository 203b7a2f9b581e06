// The order in which a run's timers and immediates fire unless the advice says
// otherwise: Node's own, by a clock that only timers move. A busy platform keeps
// another one (it goes by one list per delay, which all requests share), so the
// server compares each firing with this schedule and records those that differ.

export interface Entry {
  readonly due: number; // of an immediate: 0
  readonly seq: number;
  dead: boolean;
}

export class Schedule<E extends Entry> {
  private immediates: E[] = [];
  private timers: E[] = [];
  // What is left of the phase that the loop is in.
  private phase: E[] = [];
  private seq = 0;
  clock = 0;

  immediate(make: (due: number, seq: number) => E): E {
    const e = make(0, this.seq++);
    this.immediates.push(e);
    return e;
  }

  timer(ms: number, make: (due: number, seq: number) => E): E {
    const delay = ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
    const e = make(this.clock + delay, this.seq++);
    this.timers.push(e);
    return e;
  }

  // next is what is to fire next, or undefined if nothing is pending.
  next(): E | undefined {
    for (;;) {
      while (this.phase.length > 0) {
        if (!this.phase[0].dead) return this.phase[0];
        this.phase.shift();
      }
      if (this.immediates.length > 0) {
        this.phase = this.immediates;
        this.immediates = [];
        continue;
      }
      this.timers = this.timers.filter((t) => !t.dead);
      if (this.timers.length === 0) return undefined;
      // All timers that are due fire in one go, and then the immediates that they asked for.
      this.clock = Math.max(this.clock, this.timers.reduce((least, t) => Math.min(least, t.due), Infinity));
      this.phase = this.timers.filter((t) => t.due <= this.clock).sort((a, b) => a.due - b.due || a.seq - b.seq);
      this.timers = this.timers.filter((t) => t.due > this.clock);
    }
  }

  // fire takes an entry out, whether or not it is the next.
  fire(e: E): void {
    e.dead = true;
    this.clock = Math.max(this.clock, e.due);
  }

  // pending are all that may fire, in no order.
  pending(): E[] {
    return [...this.phase, ...this.immediates, ...this.timers].filter((e) => !e.dead);
  }
}

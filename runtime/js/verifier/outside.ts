// What arrives from outside: the verifier's half of server/outside.ts. The advice
// has an entry for each arrival, which tells that it came, and when. Any order of
// arrivals is one that Node might have chosen; the recorded one is tried, that of
// the group's first lane for all, and lanes that it does not suit run again alone.
import { Activation, context, current, fire } from '../shared/activation';
import { divergeBy } from './mv';
import { takeResult } from './entries';
import { group, nodeAt, unsupported } from './group';
import { follows, pend, turned } from './together';

interface Arrival {
  by: Activation;
  op: number;
  firing: number;
  run: () => void;
}

let waiting: Arrival[] = [];

export class Port {
  readonly by: Activation | null = current;
  readonly op: number;
  readonly within = context;
  private firings = 0;

  constructor() {
    this.op = this.by === null ? 0 : ++this.by.ops;
    if (this.by === null) unsupported('something from outside that is awaited by a callback whose origin the verifier does not know');
  }

  // expect waits for the port's next arrival, whose activation runs f.
  expect(f: () => void): void {
    const { by, op, within } = this;
    if (by === null) return; // which was said
    const firing = this.firings++;
    const arrived = () => {
      takeTurn();
      f();
    };
    awaits({ by, op, firing, run: () => fire(by, op, firing, null, this, within, arrived, undefined, []) });
  }
}

// takeTurn takes the record of when the running activation came.
export function takeTurn(): void {
  takeResult('turn', (v) => (Number.isSafeInteger(v) ? null : 'not a number of a turn'));
}

// awaits waits for an activation, which run fires.
export function awaits(a: Arrival): void {
  if (follows()) pend(a, () => run(a));
  else waiting.push(a);
}

export function resetArrivals(): void {
  waiting = [];
}

// turnOf is the recorded turn of an arrival in one lane, or Infinity.
function turnOf(a: Arrival, lane: number): number {
  const first = nodeAt(a.by, a.op, a.firing)?.results?.[lane]?.[0];
  if (first === undefined) return Infinity;
  return typeof first[1] === 'number' ? first[1] : 0;
}

// arrive runs the next arrival: the one that is due after so many turns of the
// run, or whichever is first (idle: nothing else is left to run).
export function arrive(idle: boolean): boolean {
  if (waiting.length === 0) return false;
  let next = -1;
  let turn = Infinity;
  for (let i = 0; i < waiting.length; i++) {
    const t = turnOf(waiting[i], 0);
    if (t < turn) {
      turn = t;
      next = i;
    }
  }
  if (next < 0) return idle && stuck();
  const a = waiting[next];
  if (!idle && turn > a.by.run.turns + 1) return false;
  waiting.splice(next, 1);
  agreed(a);
  run(a);
  return true;
}

function run(a: Arrival): void {
  a.by.run.turns++;
  turned(a);
  a.run();
}

function agreed(a: Arrival): void {
  const came = Array.from({ length: group.lanes }, (_, i) => turnOf(a, i) !== Infinity);
  if (came.includes(false)) divergeBy('something from outside arrived in some lanes only', came);
}

// stuck: nothing arrives in the first lane any more. It may do so in others.
function stuck(): boolean {
  for (const a of waiting) {
    const came = Array.from({ length: group.lanes }, (_, i) => turnOf(a, i) !== Infinity);
    if (came.includes(true)) divergeBy('something from outside arrived in some lanes only', came);
  }
  return false;
}

// Clocks never run backwards: what the server recorded of one must not be earlier than
// what it recorded in an activation before, nor than when the app began to load. Where the
// order of all turns is known, that holds for all; groups report when a request first
// looked at the time, and last before it was answered.
import { type Activation, precedes, type Run } from '../shared/activation';
import { lane } from './mv';
import { RawMap, RawWeakMap } from './raw';
import { group, problem } from './group';
import { turnNumber } from './together';

const { isSafeInteger } = Number;

// The types of results that are readings of a clock, each as what can be compared.
const clocks: Record<string, (v: any) => number | bigint> = {
  __proto__: null as any,
  now: (v) => v,
  perf: (v) => v,
  uptime: (v) => v,
  hrbig: (v) => v,
  hrtime: (v) => {
    const m = /^(\d+) (\d+)$/.exec(v);
    return m === null ? 0n : BigInt(m[1]) * 1_000_000_000n + BigInt(m[2]);
  },
};

interface Reading {
  a: Activation;
  last: Map<string, any>;
}

// Readings by run, and those of the app's load, which precedes all requests.
const readings = new RawWeakMap<Run, Reading[]>();
let load: Map<string, any> = new RawMap();

// read notes that activation a was given v by a clock.
export function read(type: string, v: any, a: Activation): void {
  const instant = clocks[type];
  if (instant === undefined) return;
  let all = readings.get(a.run);
  if (all === undefined) readings.set(a.run, (all = []));
  const check = (before: any) => {
    for (let i = 0; i < group.lanes; i++) {
      const was = lane(before, i);
      const is = lane(v, i);
      // A result that is none has been complained of.
      if (typeof is !== typeof was || instant(is) >= instant(was)) continue;
      problem(i, 'R-clock', 'the recorded clock runs backwards', was, is);
    }
  };
  if (group.together) {
    inOrder(type, v, check);
    all = inTurn;
  }
  if (type === 'now' && !a.run.isInit && !group.together) looked(v);
  let own: Reading | undefined;
  if (!a.run.isInit && load.has(type)) check(load.get(type));
  for (const r of all) {
    if (r.a === a) own = r;
    if (precedes(r.a, a) && r.last.has(type)) check(r.last.get(type));
  }
  if (own === undefined) all.push((own = { a, last: new RawMap() }));
  own.last.set(type, v);
  if (a.run.isInit && a.index === 0) load = own.last;
}

// Of each clock in joint re-execution: the latest reading before this turn, and in it.
const latest = new RawMap<string, { turn: number; before: any; now: any }>();
// And all of this turn: the program's own steps in it need not come in Node's order to the
// letter, but those of which one leads to the other do.
let inTurn: Reading[] = [];
let inTurnOf = -1;

function inOrder(type: string, v: any, check: (before: any) => void): void {
  const turn = turnNumber();
  if (inTurnOf !== turn) {
    inTurn = [];
    inTurnOf = turn;
  }
  const l = latest.get(type);
  if (l === undefined) {
    latest.set(type, { turn, before: undefined, now: v });
    return;
  }
  if (l.turn !== turn) {
    l.turn = turn;
    l.before = l.now;
  }
  if (l.before !== undefined) check(l.before);
  const instant = clocks[type];
  if (typeof v === typeof l.now && instant(v) > instant(l.now)) l.now = v;
}

// first: by lane, the earliest time that the request was told.
let first: number[] | null = null;
// answered: by lane, the latest that it was told before it was answered, or -1.
let answered: number[] | null = null;

// A time that takes no more digits than the verifier reads; what is later is all alike.
const most = 999_999_999_999_999;
const time = (v: any): number => (isSafeInteger(v) && v >= 0 ? Math.min(v, most) : -1);

function looked(v: any): void {
  if (first === null) first = Array.from({ length: group.lanes }, (_, i) => time(lane(v, i)));
  else for (let i = 0; i < group.lanes; i++) first[i] = Math.min(first[i], time(lane(v, i)));
}

// answers notes that the request is answered by activation a.
export function answers(a: Activation): void {
  for (const r of readings.get(a.run) ?? []) {
    if ((r.a !== a && !precedes(r.a, a)) || !r.last.has('now')) continue;
    answered ??= new Array(group.lanes).fill(-1);
    for (let i = 0; i < group.lanes; i++) answered[i] = Math.max(answered[i], time(lane(r.last.get('now'), i)));
  }
}

export function reset(): void {
  first = answered = null;
}

// seen is [first, answered] by lane, or null if no clock was read.
export function seen(): number[] | null {
  return first === null ? null : first.flatMap((t, i) => [t, answered === null ? -1 : answered[i]]);
}

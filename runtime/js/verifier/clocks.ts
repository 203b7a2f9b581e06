// Clocks never run backwards: what the server recorded of one must not be earlier than
// what it recorded in an activation before, nor than when the app began to load. Where the
// order of all turns is known, that holds for all; groups report when each activation
// looked at the time.
import type { Activation } from '../shared/activation';
import { lane } from './mv';
import { RawMap, RawWeakMap } from './raw';
import { group, problem } from './group';
import { turnNumber } from './together';

const { floor, min } = Math;

// Readings of one lane each; null for a result that is none, which has been complained of.
type Instants = readonly any[];

interface Clock {
  name: string;
  // instant is a reading as what can be compared with others of the same clock.
  instant(v: any): any;
  // units is an instant in whole numbers of so many digits as the verifier reads.
  units(instant: any): number;
}

const number = (v: any): number | null => (typeof v === 'number' ? v : null);
const ofDate: Clock = { name: 'now', instant: number, units: floor };
const ofPerformance: Clock = { name: 'perf', instant: number, units: (t) => floor(t * 1e3) };
const ofProcess: Clock = { name: 'uptime', instant: number, units: (t) => floor(t * 1e6) };
const ofMachine: Clock = { name: 'hrtime', instant: nanoseconds, units: (t) => Number(t / 1000n) };

// The types of results that are readings of a clock.
const clocks: Record<string, Clock> = { __proto__: null as any, now: ofDate, perf: ofPerformance, uptime: ofProcess, hrtime: ofMachine, hrbig: ofMachine };

function nanoseconds(v: any): bigint | null {
  if (typeof v === 'bigint') return v;
  const m = typeof v === 'string' ? /^(\d+) (\d+)$/.exec(v) : null;
  return m === null ? null : BigInt(m[1]) * 1_000_000_000n + BigInt(m[2]);
}

// What an activation and those before it were last told, of each clock. It is a new one after
// each reading, so that those who were told nothing else can have the same.
type Told = ReadonlyMap<Clock, Instants>;

const told = new RawWeakMap<Activation, Told>();
// And of the app's load, which precedes all requests.
let load: Told = new RawMap();

// follows makes an activation know what its parents were told.
export function follows(a: Activation, parents: Activation[] | null): void {
  let all = a.registrant === null ? undefined : told.get(a.registrant);
  for (const p of parents ?? []) {
    const more = p.run === a.run ? told.get(p) : undefined;
    if (all === undefined) all = more;
    else if (more !== undefined && more !== all) all = latest(all, more);
  }
  if (all !== undefined) told.set(a, all);
}

function latest(a: Told, b: Told): Told {
  const all = new RawMap(a);
  b.forEach((is, clock) => {
    const was = all.get(clock);
    all.set(clock, was === undefined ? is : is.map((t, i) => (t === null || t < was[i] ? was[i] : t)));
  });
  return all;
}

// read notes that activation a was given v by a clock.
export function read(type: string, v: any, a: Activation): void {
  const clock = clocks[type];
  if (clock === undefined) return;
  const is: Instants = Array.from({ length: group.lanes }, (_, i) => clock.instant(lane(v, i)));
  if (group.together) inOrder(clock, is);
  else looked(clock, a.index, is);
  const before = told.get(a);
  if (!a.run.isInit) notBefore(load.get(clock), is);
  notBefore(before?.get(clock), is);
  const now = new RawMap(before).set(clock, is);
  told.set(a, now);
  if (a.run.isInit && a.index === 0) load = now;
}

function notBefore(was: Instants | undefined, is: Instants): void {
  if (was === undefined) return;
  for (let i = 0; i < group.lanes; i++) if (is[i] !== null && was[i] !== null && is[i] < was[i]) problem(i, 'R-clock', 'the recorded clock runs backwards', was[i], is[i]);
}

// Of each clock in joint re-execution: the latest reading before this turn, and in it.
// (The program's own steps in it need not come in Node's order to the letter.)
const inTurn = new RawMap<Clock, { turn: number; before: Instants | undefined; now: Instants }>();

function inOrder(clock: Clock, is: Instants): void {
  const turn = turnNumber();
  const l = inTurn.get(clock);
  if (l === undefined) {
    inTurn.set(clock, { turn, before: undefined, now: is });
    return;
  }
  if (l.turn !== turn) {
    l.turn = turn;
    l.before = l.now;
  }
  notBefore(l.before, is);
  if (is[0] !== null && (l.now[0] === null || is[0] > l.now[0])) l.now = is;
}

// Of each clock, by activation: for each lane the first time that it was told, and the last, or -1.
let readings = new RawMap<Clock, Map<number, number[]>>();

// A time that takes no more digits than the verifier reads; what is later is all alike.
const most = 999_999_999_999_999;

function time(clock: Clock, instant: any): number {
  const t = instant === null ? -1 : clock.units(instant);
  return t >= 0 ? min(t, most) : -1;
}

function looked(clock: Clock, act: number, is: Instants): void {
  let all = readings.get(clock);
  if (all === undefined) readings.set(clock, (all = new RawMap()));
  const told = all.get(act);
  if (told === undefined) all.set(act, is.flatMap((t) => [time(clock, t), time(clock, t)]));
  else for (let i = 0; i < is.length; i++) told[2 * i + 1] = time(clock, is[i]);
}

export function reset(): void {
  readings = new RawMap();
}

// seen has [activation, first and last by lane] after one another, for each clock that was read.
export function seen(): Record<string, number[]> {
  const told: Record<string, number[]> = {};
  readings.forEach((all, clock) => {
    const flat: number[] = (told[clock.name] = []);
    all.forEach((times, act) => flat.push(act, ...times));
  });
  return told;
}

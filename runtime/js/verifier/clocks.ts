// Clocks never run backwards: what the server recorded of one must not be earlier than
// what it recorded in an activation before, nor than when the app began to load.
import { type Activation, precedes, type Run } from '../shared/activation';
import { lane } from './mv';
import { RawMap, RawWeakMap } from './raw';
import { group, problem } from './state';

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

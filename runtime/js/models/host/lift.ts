// Functions over bytes and text are written for one lane. lift makes them
// serve several: given something that differs between lanes, they run lane by
// lane. Without that they would take a multivalue for an object of some kind,
// and answer wrongly.
import { inLanes, mv, present } from './mv';
import * as group from './groupbuffer';

const { apply } = Reflect;

function differs(x: any): boolean {
  return typeof x === 'object' && x !== null && (mv.isMV(x) || group.is(x));
}

export function laneOf(x: any, i: number): any {
  return differs(x) ? mv.lane(group.is(x) ? group.buffersOf(x) : x, i) : x;
}

// pick is laneOf, also for the elements of lists of Buffers.
function pick(x: any, i: number): any {
  if (mv.isArray(x) && !mv.isMV(x)) return x.some(differs) ? x.map((e) => laneOf(e, i)) : x;
  return laneOf(x, i);
}

// lift: writes says that f changes its receiver or an argument, shares that what it makes
// of its receiver shares memory with it.
export function lift<F extends Function>(f: F, writes = false, shares = false): F {
  if (!present) return f;
  const lifted = function (this: any, ...args: any[]): any {
    if (mv.state.N === 1) return apply(f, this, args);
    const self = differs(this);
    let any = self;
    let others = false;
    for (let k = 0; k < args.length; k++) {
      const a = args[k];
      if (differs(a) || (mv.isArray(a) && a.some(differs))) any = others = true;
    }
    if (!any) return apply(f, this, args);
    if ((writes || shares) && group.is(this)) group.written(this);
    if (mv.state.L >= 0) {
      const i = mv.state.L;
      return apply(f, laneOf(this, i), args.map((a) => pick(a, i)));
    }
    // What the program's own function writes would be the last lane's for all.
    if (args.some((a) => typeof a === 'function')) mv.diverge(`${f.name} calls back for what differs between lanes`);
    if (writes) {
      // Only what belongs to each lane alone may be written to lane by lane.
      if (others && !self) mv.diverge(`${f.name} writes what differs between lanes`);
      if (!group.is(this) && (this as any).$own !== true) mv.diverge(`${f.name} writes to Buffers that may be shared between lanes`);
    }
    const receiver = group.is(this) ? group.buffersOf(this) : this;
    const given = args.map((a) => (group.is(a) ? group.buffersOf(a) : a));
    const varies = given.map((a) => (typeof a === 'object' && a !== null ? mv.isMV(a) || Array.isArray(a) : false));
    const own = given.slice();
    return inLanes((i) => {
      for (let k = 0; k < own.length; k++) if (varies[k]) own[k] = pick(given[k], i);
      return apply(f, self ? mv.lane(receiver, i) : receiver, own);
    }, true);
  };
  for (const key of ['name', 'length'] as const) Object.defineProperty(lifted, key, { value: f[key], configurable: true });
  return lifted as any;
}

// liftAll lifts every function of a namespace.
export function liftAll<T extends object>(o: T): T {
  const to: any = {};
  for (const k of Object.keys(o)) to[k] = typeof (o as any)[k] === 'function' ? lift((o as any)[k]) : (o as any)[k];
  return to;
}

// Map, Set and their weak kin. They take any object for a key, so a
// multivalue among the keys must be seen.
//
// A collection of the group holds the same keys in all lanes, with values that
// may be multivalues. Once it gets a key that differs by lane, it is split: from
// then on there is a native collection for each lane behind it, and every
// operation goes to all of them.
import { diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, project, stale, state, Tag } from './mv-core';
import { How, laneCall, lanewise, method, patch } from './mv-natives';

// Life is what is known of a collection that a group made. Others, which outlive
// the group, are never split.
interface Life {
  group: number;
  // An iterator was taken: it would not see what is added after a split.
  walked: boolean;
  lanes: any[] | null;
}

const lives = new native.WeakMap<object, Life>();
const weak = { get: WeakMap.prototype.get, set: WeakMap.prototype.set };
let group = 0; // the last group that split a collection

// born notes a collection that the program makes.
export function born(t: object): void {
  native.apply(weak.set, lives, [t, { group: state.G, walked: false, lanes: null }]);
}

function lifeOf(t: any): Life | undefined {
  return typeof t === 'object' && t !== null ? (native.apply(weak.get, lives, [t]) as any) : undefined;
}

// splitOf finds the lanes of a collection that has been split.
function splitOf(t: any): any[] | null {
  if (group === 0) return null;
  const s = lifeOf(t);
  if (s === undefined || s.lanes === null) return null;
  if (s.group !== state.G || state.N === 1) stale();
  return s.lanes;
}

// isSplit: what the engine holds in t is not what the program has there.
export function isSplit(t: any): boolean {
  return splitOf(t) !== null;
}

function split(t: any, key: MV, empty: () => any, copy: (from: any, to: any, i: number) => void): any[] {
  const life = lifeOf(t);
  if (life === undefined || life.group !== state.G) divergeBy('a key of a collection that outlives the request', lanesOf(key));
  if (life.walked) divergeBy('a key of a collection that is gone over', lanesOf(key));
  const lanes = new native.Array(state.N);
  for (let i = 0; i < lanes.length; i++) copy(t, (lanes[i] = empty()), i);
  life.lanes = lanes;
  group = state.G;
  return lanes;
}

const M: any = Map.prototype;
const S: any = Set.prototype;
const map0 = { set: M.set, forEach: M.forEach };
const set0 = { add: S.add, forEach: S.forEach };

function splitMap(t: any, key: MV): any[] {
  return split(
    t,
    key,
    () => new native.Map(),
    (from, to, i) => native.apply(map0.forEach, from, [(v: any, k: any) => native.apply(map0.set, to, [k, lane(v, i)])]),
  );
}

function splitSet(t: any, key: MV): any[] {
  return split(
    t,
    key,
    () => new native.Set(),
    (from, to, i) => native.apply(set0.forEach, from, [(k: any) => native.apply(set0.add, to, [k])]),
  );
}

// onLanes calls a native for each lane's collection: those of a multivalue, or
// those of a collection that is split.
function onLanes(f: any, lanes: any[], args: ArrayLike<any>): any {
  if (state.L >= 0) return native.apply(f, lanes[state.L], [project(args[0]), project(args[1])]);
  const r = new native.Array(lanes.length);
  for (let i = 0; i < r.length; i++) r[i] = native.apply(f, lanes[i], [lane(args[0], i), lane(args[1], i)]);
  return norm(r);
}

const isKey = (k: any): k is MV => typeof k === 'object' && k instanceof MV;

// looking is get and has: nothing changes, so each lane may look for its own key.
function looking(f: any): Function {
  return {
    m(this: any, k: any): any {
      const s = splitOf(this);
      if (s !== null) return onLanes(f, s, [k]);
      if (isKey(k)) {
        if (state.L >= 0) return native.apply(f, project(this), [project(k)]);
        const v = lanesOf(k);
        const r = new native.Array(v.length);
        for (let i = 0; i < r.length; i++) r[i] = native.apply(f, lane(this, i), [v[i]]);
        return norm(r);
      }
      if (isKey(this)) return laneCall(f, this, arguments, How.Pure);
      return native.apply(f, this, [k]);
    },
  }.m;
}

// adding is set and add.
function adding(has: Function, splitting: ((t: any, key: MV) => any[]) | null) {
  return (f: any) =>
    ({
      m(this: any, k: any, x: any): any {
        const s = splitOf(this);
        if (s === null && !isKey(k) && !isKey(this)) return native.apply(f, this, [k, x]);
        if (state.L >= 0) return s === null ? native.apply(f, project(this), [project(k), x]) : diverge('a collection of the group in a pure function');
        if (isKey(this)) {
          if (!this.$own || this.$tag !== Tag.Object) diverge(`${f.name} of collections that differ by lane`);
          onLanes(f, lanesOf(this), [k, x]);
          return this;
        }
        native.apply(has as any, this, [undefined]); // or it is no collection
        if (splitting === null) {
          // Nobody can look for another lane's own object.
          if (!k.$own || k.$tag !== Tag.Object) diverge('a weak key that differs by lane');
          for (let i = 0; i < state.N; i++) native.apply(f, this, [lanesOf(k)[i], lane(x, i)]);
          return this;
        }
        onLanes(f, s ?? splitting(this, k), [k, x]);
        return this;
      },
    }).m;
}

function removing(has: Function, splitting: ((t: any, key: MV) => any[]) | null) {
  return (f: any) =>
    ({
      m(this: any, k: any): any {
        const s = splitOf(this);
        if (s !== null) return onLanes(f, s, [k]);
        if (!isKey(k) && !isKey(this)) return native.apply(f, this, [k]);
        if (state.L >= 0) return native.apply(f, project(this), [project(k)]);
        if (isKey(this)) return laneCall(f, this, arguments, How.Mutates);
        native.apply(has as any, this, [undefined]);
        const keys = lanesOf(k);
        if (!keys.some((x) => native.apply(has as any, this, [x]))) return false;
        if (splitting === null) return divergeBy('a key to delete', keys);
        return onLanes(f, splitting(this, k), [k]);
      },
    }).m;
}

function walks(t: any): void {
  if (state.N === 1) return;
  const life = lifeOf(t);
  if (life !== undefined) life.walked = true;
}

// walking is keys, values and entries.
function walking(f: any): Function {
  return {
    m(this: any): any {
      const s = splitOf(this);
      if (s === null) {
        walks(this);
        return isKey(this) ? laneCall(f, this, [], How.Pure) : native.apply(f, this, []);
      }
      if (state.L >= 0) return native.apply(f, s[state.L], []);
      return steps(s.map((m) => native.apply(f, m, [])), f.name === 'entries' || f.name === '[Symbol.iterator]');
    },
  }.m;
}

// steps goes through all lanes' iterators at once; they must end together.
function steps(its: any[], pairs: boolean): any {
  const next = its[0].next;
  return {
    next() {
      const r = its.map((it) => native.apply(next as any, it, [])) as any[];
      const done = r.map((x) => x.done);
      for (let i = 1; i < done.length; i++) if (done[i] !== done[0]) divergeBy('the number of keys', done);
      if (done[0]) return { value: undefined, done: true };
      if (pairs && native.isArray(r[0].value)) return { value: [norm(r.map((x) => x.value[0])), norm(r.map((x) => x.value[1]))], done: false };
      return { value: norm(r.map((x) => x.value)), done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}

function size(get: any): any {
  return {
    get(this: any): any {
      const s = splitOf(this);
      if (s === null) return native.apply(get, this, []);
      if (state.L >= 0) return native.apply(get, s[state.L], []);
      return norm(s.map((m) => native.apply(get, m, [])));
    },
  }.get;
}

export function installCollections(): void {
  const W: any = WeakMap.prototype;
  const V: any = WeakSet.prototype;
  for (const [P, splitting] of [[M, splitMap], [S, splitSet], [W, null], [V, null]] as [any, ((t: any, key: MV) => any[]) | null][]) {
    const has = P.has;
    patch(P, 'set', adding(has, splitting));
    patch(P, 'add', adding(has, splitting));
    patch(P, 'delete', removing(has, splitting));
    patch(P, 'get', looking);
    patch(P, 'has', looking);
  }
  for (const P of [M, S]) {
    patch(P, 'clear', (f) => {
      const whole = lanewise(f, How.Mutates);
      return method((t, args) => {
        const s = splitOf(t);
        if (s === null) return native.apply(whole as any, t, args);
        if (state.L >= 0) diverge('clear in a pure function');
        for (const m of s) native.apply(f, m, []);
      });
    });
    patch(P, 'forEach', (f) =>
      method((t, args) => {
        const s = splitOf(t);
        if (s !== null && state.L < 0) {
          const [cb, self] = args;
          for (const [k, v] of steps(s.map((m) => (P === M ? native.apply(entries0, m, []) : native.apply(setEntries0, m, []))), true)) native.apply(cb, self, [v, k, t]);
          return;
        }
        walks(t);
        if (state.N > 1 && state.L < 0 && isMV(t)) diverge('forEach of collections that differ by lane');
        return native.apply(f, s !== null ? s[state.L] : project(t), args);
      }),
    );
    for (const k of ['keys', 'values', 'entries']) patch(P, k, walking);
    const d = native.getOwn(P, 'size')!;
    native.define(P, 'size', { ...d, get: size(d.get) });
  }
  native.define(M, Symbol.iterator, { ...native.getOwn(M, Symbol.iterator), value: M.entries });
  native.define(S, Symbol.iterator, { ...native.getOwn(S, Symbol.iterator), value: S.values });
  native.define(S, 'keys', { ...native.getOwn(S, 'keys'), value: S.values });
  patch(Map, 'groupBy', (f) => (items: any, cb: any) => f(items, typeof cb === 'function' ? (x: any, i: any) => checked(cb(x, i)) : cb));
}

const entries0 = M.entries;
const setEntries0 = S.entries;

function checked(k: any): any {
  if (isMV(k)) divergeBy('a key to group by', lanesOf(k));
  return k;
}

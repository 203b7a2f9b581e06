// Map, Set and their weak kin. They take any object for a key, so a
// multivalue among the keys must be seen. A collection of the group holds the
// same keys in all lanes: what would change that diverges.
import { diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, normBooleans, project, state } from './mv-core';
import { How, laneCall, lanewise, method, patch } from './mv-natives';

function compatible(t: any, f: Function, probe: any): void {
  if (!isMV(t)) native.apply(probe, t, [undefined]);
  else if (!t.$own) diverge(`${f.name} of collections that differ by lane`);
}

// looking is get and has: nothing changes, so each lane may look for its own key.
function looking(f: any): Function {
  return {
    m(this: any, k: any): any {
      if (typeof k === 'object' && k instanceof MV) {
        if (state.L >= 0) return native.apply(f, project(this), [project(k)]);
        const v = lanesOf(k);
        const r = new native.Array(v.length);
        for (let i = 0; i < r.length; i++) r[i] = native.apply(f, lane(this, i), [v[i]]);
        return norm(r);
      }
      if (typeof this === 'object' && this instanceof MV) return laneCall(f, this, arguments, How.Pure);
      return native.apply(f, this, [k]);
    },
  }.m;
}

// presence: whether each lane has its key, which all lanes must agree on.
function presence(f: Function, has: Function, t: any, k: MV): boolean {
  const there = lanesOf(k).map((x, i) => native.apply(has, lane(t, i), [x]));
  const all = normBooleans(there);
  if (isMV(all)) divergeBy('a key that is there in some lanes only', there);
  if (!all) divergeBy(`${f.name} of keys that differ by lane`, lanesOf(k));
  return true;
}

function mapSet(get: Function, has: Function) {
  return (f: any) =>
    ({
      m(this: any, k: any, x: any): any {
        if (!(typeof k === 'object' && k instanceof MV) && !(typeof this === 'object' && this instanceof MV)) return native.apply(f, this, [k, x]);
        if (state.L >= 0) return native.apply(f, project(this), [project(k), x]);
        compatible(this, f, has);
        if (isMV(this)) {
          const t = lanesOf(this);
          for (let i = 0; i < t.length; i++) native.apply(f, t[i], [lane(k, i), lane(x, i)]);
          return this;
        }
        presence(f, has, this, k);
        const keys = lanesOf(k);
        const distinct = new native.Set<any>(keys);
        distinct.forEach((key: any) => {
          const old = native.apply(get as any, this, [key]);
          native.apply(f, this, [key, norm(keys.map((y, i) => (native.is(y, key) || y === key ? lane(x, i) : lane(old, i))))]);
        });
        return this;
      },
    }).m;
}

function setAdd(has: Function) {
  return (f: any) =>
    ({
      m(this: any, k: any): any {
        if (!(typeof k === 'object' && k instanceof MV) && !(typeof this === 'object' && this instanceof MV)) return native.apply(f, this, [k]);
        if (state.L >= 0) return native.apply(f, project(this), [project(k)]);
        compatible(this, f, has);
        if (isMV(this)) {
          const t = lanesOf(this);
          for (let i = 0; i < t.length; i++) native.apply(f, t[i], [lane(k, i)]);
          return this;
        }
        presence(f, has, this, k);
        return this;
      },
    }).m;
}

function remove(has: Function) {
  return (f: any) =>
    ({
      m(this: any, k: any): any {
        if (!(typeof k === 'object' && k instanceof MV) && !(typeof this === 'object' && this instanceof MV)) return native.apply(f, this, [k]);
        if (state.L >= 0) return native.apply(f, project(this), [project(k)]);
        if (isMV(this)) return laneCall(f, this, arguments, How.Mutates);
        const there = lanesOf(k).map((x) => native.apply(has, this, [x]));
        if (there.some((x) => x)) divergeBy('a key to delete', lanesOf(k));
        return false;
      },
    }).m;
}

export function installCollections(): void {
  const M: any = Map.prototype;
  const S: any = Set.prototype;
  const W: any = WeakMap.prototype;
  const V: any = WeakSet.prototype;
  for (const [P, first] of [[M, M.has], [S, S.has], [W, W.has], [V, V.has]] as [any, any][]) {
    const get = P.get;
    patch(P, 'set', mapSet(get, first));
    patch(P, 'add', setAdd(first));
    patch(P, 'delete', remove(first));
    patch(P, 'get', looking);
    patch(P, 'has', looking);
  }
  for (const P of [M, S]) {
    patch(P, 'clear', (f) => lanewise(f, How.Mutates));
    patch(P, 'forEach', (f) =>
      method((t, args) => {
        if (state.N > 1 && state.L < 0 && isMV(t)) diverge('forEach of collections that differ by lane');
        return native.apply(f, project(t), args);
      }),
    );
    for (const k of ['keys', 'values', 'entries']) patch(P, k, (f) => lanewise(f, How.Pure));
  }
  native.define(M, Symbol.iterator, { ...native.getOwn(M, Symbol.iterator), value: M.entries });
  native.define(S, Symbol.iterator, { ...native.getOwn(S, Symbol.iterator), value: S.values });
  native.define(S, 'keys', { ...native.getOwn(S, 'keys'), value: S.values });
  for (const k of ['groupBy']) {
    patch(Map, k, (f) => (items: any, cb: any) => f(items, typeof cb === 'function' ? (x: any, i: any) => checked(cb(x, i)) : cb));
  }
}

function checked(k: any): any {
  if (isMV(k)) divergeBy('a key to group by', lanesOf(k));
  return k;
}

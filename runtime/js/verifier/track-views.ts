// What other requests published, as a lane's program sees it.
import { isArrayKind, isKeyed, Kind, noPrototype } from '../shared/tracked';
import { ALL, KeyRef, parseKey } from './feed';
import { native as realm } from './mv';
import { ABSENT, bind, group, problem, things, unsupported } from './group';
import { materialise, materialiseLater, setMakeView, wantMore } from './logged';
import { isHole, stamp } from './track';
import { TrackedArray } from './track-arrays';
import { TrackedMap, TrackedSet } from './track-collections';
import { accessor, proxyOf } from './track-objects';

// view materialises an object that another request published.
setMakeView((obj, lane) => {
  const def = group.feed!.objects[obj];
  if (def === undefined) {
    problem(lane, 'R-object', 'the log names an object that it never defines');
    return undefined;
  }
  if (def.fields === null) wantMore();
  const o = blank(def, lane);
  const r = stamp(o, def.kind, def.classId, lane);
  r.num = obj;
  bind(lane, obj, o);
  if (isArrayKind(def.kind)) {
    if (def.kind === Kind.Array) realm.setProto(o, TrackedArray.prototype);
    if (def.fields.length === 1 && isHole(def.fields[0][1])) r.holes = new Set([ALL]);
    else r.list = def.fields.map(([, v]) => (def.kind === Kind.FrozenArray ? materialise(v, lane) : materialiseLater(v, lane)));
    if (def.kind === Kind.FrozenArray) {
      o.length = r.list.length;
      for (let i = 0; i < r.list.length; i++) if (r.list[i] !== ABSENT) o[i] = r.list[i];
      Object.freeze(o);
    }
    return o;
  }
  if (def.kind === Kind.Map) realm.setProto(o, TrackedMap.prototype);
  if (def.kind === Kind.Set) realm.setProto(o, TrackedSet.prototype);
  const keys = isKeyed(def.kind);
  for (const [k, v] of def.fields) {
    let key = typeof k === 'string' ? k : parseKey(k);
    if (key instanceof KeyRef) key = materialise(['r', key.obj], lane);
    if (isHole(v)) (r.holes ??= new Set()).add(key);
    const value = def.kind === Kind.FrozenObject ? materialise(v, lane) : materialiseLater(v, lane);
    r.fields.set(key, value);
    if (keys || (typeof key === 'object' && key !== null)) continue;
    if (def.kind === Kind.FrozenObject) realm.define(o, key, { value, enumerable: typeof key !== 'string' || !r.hides(key) });
    else realm.define(o, key, accessor(key, typeof key !== 'string' || !r.hides(key)));
  }
  if (def.kind === Kind.FrozenObject) Object.freeze(o);
  return o;
});

// blank is an object as the log defines it, with nothing in it.
function blank(def: { kind: number; classId: number }, lane: number): any {
  switch (def.kind) {
    case Kind.Array:
    case Kind.FrozenArray:
      return [];
    case Kind.Map:
      return new Map();
    case Kind.Set:
      return new Set();
  }
  const proto = def.classId === 0 ? Object.prototype : def.classId === noPrototype ? null : things.prototype(def.classId);
  if (proto === undefined || (def.classId !== 0 && def.classId !== noPrototype && things.instances(proto!) !== def.classId)) {
    problem(lane, 'R-object', 'the log names a class that the program does not have');
    return {};
  }
  const seen = def.kind === Kind.FrozenObject ? proto : proxyOf(proto);
  if (!(proto instanceof Error || proto === Error.prototype)) return Object.create(seen);
  const e = new Error();
  realm.define(e, 'stack', {
    get() {
      unsupported('the stack of an error that another request made');
      return '';
    },
    enumerable: false,
    configurable: true,
  });
  realm.setProto(e, seen!);
  return e;
}

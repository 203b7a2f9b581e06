// Plain objects and instances of the program's classes.
//
// A field's value lives in its object's record: in a slot, if the object had it
// when it was published, so that objects with equal keys share their accessors; or
// in a Field of its own. A slot, too, holds a Field once somebody has written it.
import { values } from '../shared/promises';
import { Kind, noPrototype, T } from '../shared/tracked';
import { Forgotten, type Keeper } from './forget';
import * as log from './log';
import { type Key, List, Loc, Rec, Ref, Shape, type Val } from './log';
import { absent, defineProperty, getOwnPropertyDescriptor, hasOwn, ownKeys, ownNames, type Publication, publishing, recOf, ref, setPrototypeOf, share, stamp, stamped, things, watching } from './track';
import { weakFieldsOf } from './track-weak';

// Name is what a field is called: a property's key, or the weak collection in which
// the object is a key.
export type Name = string | symbol | object;

export class Field extends Loc {
  constructor(
    rec: Rec,
    readonly name: Name,
    public value: any,
  ) {
    super(rec);
  }
  get key(): Key {
    return fieldKey(this.name);
  }
  present(): Val {
    return ref(this.value);
  }
}

function fieldKey(name: Name): Key {
  return typeof name === 'string' ? name : ['#', ref(name) as Ref];
}

// Layout is a list of keys, as a path from the empty one.
class Layout {
  readonly next = new Map<string, Layout>();
  constructor(
    readonly names: readonly string[],
    // accessor is that of the last key.
    readonly accessor: PropertyDescriptor,
  ) {}
}

const noLayout = new Layout([], {});
let layouts = 0;
const maxLayouts = 10000;
const maxSlots = 32;

// then finds the layout with one more key; null if there are too many.
function then(l: Layout | null, k: string): Layout | null {
  if (l === null) return null;
  let n = l.next.get(k);
  if (n === undefined) {
    if (layouts === maxLayouts || l.names.length === maxSlots) return null;
    layouts++;
    l.next.set(k, (n = new Layout([...l.names, k], slotAccessor(k, l.names.length))));
  }
  return n;
}

export class ObjectRec extends Rec implements Keeper {
  layout: Layout = noLayout;
  readonly slots: any[] = [];
  // more: fields that are in no slot.
  more: Map<Name, Field> | null = null;
  // initially: how many of `more` the object had when it was published.
  initially = 0;
  forgotten: Forgotten | null = null;

  find(name: Name): Field | undefined {
    const f = this.more?.get(name);
    if (f !== undefined) return f;
    const i = typeof name === 'string' ? this.layout.names.indexOf(name) : -1;
    return i >= 0 && this.slots[i] instanceof Field ? this.slots[i] : undefined;
  }

  // tracks tells whether a property is one of its fields.
  tracks(name: Name): boolean {
    return this.more?.has(name) || this.layout.names.includes(name as string);
  }

  // missing is the field of a key that the object does not have.
  missing(name: Name): Field {
    let f = this.find(name);
    if (f === undefined) (this.more ??= new Map()).set(name, (f = new Field(this, name, absent)));
    return f;
  }

  // comes is the field of such a key, which a request is about to write.
  comes(name: string): Field {
    let f = this.find(name);
    if (f === undefined) {
      f = this.missing(name);
      f.born = true;
      this.forgotten?.born(f);
    } else if (f.born) this.forgotten?.came();
    return f;
  }

  // look reads a field, or that the object does not have it.
  look(name: string | symbol): void {
    const f = this.find(name);
    if (f !== undefined) log.read(f);
    else if (this.forgotten !== null && typeof name === 'string' && !hasOwn(this.target, name)) this.forgotten.read(name, name);
  }

  held(): number {
    return this.more === null ? 0 : this.more.size;
  }

  drop(): void {
    for (const [name, f] of this.more!) if (f.born && f.value === absent) this.more!.delete(name);
  }

  // values are those of its fields, to look at.
  *values(): Iterable<any> {
    for (const v of this.slots) yield v instanceof Field ? v.value : v;
    if (this.more !== null) for (const f of this.more.values()) yield f.value;
  }

  keys(): Val {
    return new List(ownNames(this.target));
  }

  initial(): [Key, Val][] {
    const out: [Key, Val][] = [];
    const put = (name: Name, v: any): void => {
      if (!(v instanceof Field)) out.push([fieldKey(name), ref(v)]);
      else out.push([fieldKey(name), v.writtenBy === null ? ref(v.value) : log.hole]);
    };
    this.layout.names.forEach((name, i) => put(name, this.slots[i]));
    let i = 0;
    if (this.more !== null) for (const [name, f] of this.more) if (i++ < this.initially) put(name, f);
    return out;
  }
}

// ---- publication

publishing((o, proto, p) => {
  let classId = 0;
  if (proto === null) classId = noPrototype;
  else if (proto !== Object.prototype) {
    classId = things.instances(proto);
    if (classId === 0) return false;
  }
  if (Object.isExtensible(o)) publishObject(o, proto, classId, p);
  else publishFrozen(o, classId, p);
  return true;
});

function publishObject(o: any, proto: object | null, classId: number, p: Publication): void {
  const keys = ownKeys(o);
  const r = new ObjectRec(o, classId === 0 || classId === noPrototype ? Kind.Object : Kind.Instance, classId, p.op, p.index, p.declared);
  stamp(r);
  // First, because accessors of an object that changes its prototype are slow.
  setPrototypeOf(o, proxyOf(proto));
  let layout: Layout | null = noLayout;
  for (const k of keys) {
    const d = getOwnPropertyDescriptor(o, k)!;
    if (!fits(o, k, d, p)) continue;
    p.reach(d.value);
    if (typeof k === 'string' && d.enumerable) layout = then(layout, k);
    else layout = null;
    if (layout !== null) {
      r.layout = layout;
      r.slots.push(d.value);
      defineProperty(o, k, layout.accessor);
    } else {
      addField(r, k, d.value, d.enumerable!);
      r.initially++;
    }
  }
  for (const [weak, v] of weakFieldsOf(o)) {
    p.reach(v);
    (r.more ??= new Map()).set(weak, new Field(r, weak, v));
    r.initially++;
  }
}

// fits tells whether a property can be tracked. What cannot is no matter in an
// object that init made, unless it can be written: such an object is never logged.
function fits(o: any, k: string | symbol, d: PropertyDescriptor, p: Publication): boolean {
  const wrong = (what: string): boolean => {
    p.complain(what);
    return false;
  };
  if (typeof k === 'symbol' && things.of(k) < 0) {
    if (!log.initOpen) return wrong('an object with a symbol for a key that was not made at load');
    things.add(k);
  }
  if (!('value' in d)) return !log.initOpen && wrong('an object with getters or setters of its own');
  if (!d.configurable || !d.writable) {
    p.reach(d.value);
    return (!log.initOpen || d.writable!) && wrong('an object with fields that are not ordinary');
  }
  if (log.initOpen) return true;
  if (!(o instanceof Error)) return d.enumerable || wrong('an object with fields that are not enumerable');
  // What a stack looks like is nobody's business but its maker's.
  if (k === 'stack') return false;
  return d.enumerable !== hidden(k) || wrong('an error with unusual fields');
}

// hidden: fields of errors that are not enumerable.
export function hidden(k: string | symbol): boolean {
  return k === 'message' || k === 'cause' || k === 'errors';
}

// A frozen object's fields are constants; what they refer to is shared.
function publishFrozen(o: any, classId: number, p: Publication): void {
  const r = new ObjectRec(o, Kind.FrozenObject, classId, p.op, p.index, p.declared);
  stamp(r);
  if (!Object.isFrozen(o)) p.complain('a sealed object with fields that can be written');
  for (const k of ownKeys(o)) {
    const d = getOwnPropertyDescriptor(o, k)!;
    if (typeof k === 'symbol' && things.of(k) < 0) {
      if (log.initOpen) things.add(k);
      else p.complain('an object with a symbol for a key that was not made at load');
    }
    if (!('value' in d)) {
      if (!log.initOpen) p.complain('an object with getters or setters of its own');
      continue;
    }
    if (k === 'stack' && o instanceof Error) continue;
    p.reach(d.value);
    (r.more ??= new Map()).set(k, new Field(r, k, d.value));
    r.initially++;
  }
  for (const [weak, v] of weakFieldsOf(o)) {
    p.reach(v);
    (r.more ??= new Map()).set(weak, new Field(r, weak, v));
    r.initially++;
  }
}

// ---- access to fields

function slotAccessor(k: string, i: number): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get(this: any) {
      const r = (stamped(this) ?? owner(this, k)) as ObjectRec;
      const v = r.slots[i];
      if (v instanceof Field) {
        if (log.live()) log.read(v);
        return v.value;
      }
      if (!log.initOpen) log.live();
      return v;
    },
    set(this: any, v: any) {
      const r = (stamped(this) ?? recOf(behindProxies(this))) as ObjectRec | undefined;
      if (r === undefined) return inherit(this, k, v);
      const s = r.slots[i];
      if (s instanceof Field) return setField(s, v);
      if (log.initOpen) {
        share(v, log.nextOp(), r.declared);
        r.slots[i] = v;
        return;
      }
      setField((r.slots[i] = new Field(r, k, s)), v);
    },
  };
}

function addField(r: ObjectRec, k: string | symbol, value: any, enumerable: boolean): Field {
  let f = r.find(k);
  if (f === undefined) (r.more ??= new Map()).set(k, (f = new Field(r, k, value)));
  f.value = value;
  defineField(r.target, f, enumerable);
  return f;
}

function defineField(o: any, f: Field, enumerable: boolean): void {
  defineProperty(o, f.name as string, {
    configurable: true,
    enumerable,
    get() {
      if (log.live()) log.read(f);
      return f.value;
    },
    set(v: any) {
      if (this !== o && behindProxies(this) !== o) return inherit(this, f.name as string, v);
      setField(f, v);
    },
  });
}

// inherit: an object that inherits from a tracked one gets a property of its own.
function inherit(o: any, k: PropertyKey, v: any): void {
  defineProperty(o, k, { value: v, writable: true, enumerable: true, configurable: true });
}

export function setField(f: Field, v: any): void {
  const op = log.nextOp();
  share(v, op, f.rec.declared);
  if (log.live()) log.write(f, op, v, ref);
  f.value = v;
}

// behindProxy leads from the program's own Proxies to their targets.
const behindProxy = new WeakMap<object, [target: object, handler: object]>();
const partsOf = (o: any): [object, object] | undefined => behindProxy.get(o);
const proxied = new WeakSet<object>();

export function noteProxy(p: object, target: object, handler: object): void {
  values.proxy = partsOf;
  behindProxy.set(p, [target, handler]);
  proxied.add(target);
  if (recOf(target) !== undefined) log.unloggable('a Proxy of shared state is made');
}

// behindProxies is what the program's Proxies stand for, or o itself.
function behindProxies(o: any): any {
  for (let t = o; t !== undefined; t = behindProxy.get(o)?.[0]) o = t;
  return o;
}

// What is done through a Proxy is hardly seen: neither it nor what it is made for can be followed.
watching.proxies = (o) => {
  if (proxied.has(o)) log.unloggable('an object that a Proxy was made for is stored in shared state');
  if (!behindProxy.has(o)) return false;
  log.unloggable('a Proxy is stored in shared state');
  return true;
};

// owner is the tracked object whose property k a getter was called for: `this`
// inherits from it, or is a Proxy for it.
function owner(self: any, k: string): Rec {
  for (let o = self; o !== null && o !== undefined; ) {
    const target = behindProxy.get(o)?.[0];
    if (target === undefined) {
      const r = recOf(o);
      if (r !== undefined && hasOwn(o, k)) return r;
    }
    o = target ?? Object.getPrototypeOf(o);
  }
  throw new TypeError(`Illegal read of ${k}`);
}

// ---- prototypes

const proxies = new WeakMap<object, object>();
const behind = new WeakMap<object, object | null>();

// proxyOf is what takes the place of a prototype.
function proxyOf(proto: object | null): object {
  if (proto === null) return nullProxy;
  let p = proxies.get(proto);
  if (p === undefined) proxies.set(proto, (p = protoProxy(proto)));
  return p;
}

// standFor notes that p takes the place of a prototype.
export function standFor(p: object, proto: object | null): void {
  behind.set(p, proto);
}

// protoOf is the prototype that the program sees in place of p.
export function protoOf(p: any): any {
  const proto = p === null ? undefined : behind.get(p);
  return proto === undefined ? p : proto;
}

const RawProxy = Proxy;

let tagged: (() => void) | null = null;

// whenTagged calls f once, before the first object is tracked whose class says by itself
// what its Symbol.toStringTag is.
export function whenTagged(f: () => void): void {
  tagged = f;
}

function protoProxy(proto: object | null): object {
  const target: any = proto ?? Object.create(null);
  if (tagged !== null && inheritedBy(target, Symbol.toStringTag)?.get !== undefined) {
    const f = tagged;
    tagged = null;
    f();
  }
  const p = new RawProxy(target, {
    get(_t, k, receiver) {
      const r = recOf(receiver) as ObjectRec | undefined;
      if (r !== undefined) {
        if (k === T) return true;
        if (k === '__proto__' && proto !== null) return proto;
        if (typeof k === 'string') {
          if (k === 'toJSON') readShape(r);
          if (log.live()) {
            // Also what is inherited: whether the object has it of its own is shared state.
            r.look(k);
          }
        }
      }
      return Reflect.get(target, k, receiver);
    },
    set(_t, k, v, by) {
      const receiver = behindProxies(by);
      const r = recOf(receiver) as ObjectRec | undefined;
      if (r === undefined) return Reflect.set(target, k, v, receiver);
      const inherited = inheritedBy(target, k);
      if (inherited !== undefined && !('value' in inherited)) {
        if (k === '__proto__') log.unloggable('the prototype of an object in shared state is changed');
        if (inherited.set === undefined) return false;
        inherited.set.call(receiver, v);
        return true;
      }
      if (inherited !== undefined && !inherited.writable) return false;
      if (!Object.isExtensible(receiver)) return false;
      if (typeof k === 'symbol') {
        log.unloggable('a symbol is made a key of shared state');
        return Reflect.defineProperty(receiver, k, { value: v, writable: true, enumerable: true, configurable: true });
      }
      const op = log.nextOp();
      share(v, op, r.declared);
      let f: Field;
      if (log.live()) {
        f = r.comes(k);
        log.write(f, op, v, ref);
        log.change((r.shape ??= new Shape(r)), op, { add: k });
      } else f = new Field(r, k, v);
      place(r, f, v);
      return true;
    },
    getPrototypeOf: () => proto,
    setPrototypeOf: (_t, q) => q === proto,
  });
  standFor(p, proto);
  return p;
}

// place gives the object a property that it did not have.
function place(r: ObjectRec, f: Field, v: any): void {
  const i = typeof f.name === 'string' ? r.layout.names.indexOf(f.name) : -1;
  f.value = v;
  if (i >= 0) r.slots[i] = f;
  else {
    const known = r.more?.get(f.name);
    if (known === undefined) (r.more ??= new Map()).set(f.name, f);
    else if (known !== f) (f = known).value = v;
  }
  defineField(r.target, f, true);
}

const nullProxy = protoProxy(null);

function inheritedBy(proto: any, k: PropertyKey): PropertyDescriptor | undefined {
  for (let p = proto; p !== null; p = Object.getPrototypeOf(p)) {
    const d = getOwnPropertyDescriptor(p, k);
    if (d !== undefined) return d;
  }
  return undefined;
}

// ---- what natives and sites ask

export function readShape(r: Rec): void {
  if (log.live() && r.shape !== null) log.read(r.shape);
}

// readPresence reads whether the object has k of its own.
export function readPresence(r: ObjectRec, k: string | symbol): void {
  if (log.live()) r.look(k);
}

export function deleteField(r: ObjectRec, k: PropertyKey): boolean {
  const o = r.target;
  const name = typeof k === 'number' ? String(k) : k;
  if (!hasOwn(o, k)) {
    readPresence(r, name);
    return true;
  }
  if (!Object.isExtensible(o) || !getOwnPropertyDescriptor(o, k)!.configurable) return false;
  if (typeof name === 'symbol') log.unloggable('a symbol is no longer a key of shared state');
  const op = log.nextOp();
  let f = r.find(name);
  if (log.live()) {
    if (f === undefined) {
      const i = typeof name === 'string' ? r.layout.names.indexOf(name) : -1;
      f = new Field(r, name, i >= 0 ? r.slots[i] : getOwnPropertyDescriptor(o, k)!.value);
      if (i >= 0) r.slots[i] = f;
      else (r.more ??= new Map()).set(name, f);
    }
    log.write(f, op, absent, ref);
    log.change((r.shape ??= new Shape(r)), op, { remove: f.key as string });
    if (f.born) (r.forgotten ??= new Forgotten(r)).went();
  }
  if (f !== undefined) f.value = absent;
  else forget(r, name);
  return delete o[k];
}

// forget: while init runs, a field that is deleted is as if it had never been.
function forget(r: ObjectRec, name: Name): void {
  const i = typeof name === 'string' ? r.layout.names.indexOf(name) : -1;
  if (i >= 0) r.slots[i] = new Field(r, name, absent);
  else r.more?.delete(name);
}

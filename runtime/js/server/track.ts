// Tracked objects, in place: when an object becomes reachable from a loggable
// container its own properties become accessors and its prototype a Proxy that
// sees absent and new keys; Map, Set and Array get a tracking prototype. So
// every alias, older ones included, is seen, and untouched objects cost nothing.
import { ofPlatform } from '../shared/inferred';
import { Things } from '../shared/tracked';
import { DateV, RegExpV } from './advice';
import { keeps } from './connections';
import * as log from './log';
import { Absent, Rec, Ref, type Val } from './log';

export const absent = new Absent();
// Natives as they are before installNatives makes them report what they look at.
export const { keys: ownNames, hasOwn, getPrototypeOf: prototypeOf, getOwnPropertyDescriptor, defineProperty, setPrototypeOf } = Object;
export const { ownKeys } = Reflect;
export const natives = { ownKeys, getOwnPropertyDescriptor, defineProperty };

// Stamp puts a private field on any object: invisible to the program, cheap to test.
class Returns {
  constructor(o: object) {
    return o;
  }
}
class Stamp extends Returns {
  #rec: Rec;
  constructor(o: object, r: Rec) {
    super(o);
    this.#rec = r;
  }
  static of(o: any): Rec | undefined {
    return #rec in o ? (o as Stamp).#rec : undefined;
  }
}

export function stamp(r: Rec): void {
  new Stamp(r.target, r);
  if (log.initOpen) r.o = 2 * things.next(undefined);
}

export function recOf(o: any): Rec | undefined {
  return (typeof o === 'object' && o !== null) || typeof o === 'function' ? Stamp.of(o) : undefined;
}

// stamped is recOf for what is known to be an object.
export const stamped: (o: any) => Rec | undefined = Stamp.of;

class Numbers {
  private readonly objects = new WeakMap<object, number>();
  private readonly symbols = new Map<symbol, number>();
  get(k: any): number | undefined {
    return typeof k === 'symbol' ? this.symbols.get(k) : this.objects.get(k);
  }
  set(k: any, n: number): void {
    if (typeof k === 'symbol') this.symbols.set(k, n);
    else this.objects.set(k, n);
  }
}

export const things = new Things(new Numbers(), new WeakMap());

// lenient: while init runs, what nobody declared shared may hold what cannot be
// logged (handlers, a server's handle): as long as it stays where init put it,
// nobody logs it, and `ref` speaks up when somebody must.
const lenient = (declared: boolean): boolean => !declared && log.initOpen;

function unfit(v: any): void {
  keeps(v);
  if (typeof v === 'function') log.unloggable(`a function that was not made at load is stored in shared state`);
  else if (typeof v === 'symbol') log.unloggable(`a symbol that was not made at load is stored in shared state`);
  else log.unloggable(`an instance of ${prototypeOf(v)?.constructor?.name ?? 'unknown'} is stored in shared state`);
}

// Publication is one walk over what becomes reachable by a write. A publisher
// tracks one object, and gives to `reach` what that refers to.
export interface Publication {
  readonly op: number;
  readonly declared: boolean;
  index: number;
  reach(x: any): void;
  complain(what: string): void;
}

export type Publisher = (o: any, proto: object | null, p: Publication) => boolean;
const publishers: Publisher[] = [];

// publishing adds a publisher, which returns false for what is not its own.
export function publishing(f: Publisher): void {
  publishers.push(f);
}

class Walk implements Publication {
  readonly queue: object[] = [];
  index = 0;
  constructor(
    readonly op: number,
    readonly declared: boolean,
  ) {}
  reach(x: any): void {
    if (typeof x === 'object' && (x === null || !ofPlatform(x))) {
      if (x !== null && Stamp.of(x) === undefined) this.queue.push(x);
    } else if (typeof x === 'object' || typeof x === 'function' || typeof x === 'symbol') this.known(x);
  }
  // known: what init met has a number, and stays as it is.
  private known(x: any): void {
    if (log.initOpen) things.add(x);
    else if (things.of(x) < 0) unfit(x);
  }
  complain(what: string): void {
    if (!lenient(this.declared)) log.unloggable(`${what} is stored in shared state`);
  }
  run(): void {
    for (let i = 0; i < this.queue.length; i++) {
      const o = this.queue[i];
      if (Stamp.of(o) !== undefined || isValue(o) || watching.proxies(o)) continue;
      if (this.publish(o)) this.index++;
      else if (things.of(o) < 0) this.foreign(o);
    }
  }
  private publish(o: object): boolean {
    const proto = prototypeOf(o);
    for (let i = 0; i < publishers.length; i++) if (publishers[i](o, proto, this)) return true;
    return false;
  }
  // foreign: what cannot be tracked may stay where init put it, but not if changes
  // inside of it would go unseen.
  private foreign(o: object): void {
    if (lenient(this.declared) && ArrayBuffer.isView(o)) watching.bytes(o);
    else if (!lenient(this.declared) || o instanceof Map || o instanceof Set || Array.isArray(o)) unfit(o);
  }
}

// share makes v, and what is reachable from it, tracked, as an effect of the
// write numbered op to something that was declared shared, or inferred to be; it
// returns v.
export function share(v: any, op: number, declared: boolean): any {
  if (typeof v === 'object' ? v === null || Stamp.of(v) !== undefined : typeof v !== 'function' && typeof v !== 'symbol') return v;
  const w = new Walk(op, declared);
  w.reach(v);
  w.run();
  return v;
}

// watching is told of what is not tracked but must not change unnoticed
// (track-values.ts sets it).
export const watching = {
  date: (_d: Date): void => {},
  bytes: (_b: ArrayBufferView): void => {},
  // proxies tells whether an object is a Proxy, which is not tracked (track-objects.ts).
  proxies: (_o: object): boolean => false,
};

// isValue: objects that the log holds by content.
function isValue(o: object): boolean {
  if (o instanceof Date) watching.date(o);
  return o instanceof Date || o instanceof RegExp;
}

// ref gives a value as the log holds it.
export function ref(v: any): Val {
  if (typeof v !== 'object' && typeof v !== 'function' && typeof v !== 'symbol') return v;
  if (v === null) return v;
  if (v === absent) return absent;
  if (typeof v !== 'symbol') {
    const r = Stamp.of(v);
    if (r !== undefined) return new Ref(log.objectRef(r));
  }
  const n = things.of(v);
  if (n >= 0) return new Ref(2 * n);
  if (v instanceof Date) return new DateV(v.getTime());
  if (v instanceof RegExp) return new RegExpV(v.source, v.flags, v.lastIndex);
  return void unfit(v);
}

// def makes known what init defines.
export function def(x: any): any {
  if (log.initOpen) things.add(x);
  return x;
}

export function defs(...xs: any[]): void {
  if (log.initOpen) for (const x of xs) things.add(x);
}

// loggable makes the contents of a container loggable. (A binding is made
// loggable by boxing it: the emitted code replaces it by the field of a box.)
export function loggable(v: any): any {
  if (typeof v !== 'object' || v === null) return v;
  return share(v, log.nextOp(), true);
}

export function box(v: any): { v: any } {
  return loggable({ v });
}


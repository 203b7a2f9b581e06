// Promise reactions as activations. Both builds patch their realm with this, so
// that `then` counts registrations alike and a continuation knows, besides its
// registrant, the activation that settled its promise.
//
// Where R-concurrent activations compete to settle a promise (two calls of its
// resolve and reject functions, the members of race and any, two rejections in
// all), the server records who won, in that activation or in the one that came
// too late; re-execution follows the record (competition).
import { type Activation, context, current, fire, precedes, Slot } from './activation';
import { T } from './tracked';

// A promise has its slot in a private field, which the program cannot see and no Proxy is asked for.
class Returns {
  constructor(o: object) {
    return o;
  }
}
class Settled extends Returns {
  #slot: Slot;
  private constructor(p: object, s: Slot) {
    super(p);
    this.#slot = s;
  }
  static of(p: any): Slot | null {
    return typeof p === 'object' && p !== null && #slot in p ? (p as Settled).#slot : null;
  }
  static by(p: any, s: Slot): void {
    if (#slot in p) (p as Settled).#slot = s;
    else new Settled(p, s);
  }
}

export const slotOf = Settled.of;

function attach(p: any, s: Slot): void {
  Settled.by(p, s);
  rejections.made(s, p);
}

// What the two builds do about competitions.
export const competition = {
  // won: is the current activation the one that settles a race? open: none has yet.
  won: (open: boolean): boolean => open,
  // undecided: all members of a race are there, and none has won.
  undecided: (): void => {},
  // loses: must the current activation's settles-th settling come to nothing,
  // although nobody else settled the promise yet?
  loses: (_a: Activation): boolean => false,
  // beaten: it comes to nothing, because winner, which does not precede it, was first.
  beaten: (_a: Activation, _settles: number, _winner: Activation): void => {},
};

// What the verifier keeps of rejections. The server's platform knows by itself.
export const rejections = {
  made: (_s: Slot, _p: Promise<any>): void => {},
  // handled: somebody reacts to the promise with this slot.
  handled: (_s: Slot): void => {},
  rejected: (_s: Slot, _reason: any): void => {},
  // follows: the first promise will be settled as the second is.
  follows: (_s: Slot, _t: Slot): void => {},
};

// settle notes who settles a promise; false if it is settled already.
function settle(s: Slot): boolean {
  const a = current;
  if (a !== null) {
    a.settles++;
    if (s.done) {
      const w = s.by;
      if (w !== null && w.run === a.run && !precedes(w, a)) competition.beaten(a, a.settles, w);
      return false;
    }
    if (competition.loses(a)) {
      (s.losers ??= []).push(a);
      return false;
    }
    if (s.losers !== null) for (const l of s.losers) competition.beaten(l, -1, a);
  }
  if (s.done) return false;
  settleBy(s);
  return true;
}

function settleBy(s: Slot): void {
  s.done = true;
  s.by = current;
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

// What the two builds know of values.
export const values = {
  // proxy: the target and the handler of a Proxy of the program's own.
  proxy: (_v: any): [target: any, handler: any] | undefined => undefined,
  // several: does it stand for one value in each lane?
  several: (_v: any): boolean => false,
  // alike parts the lanes if it does: what they are to do with it differs.
  alike: (_v: any, _what: string): void => {},
};

const isPromise = (v: any): v is Promise<any> => values.proxy(v) === undefined && v instanceof Promise;

// Whoever resolves a promise reads the value's `then` once. Where that runs code of the
// program's (a getter, as avvio's and so Fastify's instances have, or a Proxy), and what
// is there is no function, the platform must not read it again: the promise
// holds the value in one of these until somebody reacts.
class Held {
  constructor(readonly value: any) {}
}
Object.setPrototypeOf(Held.prototype, null);
let held = false; // has there been any?

function hold(v: any): Held {
  held = true;
  return new Held(v);
}

export function letGo(v: any): any {
  return held && typeof v === 'object' && v !== null && values.proxy(v) === undefined && getPrototypeOf(v) === Held.prototype ? v.value : v;
}

// lettingGo is a reaction that the platform calls as it is.
export function lettingGo(f: any): any {
  return typeof f === 'function' ? (v: any) => f(letGo(v)) : f;
}

// asks tells whether to read `then` of v runs code of the program's.
function asks(v: any): boolean {
  if (values.several(v)) return false;
  for (let o = v; o !== null; o = getPrototypeOf(o)) {
    if (values.proxy(o) !== undefined) return true;
    if (o[T] !== undefined) return false; // its accessors are ours
    const d = getOwnPropertyDescriptor(o, 'then');
    if (d !== undefined) return d.get !== undefined;
  }
  return false;
}

// resolution is what to resolve a promise with slot s by, for v: another promise,
// a value, or what stands for a thenable of the program's own, whose `then` is an
// activation.
function resolution(s: Slot, v: any): any {
  if (isPromise(v)) {
    s.adopt = slotOf(v);
    if (s.adopt !== null) rejections.follows(s, s.adopt);
    return v;
  }
  const by = current;
  if (by === null || ((typeof v !== 'object' || v === null) && typeof v !== 'function')) return v;
  let then: any;
  try {
    then = v.then;
  } catch (e) {
    return {
      get then() {
        throw e;
      },
    };
  }
  if (then !== undefined && values.several(v)) values.alike(v, 'what a promise is resolved by');
  values.alike(then, 'what a promise is resolved by');
  if (typeof then !== 'function') return asks(v) ? hold(v) : v;
  const op = ++by.ops;
  const within = context;
  return {
    then(resolve: any, reject: any): any {
      const t = new Slot();
      s.adopt = t;
      rejections.handled(t);
      rejections.follows(s, t);
      return fire(by, op, 0, null, null, within, then, v, settlers(t, resolve, reject));
    },
  };
}

// settlers are the functions that settle the promise with slot s.
function settlers(s: Slot, resolve: any, reject: any): [any, any] {
  return [
    (v: any) => {
      if (settle(s)) resolve(resolution(s, v));
    },
    (e: any) => {
      if (!settle(s)) return;
      rejections.rejected(s, e);
      reject(e);
    },
  ];
}

// newPromise stands for `new Promise(executor)` in guest code.
export function newPromise(executor: any): Promise<any> {
  if (current === null || typeof executor !== 'function') return new Promise(executor);
  const s = new Slot();
  const p = new Promise((resolve, reject) => {
    const [f, g] = settlers(s, resolve, reject);
    try {
      executor(f, g);
    } catch (e) {
      g(e);
    }
  });
  attach(p, s);
  return p;
}

// combine makes the promise that all, race and any answer with.
function combine(s: Slot, start: (resolve: (v: any) => void, reject: (e: any) => void) => void): Promise<any> {
  const p = new Promise((resolve, reject) =>
    start(resolve, (e) => {
      rejections.rejected(s, e);
      reject(e);
    }),
  );
  attach(p, s);
  return p;
}

// Each member of a combination is a reaction, and so an activation.
type Member = (i: number, v: any) => void;

function members(list: any[], fulfilled: Member, rejected: Member): void {
  for (let i = 0; i < list.length; i++) {
    Promise.resolve(list[i]).then(
      (v: any) => fulfilled(i, v),
      (e: any) => rejected(i, e),
    );
  }
}

// all fulfils when all members have; the first rejection wins.
function all(list: any[]): Promise<any> {
  const s = new Slot();
  return combine(s, (resolve, reject) => {
    const values = new Array(list.length);
    let left = list.length;
    let came = 0;
    const arrived = () => {
      if (++came === list.length && left > 0 && !s.done) competition.undecided();
    };
    if (left === 0) return resolve(values);
    s.all = slotsOf(list);
    members(
      list,
      (i, v) => {
        values[i] = v;
        if (--left === 0) resolve(values);
        arrived();
      },
      (_i, e) => {
        if (competition.won(!s.done)) {
          settleBy(s);
          s.all = null;
          reject(e);
        }
        arrived();
      },
    );
  });
}

// race is settled by its first member.
function race(list: any[]): Promise<any> {
  const s = new Slot();
  return combine(s, (resolve, reject) => {
    let came = 0;
    const contend = (f: (v: any) => void): Member => (_i, v) => {
      if (competition.won(!s.done)) {
        settleBy(s);
        f(v);
      }
      if (++came === list.length && !s.done) competition.undecided();
    };
    members(list, contend(resolve), contend(reject));
  });
}

// any fulfils with the first member that does, or fails with all that they failed with.
function any(list: any[]): Promise<any> {
  const s = new Slot();
  return combine(s, (resolve, reject) => {
    const errors = new Array(list.length);
    const failed: Slot[] = [];
    let came = 0;
    const nobody = () => {
      s.all = failed;
      s.done = true;
      reject(new AggregateError(errors, 'All promises were rejected'));
    };
    if (list.length === 0) return nobody();
    members(
      list,
      (_i, v) => {
        if (competition.won(!s.done)) {
          settleBy(s);
          resolve(v);
        }
        if (++came === list.length && !s.done) competition.undecided();
      },
      (i, e) => {
        errors[i] = e;
        const f = new Slot();
        settleBy(f);
        failed.push(f);
        if (++came < list.length || s.done) return;
        if (failed.length === list.length) nobody();
        else competition.undecided();
      },
    );
  });
}

function allSettled(list: any[], native: any): Promise<any> {
  const p: Promise<any> = Reflect.apply(native, Promise, [list]) as any;
  const s = new Slot();
  s.all = slotsOf(list);
  attach(p, s);
  return p;
}

function slotsOf(list: any[]): Slot[] {
  return list.map(slotOf).filter((x): x is Slot => x !== null);
}

// install patches Promise in this realm.
export function install(): void {
  const nativeThen = Promise.prototype.then;
  const then = {
    then(this: Promise<any>, onFulfilled?: any, onRejected?: any): any {
      const by = current;
      values.alike(onFulfilled, 'a reaction to a promise');
      values.alike(onRejected, 'a reaction to a promise');
      const source = slotOf(this);
      if (source !== null) rejections.handled(source);
      if (by === null || !isPromise(this)) return Reflect.apply(nativeThen, this, held ? [lettingGo(onFulfilled), onRejected] : arguments);
      const op = ++by.ops;
      const within = context;
      const s = new Slot();
      const reaction = (f: any, rethrow: boolean) =>
        function (v: any) {
          try {
            if (typeof f !== 'function') {
              s.adopt = source;
              if (rethrow) throw v;
              return v;
            }
            return fire(by, op, 0, source, null, within, (x: any) => (settleBy(s), resolution(s, f(x))), undefined, [letGo(v)]);
          } catch (e) {
            rejections.rejected(s, e);
            throw e;
          }
        };
      const p = Reflect.apply(nativeThen, this, [reaction(onFulfilled, false), reaction(onRejected, true)]);
      if (p instanceof Promise) attach(p, s);
      return p;
    },
  }.then;
  define(Promise.prototype, 'then', then);
  const resolve = Promise.resolve;
  define(Promise, 'resolve', function (this: any, v: any) {
    if (current === null || this !== Promise || isPromise(v)) return Reflect.apply(resolve, this, [v]);
    const s = new Slot();
    const r = resolution(s, v);
    const p = Reflect.apply(resolve, this, [r]);
    if (r !== v && letGo(r) !== v) attach(p, s);
    return p;
  });
  const reject = Promise.reject;
  define(Promise, 'reject', function (this: any, e: any) {
    const p = Reflect.apply(reject, this, [e]);
    if (current === null || this !== Promise) return p;
    const s = new Slot();
    settleBy(s);
    attach(p, s);
    rejections.rejected(s, e);
    return p;
  });
  for (const [name, f] of [['all', all], ['race', race], ['any', any], ['allSettled', allSettled]] as const) {
    const native: any = Promise[name];
    define(Promise, name, function (this: any, items: any) {
      if (current === null || this !== Promise || items === null || items === undefined) return Reflect.apply(native, this, [items]);
      let list: any[];
      try {
        const iterator = items[Symbol.iterator];
        // The engine had better say why it cannot go over what is no list.
        if (typeof iterator !== 'function') return Reflect.apply(native, this, [items]);
        list = Array.from({ [Symbol.iterator]: () => Reflect.apply(iterator, items, []) });
      } catch (e) {
        return Promise.reject(e);
      }
      return f(list, native);
    });
  }
}

function define(o: any, k: string, f: Function): void {
  const d = Object.getOwnPropertyDescriptor(o, k)!;
  Object.defineProperty(f, 'name', { value: k, configurable: true });
  Object.defineProperty(f, 'length', { value: d.value.length, configurable: true });
  Object.defineProperty(o, k, { ...d, value: f });
}

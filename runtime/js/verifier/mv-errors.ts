// Errors in a group. Lanes must throw together; a native TypeError may only
// mean that a native function met a multivalue, so it counts as divergence
// unless its text shows that it does not.
import { hint } from './track-hooks';
import { isGuestProxy } from './mv-dispatch';
import { constructorNamed, noteMessage } from './mv-natives';
import { anyMV, diverge, divergeBy, isMV, lane, lanesOf, native, norm, state } from './mv-core';

// Errors that the program made, or that all lanes would have met alone.
const genuine = new native.WeakSet<object>();

export function isGenuine(e: object): boolean {
  return genuine.has(e);
}

export function markGenuine<E extends object>(e: E): E {
  genuine.add(e);
  return e;
}

export function throwTypeError(message: string): never {
  throw markGenuine(new native.TypeError(message));
}

// perLane runs f for every lane. It is for what the engine does, not for guest code.
export function perLane(f: (i: number) => any, own = false): any {
  return norm(collect(f), own);
}

// collect yields what f yields for each lane, or throws what all of them throw.
export function collect(f: (i: number) => any): any[] {
  const n = state.N;
  const r = new native.Array(n);
  let failed = 0;
  const saved = hint.lane;
  for (let i = 0; i < n; i++) {
    try {
      hint.lane = i; // tracked objects that f meets are asked for this lane
      r[i] = f(i);
    } catch (e) {
      if (state.D !== null) throw state.D;
      if (failed !== i) return mixed(f, i);
      failed++;
      r[i] = e;
    } finally {
      hint.lane = saved;
    }
    if (failed !== 0 && failed !== i + 1) return mixed(f, i);
  }
  if (failed === 0) return r;
  throw zipErrors(r);
}

function mixed(f: (i: number) => any, at: number): never {
  const threw = new native.Array(state.N);
  for (let i = 0; i < state.N; i++) {
    try {
      f(i);
      threw[i] = false;
    } catch {
      threw[i] = true;
    }
    if (state.D !== null) throw state.D;
  }
  return divergeBy(`an error in some lanes, first in lane ${at}`, threw);
}

// zipErrors makes one error out of those that the lanes threw.
export function zipErrors(errors: any[]): any {
  const proto = native.getProto(errors[0]);
  for (const e of errors) {
    if (!(e instanceof native.Error) || native.getProto(e) !== proto || native.ownKeys(e).length !== native.ownKeys(errors[0]).length) return norm(errors, true);
    markGenuine(e);
  }
  const message = norm(errors.map((e) => e.message));
  if (!isMV(message)) return errors[0];
  const e = new native.Error('');
  native.setProto(e, proto);
  setMessage(e, message);
  return markGenuine(e);
}

// setMessage gives an error a message. The engine writes its stack when it is
// first asked for, by way of Error.prepareStackTrace (driver.ts).
export function setMessage(e: any, message: any): void {
  native.define(e, 'message', { value: message, writable: true, enumerable: false, configurable: true });
}

// misused calls a native function with an x that is none where it wants a function. The engine of
// Node.js has other words for that than this one, which says more, or less.
export function misused(f: any, t: any, args: ArrayLike<any>, x: any, words?: string): any {
  try {
    return native.apply(f, t, args);
  } catch (e) {
    if (e instanceof native.TypeError && wantsFunction.test(e.message)) setMessage(e, words ?? `${shown(x)} is not a function`);
    throw e;
  }
}
const wantsFunction = / is not a function$|^The comparison function must be /;

// shown is x as the engine shows it in messages.
function shown(x: any): string {
  try {
    return native.construct(NativePromise, [x]);
  } catch (e: any) {
    return e.message.slice('Promise resolver '.length, -' is not a function'.length);
  }
}
const NativePromise = Promise;

// capture replaces Error.captureStackTrace.
function capture(f: any) {
  return function captureStackTrace(o: any, skip?: any): void {
    if (isMV(o)) diverge('captureStackTrace of a value that differs by lane');
    f(o, skip ?? captureStackTrace);
  };
}

const harmless = /^(Cannot (read|set) propert(y|ies) of (undefined|null)|Cannot destructure|Assignment to constant|Cannot delete property|Cannot assign to read only)/;

// suspect: an error that may not be the program's own.
export function suspect(e: any): boolean {
  if (state.N === 1 || state.made === 0 || typeof e !== 'object' || e === null) return false;
  if (e instanceof native.TypeError) return !genuine.has(e) && !(typeof e.message === 'string' && harmless.test(e.message));
  return e instanceof RangeError && !genuine.has(e) && e.message === 'Maximum call stack size exceeded';
}

// caught begins every catch clause.
export function caught(e: any): void {
  if (state.D !== null) throw state.D;
  if (typeof e !== 'object' || e === null || isGuestProxy(e)) return;
  if (state.N > 1 && suspect(e)) diverge('a native error: ' + e.message);
  if (e instanceof native.TypeError && !genuine.has(e)) noteMessage(native.getOwn(e, 'message')?.value);
}

// finallyDo begins every finally block.
export function finallyDo(): void {
  if (state.D !== null) throw state.D;
}

const NativeError = native.Error;

// installErrors replaces the error constructors by ones that take multivalues
// as messages and remember what they made.
export function installErrors(replace: (name: string, f: Function) => void): void {
  const made = new native.Map<Function, Function>();
  for (const name of ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError']) {
    const f = (globalThis as any)[name];
    if (typeof f !== 'function') continue;
    const at = name === 'AggregateError' ? 1 : 0;
    const g = constructorNamed(name, (args, newTarget, self) => {
      const target = newTarget ?? self;
      let e: any;
      if (state.N > 1 && anyMV(args)) {
        const message = args[at];
        if (isMV(args[at + 1])) diverge('options that differ by lane');
        const rest = args.slice();
        rest[at] = isMV(message) ? undefined : message;
        e = native.construct(f, rest, target);
        if (isMV(message)) {
          if (lanesOf(message).some((m) => m === undefined)) divergeBy('an error message', lanesOf(message).map((m) => m === undefined));
          setMessage(e, state.L >= 0 ? native.String(lanesOf(message)[state.L]) : toStrings(message));
        }
      } else e = native.construct(f, args, target);
      genuine.add(e);
      return e;
    });
    for (const k of native.ownKeys(f)) {
      const d = native.getOwn(f, k)!;
      if (k === 'prototype') native.define(g, k, { value: f.prototype, writable: false, enumerable: false, configurable: false });
      else if (name === 'Error' && (k === 'stackTraceLimit' || k === 'prepareStackTrace')) continue;
      else if (k === 'captureStackTrace') native.define(g, k, { ...d, value: capture(d.value) });
      else native.define(g, k, d);
    }
    if (name === 'Error') {
      // The engine reads these of its own constructor.
      for (const k of ['stackTraceLimit', 'prepareStackTrace']) {
        native.define(g, k, {
          get: () => (NativeError as any)[k],
          set: (x) => {
            (NativeError as any)[k] = x;
          },
          enumerable: true,
          configurable: true,
        });
      }
    }
    native.define(f.prototype, 'constructor', { value: g, writable: true, enumerable: false, configurable: true });
    made.set(f, g);
    replace(name, g);
  }
  made.forEach((g, f) => {
    const above = made.get(native.getProto(f));
    if (above !== undefined) native.setProto(g, above);
  });
}

function toStrings(message: any): any {
  return perLane((i) => {
    const m = lanesOf(message)[i];
    if (typeof m === 'object' && m !== null) diverge('an error message that is an object');
    if (typeof m === 'symbol') throwTypeError('Cannot convert a Symbol value to a string');
    return native.String(m);
  });
}

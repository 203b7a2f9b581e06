// The timers that are promises, made of those that take callbacks, so that both
// builds count what they register alike.
import { coded, invalidThis, invalidType } from '../models/internal/errors';
import { newPromise, values } from './promises';

// aborted is the error of what a signal stopped.
export function aborted(signal: any): any {
  const e: any = new Error('The operation was aborted');
  Object.defineProperty(e, 'cause', { value: signal.reason, writable: true, configurable: true });
  e.code = 'ABORT_ERR';
  e.name = 'AbortError';
  return e;
}

// refusal is what Node.js has against arguments, if anything.
function refusal(delay: any, options: any): any {
  values.alike(delay, 'how long to wait');
  values.alike(options, 'how to wait');
  for (const key of ['signal', 'ref']) values.alike(options?.[key], 'how to wait');
  if (delay !== undefined && typeof delay !== 'number') return invalidType('delay', 'of type number', delay);
  if (options === null || typeof options !== 'object') return invalidType('options', 'of type object', options);
  const { signal, ref } = options;
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) return invalidType('options.signal', 'an instance of AbortSignal', signal);
  if (ref !== undefined && typeof ref !== 'boolean') return invalidType('options.ref', 'of type boolean', ref);
  return null;
}

function waiting(start: (done: () => void) => any, clear: (handle: any) => void, delay: any, value: any, options: any): Promise<any> {
  let stop: any;
  const timed: any = newPromise((resolve: any, reject: any) => {
    const refused = refusal(delay, options);
    if (refused !== null) return reject(refused);
    const signal = options.signal;
    if (signal?.aborted) return reject(aborted(signal));
    const handle = start(() => resolve(value));
    if (options.ref === false) handle.unref();
    if (!signal) return;
    stop = () => {
      clear(handle);
      reject(aborted(signal));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  if (stop === undefined) return timed;
  // As in Node.js, whose promise takes so many turns.
  const settled: any = newPromise((resolve: any, reject: any) => timed.then(resolve, reject));
  return newPromise((resolve: any, reject: any) => settled.finally(() => options.signal.removeEventListener('abort', stop)).then(resolve, reject));
}

export function setTimeout(ms: any, value: any, options: any = {}): Promise<any> {
  const g = globalThis as any;
  return waiting((done) => g.setTimeout(done, ms), g.clearTimeout, ms, value, options);
}

export function setImmediate(value: any, options: any = {}): Promise<any> {
  const g = globalThis as any;
  return waiting((done) => g.setImmediate(done), g.clearImmediate, undefined, value, options);
}

// setInterval is an iterator over the firings, whose timer starts when the first is asked for.
export function setInterval(ms: any, value: any, options: any = {}): any {
  const g = globalThis as any;
  const refused = refusal(ms, options);
  const signal = refused === null ? options.signal : undefined;
  const waiting: { resolve: (r: any) => void; reject: (e: any) => void }[] = [];
  let handle: any = null;
  let due = 0;
  let over = false;
  // What the next one to ask is told once.
  let failed: any = null;
  const stop = () => {
    if (handle !== null) g.clearInterval(handle);
    if (handle !== null && signal) signal.removeEventListener('abort', abort);
    over = true;
  };
  const finish = () => {
    stop();
    due = 0;
    for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
  };
  const abort = () => {
    stop();
    const first = waiting.shift();
    if (first === undefined) failed = aborted(signal);
    else {
      first.reject(aborted(signal));
      finish();
    }
  };
  const start = () => {
    handle = g.setInterval(() => {
      if (waiting.length > 0) waiting.shift()!.resolve({ value, done: false });
      else due++;
    }, ms);
    if (options.ref === false) handle.unref();
    if (signal) signal.addEventListener('abort', abort, { once: true });
  };
  const settled = (f: (resolve: any, reject: any) => void) => newPromise((resolve: any, reject: any) => f(resolve, reject));
  return {
    next: () =>
      settled((resolve, reject) => {
        if (refused !== null && !over) {
          over = true;
          return reject(refused);
        }
        if (handle === null && !over) {
          if (signal?.aborted) {
            stop();
            return reject(aborted(signal));
          }
          start();
        }
        if (due > 0) {
          due--;
          resolve({ value, done: false });
        } else if (failed !== null) {
          reject(failed);
          failed = null;
        } else if (over) resolve({ value: undefined, done: true });
        else waiting.push({ resolve, reject });
      }),
    return: (v?: any) =>
      settled((resolve) => {
        finish();
        resolve({ value: v, done: true });
      }),
    throw: (e?: any) =>
      settled((_resolve, reject) => {
        finish();
        reject(e);
      }),
    [Symbol.asyncIterator](): any {
      return this;
    },
  };
}

class Scheduler {
  constructor() {
    throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }
  wait(ms: any, options?: any): Promise<any> {
    checked(this);
    return setTimeout(ms, undefined, options);
  }
  yield(): Promise<any> {
    checked(this);
    return setImmediate(undefined);
  }
}

function checked(s: any): void {
  if (!(s instanceof Scheduler)) throw invalidThis('Scheduler');
}

export const scheduler: Scheduler = Object.create(Scheduler.prototype);

// install puts them behind util.promisify, too.
export function install(): void {
  // The bundler may have renamed them.
  for (const [name, f] of Object.entries({ setTimeout, setImmediate, setInterval })) Object.defineProperty(f, 'name', { value: name, configurable: true });
  const promisified = Symbol.for('nodejs.util.promisify.custom');
  const g = globalThis as any;
  for (const [f, p] of [[g.setTimeout, setTimeout], [g.setImmediate, setImmediate]]) for (const o of [f, p]) Object.defineProperty(o, promisified, { value: p, configurable: true });
}

// What a pipe hands on runs code of the program: a stream's own methods, or a
// middleware that acts when a response's headers are written. The platform
// registers a pipe's listeners itself, so both builds see to it that those for data
// and end are activations of whoever asked for the pipe, chained as the source's events.
// So are the steps of an iterator that the platform makes a stream of, or asks in a pipeline.
import { callback, current } from './activation';
import { heardAs } from './emitter';
import { ofNode } from './of-node';

type Run = (f: Function, self: any, args: ArrayLike<any>) => any;

const { apply, defineProperty } = Reflect;

// inOrder makes a runner whose runs are the source's events.
const inOrder = (source: any): Run => callback((f: Function, self: any, args: ArrayLike<any>) => apply(f, self, args), source);

// attributed runs f, and what it has the source call for the events that runs names is
// an activation each.
function attributed<V>(source: any, runs: Record<string, Run>, f: () => V): V {
  const { on } = source;
  const before = ['on', 'once'].map((k) => [k, Object.getOwnPropertyDescriptor(source, k)] as const);
  const heard = (run: Run, listener: any): any =>
    function (this: any, _chunk: any) {
      return run(listener, this, arguments);
    };
  const shadow = (k: string, value: Function) => defineProperty(source, k, { value, writable: true, configurable: true });
  shadow('on', (event: any, listener: any) => {
    const run = typeof event === 'string' ? runs[event] : undefined;
    return apply(on, source, [event, run === undefined ? listener : heardAs(heard(run, listener), listener)]);
  });
  shadow('once', (event: any, listener: any) => {
    const wrapped: any = heardAs(function (this: any) {
      source.removeListener(event, wrapped);
      return typeof event === 'string' && runs[event] !== undefined ? runs[event](listener, this, arguments) : apply(listener, this, arguments);
    }, listener);
    return apply(on, source, [event, wrapped]);
  });
  try {
    return f();
  } finally {
    for (const [k, d] of before) {
      if (d === undefined) delete source[k];
      else defineProperty(source, k, d);
    }
  }
}

const isStream = (s: any): boolean => typeof s === 'object' && s !== null && typeof s.pipe === 'function' && typeof s.on === 'function';

const isObject = (x: any): boolean => (typeof x === 'object' && x !== null) || typeof x === 'function';

// stepped is an iterable whose iterator makes its steps in activations of whoever hands it
// to the platform, one after the other.
function stepped(iterable: any): any {
  if (!isObject(iterable) || isStream(iterable) || iterable instanceof Uint8Array) return iterable;
  const key = iterable[Symbol.asyncIterator] ? Symbol.asyncIterator : Symbol.iterator;
  const begin = iterable[key];
  if (typeof begin !== 'function') return iterable;
  const run: Run = callback((f: Function, self: any, args: ArrayLike<any>) => apply(f, self, args), null, false, {});
  return {
    [key](): any {
      const it: any = apply(begin, iterable, []);
      if (!isObject(it)) return it;
      const { next } = it;
      const steps: any = { next: (...args: any[]) => run(next, it, args) };
      // Who stops early asks whether there are these.
      for (const k of ['throw', 'return']) {
        Object.defineProperty(steps, k, {
          get() {
            const f = it[k];
            return typeof f === 'function' ? (...args: any[]) => run(f, it, args) : f;
          },
        });
      }
      return steps;
    },
  };
}

// stage is a stage of a pipeline that the program wrote as an iterable, or as a function that makes one.
function stage(x: any): any {
  if (typeof x !== 'function') return stepped(x);
  return function (this: any, ...args: any[]) {
    return stepped(apply(x, this, args));
  };
}

// What the platform calls of a stream that the program made, when it sees fit.
const methods = ['_construct', '_read', '_write', '_writev', '_transform', '_flush', '_final', '_destroy'];

// seen marks streams that attributeMethods has dealt with: a Duplex is made into an emitter twice.
const seen = Symbol('seen');

// attributeMethods has them belong to whoever made the stream, as events of it. In Node they
// run in the turn that called for them, or in one of the platform's.
function attributeMethods(stream: any): void {
  const { Readable, Writable, Duplex, Transform, PassThrough } = stream;
  const bases = [Writable.prototype, Duplex.prototype, Transform.prototype];
  const inherited = new Set([Readable.prototype, ...bases].flatMap((p) => methods.map((k) => p[k])));
  const own = ['construct', 'read', 'write', 'writev', 'final', 'destroy', 'transform', 'flush'];
  const ours = (s: any, options: any): boolean => {
    if ((!(s instanceof Readable) && !(s instanceof Writable)) || s[ofNode] === true || Object.hasOwn(s, seen)) return false;
    const p = Object.getPrototypeOf(s);
    return p !== PassThrough.prototype && (!bases.includes(p) || own.some((k) => typeof options?.[k] === 'function'));
  };
  const EventEmitter = Object.getPrototypeOf(stream);
  const { init } = EventEmitter;
  EventEmitter.init = function (this: any, options: any): void {
    apply(init, this, [options]);
    if (current === null || !ours(this, options)) return;
    const run = inOrder(this);
    defineProperty(this, seen, { value: true });
    for (const k of methods) {
      let method = this[k];
      let called = method;
      const use = (f: any): void => {
        method = f;
        called = typeof f !== 'function' || inherited.has(f) ? f : function (this: any) {
          return current === null ? run(method, this, arguments) : apply(method, this, arguments);
        };
      };
      use(method);
      defineProperty(this, k, { get: () => called, set: use, configurable: true });
    }
  };
}

// install does so for pipe, pipeline and finished of module stream.
export function install(stream: any): void {
  attributeMethods(stream);
  const { Readable, promises } = stream;
  const replace = (o: any, k: string, value: Function) => {
    const old = o[k];
    for (const p of ['name', 'length', ...Object.getOwnPropertySymbols(old)]) {
      const d = Object.getOwnPropertyDescriptor(old, p);
      if (d !== undefined) defineProperty(value, p, d);
    }
    defineProperty(o, k, { ...Object.getOwnPropertyDescriptor(o, k)!, value });
  };

  const { from } = Readable;
  replace(Readable, 'from', function (this: any, iterable: any, ...options: any[]): any {
    return apply(from, this, [current === null ? iterable : stepped(iterable), ...options]);
  });

  // What is asked of each chunk.
  for (const k of ['map', 'filter', 'flatMap', 'forEach', 'some', 'every', 'find', 'reduce']) {
    const operator = Readable.prototype[k];
    if (operator === undefined) continue;
    replace(Readable.prototype, k, function (this: any, f: any, ...more: any[]): any {
      if (new.target !== undefined) return Reflect.construct(operator, [f, ...more]);
      return apply(operator, this, [callback(f, null, false, {}), ...more]);
    });
  }

  const { pipe } = Readable.prototype;
  replace(Readable.prototype, 'pipe', function (this: any): any {
    if (current === null || !isStream(this)) return apply(pipe, this, arguments);
    const runs: Record<string, Run> = { __proto__: null as any, end: inOrder(this), data: inOrder(this) };
    return attributed(this, runs, () => apply(pipe, this, arguments));
  });

  // ended runs f, which makes a pipeline: there, it is the pipeline that hears the ends.
  const ended = (list: any[], f: () => any): any => {
    const sources = list.length > 0 && Array.isArray(list[0]) ? list[0] : list;
    let run = f;
    for (const s of sources) {
      if (!isStream(s)) continue;
      const runs: Record<string, Run> = { __proto__: null as any, end: inOrder(s) };
      const inner = run;
      run = () => attributed(s, runs, inner);
    }
    return run();
  };
  const stages = (list: any[]): any[] => (list.length === 1 && Array.isArray(list[0]) ? [list[0].map(stage)] : list.map(stage));
  const { pipeline, finished } = stream;
  replace(stream, 'pipeline', (...args: any[]): any => {
    if (current === null || args.length === 0) return apply(pipeline, stream, args);
    const last = args.length - 1;
    args[last] = callback(args[last]);
    const list = stages(args.slice(0, last));
    return ended(list, () => apply(pipeline, stream, [...list, args[last]]));
  });
  replace(stream, 'finished', (s: any, ...args: any[]): any => {
    if (args.length > 0) args[args.length - 1] = callback(args[args.length - 1]);
    return apply(finished, stream, [s, ...args]);
  });
  const promised = promises.pipeline;
  replace(promises, 'pipeline', (...args: any[]): any => {
    if (current === null) return apply(promised, promises, args);
    const list = stages(args);
    return ended(list, () => apply(promised, promises, list));
  });
}

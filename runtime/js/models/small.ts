// Core modules of a few lines each.
import { Buffer } from './buffer';
import { coded, invalidType, unsupported } from './internal/errors';
import { loop, nondeterministic, still } from './internal/host';
import { delay, ofOS, utilization } from './internal/results';

const g = globalThis as any;

// ---- timers: the realm's own, which the driver provides

export const timers: any = { promises: g.$timers ?? {} };
for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'])
  Object.defineProperty(timers, name, { get: () => g[name], enumerable: true, configurable: true });

// ---- async_hooks

// The context in which an activation was registered, as a list of stores. The
// verifier's runtime threads it through; in sequential re-execution nobody does, and
// then nothing is better than a wrong store.
let alone: any = null;
let lost = false;
const threaded = (globalThis as any).$context !== undefined;
const contexts: { get(): any; set(c: any): void } = threaded ? (globalThis as any).$context : { get: () => alone, set: (c: any) => void (alone = c) };

function within(context: any, fn: any, self: any, args: any[]): any {
  const before = contexts.get();
  lost = !threaded;
  contexts.set(context);
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    contexts.set(before);
  }
}

// What code that runs within a context later is held by, where it can be seen that it is.
const held = Symbol('context');
function holding<O extends object>(o: O, context: any): O {
  return Object.defineProperty(o, held, { value: context });
}

export class AsyncLocalStorage {
  run(store: any, fn: any, ...args: any[]): any {
    return within({ of: this, store, outer: contexts.get() }, fn, undefined, args);
  }
  exit(fn: any, ...args: any[]): any {
    return this.run(undefined, fn, ...args);
  }
  getStore(): any {
    for (let c = contexts.get(); c !== null; c = c.outer) if (c.of === this) return c.store;
    if (lost) unsupported('AsyncLocalStorage.getStore after an asynchronous step');
    return undefined;
  }
  enterWith(store: any): void {
    contexts.set({ of: this, store, outer: contexts.get() });
  }
  disable(): void {
    this.enterWith(undefined);
  }
  static bind(fn: any): any {
    return AsyncResource.bind(fn);
  }
  static snapshot(): any {
    const context = contexts.get();
    return holding((fn: any, ...args: any[]) => within(context, fn, undefined, args), context);
  }
}

export class AsyncResource {
  type: string;
  constructor(type: any, _options?: any) {
    if (typeof type !== 'string') throw invalidType('type', 'of type string', type);
    this.type = type;
    holding(this, contexts.get());
  }
  runInAsyncScope(fn: any, self?: any, ...args: any[]): any {
    return within((this as any)[held], fn, self, args);
  }
  bind(fn: any, self?: any): any {
    const resource = this;
    const bound = function (this: any, ...args: any[]): any {
      return resource.runInAsyncScope(fn, self === undefined ? this : self, ...args);
    };
    return holding(bound, [resource, fn, self]);
  }
  static bind(fn: any, type?: any, self?: any): any {
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, self);
  }
  emitDestroy(): this {
    return this;
  }
  asyncId(): number {
    return 1;
  }
  triggerAsyncId(): number {
    return 0;
  }
}

export const async_hooks = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => ({ enable() { return this; }, disable() { return this; } }),
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
};

// ---- diagnostics_channel

class Channel {
  _subscribers: any[] = [];
  constructor(public name: any) {}
  get hasSubscribers(): boolean {
    return this._subscribers.length > 0;
  }
  subscribe(f: any): void {
    this._subscribers.push(f);
  }
  unsubscribe(f: any): boolean {
    const at = this._subscribers.indexOf(f);
    if (at < 0) return false;
    this._subscribers.splice(at, 1);
    return true;
  }
  publish(message: any): void {
    for (const f of this._subscribers.slice()) f(message, this.name);
  }
  bindStore(): never {
    return unsupported('diagnostics_channel stores');
  }
  unbindStore(): boolean {
    return false;
  }
  runStores(message: any, fn: any, self?: any, ...args: any[]): any {
    this.publish(message);
    return Reflect.apply(fn, self, args);
  }
}

// channels is for who looks for what requests share.
export const channels = new Map<any, Channel>();
function channel(name: any): Channel {
  let c = channels.get(name);
  if (c === undefined) channels.set(name, (c = new Channel(name)));
  return c;
}

export const diagnostics_channel = {
  Channel,
  channel,
  hasSubscribers: (name: any) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: any, f: any) => channel(name).subscribe(f),
  unsubscribe: (name: any, f: any) => channel(name).unsubscribe(f),
  tracingChannel(name: any) {
    const of = (event: string) => channel(`tracing:${name}:${event}`);
    const t: any = { start: of('start'), end: of('end'), asyncStart: of('asyncStart'), asyncEnd: of('asyncEnd'), error: of('error') };
    t.subscribe = (fs: any) => Object.keys(fs).forEach((k) => t[k].subscribe(fs[k]));
    t.unsubscribe = (fs: any) => Object.keys(fs).every((k) => t[k].unsubscribe(fs[k]));
    Object.defineProperty(t, 'hasSubscribers', { get: () => ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].some((k) => t[k].hasSubscribers) });
    t.traceSync = (fn: any, context: any = {}, self?: any, ...args: any[]) => {
      t.start.publish(context);
      try {
        return (context.result = Reflect.apply(fn, self, args));
      } catch (e) {
        context.error = e;
        t.error.publish(context);
        throw e;
      } finally {
        t.end.publish(context);
      }
    };
    t.tracePromise = (fn: any, _context: any, self?: any, ...args: any[]) => {
      if (t.hasSubscribers) unsupported('tracePromise with subscribers');
      return Reflect.apply(fn, self, args);
    };
    t.traceCallback = t.tracePromise;
    return t;
  },
};

// ---- tty, os, perf_hooks

export const tty = { isatty: () => false, ReadStream: class {}, WriteStream: class {} };

export const os: any = {
  EOL: '\n',
  devNull: '/dev/null',
  platform: () => 'linux',
  type: () => 'Linux',
  arch: () => 'x64',
  machine: () => 'x86_64',
  endianness: () => 'LE',
  constants: {
    __proto__: null,
    UV_UDP_REUSEADDR: 4,
    dlopen: { __proto__: null, RTLD_LAZY: 1, RTLD_NOW: 2, RTLD_GLOBAL: 256, RTLD_LOCAL: 0, RTLD_DEEPBIND: 8 },
    errno: Object.fromEntries(
      (
        'E2BIG 7 EACCES 13 EADDRINUSE 98 EADDRNOTAVAIL 99 EAFNOSUPPORT 97 EAGAIN 11 EALREADY 114 EBADF 9 EBADMSG 74 EBUSY 16 ECANCELED 125 ECHILD 10 ' +
        'ECONNABORTED 103 ECONNREFUSED 111 ECONNRESET 104 EDEADLK 35 EDESTADDRREQ 89 EDOM 33 EDQUOT 122 EEXIST 17 EFAULT 14 EFBIG 27 EHOSTUNREACH 113 ' +
        'EIDRM 43 EILSEQ 84 EINPROGRESS 115 EINTR 4 EINVAL 22 EIO 5 EISCONN 106 EISDIR 21 ELOOP 40 EMFILE 24 EMLINK 31 EMSGSIZE 90 EMULTIHOP 72 ' +
        'ENAMETOOLONG 36 ENETDOWN 100 ENETRESET 102 ENETUNREACH 101 ENFILE 23 ENOBUFS 105 ENODATA 61 ENODEV 19 ENOENT 2 ENOEXEC 8 ENOLCK 37 ENOLINK 67 ' +
        'ENOMEM 12 ENOMSG 42 ENOPROTOOPT 92 ENOSPC 28 ENOSR 63 ENOSTR 60 ENOSYS 38 ENOTCONN 107 ENOTDIR 20 ENOTEMPTY 39 ENOTSOCK 88 ENOTSUP 95 ' +
        'ENOTTY 25 ENXIO 6 EOPNOTSUPP 95 EOVERFLOW 75 EPERM 1 EPIPE 32 EPROTO 71 EPROTONOSUPPORT 93 EPROTOTYPE 91 ERANGE 34 EROFS 30 ESPIPE 29 ESRCH 3 ' +
        'ESTALE 116 ETIME 62 ETIMEDOUT 110 ETXTBSY 26 EWOULDBLOCK 11 EXDEV 18'
      )
        .match(/\w+ \d+/g)!
        .map((pair) => [pair.split(' ')[0], Number(pair.split(' ')[1])]),
    ),
    signals: Object.fromEntries('HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(' ').map((name, i) => ['SIG' + name, i + 1])),
    priority: { __proto__: null, PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 },
  },
};
// What the server's machine is like is recorded.
for (const name of 'hostname release version cpus totalmem freemem loadavg uptime networkInterfaces userInfo availableParallelism getPriority homedir tmpdir'.split(' ')) os[name] = () => JSON.parse(nondeterministic('json', ofOS(name)));
os.setPriority = () => unsupported('os.setPriority');

// Entry is what marks and measures give. What time they hold is recorded when it is asked for.
class Entry {
  #start: any;
  #duration: any;
  constructor(
    readonly name: string,
    readonly entryType: string,
    readonly detail: any,
  ) {}
  get startTime(): any {
    return (this.#start = still(this.#start, nondeterministic('number'), 'when something began'));
  }
  get duration(): any {
    return this.entryType === 'mark' ? 0 : (this.#duration = still(this.#duration, nondeterministic('number'), 'how long something took'));
  }
  toJSON(): any {
    return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration, detail: this.detail };
  }
}

const late = (): number => JSON.parse(nondeterministic('json', delay)) ?? NaN;

// A Delay is how late the event loop is, of which the server keeps account.
class Delay {
  #enabled = false;
  enable(): boolean {
    return this.#enabled !== (this.#enabled = true);
  }
  disable(): boolean {
    return this.#enabled !== (this.#enabled = false);
  }
  reset(): void {}
  percentile(_p: number): number {
    return late();
  }
}
for (const k of ['count', 'min', 'max', 'mean', 'exceeds', 'stddev']) Object.defineProperty(Delay.prototype, k, { get: late, enumerable: true });

function named(args: any[], type: string): Entry {
  if (args.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "name" argument must be specified');
  return new Entry(`${args[0]}`, type, args[1]?.detail ?? null);
}

export const performance: any = {
  now: () => nondeterministic('perf'),
  get timeOrigin(): any {
    return nondeterministic('origin');
  },
  mark: (...args: any[]) => named(args, 'mark'),
  measure: (...args: any[]) => named(args, 'measure'),
  clearMarks() {},
  clearMeasures() {},
  getEntries: () => unsupported('performance.getEntries'),
  getEntriesByName: () => unsupported('performance.getEntriesByName'),
  getEntriesByType: () => unsupported('performance.getEntriesByType'),
  timerify: (f: any) => f,
  eventLoopUtilization: () => JSON.parse(nondeterministic('json', utilization)),
  toJSON: () => unsupported('performance.toJSON'),
};
export const perf_hooks = {
  performance,
  PerformanceObserver: class {
    constructor(callback: any) {
      if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
    }
    observe() {}
    disconnect() {}
  },
  monitorEventLoopDelay: () => new Delay(),
  constants: {},
};

// ---- console: what the application prints is not part of what is audited

export const console: any = {};
for (const name of 'log info warn error debug trace dir dirxml table group groupCollapsed groupEnd time timeEnd timeLog count countReset assert clear profile profileEnd timeStamp'.split(' ')) console[name] = () => {};
console.Console = function () {
  return console;
};

// Results that re-execution cannot compute are recorded in program order per
// activation. Node's own code is not affected: it holds on to the originals.
import { exit, listen } from './ends';
import * as log from './log';
import { framesOf } from './sources';
import { showsCode } from '../models/internal/errors';
import { binding } from '../shared/binding';
import { since } from '../shared/hrtime';
import { taken } from '../shared/keys';
import { noteWeb } from './crypto';
import { atOnce, Port, quietly, record } from './outside';
import { types } from 'util';

// now never runs backwards, so that the verifier can insist on it.
let last = 0;
const realNow = Date.now;
function now(): number {
  const t = realNow();
  if (t > last) last = t;
  return last;
}

const named = (name: string, f: Function): Function => Object.defineProperty(f, 'name', { value: name, configurable: true });

export function install(): void {
  const RealDate = Date;
  function WrappedDate(this: any, ...args: any[]): any {
    if (new.target === undefined) return new RealDate(record('now', now())).toString();
    if (args.length === 0) return Reflect.construct(RealDate, [record('now', now())], new.target);
    return Reflect.construct(RealDate, args, new.target);
  }
  for (const k of Reflect.ownKeys(RealDate)) Object.defineProperty(WrappedDate, k, Object.getOwnPropertyDescriptor(RealDate, k)!);
  Object.defineProperty(WrappedDate, 'now', { value: named('now', () => record('now', now())), writable: true, configurable: true });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: WrappedDate, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: WrappedDate, writable: true, configurable: true });

  // Node makes them when they are first asked for, be it by the console.
  for (const k of ['stdin', 'stdout', 'stderr'] as const) {
    const d = Object.getOwnPropertyDescriptor(process, k)!;
    Object.defineProperty(process, k, { ...d, get: () => quietly(() => Reflect.apply(d.get!, process, [])) });
  }

  const random = Math.random;
  Math.random = () => record('random', random());

  const perf = performance.now.bind(performance);
  Object.defineProperty(performance, 'now', { value: named('now', () => record('perf', perf())), writable: true, configurable: true });

  const { timeOrigin } = performance;
  Object.defineProperty(performance, 'timeOrigin', { get: () => fact('origin', timeOrigin), configurable: true });

  // What marks and measures say of time; a mark takes none.
  for (const k of ['startTime', 'duration'] as const) {
    const d = Object.getOwnPropertyDescriptor(PerformanceEntry.prototype, k)!;
    const get = function (this: any): number {
      const t = Reflect.apply(d.get!, this, []);
      return k === 'duration' && this.entryType === 'mark' ? t : record('number', t);
    };
    Object.defineProperty(PerformanceEntry.prototype, k, { ...d, get });
  }
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!;
  const timeStamp = function (this: Event): number {
    return record('number', Reflect.apply(stamp.get!, this, []) as number);
  };
  Object.defineProperty(Event.prototype, 'timeStamp', { ...stamp, get: timeStamp });
  const toJSON = function (this: any): unknown {
    return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration, detail: this.detail };
  };
  for (const c of [PerformanceMark, PerformanceMeasure]) Object.defineProperty(c.prototype, 'toJSON', { value: toJSON, writable: true, configurable: true });
  const { eventLoopUtilization } = performance;
  Object.defineProperty(performance, 'eventLoopUtilization', { value: (...args: any[]) => JSON.parse(record('json', JSON.stringify(Reflect.apply(eventLoopUtilization, performance, args)))), configurable: true });

  const web = globalThis.crypto;
  const wrapped = Object.create(web);
  Object.defineProperty(wrapped, 'randomUUID', { value: () => record('uuid', web.randomUUID()) });
  const subtle = Object.create(web.subtle);
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(web.subtle))) {
    if (name === 'constructor') continue;
    const value = (...args: any[]) => {
      const given = taken(name, args);
      return Port.promise(() => (web.subtle as any)[name](...given), (v: any) => {
        noteWeb(name, given, v);
        return v;
      });
    };
    Object.defineProperty(subtle, name, { value });
  }
  Object.defineProperty(wrapped, 'subtle', { value: subtle });
  Object.defineProperty(wrapped, 'getRandomValues', {
    value: (a: any) => {
      web.getRandomValues(a);
      record('bytes', Buffer.from(a.buffer, a.byteOffset, a.byteLength).toString('base64'));
      return a;
    },
  });
  Object.defineProperty(globalThis, 'crypto', { value: wrapped, writable: true, configurable: true });
}

// perfHooksModule records how late the event loop is.
export function perfHooksModule(real: any): any {
  const recorded = (x: number): number => JSON.parse(record('json', JSON.stringify(x))) ?? NaN;
  const monitorEventLoopDelay = (options?: any): any => {
    const h = real.monitorEventLoopDelay(options);
    return {
      enable: () => h.enable(),
      disable: () => h.disable(),
      reset: () => h.reset(),
      percentile: (p: number) => recorded(h.percentile(p)),
      get count() { return recorded(h.count); },
      get min() { return recorded(h.min); },
      get max() { return recorded(h.max); },
      get mean() { return recorded(h.mean); },
      get exceeds() { return recorded(h.exceeds); },
      get stddev() { return recorded(h.stddev); },
    };
  };
  return { ...real, monitorEventLoopDelay };
}

// osModule records what the machine is like.
export function osModule(real: any): any {
  const m: any = Object.defineProperties({}, Object.getOwnPropertyDescriptors(real));
  for (const name of ['hostname', 'release', 'version', 'cpus', 'totalmem', 'freemem', 'loadavg', 'uptime', 'networkInterfaces', 'userInfo', 'availableParallelism', 'getPriority', 'homedir', 'tmpdir'])
    m[name] = (...args: any[]) => JSON.parse(record('json', JSON.stringify(real[name](...args))));
  return m;
}

const errorText = Error.prototype.toString; // not what a class of errors has instead

// nodeErrors is how Node.js marks its own errors, which show their codes in stack traces.
function nodeErrors(): symbol {
  try {
    Buffer.from(0 as any);
  } catch (e) {
    for (const k of Object.getOwnPropertySymbols(Object.getPrototypeOf(e))) if (k.description === 'kIsNodeError') return k;
  }
  return Symbol(); // it marks none
}

// installStacks records the text of each stack trace that is formatted: where
// frames lie depends on the build. Node formats one when it is first read. They are
// given where the sources would have them, in the app's folder.
export function installStacks(folder: string): void {
  const marked = nodeErrors();
  Error.prepareStackTrace = (error, frames) => {
    let header: string;
    try {
      const { name, code, message } = error as any;
      // An AssertionError puts its code into its name while its stack is written.
      if (marked in error || showsCode in error) header = `${name} [${code}]: ${message}`;
      else header = typeof code === 'string' && String(name).endsWith(` [${code}]`) ? (message === '' ? String(name) : `${name}: ${message}`) : Reflect.apply(errorText, error, []);
    } catch {
      header = 'Error';
    }
    return record('stack', [header, ...framesOf(frames, folder)].join('\n    at '));
  };
}

// guestProcess is the `process` that the application sees.
export function guestProcess(nextTick: Function): any {
  const p = Object.create(process);
  p.nextTick = nextTick;
  p.env = new Proxy(process.env, {
    get(env, k) {
      const v = (env as any)[k];
      if (typeof k === 'string') environment(k, v);
      return v;
    },
    has(env, k) {
      if (typeof k === 'string') environment(k, env[k]);
      return k in env;
    },
    getOwnPropertyDescriptor(env, k) {
      if (typeof k === 'string') environment(k, env[k]);
      return Reflect.getOwnPropertyDescriptor(env, k);
    },
    ownKeys(env) {
      const keys = Reflect.ownKeys(env);
      for (const k of keys) if (typeof k === 'string') environment(k, env[k]);
      environment(order, JSON.stringify(keys));
      return keys;
    },
    // What it was at first is recorded before it changes. (The default would define a property, which process.env refuses.)
    set(env, k, v) {
      if (typeof k === 'string') environment(k, env[k]);
      return Reflect.set(env, k, v);
    },
    deleteProperty(env, k) {
      if (typeof k === 'string') environment(k, env[k]);
      return Reflect.deleteProperty(env, k);
    },
  });
  const hrtime: any = (before?: any) => {
    const [s, ns] = record('hrtime', process.hrtime().join(' ')).split(' ').map(Number);
    return since([s, ns], before);
  };
  hrtime.bigint = () => record('hrbig', process.hrtime.bigint());
  p.hrtime = hrtime;
  p.uptime = () => record('uptime', process.uptime());
  p.memoryUsage = Object.assign(() => JSON.parse(record('json', JSON.stringify(process.memoryUsage()))), {
    rss: () => record('number', process.memoryUsage.rss()),
  });
  // Packages ask in it for the C library that Node.js was made with.
  const report = { ...process.report!, getReport: (e?: any) => JSON.parse(record('json', JSON.stringify(process.report!.getReport(e)))) };
  Object.defineProperty(p, 'report', { value: report, enumerable: true, configurable: true });
  p.cpuUsage = (x?: any) => JSON.parse(record('json', JSON.stringify(atOnce(() => process.cpuUsage(x)))));
  for (const k of ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']) {
    p[k] = (event: any, listener: any) => {
      listen(k, event, listener);
      return p;
    };
  }
  p.binding = binding(types, (name) => (process as any).binding(name));
  p.exit = exit;
  p.kill = (pid: any, signal?: any) => {
    try {
      process.kill(pid, signal);
    } catch (e: any) {
      if (e.errno === undefined) return atOnce(() => { throw e; });
      record('json', JSON.stringify({ message: e.message, code: e.code, errno: e.errno, syscall: e.syscall }));
      throw e;
    }
    record('json', 'null');
    return true;
  };
  for (const k of ['emit', 'removeListener', 'off', 'cwd', 'emitWarning'] as const) {
    const f = (process as any)[k];
    p[k] = function () {
      const r = Reflect.apply(f, process, arguments);
      return r === process ? p : r;
    };
    for (const of of ['length', 'name']) Object.defineProperty(p[k], of, { value: f[of], configurable: true });
  }
  // Constants that programs may look for as its own.
  for (const k of ['version', 'versions', 'arch', 'platform', 'release', 'features', 'argv', 'execArgv', 'execPath']) Object.defineProperty(p, k, Object.getOwnPropertyDescriptor(process, k)!);
  p.getuid = () => fact('uid', process.getuid!());
  p.getgid = () => fact('gid', process.getgid!());
  p.geteuid = () => fact('euid', process.geteuid!());
  p.getegid = () => fact('egid', process.getegid!());
  for (const k of ['getgroups', 'resourceUsage', 'getActiveResourcesInfo']) p[k] = () => JSON.parse(record('json', JSON.stringify((process as any)[k]())));
  for (const k of ['constrainedMemory', 'availableMemory']) p[k] = () => record('number', (process as any)[k]());
  Object.defineProperty(p, 'pid', { get: () => fact('pid', process.pid), enumerable: true, configurable: true });
  Object.defineProperty(p, 'ppid', { get: () => record('number', process.ppid), enumerable: true, configurable: true });
  return p;
}

// order stands for the names of all variables, in their order. (No variable has an = in its name.)
const order = '=keys';

// fact notes what is the same for as long as the process lives.
function fact(name: string, v: number): number {
  environment('=' + name, String(v));
  return v;
}

const seenEnvironment = new Set<string>();

function environment(k: string, v: unknown): void {
  if (seenEnvironment.has(k)) return;
  seenEnvironment.add(k);
  log.writer.env(k, typeof v === 'string' ? v : undefined); // what it inherits (hasOwnProperty) is no variable
}

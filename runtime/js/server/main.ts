// The runtime that the server build links: `$k` in emitted code.
import { Activation, callback, current, hooks, setCurrent } from '../shared/activation';
import { install as installPromises, newPromise } from '../shared/promises';
import * as timers from '../shared/timers';
import { T } from '../shared/tracked';
import * as digest from './digest';
import { guestModule as cryptoModule } from './crypto';
import { guestModule as httpModule } from './http';
import * as log from './log';
import * as nondeterminism from './nondeterminism';
import { box, installNatives, loggable, sites } from './track';
import { guestModule as zlibModule } from './zlib';
import { AdviceWriter } from './advice';
import { EventEmitter } from 'events';
import { on as registerListener } from '../shared/emitter';
import { Socket } from 'net';
import { Readable } from 'stream';
import { resolve } from 'path';
import { appFolder, enterAppFolder } from './files';

interface Start {
  buildId: string;
  get: () => number;
  set: (d: number) => void;
}

let nextTick: Function;

export function start(s: Start): void {
  digest.bind(s.get, s.set);
  // Before the working folder changes.
  const dir = resolve(process.env.KAROUSOS_ADVICE || './advice');
  log.begin(new AdviceWriter(dir, s.buildId, __dirname + '/flush-worker.js'));
  enterAppFolder();
  hooks.enter = digest.enter;
  hooks.leave = digest.leave;
  hooks.foreignParent = () => log.unauditable('a promise is shared by several requests');
  installPromises((name) => log.unauditable(`Promise.${name} is not supported yet`));
  installNatives();
  installTimers();
  nondeterminism.install();
  nondeterminism.installStacks();
  const close = () => log.writer.close();
  process.on('exit', close);
  for (const [signal, number] of [['SIGTERM', 15], ['SIGINT', 2]] as const) {
    process.on(signal, () => {
      close();
      // The application's own handlers run after this one; without any, the
      // signal does what it would have done.
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

function installTimers(): void {
  for (const k of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const f = globalThis[k] as Function;
    const wrapped = function (g: any) {
      if (k === 'setInterval' && current !== null && !current.run.isInit) log.unauditable('an interval that a request starts is not supported yet');
      arguments[0] = callback(g, null, k !== 'queueMicrotask');
      return Reflect.apply(f, globalThis, arguments);
    };
    Object.defineProperty(wrapped, 'name', { value: k });
    (globalThis as any)[k] = wrapped;
  }
  timers.install();
  // Its timer must be one of the request's.
  (AbortSignal as any).timeout = (ms: number) => {
    const c = new AbortController();
    setTimeout(() => c.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref();
    return c.signal;
  };
  const tick = process.nextTick;
  nextTick = function (g: any) {
    arguments[0] = callback(g);
    return Reflect.apply(tick, process, arguments as any);
  };
}

// run executes the bundle as init's first activation.
export function run(program: Function): void {
  const a = new Activation(log.init, null, 0, 0);
  a.logged = 0;
  setCurrent(a);
  try {
    program.call({}, {}, guestRequire, { exports: {} }, __filename, appFolder, nondeterminism.guestProcess(nextTick));
  } finally {
    setCurrent(null);
  }
}

const wrappedModules = new Map<string, any>();

function guestRequire(name: string): any {
  const bare = name.startsWith('node:') ? name.slice(5) : name;
  let m = wrappedModules.get(bare);
  if (m !== undefined) return m;
  const real = require(name);
  switch (bare) {
    case 'http':
      m = httpModule;
      break;
    case 'crypto':
      m = cryptoModule(real);
      break;
    case 'zlib':
      m = zlibModule(real);
      break;
    case 'process':
      m = nondeterminism.guestProcess(nextTick);
      break;
    case 'timers':
      m = Object.assign({}, real, { setTimeout, setInterval, setImmediate });
      Object.defineProperty(m, 'promises', { value: guestRequire('timers/promises'), enumerable: true });
      break;
    case 'timers/promises':
      m = { ...real, setTimeout: timers.setTimeout, setImmediate: timers.setImmediate, scheduler: { ...real.scheduler, wait: timers.scheduler.wait } };
      break;
    default:
      m = real;
  }
  wrappedModules.set(bare, m);
  return m;
}

const platformOn = new Set<Function>([
  EventEmitter.prototype.on,
  EventEmitter.prototype.addListener,
  EventEmitter.prototype.once,
  EventEmitter.prototype.prependListener,
  EventEmitter.prototype.prependOnceListener,
  Readable.prototype.on,
  Readable.prototype.addListener,
]);

// The http server gives each of its sockets methods of its own.
function platformSocket(f: any): void {
  if (typeof f === 'function' && f.name === 'socketListenerWrap') platformOn.add(f);
}

export function on(o: any, method: string, ...args: any[]): any {
  if (o instanceof Socket) platformSocket((o as any)[method]);
  return registerListener(platformOn, o, method, args);
}

export const { gi, len, si, has, del, fi } = sites;
export { box, loggable, newPromise as np, T };

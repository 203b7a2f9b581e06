// The runtime that the server build links: `$k` in emitted code.
import { noteStandIns } from '../shared/native-text';
import { Activation, callback, current, hooks, precedes, type Run, setCurrent } from '../shared/activation';
import { competition, install as installPromises, newPromise } from '../shared/promises';
import { install as installPipes } from '../shared/pipes';
import { mark } from '../shared/of-node';
import * as promised from '../shared/timers';
import { type Entry, Schedule } from '../shared/schedule';
import { ELEMENTS, T } from '../shared/tracked';
import { constructorOf, tagOf } from '../shared/asyncness';
import { assert, said } from '../shared/assert';
import { asyncHooksModule, diagnosticsModule } from './async-hooks';
import * as digest from './digest';
import { guestModule as childModule } from './child';
import { outside as connections } from './connections';
import { guestModule as cryptoModule } from './crypto';
import { guestModule as dnsModule } from './dns';
import { install as installEnds } from './ends';
import { Blob, File } from '../shared/fetch';
import { install as installFetch } from './fetch';
import { guestModule as fsModule } from './fs';
import { httpModule, httpsModule } from './client';
import { installSockets } from './http';
import { atLoad, atLoadBox, inferred, inferredBox } from './inferred';
import * as log from './log';
import * as nondeterminism from './nondeterminism';
import { netModule, tlsModule } from './socket';
import { box, def, defs, loggable } from './track';
import { borrowing } from './track-borrow';
import { installNatives, sites } from './track-natives';
import { weak } from './track-weak';
import { quiet, record } from './outside';
import { install as installProxies } from './proxies';
import { guestModule as zlibModule } from './zlib';
import { AdviceWriter } from './advice';
import { EventEmitter } from 'events';
import { entries as registrations, on as registerListener, platform as gather } from '../shared/emitter';
import { ReadStream, WriteStream } from 'fs';
import { Server as NetServer, Socket } from 'net';
import { Readable, Writable } from 'stream';
import { adapt } from '../shared/adapters';
import { installStreams, webStreams } from '../shared/streams';
import { resolve } from 'path';
import { types } from 'util';
import { install as installEvents } from './events';
import { install as installShow, utilModule } from './show';
import { appFolder, enterAppFolder } from './files';
import { installFunction } from './generated';
import { platformGlobals, platformModule } from '../shared/inferred';
import { iterates, notIterable, notSpread } from '../shared/iterated';

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
  hooks.enter = (a) => {
    if (!a.run.isInit) log.entering();
    return digest.enter(a);
  };
  hooks.leave = digest.leave;
  hooks.foreignParent = () => log.unloggable('a promise is shared by several requests');
  competition.won = (open) => open && record('won', true);
  competition.beaten = (_a, settles) => record('lost', settles);
  installEvents();
  installPromises();
  installNatives();
  installProxies();
  installFunction();
  const { isAsyncFunction } = types;
  types.isAsyncFunction = (f): f is any => isAsyncFunction(f) || tagOf(f) !== undefined;
  installShow(types);
  log.ignoreGarbage();
  installTimers();
  nondeterminism.install();
  installFetch();
  installStreams(() => guestRequire('zlib'));
  adapt(require('stream'));
  installSockets();
  for (const name of ['fs', 'net', 'tls', 'http', 'zlib', 'crypto', 'tty']) {
    const m = require(name);
    for (const k of Object.keys(m)) if (/^[A-Z]/.test(k)) mark(m[k]);
  }
  installPipes(require('stream'));
  nondeterminism.installStacks(appFolder);
  installEnds();
}

interface Timer {
  by: Activation;
  fired: Activation | null;
  entry: Entry;
  cleared: boolean;
  // id is its number, if the program asked for that, or 0.
  id: number;
}

const newTimer = (entry: Entry): Timer => ({ by: current!, fired: null, entry, cleared: false, id: 0 });

const entry = (due: number, seq: number): Entry => ({ due, seq, dead: false });

// planned enters what the running activation registers into its run's schedule.
// What init starts has none: it goes on for as long as the server lives.
function planned(ms: any, immediate: boolean): Entry {
  const run = log.runOf(current!);
  if (run.isInit) return entry(0, 0);
  const s = (run.schedule ??= new Schedule());
  return immediate ? s.immediate(entry) : s.timer(Number(ms), entry);
}

// inTurn records that the running activation fires, and whether it is not the next
// one by its run's schedule.
function inTurn(e: Entry): void {
  log.turn();
  const run = log.runOf(current!);
  if (run.isInit) return;
  const s = run.schedule!;
  const next = s.next() === e;
  s.fire(e);
  if (!next) record('turn', run.turns);
}

const timers = new WeakMap<object, Timer>();
// Timers whose numbers the program knows: those that may still fire, and all of a run.
const numbered = new Map<number, Timer>();
const numberedOf = new WeakMap<Run, Map<number, Timer>>();

// numberOf is what a timer is as a number, which the platform chooses.
function numberOf(handle: any, number: () => number): number {
  const state = timers.get(handle);
  if (state === undefined || current === null) return number.call(handle);
  if (state.id === 0) {
    state.id = number.call(handle);
    if (!state.cleared && (state.fired === null || handle._repeat !== null)) numbered.set(state.id, state);
    let own = numberedOf.get(state.by.run);
    if (own === undefined) numberedOf.set(state.by.run, (own = new Map()));
    own.set(state.id, state);
    record('timer', state.id);
  }
  return state.id;
}

// timerOf is what is known of the timer that is to be cleared.
function timerOf(t: any): Timer | undefined {
  if (typeof t === 'object') return t === null ? undefined : timers.get(t);
  if (typeof t !== 'number' && typeof t !== 'string') return undefined;
  const state = numbered.get(Number(t));
  if (state !== undefined && current !== null && state.by.run !== current.run) log.unloggable('a timer is cleared by its number in another request');
  return state ?? (current === null ? undefined : numberedOf.get(current.run)?.get(Number(t)));
}

// replaceTimer makes the callback of one of the platform's functions an activation.
function replaceTimer(k: 'setTimeout' | 'setInterval' | 'setImmediate' | 'queueMicrotask', wrap: (f: Function, ms: any) => [Function, Timer | null]): void {
  const f = globalThis[k] as Function;
  const wrapped = function (g: any) {
    if (current === null || typeof g !== 'function') {
      if (current === null && !quiet && log.guestPosition() !== '') log.unauditable('a timer is set by a callback whose origin the runtime does not know');
      return Reflect.apply(f, globalThis, arguments);
    }
    const [h, state] = wrap(g, arguments[1]);
    arguments[0] = h;
    const handle = Reflect.apply(f, globalThis, arguments);
    if (state !== null) timers.set(handle, state);
    return handle;
  };
  Object.defineProperty(wrapped, 'name', { value: k });
  (globalThis as any)[k] = wrapped;
}

function installTimers(): void {
  replaceTimer('setTimeout', (f, ms) => {
    const state = newTimer(planned(ms, false));
    return [
      callback(function (this: any) {
        inTurn(state.entry);
        state.fired = current;
        numbered.delete(state.id);
        return Reflect.apply(f, this, arguments);
      }, null, true),
      state,
    ];
  });
  replaceTimer('setInterval', (f, ms) => {
    const state = newTimer(planned(ms, false));
    return [
      callback(
        function (this: any) {
          // How often an interval fires is the platform's choice.
          if (!current!.run.isInit) record('tick', true);
          inTurn(state.entry);
          try {
            return Reflect.apply(f, this, arguments);
          } finally {
            if (!state.cleared) state.entry = planned(ms, false);
          }
        },
        null,
        true,
        {},
      ),
      state,
    ];
  });
  replaceTimer('setImmediate', (f) => {
    const state = newTimer(planned(0, true));
    return [
      callback(
        function (this: any) {
          inTurn(state.entry);
          return Reflect.apply(f, this, arguments);
        },
        null,
        true,
      ),
      state,
    ];
  });
  replaceTimer('queueMicrotask', (f) => [callback(f), null]);
  for (const k of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const) {
    const clear: (t: any) => void = globalThis[k];
    (globalThis as any)[k] = {
      [k](t: any): void {
        const c = current;
        const state = timerOf(t);
        if (state !== undefined) {
          numbered.delete(state.id);
          state.cleared = state.entry.dead = true;
        }
        const fired = state?.fired;
        // It came too late for one that does not precede it.
        if (c !== null && fired != null && fired.run === c.run && !precedes(fired, c)) record('late', true);
        clear(t);
      },
    }[k];
  }
  const own = require('timers'); // Node's: what was preloaded may have others
  const handle = own.setTimeout(() => {}, 1);
  own.clearTimeout(handle);
  const timeout = Object.getPrototypeOf(handle);
  timeout.close = {
    close(this: any): any {
      clearTimeout(this);
      return this;
    },
  }.close;
  const number = timeout[Symbol.toPrimitive];
  const primitive = {
    [Symbol.toPrimitive](this: any): number {
      return numberOf(this, number);
    },
  };
  timeout[Symbol.toPrimitive] = primitive[Symbol.toPrimitive];
  promised.install();
  // Its timer must be one of the request's.
  const { timeout: after } = AbortSignal;
  (AbortSignal as any).timeout = (ms: number) => {
    if (!(Number.isInteger(ms) && ms >= 0 && ms <= 4294967295)) return after.call(AbortSignal, ms); // which throws
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
  noteStandIns();
  setCurrent(a);
  try {
    const guest = guestRequire('process');
    Object.defineProperty(globalThis, 'process', { value: guest, writable: true, configurable: true });
    platformGlobals();
    program.call({}, {}, guestRequire, { exports: {} }, __filename, appFolder, guest);
  } finally {
    setCurrent(null);
  }
}

const wrappedModules = new Map<string, any>();

function guestRequire(name: string): any {
  const bare = name.startsWith('node:') ? name.slice(5) : name;
  let m = wrappedModules.get(bare);
  if (m !== undefined) return m;
  if (bare === 'karousosc:said') return said;
  const real = require(name);
  switch (bare) {
    case 'assert':
      m = Object.assign(assert, { CallTracker: real.CallTracker });
      break;
    case 'assert/strict':
      m = guestRequire('assert').strict;
      break;
    case 'buffer':
      m = Object.defineProperties({}, Object.getOwnPropertyDescriptors(real));
      for (const [k, value] of Object.entries({ Blob, File })) Object.defineProperty(m, k, { value, writable: true, enumerable: true });
      break;
    case 'http':
      m = httpModule;
      break;
    case 'child_process':
      m = childModule();
      break;
    case 'dns':
      m = dnsModule();
      break;
    case 'dns/promises':
      m = guestRequire('dns').promises;
      break;
    case 'net':
      m = netModule;
      break;
    case 'tls':
      m = tlsModule;
      break;
    case 'https':
      m = httpsModule;
      break;
    case 'crypto':
      m = cryptoModule(real);
      break;
    case 'fs':
      m = fsModule(real);
      break;
    case 'fs/promises':
      m = guestRequire('fs').promises;
      break;
    case 'os':
      m = nondeterminism.osModule(real);
      break;
    case 'perf_hooks':
      m = nondeterminism.perfHooksModule(real);
      break;
    case 'util':
      m = utilModule(real);
      break;
    case 'zlib':
      m = zlibModule(real);
      break;
    case 'async_hooks':
      m = asyncHooksModule(real);
      break;
    case 'diagnostics_channel':
      m = diagnosticsModule(real);
      break;
    case 'stream/web':
      m = webStreams();
      break;
    case 'process':
      m = nondeterminism.guestProcess(nextTick);
      break;
    case 'timers':
      m = Object.assign({}, real, { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval });
      Object.defineProperty(m, 'promises', { value: guestRequire('timers/promises'), enumerable: true });
      break;
    case 'timers/promises':
      m = { ...real, setTimeout: promised.setTimeout, setImmediate: promised.setImmediate, setInterval: promised.setInterval, scheduler: promised.scheduler };
      break;
    default:
      m = real;
  }
  wrappedModules.set(bare, m);
  platformModule(m);
  return m;
}

const platform = gather([
  EventEmitter.prototype,
  Readable.prototype,
  Writable.prototype,
  NetServer.prototype,
  httpModule.OutgoingMessage.prototype,
  httpModule.ServerResponse.prototype,
  httpModule.Server.prototype,
  httpModule.ClientRequest.prototype,
  ReadStream.prototype,
  WriteStream.prototype,
], connections);

// The http server gives each of its sockets methods of its own.
function platformSocket(f: any, method: string): void {
  if (typeof f === 'function' && f.name === 'socketListenerWrap') platform.listening.set(f, method);
}

export function on(o: any, method: string, text: string, ...args: any[]): any {
  if (o instanceof Socket) platformSocket((o as any)[method], method);
  return registerListener(platform, o, method, text, args);
}

export const { reg, regCall, regApply, regBind, give } = registrations(() => platform);
export const { gi, len, si, has, del, fi } = sites;
export const { bc, ba, pairs } = borrowing;
export const el = ELEMENTS;
// mc calls what an object has, by the text that the program has there.
export function mc(text: string, o: any, f: any, ...args: any[]): any {
  if (typeof f !== 'function') throw new TypeError(`${text} is not a function`);
  return Reflect.apply(f, o, args);
}

// it is x if that can be iterated over; text is what the program has there.
export function it(x: any, text: string): any {
  if (!iterates(x)) throw new TypeError(notIterable(x, text));
  return x;
}

// sp is the same for the last of a call's arguments.
export function sp(x: any, text: string): any {
  if (!iterates(x)) throw new TypeError(notSpread(x, text));
  return x;
}

// ctor is x.constructor.
export function ctor(x: any): any {
  return constructorOf(x, x.constructor);
}

export { atLoad, atLoadBox, box, def, defs, inferred, inferredBox, loggable, newPromise as np, T, weak };

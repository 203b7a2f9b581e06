// EventEmitter as Node 20 has it. npm's shim copies arguments one by one and
// lacks captureRejections, error monitors and signals.
import { coded, invalidType } from './internal/errors';
import { asyncEmitter } from './internal/asyncemitter';
import { loop } from './internal/host';
import { atLeastOne, notNegative } from './internal/numbers';
import { validateAbortSignal, validateBoolean, validateFunction } from './internal/validators';
import { insistent, isTarget, limits, listenersOf, mostListeners } from './eventtarget';
import { heardFor, onceOnly } from '../shared/emitter';
import { inspect } from '../shared/inspect';
import { aborted } from '../shared/timers';

const apply = Reflect.apply;
const monitor = Symbol('events.errorMonitor');
const rejection = Symbol.for('nodejs.rejection');
const capture = Symbol('kCapture');
const shapeMode = Symbol('shapeMode');

// light, as the option of an emitter, spares it its state until it has listeners.
export const light = {};

export function EventEmitter(this: any, options?: any): void {
  if (options === light) return;
  EventEmitter.init.call(this, options);
}

EventEmitter.prototype._events = undefined as any;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined as any;
Object.defineProperty(EventEmitter.prototype, capture, { value: false, writable: true });

EventEmitter.init = function (this: any, options?: any): void {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = Object.create(null);
    this._eventsCount = 0;
    this[shapeMode] = false;
  } else this[shapeMode] = true;
  this._maxListeners = this._maxListeners || undefined;
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    this[capture] = true;
  } else this[capture] = EventEmitter.prototype[capture];
};

function check(listener: any): void {
  validateFunction(listener, 'listener');
}

const maxListeners = (emitter: any): number => (emitter._maxListeners === undefined ? limits.most : emitter._maxListeners);

function unhandled(err: any): never {
  if (err instanceof Error) throw err;
  let shown = err;
  try {
    shown = inspect(err);
  } catch {
    // It is shown as a text.
  }
  const e: any = coded(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${shown})`);
  e.context = err;
  throw e;
}

function rest(args: IArguments): any[] {
  const r = new Array(args.length - 1);
  for (let i = 1; i < args.length; i++) r[i - 1] = args[i];
  return r;
}

// settled routes a rejected promise of a listener to 'error', if asked to.
function settled(emitter: any, promise: any, type: any, args: IArguments): void {
  if (!emitter[capture]) return;
  const list = rest(args);
  try {
    const then = promise.then;
    if (typeof then === 'function') then.call(promise, undefined, (err: any) => loop.tick(() => failed(emitter, err, type, list)));
  } catch (e) {
    emitter.emit('error', e);
  }
}

function failed(emitter: any, err: any, type: any, args: any[]): void {
  if (typeof emitter[rejection] === 'function') {
    emitter[rejection](err, type, ...args);
    return;
  }
  // Or else what a listener of 'error' rejects would come back to it.
  const before = emitter[capture];
  emitter[capture] = false;
  try {
    emitter.emit('error', err);
  } finally {
    emitter[capture] = before;
  }
}

function add(target: any, type: any, listener: any, prepend: boolean): any {
  check(listener);
  let events = target._events;
  let existing: any;
  if (events === undefined) {
    events = target._events = Object.create(null);
    target._eventsCount = 0;
  } else {
    if (events.newListener !== undefined) {
      target.emit('newListener', type, listener.listener ?? listener);
      events = target._events;
    }
    existing = events[type];
  }
  if (existing === undefined) {
    events[type] = listener;
    ++target._eventsCount;
    return target;
  }
  if (typeof existing === 'function') existing = events[type] = prepend ? [listener, existing] : [existing, listener];
  else if (prepend) existing.unshift(listener);
  else existing.push(listener);
  const most = maxListeners(target);
  if (most > 0 && existing.length > most && !existing.warned) existing.warned = true; // on a terminal
  return target;
}

function onceWrap(target: any, type: any, listener: any): any {
  const wrapped = onceOnly(target, type, listener);
  wrapped.listener = listener;
  return wrapped;
}

function clear(emitter: any): void {
  emitter._events = Object.create(null);
  emitter._eventsCount = 0;
}

// heard are the listeners of an event, as they were registered.
function heard(target: any, type: any): any[] {
  const events = target._events;
  const list = events === undefined ? undefined : events[type];
  if (list === undefined) return [];
  return typeof list === 'function' ? [list] : list.slice();
}

// As methods they keep their names, which programs can read.
const methods: any = {
  setMaxListeners(this: any, n: any) {
    notNegative(n, 'setMaxListeners');
    this._maxListeners = n;
    return this;
  },
  getMaxListeners(this: any) {
    return maxListeners(this);
  },
  emit(this: any, type: any, a?: any, b?: any): boolean {
    const events = this._events;
    if (type === 'error') {
      if (events !== undefined && events[monitor] !== undefined) apply(EventEmitter.prototype.emit, this, [monitor, ...rest(arguments)]);
      if (events === undefined || events.error === undefined) unhandled(a);
    }
    if (events === undefined) return false;
    const handler = events[type];
    if (handler === undefined) return false;
    if (typeof handler === 'function') {
      let result;
      switch (arguments.length) {
        case 1:
          result = handler.call(this);
          break;
        case 2:
          result = handler.call(this, a);
          break;
        case 3:
          result = handler.call(this, a, b);
          break;
        default:
          result = apply(handler, this, rest(arguments));
      }
      if (result !== undefined && result !== null) settled(this, result, type, arguments);
      return true;
    }
    const listeners = handler.slice();
    const args = rest(arguments);
    for (let i = 0; i < listeners.length; i++) {
      const result = apply(listeners[i], this, args);
      if (result !== undefined && result !== null) settled(this, result, type, arguments);
    }
    return true;
  },
  addListener(this: any, type: any, listener: any) {
    return add(this, type, listener, false);
  },
  on: undefined,
  prependListener(this: any, type: any, listener: any) {
    return add(this, type, listener, true);
  },
  once(this: any, type: any, listener: any) {
    check(listener);
    this.on(type, onceWrap(this, type, listener));
    return this;
  },
  prependOnceListener(this: any, type: any, listener: any) {
    check(listener);
    this.prependListener(type, onceWrap(this, type, listener));
    return this;
  },
  removeListener(this: any, type: any, listener: any) {
    check(listener);
    const events = this._events;
    if (events === undefined) return this;
    const list = events[type];
    if (list === undefined) return this;
    if (list === listener || list.listener === listener) {
      this._eventsCount -= 1;
      if (this[shapeMode]) events[type] = undefined;
      else if (this._eventsCount === 0) this._events = Object.create(null);
      else {
        delete events[type];
        if (events.removeListener) this.emit('removeListener', type, list.listener || listener);
      }
    } else if (typeof list !== 'function') {
      let at = -1;
      for (let i = list.length - 1; i >= 0; i--) {
        if (list[i] === listener || list[i].listener === listener) {
          at = i;
          break;
        }
      }
      if (at < 0) return this;
      if (at === 0) list.shift();
      else list.splice(at, 1);
      if (list.length === 1) events[type] = list[0];
      if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
    }
    return this;
  },
  off: undefined,
  removeAllListeners(this: any, type?: any) {
    const events = this._events;
    if (events === undefined) return this;
    const all = arguments.length === 0;
    if (events.removeListener === undefined) {
      if (all) clear(this);
      else if (events[type] !== undefined) {
        if (--this._eventsCount === 0) this._events = Object.create(null);
        else delete events[type];
      }
      this[shapeMode] = false;
      return this;
    }
    if (all) {
      for (const key of Reflect.ownKeys(events)) if (key !== 'removeListener') this.removeAllListeners(key);
      this.removeAllListeners('removeListener');
      clear(this);
      this[shapeMode] = false;
      return this;
    }
    const list = events[type];
    if (typeof list === 'function') this.removeListener(type, list);
    else if (list !== undefined) for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
    return this;
  },
  listeners(this: any, type: any) {
    return heard(this, type).map((f: any) => f.listener || f);
  },
  rawListeners(this: any, type: any) {
    return heard(this, type).map(heardFor);
  },
  listenerCount(this: any, type: any, listener?: any) {
    const events = this._events;
    const list = events === undefined ? undefined : events[type];
    if (list === undefined) return 0;
    const any = listener === undefined || listener === null;
    if (typeof list === 'function') return any || list === listener || list.listener === listener ? 1 : 0;
    return any ? list.length : list.filter((f: any) => f === listener || f.listener === listener).length;
  },
  // Streams have events without listeners.
  eventNames(this: any) {
    return this._eventsCount > 0 ? Reflect.ownKeys(this._events).filter((key) => this._events[key] !== undefined) : [];
  },
};
methods.on = methods.addListener;
methods.off = methods.removeListener;
Object.assign(EventEmitter.prototype, methods);

function _listenerCount(emitter: any, type: any): number {
  return typeof emitter.listenerCount === 'function' ? emitter.listenerCount(type) : EventEmitter.prototype.listenerCount.call(emitter, type);
}

const notEither = (name: string, x: any): any => invalidType(name, 'an instance of EventEmitter or EventTarget', x);

function getEventListeners(emitter: any, type: any): any[] {
  if (typeof emitter.listeners === 'function') return emitter.listeners(type);
  if (isTarget(emitter)) return listenersOf(emitter, type);
  throw notEither('emitter', emitter);
}

function _getMaxListeners(emitter: any): number {
  if (typeof emitter?.getMaxListeners === 'function') return maxListeners(emitter);
  const most = emitter?.[mostListeners];
  if (most) return most;
  throw notEither('emitter', emitter);
}

function _setMaxListeners(n: any = limits.most, ...targets: any[]): void {
  notNegative(n, 'setMaxListeners');
  if (targets.length === 0) limits.most = n;
  for (const t of targets) {
    if (isTarget(t)) t[mostListeners] = n;
    else if (typeof t.setMaxListeners === 'function') t.setMaxListeners(n);
    else throw notEither('eventTargets', t);
  }
}

const notEmitter = (x: any): any => invalidType('emitter', 'an instance of EventEmitter', x);

// listen and unlisten serve emitters and targets of events.
function listen(emitter: any, name: any, f: any, once: boolean): void {
  if (typeof emitter.on === 'function') {
    if (once) emitter.once(name, f);
    else emitter.on(name, f);
  } else if (typeof emitter.addEventListener === 'function') emitter.addEventListener(name, f, { once, [insistent]: once });
  else throw notEmitter(emitter);
}

function unlisten(emitter: any, name: any, f: any): void {
  if (typeof emitter.removeListener === 'function') emitter.removeListener(name, f);
  else if (typeof emitter.removeEventListener === 'function') emitter.removeEventListener(name, f);
  else throw notEmitter(emitter);
}

function addAbortListener(signal: any, listener: any): any {
  if (signal === undefined) throw invalidType('signal', 'an instance of AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  const before = signal.aborted;
  if (before) (globalThis as any).queueMicrotask(listener);
  else signal.addEventListener('abort', listener, { once: true, [insistent]: true });
  return {
    __proto__: null,
    [(Symbol as any).dispose]() {
      if (!before) signal.removeEventListener('abort', listener);
    },
  };
}

// once(emitter, name): a promise of the next event, or of the error before it. Node's is an async function that returns
// a promise, which takes its turns.
function _once(emitter: any, name: any, options?: any): Promise<any[]> {
  return new Promise((resolve) => {
    const signal = options?.signal;
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) throw aborted(signal);
    resolve(next(emitter, name, signal));
  });
}

function next(emitter: any, name: any, signal: any): Promise<any[]> {
  return new Promise((resolve, reject) => {
    const deaf = () => signal?.removeEventListener('abort', abort);
    const abort = () => {
      unlisten(emitter, name, resolver);
      unlisten(emitter, 'error', rejecter);
      reject(aborted(signal));
    };
    const resolver = (...args: any[]) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', rejecter);
      deaf();
      resolve(args);
    };
    const rejecter = (err: any) => {
      emitter.removeListener(name, resolver);
      deaf();
      reject(err);
    };
    listen(emitter, name, resolver, true);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', rejecter);
    signal?.addEventListener('abort', abort, { once: true, [insistent]: true });
  });
}

// on(emitter, name): an async iterator over events, until one of options.close. Where more of them wait than
// the high water mark, the emitter pauses until fewer do than the low one.
function on(emitter: any, name: any, options: any = {}): any {
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw aborted(signal);
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  atLeastOne(high, 'options.highWaterMark');
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  atLeastOne(low, 'options.lowWaterMark');
  const queue: any[] = [];
  const waiting: any[] = [];
  const listening: [any, any][] = [];
  let paused = false;
  let error: any = null;
  let finished = false;
  const event = (...args: any[]) => {
    if (waiting.length > 0) {
      waiting.shift().resolve({ value: args, done: false });
      return;
    }
    queue.push(args);
    if (!paused && queue.length > high) {
      paused = true;
      emitter.pause();
    }
  };
  const fail = (err: any) => {
    if (waiting.length > 0) waiting.shift().reject(err);
    else error = err;
    close();
  };
  const abort = () => fail(aborted(signal));
  const close = () => {
    signal?.removeEventListener('abort', abort);
    while (listening.length > 0) unlisten(emitter, ...listening.pop()!);
    finished = true;
    const done = { value: undefined, done: true };
    while (waiting.length > 0) waiting.shift().resolve(done);
    return Promise.resolve(done);
  };
  const hear = (type: any, f: any) => {
    listen(emitter, type, f, false);
    listening.push([type, f]);
  };
  hear(name, event);
  if (name !== 'error' && typeof emitter.on === 'function') hear('error', fail);
  const last = options.close;
  if (last?.length) for (let i = 0; i < last.length; i++) hear(last[i], close);
  if (signal) addAbortListener(signal, abort);
  return {
    next() {
      if (queue.length > 0) {
        const value = queue.shift();
        if (paused && queue.length < low) {
          emitter.resume();
          paused = false;
        }
        return Promise.resolve({ value, done: false });
      }
      if (error) {
        const e = error;
        error = null;
        return Promise.reject(e);
      }
      return finished ? close() : new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: () => close(),
    throw(err: any) {
      if (!(err instanceof Error)) throw invalidType('EventEmitter.AsyncIterator', 'an instance of Error', err);
      fail(err);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

Object.assign(EventEmitter, {
  addAbortListener,
  once: _once,
  on,
  getEventListeners,
  getMaxListeners: _getMaxListeners,
  EventEmitter,
  usingDomains: false,
  captureRejectionSymbol: rejection,
  errorMonitor: monitor,
  setMaxListeners: _setMaxListeners,
  listenerCount: _listenerCount,
});
Object.defineProperties(EventEmitter, {
  captureRejections: {
    enumerable: true,
    get: () => EventEmitter.prototype[capture],
    set(v) {
      validateBoolean(v, 'EventEmitter.captureRejections');
      EventEmitter.prototype[capture] = v;
    },
  },
  EventEmitterAsyncResource: { enumerable: true, configurable: true, get: () => (withResource ??= asyncEmitter(EventEmitter)) },
  defaultMaxListeners: {
    enumerable: true,
    get: () => limits.most,
    set(n) {
      notNegative(n, 'defaultMaxListeners');
      limits.most = n;
    },
  },
});
let withResource: any;

export default EventEmitter as any;

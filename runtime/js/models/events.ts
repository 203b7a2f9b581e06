// EventEmitter as Node 20 has it. npm's shim copies arguments one by one and
// lacks captureRejections, error monitors and signals.
import { coded, invalidType } from './internal/errors';
import { loop } from './internal/host';
import { notNegative } from './internal/numbers';
import { inspect } from '../shared/inspect';

const apply = Reflect.apply;
const monitor = Symbol('events.errorMonitor');
const rejection = Symbol.for('nodejs.rejection');
const capture = Symbol('kCapture');
const shapeMode = Symbol('shapeMode');

let defaultMax = 10;

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
  this[capture] = options?.captureRejections ? true : EventEmitter.prototype[capture];
};

function check(listener: any): void {
  if (typeof listener !== 'function') throw invalidType('listener', 'of type function', listener);
}

EventEmitter.prototype.setMaxListeners = function (this: any, n: any) {
  notNegative(n, 'setMaxListeners');
  this._maxListeners = n;
  return this;
};

EventEmitter.prototype.getMaxListeners = function (this: any) {
  return this._maxListeners === undefined ? defaultMax : this._maxListeners;
};

function unhandled(emitter: any, err: any): never {
  if (err instanceof Error) throw err;
  const e: any = coded(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${inspect(err)})`);
  e.context = err;
  throw e;
}

EventEmitter.prototype.emit = function (this: any, type: any, a?: any, b?: any): boolean {
  const events = this._events;
  if (type === 'error') {
    if (events !== undefined && events[monitor] !== undefined) apply(EventEmitter.prototype.emit, this, [monitor, ...rest(arguments)]);
    if (events === undefined || events.error === undefined) unhandled(this, a);
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
};

function rest(args: IArguments): any[] {
  const r = new Array(args.length - 1);
  for (let i = 1; i < args.length; i++) r[i - 1] = args[i];
  return r;
}

// settled routes a rejected promise of a listener to 'error', if asked to.
function settled(emitter: any, promise: any, type: any, args: IArguments): void {
  if (emitter[capture] !== true) return;
  const then = promise.then;
  if (typeof then !== 'function') return;
  const list = rest(args);
  then.call(promise, undefined, (err: any) =>
    loop.tick(() => {
      if (typeof emitter[rejection] === 'function') emitter[rejection](err, type, ...list);
      else {
        emitter[capture] = false;
        try {
          emitter.emit('error', err);
        } finally {
          emitter[capture] = true;
        }
      }
    }),
  );
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
      target.emit('newListener', type, listener.listener ? listener.listener : listener);
      events = target._events;
    }
    existing = events[type];
  }
  if (existing === undefined) {
    events[type] = listener;
    ++target._eventsCount;
  } else if (typeof existing === 'function') events[type] = prepend ? [listener, existing] : [existing, listener];
  else if (prepend) existing.unshift(listener);
  else existing.push(listener);
  return target;
}

EventEmitter.prototype.addListener = function addListener(this: any, type: any, listener: any) {
  return add(this, type, listener, false);
};
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.prependListener = function prependListener(this: any, type: any, listener: any) {
  return add(this, type, listener, true);
};

function onceWrap(target: any, type: any, listener: any): any {
  let fired = false;
  const wrapped: any = function (this: any) {
    if (fired) return undefined;
    target.removeListener(type, wrapped);
    fired = true;
    return apply(listener, target, arguments);
  };
  wrapped.listener = listener;
  return wrapped;
}

EventEmitter.prototype.once = function once(this: any, type: any, listener: any) {
  check(listener);
  this.on(type, onceWrap(this, type, listener));
  return this;
};
EventEmitter.prototype.prependOnceListener = function prependOnceListener(this: any, type: any, listener: any) {
  check(listener);
  this.prependListener(type, onceWrap(this, type, listener));
  return this;
};

EventEmitter.prototype.removeListener = function removeListener(this: any, type: any, listener: any) {
  check(listener);
  const events = this._events;
  if (events === undefined) return this;
  const list = events[type];
  if (list === undefined) return this;
  if (list === listener || list.listener === listener) {
    this._eventsCount -= 1;
    if (this._eventsCount === 0 && !this[shapeMode]) this._events = Object.create(null);
    else events[type] = undefined; // deleting would make it a dictionary
    if (events.removeListener !== undefined) this.emit('removeListener', type, list.listener || listener);
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
};
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

EventEmitter.prototype.removeAllListeners = function removeAllListeners(this: any, type?: any) {
  const events = this._events;
  if (events === undefined) return this;
  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      this._events = Object.create(null);
      this._eventsCount = 0;
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = Object.create(null);
      else events[type] = undefined;
    }
    return this;
  }
  if (arguments.length === 0) {
    for (const key of Reflect.ownKeys(events)) if (key !== 'removeListener') this.removeAllListeners(key);
    this.removeAllListeners('removeListener');
    this._events = Object.create(null);
    this._eventsCount = 0;
    return this;
  }
  const list = events[type];
  if (typeof list === 'function') this.removeListener(type, list);
  else if (list !== undefined) for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
  return this;
};

function listeners(target: any, type: any, unwrap: boolean): any[] {
  const events = target._events;
  const list = events === undefined ? undefined : events[type];
  if (list === undefined) return [];
  if (typeof list === 'function') return [unwrap ? list.listener || list : list];
  return unwrap ? list.map((f: any) => f.listener || f) : list.slice();
}

EventEmitter.prototype.listeners = function (this: any, type: any) {
  return listeners(this, type, true);
};
EventEmitter.prototype.rawListeners = function (this: any, type: any) {
  return listeners(this, type, false);
};
EventEmitter.prototype.eventNames = function (this: any) {
  return this._eventsCount > 0 ? Reflect.ownKeys(this._events).filter((key) => this._events[key] !== undefined) : [];
};
EventEmitter.prototype.listenerCount = function listenerCount(this: any, type: any, listener?: any) {
  const events = this._events;
  const list = events === undefined ? undefined : events[type];
  if (list === undefined) return 0;
  if (typeof list === 'function') return listener === undefined || list === listener || list.listener === listener ? 1 : 0;
  if (listener === undefined) return list.length;
  return list.filter((f: any) => f === listener || f.listener === listener).length;
};

function listenerCount(emitter: any, type: any): number {
  return typeof emitter.listenerCount === 'function' ? emitter.listenerCount(type) : EventEmitter.prototype.listenerCount.call(emitter, type);
}

function getEventListeners(emitter: any, type: any): any[] {
  if (typeof emitter.listeners === 'function') return emitter.listeners(type);
  throw invalidType('emitter', 'an instance of EventEmitter or EventTarget', emitter);
}

function aborted(signal: any): any {
  const e: any = new Error('The operation was aborted', { cause: signal.reason });
  e.name = 'AbortError';
  e.code = 'ABORT_ERR';
  return e;
}

// listen and unlisten serve emitters and targets of events.
function listen(emitter: any, name: any, f: any, once: boolean): void {
  if (typeof emitter.on === 'function') {
    if (once) emitter.once(name, f);
    else emitter.on(name, f);
  } else if (typeof emitter.addEventListener === 'function') emitter.addEventListener(name, f, { once });
  else throw invalidType('emitter', 'an instance of EventEmitter', emitter);
}

function unlisten(emitter: any, name: any, f: any): void {
  if (typeof emitter.removeListener === 'function') emitter.removeListener(name, f);
  else emitter.removeEventListener(name, f);
}

// once(emitter, name): a promise of the next event, or of the error before it. Node's is an async function that returns
// a promise, which takes its turns.
function once(emitter: any, name: any, options?: any): Promise<any[]> {
  const signal = options?.signal;
  const next: Promise<any[]> = new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    const clean = () => {
      unlisten(emitter, name, resolver);
      unlisten(emitter, 'error', rejecter);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      clean();
      reject(aborted(signal));
    };
    const resolver = (...args: any[]) => {
      clean();
      resolve(args);
    };
    const rejecter = (err: any) => {
      clean();
      reject(err);
    };
    listen(emitter, name, resolver, true);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', rejecter);
    signal?.addEventListener('abort', abort, { once: true });
  });
  return new Promise((resolve) => resolve(next));
}

// on(emitter, name): an async iterator over events, until one of options.close.
function on(emitter: any, name: any, options?: any): any {
  const signal = options?.signal;
  if (signal?.aborted) throw aborted(signal);
  const last: any[] = options?.close ?? [];
  const queue: any[] = [];
  const waiting: any[] = [];
  let error: any = null;
  let finished = false;
  const event = (...args: any[]) => {
    if (waiting.length > 0) waiting.shift().resolve({ value: args, done: false });
    else queue.push(args);
  };
  const fail = (err: any) => {
    finished = true;
    if (waiting.length > 0) waiting.shift().reject(err);
    else error = { err };
    close();
  };
  const abort = () => fail(aborted(signal));
  const close = () => {
    unlisten(emitter, name, event);
    unlisten(emitter, 'error', fail);
    for (const e of last) unlisten(emitter, e, close);
    signal?.removeEventListener('abort', abort);
    finished = true;
    for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  listen(emitter, name, event, false);
  if (name !== 'error' && typeof emitter.on === 'function') emitter.on('error', fail);
  for (const e of last) listen(emitter, e, close, false);
  signal?.addEventListener('abort', abort, { once: true });
  return {
    next() {
      if (queue.length > 0) return Promise.resolve({ value: queue.shift(), done: false });
      if (error !== null) {
        const e = error.err;
        error = null;
        return Promise.reject(e);
      }
      if (finished) return close();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: close,
    throw(err: any) {
      unlisten(emitter, name, event);
      unlisten(emitter, 'error', fail);
      error = { err };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export class EventEmitterAsyncResource {
  constructor() {
    throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', 'EventEmitterAsyncResource is not supported under audit yet');
  }
}

Object.assign(EventEmitter, {
  EventEmitter,
  once,
  on,
  listenerCount,
  getEventListeners,
  getMaxListeners: (emitter: any) => emitter.getMaxListeners(),
  setMaxListeners(n = defaultMax, ...targets: any[]) {
    notNegative(n, 'setMaxListeners');
    if (targets.length === 0) defaultMax = n;
    else for (const t of targets) t.setMaxListeners?.(n);
  },
  addAbortListener(signal: any, listener: any) {
    if (signal.aborted) loop.tick(() => listener());
    else signal.addEventListener('abort', listener, { once: true });
    return { [(Symbol as any).dispose ?? Symbol.for('nodejs.dispose')]: () => signal.removeEventListener('abort', listener) };
  },
  usingDomains: false,
  captureRejectionSymbol: rejection,
  errorMonitor: monitor,
  EventEmitterAsyncResource,
});
Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  enumerable: true,
  get: () => defaultMax,
  set(n) {
    notNegative(n, 'defaultMaxListeners');
    defaultMax = n;
  },
});
Object.defineProperty(EventEmitter, 'captureRejections', {
  enumerable: true,
  get: () => EventEmitter.prototype[capture],
  set(v) {
    EventEmitter.prototype[capture] = v;
  },
});

export default EventEmitter as any;

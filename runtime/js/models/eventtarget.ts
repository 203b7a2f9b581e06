// Event, EventTarget, AbortController and AbortSignal, and DOMException.
import { coded, invalidType } from './internal/errors';
import { loop, nondeterministic, running, still } from './internal/host';
import { custom, inspect } from '../shared/inspect';

const codes: Record<string, number> = {
  __proto__: null as any,
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
};

export class DOMException extends Error {
  constructor(message: any = '', options: any = 'Error') {
    super(`${message}`);
    const name = typeof options === 'object' && options !== null ? options.name ?? 'Error' : `${options}`;
    if (typeof options === 'object' && options !== null && 'cause' in options) Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
    Object.defineProperty(this, 'name', { value: name, writable: true, configurable: true });
  }
  get code(): number {
    return codes[this.name] ?? 0;
  }
}
Object.defineProperty(DOMException.prototype, Symbol.toStringTag, { value: 'DOMException', configurable: true });

export class Event {
  type: string;
  bubbles: boolean;
  cancelable: boolean;
  composed: boolean;
  defaultPrevented = false;
  target: any = null;
  currentTarget: any = null;
  eventPhase = 0;
  isTrusted = false;
  _stopped = false;
  #time: any;
  constructor(type: any, options: any = undefined) {
    if (arguments.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "type" argument must be specified');
    this.type = `${type}`;
    this.bubbles = !!options?.bubbles;
    this.cancelable = !!options?.cancelable;
    this.composed = !!options?.composed;
  }
  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }
  stopPropagation(): void {}
  stopImmediatePropagation(): void {
    this._stopped = true;
  }
  composedPath(): any[] {
    return this.currentTarget === null ? [] : [this.currentTarget];
  }
  get timeStamp(): number {
    return running() ? (this.#time = still(this.#time, nondeterministic('number'), 'when an event came')) : 0;
  }
  get srcElement(): any {
    return this.target;
  }
  get returnValue(): boolean {
    return !this.defaultPrevented;
  }
}
Object.defineProperty(Event.prototype, Symbol.toStringTag, { value: 'Event', configurable: true });
Object.assign(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });

export class CustomEvent extends Event {
  detail: any;
  constructor(type: any, options: any = undefined) {
    super(type, options);
    this.detail = options?.detail ?? null;
  }
}

const listeners = Symbol('listeners');

function rethrow(e: any): void {
  loop.tick(() => {
    throw e;
  });
}

async function handled(listener: any, event: any): Promise<void> {
  listener.handleEvent(event);
}

export class EventTarget {
  constructor() {
    Object.defineProperty(this, listeners, { value: new Map(), configurable: true });
  }
  addEventListener(type: any, listener: any, options?: any): void {
    if (arguments.length < 2) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "type" and "listener" arguments must be specified');
    if (listener === null || listener === undefined) return;
    if (typeof listener !== 'function' && typeof listener !== 'object') throw invalidType('listener', 'an instance of EventListener', listener);
    const o = typeof options === 'object' && options !== null ? options : { capture: !!options };
    if (o.signal?.aborted) return;
    const all: Map<any, any[]> = (this as any)[listeners];
    const name = `${type}`;
    const l = all.get(name) ?? [];
    if (l.some((x) => x.listener === listener && x.capture === !!o.capture)) return;
    all.set(name, [...l, { listener, once: !!o.once, capture: !!o.capture }]);
    o.signal?.addEventListener('abort', () => this.removeEventListener(type, listener, options), { once: true });
  }
  removeEventListener(type: any, listener: any, options?: any): void {
    const capture = typeof options === 'object' && options !== null ? !!options.capture : !!options;
    const all: Map<any, any[]> = (this as any)[listeners];
    const l = all.get(`${type}`);
    if (l !== undefined) all.set(`${type}`, l.filter((x) => x.listener !== listener || x.capture !== capture));
  }
  dispatchEvent(event: any): boolean {
    if (!(event instanceof Event)) throw invalidType('event', 'an instance of Event', event);
    event.target = event.currentTarget = this;
    event.eventPhase = 2;
    for (const x of (this as any)[listeners].get(event.type) ?? []) {
      if (x.once) this.removeEventListener(event.type, x.listener, { capture: x.capture });
      try {
        // Node awaits the methods of objects, and looks after promises.
        const r = typeof x.listener === 'function' ? x.listener.call(this, event) : handled(x.listener, event);
        if (r !== undefined && r !== null && typeof r.then === 'function') Reflect.apply(r.then, r, [undefined, rethrow]);
      } catch (e) {
        rethrow(e);
      }
      if (event._stopped) break;
    }
    event.currentTarget = null;
    event.eventPhase = 0;
    return !event.defaultPrevented;
  }
}
Object.defineProperty(EventTarget.prototype, Symbol.toStringTag, { value: 'EventTarget', configurable: true });

// handlers gives a target its `on…` properties.
function handler(C: any, type: string): void {
  const key = Symbol('on' + type);
  Object.defineProperty(C.prototype, 'on' + type, {
    get(this: any) {
      return this[key] ?? null;
    },
    set(this: any, f: any) {
      if (this[key]) this.removeEventListener(type, this[key]);
      Object.defineProperty(this, key, { value: typeof f === 'function' ? f : null, writable: true, configurable: true });
      if (this[key]) this.addEventListener(type, f);
    },
    enumerable: true,
    configurable: true,
  });
}

const making = Symbol('making');
const state = Symbol('state');

export class AbortSignal extends EventTarget {
  constructor(by?: any) {
    super();
    if (by !== making) throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    Object.defineProperty(this, state, { value: { aborted: false, reason: undefined }, configurable: true });
  }
  get aborted(): boolean {
    return (this as any)[state].aborted;
  }
  get reason(): any {
    return (this as any)[state].reason;
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
  static abort(reason: any = new DOMException('This operation was aborted', 'AbortError')): AbortSignal {
    const s = new AbortSignal(making);
    (s as any)[state].aborted = true;
    (s as any)[state].reason = reason;
    return s;
  }
  static timeout(ms: any): AbortSignal {
    if (typeof ms !== 'number') throw invalidType('delay', 'of type number', ms);
    if (!Number.isInteger(ms)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "delay" is out of range. It must be an integer. Received ${ms}`);
    if (ms < 0 || ms > 4294967295) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "delay" is out of range. It must be >= 0 && <= 4294967295. Received ${inspect(ms)}`);
    const s = new AbortSignal(making);
    (globalThis as any).setTimeout(() => abort(s, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref();
    return s;
  }
  static any(signals: any): AbortSignal {
    const s = new AbortSignal(making);
    const list = [...signals];
    for (const x of list) {
      if (!x.aborted) continue;
      (s as any)[state].aborted = true;
      (s as any)[state].reason = x.reason;
      return s;
    }
    for (const x of list) x.addEventListener('abort', () => abort(s, x.reason), { once: true });
    return s;
  }
}
handler(AbortSignal, 'abort');
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag, { value: 'AbortSignal', configurable: true });

function abort(s: any, reason: any): void {
  if (s[state].aborted) return;
  s[state].aborted = true;
  s[state].reason = reason;
  const e = new Event('abort');
  e.isTrusted = true;
  s.dispatchEvent(e);
}

export class AbortController {
  constructor() {
    Object.defineProperty(this, state, { value: new AbortSignal(making), configurable: true });
  }
  get signal(): AbortSignal {
    return (this as any)[state];
  }
  abort(reason: any = new DOMException('This operation was aborted', 'AbortError')): void {
    abort((this as any)[state], reason);
  }
}

// shown is how util.inspect shows an object of a class: by what fields gives.
function shown(C: any, fields: (x: any) => object): void {
  Object.defineProperty(C.prototype, custom, {
    value(this: any, depth: number, options: any) {
      return depth < 0 ? this : `${C.name} ${inspect(fields(this), { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
    },
    configurable: true,
  });
}
shown(AbortSignal, ({ aborted }) => ({ aborted }));
shown(AbortController, ({ signal }) => ({ signal }));

Object.defineProperty(AbortController.prototype, Symbol.toStringTag, { value: 'AbortController', configurable: true });

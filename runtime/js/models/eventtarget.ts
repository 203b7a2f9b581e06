// Event, EventTarget and what a program is told of a target's listeners.
import { coded, invalidThis, invalidType, invalidValue, missing, unsupported } from './internal/errors';
import { loop, nondeterministic, running, still } from './internal/host';
import { validateAbortSignal } from './internal/validators';
import { custom, inspect } from '../shared/inspect';

// enumerable makes what a class defines what an interface of the web's shows.
export function enumerable(C: any, ...names: string[]): void {
  for (const k of names) Object.defineProperty(C.prototype, k, { enumerable: true });
}

export function tagged(C: any, name: string): void {
  Object.defineProperty(C.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

// shallower are the options with which inspect shows what something holds.
const shallower = (options: any): any => ({ ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth });

const kType = Symbol('type');
const kTarget = Symbol('kTarget');
const kDispatched = Symbol('kIsBeingDispatched');
const kStop = Symbol('kStop');
const kDetail = Symbol('kDetail');
const trusted = Symbol('trusted');

// real is an event, or refused.
function real(e: any): any {
  if (typeof e?.[kType] !== 'string') throw invalidThis('Event');
  return e;
}

export class Event {
  // What it is told when it is made, and since.
  #said: any;
  #time: any;
  constructor(type: any, options: any = undefined) {
    if (arguments.length === 0) throw missing('type');
    if (options !== undefined && options !== null && (typeof options !== 'object' || Array.isArray(options))) throw invalidType('options', 'of type object', options);
    this.#said = { bubbles: !!options?.bubbles, cancelable: !!options?.cancelable, composed: !!options?.composed, prevented: false, stopped: false, trusted: !!options?.[trusted] };
    const self: any = this;
    self[kType] = `${type}`;
    self[kTarget] = null;
    self[kDispatched] = false;
  }
  initEvent(type: any, bubbles: any = false, cancelable: any = false): void {
    if (arguments.length === 0) throw missing('type');
    const self: any = this;
    if (self[kDispatched]) return;
    self[kType] = `${type}`;
    this.#said.bubbles = !!bubbles;
    this.#said.cancelable = !!cancelable;
  }
  stopImmediatePropagation(): void {
    real(this).stopPropagation();
    (this as any)[kStop] = true;
  }
  preventDefault(): void {
    real(this).#said.prevented = true;
  }
  get target(): any {
    return real(this)[kTarget];
  }
  get currentTarget(): any {
    return real(this)[kDispatched] ? (this as any)[kTarget] : null;
  }
  get srcElement(): any {
    return real(this)[kTarget];
  }
  get type(): string {
    return real(this)[kType];
  }
  get cancelable(): boolean {
    return real(this).#said.cancelable;
  }
  get defaultPrevented(): boolean {
    const { cancelable, prevented } = real(this).#said;
    return cancelable && prevented;
  }
  get timeStamp(): number {
    return running() ? (real(this).#time = still(this.#time, nondeterministic('number'), 'when an event came')) : 0;
  }
  composedPath(): any[] {
    return real(this)[kDispatched] ? [(this as any)[kTarget]] : [];
  }
  get returnValue(): boolean {
    return !real(this).defaultPrevented;
  }
  get bubbles(): boolean {
    return real(this).#said.bubbles;
  }
  get composed(): boolean {
    return real(this).#said.composed;
  }
  get eventPhase(): number {
    return real(this)[kDispatched] ? 2 : 0;
  }
  get cancelBubble(): boolean {
    return real(this).#said.stopped;
  }
  set cancelBubble(value: any) {
    if (value) real(this).#said.stopped = true;
    else real(this);
  }
  stopPropagation(): void {
    real(this).#said.stopped = true;
  }
  get isTrusted(): boolean {
    return typeof (this as any)[kType] === 'string' && this.#said.trusted;
  }
  [custom](depth: any): string {
    const { name } = real(this).constructor;
    return depth < 0 ? name : unsupported('util.inspect of an event');
  }
}
enumerable(Event, 'initEvent', 'stopImmediatePropagation', 'preventDefault', 'target', 'currentTarget', 'srcElement', 'type', 'cancelable', 'defaultPrevented', 'timeStamp');
enumerable(Event, 'composedPath', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble', 'stopPropagation', 'isTrusted');
Object.defineProperty(Event.prototype, 'isTrusted', { configurable: false });
tagged(Event, 'Event');
['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].forEach((k, value) => Object.defineProperty(Event, k, { value, enumerable: true }));

// happened makes an event of the platform's.
export const happened = (type: string): Event => new Event(type, { [trusted]: true });

export class CustomEvent extends Event {
  constructor(type: any, options: any = {}) {
    if (arguments.length === 0) throw missing('type');
    super(type, options);
    (this as any)[kDetail] = options?.detail ?? null;
  }
  get detail(): any {
    const detail = (this as any)?.[kDetail];
    if (detail === undefined) throw invalidThis('CustomEvent');
    return detail;
  }
}
enumerable(CustomEvent, 'detail');
tagged(CustomEvent, 'CustomEvent');

const kEvents = Symbol('kEvents');
const kHandlers = Symbol('kHandlers');
const target = Symbol.for('nodejs.event_target');

// limits has how many listeners targets may have without a warning.
export const limits = { most: 10 };
export const mostListeners = Symbol('events.maxEventTargetListeners');
const warned = Symbol('events.maxEventTargetListenersWarned');
// insistent, as an option, is heard even where another listener stops the event.
export const insistent = Symbol('kResistStopPropagation');

export const isTarget = (x: any): boolean => x?.constructor?.[target];

// Listening is a listener in the list of those of one event.
class Listening {
  next: Listening | undefined = undefined;
  removed = false;
  constructor(
    readonly listener: any,
    readonly once: boolean,
    readonly capture: boolean,
    readonly passive: boolean,
    readonly insistent: boolean,
  ) {}
  call(self: any, event: any): any {
    const f = this.listener;
    return typeof f === 'function' ? Reflect.apply(f, self, [event]) : handled(f, event);
  }
}

// Node awaits what the methods of objects return.
async function handled(listener: any, event: any): Promise<void> {
  if (listener.handleEvent) await listener.handleEvent(event);
}

// Heard is the list of an event's listeners, with its head.
interface Heard {
  size: number;
  insistent: boolean;
  next: Listening | undefined;
}

function rethrow(e: any): void {
  loop.tick(() => {
    throw e;
  });
}

// hears tells whether there is a listener, where what is given for one is not refused.
function hears(listener: any): boolean {
  if (typeof listener === 'function' || typeof listener?.handleEvent === 'function') return true;
  if (listener === null || listener === undefined) return false;
  if (typeof listener !== 'object') throw invalidType('listener', 'an instance of EventListener', listener);
  return true;
}

function optionsOf(options: any): any {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null) return {};
  if (typeof options !== 'object' && typeof options !== 'function') throw invalidType('options', 'of type object', options);
  const { once, capture, passive, signal } = options;
  return { once: !!once, capture: !!capture, passive: !!passive, signal, [insistent]: !!options[insistent] };
}

function typeOf(type: any): string {
  if (typeof type === 'symbol') throw invalidValue('value', type);
  return String(type);
}

export class EventTarget {
  constructor() {
    const self: any = this;
    self[kEvents] = new Map();
    self[mostListeners] = limits.most;
    self[warned] = false;
    self[kHandlers] = new Map();
  }
  addEventListener(type: any, listener: any, options: any = undefined): void {
    if (!isTarget(this)) throw invalidThis('EventTarget');
    if (arguments.length < 2) throw missing('type', 'listener');
    const o = options === undefined ? {} : optionsOf(options);
    const { signal } = o;
    validateAbortSignal(signal, 'options.signal');
    if (signal) {
      if (signal.aborted) return;
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, o), { once: true, [insistent]: true });
    }
    if (!hears(listener)) return;
    const name = typeOf(type);
    const all: Map<string, Heard> = (this as any)[kEvents];
    const heard = all.get(name) ?? { size: 0, insistent: false, next: undefined };
    let last: Heard | Listening = heard;
    for (; last.next !== undefined; last = last.next) if (last.next.listener === listener && last.next.capture === !!o.capture) return;
    last.next = new Listening(listener, !!o.once, !!o.capture, !!o.passive, !!o[insistent]);
    heard.size++;
    if (o[insistent]) heard.insistent = true;
    all.set(name, heard);
  }
  removeEventListener(type: any, listener: any, options: any = undefined): void {
    if (!isTarget(this)) throw invalidThis('EventTarget');
    if (arguments.length < 2) throw missing('type', 'listener');
    if (!hears(listener)) return;
    const capture = typeof options === 'boolean' ? options : options?.capture === true;
    const name = typeOf(type);
    const heard = (this as any)[kEvents].get(name);
    if (heard === undefined) return;
    for (let l = heard.next; l !== undefined; l = l.next) {
      if (l.listener !== listener || l.capture !== capture) continue;
      remove(heard, l);
      if (heard.size === 0) (this as any)[kEvents].delete(name);
      return;
    }
  }
  dispatchEvent(event: any): boolean {
    if (!isTarget(this)) throw invalidThis('EventTarget');
    if (arguments.length < 1) throw missing('event');
    if (!(event instanceof Event)) throw invalidType('event', 'an instance of Event', event);
    const e: any = event;
    if (e[kDispatched]) throw coded(Error, 'ERR_EVENT_RECURSION', `The event "${e.type}" is already being dispatched`);
    dispatch(this, e);
    return e.defaultPrevented !== true;
  }
  static get [target](): boolean {
    return true;
  }
  [custom](depth: any, options: any): string {
    if (!isTarget(this)) throw invalidThis('EventTarget');
    const { name } = this.constructor;
    return depth < 0 ? name : `${name} ${inspect({}, shallower(options))}`;
  }
}
enumerable(EventTarget, 'addEventListener', 'removeEventListener', 'dispatchEvent');
tagged(EventTarget, 'EventTarget');

function remove(heard: Heard, l: Listening): void {
  let before: Heard | Listening = heard;
  while (before.next !== undefined && before.next !== l) before = before.next;
  before.next = l.next;
  l.removed = true;
  heard.size--;
}

function dispatch(self: any, e: any): void {
  e[kTarget] = self;
  e[kDispatched] = true;
  const heard: Heard | undefined = self[kEvents].get(e[kType]);
  let next: Listening | undefined;
  for (let l = heard?.next; l !== undefined && (heard!.insistent || l.passive || e[kStop] !== true); l = next) {
    next = l.next;
    if (l.removed || (e[kStop] === true && !l.insistent)) continue;
    if (l.once) remove(heard!, l);
    try {
      const result = l.call(self, e);
      e[kDispatched] = false;
      // Node looks after promises, which is an operation of the program.
      if (result !== undefined && result !== null && typeof result.then === 'function') Reflect.apply(result.then, result, [undefined, rethrow]);
    } catch (err) {
      rethrow(err);
    }
  }
  e[kDispatched] = false;
}

// listenersOf are a target's listeners for an event.
export function listenersOf(self: any, type: any): any[] {
  const all: any[] = [];
  for (let l = self[kEvents].get(type)?.next; l !== undefined; l = l.next) all.push(l.listener);
  return all;
}

// handler gives a target its `on…` property, which keeps its place among the listeners.
export function handler(C: any, type: string): void {
  const key = 'on' + type;
  const of = (self: any): Map<string, any> => {
    if (self?.[kHandlers] === undefined) throw invalidThis('EventTarget');
    return self[kHandlers];
  };
  const property = {
    get [key](): any {
      return of(this).get(type)?.handler ?? null;
    },
    set [key](value: any) {
      const wrapped = of(this).get(type);
      if (wrapped !== undefined) {
        wrapped.handler = value;
        return;
      }
      const hear: any = function (this: any, ...args: any[]): any {
        return typeof hear.handler === 'function' ? Reflect.apply(hear.handler, this, args) : undefined;
      };
      hear.handler = value;
      (this as any).addEventListener(type, hear);
      of(this).set(type, hear);
    },
  };
  Object.defineProperty(C.prototype, key, Object.getOwnPropertyDescriptor(property, key)!);
}

// Listeners and other callbacks that guest code hands to the platform, as
// registrations. Emitted code calls these for `o.on(event, f)` and its kin, for
// `super.on(…)` and `on.call(o, …)`, and for methods like `res.end(f)`. What is not
// the platform's own gets the call unchanged.
import { callback, current } from './activation';

export interface Platform {
  // Methods that take a listener as second argument, by what they are called.
  listening: Map<Function, string>;
  // Methods whose last argument may be a function to be called once.
  calling: Set<Function>;
  outside: Outside;
}

// Outside is what each build does about events that come by themselves, such as connections.
export interface Outside {
  // noted is what is to run for a listener of such an event, or the listener.
  noted(o: any, event: any, listener: any): any;
  // awaits is told of f, which is about to be made a listener by the running activation's last registration.
  awaits(o: any, event: any, f: any): void;
}

const call = Function.prototype.call;

// marks functions that are activations already; a set of them would cost the garbage
// collector more than all else here.
const wrapped = Symbol.for('karousos.wrapped'); // which the verifier's models have a copy of this module for

// heardFor is the program's function that f stands for, or f itself: what listens once, Node wraps, too.
export const heardFor = (f: any): any => (f[wrapped] === true && f.listener !== undefined && f.name !== onceName ? f.listener : f);
const onceName = 'bound onceWrapper';

// heardAs makes f, an activation already, stand for a listener.
export function heardAs(f: any, listener: any): any {
  f[wrapped] = true;
  // removeListener(event, listener) and listeners() look through `.listener`.
  f.listener = listener;
  return f;
}

// on is o.method(...args), with text for a method that is none.
export function on(platform: Platform, o: any, method: string, text: string, args: any[]): any {
  return register(platform, callee(o[method], text), o, args);
}

function callee(f: any, text: string): Function {
  if (typeof f !== 'function') throw new TypeError(text + ' is not a function');
  return f;
}

// register is f.call(o, ...args).
function register(platform: Platform, f: any, o: any, args: any[]): any {
  let listener = args[1];
  const name = current === null || typeof listener !== 'function' || listener[wrapped] === true ? undefined : platform.listening.get(f);
  if (name === undefined) return Reflect.apply(f, o, handed(platform, f, args));
  // Who hears of listeners that are taken away hears of those that it knows.
  if (args[0] === 'removeListener') listener = known(listener);
  const heard = heardAs(callback(platform.outside.noted(o, args[0], listener), o), args[1]);
  const listens = name === 'once' || name === 'prependOnceListener' ? heardAs(onceOnly(o, args[0], heard), args[1]) : heard;
  platform.outside.awaits(o, args[0], listens);
  if (listens !== heard) return o[name === 'once' ? 'on' : 'prependListener'](args[0], listens);
  return Reflect.apply(f, o, [args[0], heard]);
}

const known = (listener: any): any =>
  function (this: any, event: any, f: any) {
    return Reflect.apply(listener, this, [event, typeof f === 'function' && f[wrapped] === true ? f.listener : f]);
  };

// hear has o hear heard, which stands for listener.
export function hear(o: any, method: string, event: any, listener: any, heard: any): any {
  heardAs(heard, listener);
  if (method !== 'once' && method !== 'prependOnceListener') return o[method](event, heard);
  return o[method === 'once' ? 'on' : 'prependListener'](event, heardAs(onceOnly(o, event, heard), listener));
}

// onceOnly hears an event one time, even if a listener has the event come again that once is called for.
export function onceOnly(target: any, type: any, listener: any): any {
  const state: any = { fired: false, wrapFn: undefined, target, type, listener };
  return (state.wrapFn = onceWrapper.bind(state));
}

function onceWrapper(this: any): any {
  if (this.fired) return undefined;
  this.target.removeListener(this.type, this.wrapFn);
  this.fired = true;
  return Reflect.apply(this.listener, this.target, arguments);
}

// viaCall is `f.call(o, ...args)`, viaApply `f.apply(o, list)`, and viaBind
// `f.bind(o, ...args)`, where f is named like a method that listens.
function viaCall(platform: Platform, f: any, o: any, args: any[]): any {
  return typeof f === 'function' && f.call === call ? register(platform, f, o, args) : f.call(o, ...args);
}

function viaApply(platform: Platform, f: any, args: any[]): any {
  if ((!platform.listening.has(f) && !platform.calling.has(f)) || args.length < 2) return f.apply(...args);
  return register(platform, f, args[0], Array.from(args[1] ?? []));
}

function viaBind(platform: Platform, f: any, args: any[]): any {
  const bound = f.bind(...args);
  if (!platform.listening.has(f) && !platform.calling.has(f)) return bound;
  const [o, ...first] = args;
  const g = (...rest: any[]) => register(platform, f, o, [...first, ...rest]);
  for (const k of ['name', 'length']) Object.defineProperty(g, k, { value: bound[k], configurable: true });
  return g;
}

// give is o.method(...args), with text for a method that is none.
function give(platform: Platform, o: any, method: string, text: string, args: any[]): any {
  const f = callee(o[method], text);
  return Reflect.apply(f, o, handed(platform, f, args));
}

// handed are the arguments of a method that may call its last one when it is done.
function handed(platform: Platform, f: any, args: any[]): any[] {
  const last = args.length - 1;
  if (current !== null && typeof args[last] === 'function' && args[last][wrapped] !== true && platform.calling.has(f)) {
    args[last] = callback(args[last]);
    args[last][wrapped] = true;
  }
  return args;
}

const listening = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'];
const calling = ['end', 'write', 'close'];

// entries are what emitted code calls, given where to find the platform.
export function entries(of: () => Platform) {
  return {
    reg: (text: string, f: any, o: any, ...args: any[]) => register(of(), callee(f, text), o, args),
    regCall: (f: any, o: any, ...args: any[]) => viaCall(of(), f, o, args),
    regApply: (f: any, ...args: any[]) => viaApply(of(), f, args),
    regBind: (f: any, ...args: any[]) => viaBind(of(), f, args),
    give: (o: any, method: string, text: string, ...args: any[]) => give(of(), o, method, text, args),
  };
}

// platform gathers the methods of prototypes of Node's core.
export function platform(prototypes: any[], outside: Outside): Platform {
  const p: Platform = { listening: new Map(), calling: new Set(), outside };
  for (const o of prototypes) {
    if (o === undefined || o === null) continue;
    for (const k of listening) if (typeof o[k] === 'function') p.listening.set(o[k], k);
    for (const k of calling) if (typeof o[k] === 'function') p.calling.add(o[k]);
  }
  return p;
}

'use strict';
const events = require('events');
const util = require('util');
const { EventEmitter, once, on } = events;

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code];
  }
};
const failed = (p) => p.then((v) => v, (e) => [e.name, e.message, e.code, String(e.cause), Object.keys(e)]);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const odd = (s) => [undefined, null, -1, NaN, 1.5, '1', s, s.length, {}, [], true, () => {}];

class Shop extends EventEmitter {}

module.exports = {
  listeners: (s) => {
    const e = new EventEmitter();
    const f = () => s;
    const g = function g() {};
    e.on(s, f).once(s, g).prependListener(s, g).prependOnceListener(s, f);
    const raw = e.rawListeners(s);
    const [first] = raw;
    return [
      e.listeners(s).map((l) => [f, g].indexOf(l)), raw.map((l) => [f, g].indexOf(l)), first.listener === f, first.name, util.inspect(first).split(' {')[0], e.listenerCount(s), e.listenerCount(s, f), e.listenerCount(s, null),
      first(), e.listenerCount(s), first(), e.removeListener(s, g).listenerCount(s, g), e.listenerCount('none'), e.eventNames(), events.getEventListeners(e, s).length, EventEmitter.listenerCount(e, s),
      ['on', 'addListener', 'once', 'off', 'emit', 'rawListeners', 'setMaxListeners', 'getMaxListeners', 'eventNames'].map((k) => EventEmitter.prototype[k].name), e.on === e.addListener,
    ];
  },
  // An event that comes again while its listener for once is called.
  again: (s) => {
    const log = [];
    const e = new EventEmitter();
    e.once(s, () => log.push('first', e.emit(s)));
    e.once(s, () => log.push('second'));
    e.on('newListener', (type, f) => log.push(type, f.length));
    e.on('removeListener', (type, f) => log.push('no more ' + type, f.length));
    e.emit(s);
    e.on('x', (a) => a).on('y', (a, b) => b).on('y', () => 0);
    e.removeAllListeners('y');
    e.removeAllListeners();
    return [log, e.eventNames(), e.emit(s)];
  },
  unheard: (s) => {
    const e = new Shop();
    const own = new TypeError(s);
    e.on(events.errorMonitor, (err) => err && (err.seen = s));
    const obscure = Object.assign(Object.create({ toString: () => 'obscure' }), { [util.inspect.custom]: () => { throw own; } });
    return [own, s, { s }, undefined, null, [s], obscure].map((x) => failure(() => e.emit('error', x))).concat([failure(() => e.emit('error')), own.seen]);
  },
  notMethods: (s) => [{ s }, [s], s, 5].flatMap((o) => ['on', 'once', 'end'].map((k) => failure(() => o[k](s, () => s)))).concat([
    ((o) => [failure(() => o.on(s, () => s)), failure(() => o.inner.once(s, () => s)), failure(() => o.make().write(() => s)), failure(() => o.close(() => s))])({ inner: {}, make: () => ({}) }),
    failure(() => new (class extends Object { f() { return super.on(s, () => s); } })().f()),
  ]),
  limits: (s) => {
    const e = new EventEmitter();
    const t = new EventTarget();
    const before = [e.getMaxListeners(), events.getMaxListeners(e), events.getMaxListeners(t), EventEmitter.defaultMaxListeners];
    e.setMaxListeners(s.length);
    events.setMaxListeners(s.length + 1, t);
    return [before, e.getMaxListeners(), events.getMaxListeners(t), odd(s).map((x) => failure(() => typeof e.setMaxListeners(x))), odd(s).map((x) => failure(() => events.setMaxListeners(x, e))), failure(() => events.setMaxListeners(1, {})), failure(() => events.getMaxListeners(s)), failure(() => events.getEventListeners({}, s))];
  },
  captured: async (s) => {
    const log = [];
    const e = new EventEmitter({ captureRejections: true });
    e.on('error', (err) => log.push('error ' + err.message));
    e.on('x', async (v) => { throw new Error(v); });
    e.on('x', async () => { await null; throw new Error('late'); });
    e.on('x', () => ({ then: (_, refuse) => refuse(new Error('thenable')) }));
    e.on('x', () => ({ get then() { throw new Error('no then'); } }));
    log.push(e.emit('x', s));
    await wait(2);
    const own = new EventEmitter({ captureRejections: true });
    own[events.captureRejectionSymbol] = (err, type, ...args) => log.push([err.message, type, args]);
    own.on(s, async () => { throw new Error('own'); });
    own.emit(s, 1, s);
    await wait(2);
    return [log, odd(s).map((x) => failure(() => typeof new EventEmitter({ captureRejections: x }))), odd(s).slice(0, -2).map((x) => failure(() => { EventEmitter.captureRejections = x; })), EventEmitter.captureRejections];
  },
  once: async (s) => {
    const e = new EventEmitter();
    const t = new EventTarget();
    setTimeout(() => { e.emit('x', s, 1); t.dispatchEvent(new Event(s)); e.emit('error', new RangeError(s)); }, 1);
    const c = new AbortController();
    const [a, b, d, f, g] = [once(e, 'x'), once(t, s), failed(once(e, 'y')), once(e, 'error'), failed(once(e, 'z', { signal: c.signal }))];
    const shown = [await a, (await b).map((v) => v.type), await d, (await f).map(String)];
    const h = failed(once(new EventEmitter(), 'z', { signal: c.signal }));
    c.abort(s);
    return [shown, await g, await h, await failed(once(e, 'x', { signal: c.signal })), await failed(once(e, 'x', { signal: s })), await failed(once({}, s)), await failed(once(e, s, { signal: null })), e.eventNames(), events.getEventListeners(t, s).length];
  },
  iterated: async (s) => {
    const e = new EventEmitter();
    const log = [];
    e.pause = () => log.push('pause');
    e.resume = () => log.push('resume');
    const it = on(e, 'x', { close: ['end'], highWaterMark: 2, lowWaterMark: 1 });
    for (const w of [s, 1, 2, 3]) e.emit('x', w);
    setTimeout(() => { e.emit('x', 'late'); e.emit('end'); e.emit('x', 'never'); }, 1);
    for await (const v of it) log.push(v);
    const c = new AbortController();
    const stopped = on(e, 'x', { signal: c.signal });
    const next = failed(stopped.next());
    c.abort(s);
    const refused = odd(s).map((x) => failure(() => typeof on(e, 'x', { highWaterMark: x }))).concat([failure(() => on(e, 'x', { signal: c.signal })), failure(() => on({}, 'x')), failure(() => it.throw(s))]);
    const t = new EventTarget();
    const heard = on(t, s);
    t.dispatchEvent(new Event(s));
    return [log, await next, await stopped.next(), refused, (await heard.next()).value[0].type, await heard.return(), await heard.next(), events.getEventListeners(t, s).length, Object.prototype.toString.call(heard)];
  },
  abortListener: async (s) => {
    const c = new AbortController();
    const log = [];
    c.signal.addEventListener('abort', (e) => e.stopImmediatePropagation());
    c.signal.addEventListener('abort', () => log.push('never'));
    const kept = events.addAbortListener(c.signal, (e) => log.push(e.type + s));
    const gone = events.addAbortListener(c.signal, () => log.push('gone'));
    gone[Symbol.dispose]();
    c.abort();
    events.addAbortListener(c.signal, () => log.push('after'));
    log.push('now');
    await wait(1);
    return [log, Object.getPrototypeOf(kept), failure(() => events.addAbortListener(s, () => {})), failure(() => events.addAbortListener(undefined, () => {})), failure(() => events.addAbortListener(c.signal, s))];
  },
  resource: (s) => {
    const { AsyncLocalStorage } = require('async_hooks');
    const store = new AsyncLocalStorage();
    const e = store.run(s, () => new events.EventEmitterAsyncResource({ name: 'Of' + s }));
    const log = [];
    e.on('x', function (v) { log.push(v, store.getStore(), this === e); });
    return [e.emit('x', 1), log, e.asyncResource.eventEmitter === e, typeof e.asyncId, e instanceof EventEmitter, failure(() => new events.EventEmitterAsyncResource()), failure(() => events.EventEmitterAsyncResource.prototype.asyncId), new (class Heir extends events.EventEmitterAsyncResource {})('n').emit('x'), e.emitDestroy()];
  },
  event: (s) => {
    const e = new Event(s, { cancelable: s.length === 3, bubbles: true });
    const shown = () => [e.type, e.target, e.currentTarget, e.srcElement, e.eventPhase, e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.returnValue, e.cancelBubble, e.isTrusted, e.composedPath().length, Object.prototype.toString.call(e), Object.keys(e)];
    const before = shown();
    e.preventDefault();
    e.stopPropagation();
    const after = shown();
    e.cancelBubble = false;
    e.initEvent(s + 2, false, true);
    const c = new CustomEvent(s, { detail: { s } });
    return [
      before, after, shown(), c.detail, new CustomEvent(s).detail, [Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE], failure(() => { Event.NONE = 1; }).length, failure(() => { e.type = s; }), failure(() => new Event()), odd(s).map((o) => failure(() => new Event(s, o).bubbles)), failure(() => new Event(Symbol(s))),
      Object.keys(Event.prototype), ['type', 'target', 'defaultPrevented', 'isTrusted'].map((k) => failure(() => Event.prototype[k])), failure(() => Event.prototype.preventDefault.call({})), failure(() => CustomEvent.prototype.detail), util.inspect([[e]], { depth: 0 }),
      Object.getOwnPropertyDescriptor(Event.prototype, 'isTrusted').configurable,
    ];
  },
  target: (s) => {
    const t = new EventTarget();
    const log = [];
    const heard = (name) => (e) => log.push([name, e.target === t, e.eventPhase, e.currentTarget === t]);
    const [a, b, later] = ['a', 'b', 'later'].map(heard);
    t.addEventListener(s, a);
    t.addEventListener(s, a);
    t.addEventListener(s, a, true);
    t.addEventListener(s, { handleEvent(e) { log.push(e.type, this === t); } });
    t.addEventListener(s, () => { t.removeEventListener(s, b); t.addEventListener(s, later); }, { once: true });
    t.addEventListener(s, b);
    const c = new AbortController();
    t.addEventListener(s, heard('until'), { signal: c.signal });
    const e = new Event(s, { cancelable: true });
    t.addEventListener(s, (x) => x.preventDefault());
    log.push(t.dispatchEvent(e), e.currentTarget === null, e.eventPhase, events.getEventListeners(t, s).length);
    c.abort();
    t.removeEventListener(s, a);
    t.dispatchEvent(new Event(s));
    t.addEventListener('x', (x) => log.push(failure(() => t.dispatchEvent(x))));
    t.dispatchEvent(new Event('x'));
    return [
      log, failure(() => t.addEventListener(s)), failure(() => t.addEventListener(s, s)), t.addEventListener(s, null), failure(() => t.removeEventListener(s)), odd(s).map((o) => failure(() => t.addEventListener('o', a, o))), failure(() => t.addEventListener('o', a, { signal: s })), failure(() => t.dispatchEvent()), failure(() => t.dispatchEvent({ type: s })),
      failure(() => EventTarget.prototype.addEventListener.call({}, s, a)), failure(() => t.addEventListener(Symbol(s), a)), util.inspect(t), util.inspect(new (class Own extends EventTarget {})()), Object.keys(EventTarget.prototype), Object.keys(t),
    ];
  },
  stopped: (s) => {
    const t = new EventTarget();
    const log = [];
    t.addEventListener(s, (e) => { log.push(1); e.stopImmediatePropagation(); });
    t.addEventListener(s, () => log.push(2));
    t.addEventListener(s, () => log.push(3), { passive: true });
    t.dispatchEvent(new Event(s));
    return log;
  },
  signals: (s) => {
    const [a, b] = [new AbortController(), new AbortController()];
    const any = AbortSignal.any([a.signal, b.signal]);
    const both = AbortSignal.any([any, AbortSignal.any([])]);
    const log = [];
    both.addEventListener('abort', () => log.push('both'));
    any.onabort = (e) => log.push('any', e.isTrusted, e.target === any);
    any.addEventListener('abort', () => log.push('second'));
    any.onabort = () => log.push('replaced');
    a.signal.addEventListener('abort', () => log.push('a ' + any.aborted));
    const before = [any.aborted, any.reason, typeof any.onabort];
    a.abort(s);
    b.abort();
    any.onabort = null;
    const shown = ({ name, message, code }) => [name, message, code];
    return [
      before, log, any.reason, both.reason, any.onabort, shown(b.signal.reason), AbortSignal.any([b.signal, a.signal]).reason === b.signal.reason, odd(s).map((x) => failure(() => AbortSignal.any(x).aborted)), odd(s).map((x) => failure(() => AbortSignal.any([x]).aborted)), odd(s).filter((x) => !(x > 0)).map((x) => failure(() => AbortSignal.timeout(x).aborted)),
      failure(() => new AbortSignal()), failure(() => AbortSignal.prototype.aborted), failure(() => AbortSignal.prototype.throwIfAborted.call({})), AbortSignal.abort(s).reason, failure(() => AbortSignal.abort(new TypeError(s)).throwIfAborted()), util.inspect(a), util.inspect({ a: { b: a } }, { depth: 1 }), Object.keys(AbortController.prototype), a.signal === a.signal,
    ];
  },
  exception: (s) => {
    const cause = { s };
    return [
      [new DOMException(), new DOMException(s), new DOMException(s, 'AbortError'), new DOMException(s, { name: 'DataCloneError', cause }), new DOMException(s, s), new DOMException(s, { cause }), new DOMException(s, 'ValidationError'), new DOMException(s, 'URLMismatchError')].map((e) => [e.name, e.message, e.code, e.cause, String(e), JSON.stringify(e), Object.keys(e), Object.hasOwn(e, 'message'), Object.prototype.toString.call(e), e instanceof Error, e.stack.split('\n')[0]]),
      DOMException.INUSE_ATTRIBUTE_ERR, DOMException.prototype.DATA_CLONE_ERR, Object.keys(DOMException), Object.keys(DOMException.prototype), failure(() => DOMException.prototype.name),
    ];
  },
};

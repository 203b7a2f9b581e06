'use strict';
// What async_hooks and diagnostics_channel hand on.
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId, triggerAsyncId } = require('async_hooks');
const { Channel, channel, hasSubscribers, tracingChannel } = require('diagnostics_channel');

const [one, other] = [new AsyncLocalStorage(), new AsyncLocalStorage()];
const failure = (f) => {
  try {
    return [typeof f()];
  } catch (e) {
    return [e.name, e.code, e.message];
  }
};

// Channels are made once, and tell each request what it says itself.
const told = channel('told');
const quiet = channel(Symbol('quiet'));
told.subscribe((message, name) => message.seen.push([name, one.getStore()]));
told.bindStore(one);
told.bindStore(other, (message) => message.seen.length);
const traced = tracingChannel('traced');
const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
traced.subscribe(Object.fromEntries(events.map((event) => [event, (x, name) => x.seen.push([name, x.result, x.error && x.error.message])])));
traced.start.bindStore(one, (x) => x.id);

module.exports = {
  entered: async (s) => {
    const out = [];
    await one.run(s, async function () {
      out.push(this === undefined);
      other.enterWith('entered');
      one.enterWith('changed');
      await null;
      out.push(one.getStore(), other.getStore());
      one.exit(() => out.push(typeof one.getStore(), other.getStore()));
      other.disable();
      out.push(one.getStore(), typeof other.getStore());
    });
    one.run(1, () => other.enterWith(s));
    out.push(typeof one.getStore(), other.getStore());
    one.run(undefined, (...args) => out.push(args, other.getStore()), 5, s);
    return out;
  },
  bound: (s) => {
    const f = one.run(s, () => AsyncResource.bind(function two(a, b) { return [this === undefined || typeof this, one.getStore(), a, b]; }));
    const within = one.run(s + '!', () => AsyncLocalStorage.snapshot());
    return [f.length, f(1, 2), f.call('x', 1), f.asyncResource instanceof AsyncResource, within((x) => [x, one.getStore()], s), AsyncLocalStorage.bind(() => typeof one.getStore())()];
  },
  refused: (s) => [
    s,
    ...[
      () => AsyncResource.bind(s),
      () => new AsyncResource('x').bind({}),
      () => new AsyncResource(5),
      () => new AsyncResource('x', { triggerAsyncId: s }),
      () => new AsyncResource('x', -2),
      () => createHook({ init: s }),
      () => createHook({ after: null }),
      () => createHook({}).enable().disable(),
      () => channel(5),
      () => channel('none').subscribe(s),
      () => tracingChannel(5),
      () => tracingChannel({ start: channel('start') }),
      () => tracingChannel({ start: { subscribe() {} } }),
      () => traced.traceCallback(() => {}, 0, { seen: [] }, null, s),
    ].map(failure),
  ],
  numbers: (s) => {
    const [a, b] = [new AsyncResource('a'), new AsyncResource('b', { triggerAsyncId: 7 })];
    return [s, a.asyncId() === a.asyncId(), a.asyncId() < b.asyncId(), a.triggerAsyncId() === executionAsyncId(), b.triggerAsyncId(), typeof triggerAsyncId(), a.emitDestroy() === a, a.type];
  },
  channels: (s) => {
    const seen = [];
    told.publish({ seen });
    const r = told.runStores({ seen, s }, function (a) { return [this.x, a, one.getStore().s, other.getStore()]; }, { x: s }, 5);
    quiet.publish(s);
    return [seen.map(([name, store]) => [name, store && store.s]), r, told.hasSubscribers, quiet.hasSubscribers, hasSubscribers('told'), hasSubscribers('nothing'), quiet.unsubscribe(() => {}), quiet.unbindStore(one), quiet instanceof Channel, channel('told') === told, quiet.runStores(s, (x) => x, null, s)];
  },
  traced: async (s) => {
    const out = [];
    const x = (extra) => ({ seen: out, id: s, ...extra });
    out.push(traced.traceSync((a) => a + one.getStore(), x(), null, 'sync '), typeof one.getStore());
    out.push(failure(() => traced.traceSync(() => { throw new Error(s); }, x())));
    out.push(await traced.tracePromise(async (a) => (await null, a + one.getStore()), x(), null, 'promise '));
    out.push(await traced.tracePromise(() => s, x()));
    out.push(await traced.tracePromise(async () => { throw new Error(s); }, x()).catch((e) => 'caught ' + e.message));
    await new Promise((resolve) => {
      traced.traceCallback((a, done) => setTimeout(done, 1, null, a), 1, x(), null, s, (e, a) => (out.push(e, a, one.getStore()), resolve()));
    });
    await new Promise((resolve) => traced.traceCallback((done) => process.nextTick(done, new Error(s)), undefined, x(), null, (e) => resolve(out.push(e.message))));
    return out;
  },
};

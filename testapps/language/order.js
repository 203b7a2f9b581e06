'use strict';
// Which of several things that wait comes first.
module.exports = {
  queues: (s) =>
    new Promise((resolve) => {
      const out = [];
      const n = (x) => () => out.push(x);
      setTimeout(() => { n('timeout')(); process.nextTick(n('tick in timeout')); Promise.resolve().then(n('then in timeout')); }, 0);
      setImmediate(() => {});
      process.nextTick(n('tick 1'));
      Promise.resolve().then(n('then 1')).then(n('then 2'));
      queueMicrotask(n('micro'));
      process.nextTick(() => { n('tick 2')(); process.nextTick(n('tick in tick')); Promise.resolve().then(n('then in tick')); });
      (async () => { n('async begin')(); await null; n('async after')(); await new Promise((r) => process.nextTick(r)); n('async after tick')(); })();
      n('sync')();
      setTimeout(() => resolve([out, s]), 20);
    }),
  interleaved: async (s) => {
    const out = [];
    const f = async (name, n) => { for (let i = 0; i < n; i++) { out.push(name + i); await null; } };
    await Promise.all([f('a', 3), f('b', 2), f(s, 4)]);
    return out;
  },
  returnPromise: async (s) => {
    const out = [];
    const n = (x) => () => out.push(x);
    const a = (async () => Promise.resolve())().then(n('async returns promise'));
    const b = (async () => {})().then(n('async'));
    const c = (async () => await Promise.resolve())().then(n('async returns await'));
    const d = Promise.resolve().then(() => Promise.resolve()).then(n('then returns promise'));
    const e = Promise.resolve().then(() => ({ then: (f) => f() })).then(n('then returns thenable'));
    const f = Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => {}).then(n('fourth then'));
    const g = new Promise((r) => r(Promise.resolve())).then(n('resolved by promise'));
    const h = Promise.reject().finally(() => {}).catch(n('finally'));
    await Promise.all([a, b, c, d, e, f, g, h]);
    return [out, s];
  },
  forAwaitTurns: async (s) => {
    const out = [];
    async function* g() { yield 1; yield 2; }
    const a = (async () => { for await (const x of g()) out.push('gen' + x); })();
    const b = (async () => { for await (const x of [1, 2]) out.push('list' + x); })();
    const c = (async () => { for (let i = 0; i < 8; i++) { await null; out.push('turn' + i); } })();
    await Promise.all([a, b, c]);
    return [out, s];
  },
  timers: (s) =>
    new Promise((resolve) => {
      const out = [];
      setTimeout(() => out.push('b'), 5);
      setTimeout(() => out.push('a'), 1);
      const c = setTimeout(() => out.push('never'), 3);
      clearTimeout(c);
      let i = 0;
      const t = setInterval(() => { out.push('tick'); if (++i === 3) { clearInterval(t); resolve([out.length, out.filter((x) => x === 'tick').length, s]); } }, 2);
    }),
  immediates: (s) =>
    new Promise((resolve) => {
      const out = [];
      setImmediate((x) => { out.push(x); setImmediate(() => { out.push('nested'); resolve([out, s]); }); Promise.resolve().then(() => out.push('micro')); process.nextTick(() => out.push('tick')); }, 'first');
      setImmediate(() => out.push('second'));
      const c = setImmediate(() => out.push('never'));
      clearImmediate(c);
    }),
  tickArguments: (s) => new Promise((resolve) => process.nextTick((a, b) => resolve([a, b]), s, 2)),
  emitter: (s) => {
    const E = require('events'), e = new E(), out = [];
    e.on('x', (v) => out.push('on ' + v)).once('x', (v) => out.push('once ' + v)).prependListener('x', () => out.push('first'));
    e.emit('x', s);
    out.push(e.emit('x', 2), e.emit('none'), e.listenerCount('x'), e.eventNames());
    try { e.emit('error', new Error(s)); } catch (err) { out.push(err.message); }
    return out;
  },
  combinators: async (s) => {
    const out = [];
    const t = (p, n) => p.then(() => out.push(n), () => out.push(n + ' no'));
    await Promise.all([t(Promise.all([1, 2]), 'all'), t(Promise.all([]), 'all none'), t(Promise.race([1, 2]), 'race'), t(Promise.any([1]), 'any'), t(Promise.any([]), 'any none'), t(Promise.allSettled([Promise.reject(1)]), 'settled'), t(Promise.resolve(1), 'resolved'), t(Promise.all([Promise.resolve(Promise.resolve(1))]), 'all nested'), t(Promise.all([Promise.reject(1), Promise.reject(2)]), 'all rejected')]);
    return [out, s];
  },
};

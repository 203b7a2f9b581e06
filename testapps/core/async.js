'use strict';
// Every way to wait. What comes after one must be named alike by server and verifier.
const crypto = require('crypto');
const { AsyncLocalStorage } = require('async_hooks');
const events = require('events');
const fs = require('fs');
const fsp = require('timers/promises');
const stream = require('stream');
const util = require('util');
const zlib = require('zlib');

const wait = (ms, v) => new Promise((resolve) => setTimeout(resolve, ms, v));
const text = async (readable) => {
  let s = '';
  for await (const chunk of readable) s += chunk;
  return s;
};
class Upper extends stream.Transform {
  _transform(chunk, _encoding, callback) {
    setImmediate(() => callback(null, chunk.toString().toUpperCase()));
  }
}
async function* letters(s) {
  for (const c of s) {
    await null;
    yield c;
  }
}

module.exports = {
  body: async (s, req) => [await text(req), s],
  bodyEvents: (s, req) =>
    new Promise((resolve) => {
      let n = 0;
      req.on('data', (c) => (n += c.length));
      req.on('end', () => resolve([n, s]));
    }),
  bodyOnce: async (s, req) => {
    req.resume();
    await events.once(req, 'end');
    return 'ended ' + s;
  },
  bodyFinished: async (s, req) => {
    req.resume();
    await stream.promises.finished(req);
    return 'finished ' + s;
  },
  generator: async (s) => {
    const log = [];
    for await (const c of letters(s)) log.push(c);
    return log;
  },
  generatorLeft: async (s) => {
    const it = letters(s + 'abc');
    for await (const c of it) if (c === 'a') break;
    return [await it.next(), s];
  },
  from: async (s) => text(stream.Readable.from(['a', s, 'b'])),
  fromGenerator: async (s) => text(stream.Readable.from(letters(s))),
  transform: async (s) => text(stream.Readable.from(['x', s]).pipe(new Upper())),
  pipeline: async (s) => {
    const out = [];
    await stream.promises.pipeline(stream.Readable.from([s, '!']), new Upper(), async function (source) {
      for await (const c of source) out.push(String(c));
    });
    return out;
  },
  pipelineCallback: (s) =>
    new Promise((resolve) => {
      const sink = new stream.PassThrough();
      const got = [];
      sink.on('data', (c) => got.push(String(c)));
      stream.pipeline(stream.Readable.from([s, '.']), sink, (err) => resolve([err === undefined || err === null, got.join('')]));
    }),
  timers: async (s) => {
    await fsp.setTimeout(1);
    const v = await fsp.setImmediate(s);
    return [v, await wait(1, 'w')];
  },
  ticks: async (s) => {
    const log = [];
    await new Promise((resolve) => {
      setImmediate(() => log.push('immediate'));
      process.nextTick(() => log.push('tick'));
      queueMicrotask(() => log.push('micro'));
      Promise.resolve(s).then((v) => log.push('then' + v));
      setTimeout(resolve, 5);
    });
    return log;
  },
  // A platform that is busy fires timers in another order than they are due.
  busy: async (s) => {
    const log = [];
    const timed = (ms) => wait(ms).then(() => log.push(ms));
    const all = Promise.all([timed(3), timed(1), timed(4), timed(2), wait(1).then(() => setImmediate(() => log.push('i')))]);
    await wait(0);
    crypto.pbkdf2Sync(s, 'salt', 4000, 16, 'sha1');
    log.push('between');
    await all;
    await Promise.all([timed(2), timed(1), wait(2)]);
    return log;
  },
  race: async (s) => [await Promise.race([wait(1, 'fast'), wait(50, 'slow')]), await Promise.any([Promise.reject(new Error(s)), wait(1, s)])],
  all: async (s) => [await Promise.all([wait(2, 1), s, wait(1, 2)]), (await Promise.allSettled([wait(1), Promise.reject(s)])).map((r) => r.status)],
  failures: async (s) => {
    const e = await Promise.any([Promise.reject(1), Promise.reject(s)]).catch((x) => x);
    return [e.name, e.errors];
  },
  thenable: async (s) => [await { then: (f) => setTimeout(f, 1, s) }, await Promise.resolve({ then: (_f, g) => g('no') }).catch((x) => x)],
  finallys: async (s) => {
    const log = [];
    await Promise.reject(s)
      .finally(() => wait(1))
      .catch((e) => log.push(e))
      .finally(() => log.push('f'));
    return log;
  },
  emitter: async (s) => {
    const e = new events();
    setTimeout(() => e.emit('x', s, 2), 1);
    return events.once(e, 'x');
  },
  emitterOn: async (s) => {
    const e = new events();
    setTimeout(() => {
      e.emit('x', s);
      e.emit('x', 2);
    }, 1);
    const got = [];
    for await (const [v] of events.on(e, 'x')) {
      got.push(v);
      if (got.length === 2) return got;
    }
  },
  emitterOnClose: async (s) => {
    const e = new events();
    setTimeout(() => {
      e.emit('x', s);
      e.emit('x', 2);
      e.emit('end');
      e.emit('x', 3);
    }, 1);
    const got = [];
    for await (const [v] of events.on(e, 'x', { close: ['end'] })) got.push(v);
    return [got, e.eventNames().length];
  },
  emitterOnAbort: async (s) => {
    const e = new events();
    const c = new AbortController();
    setTimeout(() => e.emit('x', s), 1);
    setTimeout(() => c.abort('why ' + s), 20);
    const got = [];
    try {
      for await (const [v] of events.on(e, 'x', { signal: c.signal })) got.push(v);
    } catch (err) {
      got.push(err.name, err.code, err.message, err.cause);
    }
    try {
      events.on(e, 'x', { signal: c.signal });
    } catch (err) {
      got.push(err.name);
    }
    return got;
  },
  intervalPromise: async (s) => {
    const got = [];
    for await (const v of fsp.setInterval(2, s)) {
      got.push(v);
      if (got.length === 3) break;
    }
    const it = fsp.setInterval(1, 'i');
    got.push(await it.next(), await it.return('r'), await it.next());
    return got;
  },
  intervalAborted: async (s) => {
    const c = new AbortController();
    const got = [];
    try {
      for await (const v of fsp.setInterval(2, s, { signal: c.signal })) {
        got.push(v);
        if (got.length === 2) c.abort(s);
      }
    } catch (e) {
      got.push(e.name, e.code, e.message, e.cause);
    }
    return got;
  },
  anySignal: async (s) => {
    const c = new AbortController();
    const t = AbortSignal.timeout(5);
    const any = AbortSignal.any([c.signal, t]);
    const first = await events.once(any, 'abort').then(() => any.reason.name);
    const other = AbortSignal.any([new AbortController().signal, AbortSignal.abort(s)]);
    return [first, other.aborted, other.reason, c.signal.aborted];
  },
  contexts: async (s) => {
    const store = new AsyncLocalStorage();
    return store.run(s, async () => {
      const seen = [await new Promise((r) => fs.createReadStream(__filename).on('data', () => r(store.getStore())))];
      seen.push(await new Promise((r) => zlib.createGzip().on('data', () => r(store.getStore())).end('x')));
      const sink = new stream.Writable({ write: (_c, _e, done) => (seen.push(store.getStore()), done()) });
      await stream.promises.pipeline(fs.createReadStream(__filename, { end: 9 }), sink);
      const e = new events();
      e.on('x', () => seen.push(store.getStore()));
      setTimeout(() => store.run('inner', () => e.emit('x')), 1);
      await wait(5);
      return seen;
    });
  },
  promisified: async (s) => util.promisify((x, callback) => setTimeout(callback, 1, null, x + '?'))(s),
  callbackified: (s) => new Promise((resolve) => util.callbackify(async (x) => (await null, x + '.'))(s, (_e, v) => resolve(v))),
  nested: async (s) => {
    const lock = [];
    const inner = async (n) => {
      await wait(1);
      lock.push(n);
      return n;
    };
    const [a, b] = await Promise.all([inner(1).then((x) => inner(x + 1)), inner(s)]);
    return [a, b, lock.length];
  },
  timerArguments: async (s) => {
    const told = (p) => p.then((v) => v, (e) => [e.name, e.code, e.message]);
    const list = [['x'], [1, s, 5], [1, s, null], [1, s, { signal: 5 }], [1, s, { signal: {} }], [1, s, { ref: s }], [1, s, { ref: false }]];
    const out = [await told((async () => new fsp.scheduler.constructor())()), await told((async () => fsp.scheduler.wait.call({}, 1))()), fsp.setTimeout.length, await fsp.scheduler.wait(1), await fsp.scheduler.yield()];
    for (const a of list) out.push(await told(fsp.setTimeout(...a)), await told(fsp.setImmediate(...a.slice(1))));
    for (const a of list.slice(0, 6)) {
      const it = fsp.setInterval(...a);
      out.push(await told(it.next()), await it.next());
    }
    return out;
  },
  long: async (s) => {
    for (let i = 0; i < 12000; i++) await null;
    return [s, typeof Math.random()];
  },
  immediates: (s) =>
    new Promise((resolve) => {
      const [t, i, j] = [setTimeout(() => resolve('late'), 10), setImmediate(() => resolve('soon')), setInterval(() => {}, 1)];
      for (const x of [t, i, j]) x[Symbol.dispose]();
      const own = setImmediate(function (x) { resolve([this === own, x, s, typeof fsp.scheduler.wait]); }, 5);
    }),
  timerNumbers: (s) =>
    new Promise((resolve) => {
      const out = [];
      const [a, b, c] = [1, 2, 3].map((n) => setTimeout(() => out.push(n), n));
      let left = s.length;
      clearTimeout(+b);
      for (const x of [0, undefined, null, 'none', '', -1, {}]) clearTimeout(x);
      const i = setInterval(() => {
        if (left-- > 0) return;
        clearInterval(`${i}`);
        setTimeout(() => {
          clearTimeout(+a); // too late
          resolve([out, typeof +a, +a === Number(a), +a !== +c, Number.isInteger(+c)]);
        }, 10);
      }, 1);
    }),
  removedListeners: (s) => {
    const e = new events(), out = [];
    e.on('removeListener', function (name, f) { out.push(name, f.name, this === e, f === first); });
    const first = function first() {};
    e.on(s, first).on(s, function second() {}).on('other', () => {}).removeAllListeners(s);
    e.on(s, first).off(s, first);
    return [out, e.listeners('removeListener').length];
  },
  reply: async (s, req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    res.write('first ');
    await wait(1);
    await new Promise((resolve) => res.write(s + ' second', resolve));
    res.end();
    return undefined;
  },
  piped: async (s, req, res) => {
    stream.Readable.from([s, 'end']).pipe(res);
    await events.once(res, 'finish');
    return undefined;
  },
};

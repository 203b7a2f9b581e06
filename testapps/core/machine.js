'use strict';
const os = require('os');
const util = require('util');
const dns = require('dns');
const path = require('path');
const assert = require('assert');
const events = require('events');
const { Readable, Transform, finished } = require('stream');
const streams = require('stream/promises');
const { performance, monitorEventLoopDelay } = require('perf_hooks');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code];
  }
};

module.exports = {
  constants: (s) => [os.constants.errno.ENOENT, os.constants.priority, Object.keys(os.constants), Object.keys(os.constants.errno).length, s],
  shown: (s) => {
    const own = { [util.inspect.custom]: (depth, options) => `${s} ${depth} ${options.depth} ${Object.keys(options)}` };
    const shown = [AbortSignal.abort(s), new AbortController(), { a: { b: new AbortController() } }, { a: { b: { c: { d: AbortSignal.abort() } } } }, { own }, own];
    return [...shown.map((x) => util.inspect(x)), util.inspect(own, { depth: 5 }), new Event('x').timeStamp > 0];
  },
  handles: (s) => {
    const late = setTimeout(() => {}, 1000);
    const soon = setImmediate(() => {});
    clearImmediate(soon);
    return [late.constructor.name, soon.constructor.name, late.hasRef(), late.unref().hasRef(), late.close() === late, s];
  },
  // What an emitter is made of, listeners as the program wrote them.
  emitters: (s) => {
    class Bus extends events {
      constructor() {
        super({ captureRejections: s === 'one' });
        this.s = s;
      }
    }
    const bus = new Bus().on('a', function heard() {}).on('b', () => {});
    return [util.inspect(new events()), util.inspect(bus), Object.getPrototypeOf(bus._events), Object.keys(bus), util.inspect(new Map([[s, bus.listeners('a')[0]]]))];
  },
  // What the process uses is recorded.
  used: (s) => {
    const used = process.resourceUsage();
    return [Object.keys(used), used.maxRSS > 0, process.constrainedMemory() >= 0, process.availableMemory() > 0, process.geteuid() === process.getuid(), process.getegid() >= 0, process.getgroups().every(Number.isInteger), Array.isArray(process.getActiveResourcesInfo()), s];
  },
  order: (s) => [dns.getDefaultResultOrder(), dns.promises.getDefaultResultOrder(), dns.setDefaultResultOrder('verbatim'), failure(() => dns.setDefaultResultOrder(s)), failure(() => dns.promises.setDefaultResultOrder())],
  // What names inherit is no variable of the environment.
  environment: (s) => [process.env.hasOwnProperty('NO_' + s.length), typeof process.env.toString, typeof process.env.constructor, process.env['no' + s.length], 'valueOf' in process.env, typeof process.env.__proto__],
  process: (s) => [process.debugPort, typeof process.report.getReport().header, process.report.signal, Object.keys(process.report).includes('getReport'), s],
  global: (s) => [String(globalThis), Object.prototype.toString.call(globalThis), s],
  // Programs look for what there is, and at what it is called.
  globals: (s) => [
    'Blob File FormData Request Response Headers ReadableStream TransformStream CompressionStream MessageChannel BroadcastChannel PerformanceObserver CryptoKey WebSocket Navigator'.split(' ').map((k) => typeof globalThis[k]),
    s,
  ],
  classes: (s, req, res) => [
    res.constructor.name,
    req.constructor.name,
    req.socket.constructor.name,
    [require('http').Server, require('net').Server, Readable, Transform, events, require('async_hooks').AsyncLocalStorage, URL, Headers, AbortController].map((c) => c.name),
    s,
  ],
  binding: (s) => {
    const { isDate, isTypedArray, isMap, isAsyncFunction, ...rest } = process.binding('util');
    return [isDate(new Date(0)), isDate(s), isTypedArray(new Uint8Array(1)), isMap(new Map()), isAsyncFunction(async () => s), isAsyncFunction(() => s), Object.keys(rest).sort()];
  },
  // What packages that speak HTTP/2 by themselves look at when they are loaded.
  spdy: (s) => {
    const { methods, HTTPParser } = process.binding('http_parser');
    const { UV_EOF, UV_ENOENT, UV_ECONNRESET } = process.binding('uv');
    return [methods, HTTPParser.REQUEST, HTTPParser.kOnHeaders, HTTPParser.kOnBody, HTTPParser.kOnMessageComplete, process.binding('stream_wrap').kReadBytesOrError, UV_EOF, UV_ENOENT, UV_ECONNRESET, s];
  },
  constants: (s) => [process.version, process.versions, process.release, process.features, process.arch, Object.getOwnPropertyDescriptor(process, 'version'), Object.hasOwn(process, 'pid'), process.getuid() >= 0, process.ppid > 0, s],
  // Only texts are in the environment.
  variables: (s) => {
    const refused = (f) => {
      try {
        return f();
      } catch (e) {
        return [e.name, e.code, e.message];
      }
    };
    const key = Symbol(s);
    const out = [() => (process.env[key] = 1), () => (process.env.ODD = key), () => Object.defineProperty(process.env, 'ODD', { value: s }), () => Object.defineProperty(process.env, 'ODD', { get: () => s }), () => typeof process.env[key], () => key in process.env].map(refused);
    return [out, process.env.ODD, s];
  },
  // The environment is recorded as far as it is looked at, and so is what there is.
  environment: (s) => {
    const names = Object.keys(process.env);
    process.env.OWN = s;
    const after = Object.keys(process.env);
    delete process.env.OWN;
    return [names.includes('PATH'), names.length > 2, Object.keys({ ...process.env }).length === names.length, after.length - names.length, after[after.length - 1] === 'OWN', JSON.stringify(process.env).length > 20, Object.hasOwn(process.env, 'HOME') === 'HOME' in process.env, Object.hasOwn(process.env, 'NEVER'), s];
  },
  paths: (s) => [failure(() => path.join(s, 1)), failure(() => path.resolve('/a', null)), path.resolve(1, '/a', s), failure(() => path.resolve(1, s)), failure(() => path.basename(s, 1)), failure(() => path.dirname()), failure(() => path.format(s)), failure(() => path.relative({}, s)), path.normalize('//a//./b/..' + s), path.posix === path],
  // What does not fit says so in Node's words.
  numbers: (s) => {
    const b = Buffer.from('12345678' + s);
    const n = s.length;
    return [
      failure(() => b.readUInt32LE(100)), failure(() => b.readInt16BE(n + 0.5)), failure(() => b.readUInt8(s)), failure(() => b.readIntBE(0, 7)), failure(() => b.readUIntLE(0, 3)), failure(() => b.readDoubleBE(b.length)),
      failure(() => Buffer.alloc(1).readFloatLE()), failure(() => b.writeUInt8(256 + n)), failure(() => b.writeInt32LE(2 ** 31, 0)), failure(() => b.writeUIntBE(2 ** 48, 0, 6)), failure(() => b.writeBigInt64LE(2n ** 63n)),
      b.writeInt16BE(-n, 1), b.writeDoubleLE(1.5 + n), b.readBigUInt64BE().toString(), b.writeUIntLE(n, 0, 5), b.toString('hex'), failure(() => Buffer.alloc(-1)), failure(() => Buffer.from({})), failure(() => Buffer.from('abc').swap16()),
      failure(() => b.write('x', 100)), failure(() => b.write('x', 1.5)), failure(() => Buffer.alloc('1')), util.promisify(setTimeout).name,
      util.types.isProxy(new Proxy({}, {})), util.types.isProxy({}), util.types.isProxy(s),
    ];
  },
  windows: (s) => {
    const { win32 } = path;
    const names = [`C:\\a/../${s}`, `\\\\server\\${s}\\x.txt`, `${s}:x`, 'con' + s, `D:${s}/.`, `../${s}\\b.c`];
    return [
      names.map((n) => [win32.normalize(n), win32.isAbsolute(n), win32.dirname(n), win32.basename(n, '.txt'), win32.extname(n), win32.parse(n), win32.join(n, '..', s), win32.relative('C:\\a', 'C:\\' + n), win32.format({ dir: n, base: s })]),
      win32.resolve('C:\\' + s, '../y'), win32.toNamespacedPath('C:/' + s), win32.sep, win32.delimiter, win32.posix === path, require('path/win32') === win32, require('path/posix') === path,
      failure(() => win32.join(s, 1)), failure(() => win32.basename(s, 1)), failure(() => win32.format(s)), failure(() => win32.parse(null)), failure(() => win32.resolve({})),
    ];
  },
  os: (s) => [typeof os.hostname(), os.cpus().length > 0, os.totalmem() > os.freemem(), os.loadavg().length, os.tmpdir(), os.homedir(), os.platform(), os.EOL, s],
  entries: (s) => {
    const before = performance.now();
    const m = performance.mark('x' + s, { detail: s }), e = performance.measure('y', 'x' + s), text = JSON.parse(JSON.stringify(e));
    return [m.startTime >= before, m.duration, e.duration >= 0, e.startTime > 0, Object.keys(text), text.name, text.duration >= 0, JSON.parse(JSON.stringify(m)).detail];
  },
  eventLoop: () => {
    const u = performance.eventLoopUtilization(), h = monitorEventLoopDelay({ resolution: 20 });
    return [Object.keys(u), u.utilization <= 1, h.enable(), h.enable(), h.mean !== '', h.percentile(50) >= 0, h.max >= 0, h.disable(), h.disable()];
  },
  performance: (s) => [performance.timeOrigin > 0, performance.now() > 0, process.uptime() > 0, process.hrtime().length, performance.mark('a' + s, { detail: s }).name, performance.measure('m' + s, 'a' + s).entryType, performance.mark('b').detail, s],
  emitterErrors: (s) => {
    const e = new events();
    return [
      failure(() => e.emit('error', { s, deep: { er: [1] } })), failure(() => e.emit('error')), failure(() => e.emit('error', null)), failure(() => e.emit('error', s)), failure(() => e.emit('error', new Error(s))),
      failure(() => e.setMaxListeners(-1)), failure(() => e.setMaxListeners(s)), failure(() => events.setMaxListeners(NaN)), failure(() => e.on('x')), failure(() => e.once('x', s)),
    ];
  },
  events: async (s) => {
    const e = new events.EventEmitter();
    setTimeout(() => e.emit('x', s, 1), 1);
    const [v, n] = await events.once(e, 'x');
    setTimeout(() => e.emit('error', new Error(s)), 1);
    return [v, n, await events.once(e, 'y').catch((x) => x.message), e.listenerCount('error'), failure(() => e.emit('error', new Error('q' + s)))];
  },
  pipeline: async (s) => {
    const out = [];
    await streams.pipeline(
      Readable.from([s, 'b', 'c']),
      new Transform({ objectMode: true, transform: (c, e, done) => done(null, String(c).toUpperCase()) }),
      async function (source) {
        for await (const c of source) out.push(String(c));
      },
    );
    return [out, Math.random() < 1];
  },
  brokenpipeline: async (s) => streams.pipeline(Readable.from([s]), new Transform({ transform: (c, e, done) => done(new Error('broken ' + s)) })).catch((e) => e.message),
  finished: (s) => new Promise((resolve) => {
    const r = Readable.from([s]);
    finished(r, (e) => resolve([e === undefined, s]));
    r.resume();
  }),
  iterated: async (s) => {
    const out = [];
    for await (const c of Readable.from([s, 1, { a: s }])) out.push(c);
    return [out, typeof Math.random()];
  },
  hrtimes: (s) => {
    const told = (f) => { try { return f(); } catch (e) { return [e.name, e.code, e.message]; } };
    const t = process.hrtime(), d = process.hrtime(t);
    return [d.length, d[0] >= 0, d[1] >= 0, told(() => process.hrtime([1])), told(() => process.hrtime(5)), told(() => process.hrtime(null)), Date.now.name, performance.now.name, s];
  },
  tables: (s) => {
    const { builtinModules, isBuiltin } = require('module');
    return [
      ['EOL', 'devNull', 'constants'].map((k) => { const d = Object.getOwnPropertyDescriptor(os, k); return [d.writable, d.configurable, failure(() => { os[k] = s; })[1]]; }), Object.entries(os.constants).map(([k, v]) => [k, typeof v === 'object' ? [Object.getPrototypeOf(v), Object.entries(v)] : v]),
      builtinModules, Object.isFrozen(builtinModules), ['fs', 'node:fs', 'fs/promises', 'test', 'node:test', 'node:node:fs', 'sys', s, 5].map((name) => isBuiltin(name)),
    ];
  },
  util: (s) => [util.format('%s %d %i %j %o %%', s, 1.5, 2.5, { s }, [s]), util.inspect({ s, n: new Map([[s, new Set([1])]]), d: new Date(0), r: /x/, f() {}, [Symbol('k')]: 1 }), util.types.isRegExp(/x/), util.isDeepStrictEqual({ a: [s] }, { a: [s] })],
  assert: (s) => [failure(() => assert.strictEqual(s.length, 3))[0], failure(() => assert.deepStrictEqual({ s }, { s })) === undefined, failure(() => assert(s.length < 5, 'too long: ' + s))],
  path: (s) => [path.join('/a', '..', s, 'b'), path.resolve('/x', s, '../y'), path.parse('/home/' + s + '.txt'), path.relative('/a/b', '/a/' + s), path.extname(s + '.js')],
  isNode: (s) => [Object.prototype.toString.call(process), String(process), s],
  captured: (s) => {
    const o = { s };
    Error.captureStackTrace(o);
    class Own extends Error { toString() { return 'own ' + s; } }
    return [o.stack, new Own(s).stack].map((x) => x.split('\n')[0]);
  },
};

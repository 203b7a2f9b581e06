// The application's `process`. What the recorded server's differed in (its
// environment, for one) is set by the driver.
import { binding } from '../shared/binding';
import { since } from '../shared/hrtime';
import EventEmitter from './events';
import { platform } from './internal/bindings';
import { coded, invalidType, unsupported } from './internal/errors';
import { loop, nondeterministic } from './internal/host';
import { thrown } from './internal/thrown';
import { active, cpu, groups, killed, memory, report, resources } from './internal/results';
import { cwd } from './internal/process';
import { types } from './internal/types';

const proto = Object.create(EventEmitter.prototype, { constructor: { value: function process() {}, configurable: true } });
// zone is the name of a time zone, or of the engine's.
function zone(name?: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const process: any = Object.create(proto, { [Symbol.toStringTag]: { value: 'process', configurable: true } });
EventEmitter.call(process);

// What the application prints is not part of what is audited; that somebody listens is
// only counted. Programs look whether their stream has the methods of its class.
class WriteStream {
  isTTY = undefined;
  writable = true;
  columns = undefined;
  constructor(readonly fd: number) {}
  write(_chunk: any, encoding?: any, callback?: any) {
    const done = typeof encoding === 'function' ? encoding : callback;
    if (typeof done === 'function') loop.tick(() => done());
    return true;
  }
  end() {}
  emit() {
    return false;
  }
  listeners() {
    return [];
  }
  listenerCount() {
    return 0;
  }
  cork() {}
  uncork() {}
}
for (const k of ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener', 'off', 'removeListener', 'removeAllListeners', 'setMaxListeners']) {
  const f = function (this: any): any {
    return this;
  };
  Object.defineProperty(f, 'name', { value: k });
  Object.defineProperty(WriteStream.prototype, k, { value: f, writable: true, configurable: true });
}

// Nothing is read from a terminal.
class ReadStream {
  fd = 0;
  on() {
    return this;
  }
  resume() {}
  pause() {}
  setEncoding() {}
}

Object.assign(process, {
  title: 'node',
  version: 'v20.20.2',
  versions: { node: '20.20.2', acorn: '8.16.0', ada: '2.9.2', ares: '1.34.6', brotli: '1.1.0', cjs_module_lexer: '2.2.0', cldr: '48.0', icu: '78.2', llhttp: '9.3.1', modules: '115', napi: '9', nghttp2: '1.61.0', openssl: '3.0.19', simdutf: '6.4.2', tz: '2025c', undici: '6.24.1', unicode: '17.0', uv: '1.46.0', uvwasi: '0.0.23', v8: '11.3.244.8-node.38', zlib: '1.3.1-e00f703' },
  arch: 'x64',
  platform: 'linux',
  release: { name: 'node', lts: 'Iron', sourceUrl: 'https://nodejs.org/download/release/v20.20.2/node-v20.20.2.tar.gz', headersUrl: 'https://nodejs.org/download/release/v20.20.2/node-v20.20.2-headers.tar.gz' },
  features: { inspector: true, debug: false, uv: true, ipv6: true, tls_alpn: true, tls_sni: true, tls_ocsp: true, tls: true, cached_builtins: true, require_module: true },
  config: { target_defaults: {}, variables: {} },
  execPath: '/usr/bin/node',
  execArgv: [],
  argv: ['/usr/bin/node', '/app/index.js'],
  argv0: 'node',
  // What is put there becomes a text.
  env: new Proxy({} as any, {
    set(env, k, v) {
      const [name, text] = [`${k as any}`, `${v}`];
      // The engine has the zone that the server began with.
      if (name === 'TZ' && zone(text) !== zone()) unsupported('a time zone that the program sets itself (process.env.TZ)');
      return Reflect.set(env, name, text);
    },
    defineProperty(env, k, d) {
      if (d.get !== undefined || d.set !== undefined) throw coded(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY', "'process.env' does not accept an accessor(getter/setter) descriptor");
      if (!d.configurable || !d.writable || !d.enumerable) throw coded(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY', "'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      return Reflect.defineProperty(env, k, { ...d, value: `${d.value}` });
    },
  }),
  exitCode: undefined,
  noDeprecation: true,
  stdout: new WriteStream(1),
  stderr: new WriteStream(2),
  stdin: new ReadStream(),
  nextTick(f: any, ...args: any[]) {
    loop.tick(() => Reflect.apply(f, undefined, args));
  },
  cwd: Object.defineProperty(() => cwd(), 'name', { value: 'wrappedCwd' }),
  chdir: () => unsupported('process.chdir'),
  ...Object.fromEntries(['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups'].map((k) => [k, () => unsupported(`process.${k}`)])),
  umask: () => 18,
  exit: () => (globalThis as any).$exit?.() ?? unsupported('process.exit while requests are re-executed'),
  abort: () => unsupported('process.abort'),
  // Whom a signal reaches, it reaches from outside.
  kill() {
    thrown();
    const failed = JSON.parse(nondeterministic('json', killed));
    if (failed === null) return true;
    const { message, ...fields } = failed;
    throw Object.assign(new Error(`${message}`), fields);
  },
  binding: binding(types, platform),
  emitWarning(warning: any, _type: any, _code: any, _ctor: any) {
    if (typeof warning !== 'string' && !(warning instanceof Error)) throw invalidType('warning', 'of type string or an instance of Error', warning);
  },
  getuid: () => nondeterministic('uid'),
  getgid: () => nondeterministic('gid'),
  geteuid: () => nondeterministic('euid'),
  getegid: () => nondeterministic('egid'),
  getgroups: () => JSON.parse(nondeterministic('json', groups)),
  resourceUsage: () => JSON.parse(nondeterministic('json', resources)),
  getActiveResourcesInfo: () => JSON.parse(nondeterministic('json', active)),
  constrainedMemory: () => nondeterministic('number'),
  availableMemory: () => nondeterministic('number'),
  uptime: () => nondeterministic('uptime'),
  memoryUsage: Object.assign(() => JSON.parse(nondeterministic('json', memory)), { rss: () => nondeterministic('number') }),
  cpuUsage: () => (thrown(), JSON.parse(nondeterministic('json', cpu))),
  hrtime: Object.assign(
    (before?: any) => {
      const [s, ns] = nondeterministic('hrtime').split(' ');
      return since([Number(s), Number(ns)], before);
    },
    { bigint: () => nondeterministic('hrbig') },
  ),
  report: {
    writeReport: () => unsupported('process.report.writeReport'),
    getReport: () => JSON.parse(nondeterministic('json', report)),
    directory: '',
    filename: '',
    compact: false,
    excludeNetwork: false,
    signal: 'SIGUSR2',
    reportOnFatalError: false,
    reportOnSignal: false,
    reportOnUncaughtException: false,
  },
  hasUncaughtExceptionCaptureCallback: () => false,
  setUncaughtExceptionCaptureCallback(fn: any) {
    if (fn !== null && typeof fn !== 'function') throw invalidType('fn', 'of type function or null', fn);
  },
  ref() {},
  unref() {},
});
for (const k of ['version', 'versions', 'arch', 'platform', 'release', 'features', 'config']) Object.defineProperty(process, k, { writable: false });
Object.defineProperty(process, 'debugPort', { value: 9229, writable: true, enumerable: true, configurable: true });
Object.defineProperty(process, 'allowedNodeEnvironmentFlags', { get: () => unsupported('process.allowedNodeEnvironmentFlags'), enumerable: true, configurable: true });
Object.defineProperty(process, 'pid', { get: () => nondeterministic('pid'), enumerable: true, configurable: true });
Object.defineProperty(process, 'ppid', { get: () => nondeterministic('number', (v: any) => (Number.isSafeInteger(v) && v >= 0 && !Object.is(v, -0) ? null : 'not a process')), enumerable: true, configurable: true });

export default process;

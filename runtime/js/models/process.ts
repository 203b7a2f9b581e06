// The application's `process`. What the recorded server's differed in (its
// environment, for one) is set by the driver.
import EventEmitter from './events';
import { unsupported } from './internal/errors';
import { loop, nondeterministic } from './internal/host';
import { cpu, killed, memory } from './internal/results';
import { cwd } from './internal/process';

const proto = Object.create(EventEmitter.prototype, { constructor: { value: function process() {}, configurable: true } });
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

Object.assign(process, {
  title: 'node',
  version: 'v20.20.2',
  versions: { node: '20.20.2', v8: '11.3.244.8-node.38', uv: '1.46.0', modules: '115' },
  arch: 'x64',
  platform: 'linux',
  release: { name: 'node', lts: 'Iron' },
  features: {},
  config: { target_defaults: {}, variables: {} },
  execPath: '/usr/bin/node',
  execArgv: [],
  argv: ['/usr/bin/node', '/app/index.js'],
  argv0: 'node',
  // What is put there becomes a text.
  env: new Proxy({} as any, { set: (env, k, v) => Reflect.set(env, k, typeof k === 'symbol' ? v : String(v)) }),
  exitCode: undefined,
  noDeprecation: true,
  stdout: new WriteStream(1),
  stderr: new WriteStream(2),
  stdin: { fd: 0, on() { return this; }, resume() {}, pause() {}, setEncoding() {} },
  nextTick(f: any, ...args: any[]) {
    loop.tick(() => Reflect.apply(f, undefined, args));
  },
  cwd,
  chdir: () => unsupported('process.chdir'),
  umask: () => 18,
  exit: () => (globalThis as any).$exit?.() ?? unsupported('process.exit while requests are re-executed'),
  abort: () => unsupported('process.abort'),
  // Whom a signal reaches, it reaches from outside.
  kill() {
    const failed = JSON.parse(nondeterministic('json', killed));
    if (failed === null) return true;
    const { message, ...fields } = failed;
    throw Object.assign(new Error(`${message}`), fields);
  },
  binding: () => unsupported('process.binding'),
  emitWarning() {},
  getuid: () => nondeterministic('number'),
  getgid: () => nondeterministic('number'),
  uptime: () => nondeterministic('uptime'),
  memoryUsage: Object.assign(() => JSON.parse(nondeterministic('json', memory)), { rss: () => nondeterministic('number') }),
  cpuUsage: () => JSON.parse(nondeterministic('json', cpu)),
  hrtime: Object.assign(
    (before?: [number, number]) => {
      const t = nondeterministic('hrtime').split(' ');
      let s = Number(t[0]);
      let ns = Number(t[1]);
      if (before === undefined) return [s, ns];
      s -= before[0];
      ns -= before[1];
      if (ns < 0) {
        s--;
        ns += 1e9;
      }
      return [s, ns];
    },
    { bigint: () => nondeterministic('hrbig') },
  ),
  hasUncaughtExceptionCaptureCallback: () => false,
  setUncaughtExceptionCaptureCallback() {},
  ref() {},
  unref() {},
});
Object.defineProperty(process, 'pid', { get: () => nondeterministic('number'), enumerable: true, configurable: true });
Object.defineProperty(process, 'ppid', { get: () => nondeterministic('number'), enumerable: true, configurable: true });

export default process;

// Core modules of a few lines each.
import { Buffer } from './buffer';
import { coded, invalidType, unsupported } from './internal/errors';
import { loop, nondeterministic, still } from './internal/host';
import { delay, ofOS, utilization } from './internal/results';

const g = globalThis as any;

// ---- timers: the realm's own, which the driver provides

export const timers: any = { promises: g.$timers ?? {} };
for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'])
  Object.defineProperty(timers, name, { get: () => g[name], enumerable: true, configurable: true });

// ---- tty, os, perf_hooks

export const tty = { isatty: () => false, ReadStream: class {}, WriteStream: class {} };

const numbers = (text: string): any => Object.assign(Object.create(null), Object.fromEntries(text.match(/\w+ \d+/g)!.map((pair) => [pair.split(' ')[0], Number(pair.split(' ')[1])])));

export const os: any = {
  EOL: '\n',
  devNull: '/dev/null',
  platform: () => 'linux',
  type: () => 'Linux',
  arch: () => 'x64',
  machine: () => 'x86_64',
  endianness: () => 'LE',
  constants: {
    __proto__: null,
    UV_UDP_REUSEADDR: 4,
    dlopen: { __proto__: null, RTLD_LAZY: 1, RTLD_NOW: 2, RTLD_GLOBAL: 256, RTLD_LOCAL: 0, RTLD_DEEPBIND: 8 },
    errno: numbers(
      'E2BIG 7 EACCES 13 EADDRINUSE 98 EADDRNOTAVAIL 99 EAFNOSUPPORT 97 EAGAIN 11 EALREADY 114 EBADF 9 EBADMSG 74 EBUSY 16 ECANCELED 125 ECHILD 10 ' +
      'ECONNABORTED 103 ECONNREFUSED 111 ECONNRESET 104 EDEADLK 35 EDESTADDRREQ 89 EDOM 33 EDQUOT 122 EEXIST 17 EFAULT 14 EFBIG 27 EHOSTUNREACH 113 ' +
      'EIDRM 43 EILSEQ 84 EINPROGRESS 115 EINTR 4 EINVAL 22 EIO 5 EISCONN 106 EISDIR 21 ELOOP 40 EMFILE 24 EMLINK 31 EMSGSIZE 90 EMULTIHOP 72 ' +
      'ENAMETOOLONG 36 ENETDOWN 100 ENETRESET 102 ENETUNREACH 101 ENFILE 23 ENOBUFS 105 ENODATA 61 ENODEV 19 ENOENT 2 ENOEXEC 8 ENOLCK 37 ENOLINK 67 ' +
      'ENOMEM 12 ENOMSG 42 ENOPROTOOPT 92 ENOSPC 28 ENOSR 63 ENOSTR 60 ENOSYS 38 ENOTCONN 107 ENOTDIR 20 ENOTEMPTY 39 ENOTSOCK 88 ENOTSUP 95 ' +
      'ENOTTY 25 ENXIO 6 EOPNOTSUPP 95 EOVERFLOW 75 EPERM 1 EPIPE 32 EPROTO 71 EPROTONOSUPPORT 93 EPROTOTYPE 91 ERANGE 34 EROFS 30 ESPIPE 29 ESRCH 3 ' +
      'ESTALE 116 ETIME 62 ETIMEDOUT 110 ETXTBSY 26 EWOULDBLOCK 11 EXDEV 18',
    ),
    signals: numbers(
      'SIGHUP 1 SIGINT 2 SIGQUIT 3 SIGILL 4 SIGTRAP 5 SIGABRT 6 SIGIOT 6 SIGBUS 7 SIGFPE 8 SIGKILL 9 SIGUSR1 10 SIGSEGV 11 SIGUSR2 12 SIGPIPE 13 SIGALRM 14 SIGTERM 15 SIGCHLD 17 SIGSTKFLT 16 ' +
      'SIGCONT 18 SIGSTOP 19 SIGTSTP 20 SIGTTIN 21 SIGTTOU 22 SIGURG 23 SIGXCPU 24 SIGXFSZ 25 SIGVTALRM 26 SIGPROF 27 SIGWINCH 28 SIGIO 29 SIGPOLL 29 SIGPWR 30 SIGSYS 31',
    ),
    priority: { __proto__: null, PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 },
  },
};
for (const k of ['EOL', 'devNull', 'constants']) Object.defineProperty(os, k, { writable: false, configurable: k !== 'constants' });
// What the server's machine is like is recorded.
for (const name of 'hostname release version cpus totalmem freemem loadavg uptime networkInterfaces userInfo availableParallelism getPriority homedir tmpdir'.split(' ')) os[name] = () => JSON.parse(nondeterministic('json', ofOS(name)));
os.setPriority = () => unsupported('os.setPriority');

// Entry is what marks and measures give. What time they hold is recorded when it is asked for.
class Entry {
  #start: any;
  #duration: any;
  constructor(
    readonly name: string,
    readonly entryType: string,
    readonly detail: any,
  ) {}
  get startTime(): any {
    return (this.#start = still(this.#start, nondeterministic('number'), 'when something began'));
  }
  get duration(): any {
    return this.entryType === 'mark' ? 0 : (this.#duration = still(this.#duration, nondeterministic('number'), 'how long something took'));
  }
  toJSON(): any {
    return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration, detail: this.detail };
  }
}

const late = (): number => JSON.parse(nondeterministic('json', delay)) ?? NaN;

// A Delay is how late the event loop is, of which the server keeps account.
class Delay {
  #enabled = false;
  enable(): boolean {
    return this.#enabled !== (this.#enabled = true);
  }
  disable(): boolean {
    return this.#enabled !== (this.#enabled = false);
  }
  reset(): void {}
  percentile(_p: number): number {
    return late();
  }
}
for (const k of ['count', 'min', 'max', 'mean', 'exceeds', 'stddev']) Object.defineProperty(Delay.prototype, k, { get: late, enumerable: true });

function named(args: any[], type: string): Entry {
  if (args.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "name" argument must be specified');
  return new Entry(`${args[0]}`, type, args[1]?.detail ?? null);
}

export const performance: any = {
  now: () => nondeterministic('perf'),
  get timeOrigin(): any {
    return nondeterministic('origin');
  },
  mark: (...args: any[]) => named(args, 'mark'),
  measure: (...args: any[]) => named(args, 'measure'),
  clearMarks() {},
  clearMeasures() {},
  getEntries: () => unsupported('performance.getEntries'),
  getEntriesByName: () => unsupported('performance.getEntriesByName'),
  getEntriesByType: () => unsupported('performance.getEntriesByType'),
  timerify: (f: any) => f,
  eventLoopUtilization: () => JSON.parse(nondeterministic('json', utilization)),
  toJSON: () => unsupported('performance.toJSON'),
};
export const perf_hooks = {
  performance,
  PerformanceObserver: class {
    constructor(callback: any) {
      if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
    }
    observe() {}
    disconnect() {}
  },
  monitorEventLoopDelay: () => new Delay(),
  constants: {},
};

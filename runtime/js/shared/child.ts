// Processes that the program starts: one code for what the program sees of them, and a
// wire for what becomes of them (as in client.ts and socket.ts). What Node.js makes of
// spawn (exec and execFile, their sync forms) is made of it here, too.
import { mark } from './of-node';
import { coded, invalidType } from '../models/internal/errors';
import { type Failed, rebuilt } from './failures';
import { aborted } from './timers';

// Event is something that came of a process. n is 1 for what it prints, 2 for its errors.
export type ChildEvent =
  | { k: 'spawn' | 'close' | 'overdue' }
  | { k: 'out'; n: number; b: string }
  | { k: 'ended'; n: number }
  | { k: 'wrote'; n: number }
  | { k: 'exit'; code: number | null; signal: string | null }
  | { k: 'failed' | 'error' | 'input'; e: Failed };

export interface ChildWire {
  pid: number | undefined;
  // Which of its three streams the program has.
  streams: [boolean, boolean, boolean];
  // write tells whether the platform took everything at once; if not, an event will.
  write(chunk: any, encoding: any, number: number): boolean;
  end(): void;
  // drop: the program is done with one of the streams.
  drop(n: number): void;
  kill(signal: any): boolean;
  set(method: string): void;
  // after has an event, overdue, after some time.
  after(ms: number): void;
}

// Result is what came of a process that was waited for.
export interface Result {
  status: number | null;
  signal: string | null;
  pid: number;
  output: (string | null)[] | null;
  e?: Failed;
}

export interface ChildHost {
  EventEmitter: any;
  Readable: any;
  Writable: any;
  Buffer: any;
  tick(f: () => void): void;
  wire(child: any, file: any, args: any[], options: any): ChildWire;
  wait(file: any, args: any[], options: any): Result;
  // print is for what an execSync leaves to the program's own stderr.
  print(text: any): void;
  custom: symbol;
}

const mostBuffer = 1024 * 1024;

// called sorts out (file, args, options, callback), of which most may be missing.
function called(file: any, args: any, options: any, callback: any): [any, any[], any, any] {
  if (Array.isArray(args)) args = args.slice();
  else if (typeof args === 'object' && args !== null) [args, options, callback] = [[], args, options];
  else if (typeof args === 'function') [args, options, callback] = [[], null, args];
  else if (args === undefined || args === null) args = [];
  else throw invalidType('args', 'of type object', args);
  if (typeof options === 'function') [options, callback] = [null, options];
  if (options !== undefined && options !== null && typeof options !== 'object') throw invalidType('options', 'of type object', options);
  if (typeof file !== 'string') throw invalidType('file', 'of type string', file);
  if (file === '') throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', "The argument 'file' cannot be empty. Received ''");
  if (callback !== undefined && callback !== null && typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
  return [file, args, { ...options }, callback];
}

function commandOf(command: any, options: any): any {
  if (typeof command !== 'string') throw invalidType('command', 'of type string', command);
  return { ...options, shell: typeof options?.shell === 'string' ? options.shell : true };
}

// program is the file that is run, and its arguments, for a shell if one is asked for.
function program(file: any, args: any[], options: any): [any, any[]] {
  if (!options.shell) return [file, [options.argv0 ?? file, ...args]];
  const shell = typeof options.shell === 'string' ? options.shell : '/bin/sh';
  return [shell, [options.argv0 ?? shell, '-c', [file, ...args].join(' ')]];
}

export function childModule(host: ChildHost): any {
  const { Buffer, tick } = host;

  class Input extends host.Writable {
    constructor(private readonly _wire: ChildWire) {
      super({ decodeStrings: false });
      this._writes = 0;
      this._pending = null;
    }
    _write(chunk: any, encoding: any, done: any): void {
      if (this._wire.write(chunk, encoding, ++this._writes)) done();
      else this._pending = done;
    }
    _final(done: any): void {
      this._wire.end();
      done();
    }
    _destroy(err: any, done: any): void {
      this._wire.drop(0);
      done(err);
    }
  }
  mark(Input);

  class Output extends host.Readable {
    constructor(private readonly _wire: ChildWire, private readonly _n: number) {
      super();
    }
    _read(): void {}
    _destroy(err: any, done: any): void {
      if (!this.readableEnded) this._wire.drop(this._n);
      done(err);
    }
  }
  mark(Output);
  for (const c of [Input, Output]) Object.defineProperty(c, 'name', { value: 'Socket', configurable: true });

  class ChildProcess extends host.EventEmitter {
    _begin(file: any, args: any[], options: any): void {
      this.connected = false;
      this.signalCode = this.exitCode = null;
      this.killed = false;
      [this.spawnfile, this.spawnargs] = program(file, args, options);
      const w = host.wire(this, file, args, options);
      for (const [k, value] of Object.entries({ _wire: w, _exited: false, _gone: false, _over: false, _spawned: false })) Object.defineProperty(this, k, { value, writable: true, enumerable: false });
      this.pid = w.pid;
      this.stdin = w.streams[0] ? new Input(w) : null;
      this.stdout = w.streams[1] ? new Output(w, 1) : null;
      this.stderr = w.streams[2] ? new Output(w, 2) : null;
      this.stdio = [this.stdin, this.stdout, this.stderr];
      for (const s of [this.stdout, this.stderr]) s?.on('close', () => this._closing());
      const { signal, timeout } = options;
      if (timeout > 0) w.after(timeout);
      this._signal = options.killSignal;
      if (signal) {
        const stop = () => {
          if (this.kill(options.killSignal)) this.emit('error', aborted(signal));
        };
        if (signal.aborted) tick(stop);
        else signal.addEventListener('abort', stop, { once: true });
      }
    }
    kill(signal?: any): boolean {
      const done = !this._exited && this._wire.kill(signal);
      if (done) this.killed = true;
      return done;
    }
    ref(): void {
      this._wire.set('ref');
    }
    unref(): void {
      this._wire.set('unref');
    }

    _streamOf(n: number): any {
      return n === 1 ? this.stdout : this.stderr;
    }
    // _wants tells whether the program can notice an event, which can happen now.
    _wants(e: ChildEvent): boolean {
      switch (e.k) {
        case 'spawn':
          return !this._spawned && !this._exited && this.pid !== undefined && this.listenerCount('spawn') > 0;
        case 'out':
        case 'ended': {
          const s = this._streamOf(e.n);
          return s !== null && !s.destroyed && !s._readableState.ended;
        }
        case 'wrote':
          return this.stdin !== null && this.stdin._pending !== null && !this.stdin.destroyed && e.n === this.stdin._writes;
        case 'input':
          return this.stdin !== null && !this.stdin.destroyed;
        case 'exit':
          return !this._exited && this.pid !== undefined;
        case 'failed':
          return !this._exited && this.pid === undefined;
        case 'error':
          return !this._exited;
        case 'overdue':
          return !this._exited;
        case 'close':
          return this._exited && !this._gone;
      }
    }
    _came(e: ChildEvent): void {
      switch (e.k) {
        case 'spawn':
          this._spawned = true;
          this.emit('spawn');
          break;
        case 'out':
          this._streamOf(e.n).push(Buffer.from(e.b, 'base64'));
          break;
        case 'ended':
          this._streamOf(e.n).push(null);
          break;
        case 'wrote': {
          const done = this.stdin._pending;
          this.stdin._pending = null;
          done();
          break;
        }
        case 'input':
          this.stdin.destroy(rebuilt(e.e));
          break;
        case 'exit':
          if (e.signal !== null) this.signalCode = e.signal;
          else this.exitCode = e.code;
          this._left(() => this.emit('exit', this.exitCode, this.signalCode));
          break;
        case 'failed': {
          const err = rebuilt(e.e);
          err.spawnargs = this.spawnargs.slice(1);
          this.exitCode = typeof err.errno === 'number' ? err.errno : -1;
          this._left(() => this.emit('error', err));
          break;
        }
        case 'error':
          this.emit('error', rebuilt(e.e));
          break;
        case 'overdue':
          if (this._late === undefined) this.kill(this._signal);
          else this._late();
          break;
        case 'close':
          this._gone = true;
          this._closing();
          break;
      }
    }
    _left(tell: () => void): void {
      this._exited = true;
      this.stdin?.destroy();
      tell();
      // Who wanted to read what it printed has begun to by now.
      tick(() => {
        for (const s of [this.stdout, this.stderr]) if (s?.readable) s.resume();
      });
    }
    _closing(): void {
      if (!this._gone || this._over) return;
      if ([this.stdout, this.stderr].some((s) => s !== null && !s.closed)) return;
      this._over = true;
      this.emit('close', this.exitCode, this.signalCode);
    }
  }

  function begin(file: any, args: any[], options: any, late?: () => void): any {
    const child = new ChildProcess();
    if (late !== undefined) Object.defineProperty(child, '_late', { value: late });
    child._begin(file, args, options);
    return child;
  }

  function spawn(file: any, args?: any, options?: any): any {
    const [f, a, o] = called(file, args, options, undefined);
    return begin(f, a, o);
  }

  function execFile(file: any, args?: any, options?: any, callback?: any): any {
    const [f, a, given, done] = called(file, args, options, callback);
    const o = { encoding: 'utf8', timeout: 0, maxBuffer: mostBuffer, killSignal: 'SIGTERM', cwd: null, env: null, shell: false, ...given };
    if (typeof o.maxBuffer !== 'number' || !(o.maxBuffer >= 0)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "options.maxBuffer" is out of range. It must be a positive number. Received ${o.maxBuffer}`);
    const encoding = o.encoding !== 'buffer' && Buffer.isEncoding(o.encoding) ? o.encoding : null;
    const chunks: [any[], any[]] = [[], []];
    let killed = false;
    let exited = false;
    let error: any = null;

    const finish = (code?: any, signal?: any): void => {
      if (exited) return;
      exited = true;
      if (!done) return;
      const [out, err] = chunks.map((list, i) => (encoding || [child.stdout, child.stderr][i]?.readableEncoding ? list.join('') : Buffer.concat(list)));
      if (error === null && code === 0 && signal === null) {
        done(null, out, err);
        return;
      }
      const cmd = a.length > 0 ? `${f} ${a.join(' ')}` : f;
      if (error === null) error = Object.assign(new Error(`Command failed: ${cmd}\n${err}`), { code, killed: child.killed || killed, signal });
      error.cmd = cmd;
      done(error, out, err);
    };
    const stop = (): void => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const kill = (): void => {
      stop();
      killed = true;
      child.kill(o.killSignal);
    };
    const child = begin(f, a, { cwd: o.cwd, env: o.env, gid: o.gid, uid: o.uid, shell: o.shell, signal: o.signal, timeout: o.timeout }, kill);
    [child.stdout, child.stderr].forEach((s, i) => {
      if (s === null) return;
      if (encoding) s.setEncoding(encoding);
      let length = 0;
      s.on('data', (chunk: any) => {
        const n = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding ?? 'utf8') : chunk.length;
        length += n;
        if (length <= o.maxBuffer) {
          chunks[i].push(chunk);
          return;
        }
        chunks[i].push(chunk.slice(0, o.maxBuffer - (length - n)));
        error = coded(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${i === 0 ? 'stdout' : 'stderr'} maxBuffer length exceeded`);
        kill();
      });
    });
    child.on('close', finish);
    child.on('error', (e: any) => {
      error = e;
      stop();
      finish();
    });
    return child;
  }

  function exec(command: any, options?: any, callback?: any): any {
    if (typeof options === 'function') [options, callback] = [undefined, options];
    return execFile(command, [], commandOf(command, options), callback);
  }

  // promised is what util.promisify makes of exec and execFile.
  const promised =
    (f: any) =>
    (...args: any[]) => {
      let child: any;
      const p: any = new Promise((resolve, reject) => {
        child = f(...args, (err: any, stdout: any, stderr: any) => (err === null ? resolve({ stdout, stderr }) : reject(Object.assign(err, { stdout, stderr }))));
      });
      p.child = child;
      return p;
    };
  for (const f of [exec, execFile]) Object.defineProperty(f, host.custom, { value: promised(f), enumerable: false });

  function spawnSync(file: any, args?: any, options?: any): any {
    const [f, a, o] = called(file, args, options, undefined);
    const r = host.wait(f, a, { maxBuffer: mostBuffer, ...o });
    const text = o.encoding && o.encoding !== 'buffer' ? o.encoding : null;
    const output = r.output === null ? null : r.output.map((b) => (b === null ? null : text === null ? Buffer.from(b, 'base64') : Buffer.from(b, 'base64').toString(text)));
    const result: any = { status: r.status, signal: r.signal, output, pid: r.pid, stdout: output === null ? null : output[1], stderr: output === null ? null : output[2] };
    if (r.e === undefined) return result;
    const error = rebuilt(r.e);
    error.spawnargs = program(f, a, o)[1].slice(1);
    return { error, ...result };
  }

  function output(r: any, options: any, command: string): any {
    if (!options.stdio && r.stderr) host.print(r.stderr);
    if (r.error) throw Object.assign(r.error, r);
    if (r.status === 0) return r.stdout;
    throw Object.assign(new Error(`Command failed: ${command}` + (r.stderr && r.stderr.length > 0 ? `\n${r.stderr.toString()}` : '')), r);
  }
  function execFileSync(file: any, args?: any, options?: any): any {
    const [f, a, o] = called(file, args, options, undefined);
    return output(spawnSync(f, a, o), o, [o.argv0 || f, ...a].join(' '));
  }
  function execSync(command: any, options?: any): any {
    const o = commandOf(command, options);
    return output(spawnSync(command, [], o), o, command);
  }

  return { ChildProcess, exec, execFile, execFileSync, execSync, spawn, spawnSync };
}

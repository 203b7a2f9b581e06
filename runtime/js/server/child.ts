// child_process under record: Node's own does the work, and what comes of it is recorded.
import * as child_process from 'child_process';
import { EventEmitter } from 'events';
import { Readable, Writable } from 'stream';
import { promisify } from 'util';
import { type ChildEvent, childModule, type ChildWire, type Result } from '../shared/child';
import { failed } from '../shared/failures';
import { Line } from './line';
import * as log from './log';
import { quietly, record } from './outside';

// Node's own start here, and not the program's.
const { setImmediate: later, setTimeout: after, clearTimeout: clear } = globalThis;

const type = 'child_process';

class RealChild implements ChildWire {
  readonly pid: number | undefined;
  readonly streams: [boolean, boolean, boolean];
  private readonly line: Line<ChildEvent>;
  private readonly real: any;
  private timer: any = null;
  private awaited = 0;

  constructor(child: any, file: any, args: any[], options: any) {
    const line = (this.line = new Line<ChildEvent>(type, (e) => child._wants(e), (e) => child._came(e)));
    const { stdio } = options;
    if (Array.isArray(stdio) && (stdio.length > 3 || stdio.some((s) => typeof s === 'object' && s !== null))) log.unauditable('a process with streams of its own');
    if (stdio === 'ipc' || (Array.isArray(stdio) && stdio.includes('ipc'))) log.unauditable('a process that is sent messages');
    const real: any = (this.real = quietly(() => child_process.spawn(file, args, { ...options, signal: undefined, timeout: undefined })));
    this.pid = real.pid;
    this.streams = [real.stdin != null, real.stdout != null, real.stderr != null];
    record(type, JSON.stringify({ pid: this.pid, streams: this.streams }));
    [real.stdout, real.stderr].forEach((s, i) => {
      if (s == null) return;
      const n = i + 1;
      let ended = false;
      const end = () => {
        if (!ended) line.note({ k: 'ended', n });
        ended = true;
      };
      s.on('data', (b: Buffer) => line.note({ k: 'out', n, b: b.toString('base64') }));
      s.on('error', () => {});
      s.on('end', end);
      s.on('close', end);
    });
    real.stdin?.on('error', (e: any) => line.note({ k: 'input', e: failed(e) }));
    real.on('spawn', () => line.note({ k: 'spawn' }));
    real.on('exit', (code: any, signal: any) => line.note({ k: 'exit', code, signal }));
    real.on('error', (e: any) => line.note({ k: real.pid === undefined ? 'failed' : 'error', e: failed(e) }));
    real.on('close', () => {
      clear(this.timer);
      // By then a program that reads everything has read it.
      later(() => line.note({ k: 'close' }));
    });
  }
  write(chunk: any, encoding: any, number: number): boolean {
    const { stdin } = this.real;
    quietly(() =>
      stdin.write(chunk, encoding === 'buffer' ? undefined : encoding, (e: any) => {
        if (!e && this.awaited === number) this.line.note({ k: 'wrote', n: number });
      }),
    );
    if (stdin.writableLength === 0) return true;
    this.awaited = number;
    record('slow', number);
    return false;
  }
  end(): void {
    quietly(() => this.real.stdin.end());
  }
  drop(n: number): void {
    quietly(() => [this.real.stdin, this.real.stdout, this.real.stderr][n]?.destroy());
  }
  kill(signal: any): boolean {
    const done = quietly(() => this.real.kill(signal));
    record(type, JSON.stringify({ killed: done }));
    return done;
  }
  set(method: string): void {
    this.real[method]();
  }
  after(ms: number): void {
    this.timer = quietly(() => after(() => this.line.note({ k: 'overdue' }), ms));
  }
}

function wait(file: any, args: any[], options: any): Result {
  const { encoding } = options;
  const input = typeof options.input === 'string' ? Buffer.from(options.input, encoding === 'buffer' ? undefined : encoding) : options.input;
  const { status, signal, pid, output, error } = quietly(() => child_process.spawnSync(file, args, { ...options, input, encoding: undefined }));
  const r: Result = { status, signal, pid, output: output === null ? null : output.slice(0, 3).map((b: any) => (b === null ? null : b.toString('base64'))) };
  if (error !== undefined) r.e = failed(error);
  record(type, JSON.stringify(r));
  return r;
}

export function guestModule(): any {
  const { default: _, ...real } = child_process as any;
  return {
    ...real,
    ...childModule({
      EventEmitter,
      Readable,
      Writable,
      Buffer,
      tick: process.nextTick,
      wire: (child, file, args, options) => new RealChild(child, file, args, options),
      wait,
      print: (text) => void process.stderr.write(text),
      custom: promisify.custom,
    }),
    fork(...args: any[]) {
      log.unauditable('child_process.fork is not supported yet');
      return real.fork(...args);
    },
  };
}

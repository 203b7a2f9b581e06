// zlib's streams, as both builds have them: one code for what the program sees of
// a stream, and a backend for what becomes of the bytes. On the server that is
// Node's own zlib; in the verifier it is what the server says came of them, checked.
// A backend answers in an activation of its own, so that both builds agree on
// which code runs because of it.
import { coded, invalidType } from '../models/internal/errors';
import { inspect } from './inspect';
import { mark } from './of-node';

export type Kind = 'Deflate' | 'Inflate' | 'Gzip' | 'Gunzip' | 'DeflateRaw' | 'InflateRaw' | 'Unzip' | 'BrotliCompress' | 'BrotliDecompress';

export const kinds: Kind[] = ['Deflate', 'Inflate', 'Gzip', 'Gunzip', 'DeflateRaw', 'InflateRaw', 'Unzip', 'BrotliCompress', 'BrotliDecompress'];

// Done tells what came of one piece of input, and how much of it was used. ended: the rest of it is not wanted.
export type Done = (chunks: any[], used: number, ended: boolean, error: any) => void;

export interface Engine {
  // last: no other piece comes after this one.
  process(chunk: any, flush: number, last: boolean, done: Done): void;
  reset(): void;
  params(level: number, strategy: number): void;
  close(): void;
}

export interface Backend {
  open(kind: Kind, options: any): Engine;
  constants: Record<string, number>;
  tick(f: () => void): void;
}

// numberOr is a number, or what stands for none.
const numberOr = (x: any, none: number): number => (x === undefined || x !== x ? none : x);

// within refuses what is no number between low and high. Nothing, and no number, are left to whoever asks.
export function within(name: string, x: any, low: number, high = Infinity): void {
  if (x === undefined || x !== x) return;
  if (typeof x !== 'number') throw invalidType(name, 'of type number', x);
  const refuse = (what: string) => coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be ${what}. Received ${inspect(x)}`);
  if (!Number.isFinite(x)) throw refuse('a finite number');
  if (x < low || x > high) throw refuse(`>= ${low}${high === Infinity ? '' : ` and <= ${high}`}`);
}

// informed is a result as it was asked for: with what made it, if the options say so.
export function informed(Class: any, options: any, buffer: any, bytesWritten: number): any {
  return options?.info ? { buffer, engine: Object.assign(Object.create(Class.prototype), { bytesWritten }) } : buffer;
}

const order = ['Z_NO_FLUSH', 'Z_BLOCK', 'Z_PARTIAL_FLUSH', 'Z_SYNC_FLUSH', 'Z_FULL_FLUSH', 'Z_FINISH'];

// streamClasses makes the classes that module zlib exports.
export function streamClasses(Transform: any, Buffer: any, finished: any, backend: Backend): Record<Kind, any> {
  const c = backend.constants;
  const strength = order.map((name) => c[name]);
  const stronger = (a: number, b: number) => (strength.indexOf(a) > strength.indexOf(b) ? a : b);
  const flushFlag: any = Symbol('flush');
  const engine: any = Symbol('engine');
  const flags: any = Symbol('flags');
  const over: any = Symbol('over');

  const zlibStream = function (this: any, kind: Kind, options: any): void {
    const opened = backend.open(kind, options ?? {});
    const bytes = options ? { encoding: null, objectMode: false, writableObjectMode: false } : {};
    Transform.call(this, { autoDestroy: true, ...options, ...bytes });
    const { flush, finishFlush, level, strategy } = options ?? {};
    const brotli = kind.startsWith('Brotli');
    this[engine] = opened;
    this[over] = false;
    this[flags] = brotli
      ? { normal: numberOr(flush, c.BROTLI_OPERATION_PROCESS), finish: numberOr(finishFlush, c.BROTLI_OPERATION_FINISH), full: c.BROTLI_OPERATION_FLUSH, brotli }
      : { normal: numberOr(flush, c.Z_NO_FLUSH), finish: numberOr(finishFlush, c.Z_FINISH), full: c.Z_FULL_FLUSH, brotli };
    this.bytesWritten = 0;
    this._handle = {};
    if (brotli) return;
    this._level = numberOr(level, c.Z_DEFAULT_COMPRESSION);
    this._strategy = numberOr(strategy, c.Z_DEFAULT_STRATEGY);
  };

  const methods = class {
    [key: string | symbol]: any;
    get _closed(): boolean {
      return !this._handle;
    }
    get bytesRead(): number {
      return this.bytesWritten;
    }
    set bytesRead(n: number) {
      this.bytesWritten = n;
    }
    reset(): void {
      this[engine].reset();
      this[over] = false;
    }
    params(level: any, strategy: any, callback?: any): void {
      within('level', level, c.Z_MIN_LEVEL, c.Z_MAX_LEVEL);
      within('strategy', strategy, c.Z_DEFAULT_STRATEGY, c.Z_FIXED);
      if (this._level === level && this._strategy === strategy) return void backend.tick(callback);
      this.flush(c.Z_SYNC_FLUSH, () => {
        this[engine].params(level, strategy);
        if (this.destroyed) return;
        this._level = level;
        this._strategy = strategy;
        callback?.();
      });
    }
    flush(kind?: any, callback?: any): void {
      if (typeof kind === 'function' || (kind === undefined && !callback)) {
        callback = kind;
        kind = this[flags].full;
      }
      if (this.writableFinished) {
        if (callback) backend.tick(callback);
      } else if (this.writableEnded) {
        if (callback) this.once('end', callback);
      } else {
        const empty = Buffer.alloc(0);
        empty[flushFlag] = kind;
        this.write(empty, '', callback);
      }
    }
    close(callback?: any): void {
      if (callback) finished(this, callback);
      this.destroy();
    }
    _transform(chunk: any, _encoding: any, callback: any): void {
      const f = this[flags];
      let flag = f.normal;
      if (typeof chunk[flushFlag] === 'number') flag = chunk[flushFlag];
      if (this[over]) {
        callback();
        return;
      }
      const last = this.writableEnded && this.writableLength === chunk.byteLength;
      if (last) {
        flag = f.brotli ? f.finish : stronger(flag, f.finish);
        this[over] = true;
      }
      this[engine].process(chunk, flag, last, (chunks: any[], used: number, ended: boolean, error: any) => {
        this.bytesWritten += used;
        for (let i = 0; i < chunks.length && !this.destroyed; i++) this.push(chunks[i]);
        if (error !== null && !this.destroyed) return void this.destroy(error);
        if (ended && !this.destroyed) {
          this[over] = true;
          this.push(null);
        }
        callback();
      });
    }
    _flush(callback: any): void {
      this._transform(Buffer.alloc(0), '', callback);
    }
    _final(callback: any): void {
      callback();
    }
    _destroy(err: any, callback: any): void {
      this[engine].close();
      this._handle = null;
      callback(err);
    }
  };
  const { constructor: _, ...parts } = Object.getOwnPropertyDescriptors(methods.prototype) as any;
  Object.defineProperties(Object.setPrototypeOf(zlibStream.prototype, Transform.prototype), parts);
  Object.setPrototypeOf(zlibStream, Transform);
  mark(zlibStream);

  const classes: any = {};
  for (const kind of kinds) {
    // It may be called without new, or for one of its own, as Node's.
    const f: any = function (this: any, options: any): any {
      if (!(this instanceof f)) return new f(options);
      if (kind === 'DeflateRaw' && options?.windowBits === 8) options.windowBits = 9;
      zlibStream.call(this, kind, options);
    };
    Object.defineProperty(f, 'name', { value: kind });
    Object.setPrototypeOf(f.prototype, zlibStream.prototype);
    Object.setPrototypeOf(f, zlibStream);
    classes[kind] = f;
  }
  return classes;
}

// zlib's streams, as both builds have them: one code for what the program sees of
// a stream, and a backend for what becomes of the bytes. On the server that is
// Node's own zlib; in the verifier it is what the server says came of them, checked.
// A backend answers in an activation of its own, so that both builds agree on
// which code runs because of it.
import { mark } from './of-node';

export type Kind = 'Deflate' | 'Inflate' | 'Gzip' | 'Gunzip' | 'DeflateRaw' | 'InflateRaw' | 'Unzip' | 'BrotliCompress' | 'BrotliDecompress';

export const kinds: Kind[] = ['Deflate', 'Inflate', 'Gzip', 'Gunzip', 'DeflateRaw', 'InflateRaw', 'Unzip', 'BrotliCompress', 'BrotliDecompress'];

// Done tells what came of one piece of input. ended: the rest of it is not wanted.
export type Done = (chunks: any[], ended: boolean, error: any) => void;

export interface Engine {
  // last: no other piece comes after this one.
  process(chunk: any, flush: number, last: boolean, done: Done): void;
  close(): void;
}

export interface Backend {
  open(kind: Kind, options: any): Engine;
  constants: Record<string, number>;
  tick(f: () => void): void;
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

  class ZlibStream extends Transform {
    constructor(kind: Kind, options: any) {
      const o = options ?? {};
      const opened = backend.open(kind, o);
      super({ autoDestroy: true, ...o });
      const brotli = kind.startsWith('Brotli');
      this[engine] = opened;
      this[over] = false;
      this[flags] = brotli
        ? { normal: o.flush ?? c.BROTLI_OPERATION_PROCESS, finish: o.finishFlush ?? c.BROTLI_OPERATION_FINISH, full: c.BROTLI_OPERATION_FLUSH, brotli }
        : { normal: o.flush ?? c.Z_NO_FLUSH, finish: o.finishFlush ?? c.Z_FINISH, full: c.Z_FULL_FLUSH, brotli };
      this.bytesWritten = 0;
    }
    get _closed(): boolean {
      return this.destroyed;
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
      this.bytesWritten += chunk.byteLength;
      this[engine].process(chunk, flag, last, (chunks: any[], ended: boolean, error: any) => {
        if (this.destroyed) return;
        for (let i = 0; i < chunks.length; i++) {
          this.push(chunks[i]);
          if (this.destroyed) return;
        }
        if (error !== null) this.destroy(error);
        else if (ended) {
          this[over] = true;
          this.push(null);
        } else callback();
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
      callback(err);
    }
  }
  mark(ZlibStream);

  const classes: any = {};
  for (const kind of kinds) {
    const f: any = function (this: any, options: any): any {
      return new f.stream(options);
    };
    // A class that may be called without new, as Node's.
    f.stream = class extends ZlibStream {
      constructor(options: any) {
        super(kind, options);
      }
    };
    Object.defineProperty(f, 'name', { value: kind });
    f.prototype = f.stream.prototype;
    Object.defineProperty(f.prototype, 'constructor', { value: f, writable: true, configurable: true });
    delete f.stream.stream;
    classes[kind] = f;
  }
  return classes;
}

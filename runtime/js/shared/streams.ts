// The streams of the web, as both builds have them: web-streams-polyfill's. Node's own take turns that
// nobody else knows of.
import { BodyStream } from './fetch';
import { inspect } from './inspect';
import { newPromise } from './promises';

const names =
  'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController ReadableStreamDefaultController ' +
  'TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter ByteLengthQueuingStrategy CountQueuingStrategy';

const g = globalThis as any;

let made: any = null;

// streams loads them when they are first asked for.
function streams(): any {
  if (made !== null) return made;
  // Its promises are those of a program (see gen/shims.go).
  g.$newPromise ??= newPromise;
  const m = require('../node_modules/web-streams-polyfill/dist/ponyfill.mjs');
  made = { TextEncoderStream: coder(m, 'TextEncoderStream', () => new g.TextEncoder()), TextDecoderStream: coder(m, 'TextDecoderStream', (...args) => new g.TextDecoder(...args)) };
  for (const [name, kinds] of [['CompressionStream', ['Gzip', 'Deflate', 'DeflateRaw']], ['DecompressionStream', ['Gunzip', 'Inflate', 'InflateRaw']]] as const) made[name] = zipper(m, name, kinds);
  for (const k of names.split(' ')) made[k] = m[k];
  const { ReadableStream } = m;
  Object.defineProperty(ReadableStream, Symbol.hasInstance, { value: (x: any) => x instanceof BodyStream || Function.prototype[Symbol.hasInstance].call(ReadableStream, x), configurable: true });
  return made;
}

// coder is a transform stream of an encoder or a decoder.
function coder(m: any, name: string, make: (...args: any[]) => any): any {
  const pair = Symbol('pair');
  const of = Symbol('coder');
  class Coder {
    constructor(...args: any[]) {
      const c = make(...args);
      const step = (chunk: any, more: boolean): any => (c.encode !== undefined ? c.encode(`${chunk}`) : c.decode(chunk, { stream: more }));
      const put = (to: any, chunk: any) => void (chunk.length > 0 && to.enqueue(chunk));
      const streams = new m.TransformStream({
        transform: (chunk: any, to: any) => put(to, step(chunk, true)),
        flush: (to: any) => void (c.decode !== undefined && put(to, step(undefined, false))),
      });
      Object.defineProperty(this, pair, { value: streams });
      Object.defineProperty(this, of, { value: c });
    }
    get encoding(): string {
      return (this as any)[of].encoding;
    }
    get readable(): any {
      return (this as any)[pair].readable;
    }
    get writable(): any {
      return (this as any)[pair].writable;
    }
  }
  for (const k of name === 'TextDecoderStream' ? ['fatal', 'ignoreBOM'] : [])
    Object.defineProperty(Coder.prototype, k, {
      get(this: any) {
        return this[of][k];
      },
      configurable: true,
    });
  Object.defineProperty(Coder, 'name', { value: name, configurable: true });
  Object.defineProperty(Coder.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return Coder;
}

const formats = ['gzip', 'deflate', 'deflate-raw'];

// zipper is a transform stream of one of zlib's, by format.
function zipper(m: any, name: string, kinds: readonly string[]): any {
  const pair = Symbol('pair');
  class Zipper {
    constructor(format: any) {
      const kind = kinds[formats.indexOf(format)];
      if (kind === undefined) throw Object.assign(new TypeError(`The argument 'format' is invalid. Received ${inspect(format)}`), { code: 'ERR_INVALID_ARG_VALUE' });
      const z = zlib()[`create${kind}`]();
      const done = (start: (f: () => void) => void): Promise<void> =>
        g.$newPromise((resolve: any, reject: any) => {
          z.once('error', reject);
          start(() => {
            z.removeListener('error', reject);
            resolve();
          });
        });
      const streams = new m.TransformStream({
        start: (to: any) => void z.on('data', (chunk: any) => to.enqueue(new Uint8Array(chunk))),
        transform: (chunk: any) => done((f) => z.write(chunk, () => f())),
        flush: () => done((f) => void z.on('end', f).end()),
      });
      Object.defineProperty(this, pair, { value: streams });
    }
    get readable(): any {
      return (this as any)[pair].readable;
    }
    get writable(): any {
      return (this as any)[pair].writable;
    }
  }
  Object.defineProperty(Zipper, 'name', { value: name, configurable: true });
  Object.defineProperty(Zipper.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return Zipper;
}

// webStreams are the exports of stream/web.
export function webStreams(): any {
  return { ...streams() };
}

let zlib: () => any;

// installStreams makes them globals. The build's zlib compresses for them.
export function installStreams(compressing: () => any): void {
  zlib = compressing;
  for (const k of [...names.split(' '), 'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream']) {
    const set = (value: any) => void Object.defineProperty(g, k, { value, writable: true, enumerable: false, configurable: true });
    Object.defineProperty(g, k, { get: () => streams()[k], set, enumerable: false, configurable: true });
  }
}

// adapt gives Readable what makes one kind of stream of the other.
export function adapt(Readable: any, finished: (s: any, options: any, f: (e: any) => void) => void): void {
  // The chunks of a stream of Node's become those of one of the web.
  Readable.toWeb = {
    toWeb(readable: any, options?: any): any {
      if (readable.destroyed) {
        const s = new (streams().ReadableStream)();
        s.cancel();
        return s;
      }
      const objects = readable.readableObjectMode;
      const strategy = options?.strategy ?? (objects ? new (streams().CountQueuingStrategy)({ highWaterMark: readable.readableHighWaterMark }) : { highWaterMark: readable.readableHighWaterMark });
      let to: any;
      let over = false;
      const end = (f: () => void) => {
        if (!over) f();
        over = true;
      };
      readable.pause();
      finished(readable, { writable: false }, (e: any) => end(() => (e ? to.error(e) : to.close())));
      readable.on('data', (chunk: any) => {
        to.enqueue(g.Buffer.isBuffer(chunk) && !objects ? new Uint8Array(chunk) : chunk);
        if (to.desiredSize <= 0) readable.pause();
      });
      return new (streams().ReadableStream)(
        {
          start: (c: any) => void (to = c),
          pull: () => void readable.resume(),
          cancel: (reason: any) => {
            over = true;
            readable.destroy(reason);
          },
        },
        strategy,
      );
    },
  }.toWeb;
  Readable.fromWeb = {
    fromWeb(stream: any, options: any = {}): any {
      const reader = stream.getReader();
      let closed = false;
      return new Readable({
        ...options,
        read(this: any) {
          reader.read().then(
            ({ done, value }: any) => {
              closed ||= done;
              this.push(done ? null : value);
            },
            (e: any) => this.destroy(e),
          );
        },
        destroy(error: any, callback: any) {
          if (closed) return callback(error);
          closed = true;
          reader.cancel(error).then(
            () => callback(error),
            (e: any) => callback(error ?? e),
          );
        },
      });
    },
  }.fromWeb;
}

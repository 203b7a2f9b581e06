// The streams of the web, as both builds have them: web-streams-polyfill's. Node's own take turns that
// nobody else knows of.
import { BodyStream } from './fetch';
import { inspect } from './inspect';
import { newPromise } from './promises';
import { iterable, showing, shown, streamError } from './streamwords';

const names =
  'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController ReadableStreamDefaultController ' +
  'TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter ByteLengthQueuingStrategy CountQueuingStrategy';

const g = globalThis as any;

let made: any = null;

// streams loads them when they are first asked for.
export function streams(): any {
  if (made !== null) return made;
  const m = require('../node_modules/web-streams-polyfill/dist/ponyfill.mjs');
  made = { TextEncoderStream: coder(m, 'TextEncoderStream', () => new g.TextEncoder()), TextDecoderStream: coder(m, 'TextDecoderStream', (...args) => new g.TextDecoder(...args)) };
  for (const [name, kinds] of [['CompressionStream', ['Gzip', 'Deflate', 'DeflateRaw']], ['DecompressionStream', ['Gunzip', 'Inflate', 'InflateRaw']]] as const) made[name] = zipper(m, name, kinds);
  for (const k of names.split(' ')) made[k] = m[k];
  answering(m);
  showing(m);
  const { ReadableStream } = m;
  const { from } = ReadableStream;
  ReadableStream.from = { from: (x: any) => from(iterable(x)) }.from;
  Object.defineProperty(ReadableStream, Symbol.hasInstance, { value: (x: any) => x instanceof BodyStream || Function.prototype[Symbol.hasInstance].call(ReadableStream, x), configurable: true });
  return made;
}

// answering has streams tell module stream about themselves, as Node's own do.
function answering(m: any): void {
  const tell = (C: any, about: string, of: (s: any) => any) =>
    Object.defineProperty(C.prototype, Symbol.for(`nodejs.${about}`), {
      get() {
        return of(this);
      },
      configurable: true,
    });
  tell(m.ReadableStream, 'stream.disturbed', (s) => s._disturbed);
  tell(m.ReadableStream, 'stream.errored', (s) => s._state === 'errored');
  tell(m.ReadableStream, 'stream.readable', (s) => s._state === 'readable');
  for (const C of [m.ReadableStream, m.WritableStream]) {
    tell(C, 'webstream.isClosedPromise', closing);
    tell(C, 'webstream.controllerErrorFunction', (s) => (e: any) => (s._readableStreamController ?? s._writableStreamController).error(e));
  }
}

const closed = Symbol('closed');

// closing is a promise of a stream's end, which is made when somebody asks for it.
function closing(s: any): any {
  if (s[closed] === undefined) {
    const promise = g.$newPromise((resolve: any, reject: any) => {
      const ended = () => {
        if (s._state === 'closed') resolve();
        else if (s._state === 'errored') reject(s._storedError);
      };
      Object.defineProperty(s, '$ended', { value: ended });
      ended();
    });
    Object.defineProperty(s, closed, { value: { promise } });
  }
  return s[closed];
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
  const asked = ['encoding', ...(name === 'TextDecoderStream' ? ['fatal', 'ignoreBOM'] : []), 'readable', 'writable'];
  shown(Coder, (x) => Object.fromEntries(asked.map((k) => [k, x[k]])));
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
  shown(Zipper, ({ readable, writable }) => ({ readable, writable }));
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
  // The package's promises are those of a program, and its errors those of Node.js (see gen/shims.go).
  for (const [k, value] of Object.entries({ $newPromise: newPromise, $streamError: streamError })) if (!(k in g)) Object.defineProperty(g, k, { value });
  for (const k of [...names.split(' '), 'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream']) {
    const set = (value: any) => void Object.defineProperty(g, k, { value, writable: true, enumerable: false, configurable: true });
    Object.defineProperty(g, k, { get: () => streams()[k], set, enumerable: false, configurable: true });
  }
}

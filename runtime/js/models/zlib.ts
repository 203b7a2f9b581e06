// zlib. What is compressed is taken from the server's record, because any bytes
// that decompress to the input are a right answer; what is decompressed is computed.
import { Buffer } from './buffer';
import { coded, invalidType } from './internal/errors';
import { host, loop, nondeterministic, once, port } from './internal/host';
import { uint32 } from './internal/numbers';
import { constants } from './internal/zlib-constants';
import Stream from './stream';
import { Transform } from './stream-classes';
import { type Done, type Engine, type Kind, kinds, streamClasses } from '../shared/zlib';

const { zlib: native } = host;
const { group, mv } = host;

function range(name: string, value: any, low: number, high: number): void {
  if (value === undefined) return;
  if (typeof value !== 'number') throw invalidType(`options.${name}`, 'of type number', value);
  if (!(value >= low && value <= high)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "options.${name}" is out of range. It must be >= ${low} and <= ${high}. Received ${value}`);
}

// settings are the options that decide about bytes, checked as Node does.
function settings(kind: Kind, o: any): any {
  range('chunkSize', o.chunkSize, 64, Infinity);
  if (!kind.startsWith('Brotli')) {
    range('flush', o.flush, 0, 5);
    range('finishFlush', o.finishFlush, 0, 5);
    if (o.windowBits === 0 && /Inflate|unzip/i.test(kind)) o = { ...o, windowBits: undefined };
    range('windowBits', o.windowBits, kind === 'Gzip' || kind === 'Gunzip' ? 9 : 8, 15);
    range('level', o.level, -1, 9);
    range('memLevel', o.memLevel, 1, 9);
    range('strategy', o.strategy, 0, 4);
  }
  const dictionary = o.dictionary === undefined ? undefined : bytes(o.dictionary, 'options.dictionary');
  return { windowBits: kind === 'Deflate' || kind === 'Gzip' || kind === 'DeflateRaw' ? undefined : o.windowBits, dictionary };
}

function bytes(x: any, name = 'buffer', expected = 'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer'): any {
  if (typeof x === 'string') return Buffer.from(x);
  if (group.is(x) || x instanceof Uint8Array) return x;
  if (ArrayBuffer.isView(x)) return Buffer.from((x as any).buffer, (x as any).byteOffset, (x as any).byteLength);
  if (x instanceof ArrayBuffer) return Buffer.from(x);
  throw invalidType(name, expected, x);
}

function failure(f: any): any {
  if (f === null) return null;
  const e: any = new Error(f.message);
  e.errno = f.errno;
  e.code = f.code;
  return e;
}

class Recorded implements Engine {
  private readonly port = port();
  private readonly stream: any;
  private open = true;

  constructor(private readonly kind: Kind, private readonly options: any) {
    this.stream = new native.Stream(kind, settings(kind, options));
  }

  process(chunk: any, flush: number, last: boolean, done: Done): void {
    const { kind } = this;
    this.port.expect(() => {
      if (!this.open) return;
      const compress = compresses(kind);
      const record = nondeterministic(compress ? 'zlib' : 'inflate');
      const complete = last || (kind.startsWith('Brotli') ? flush === constants.BROTLI_OPERATION_FLUSH : flush === constants.Z_SYNC_FLUSH || flush === constants.Z_FULL_FLUSH);
      const o = this.stream.take(native.decode, chunk, record, flush, complete, last);
      const chunks: any[] = [];
      const n = o.chunks.length;
      for (let i = 0; i < n; i++) chunks.push(Buffer.from(o.chunks[i]));
      done(chunks, o.ended, o.fault === null ? null : failure(o.fault));
    });
  }

  close(): void {
    this.open = false;
  }
}

function compresses(kind: Kind): boolean {
  return /Deflate|Gzip|BrotliCompress/.test(kind);
}

const zlib: any = { constants, codes: {} };
for (const name of Object.keys(constants)) if (name.startsWith('Z_') || /^[A-Z]+$/.test(name)) zlib[name] = constants[name];
const codes = ['Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR', 'Z_MEM_ERROR', 'Z_BUF_ERROR', 'Z_VERSION_ERROR'];
for (const name of codes) {
  zlib.codes[name] = constants[name];
  zlib.codes[constants[name]] = name;
}

const classes = streamClasses(Transform, Buffer, (Stream as any).finished, { open: (kind, options) => new Recorded(kind, options), constants, tick: (f) => loop.tick(f) });

zlib.crc32 = (data: any, value: any = 0): number => {
  if (typeof data !== 'string' && !group.is(data) && !ArrayBuffer.isView(data)) throw invalidType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
  uint32(value, 'value');
  return host.crc32(bytes(data), value);
};

const inflated = host.lift((kind: any, input: Uint8Array, flush: number, options: any): any => native.all(kind, input, flush, options));

// decompress answers as inflateSync and its kin.
function decompress(kind: Kind, input: any, options: any): any {
  const flush = options.finishFlush ?? (kind.startsWith('Brotli') ? constants.BROTLI_OPERATION_FINISH : constants.Z_FINISH);
  const r = inflated(kind, input, flush, settings(kind, options));
  if (r.fault !== null) throw failure(r.fault);
  const limit = options.maxOutputLength;
  if (limit !== undefined && r.out.length > limit) throw coded(RangeError, 'ERR_BUFFER_TOO_LARGE', `Cannot create a Buffer larger than ${limit} bytes`);
  return Buffer.from(r.out);
}

function compressed(kind: Kind, input: any, options: any): any {
  const o = settings(kind, options);
  const record = nondeterministic('zlib');
  return Buffer.from(host.inLanes((i) => native.oneShot(kind, host.laneOf(input, i), native.decode(mv.lane(record, i)), o, i), true));
}

for (const kind of kinds) {
  zlib[kind] = classes[kind];
  zlib['create' + kind] = (options?: any) => new classes[kind](options);
  const name = kind[0].toLowerCase() + kind.slice(1);
  const work = compresses(kind) ? compressed : decompress;
  zlib[name + 'Sync'] = (buffer: any, options: any) => work(kind, bytes(buffer), options ?? {});
  zlib[name] = (buffer: any, options: any, callback: any): void => {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
    // Its stream ends at once where there is nothing, and refuses what it cannot be written.
    const input = bytes(buffer ?? '', 'chunk', 'of type string or an instance of Buffer, TypedArray, or DataView');
    const o = options ?? {};
    settings(kind, o);
    once(() => {
      let out: any;
      try {
        out = work(kind, input, o);
      } catch (e) {
        callback(e);
        return;
      }
      callback(null, out);
    });
  };
}

export default zlib;

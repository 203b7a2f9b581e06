// zlib. What is compressed is taken from the server's record, because any bytes
// that decompress to the input are a right answer; what is decompressed is computed.
import { Buffer } from './buffer';
import { coded, invalidType } from './internal/errors';
import { host, loop, nondeterministic, once, port } from './internal/host';
import { uint32 } from './internal/numbers';
import { constants } from './internal/zlib-constants';
import Stream from './stream';
import { Transform } from './stream-classes';
import { type Done, type Engine, informed, type Kind, kinds, streamClasses, within } from '../shared/zlib';

const { zlib: native } = host;
const { group, mv } = host;

const most = 4294967296;
const params = Object.keys(constants).filter((k) => k.startsWith('BROTLI_PARAM_'));
const mostParam = Math.max(...params.map((k) => constants[k]));

// brotliParams refuses what is no parameter, or no value of one.
function brotliParams(all: any): void {
  const seen: any = { __proto__: null };
  for (const k of Object.keys(all ?? {})) {
    if (!(+k >= 0 && +k <= mostParam) || seen[+k]) throw coded(RangeError, 'ERR_BROTLI_INVALID_PARAM', `${k} is not a valid Brotli parameter`);
    if (typeof all[k] !== 'number' && typeof all[k] !== 'boolean') throw invalidType('options.params[key]', 'of type number', all[k]);
    seen[+k] = true;
  }
}

// settings are the options that decide about bytes, checked as Node does, in its order.
function settings(kind: Kind, o: any): any {
  const brotli = kind.startsWith('Brotli');
  let { dictionary, windowBits } = o;
  if (brotli) {
    brotliParams(o.params);
    const flag = o.params?.[constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING];
    if (kind === 'BrotliCompress' && flag !== undefined && +flag !== 0 && +flag !== 1) throw coded(Error, 'ERR_ZLIB_INITIALIZATION_FAILED', 'Initialization failed');
  } else {
    if ((windowBits === null || windowBits === 0) && (kind === 'Inflate' || kind === 'Gunzip' || kind === 'Unzip')) windowBits = undefined;
    within('options.windowBits', windowBits, kind === 'Gzip' ? 9 : 8, 15);
    within('options.level', o.level, -1, 9);
    within('options.memLevel', o.memLevel, 1, 9);
    within('options.strategy', o.strategy, 0, 4);
    if (dictionary !== undefined) {
      if (typeof dictionary === 'string') throw invalidType('options.dictionary', dictionaries, dictionary);
      dictionary = bytes(dictionary, 'options.dictionary', dictionaries);
    }
  }
  within('options.chunkSize', o.chunkSize, 64);
  within('options.flush', o.flush, 0, brotli ? 3 : 5);
  within('options.finishFlush', o.finishFlush, 0, brotli ? 3 : 5);
  within('options.maxOutputLength', o.maxOutputLength, 1, most);
  const bits = windowBits !== windowBits ? undefined : windowBits;
  return { windowBits: compresses(kind) ? undefined : bits, dictionary: brotli ? undefined : dictionary };
}

const dictionaries = 'an instance of Buffer, TypedArray, DataView, or ArrayBuffer';

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
  private stream: any;
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
      done(chunks, o.used, o.ended, o.fault === null ? null : failure(o.fault));
    });
  }

  reset(): void {
    this.stream = new native.Stream(this.kind, settings(this.kind, this.options));
  }

  // Whatever compresses, it must decompress to the input.
  params(): void {}

  close(): void {
    this.open = false;
  }
}

function compresses(kind: Kind): boolean {
  return /Deflate|Gzip|BrotliCompress/.test(kind);
}

const zlib: any = {};
const fixed = (o: any, name: string, value: any, enumerable: boolean) => Object.defineProperty(o, name, { value, enumerable });
const codes: any = {};
for (const name of ['Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR', 'Z_MEM_ERROR', 'Z_BUF_ERROR', 'Z_VERSION_ERROR']) {
  codes[name] = constants[name];
  codes[constants[name]] = name;
}
for (const name of Object.keys(constants)) {
  Object.defineProperty(constants, name, { writable: false, configurable: false });
  if (name.startsWith('Z_') || /^[A-Z]+$/.test(name)) fixed(zlib, name, constants[name], false);
}
fixed(zlib, 'constants', Object.setPrototypeOf(constants, null), true);
fixed(zlib, 'codes', Object.freeze(codes), true);

const classes = streamClasses(Transform, Buffer, (...args: any[]) => (Stream as any).finished(...args), { open: (kind, options) => new Recorded(kind, options), constants, tick: (f) => loop.tick(f) });

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
  return informed(classes[kind], options, Buffer.from(r.out), r.used);
}

function compressed(kind: Kind, input: any, options: any): any {
  const o = settings(kind, options);
  const record = nondeterministic('zlib');
  const out = Buffer.from(host.inLanes((i) => native.oneShot(kind, host.laneOf(input, i), native.decode(mv.lane(record, i)), o, i), true));
  return informed(classes[kind], options, out, input.length);
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

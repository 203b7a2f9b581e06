// Decompression as Node's zlib streams do it: piece by piece, with zlib's own
// algorithm and words for what is wrong. It is also how compressed bytes that the
// server recorded are checked: they must decompress to what was compressed.
import { inLanes, mv } from './mv';
import { call } from './call';
import { laneOf } from './lift';

const zlib = require('../../node_modules/pako/lib/zlib/inflate.js');
const ZStream = require('../../node_modules/pako/lib/zlib/zstream.js');
const crc = require('../../node_modules/pako/lib/zlib/crc32.js');

const [OK, STREAM_END, NEED_DICT, BUF_ERROR, FINISH] = [0, 1, 2, -5, 4];
const names: Record<number, string> = { [-1]: 'Z_ERRNO', [-2]: 'Z_STREAM_ERROR', [-3]: 'Z_DATA_ERROR', [-4]: 'Z_MEM_ERROR', [-5]: 'Z_BUF_ERROR', [-6]: 'Z_VERSION_ERROR', 2: 'Z_NEED_DICT', 0: 'Z_OK' };

export interface Fault {
  message: string;
  errno: number;
  code: string;
}

type Format = 'Inflate' | 'Gunzip' | 'InflateRaw' | 'Unzip' | 'BrotliDecompress';

// Most bytes that one stream may decompress to, if nothing else is known.
const most = 1 << 30;

class TooMuch extends Error {
  constructor(atMost: number) {
    // Node goes on; what the program would make of an error here says nothing.
    if (atMost === most) (globalThis as any).$unsupported?.('more than 1 GiB to decompress');
    super('too much to decompress');
  }
}

interface Decoder {
  // feed yields all that the input so far decompresses to beyond what it has yielded.
  feed(input: Uint8Array, flush: number): Uint8Array;
  fault: Fault | null;
  // atMost: to so many bytes all of it may decompress; what is more is TooMuch.
  atMost: number;
  // over: the input is complete; left: and went on after that. used: how much of what was fed last belongs to it.
  over: boolean;
  left: boolean;
  used: number;
}

class Inflater implements Decoder {
  private readonly stream = new ZStream();
  private format: Format;
  private started = false;
  private readonly windowBits: number;
  private total = 0;
  fault: Fault | null = null;
  over = false;
  left = false;
  used = 0;

  constructor(format: Format, private readonly options: any, public atMost: number) {
    this.format = format;
    const bits = options.windowBits ?? 15;
    this.windowBits = format === 'InflateRaw' ? -bits : format === 'Gunzip' ? bits + 16 : format === 'Unzip' ? bits + 32 : bits;
  }

  feed(input: Uint8Array, flush: number): Uint8Array {
    const s = this.stream;
    if (!this.started) {
      this.started = true;
      if (zlib.inflateInit2(s, this.windowBits) !== OK) throw new Error('bad options');
      if (this.format === 'InflateRaw' && this.options.dictionary !== undefined) zlib.inflateSetDictionary(s, this.options.dictionary);
    }
    if (this.format === 'Unzip' && input.length > 0) this.format = input[0] === 0x1f ? 'Gunzip' : 'Inflate';
    s.input = input;
    s.next_in = 0;
    s.avail_in = input.length;
    const chunks: Uint8Array[] = [];
    let size = 0;
    let status: number;
    do {
      s.output = new Uint8Array(16384);
      s.next_out = 0;
      s.avail_out = 16384;
      status = this.step(flush);
      const n = 16384 - s.avail_out;
      if (status < 0 && status !== BUF_ERROR) break;
      if (status === NEED_DICT) break;
      chunks.push(s.output.subarray(0, n));
      size += n;
      if ((this.total += n) > this.atMost) throw new TooMuch(this.atMost);
    } while (s.avail_out === 0);
    this.used = input.length - s.avail_in;
    this.over = status === STREAM_END;
    this.left = this.over && s.avail_in > 0;
    if (this.over) return join(chunks, size);
    if (status === NEED_DICT) this.fault = { message: this.options.dictionary === undefined ? 'Missing dictionary' : 'Bad dictionary', errno: 2, code: 'Z_NEED_DICT' };
    else if (status === OK || status === BUF_ERROR) {
      if (s.avail_out !== 0 && flush === FINISH) this.fault = { message: 'unexpected end of file', errno: BUF_ERROR, code: 'Z_BUF_ERROR' };
    } else this.fault = { message: s.msg || 'Zlib error', errno: status, code: names[status] ?? 'Z_ERRNO' };
    return join(chunks, size);
  }

  private step(flush: number): number {
    const s = this.stream;
    const { dictionary } = this.options;
    let status = zlib.inflate(s, flush);
    if (status === NEED_DICT && this.format !== 'InflateRaw' && dictionary !== undefined) {
      status = zlib.inflateSetDictionary(s, dictionary);
      status = status === OK ? zlib.inflate(s, flush) : status === -3 ? NEED_DICT : status;
    }
    while (s.avail_in > 0 && this.format === 'Gunzip' && status === STREAM_END && s.input[s.next_in] !== 0) {
      zlib.inflateReset(s);
      status = zlib.inflate(s, flush);
    }
    return status;
  }
}

// Unbrotli decompresses from the beginning each time; streams that are flushed
// often are rare.
class Unbrotli implements Decoder {
  private input = new Uint8Array(0);
  private yielded = 0;
  fault: Fault | null = null;
  over = false;
  left = false;
  used = 0;

  constructor(public atMost: number) {}

  feed(input: Uint8Array, flush: number): Uint8Array {
    const whole = new Uint8Array(this.input.length + input.length);
    whole.set(this.input);
    whole.set(input, this.input.length);
    this.input = whole;
    const r = call('brotli', whole, this.atMost + 1);
    if (r.length - 1 > this.atMost) throw new TooMuch(this.atMost);
    const out = r.subarray(1 + this.yielded);
    this.yielded = r.length - 1;
    const state = String.fromCharCode(r[0]);
    this.left = state === 'l';
    this.over = this.left || state === 'e';
    this.used = Math.max(0, input.length - (this.left ? whole.length - this.end(whole) : 0));
    if (state === 'x') this.fault = { message: 'Decompression failed', errno: -1, code: 'ERR_BROTLI' };
    else if (state === 'm' && flush === 2) this.fault = { message: 'unexpected end of file', errno: BUF_ERROR, code: 'Z_BUF_ERROR' };
    return out.slice();
  }

  // end is where a stream ends in what goes on after it.
  private end(whole: Uint8Array): number {
    let [low, high] = [0, whole.length];
    while (low < high) {
      const at = (low + high) >> 1;
      if (call('brotli', whole.subarray(0, at), this.atMost + 1)[0] === 0x6d /* m */) low = at + 1;
      else high = at;
    }
    return low;
  }
}

function join(chunks: Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(size);
  let at = 0;
  for (const c of chunks) {
    all.set(c, at);
    at += c.length;
  }
  return all;
}

function decoder(format: Format, options: any, atMost = most): Decoder {
  return format === 'BrotliDecompress' ? new Unbrotli(atMost) : new Inflater(format, options, atMost);
}

const inverse: Record<string, Format> = { Deflate: 'Inflate', Gzip: 'Gunzip', DeflateRaw: 'InflateRaw', BrotliCompress: 'BrotliDecompress' };

// all decompresses at once: what inflateSync and its kin answer, or what is wrong.
export function all(format: Format, input: Uint8Array, flush: number, options: any): { out: Uint8Array; fault: Fault | null; used: number } {
  const d = decoder(format, options);
  const out = d.feed(input, flush);
  return { out, fault: d.fault, used: d.used };
}

// checked answers whether output is what input may be compressed to. Whatever the server
// recorded, nothing is thrown: the program could catch it.
export function checked(kind: string, input: Uint8Array, output: Uint8Array, options: any): boolean {
  const d = decoder(inverse[kind], options, input.length);
  try {
    const back = d.feed(output, kind.startsWith('Brotli') ? 2 : FINISH);
    return d.fault === null && d.over && !d.left && equal(back, input);
  } catch (e) {
    if (e instanceof TooMuch) return false;
    throw e;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function refused(lane: number, what: string): void {
  (globalThis as any).$impossible?.(lane, what);
}

// oneShot checks a recorded result of gzip and its kin.
export function oneShot(kind: string, input: Uint8Array, output: Uint8Array, options: any, lane: number): Uint8Array {
  if (!checked(kind, input, output, options)) refused(lane, 'the recorded bytes do not decompress to what was compressed');
  return output;
}

// Lane is one lane's side of a stream.
class Lane {
  readonly decoder: Decoder;
  // Compressing: input that no output has been found for yet. Decompressing: output that has not been delivered yet.
  ahead = new Uint8Array(0);
  over = false;
  constructor(
    readonly kind: string,
    readonly options: any,
  ) {
    this.decoder = decoder(inverse[kind] ?? (kind as Format), options, inverse[kind] === undefined ? most : 0);
  }

  private more(b: Uint8Array): void {
    const n = new Uint8Array(this.ahead.length + b.length);
    n.set(this.ahead);
    n.set(b, this.ahead.length);
    this.ahead = n;
  }

  // compressed checks recorded output against all input up to now; complete: none
  // of it may be held back.
  compressed(input: Uint8Array, chunks: Uint8Array[], complete: boolean, last: boolean): boolean {
    this.more(input);
    this.decoder.atMost += input.length;
    const brotli = this.kind.startsWith('Brotli');
    for (const c of chunks) {
      if (c.length === 0) continue;
      if (this.over) return false;
      let back: Uint8Array;
      try {
        back = this.decoder.feed(c, brotli ? 0 : 2);
      } catch (e) {
        if (e instanceof TooMuch) return false;
        throw e;
      }
      if (this.decoder.fault !== null || this.decoder.left || back.length > this.ahead.length || !equal(back, this.ahead.subarray(0, back.length))) return false;
      this.ahead = this.ahead.subarray(back.length);
      this.over = this.decoder.over;
    }
    if (complete && this.ahead.length > 0) return false;
    return !last || this.over;
  }

  // decompressed cuts what input decompresses to into pieces of recorded lengths.
  decompressed(input: Uint8Array, lengths: number[], flush: number): Uint8Array[] | null {
    const { decoder } = this;
    if (decoder.fault === null) this.more(decoder.feed(input, flush));
    const chunks: Uint8Array[] = [];
    let at = 0;
    for (const n of lengths) {
      if (!Number.isSafeInteger(n) || n < 0 || at + n > this.ahead.length) return null;
      chunks.push(this.ahead.subarray(at, (at += n)));
    }
    if (at < this.ahead.length && this.decoder.fault === null) return null;
    this.ahead = this.ahead.subarray(at);
    return chunks;
  }
}

export interface Outcome {
  chunks: Uint8Array[];
  used: number;
  ended: boolean;
  fault: Fault | null;
}

// Stream is a stream of a group.
export class Stream {
  private readonly lanes: Lane[] = [];
  constructor(
    readonly kind: string,
    readonly options: any,
  ) {}

  // take is what the recorded outcome of one piece of input means in each lane,
  // as a list of outcomes.
  take(decode: (s: string) => Uint8Array, input: any, record: any, flush: number, complete: boolean, last: boolean): any {
    return inLanes((i) => {
      const lane = (this.lanes[i] ??= new Lane(this.kind, this.options));
      const bytes: Uint8Array = laneOf(input, i);
      const text = mv.lane(record, i);
      const parts = text === '' ? [] : String(text).split(',');
      const no: Outcome = { chunks: [], used: 0, ended: false, fault: null };
      const impossible = (what: string): Outcome => {
        refused(i, what);
        return no;
      };
      if (inverse[this.kind] !== undefined) {
        const chunks = parts.map(decode);
        if (!lane.compressed(bytes, chunks, complete, last)) return impossible('the recorded bytes do not decompress to what was compressed');
        return { chunks, used: bytes.length, ended: false, fault: null };
      }
      const chunks = lane.decompressed(bytes, parts.map(Number), flush);
      if (chunks === null) return impossible('the recorded lengths are not those of what the input decompresses to');
      const { fault, left, used } = lane.decoder;
      return { chunks, used: fault === null ? used : 0, ended: left, fault };
    }, true);
  }
}

// crc32 goes on from what that of the bytes before is.
export function crc32(data: Uint8Array, value: number): number {
  return crc(value, data, data.length, 0) >>> 0;
}

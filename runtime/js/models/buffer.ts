// Buffer: npm's, with the frequent ways between text and bytes done by hand,
// and with bodies that differ between the lanes of a group kept as text.
import { host } from './internal/host';
import { coded, invalidType, received } from './internal/errors';
import { install, place, size as checkSize } from './internal/numbers';

const npm = require('../node_modules/buffer/index.js');

export const Buffer: any = (npm as any).Buffer;
const { group, mv, text, base64 } = host;

// Instances made by `new` on a class cost a fraction of Object.setPrototypeOf.
class FastBuffer extends Uint8Array {}
Object.defineProperties(FastBuffer.prototype, Object.getOwnPropertyDescriptors(Buffer.prototype));
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor', { value: Buffer, writable: true, configurable: true });

// Small Buffers share a slab, as in Node: an ArrayBuffer of its own costs more.
let pool = new ArrayBuffer(8192);
let used = 0;

function allocate(n: number): Uint8Array {
  if (n >= 4096) return new FastBuffer(n);
  if (used + n > 8192) {
    pool = new ArrayBuffer(8192);
    used = 0;
  }
  const b = new FastBuffer(pool, used, n);
  used = (used + n + 7) & ~7;
  return b;
}

function isUTF8(encoding: any): boolean {
  return encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8' || encoding === '';
}

function fromText(s: string): Uint8Array {
  const n = text.byteLength(s);
  const b = allocate(n);
  text.write(b, s, 0);
  return b;
}

const npmFrom = Buffer.from;
Buffer.from = function from(value: any, encoding?: any, length?: any): any {
  if (mv.isMV(value)) return fromLanes(value, encoding, length);
  if (typeof value === 'string') {
    if (isUTF8(encoding)) return fromText(value);
    if (encoding === 'base64' || isURL(encoding)) {
      const b = base64.decode(value);
      return new FastBuffer(b.buffer as ArrayBuffer, b.byteOffset, b.length);
    }
    return npmFrom(value, known(encoding));
  }
  if (group.is(value)) {
    const t = host.together() ? group.textOf(value) : null;
    return t !== null ? group.from(t) : fromLanes(group.buffersOf(value), encoding, length);
  }
  if (ArrayBuffer.isView(value) && value.constructor !== DataView) {
    const b = allocate((value as any).length);
    b.set(value as any);
    return b;
  }
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') throw unfit(value);
  try {
    return npmFrom(value, encoding, length);
  } catch (e: any) {
    throw e instanceof TypeError && e.message.startsWith('The first argument must be') ? unfit(value) : e;
  }
};

// known is an encoding that there is.
function known(encoding: any): any {
  if (!Buffer.isEncoding(encoding)) throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  return encoding;
}

function bytes(x: any, name: string): void {
  if (!group.is(x) && !(x instanceof Uint8Array)) throw invalidType(name, 'an instance of Buffer or Uint8Array', x);
}

function unfit(value: any): any {
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.' + received(value));
}

// fromLanes: text stays text; bytes are made lane by lane.
function fromLanes(value: any, encoding: any, length: any): any {
  if (host.together() && isUTF8(encoding)) {
    const b = group.from(value);
    if (b !== null) return b;
  }
  return host.inLanes((i) => Buffer.from(mv.lane(value, i), mv.lane(encoding, i), mv.lane(length, i)), true);
}

const npmByteLength = Buffer.byteLength;
Buffer.byteLength = function byteLength(value: any, encoding?: any): any {
  if (mv.isMV(value)) {
    if (isUTF8(encoding) && typeof value === 'string') return host.byteLength(value);
    return host.inLanes((i) => Buffer.byteLength(mv.lane(value, i), mv.lane(encoding, i)));
  }
  if (typeof value === 'string' && isUTF8(encoding)) return text.byteLength(value);
  if (typeof value === 'string' && isURL(encoding)) return ((value.replace(/=+$/, '').length * 3) >>> 2);
  if (group.is(value)) return value.length;
  if (typeof value !== 'string' && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer))
    throw invalidType('string', 'of type string or an instance of Buffer or ArrayBuffer', value);
  return npmByteLength(value, encoding);
};

Buffer.isBuffer = function isBuffer(b: any): boolean {
  return b instanceof Buffer;
};

Buffer.allocUnsafe = function allocUnsafe(size: any): any {
  checkSize(size);
  // Other contents than zeros would be non-determinism that nobody records.
  return Buffer.alloc(size);
};
Buffer.allocUnsafeSlow = Buffer.allocUnsafe;

const npmAlloc = Buffer.alloc;
Buffer.alloc = function alloc(size: any, fill?: any, encoding?: any): any {
  if (typeof size === 'number' && fill === undefined && size >= 0 && size <= 0x7fffffff && size === Math.trunc(size)) return new FastBuffer(size);
  checkSize(size);
  return npmAlloc(size, fill, encoding);
};

const npmConcat = Buffer.concat;
Buffer.concat = function concat(list: any, length?: any): any {
  if (!Array.isArray(list)) throw invalidType('list', 'an instance of Array', list);
  if (mv.state.N > 1) {
    let grouped = false;
    let laned = mv.isMV(length);
    for (let i = 0; i < list.length; i++) {
      if (group.is(list[i])) grouped = true;
      else if (mv.isMV(list[i])) laned = true;
    }
    if (grouped && !laned) {
      const b = concatGroup(list, length);
      if (b !== null) return b;
    }
    if (grouped || laned) return concatLanes(list, length);
  }
  if (list.length === 1 && length === undefined && list[0] instanceof Uint8Array) {
    const b = allocate(list[0].length);
    b.set(list[0]);
    return b;
  }
  if (length !== undefined && typeof length !== 'number') throw invalidType('length', 'of type number', length);
  for (let i = 0; i < list.length; i++) {
    if (length === undefined) void list[i].length; // of nothing there is none, which is said first
    bytes(list[i], `list[${i}]`);
  }
  return npmConcat(list, length);
};

function concatGroup(list: any[], length: any): any {
  const parts = new Array(list.length);
  for (let i = 0; i < list.length; i++) {
    parts[i] = list[i];
    if (group.is(parts[i])) continue;
    const s = text.decode(parts[i], 0, parts[i].length, true);
    if (s === null) return null;
    parts[i] = group.from(s);
  }
  return length === undefined ? group.concat(parts) : null;
}

const concatLanes = host.lift(npmConcat.bind(Buffer));

// npm's Buffer is older than base64url.
const isURL = (encoding: any): boolean => typeof encoding === 'string' && encoding.length === 9 && encoding.toLowerCase() === 'base64url';
const npmIsEncoding = Buffer.isEncoding;
Buffer.isEncoding = function isEncoding(encoding: any): boolean {
  return isURL(encoding) || npmIsEncoding(encoding);
};
const npmWrite = Buffer.prototype.write;
Buffer.prototype.write = function write(...args: any[]): number {
  const last = args.length - 1;
  if (args[1] !== undefined && typeof args[1] !== 'string') {
    place(args[1], 'offset', this.length);
    if (args[2] !== undefined && typeof args[2] !== 'string') place(args[2], 'length', this.length);
  }
  if (last > 0 && isURL(args[last])) args[last] = 'base64';
  else if (last > 0 && typeof args[last] === 'string') known(args[last]);
  return npmWrite.apply(this, args);
};

const npmToString = Buffer.prototype.toString;
Buffer.prototype.toString = function toString(encoding?: any, start?: any, end?: any): string {
  if (isURL(encoding)) return this.toString('base64', start, end).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
  if (start === undefined && end === undefined) {
    if (isUTF8(encoding)) return text.decode(this, 0, this.length);
    if (encoding === 'base64') return base64.encode(this, 0, this.length);
    if (encoding === 'latin1' || encoding === 'binary') return text.latin1(this, 0, this.length);
    return this.length === 0 ? '' : npmToString.call(this, known(encoding), 0, this.length);
  }
  if (isUTF8(encoding)) {
    const n = this.length;
    const s = start === undefined ? 0 : Math.min(Math.max(Math.trunc(start) || 0, 0), n);
    const e = end === undefined ? n : Math.min(Math.max(Math.trunc(end) || 0, 0), n);
    return e <= s ? '' : text.decode(this, s, e);
  }
  return npmToString.call(this, encoding, start, end);
};
Buffer.prototype.toLocaleString = Buffer.prototype.toString;
Buffer.prototype.utf8Slice = function (start: number, end: number) {
  return text.decode(this, start ?? 0, end ?? this.length);
};
Buffer.prototype.latin1Slice = function (start: number, end: number) {
  return text.latin1(this, start ?? 0, end ?? this.length);
};

// slice and subarray share memory; npm's pays for a prototype change.
function view(this: Uint8Array, start?: any, end?: any): Uint8Array {
  const n = this.length;
  let s = Math.trunc(start) || 0;
  let e = end === undefined ? n : Math.trunc(end) || 0;
  s = s < 0 ? Math.max(s + n, 0) : Math.min(s, n);
  e = e < 0 ? Math.max(e + n, 0) : Math.min(e, n);
  return new FastBuffer(this.buffer as ArrayBuffer, this.byteOffset + s, e > s ? e - s : 0);
}
Buffer.prototype.slice = view;
Buffer.prototype.subarray = view;

// What takes bytes, and what it calls them.
for (const [name, called] of [['equals', 'otherBuffer'], ['compare', 'target'], ['copy', 'target']]) {
  const f = Buffer.prototype[name];
  Buffer.prototype[name] = {
    [name](this: any, other: any, ...rest: any[]): any {
      bytes(other, called);
      return f.call(this, other, ...rest);
    },
  }[name];
}
const npmCompare = Buffer.compare;
Buffer.compare = function compare(a: any, b: any): number {
  bytes(a, 'buf1');
  bytes(b, 'buf2');
  return npmCompare(a, b);
};
for (const name of ['indexOf', 'lastIndexOf', 'includes']) {
  const f = Buffer.prototype[name];
  Buffer.prototype[name] = {
    [name](this: any, value: any, ...rest: any[]): any {
      if (typeof value !== 'string' && typeof value !== 'number' && !group.is(value) && !(value instanceof Uint8Array)) throw invalidType('value', 'one of type number or string or an instance of Buffer or Uint8Array', value);
      return f.call(this, value, ...rest);
    },
  }[name];
}

install(Buffer.prototype);

// Everything above is written for one lane, but for texts that stay texts.
// Methods that Uint8Array has are taken over to be lifted, too.
const readers = new Set<PropertyKey>(
  'toString toLocaleString toJSON equals compare includes indexOf lastIndexOf inspect slice subarray at entries keys values forEach every some find findIndex findLast findLastIndex join map filter reduce reduceRight'.split(' '),
);
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
for (const o of host.present ? [typedArray, Buffer.prototype] : []) {
  for (const key of Reflect.ownKeys(o)) {
    const d = Object.getOwnPropertyDescriptor(o, key)!;
    if (key === 'constructor' || typeof d.value !== 'function') continue;
    if (o === typedArray && Object.hasOwn(Buffer.prototype, key)) continue;
    d.value = host.lift(d.value, !(readers.has(key) || typeof key === 'symbol' || /^read|Slice$/.test(key)));
    Object.defineProperty(Buffer.prototype, key, d);
  }
  if (o === typedArray) continue;
  const withTexts = new Set(['from', 'byteLength', 'concat', 'isBuffer']);
  for (const key of Object.keys(Buffer)) {
    if (typeof Buffer[key] === 'function' && !withTexts.has(key)) Buffer[key] = host.lift(Buffer[key]);
  }
}

group.setBuffer(Buffer);

function isValidUTF8(b: Uint8Array): boolean {
  return text.decode(b, 0, b.length, true) !== null;
}

export const SlowBuffer = (npm as any).SlowBuffer;
export const constants = { MAX_LENGTH: 4294967296, MAX_STRING_LENGTH: 536870888 };
export const kMaxLength = constants.MAX_LENGTH;
export const kStringMaxLength = constants.MAX_STRING_LENGTH;
export const INSPECT_MAX_BYTES = 50;

const missing = (): any => coded(TypeError, 'ERR_MISSING_ARGS', 'The "input" argument must be specified');

export function atob(input: any): string {
  if (arguments.length === 0) throw missing();
  const s = String(input).replace(/[\t\n\f\r ]/g, '');
  const body = s.length % 4 === 0 ? s.replace(/==?$/, '') : s;
  const strange = /[^A-Za-z0-9+/]/.test(body);
  if (body.length % 4 === 1 || strange) {
    const e: any = new Error(strange ? 'Invalid character' : 'The string to be decoded is not correctly encoded.');
    e.name = 'InvalidCharacterError';
    e.code = 5;
    throw e;
  }
  const b = base64.decode(body);
  return text.latin1(b, 0, b.length);
}

export function btoa(input: any): string {
  if (arguments.length === 0) throw missing();
  const s = String(input);
  if (/[^\x00-\xff]/.test(s)) {
    const e: any = new Error('Invalid character');
    e.name = 'InvalidCharacterError';
    e.code = 5;
    throw e;
  }
  return Buffer.from(s, 'latin1').toString('base64');
}

export const isUtf8 = isValidUTF8;
export function isAscii(b: Uint8Array): boolean {
  return b.every((c) => c < 128);
}

const transcoded: Record<string, string> = { __proto__: null as any, utf8: 'utf8', 'utf-8': 'utf8', ascii: 'ascii', latin1: 'latin1', binary: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le', utf16le: 'utf16le', 'utf-16le': 'utf16le' };

// What has no look of its own is left out rather than asked about.
const unseen = /[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

function untranscoded(code: string, errno: number): any {
  return Object.assign(new Error(`Unable to transcode Buffer [${code}]`), { code, errno });
}

// transcode makes of text in one encoding text in another, with a question mark for what that has not.
export function transcode(source: any, fromEncoding: any, toEncoding: any): any {
  if (!group.is(source) && !(source instanceof Uint8Array)) throw invalidType('source', 'an instance of Buffer or Uint8Array', source);
  if (source.length === 0) return Buffer.alloc(0);
  const from = transcoded[`${fromEncoding || 'utf8'}`.toLowerCase()];
  const to = transcoded[`${toEncoding || 'utf8'}`.toLowerCase()];
  if (from === undefined || to === undefined) throw untranscoded('U_ILLEGAL_ARGUMENT_ERROR', 1);
  const b = Buffer.isBuffer(source) ? source : Buffer.from(source);
  let s: string = b.toString(from === 'ascii' ? 'latin1' : from);
  if (from === 'ascii' && to !== 'utf16le') s = s.replace(/[\x80-\xff]/g, '\ufffd');
  // Half a letter at the end.
  if (from === 'utf16le' && to === 'utf16le' && b.length % 2 === 1 && !/[\ud800-\udbff]$/.test(s)) s += '\ufffd';
  const valid = from === 'utf8' ? to !== 'utf16le' || isValidUTF8(b) : from !== 'utf16le' || to !== 'utf8' || (s !== '' && (s as any).isWellFormed());
  if (!valid) throw untranscoded('U_INVALID_CHAR_FOUND', 10);
  if (to === 'utf8' || to === 'utf16le') return Buffer.from((s as any).toWellFormed(), to);
  s = s.replace(unseen, (c) => (c === '\xad' && to === 'latin1' ? c : ''));
  return Buffer.from(s.replace(to === 'ascii' ? /[^\x00-\x7f]/gu : /[^\x00-\xff]/gu, '?'), 'latin1');
}

// Buffer. The frequent ways between text and bytes go without a table of encodings,
// and bodies that differ between the lanes of a group are kept as text.
import { custom, inspect } from '../shared/inspect';
import { host } from './internal/host';
import { coded, invalidType, invalidValue, native, received } from './internal/errors';
import { install, number, outOfRange, place, size as checkSize } from './internal/numbers';

const { group, mv, text, base64, bytes: raw } = host;
const utf8 = raw.codec('utf8')!;

export const constants = { MAX_LENGTH: 4294967296, MAX_STRING_LENGTH: 536870888 };
export const kMaxLength = constants.MAX_LENGTH;
export const kStringMaxLength = constants.MAX_STRING_LENGTH;

export const Buffer: any = function Buffer(arg: any, encoding?: any, length?: any): any {
  if (typeof arg === 'number') {
    if (typeof encoding === 'string') throw invalidType('string', 'of type string', arg);
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encoding, length);
};

// Instances made by `new` on a class cost a fraction of Object.setPrototypeOf.
class FastBuffer extends Uint8Array {}
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor', { value: Buffer, writable: true, configurable: true });
Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer, Symbol.species, { get: () => FastBuffer, configurable: true });
Buffer.poolSize = 8192;

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
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';
}

// known is how an encoding that there is works.
function known(encoding: any): any {
  const codec = raw.codec(encoding);
  if (codec === undefined) throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  return codec;
}

function fromText(s: string, encoding?: any): Uint8Array {
  if (isUTF8(encoding) || typeof encoding !== 'string' || encoding === '') {
    const b = allocate(text.byteLength(s));
    text.write(b, s, 0);
    return b;
  }
  if (encoding === 'base64' || encoding === 'base64url') {
    const b = base64.decode(s);
    return new FastBuffer(b.buffer as ArrayBuffer, b.byteOffset, b.length);
  }
  const codec = known(encoding);
  const b = allocate(codec.length(s));
  return shorter(b, codec.write(b, s, 0, b.length));
}

function shorter(b: Uint8Array, n: number): Uint8Array {
  return n === b.length ? b : new FastBuffer(b.buffer as ArrayBuffer, b.byteOffset, n);
}

function isAnyArrayBuffer(x: any): boolean {
  return host.brands.isArrayBuffer(x) || host.brands.isSharedArrayBuffer(x);
}

function isBytes(x: any): boolean {
  return raw.typed(x) === 'Uint8Array' || group.is(x);
}

function bytes(x: any, name: string): void {
  if (!isBytes(x)) throw invalidType(name, 'an instance of Buffer or Uint8Array', x);
}

Buffer.from = function from(value: any, encoding?: any, length?: any): any {
  if (mv.isMV(value) || mv.isMV(encoding) || mv.isMV(length)) return fromLanes(value, encoding, length);
  if (typeof value === 'string') return fromText(value, encoding);
  if (group.is(value)) {
    const t = host.together() ? group.textOf(value) : null;
    return t !== null ? group.from(t) : fromLanes(group.buffersOf(value), encoding, length);
  }
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return overArrayBuffer(value, encoding, length);
    const of = value.valueOf && value.valueOf();
    if (of !== null && of !== undefined && of !== value && (typeof of === 'string' || typeof of === 'object')) return Buffer.from(of, encoding, length);
    if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) return typeof value.length === 'number' ? fromList(value) : new FastBuffer();
    if (value.type === 'Buffer' && Array.isArray(value.data)) return fromList(value.data);
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const s = value[Symbol.toPrimitive]('string');
      if (typeof s === 'string') return fromText(s, encoding);
    }
  }
  throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.' + received(value));
};

function overArrayBuffer(value: any, offset: any, length: any): any {
  offset = offset === undefined ? 0 : +offset || 0;
  const most = value.byteLength - offset;
  if (most < 0) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds');
  if (length === undefined) return new FastBuffer(value, offset, most);
  length = +length;
  if (length > most) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"length" is outside of buffer bounds');
  return new FastBuffer(value, offset, length > 0 ? length : 0);
}

// fromList copies what has a length, whose elements may differ between lanes.
const fromList = host.lift((list: any): any => {
  if (!(list.length > 0)) return new FastBuffer();
  const b = allocate(Math.trunc(list.length));
  b.set(list);
  return b;
});

// fromLanes: text stays text; bytes are made lane by lane.
function fromLanes(value: any, encoding: any, length: any): any {
  if (host.together() && !mv.isMV(encoding) && isUTF8(encoding)) {
    const b = group.from(value);
    if (b !== null) return b;
  }
  return host.inLanes((i) => Buffer.from(mv.lane(value, i), mv.lane(encoding, i), mv.lane(length, i)), true);
}

Buffer.byteLength = function byteLength(value: any, encoding?: any): any {
  if (mv.isMV(value) || mv.isMV(encoding)) {
    if (!mv.isMV(encoding) && isUTF8(encoding) && typeof value === 'string') return host.byteLength(value);
    return host.inLanes((i) => Buffer.byteLength(mv.lane(value, i), mv.lane(encoding, i)));
  }
  if (typeof value === 'string') return !encoding || isUTF8(encoding) ? text.byteLength(value) : (raw.codec(encoding) ?? utf8).length(value);
  if (group.is(value)) return value.length;
  if (!ArrayBuffer.isView(value) && !isAnyArrayBuffer(value)) throw invalidType('string', 'of type string or an instance of Buffer or ArrayBuffer', value);
  return (value as any).byteLength;
};

Buffer.isBuffer = function isBuffer(b: any): boolean {
  return b instanceof Buffer;
};

Buffer.isEncoding = function isEncoding(encoding: any): boolean {
  return typeof encoding === 'string' && raw.codec(encoding) !== undefined;
};

Buffer.alloc = function alloc(size: any, fill?: any, encoding?: any): any {
  checkSize(size);
  const b = new FastBuffer(size);
  return fill === undefined || fill === 0 || b.length === 0 ? b : fillWith(b, fill, 0, b.length, encoding);
};

// Other contents than zeros would be non-determinism that nobody records.
Buffer.allocUnsafe = function allocUnsafe(size: any): any {
  checkSize(size);
  return new FastBuffer(size);
};
Buffer.allocUnsafeSlow = function allocUnsafeSlow(size: any): any {
  checkSize(size);
  return new FastBuffer(size);
};
export const SlowBuffer: any = function SlowBuffer(size: any): any {
  checkSize(size);
  return new FastBuffer(size);
};
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

Buffer.of = (...items: any[]): any => {
  const b = new FastBuffer(items.length);
  for (let i = 0; i < items.length; i++) b[i] = items[i];
  return b;
};

// index checks a number that counts elements of what need not be a Buffer.
function index(n: any, name: string): void {
  place(n, name, Number.MAX_SAFE_INTEGER);
}

Buffer.copyBytesFrom = function copyBytesFrom(view: any, offset?: any, length?: any): any {
  if (raw.typed(view) === undefined) throw invalidType('view', 'an instance of TypedArray', view);
  if (view.length === 0) return new FastBuffer();
  if (offset !== undefined) index(offset, 'offset');
  if (length !== undefined) index(length, 'length');
  const from = offset ?? 0;
  const part = view.subarray(from, length === undefined ? view.length : from + length);
  return fromList(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
};

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
  return join(list, length);
};

function join(list: any[], length: any): any {
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let i = 0; i < list.length; i++) if (list[i].length) length += list[i].length;
  } else {
    place(length, 'length', kMaxLength);
  }
  for (let i = 0; i < list.length; i++) bytes(list[i], `list[${i}]`);
  const b = allocate(length);
  let at = 0;
  for (let i = 0; i < list.length && at < length; i++) {
    const part = at + list[i].length > length ? list[i].subarray(0, length - at) : list[i];
    b.set(part, at);
    at += part.length;
  }
  return b;
}

function concatGroup(list: any[], length: any): any {
  const parts = new Array(list.length);
  for (let i = 0; i < list.length; i++) {
    parts[i] = list[i];
    if (group.is(parts[i])) continue;
    if (!isBytes(parts[i])) return null;
    const s = text.decode(parts[i], 0, parts[i].length, true);
    if (s === null) return null;
    parts[i] = group.from(s);
  }
  return length === undefined ? group.concat(parts) : null;
}

const concatLanes = host.lift(join);

Buffer.compare = function compare(a: any, b: any): number {
  bytes(a, 'buf1');
  bytes(b, 'buf2');
  return a === b ? 0 : raw.compare(a, b);
};

const proto = Buffer.prototype;
install(proto);

// What encodings are for, one by one.
for (const [name, encoding] of [['ascii', 'ascii'], ['base64', 'base64'], ['base64url', 'base64url'], ['latin1', 'latin1'], ['hex', 'hex'], ['ucs2', 'utf16le'], ['utf8', 'utf8']]) {
  const codec = known(encoding);
  method(`${name}Slice`, function (this: Uint8Array, start: any = 0, end: any = this.length): string {
    const [s, e] = [Math.trunc(start) || 0, Math.trunc(end) || 0];
    if (s < 0 || e < 0 || Math.max(s, e) > this.length) throw native(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');
    return slice(this, codec, s, Math.max(s, e));
  });
  method(`${name}Write`, function (this: Uint8Array, s: any, at: any = 0, room: any = this.length - at): number {
    return write(this, codec, s, at, room);
  });
}

function method(name: string, f: Function): void {
  proto[name] = Object.defineProperty(f, 'name', { value: name, configurable: true });
}

function slice(b: Uint8Array, codec: any, start: number, end: number): string {
  if (end - start > kStringMaxLength && !codec.wide) throw coded(Error, 'ERR_STRING_TOO_LONG', `Cannot create a string longer than 0x${kStringMaxLength.toString(16)} characters`);
  return codec.slice(b, start, end);
}

function write(b: Uint8Array, codec: any, s: any, at: any, room: any): number {
  if (typeof s !== 'string') throw native(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
  if (at > b.length) throw native(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds');
  return codec.write(b, s, at, Math.min(room, b.length - at));
}

for (const [name, of] of [['parent', 'buffer'], ['offset', 'byteOffset']])
  Object.defineProperty(proto, name, {
    get(this: any) {
      return this instanceof Buffer ? this[of] : undefined;
    },
    enumerable: true,
  });

// whole makes an integer of what need not be one.
function whole(n: any): number {
  n = +n;
  return n >= Number.MIN_SAFE_INTEGER && n <= Number.MAX_SAFE_INTEGER ? Math.floor(n) : 0;
}

// What differs between lanes must not be copied into what they share: here the target is what is written to.
const copyInto = host.lift(function copy(this: any, source: any, targetStart: any, sourceStart: any, sourceEnd: any): number {
  bytes(source, 'source');
  bytes(this, 'target');
  const at = targetStart === undefined ? 0 : whole(targetStart);
  if (at < 0) throw outOfRange('targetStart', '>= 0', at);
  const from = sourceStart === undefined ? 0 : whole(sourceStart);
  if (from < 0 || from > source.length) throw outOfRange('sourceStart', `>= 0 && <= ${source.length}`, from);
  const to = sourceEnd === undefined ? source.length : whole(sourceEnd);
  if (to < 0) throw outOfRange('sourceEnd', '>= 0', to);
  const n = Math.min(to - from, source.length - from, this.length - at);
  if (n <= 0) return 0;
  this.set(n === source.length ? source : new Uint8Array(source.buffer, source.byteOffset + from, n), at);
  return n;
}, true);
proto.copy = function copy(target: any, targetStart?: any, sourceStart?: any, sourceEnd?: any): number {
  return Reflect.apply(copyInto, target, [this, targetStart, sourceStart, sourceEnd]);
};

proto.toString = function toString(encoding?: any, start?: any, end?: any): string {
  const n = this.length;
  if (start >= n) return '';
  const s = start > 0 ? Math.trunc(start) : 0;
  const e = end === undefined || end > n ? n : Math.trunc(end) || 0;
  if (e <= s) return '';
  return slice(this, encoding === undefined ? utf8 : known(encoding), s, e);
};

proto.equals = function equals(other: any): boolean {
  bytes(other, 'otherBuffer');
  return this === other || (this.byteLength === other.byteLength && raw.compare(this, other) === 0);
};

// Programs can say how much of a Buffer is shown.
let shown = 50;
export const shownBytes = {
  get: () => shown,
  set(n: any) {
    number(n, 'INSPECT_MAX_BYTES');
    if (!(n >= 0)) throw outOfRange('INSPECT_MAX_BYTES', '>= 0', n);
    shown = n;
  },
  enumerable: true,
  configurable: true,
};

proto.inspect = function (this: any, _depth: any, ctx: any): string {
  const rest = this.length - shown;
  let s = this.hexSlice(0, Math.min(shown, this.length)).replace(/(.{2})/g, '$1 ').trim();
  if (rest > 0) s += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  const own: any = { __proto__: null };
  for (const key of ctx ? Reflect.ownKeys(this) : []) if (!/^\d+$/.test(String(key)) && (ctx.showHidden || Object.prototype.propertyIsEnumerable.call(this, key))) own[key] = this[key];
  // What comes before the first property is always the same.
  if (Reflect.ownKeys(own).length > 0) s += (this.length === 0 ? '' : ', ') + inspect(own, { ...ctx, breakLength: Infinity, compact: true }).slice('[Object: null prototype] { '.length, -2);
  return `<${this.constructor.name} ${s}>`;
};
Object.defineProperty(proto.inspect, 'name', { value: 'inspect', configurable: true });
proto[custom] = proto.inspect;

proto.compare = function compare(target: any, targetStart?: any, targetEnd?: any, start?: any, end?: any): number {
  bytes(target, 'target');
  if (targetStart !== undefined) place(targetStart, 'targetStart', kMaxLength);
  if (targetEnd !== undefined) place(targetEnd, 'targetEnd', target.length);
  if (start !== undefined) place(start, 'sourceStart', kMaxLength);
  if (end !== undefined) place(end, 'sourceEnd', this.length);
  const [from, to, otherFrom, otherTo] = [start ?? 0, end ?? this.length, targetStart ?? 0, targetEnd ?? target.length];
  if (from >= to) return otherFrom >= otherTo ? 0 : -1;
  if (otherFrom >= otherTo) return 1;
  return raw.compare(new Uint8Array(this.buffer, this.byteOffset + from, to - from), new Uint8Array(target.buffer, target.byteOffset + otherFrom, otherTo - otherFrom));
};

function search(b: any, value: any, offset: any, encoding: any, forward: boolean): number {
  if (!ArrayBuffer.isView(b as object)) throw invalidType('buffer', 'an instance of Buffer, TypedArray, or DataView', b);
  if (typeof offset === 'string') {
    encoding = offset;
    offset = undefined;
  }
  offset = Math.min(Math.max(+offset, -0x80000000), 0x7fffffff);
  if (Number.isNaN(offset)) offset = forward ? 0 : b.length;
  if (typeof value === 'number') return raw.findByte(b, value & 255, offset, forward);
  if (typeof value === 'string') {
    const codec = encoding === undefined ? utf8 : known(encoding);
    return raw.find(b, fromText(value, encoding === undefined ? 'utf8' : `${encoding}`), offset, codec.wide, forward);
  }
  if (isBytes(value)) return raw.find(b, value, offset, encoding !== undefined && raw.codec(encoding)?.wide === true, forward);
  throw invalidType('value', 'one of type number or string or an instance of Buffer or Uint8Array', value);
}

proto.indexOf = function indexOf(value: any, offset?: any, encoding?: any): number {
  return search(this, value, offset, encoding, true);
};
proto.lastIndexOf = function lastIndexOf(value: any, offset?: any, encoding?: any): number {
  return search(this, value, offset, encoding, false);
};
proto.includes = function includes(value: any, offset?: any, encoding?: any): boolean {
  return search(this, value, offset, encoding, true) !== -1;
};

proto.fill = function fill(value: any, offset?: any, end?: any, encoding?: any): any {
  return fillWith(this, value, offset, end, encoding);
};

function fillWith(b: any, value: any, offset: any, end: any, encoding: any): any {
  let what: any = value;
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = undefined;
    } else if (typeof end === 'string') {
      encoding = end;
      end = undefined;
    }
    if (encoding === null || encoding === '') encoding = undefined;
    if (encoding !== undefined) {
      if (typeof encoding !== 'string') throw invalidType('encoding', 'of type string', encoding);
      known(encoding);
    }
    what = value === '' ? 0 : fromText(value, encoding);
  }
  if (offset === undefined) {
    offset = 0;
    end = b.length;
  } else {
    place(offset, 'offset', kMaxLength);
    if (end === undefined) end = b.length;
    else place(end, 'end', b.length);
    if (offset >= end) return b;
  }
  if (ArrayBuffer.isView(what)) {
    if (what.byteLength === 0) throw invalidValue('value', value);
    raw.repeat(b, new Uint8Array(what.buffer, what.byteOffset, what.byteLength), offset, end);
    return b;
  }
  if (typeof what === 'object' || typeof what === 'function') what = +what >>> 0;
  return raw.fill(b, what, offset, end);
}

proto.write = function write_(s: any, offset?: any, length?: any, encoding?: any): number {
  if (offset === undefined) return write(this, utf8, s, 0, this.length);
  if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    offset = 0;
  } else {
    place(offset, 'offset', this.length);
    if (typeof length === 'string') {
      encoding = length;
      length = undefined;
    } else if (length !== undefined) place(length, 'length', this.length);
  }
  return write(this, encoding ? known(encoding) : utf8, s, offset, length ?? this.length);
};
Object.defineProperty(proto.write, 'name', { value: 'write', configurable: true });

proto.toJSON = function toJSON(): any {
  return { type: 'Buffer', data: Array.prototype.slice.call(this) };
};

// slice and subarray share memory.
proto.subarray = function subarray(start?: any, end?: any): Uint8Array {
  const n = this.length;
  let s = Math.trunc(start) || 0;
  let e = end === undefined ? n : Math.trunc(end) || 0;
  s = s < 0 ? Math.max(s + n, 0) : Math.min(s, n);
  e = e < 0 ? Math.max(e + n, 0) : Math.min(e, n);
  return new FastBuffer(this.buffer as ArrayBuffer, this.byteOffset + s, e > s ? e - s : 0);
};
proto.slice = function slice(start?: any, end?: any): Uint8Array {
  return this.subarray(start, end);
};
proto.toLocaleString = proto.toString;

// Everything above is written for one lane, but for texts that stay texts.
// Methods that Uint8Array has are taken over to be lifted, too.
const readers = new Set<PropertyKey>(
  'toString toLocaleString toJSON equals compare includes indexOf lastIndexOf inspect slice subarray at entries keys values forEach every some find findIndex findLast findLastIndex join map filter reduce reduceRight'.split(' '),
);
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
// Methods of two names stay the same.
const lifted = new Map<Function, Function>();
for (const o of host.present ? [typedArray, proto] : []) {
  for (const key of Reflect.ownKeys(o)) {
    const d = Object.getOwnPropertyDescriptor(o, key)!;
    if (key === 'constructor' || key === 'copy' || typeof d.value !== 'function') continue;
    if (o === typedArray && Object.hasOwn(proto, key)) continue;
    let f = lifted.get(d.value);
    if (f === undefined) lifted.set(d.value, (f = host.lift(d.value, !(readers.has(key) || typeof key === 'symbol' || /^read|Slice$/.test(key)), key === 'slice' || key === 'subarray')));
    d.value = f;
    Object.defineProperty(proto, key, d);
  }
  if (o === typedArray) continue;
  const withTexts = new Set(['from', 'byteLength', 'concat', 'isBuffer']);
  for (const key of Object.keys(Buffer)) {
    if (typeof Buffer[key] === 'function' && !withTexts.has(key)) Buffer[key] = host.lift(Buffer[key]);
  }
}

group.setBuffer(Buffer);

const missing = (): any => coded(TypeError, 'ERR_MISSING_ARGS', 'The "input" argument must be specified');
const invalid = (what: string): any => new (globalThis as any).DOMException(what, 'InvalidCharacterError');

export function atob(input: any): string {
  if (arguments.length === 0) throw missing();
  const s = `${input}`.replace(/[\t\n\f\r ]/g, '');
  const body = s.length % 4 === 0 ? s.replace(/==?$/, '') : s;
  if (/[^A-Za-z0-9+/]/.test(body)) throw invalid('Invalid character');
  if (body.length % 4 === 1) throw invalid('The string to be decoded is not correctly encoded.');
  const b = base64.decode(body);
  return text.latin1(b, 0, b.length);
}

export function btoa(input: any): string {
  if (arguments.length === 0) throw missing();
  const s = `${input}`;
  if (/[^\x00-\xff]/.test(s)) throw invalid('Invalid character');
  return Buffer.from(s, 'latin1').toString('base64');
}

// contents are the bytes of what holds some.
function contents(input: any): Uint8Array {
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  if (raw.typed(input) === undefined) throw invalidType('input', 'an instance of ArrayBuffer, Buffer, or TypedArray', input);
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

function isValidUTF8(b: Uint8Array): boolean {
  return text.decode(b, 0, b.length, true) !== null;
}

export const isUtf8 = host.lift((input: any): boolean => isValidUTF8(contents(input)));
export const isAscii = host.lift((input: any): boolean => contents(input).every((c) => c < 128));

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

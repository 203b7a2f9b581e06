// Bytes for Buffers: how each encoding reads and writes them, where some are found, how they compare.
import { decode, encode } from './base64';
import { byteLength, decode as decodeUTF8, latin1, write as writeUTF8 } from './text';

export interface Codec {
  // Wide searches go by units of two bytes.
  wide: boolean;
  // length of text in bytes, or more.
  length(s: string): number;
  // write at most room bytes of text, and only whole characters; it answers how many.
  write(to: Uint8Array, s: string, at: number, room: number): number;
  slice(b: Uint8Array, start: number, end: number): string;
}

function copied(to: Uint8Array, from: Uint8Array, at: number, room: number): number {
  to.set(from.length > room ? from.subarray(0, room) : from, at);
  return Math.min(from.length, room);
}

function base64Length(s: string): number {
  let n = s.length;
  if (s.charCodeAt(n - 1) === 61) n--;
  if (n > 1 && s.charCodeAt(n - 1) === 61) n--;
  return (n * 3) >>> 2;
}

function hexDigit(c: number): number {
  if (c >= 48 && c <= 57) return c - 48;
  c |= 32;
  return c >= 97 && c <= 102 ? c - 87 : -1;
}

const hexes: string[] = [];
for (let i = 0; i < 256; i++) hexes.push((i < 16 ? '0' : '') + i.toString(16));

const narrow = {
  wide: false,
  length: (s: string) => s.length,
  write(to: Uint8Array, s: string, at: number, room: number): number {
    const n = Math.min(s.length, room);
    for (let i = 0; i < n; i++) to[at + i] = s.charCodeAt(i);
    return n;
  },
};
const base64 = {
  wide: false,
  length: base64Length,
  write: (to: Uint8Array, s: string, at: number, room: number) => copied(to, decode(s), at, room),
};

const codecs: Record<string, Codec> = {
  __proto__: null as any,
  utf8: {
    wide: false,
    length: byteLength,
    write(to, s, at, room) {
      if (s.length * 3 <= room || byteLength(s) <= room) return writeUTF8(to, s, at) - at;
      const b = new Uint8Array(byteLength(s.slice(0, room)));
      writeUTF8(b, s.slice(0, room), 0);
      // A pair of surrogates that slice cut is not whole either.
      let n = Math.min(room, b.length);
      while (n > 0 && (b[n] & 0xc0) === 0x80) n--;
      return copied(to, b, at, n);
    },
    slice: decodeUTF8,
  },
  latin1: { ...narrow, slice: latin1 },
  ascii: { ...narrow, slice: (b, start, end) => latin1(b.subarray(start, end).map((c) => c & 127), 0, end - start) },
  utf16le: {
    wide: true,
    length: (s) => s.length * 2,
    write(to, s, at, room) {
      const n = Math.min(s.length, room >> 1);
      for (let i = 0; i < n; i++) {
        const c = s.charCodeAt(i);
        to[at + 2 * i] = c;
        to[at + 2 * i + 1] = c >> 8;
      }
      return 2 * n;
    },
    slice(b, start, end) {
      let s = '';
      for (let i = start; i + 1 < end; i += 2) s += String.fromCharCode(b[i] | (b[i + 1] << 8));
      return s;
    },
  },
  base64: { ...base64, slice: encode },
  base64url: { ...base64, slice: (b, start, end) => encode(b, start, end).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_') },
  hex: {
    wide: false,
    length: (s) => s.length >>> 1,
    write(to, s, at, room) {
      const n = Math.min(s.length >>> 1, room);
      for (let i = 0; i < n; i++) {
        const high = hexDigit(s.charCodeAt(2 * i));
        const low = hexDigit(s.charCodeAt(2 * i + 1));
        if (high < 0 || low < 0) return i;
        to[at + i] = high * 16 + low;
      }
      return n;
    },
    slice(b, start, end) {
      let s = '';
      for (let i = start; i < end; i++) s += hexes[b[i]];
      return s;
    },
  },
};
for (const [name, is] of [['utf-8', 'utf8'], ['binary', 'latin1'], ['ucs2', 'utf16le'], ['ucs-2', 'utf16le'], ['utf-16le', 'utf16le']]) codecs[name] = codecs[is];

// codec of an encoding, undefined if there is none of that name.
export function codec(encoding: any): Codec | undefined {
  const name = `${encoding}`;
  return codecs[name] ?? codecs[name.toLowerCase()];
}

const { indexOf, lastIndexOf, fill: fillNatively } = Uint8Array.prototype;
const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;

// typed is which typed array x is, if it is one.
export function typed(x: any): string | undefined {
  return typeof x === 'object' && x !== null ? Reflect.apply(tagOf, x, []) : undefined;
}

// start is where a search begins that is to begin at offset; -1: it finds nothing.
function start(length: number, offset: number, needed: number, forward: boolean): number {
  offset = Math.trunc(offset);
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return forward || needed === 0 ? 0 : -1;
  }
  if (offset + needed <= length) return offset;
  if (needed === 0) return length;
  return forward ? -1 : length - 1;
}

export function findByte(b: Uint8Array, c: number, offset: number, forward: boolean): number {
  const at = start(b.length, offset, 1, forward);
  if (at < 0) return -1;
  return forward ? indexOf.call(b, c, at) : lastIndexOf.call(b, c, at);
}

export function find(b: Uint8Array, what: Uint8Array, offset: number, wide: boolean, forward: boolean): number {
  let n = what.length;
  let at = start(b.length, offset, n, forward);
  if (n === 0) return at;
  if (at < 0 || (forward && at + n > b.length) || n > b.length) return -1;
  let last = b.length - n;
  if (wide) {
    if (b.length < 2 || n < 2) return -1;
    n &= ~1;
    at &= ~1;
    last = ((b.length >> 1) << 1) - n;
  }
  const step = (forward ? 1 : -1) * (wide ? 2 : 1);
  if (!forward && at > last) at = last;
  for (let i = at; i >= 0 && i <= last; i += step) {
    if (step === 1 && b[i] !== what[0]) {
      i = indexOf.call(b, what[0], i);
      if (i < 0 || i > last) return -1;
    }
    let k = 0;
    while (k < n && b[i + k] === what[k]) k++;
    if (k === n) return i;
  }
  return -1;
}

export function compare(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

// repeat fills with what, over and over.
export function repeat(b: Uint8Array, what: Uint8Array, from: number, to: number): void {
  let n = Math.min(what.length, to - from);
  b.set(n < what.length ? what.subarray(0, n) : what, from);
  for (; from + n < to; n *= 2) b.copyWithin(from + n, from, Math.min(from + n, to - n));
}

export function fill(b: Uint8Array, value: any, from: number, to: number): Uint8Array {
  return fillNatively.call(b, value, from, to);
}

// Hashes. An ETag is a SHA-1 of a short text, once per response: that one is
// done here, because calling the host costs more. Everything else, and whole
// vectors of lanes, go to the host.
import { ascii, byteLength, write } from './text';
import * as base64 from './base64';

interface Host {
  hashTexts?(algorithm: string, texts: string, lengths: string): string;
  hashBytes?(algorithm: string, bytes: Uint8Array): string;
}

const host: Host = (globalThis as any).$host ?? {};

// Digest sizes in bytes of what the host knows.
export const sizes: Record<string, number> = {
  __proto__: null as any,
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha512-224': 28,
  'sha512-256': 32,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
};

// Block sizes, which HMAC needs.
export const blocks: Record<string, number> = {
  __proto__: null as any,
  md5: 64,
  sha1: 64,
  sha224: 64,
  sha256: 64,
  sha384: 128,
  sha512: 128,
  'sha512-224': 128,
  'sha512-256': 128,
  'sha3-224': 144,
  'sha3-256': 136,
  'sha3-384': 104,
  'sha3-512': 72,
};

const w = new Int32Array(80);
const state = new Int32Array(5);
let scratch = new Uint8Array(4096);

// sha1 hashes the first n bytes of b, which has room for the padding after them.
function sha1(b: Uint8Array, n: number): string {
  const blocks = ((n + 8) >> 6) + 1;
  b.fill(0, n, blocks * 64);
  b[n] = 0x80;
  const bits = n * 8;
  const tail = blocks * 64 - 4;
  b[tail] = bits >>> 24;
  b[tail + 1] = bits >>> 16;
  b[tail + 2] = bits >>> 8;
  b[tail + 3] = bits;
  b[tail - 1] = Math.floor(n / 0x20000000);
  let h0 = 0x67452301 | 0;
  let h1 = 0xefcdab89 | 0;
  let h2 = 0x98badcfe | 0;
  let h3 = 0x10325476 | 0;
  let h4 = 0xc3d2e1f0 | 0;
  for (let block = 0, at = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++, at += 4) w[i] = (b[at] << 24) | (b[at + 1] << 16) | (b[at + 2] << 8) | b[at + 3];
    for (let i = 16; i < 80; i++) {
      const x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16];
      w[i] = (x << 1) | (x >>> 31);
    }
    let a = h0;
    let c1 = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    let i = 0;
    for (; i < 20; i++) {
      const t = (((a << 5) | (a >>> 27)) + ((c1 & c) | (~c1 & d)) + e + 0x5a827999 + w[i]) | 0;
      e = d;
      d = c;
      c = (c1 << 30) | (c1 >>> 2);
      c1 = a;
      a = t;
    }
    for (; i < 40; i++) {
      const t = (((a << 5) | (a >>> 27)) + (c1 ^ c ^ d) + e + 0x6ed9eba1 + w[i]) | 0;
      e = d;
      d = c;
      c = (c1 << 30) | (c1 >>> 2);
      c1 = a;
      a = t;
    }
    for (; i < 60; i++) {
      const t = (((a << 5) | (a >>> 27)) + ((c1 & c) | (c1 & d) | (c & d)) + e + 0x8f1bbcdc + w[i]) | 0;
      e = d;
      d = c;
      c = (c1 << 30) | (c1 >>> 2);
      c1 = a;
      a = t;
    }
    for (; i < 80; i++) {
      const t = (((a << 5) | (a >>> 27)) + (c1 ^ c ^ d) + e + 0xca62c1d6 + w[i]) | 0;
      e = d;
      d = c;
      c = (c1 << 30) | (c1 >>> 2);
      c1 = a;
      a = t;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + c1) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  state[0] = h0;
  state[1] = h1;
  state[2] = h2;
  state[3] = h3;
  state[4] = h4;
  return base64.words(state, 20);
}

// Beyond this many bytes the host is faster, call and all.
const worthACall = 2048;

function needHost(algorithm: string): never {
  throw new Error(`${algorithm} needs the verifier's engine`);
}

// text answers the digest of s in UTF-8, in base64.
export function text(algorithm: string, s: string): string {
  const n = byteLength(s);
  if (algorithm === 'sha1' && (n <= worthACall || host.hashTexts === undefined)) {
    if (scratch.length < n + 128) scratch = new Uint8Array(2 * n + 128);
    write(scratch, s, 0);
    return sha1(scratch, n);
  }
  if (host.hashTexts === undefined) needHost(algorithm);
  // The host gets well-formed UTF-8 from the engine, the same as `write`.
  return host.hashTexts(algorithm, s, String(n));
}

// texts is text for a vector of lanes, in one call.
export function texts(algorithm: string, list: string[]): string[] {
  const out = new Array<string>(list.length);
  if (host.hashTexts === undefined) {
    for (let i = 0; i < list.length; i++) out[i] = text(algorithm, list[i]);
    return out;
  }
  let lengths = '';
  for (let i = 0; i < list.length; i++) lengths += (i === 0 ? '' : ',') + byteLength(list[i]);
  let joined = list.join('');
  // No surrogate pair may form across two texts.
  if (!ascii(joined)) joined = list.map((s) => s.toWellFormed()).join('');
  const all = host.hashTexts(algorithm, joined, lengths);
  const size = all.length / list.length;
  for (let i = 0; i < list.length; i++) out[i] = all.substring(i * size, (i + 1) * size);
  return out;
}

// bytes answers the digest of b in base64.
export function bytes(algorithm: string, b: Uint8Array): string {
  const n = b.length;
  if (algorithm === 'sha1' && (n <= worthACall || host.hashBytes === undefined)) {
    if (scratch.length < n + 128) scratch = new Uint8Array(2 * n + 128);
    scratch.set(b);
    return sha1(scratch, n);
  }
  if (host.hashBytes === undefined) needHost(algorithm);
  return host.hashBytes(algorithm, b);
}

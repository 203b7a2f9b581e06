// Keys from passwords and from other keys.
import { Buffer } from '../buffer';
import { bytes } from './bytes';
import { coded, invalidType, native } from './errors';
import { host, port } from './host';
import { secretOf } from './keys';
import { types } from './types';
import { validateFunction } from './validators';

const derived = host.lift((name: string, ...args: any[]): any => host.call(name, ...args).slice());

function integer(value: any, name: string, low: number, high: number): any {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value);
  if (!Number.isInteger(value)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be an integer. Received ${value}`);
  if (value < low || value > high) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be >= ${low} && <= ${high}. Received ${value}`);
  return value;
}

function digestOf(digest: any): string {
  if (typeof digest !== 'string') throw invalidType('digest', 'of type string', digest);
  const n = digest.toLowerCase().replace(/^rsa-/, '').replace(/^sha-/, 'sha').replace('/', '-');
  if (host.sizes[n] === undefined) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`);
  return n;
}

const most = 2147483647;

function pbkdf2Work(password: any, salt: any, iterations: any, length: any, digest: any): () => any {
  if (typeof digest !== 'string') throw invalidType('digest', 'of type string', digest);
  const p = bytes(password, undefined, 'password');
  const s = bytes(salt, undefined, 'salt');
  integer(iterations, 'iterations', 1, most);
  integer(length, 'keylen', 0, most);
  const d = digestOf(digest);
  return () => Buffer.from(derived('pbkdf2', p, s, iterations, length, d));
}

function scryptWork(password: any, salt: any, length: any, options: any): () => any {
  const p = bytes(password, undefined, 'password');
  const s = bytes(salt, undefined, 'salt');
  integer(length, 'keylen', 0, most);
  const o = options ?? {};
  for (const [a, b] of [['N', 'cost'], ['r', 'blockSize'], ['p', 'parallelization']]) if (o[a] !== undefined && o[b] !== undefined) throw coded(Error, 'ERR_CRYPTO_SCRYPT_INVALID_PARAMETER', 'Invalid scrypt parameter');
  if (o.maxmem !== undefined) integer(o.maxmem, 'maxmem', 0, Number.MAX_SAFE_INTEGER);
  const pick = (a: string, b: string, standard: number) => {
    const v = o[a] ?? o[b];
    if (v !== undefined) integer(v, o[a] !== undefined ? a : b, 0, 4294967295);
    return v || standard;
  };
  const N = pick('N', 'cost', 16384);
  const r = pick('r', 'blockSize', 8);
  const parallel = pick('p', 'parallelization', 1);
  const memory = o.maxmem || 32 << 20;
  const wrong = N < 2 || (N & (N - 1)) !== 0;
  // As OpenSSL counts what it needs.
  if (wrong || 128 * r * (parallel + N + 2) > memory) throw coded(RangeError, 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS', wrong ? 'Invalid scrypt params' : 'Invalid scrypt params: error:030000AC:digital envelope routines::memory limit exceeded');
  return () => (length === 0 ? Buffer.alloc(0) : Buffer.from(derived('scrypt', p, s, N, r, parallel, length)));
}

const isBytes = (x: any): boolean => typeof x === 'string' || ArrayBuffer.isView(x) || types.isAnyArrayBuffer(x) || host.group.is(x);

function hkdfWork(digest: any, key: any, salt: any, info: any, length: any): () => any {
  if (typeof digest !== 'string') throw invalidType('digest', 'of type string', digest);
  if (!isBytes(key) && !types.isKeyObject(key)) throw invalidType('ikm', 'of type string or an instance of SecretKeyObject, ArrayBuffer, TypedArray, DataView, or Buffer', key);
  for (const [x, name] of [[salt, 'salt'], [info, 'info']]) if (!isBytes(x)) throw invalidType(name, 'of type string or an instance of ArrayBuffer, TypedArray, DataView, or Buffer', x);
  const k = secretOf(key, 'ikm');
  const s = bytes(salt, undefined, 'salt');
  const i = bytes(info, undefined, 'info');
  if (i.length > 1024) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "info" is out of range. It must be must not contain more than 1024 bytes. Received ${i.length}`);
  integer(length, 'length', 0, 4294967296);
  const d = digestOf(digest);
  if (length > 255 * host.sizes[d]) throw native(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
  return () => {
    const b = Buffer.from(length === 0 ? [] : derived('hkdf', d, k, s, i, length));
    return b.buffer.slice(b.byteOffset, b.byteOffset + b.length);
  };
}

// bits is what the web's algorithms derive.
export function bits(algorithm: any, digest: string, key: any, length: number): any {
  const { name, salt, info, iterations } = algorithm;
  if (name === 'HKDF') return hkdfWork(digest, key, salt, info, length)();
  const b = pbkdf2Work(key, salt, iterations, length, digest)();
  return b.buffer.slice(b.byteOffset, b.byteOffset + b.length);
}

function later(callback: any, work: () => () => any): void {
  const f = work();
  validateFunction(callback, 'callback');
  port().expect(() => callback(null, f()));
}

export const pbkdf2Sync = (password: any, salt: any, iterations: any, length: any, digest: any) => pbkdf2Work(password, salt, iterations, length, digest)();
export function pbkdf2(password: any, salt: any, iterations: any, length: any, digest: any, callback: any): void {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  later(callback, () => pbkdf2Work(password, salt, iterations, length, digest));
}

export const scryptSync = (password: any, salt: any, length: any, options?: any) => scryptWork(password, salt, length, options)();
export function scrypt(password: any, salt: any, length: any, options: any, callback?: any): void {
  if (callback === undefined) {
    callback = options;
    options = undefined;
  }
  later(callback, () => scryptWork(password, salt, length, options));
}

export const hkdfSync = (digest: any, key: any, salt: any, info: any, length: any) => hkdfWork(digest, key, salt, info, length)();
export function hkdf(digest: any, key: any, salt: any, info: any, length: any, callback: any): void {
  later(callback, () => hkdfWork(digest, key, salt, info, length));
}

// crypto: hashes and HMACs on the verifier's own helpers; randomness is a
// recorded result. Ciphers, keys and signatures are in files of their own.
import { Buffer } from './buffer';
import { Transform } from './stream-classes';
import { mark } from '../shared/of-node';
import { evenHex } from './internal/bytes';
import { coded, invalidType, invalidValue, native, unsupported } from './internal/errors';
import { host, nondeterministic, once } from './internal/host';
import { Crypto } from './internal/cryptokey';
import { secretOf } from './internal/keys';
import { curves, hashes } from './internal/openssl';
import { number, outOfRange } from './internal/numbers';
import { subtle } from './internal/subtle';
import { validateBoolean, validateFunction, validateString } from './internal/validators';

export * from './internal/derive';
export { Cipheriv, createCipheriv, createDecipheriv, Decipheriv, getCipherInfo, getCiphers } from './internal/ciphers';
export { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync } from './internal/generate';
export { constants } from './internal/openssl';
export { createPrivateKey, createPublicKey, createSecretKey, KeyObject } from './internal/keys';
export { createSign, createVerify, Sign, sign, Verify, verify } from './internal/signatures';

const { base64, group, mv } = host;

function canonical(name: any, called = 'algorithm'): string {
  validateString(name, called);
  let n = name.toLowerCase();
  if (n.startsWith('rsa-')) n = n.slice(4);
  if (n.startsWith('sha-')) n = 'sha' + n.slice(4);
  n = n.replace('/', '-');
  return n;
}

// Digests of Node's OpenSSL that have no model.
const others = /^(shake\d+|blake2\w+|ripemd|ripemd160|rmd160|sm3|md5-sha1|ssl3-\w+|id-rsassa-.*|.*with(rsa|rsaencryption))$/;

function unknown(name: string): void {
  if (others.test(name)) unsupported(`digest ${name}`);
}

// encoded turns a digest in base64 into what the program asked for.
function encoded(b64: any, encoding: any): any {
  if (encoding === 'base64') return b64;
  const b = Buffer.from(b64, 'base64');
  return Buffer.isEncoding(encoding) ? b.toString(encoding) : b;
}

function part(data: any, encoding: any): any {
  if (typeof data === 'string') {
    evenHex(data, encoding);
    // What is no encoding is taken for UTF-8.
    return encoding === 'utf8' || encoding === 'utf-8' || !Buffer.isEncoding(encoding) ? data : Buffer.from(data, encoding);
  }
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return Buffer.from((data as any).buffer, (data as any).byteOffset, (data as any).byteLength);
  throw invalidType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
}

// whole joins what was fed: text stays text while all of it is.
function whole(parts: any[]): any {
  if (parts.length === 1) return parts[0];
  if (parts.length === 0) return '';
  let text = true;
  for (let i = 0; i < parts.length; i++) if (typeof parts[i] !== 'string') text = false;
  if (!text) return Buffer.concat(parts.map((p) => (typeof p === 'string' ? Buffer.from(p, 'utf8') : p)));
  let s = parts[0];
  for (let i = 1; i < parts.length; i++) s += parts[i];
  return s;
}

// Half a surrogate pair at the end of one text must not join with the next.
function safe(s: any): any {
  return typeof s === 'string' && !mv.isMV(s) && !s.isWellFormed() ? s.toWellFormed() : s;
}

export class Hash {
  _algorithm: string;
  _parts: any[] = [];
  _done = false;

  constructor(algorithm: any) {
    const name = canonical(algorithm);
    if (host.sizes[name] === undefined) {
      unknown(name);
      throw new Error('Digest method not supported');
    }
    this._algorithm = name;
  }
  update(data: any, encoding?: any): this {
    if (this._done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    const p = part(data, encoding);
    this._parts.push(safe(p instanceof Uint8Array && !group.is(p) ? Buffer.from(p) : p));
    return this;
  }
  digest(encoding?: any): any {
    if (this._done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    this._done = true;
    return encoded(host.digest(this._algorithm, whole(this._parts)), encoding);
  }
  copy(): Hash {
    if (this._done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    const h = new Hash(this._algorithm);
    h._parts = this._parts.slice();
    return h;
  }
}

function secret(key: any): any {
  if (typeof key === 'string') return Buffer.from(key, 'utf8');
  try {
    return secretOf(key, 'key');
  } catch (e: any) {
    throw e.code === 'ERR_INVALID_ARG_TYPE' ? invalidType('key', 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey', key) : e;
  }
}

export class Hmac {
  _algorithm: string;
  _outer: any;
  _parts: any[];
  _done = false;

  constructor(algorithm: any, key: any) {
    const name = canonical(algorithm, 'hmac');
    let k = secret(key);
    if (host.sizes[name] === undefined) {
      unknown(name);
      throw native(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
    }
    this._algorithm = name;
    const block = host.blocks[name];
    if (k.length > block) k = Buffer.from(host.digest(name, k), 'base64');
    const inner = Buffer.alloc(block);
    const outer = Buffer.alloc(block);
    for (let i = 0; i < block; i++) {
      const c = i < k.length ? k[i] : 0;
      inner[i] = c ^ 0x36;
      outer[i] = c ^ 0x5c;
    }
    this._outer = outer;
    this._parts = [inner];
  }
  update(data: any, encoding?: any): this {
    if (this._done) throw coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    const p = part(data, encoding);
    this._parts.push(p instanceof Uint8Array && !group.is(p) ? Buffer.from(p) : safe(p));
    return this;
  }
  digest(encoding?: any): any {
    if (this._done) return encoding && encoding !== 'buffer' ? '' : Buffer.alloc(0);
    this._done = true;
    const name = this._algorithm;
    // The key's block is bytes, so lanes are hashed one by one as bytes.
    const inner = host.forLanes((i) => host.digest(name, Buffer.concat(this._parts.map((p) => laneBytes(p, i)))));
    const sum = host.forLanes((i) => host.digest(name, Buffer.concat([laneBytes(this._outer, i), Buffer.from(mv.lane(inner, i), 'base64')])));
    return encoded(sum, encoding);
  }
}

function laneBytes(p: any, i: number): any {
  const x = mv.lane(group.is(p) ? group.buffersOf(p) : p, i);
  return typeof x === 'string' ? Buffer.from(x, 'utf8') : x;
}

function streaming(h: any, options: any): any {
  if (options !== undefined) h._options = options;
  return h;
}

export function createHash(algorithm: any, options?: any): any {
  return streaming(new Hash(algorithm), options);
}

export function createHmac(algorithm: any, key: any, options?: any): any {
  return streaming(new Hmac(algorithm, key), options);
}

// Hashes are also streams. That is rare, so what a stream needs is made when somebody
// first looks at it, as Node does.
for (const C of [Hash, Hmac] as any[]) {
  Object.setPrototypeOf(C.prototype, Transform.prototype);
  mark(C);
  for (const name of ['_readableState', '_writableState']) {
    Object.defineProperty(C.prototype, name, {
      get(this: any) {
        Transform.call(this, this._options);
        this._writableState.decodeStrings = false;
        if (!this._options?.defaultEncoding) this._writableState.defaultEncoding = 'buffer';
        return this[name];
      },
      set(this: any, value: any) {
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true });
      },
      enumerable: true,
      configurable: true,
    });
  }
  C.prototype._transform = function (this: any, chunk: any, encoding: any, done: any): void {
    this.update(chunk, encoding === 'buffer' ? undefined : encoding);
    done();
  };
}
(Hash.prototype as any)._flush = function (this: Hash, done: any): void {
  (this as any).push(this.copy().digest());
  done();
};
(Hmac.prototype as any)._flush = function (this: Hmac, done: any): void {
  (this as any).push(this.digest());
  done();
};

export function hash(algorithm: any, data: any, encoding: any = 'hex'): any {
  validateString(algorithm, 'algorithm');
  if (typeof data !== 'string' && !ArrayBuffer.isView(data) && !group.is(data)) throw invalidType('input', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
  validateString(encoding, 'outputEncoding');
  if (!Buffer.isEncoding(encoding) && encoding.toLowerCase() !== 'buffer') throw invalidValue('outputEncoding', encoding);
  if (host.sizes[canonical(algorithm)] === undefined) {
    unknown(canonical(algorithm));
    throw new Error(`Digest method ${algorithm} is not supported`);
  }
  return new Hash(algorithm).update(data).digest(encoding);
}

export function getCurves(): string[] {
  return curves.slice();
}

export function getHashes(): string[] {
  return hashes.slice();
}

const contents = (x: any): any => (group.is(x) ? x : ArrayBuffer.isView(x) ? Buffer.from((x as any).buffer, (x as any).byteOffset, (x as any).byteLength) : Buffer.from(x));

export function timingSafeEqual(a: any, b: any): boolean {
  for (const [x, name] of [[a, 'buf1'], [b, 'buf2']]) if (!holdsBytes(x) && !Buffer.isBuffer(x)) throw native(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`);
  if ((a as any).byteLength !== (b as any).byteLength) throw native(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  return contents(a).equals(contents(b));
}

// ---- randomness

function random(n: number): any {
  const size = Math.ceil(n / 3) * 4;
  const b64 = nondeterministic('bytes', (v: any) => (typeof v === 'string' && v.length === size && Buffer.from(v, 'base64').length === n ? null : `not ${n} bytes`), n);
  return Buffer.from(b64, 'base64');
}

export function randomBytes(n: any, callback?: any): any {
  if (typeof n !== 'number') throw invalidType('size', 'of type number', n);
  if (!(n >= 0 && n <= 2147483647)) throw outOfRange('size', '>= 0 && <= 2147483647', n);
  if (callback === undefined) return random(Math.trunc(n));
  validateFunction(callback, 'callback');
  return once(() => callback(null, random(Math.trunc(n))));
}
export const pseudoRandomBytes = randomBytes;

const holdsBytes = (x: any): boolean => ArrayBuffer.isView(x) || x instanceof ArrayBuffer || x instanceof SharedArrayBuffer;

// filled is from where to where something is filled, of which offset and size count elements.
function filled(to: any, offset: any, size: any): [number, number] {
  if (!holdsBytes(to)) throw invalidType('buf', 'an instance of ArrayBuffer or ArrayBufferView', to);
  const unit = to.BYTES_PER_ELEMENT ?? 1;
  if (offset === undefined) offset = 0;
  else {
    number(offset, 'offset');
    const most = Math.min(to.byteLength, 2147483647);
    if (!(offset * unit >= 0 && offset * unit <= most)) throw outOfRange('offset', `>= 0 && <= ${most}`, offset * unit);
  }
  const from = (offset * unit) >>> 0;
  if (size === undefined) return [from, to.byteLength];
  number(size, 'size');
  const n = size * unit;
  if (!(n >= 0 && n <= 2147483647)) throw outOfRange('size', '>= 0 && <= 2147483647', n);
  if (n + from > to.byteLength) throw outOfRange('size + offset', `<= ${to.byteLength}`, n + from);
  return [from, from + (n >>> 0)];
}

export function randomFillSync(to: any, offset?: any, size?: any): any {
  const [from, end] = filled(to, offset, size);
  const view = new Uint8Array(to.buffer ?? to, to.byteOffset ?? 0, to.byteLength);
  const recorded = nondeterministic('bytes', (v: any) => (typeof v === 'string' && Buffer.from(v, 'base64').length === view.length ? null : `not ${view.length} bytes`), view.length);
  const bytes = Buffer.from(recorded, 'base64');
  for (let i = from; i < end; i++) view[i] = bytes[i];
  return to;
}

export function randomFill(to: any, offset: any, size: any, callback?: any): void {
  if (typeof offset === 'function') [offset, size, callback] = [undefined, undefined, offset];
  else if (typeof size === 'function') [size, callback] = [undefined, size];
  if (!holdsBytes(to)) throw invalidType('buf', 'an instance of ArrayBuffer or ArrayBufferView', to);
  validateFunction(callback, 'callback');
  filled(to, offset, size);
  once(() => callback(null, randomFillSync(to, offset, size)));
}

export function getRandomValues(to: any): any {
  if (!ArrayBuffer.isView(to) || to instanceof DataView || to instanceof Float32Array || to instanceof Float64Array) throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  if (to.byteLength > 65536) throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
  return randomFillSync(to);
}

// Of what is plain, only text reads so.
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function randomUUID(options?: any): any {
  if (options !== undefined && (typeof options !== 'object' || options === null || Array.isArray(options))) throw invalidType('options', 'of type object', options);
  if (options?.disableEntropyCache !== undefined) validateBoolean(options.disableEntropyCache, 'options.disableEntropyCache');
  return nondeterministic('uuid', (v: any) => (uuid.test(v) ? null : 'not a UUID'));
}

export function randomInt(min: any, max?: any, callback?: any): any {
  const alone = max === undefined || typeof max === 'function';
  if (alone) [min, max, callback] = [0, min, max];
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw invalidType('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw invalidType('max', 'a safe integer', max);
  if (max <= min) throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  if (max - min > 281474976710655) throw outOfRange(alone ? 'max' : 'max - min', '<= 281474976710655', max - min);
  const draw = () => nondeterministic('int', (v: any) => (Number.isSafeInteger(v) && v >= min && v < max && !Object.is(v, -0) ? null : `not an integer in [${min}, ${max})`), min, max);
  if (callback !== undefined) return once(() => callback(null, draw()));
  return draw();
}

export { subtle };
export const webcrypto: any = Object.create(Crypto.prototype);
for (const [name, d] of Object.entries({ subtle: { get: () => subtle }, getRandomValues: { value: getRandomValues, writable: true }, randomUUID: { value: randomUUID, writable: true } })) Object.defineProperty(Crypto.prototype, name, { ...d, enumerable: true, configurable: true });

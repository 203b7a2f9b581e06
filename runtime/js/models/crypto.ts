// crypto: hashes and HMACs on the verifier's own helpers; randomness is a
// recorded result. Ciphers, keys and signatures are in files of their own.
import { Buffer } from './buffer';
import { Transform } from './stream-classes';
import { mark } from '../shared/of-node';
import { coded, invalidType, unsupported } from './internal/errors';
import { host, nondeterministic, once } from './internal/host';
import { Crypto } from './internal/cryptokey';
import { secretOf } from './internal/keys';
import { subtle } from './internal/subtle';

export * from './internal/derive';
export { Cipheriv, createCipheriv, createDecipheriv, Decipheriv, getCipherInfo, getCiphers } from './internal/ciphers';
export { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync } from './internal/generate';
export { createPrivateKey, createPublicKey, createSecretKey, KeyObject } from './internal/keys';
export { createSign, createVerify, Sign, sign, Verify, verify } from './internal/signatures';

const { base64, group, mv } = host;

function canonical(name: any): string {
  if (typeof name !== 'string') throw invalidType('algorithm', 'of type string', name);
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
  if (encoding === undefined || encoding === null || encoding === 'buffer') return Buffer.from(b64, 'base64');
  return Buffer.from(b64, 'base64').toString(encoding);
}

function part(data: any, encoding: any): any {
  if (typeof data === 'string') return encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8' ? data : Buffer.from(data, encoding);
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
    const name = canonical(algorithm);
    if (host.sizes[name] === undefined) {
      unknown(name);
      throw coded(Error, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
    }
    this._algorithm = name;
    const block = host.blocks[name];
    let k = secret(key);
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
    const p = part(data, encoding);
    this._parts.push(p instanceof Uint8Array && !group.is(p) ? Buffer.from(p) : safe(p));
    return this;
  }
  digest(encoding?: any): any {
    if (this._done) return encoding ? '' : Buffer.alloc(0);
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
  return new Hash(algorithm).update(data).digest(encoding);
}

// What OpenSSL knows, though most of them have no model.
const curves =
  'Oakley-EC2N-3 Oakley-EC2N-4 SM2 brainpoolP160r1 brainpoolP160t1 brainpoolP192r1 brainpoolP192t1 brainpoolP224r1 brainpoolP224t1 ' +
  'brainpoolP256r1 brainpoolP256t1 brainpoolP320r1 brainpoolP320t1 brainpoolP384r1 brainpoolP384t1 brainpoolP512r1 brainpoolP512t1 c2pnb163v1 ' +
  'c2pnb163v2 c2pnb163v3 c2pnb176v1 c2pnb208w1 c2pnb272w1 c2pnb304w1 c2pnb368w1 c2tnb191v1 c2tnb191v2 c2tnb191v3 c2tnb239v1 c2tnb239v2 ' +
  'c2tnb239v3 c2tnb359v1 c2tnb431r1 prime192v1 prime192v2 prime192v3 prime239v1 prime239v2 prime239v3 prime256v1 secp112r1 secp112r2 secp128r1 ' +
  'secp128r2 secp160k1 secp160r1 secp160r2 secp192k1 secp224k1 secp224r1 secp256k1 secp384r1 secp521r1 sect113r1 sect113r2 sect131r1 sect131r2 ' +
  'sect163k1 sect163r1 sect163r2 sect193r1 sect193r2 sect233k1 sect233r1 sect239k1 sect283k1 sect283r1 sect409k1 sect409r1 sect571k1 sect571r1 ' +
  'wap-wsg-idm-ecid-wtls1 wap-wsg-idm-ecid-wtls10 wap-wsg-idm-ecid-wtls11 wap-wsg-idm-ecid-wtls12 wap-wsg-idm-ecid-wtls3 wap-wsg-idm-ecid-wtls4 ' +
  'wap-wsg-idm-ecid-wtls5 wap-wsg-idm-ecid-wtls6 wap-wsg-idm-ecid-wtls7 wap-wsg-idm-ecid-wtls8 wap-wsg-idm-ecid-wtls9';

export function getCurves(): string[] {
  return curves.split(' ');
}

export function getHashes(): string[] {
  return Object.keys(host.sizes);
}

export function timingSafeEqual(a: any, b: any): boolean {
  if (!ArrayBuffer.isView(a) && !Buffer.isBuffer(a)) throw invalidType('buf1', 'an instance of ArrayBuffer, Buffer, TypedArray, or DataView', a);
  if (!ArrayBuffer.isView(b) && !Buffer.isBuffer(b)) throw invalidType('buf2', 'an instance of ArrayBuffer, Buffer, TypedArray, or DataView', b);
  if ((a as any).byteLength !== (b as any).byteLength) throw coded(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  return Buffer.from(a as any).equals(Buffer.from(b as any));
}

// ---- randomness

function random(n: number): any {
  const size = Math.ceil(n / 3) * 4;
  const b64 = nondeterministic('bytes', (v: any) => (typeof v === 'string' && v.length === size && Buffer.from(v, 'base64').length === n ? null : `not ${n} bytes`), n);
  return Buffer.from(b64, 'base64');
}

export function randomBytes(n: any, callback?: any): any {
  if (typeof n !== 'number') throw invalidType('size', 'of type number', n);
  if (!(n >= 0 && n <= 2147483647)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "size" is out of range. It must be >= 0 && <= 2147483647. Received ${n}`);
  if (callback !== undefined) return once(() => callback(null, random(n)));
  return random(n);
}
export const pseudoRandomBytes = randomBytes;

const holdsBytes = (x: any): boolean => ArrayBuffer.isView(x) || x instanceof ArrayBuffer || x instanceof SharedArrayBuffer;

export function randomFillSync(to: any, offset = 0, size?: number): any {
  if (!holdsBytes(to)) throw invalidType('buf', 'an instance of ArrayBuffer or ArrayBufferView', to);
  const view = new Uint8Array(to.buffer ?? to, to.byteOffset ?? 0, to.byteLength);
  const n = size ?? view.length - offset;
  const recorded = nondeterministic('bytes', (v: any) => (typeof v === 'string' && Buffer.from(v, 'base64').length === view.length ? null : `not ${view.length} bytes`), view.length);
  const bytes = Buffer.from(recorded, 'base64');
  for (let i = offset; i < offset + n; i++) view[i] = bytes[i];
  return to;
}

export function randomFill(to: any, offset: any, size: any, callback?: any): void {
  if (typeof offset === 'function') [offset, callback] = [0, offset];
  else if (typeof size === 'function') [size, callback] = [undefined, size];
  if (!holdsBytes(to)) throw invalidType('buf', 'an instance of ArrayBuffer or ArrayBufferView', to);
  if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
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
  return nondeterministic('uuid', (v: any) => (uuid.test(v) ? null : 'not a UUID'));
}

export function randomInt(min: any, max?: any, callback?: any): any {
  if (max === undefined || typeof max === 'function') {
    callback = max;
    max = min;
    min = 0;
  }
  if (!Number.isSafeInteger(min)) throw invalidType('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw invalidType('max', 'a safe integer', max);
  if (max <= min) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "max" is out of range. It must be greater than the value of "min" (${min}). Received ${max}`);
  const draw = () => nondeterministic('int', (v: any) => (Number.isSafeInteger(v) && v >= min && v < max && !Object.is(v, -0) ? null : `not an integer in [${min}, ${max})`), min, max);
  if (callback !== undefined) return once(() => callback(null, draw()));
  return draw();
}

export { subtle };
export const webcrypto: any = Object.create(Crypto.prototype);
for (const [name, d] of Object.entries({ subtle: { get: () => subtle }, getRandomValues: { value: getRandomValues, writable: true }, randomUUID: { value: randomUUID, writable: true } })) Object.defineProperty(Crypto.prototype, name, { ...d, enumerable: true, configurable: true });

export const constants = {
  RSA_PKCS1_PADDING: 1,
  RSA_NO_PADDING: 3,
  RSA_PKCS1_OAEP_PADDING: 4,
  RSA_PKCS1_PSS_PADDING: 6,
  RSA_PSS_SALTLEN_DIGEST: -1,
  RSA_PSS_SALTLEN_MAX_SIGN: -2,
  RSA_PSS_SALTLEN_AUTO: -2,
};

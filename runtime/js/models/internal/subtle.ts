// crypto.subtle: what its methods come to is found when they are called, and settles when the
// platform is done. Random signatures and new keys are taken from the record then.
import { taken } from '../../shared/keys';
import { Buffer } from '../buffer';
import { Hash, Hmac } from '../crypto';
import { TextDecoder } from '../encoding';
import { openssl } from './bytes';
import { CryptoKey, keyObjectOf, newKey, SubtleCrypto } from './cryptokey';
import { bits as derivedBits } from './derive';
import { coded, native, unsupported } from './errors';
import { generated, pairOf, secretOfBytes } from './generate';
import { host, port } from './host';
import { exported, keyOf, kinds, known, type KeyObject, ofNumbers, PrivateKeyObject, publicOf, PublicKeyObject, SecretKeyObject } from './keys';
import { asked, isValid, signatureWith } from './signatures';
import { converted, converters as c, dom, normalized } from './webidl';

const failed = (...cause: any[]) => dom('OperationError', 'The operation failed for an operation-specific reason', ...cause);

// opaque is an error for a reason that OpenSSL words.
function opaque(name: string, message: string): any {
  return Object.defineProperty(dom(name, message), 'cause', { get: () => unsupported('the reason why OpenSSL refuses a key'), configurable: true });
}

const buffer = host.lift((b: Uint8Array): ArrayBuffer => new Uint8Array(b).buffer as ArrayBuffer);

// What the methods come to: f answers what to settle with when the time has come, or throws.
function settled(method: string, given: any[], f: (args: any[]) => () => any): Promise<any> {
  const args = taken(method, given);
  const p = port();
  let work: () => any;
  try {
    work = f(args);
  } catch (e) {
    work = () => {
      throw e;
    };
  }
  return new Promise((resolve, reject) => {
    p.expect(() => {
      let value;
      try {
        value = work();
      } catch (e) {
        reject(e);
        return;
      }
      resolve(value);
    });
  });
}

const at = (x: any) => () => x;

// ---- algorithms and their keys

const numberOf: Record<string, string> = { 'SHA-1': '1', 'SHA-256': '256', 'SHA-384': '384', 'SHA-512': '512' };
const digestOf = (hash: any): string => 'sha' + numberOf[hash.name];
const curves: Record<string, string> = { __proto__: null as any, 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const ofCurves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

interface Kind {
  // What JWK calls such keys, and what use it has for them.
  kty: string;
  use: string;
  label: string;
  usages: { secret?: string[]; public?: string[]; private?: string[] };
}
const aes = (usages: string[]): Kind => ({ kty: 'oct', use: 'enc', label: 'an AES', usages: { secret: usages } });
const derives = ['deriveKey', 'deriveBits'];
const whole = aes(['wrapKey', 'unwrapKey', 'encrypt', 'decrypt']);
const rsa = (label: string, use: string, pub: string[], secret: string[]): Kind => ({ kty: 'RSA', use, label, usages: { public: pub, private: secret } });
const algorithms: Record<string, Kind> = {
  'RSASSA-PKCS1-v1_5': rsa('an RSASSA-PKCS1-v1_5', 'sig', ['verify'], ['sign']),
  'RSA-PSS': rsa('an RSA-PSS', 'sig', ['verify'], ['sign']),
  'RSA-OAEP': rsa('an RSA-OAEP', 'enc', ['encrypt', 'wrapKey'], ['decrypt', 'unwrapKey']),
  ECDSA: { kty: 'EC', use: 'sig', label: 'a ECDSA', usages: { public: ['verify'], private: ['sign'] } },
  ECDH: { kty: 'EC', use: 'enc', label: 'a ECDH', usages: { public: [], private: derives } },
  Ed25519: { kty: 'OKP', use: 'sig', label: 'a Ed25519', usages: { public: ['verify'], private: ['sign'] } },
  X25519: { kty: 'OKP', use: 'enc', label: 'a X25519', usages: { public: [], private: derives } },
  HMAC: { kty: 'oct', use: 'sig', label: 'an HMAC', usages: { secret: ['sign', 'verify'] } },
  HKDF: { kty: '', use: '', label: 'a HKDF', usages: { secret: derives } },
  PBKDF2: { kty: '', use: '', label: 'a PBKDF2', usages: { secret: derives } },
  'AES-KW': aes(['wrapKey', 'unwrapKey']),
  'AES-CBC': whole,
  'AES-CTR': whole,
  'AES-GCM': whole,
};

function among(usages: string[], allowed: string[], label: string): void {
  for (let i = 0; i < usages.length; i++) if (!allowed.includes(usages[i])) throw dom('SyntaxError', `Unsupported key usage for ${label} key`);
}

const operations = ['sign', 'verify', 'encrypt', 'decrypt', 'wrapKey', 'unwrapKey', 'deriveKey', 'deriveBits'];

// agrees: what a JWK says of itself must suit what it is imported for.
function agrees(j: any, kind: Kind, usages: string[], extractable: boolean): void {
  if (usages.length > 0 && j.use !== undefined && j.use !== kind.use) throw dom('DataError', 'Invalid JWK "use" Parameter');
  const ops = j.key_ops;
  if (ops !== undefined) {
    for (let i = 0; i < ops.length; i++) if (operations.includes(ops[i]) && ops.indexOf(ops[i]) < i) throw dom('DataError', 'Duplicate key operation');
    for (let i = 0; i < usages.length; i++) if (!ops.includes(usages[i])) throw dom('DataError', 'Key operations and usage mismatch');
  }
  if (j.ext === false && extractable) throw dom('DataError', 'JWK "ext" Parameter and extractable mismatch');
}

const mismatch = () => dom('DataError', 'JWK "alg" does not match the requested algorithm');
const invalidData = (...cause: any[]) => dom('DataError', 'Invalid keyData', ...cause);
const invalidJWK = (what: string) => native(TypeError, 'ERR_CRYPTO_INVALID_JWK', what);

const hashOfAlg = (alg: string): string | undefined => {
  const m = /^(?:rs|ps|hs)(1|256|384|512)$|^rsa-oaep(?:-(256|384|512))?$|^sha-?(1|256|384|512)$/.exec(alg.toLowerCase());
  return m === null ? undefined : `SHA-${m[1] ?? m[2] ?? m[3] ?? '1'}`;
};

function jwkOf(data: any, kind: Kind): any {
  if (!data.kty) throw invalidData();
  if (data.kty !== kind.kty) throw dom('DataError', 'Invalid JWK "kty" Parameter');
  return data;
}

function importSecret(format: string, data: any, algorithm: any, extractable: boolean, usages: string[]): CryptoKey {
  const { name } = algorithm;
  const kind = algorithms[name];
  const derived = kind.kty === '';
  if (derived && extractable) throw dom('SyntaxError', `${name} keys are not extractable`);
  among(usages, kind.usages.secret!, kind.label);
  if (format !== 'raw' && (derived || format !== 'jwk')) {
    const message = `Unable to import ${name === 'HMAC' || derived ? name : 'AES'} key with format ${format}`;
    throw name === 'HMAC' ? dom('Error', message) : dom('NotSupportedError', message);
  }
  let bytes = data;
  if (format === 'jwk') {
    const j = jwkOf(data, kind);
    agrees(j, kind, usages, extractable);
    if (name === 'HMAC' && j.alg !== undefined && j.alg !== `HS${numberOf[algorithm.hash.name]}`) throw mismatch();
    if (j.k === undefined) throw invalidData(invalidJWK('Invalid JWK secret key format'));
    bytes = Buffer.from(j.k, 'base64');
  }
  const length = bytes.length * 8;
  if (derived) return newKey(new SecretKeyObject(bytes), { name }, usages, false);
  if (name === 'HMAC') {
    if (format === 'raw') {
      if (length === 0 || algorithm.length === 0) throw dom('DataError', 'Zero-length key is not supported');
      if (algorithm.length !== undefined && algorithm.length !== length) throw dom('DataError', 'Invalid key length');
    }
    return newKey(new SecretKeyObject(bytes), { name, hash: algorithm.hash, length }, usages, extractable);
  }
  if (length !== 128 && length !== 192 && length !== 256) throw dom('DataError', 'Invalid key length');
  if (format === 'jwk' && data.alg !== undefined && data.alg !== aesName(name, length)) throw mismatch();
  return newKey(new SecretKeyObject(bytes), { name, length }, usages, extractable);
}

const aesName = (name: string, length: number): string => `A${length}${name.slice(4)}`;

// imported is a public or private key in its format, or null where Node says so without a reason.
function importPair(format: string, data: any, algorithm: any, extractable: boolean, usages: string[]): CryptoKey {
  const { name, namedCurve } = algorithm;
  const kind = algorithms[name];
  if (kind.kty === 'EC' && curves[namedCurve] === undefined) throw dom('NotSupportedError', 'Unrecognized namedCurve');
  if (format === 'raw' && kind.kty === 'RSA') throw dom('NotSupportedError', `Unable to import RSA key with format ${format}`);
  const allow = (pub: boolean) => among(usages, pub ? kind.usages.public! : kind.usages.private!, kind.label);
  let d: any;
  if (format === 'jwk') {
    const j = jwkOf(data, kind);
    if (kind.kty === 'EC' && j.crv !== namedCurve) throw dom('DataError', 'JWK "crv" does not match the requested algorithm');
    if (kind.kty === 'OKP' && j.crv !== name) throw dom('DataError', 'JWK "crv" Parameter and algorithm name mismatch');
    if (kind.kty !== 'OKP') allow(j.d === undefined);
    agrees(j, kind, usages, extractable);
    if (j.alg !== undefined) {
      const { alg } = j;
      if (kind.kty === 'RSA' && hashOfAlg(alg) !== algorithm.hash.name) throw mismatch();
      if (name === 'ECDSA' && (!Object.hasOwn(ofCurves, alg) || ofCurves[alg] !== namedCurve)) throw mismatch();
      if (name === 'Ed25519' && alg !== name && alg !== 'EdDSA') throw mismatch();
    }
    d = kind.kty === 'OKP' ? okp(j, name, allow) : numbers(j, kind);
  } else {
    allow(format !== 'pkcs8');
    if (format === 'raw') {
      if (kind.kty === 'OKP' && data.length !== 32) throw dom('DataError', `${name} raw keys must be exactly 32-bytes`);
      d = ofNumbers(kind.kty === 'OKP' ? { kty: 'OKP', crv: name, x: data } : { kty: 'EC', crv: namedCurve, point: data });
      if (d === null) throw invalidData();
    } else {
      d = known(data, format);
      if (d === null) throw opaque('DataError', 'Invalid keyData');
    }
  }
  const key = d.private ? new PrivateKeyObject(d) : new PublicKeyObject(publicOf(d));
  if (key.asymmetricKeyType !== (kind.kty === 'RSA' ? 'rsa' : kind.kty === 'EC' ? 'ec' : name.toLowerCase())) throw dom('DataError', 'Invalid key type');
  if (kind.kty === 'EC' && d.curve !== curves[namedCurve]) throw dom('DataError', 'Named curve mismatch');
  const own = kind.kty === 'RSA' ? { name, modulusLength: d.bits, publicExponent: exponentOf(d), hash: algorithm.hash } : kind.kty === 'EC' ? { name, namedCurve } : { name };
  return newKey(key, own, usages, extractable);
}

const exponentOf = host.lift((d: any): Uint8Array => new Uint8Array(Buffer.from(d.jwk.e, 'base64')));

function numbers(j: any, kind: Kind): any {
  const bad = () => invalidData(invalidJWK(`Invalid JWK ${kind.kty} key`));
  if (kinds[kind.kty].some((k) => j[k] === undefined)) throw bad();
  if (kind.kty === 'RSA' && j.d !== undefined && ['p', 'q', 'dp', 'dq', 'qi'].some((k) => j[k] === undefined)) unsupported('an RSA key without its primes');
  const d = ofNumbers(j);
  if (d === null) throw bad();
  return d;
}

function okp(j: any, name: string, allow: (pub: boolean) => void): any {
  if (j.d !== undefined && j.x === undefined) throw dom('DataError', 'Invalid JWK');
  allow(j.d === undefined);
  if (j.x === undefined) unsupported('a JWK without x');
  const raw = (b64: any, secret: boolean) => {
    if (Buffer.from(b64, 'base64').length !== 32) throw invalidData(dom('DataError', `${name} raw keys must be exactly 32-bytes`));
    return ofNumbers({ kty: 'OKP', crv: name, [secret ? 'd' : 'x']: b64 });
  };
  const pub = raw(j.x, false);
  if (j.d === undefined) return pub;
  const d = raw(j.d, true);
  if (d.public !== pub.public) throw invalidData(coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data'));
  return d;
}

function imported(format: string, data: any, algorithm: any, extractable: boolean, usages: string[]): CryptoKey {
  const a = normalized(algorithm, 'importKey');
  const key = algorithms[a.name].usages.secret !== undefined ? importSecret(format, data, a, extractable, usages) : importPair(format, data, a, extractable, usages);
  if (key.type !== 'public' && key.usages.length === 0) throw dom('SyntaxError', `Usages cannot be empty when importing a ${key.type} key.`);
  return key;
}

// ---- exporting

const algOf: Record<string, (a: any) => string | undefined> = {
  'RSASSA-PKCS1-v1_5': (a) => `RS${numberOf[a.hash.name]}`,
  'RSA-PSS': (a) => `PS${numberOf[a.hash.name]}`,
  'RSA-OAEP': (a) => (a.hash.name === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${numberOf[a.hash.name]}`),
  Ed25519: (a) => a.name,
  HMAC: (a) => `HS${numberOf[a.hash.name]}`,
};
for (const name of ['AES-CBC', 'AES-CTR', 'AES-GCM', 'AES-KW']) algOf[name] = (a) => aesName(name, a.length);

function exportedAs(format: string, key: any): any {
  if (!key.extractable) throw dom('InvalidAccessException', 'key is not extractable');
  const { algorithm, type } = key;
  const { name } = algorithm;
  const object = keyObjectOf(key);
  const k = keyOf(object);
  if (format === 'jwk') {
    const j = { key_ops: key.usages, ext: key.extractable, ...exported(object) };
    const alg = algOf[name]?.(algorithm);
    if (alg !== undefined) j.alg = alg;
    return j;
  }
  if (format === 'raw') {
    if (type === 'secret') return buffer(k);
    const { kty, x, y } = k.jwk;
    if (type === 'public' && kty === 'OKP') return buffer(Buffer.from(x, 'base64'));
    if (type === 'public' && kty === 'EC') return buffer(Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64'), Buffer.from(y, 'base64')]));
  } else if (type === (format === 'spki' ? 'public' : 'private')) {
    if (k.foreign) unsupported('exporting a key that came in an unusual encoding');
    return buffer(Buffer.from(k.der, 'base64'));
  }
  throw dom('InvalidAccessError', `Unable to export a ${format === 'pkcs8' ? 'pkcs8' : 'raw'} ${name} ${type} key`);
}

// ---- signing

const hmac = (key: any, data: any): any => new Hmac(digestOf(key.algorithm.hash), keyOf(keyObjectOf(key))).update(data).digest();
const same = host.lift((a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((x, i) => x === b[i]));

function schemeFor(algorithm: any, key: any): any {
  const { name } = algorithm;
  if (name === 'Ed25519') return { hash: '' };
  if (name === 'ECDSA') return { hash: digestOf(algorithm.hash), p1363: true };
  const hash = digestOf(key.algorithm.hash);
  if (name !== 'RSA-PSS') return { hash };
  const { saltLength } = algorithm;
  const most = Math.ceil((key.algorithm.modulusLength - 1) / 8) - host.sizes[hash] - 2;
  if (saltLength > most) throw failed(coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "algorithm.saltLength" is out of range. It must be >= 0 && <= ${most}. Received ${saltLength}`));
  if (saltLength === 0) unsupported('a signature without salt');
  return { hash, pss: true, salt: saltLength };
}

function usable(key: any, algorithm: any, usage: string): void {
  if (!key.usages.includes(usage) || algorithm.name !== key.algorithm.name) throw dom('InvalidAccessError', `Unable to use this key to ${usage}`);
  const type = usage === 'sign' ? 'private' : 'public';
  if (algorithm.name !== 'HMAC' && key.type !== type) throw dom('InvalidAccessError', `Key must be a ${type} key`);
}

// ---- ciphers

const modes: Record<string, string> = { 'AES-CBC': 'cbc', 'AES-CTR': 'ctr', 'AES-GCM': 'gcm' };
const work = host.lift((mode: string, encrypt: boolean, key: Uint8Array, iv: Uint8Array, tagLength: number, aad: any, data: Uint8Array): any => {
  const cipher = new host.Cipher(mode, encrypt, key, iv, tagLength);
  let body = data;
  if (aad !== undefined) cipher.authenticate(aad);
  if (mode === 'gcm' && !encrypt) {
    body = data.subarray(0, data.length - tagLength);
    cipher.setTag(data.slice(data.length - tagLength));
  }
  const parts = [cipher.update(body)];
  const last = cipher.final();
  if (!(last instanceof Uint8Array)) return last;
  parts.push(last);
  if (mode === 'gcm' && encrypt) parts.push(cipher.getTag());
  return new Uint8Array(Buffer.concat(parts)).buffer;
});

// room tells how many blocks there are until the last length bits of a counter begin anew, as far as it matters.
const room = host.lift((counter: Uint8Array, length: number): number => {
  const all = 1n << BigInt(length);
  const left = all - (BigInt('0x' + Buffer.from(counter).toString('hex')) & (all - 1n));
  return Number(left);
});

function ciphered(op: string, algorithm: any, key: any, data: any): any {
  const { name } = algorithm;
  if (key.algorithm.name !== name || !key.usages.includes(op)) throw dom('InvalidAccessError', 'The requested operation is not valid for the provided key');
  const encrypt = op === 'encrypt' || op === 'wrapKey';
  const k = keyOf(keyObjectOf(key));
  switch (name) {
    case 'RSA-OAEP': {
      if (key.type !== (encrypt ? 'public' : 'private')) throw dom('InvalidAccessError', 'The requested operation is not valid for the provided key');
      if (encrypt) unsupported('encryption by RSA-OAEP');
      const r = asked('oaep', Buffer.from(k.der, 'base64'), digestOf(key.algorithm.hash), algorithm.label ?? '', data);
      if (r === null) throw opaque('OperationError', 'The operation failed for an operation-specific reason');
      return buffer(r);
    }
    case 'AES-KW': {
      if (op !== 'wrapKey' && op !== 'unwrapKey') throw dom('NotSupportedError', 'Unrecognized algorithm name');
      const r = asked('wrap', encrypt ? 'e' : 'd', k, data);
      if (r === null) throw opaque('OperationError', 'The operation failed for an operation-specific reason');
      return buffer(r);
    }
  }
  const iv = name === 'AES-CTR' ? algorithm.counter : algorithm.iv;
  let tagLength = 16;
  if (name === 'AES-GCM') {
    const bits = algorithm.tagLength ?? 128;
    if (![32, 64, 96, 104, 112, 120, 128].includes(bits)) throw dom('OperationError', `${bits} is not a valid AES-GCM tag length`);
    tagLength = bits / 8;
    if (!encrypt && data.length < tagLength) throw dom('OperationError', 'The provided data is too small.');
    if (iv.length === 0) throw failed(native(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector'));
  } else if (iv.length !== 16) throw dom('OperationError', `algorithm.${name === 'AES-CTR' ? 'counter' : 'iv'} must contain exactly 16 bytes`);
  if (name === 'AES-CTR') {
    const { length } = algorithm;
    if (length === 0 || length > 128) throw dom('OperationError', 'AES-CTR algorithm.length must be between 1 and 128');
    const blocks = Math.ceil(data.length / 16);
    if (blocks > 2 ** length) throw failed(new Error('Cipher job failed'));
    if (blocks > room(iv, length)) unsupported('a counter that begins anew');
  }
  const r = work(modes[name], encrypt, k, iv, tagLength, algorithm.additionalData, data);
  if (r instanceof ArrayBuffer) return r;
  if (r.kind === 'authentication') throw failed(new Error('Cipher job failed'));
  throw failed(r.kind === 'bad decrypt' ? openssl('1C800064', 'Provider routines', 'bad decrypt') : openssl('1C80006B', 'Provider routines', 'wrong final block length'));
}

const orElse = (algorithm: any, op: string, other: string): any => {
  try {
    return normalized(algorithm, op);
  } catch {
    return normalized(algorithm, other);
  }
};

// ---- deriving

function derived(algorithm: any, key: any, length: any): any {
  const { name } = algorithm;
  const object = keyObjectOf(key);
  if (name === 'ECDH' || name === 'X25519') return agreed(algorithm, key, object, length);
  if (name === 'PBKDF2' && algorithm.iterations === 0) throw dom('OperationError', 'iterations cannot be zero');
  if (length === 0) return new ArrayBuffer(0);
  if (length === null) throw dom('OperationError', 'length cannot be null');
  if (length % 8 !== 0) throw dom('OperationError', 'length must be a multiple of 8');
  try {
    return derivedBits(algorithm, digestOf(algorithm.hash), keyOf(object), length / 8);
  } catch (e) {
    throw failed(e);
  }
}

function agreed(algorithm: any, key: any, object: KeyObject, length: any): any {
  const other = algorithm.public;
  const no = (message: string) => dom('InvalidAccessError', message);
  if (other.type !== 'public') throw no('algorithm.public must be a public key');
  if (key.type !== 'private') throw no('baseKey must be a private key');
  if (other.algorithm.name !== 'ECDH' && other.algorithm.name !== 'X25519') throw no('Keys must be ECDH, X25519, or X448 keys');
  if (other.algorithm.name !== key.algorithm.name) throw no('The public and private keys must be of the same type');
  if (other.algorithm.namedCurve !== key.algorithm.namedCurve) throw no('Named curve mismatch');
  const all = asked('agree', Buffer.from(keyOf(object).der, 'base64'), Buffer.from(keyOf(keyObjectOf(other)).public, 'base64'));
  if (all === null) throw opaque('OperationError', 'The operation failed for an operation-specific reason');
  if (length === null) return buffer(all);
  if (all.length < Math.ceil(length / 8)) throw dom('OperationError', 'derived bit length is too small');
  return firstBits(all, length);
}

const firstBits = host.lift((b: Uint8Array, n: number): ArrayBuffer => {
  const first = b.slice(0, Math.ceil(n / 8));
  if (n % 8 !== 0) first[first.length - 1] &= 0xff00 >> n % 8;
  return first.buffer as ArrayBuffer;
});

function forDeriving(algorithm: any, key: any, usage: string): void {
  if (!key.usages.includes(usage)) throw dom('InvalidAccessError', `baseKey does not have ${usage} usage`);
  if (key.algorithm.name !== algorithm.name) throw dom('InvalidAccessError', 'Key algorithm mismatch');
}

const blockBits = (hash: any): number => (hash.name === 'SHA-1' || hash.name === 'SHA-256' ? 512 : 1024);

function lengthOf(algorithm: any): number | null {
  const { name, length, hash } = normalized(algorithm, 'get key length');
  if (name === 'HKDF' || name === 'PBKDF2') return null;
  if (name === 'HMAC' ? length === 0 : length !== 128 && length !== 192 && length !== 256) throw dom('OperationError', 'Invalid key length');
  return length ?? blockBits(hash);
}

// ---- generating

const unique = (l: string[]): string[] => l.filter((x, i) => l.indexOf(x) === i);

function secretFor(algorithm: any, extractable: boolean, usages: string[]): () => any {
  const { name, hash } = algorithm;
  let { length } = algorithm;
  if (name === 'HMAC') {
    length ??= blockBits(hash);
    if (length % 8 !== 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property 'algorithm.length' must be a multiple of 8. Received ${length}`);
  } else if (length !== 128 && length !== 192 && length !== 256) throw dom('OperationError', 'AES key length must be 128, 192, or 256 bits');
  among(usages, algorithms[name].usages.secret!, algorithms[name].label);
  if (length < 8 || length > 2147483647) throw failed(coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "options.length" is out of range. It must be >= 8 && <= 2147483647. Received ${length}`));
  if (usages.length === 0) throw noUsages();
  return () => {
    const object = secretOfBytes(length / 8);
    return newKey(object, name === 'HMAC' ? { name, length, hash: { name: hash.name } } : { name, length }, unique(usages), extractable);
  };
}

const noUsages = () => dom('SyntaxError', 'Usages cannot be empty when creating a key.');

const ofNumber = host.lift((b: Uint8Array): number => b.reduce((n, x) => n * 256 + x, 0));

function pairFor(algorithm: any, extractable: boolean, usages: string[]): () => any {
  const { name, namedCurve, modulusLength, publicExponent } = algorithm;
  const kind = algorithms[name];
  let wanted: any = { type: name.toLowerCase() };
  let own: any = { name };
  if (kind.kty === 'RSA') {
    const exponent = ofNumber(publicExponent);
    if (exponent > 4294967295) throw dom('OperationError', 'The publicExponent must be equivalent to an unsigned 32-bit value');
    wanted = { type: 'rsa', bits: modulusLength, exponent };
    own = { name, modulusLength, publicExponent, hash: { name: algorithm.hash.name } };
  } else if (kind.kty === 'EC') {
    if (curves[namedCurve] === undefined) throw dom('NotSupportedError', 'Unrecognized namedCurve');
    wanted = { type: 'ec', curve: curves[namedCurve] };
    own = { name, namedCurve };
  }
  const label = kind.kty === 'RSA' ? 'a RSA' : name === 'ECDSA' || name === 'ECDH' || kind.kty === 'OKP' ? `an ${name}` : name;
  among(usages, [...kind.usages.public!, ...kind.usages.private!], label);
  const pub = kind.usages.public!.filter((u) => usages.includes(u));
  const secret = kind.usages.private!.filter((u) => usages.includes(u));
  if (secret.length === 0) throw noUsages();
  return () => {
    const pair = pairOf(generated(wanted));
    const publicKey = newKey(pair.publicKey, own, pub, true);
    const privateKey = newKey(pair.privateKey, own, secret, extractable);
    const to = kind.kty === 'OKP' ? { privateKey, publicKey } : { publicKey, privateKey };
    return Object.setPrototypeOf(to, null);
  };
}

// ---- the methods

const methods: Record<string, (args: any[]) => () => any> = {
  digest(args) {
    const [a, data] = converted('digest', args, 2, [c.algorithm, c.source]);
    return at(buffer(new Hash(digestOf(normalized(a, 'digest'))).update(data).digest()));
  },
  importKey(args) {
    const [format, data, a, extractable, usages] = converted('importKey', args, 4, [c.format, args[0] === 'jwk' ? c.jwk : c.source, c.algorithm, c.boolean, c.usages]);
    return at(imported(format, data, a, extractable, usages));
  },
  exportKey(args) {
    const [format, key] = converted('exportKey', args, 2, [c.format, c.key]);
    return at(exportedAs(format, key));
  },
  sign(args) {
    const [a, key, data] = converted('sign', args, 3, [c.algorithm, c.key, c.source]);
    const algorithm = normalized(a, 'sign');
    usable(key, algorithm, 'sign');
    if (algorithm.name === 'HMAC') return at(buffer(hmac(key, data)));
    const scheme = schemeFor(algorithm, key);
    return () => buffer(signatureWith(keyObjectOf(key), scheme, data));
  },
  verify(args) {
    const [a, key, signature, data] = converted('verify', args, 4, [c.algorithm, c.key, c.source, c.source]);
    const algorithm = normalized(a, 'verify');
    usable(key, algorithm, 'verify');
    if (algorithm.name === 'HMAC') return at(same(hmac(key, data), signature));
    return at(isValid(keyObjectOf(key), schemeFor(algorithm, key), data, signature));
  },
  encrypt(args) {
    const [a, key, data] = converted('encrypt', args, 3, [c.algorithm, c.key, c.source]);
    return at(ciphered('encrypt', normalized(a, 'encrypt'), key, data));
  },
  decrypt(args) {
    const [a, key, data] = converted('decrypt', args, 3, [c.algorithm, c.key, c.source]);
    return at(ciphered('decrypt', normalized(a, 'decrypt'), key, data));
  },
  deriveBits(args) {
    const [a, key, n] = converted('deriveBits', args, 2, [c.algorithm, c.key, (x, where) => (x === undefined || x === null ? null : c.length(x, where))]);
    const algorithm = normalized(a, 'deriveBits');
    forDeriving(algorithm, key, 'deriveBits');
    return at(derived(algorithm, key, n));
  },
  deriveKey(args) {
    const [a, key, to, extractable, usages] = converted('deriveKey', args, 5, [c.algorithm, c.key, c.algorithm, c.boolean, c.usages]);
    const algorithm = normalized(a, 'deriveBits');
    normalized(to, 'importKey');
    forDeriving(algorithm, key, 'deriveKey');
    return at(imported('raw', new Uint8Array(derived(algorithm, key, lengthOf(to))), to, extractable, usages));
  },
  generateKey(args) {
    const [a, extractable, usages] = converted('generateKey', args, 3, [c.algorithm, c.boolean, c.usages]);
    const algorithm = normalized(a, 'generateKey');
    return (algorithms[algorithm.name].usages.secret !== undefined ? secretFor : pairFor)(algorithm, extractable, usages);
  },
  wrapKey(args) {
    const [format, key, wrapping, a] = converted('wrapKey', args, 4, [c.format, c.key, c.key, c.algorithm]);
    const algorithm = orElse(a, 'wrapKey', 'encrypt');
    let data = exportedAs(format, key);
    if (format === 'jwk') {
      const raw = JSON.stringify(data);
      data = Buffer.from(algorithm.name === 'AES-KW' && raw.length % 8 !== 0 ? raw + ' '.repeat(8 - (raw.length % 8)) : raw);
    }
    return at(ciphered('wrapKey', algorithm, wrapping, new Uint8Array(data)));
  },
  unwrapKey(args) {
    const [format, wrapped, unwrapping, a, to, extractable, usages] = converted('unwrapKey', args, 7, [c.format, c.source, c.key, c.algorithm, c.algorithm, c.boolean, c.usages]);
    let data: any = new Uint8Array(ciphered('unwrapKey', orElse(a, 'unwrapKey', 'decrypt'), unwrapping, wrapped));
    if (format === 'jwk') {
      try {
        data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
      } catch {
        throw dom('DataError', 'Invalid wrapped JWK key');
      }
    }
    return at(imported(format, ...(converted('importKey', [format, data, to, extractable, usages], 4, [c.format, format === 'jwk' ? c.jwk : c.source, c.algorithm, c.boolean, c.usages]).slice(1) as [any, any, any, any])));
  },
};

export const subtle: any = Object.create(SubtleCrypto.prototype);
for (const name of Object.keys(methods)) {
  const value = { [name]: (...args: any[]) => settled(name, args, methods[name]) }[name];
  Object.defineProperty(SubtleCrypto.prototype, name, { value, enumerable: true, configurable: true, writable: true });
}

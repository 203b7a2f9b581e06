// KeyObject: secrets are bytes; other keys are parsed by the engine.
import { input, jwk } from '../../shared/keys';
import { Buffer } from '../buffer';
import { bytes, openssl } from './bytes';
import { coded, invalidType, native, received, unsupported } from './errors';
import { host } from './host';
import { kKeyObject, kKeyType, types } from './types';

const kKey = Symbol('kHandle');

export class KeyObject {
  // key is a secret's bytes, or the engine's description of a key.
  constructor(type: string, key: any) {
    (this as any)[kKeyType] = type;
    Object.defineProperty(this, kKey, { value: key });
  }
  get type(): string {
    return (this as any)[kKeyType];
  }
  equals(other: any): boolean {
    if (!types.isKeyObject(other)) throw invalidType('otherKeyObject', 'an instance of KeyObject', other);
    if (this.type !== other.type) return false;
    return this.type === 'secret' ? Buffer.from(keyOf(this)).equals(keyOf(other)) : keyOf(this).der === keyOf(other).der;
  }
  static from(key: any): KeyObject {
    if (!types.isCryptoKey(key)) throw invalidType('key', 'an instance of CryptoKey', key);
    return key[kKeyObject];
  }
  get [Symbol.toStringTag](): string {
    return 'KeyObject';
  }
}

// keyOf is what the key is.
export const keyOf = (key: any): any => key[kKey];

function choice(value: any, name: string, among: string): any {
  return coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property '${name}' must be one of: ${among}. Received ${typeof value === 'string' ? `'${value}'` : value}`);
}

export class SecretKeyObject extends KeyObject {
  constructor(key: any) {
    super('secret', key);
  }
  get symmetricKeySize(): number {
    return keyOf(this).length;
  }
  export(options?: any): any {
    if (options !== undefined) {
      if (typeof options !== 'object' || options === null) throw invalidType('options', 'of type object', options);
      const { format } = options;
      if (format === 'jwk') return { kty: 'oct', k: url(keyOf(this)) };
      if (format !== undefined && format !== 'buffer') throw choice(format, 'options.format', "undefined, 'buffer', 'jwk'");
    }
    return Buffer.from(keyOf(this));
  }
}

const url = (b: any): any => Buffer.from(b, 'base64').toString('base64url');

// exported is a key as JWK, in Node's order.
export function exported(key: KeyObject): any {
  if (key.type === 'secret') return { kty: 'oct', k: url(keyOf(key)) };
  const { jwk: j } = keyOf(key);
  const secret = key.type === 'private';
  switch (j.kty) {
    case 'RSA':
      return { kty: 'RSA', n: url(j.n), e: url(j.e), ...(secret && { d: url(j.d), p: url(j.p), q: url(j.q), dp: url(j.dp), dq: url(j.dq), qi: url(j.qi) }) };
    case 'EC':
      return { kty: 'EC', x: url(j.x), y: url(j.y), crv: j.crv, ...(secret && { d: url(j.d) }) };
  }
  return { crv: j.crv, ...(secret && { d: url(j.d) }), x: url(j.x), kty: 'OKP' };
}

const labels: Record<string, string> = { spki: 'PUBLIC KEY', pkcs8: 'PRIVATE KEY', sec1: 'EC PRIVATE KEY' };

// What was asked for is kept, as Node does: it can be seen.
const kType = Symbol('kAsymmetricKeyType');
const kDetails = Symbol('kAsymmetricKeyDetails');

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType(): string {
    return ((this as any)[kType] ??= keyOf(this).type);
  }
  get asymmetricKeyDetails(): any {
    const k = keyOf(this);
    switch (this.asymmetricKeyType) {
      case 'rsa':
        return ((this as any)[kDetails] ??= { modulusLength: k.bits, publicExponent: BigInt(k.exponent) });
      case 'ec':
        return ((this as any)[kDetails] ??= { namedCurve: k.curve });
    }
    return {};
  }
  export(options?: any): any {
    if (options?.format !== 'jwk') this.asymmetricKeyType;
    return encoded(this, options, 'options');
  }
}

// encoded is a key as options, which the caller calls name, ask for it.
export function encoded(key: KeyObject, options: any, name: string): any {
  if (typeof options !== 'object' || options === null) throw invalidType(name, 'of type object', options);
  const { format, type } = options;
  if (format === 'jwk') {
    if (key.type === 'private' && options.passphrase !== undefined) throw incompatible('jwk', 'does not support encryption');
    return exported(key);
  }
  if (format !== 'pem' && format !== 'der') throw value(`${name}.format`, format);
  const k = keyOf(key);
  const traditional = type === 'pkcs1' || (type === 'sec1' && k.private);
  if (type === 'pkcs1' && k.type !== 'rsa') throw incompatible('pkcs1', 'can only be used for RSA keys');
  if (type === 'sec1' && k.private && k.type !== 'ec') throw incompatible('sec1', 'can only be used for EC keys');
  if (!traditional && type !== (k.private ? 'pkcs8' : 'spki')) throw value(`${name}.type`, type);
  if (k.private && (options.cipher !== undefined || options.passphrase !== undefined)) unsupported('exporting an encrypted key');
  if (k.foreign) unsupported('exporting a key that came in an unusual encoding');
  const der = Buffer.from(traditional ? k.traditional : k.der, 'base64');
  if (format === 'der') return der;
  const label = type === 'pkcs1' ? (k.private ? 'RSA PRIVATE KEY' : 'RSA PUBLIC KEY') : labels[type];
  return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;
}

function incompatible(what: string, why: string): any {
  return coded(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', `The selected key encoding ${what} ${why}.`);
}

function value(name: string, given: any): any {
  return coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property '${name}' is invalid. Received ${typeof given === 'string' ? `'${given}'` : given}`);
}

export class PublicKeyObject extends AsymmetricKeyObject {
  constructor(key: any) {
    super('public', key);
  }
}
export class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(key: any) {
    super('private', key);
  }
}

// described is what the engine says of a key; refused: why it is none, or '' if it certainly is none.
export const described = host.lift((key: any, kind: any): any => {
  let r: Uint8Array;
  try {
    r = host.call('key', key, kind);
  } catch (e) {
    const { message } = e as Error;
    if (message.startsWith('unsupported: ')) return { refused: message.slice(13) };
    return { refused: '' };
  }
  return JSON.parse(host.text.decode(r, 0, r.length));
});

// known is a key's description, or null if it certainly is no key.
export function known(key: any, kind: any): any {
  const d = described(key, kind);
  if (d.refused === undefined) return d;
  if (d.refused !== '') unsupported(d.refused);
  return null;
}

const numbers = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'x', 'y', 'point'];

// ofNumbers is the key that a JWK describes, or null.
export function ofNumbers(j: any): any {
  const to: any = { kty: j.kty, crv: j.crv };
  for (const k of numbers) if (j[k] !== undefined) to[k] = Buffer.from(j[k], 'base64').toString('base64');
  return known(JSON.stringify(to), 'jwk');
}

export const kinds: Record<string, string[]> = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] };
const secrets: Record<string, string[]> = { RSA: ['d', 'p', 'q', 'dp', 'dq', 'qi'], EC: ['d'], OKP: ['d'] };
const curves: Record<string, string[]> = { EC: ['P-256', 'secp256k1', 'P-384', 'P-521'], OKP: ['Ed25519', 'Ed448', 'X25519', 'X448'] };
const quoted = (l: string[]) => l.map((s) => `'${s}'`).join(', ');

function parseJWK(j: any, secret: boolean): any {
  if (typeof j !== 'object' || j === null || Array.isArray(j)) throw invalidType('key.key', 'of type object', j);
  const kty = j.kty;
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') throw choice(kty, 'key.kty', quoted(['RSA', 'EC', 'OKP']));
  const to: any = { kty };
  const read = (k: string) => {
    if (typeof j[k] !== 'string') throw invalidType(`key.${k}`, 'of type string', j[k]);
    to[k] = j[k];
    if (k === 'crv' && !curves[kty].includes(to.crv)) throw choice(to.crv, 'key.crv', quoted(curves[kty]));
  };
  kinds[kty].forEach(read);
  if (secret) secrets[kty].forEach(read);
  // Of such a private key, Node takes the public part for itself.
  const d = ofNumbers(kty === 'OKP' && secret ? { kty, crv: to.crv, d: to.d } : to);
  if (d === null) throw kty === 'EC' ? native(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK EC key') : coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data');
  return d;
}

function parse(given: any, secret: boolean): any {
  let key = given;
  let kind = 'pem';
  if (typeof given === 'object' && given !== null && !(given instanceof Uint8Array) && !ArrayBuffer.isView(given) && !host.group.is(given) && !(given instanceof ArrayBuffer)) {
    key = given.key;
    if (given.format === 'jwk') return parseJWK(key, secret);
    if (given.passphrase !== undefined) unsupported('an encrypted key');
    if (given.format === 'der') kind = given.type === 'pkcs1' && !secret ? 'pkcs1-public' : given.type;
  }
  const data = typeof key === 'string' ? key : bytes(key, undefined, 'key');
  // Node takes the public part of a private key, too.
  if (kind === 'pkcs1-public' && described(data, kind).refused !== undefined) kind = 'pkcs1';
  const d = known(data, kind);
  if (d === null) throw openssl('1E08010C', 'DECODER routines', 'unsupported');
  return d;
}

export const publicOf = (d: any) => ({ ...d, private: false, der: d.public, traditional: d.publicTraditional, foreign: d.private ? false : d.foreign });

export function createSecretKey(key: any, encoding?: any): KeyObject {
  if (typeof key !== 'string' && !ArrayBuffer.isView(key) && !host.group.is(key) && !types.isAnyArrayBuffer(key)) throw invalidType('key', 'an instance of ArrayBuffer, Buffer, TypedArray, or DataView', key);
  const b = bytes(key, encoding, 'key');
  return new SecretKeyObject(Buffer.from(b));
}

export function createPrivateKey(key: any): KeyObject {
  if (objectOf(key) !== null) throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "key" argument must be of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView.${received(objectOf(key))}`);
  const d = parse(input(key), true);
  if (!d.private) throw openssl('1E08010C', 'DECODER routines', 'unsupported');
  return new PrivateKeyObject(d);
}

// objectOf is the KeyObject that a key is, or has for its key, if there is one.
function objectOf(key: any): any {
  if (types.isKeyObject(key)) return key;
  if (types.isCryptoKey(key)) return key[kKeyObject];
  const inner = typeof key === 'object' && key !== null ? key.key : null;
  if (types.isKeyObject(inner)) return inner;
  return types.isCryptoKey(inner) ? inner[kKeyObject] : null;
}

function wrongType(type: string, wanted: string): any {
  return coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${type}, expected ${wanted}.`);
}

export function createPublicKey(key: any): KeyObject {
  const inner = objectOf(key);
  if (inner !== null) {
    if (inner.type !== 'private') throw wrongType(inner.type, 'private');
    return new PublicKeyObject(publicOf(keyOf(inner)));
  }
  return new PublicKeyObject(publicOf(parse(input(key), false)));
}

// asymmetric is the key that is meant by what sign and verify are given.
export function asymmetric(key: any, purpose: 'private' | 'public'): KeyObject {
  const k = objectOf(key);
  if (k === null) return purpose === 'private' ? createPrivateKey(key) : createPublicKey(key);
  if (k.type === 'secret' || (purpose === 'private' && k.type !== 'private')) throw wrongType(k.type, purpose === 'private' ? 'private' : 'private or public');
  return k;
}

// secretOf is the bytes of what HMAC and ciphers are given.
export function secretOf(key: any, name: string): any {
  const k = types.isCryptoKey(key) ? key[kKeyObject] : key;
  if (!types.isKeyObject(k)) return bytes(key, undefined, name);
  if (k.type !== 'secret') throw wrongType(k.type, 'secret');
  return keyOf(k);
}

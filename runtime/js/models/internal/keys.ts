// KeyObject: secrets are bytes; other keys are parsed by the engine.
import { Buffer } from '../buffer';
import { bytes, openssl } from './bytes';
import { coded, invalidType, unsupported } from './errors';
import { host } from './host';

export class KeyObject {
  type: string;
  _key: any;
  // _key is a secret's bytes, or the engine's description of a key.
  constructor(type: string, key: any) {
    this.type = type;
    this._key = key;
  }
  equals(other: any): boolean {
    if (!(other instanceof KeyObject)) throw invalidType('otherKeyObject', 'an instance of KeyObject', other);
    if (this.type !== other.type) return false;
    return this.type === 'secret' ? Buffer.from(this._key).equals(other._key) : this._key.der === other._key.der;
  }
  static from(): never {
    return unsupported('KeyObject.from');
  }
  get [Symbol.toStringTag](): string {
    return 'KeyObject';
  }
}

export class SecretKeyObject extends KeyObject {
  get symmetricKeySize(): number {
    return this._key.length;
  }
  export(options?: any): any {
    if (options?.format === 'jwk') return { kty: 'oct', k: Buffer.from(this._key).toString('base64').replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_') };
    return Buffer.from(this._key);
  }
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType(): string {
    return this._key.type;
  }
  get asymmetricKeyDetails(): any {
    const k = this._key;
    if (k.type === 'rsa') return { modulusLength: k.bits, publicExponent: BigInt(k.exponent) };
    return k.type === 'ec' ? { namedCurve: k.curve } : {};
  }
  export(options?: any): any {
    const { format, type } = options ?? {};
    if (options?.cipher !== undefined || options?.passphrase !== undefined) unsupported('exporting an encrypted key');
    if (format !== 'pem' && format !== 'der') unsupported(`exporting a key as ${format}`);
    const k = this._key;
    const traditional = type === 'pkcs1' || type === 'sec1';
    const der = Buffer.from(traditional ? k.traditional : k.der, 'base64');
    if (format === 'der') return der;
    const label = { spki: 'PUBLIC KEY', pkcs8: 'PRIVATE KEY', pkcs1: k.private ? 'RSA PRIVATE KEY' : 'RSA PUBLIC KEY', sec1: 'EC PRIVATE KEY' }[type as string];
    return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;
  }
}
export class PublicKeyObject extends AsymmetricKeyObject {}
export class PrivateKeyObject extends AsymmetricKeyObject {}

const describe = host.lift((key: any, kind: any): any => {
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

function parse(input: any): any {
  let key = input;
  let kind = 'pem';
  if (typeof input === 'object' && input !== null && !(input instanceof Uint8Array) && !ArrayBuffer.isView(input) && !host.group.is(input)) {
    key = input.key;
    if (input.format === 'jwk') unsupported('a key as JWK');
    if (input.passphrase !== undefined) unsupported('an encrypted key');
    if (input.format === 'der') kind = input.type === 'pkcs1' ? 'pkcs1' : input.type;
  }
  const d = describe(typeof key === 'string' ? key : bytes(key, undefined, 'key'), kind);
  if (d.refused === undefined) return d;
  if (d.refused !== '') unsupported(d.refused);
  throw openssl('1E08010C', 'DECODER routines', 'unsupported');
}

const publicOf = (d: any) => ({ ...d, private: false, der: d.public, traditional: d.publicTraditional });

export function createSecretKey(key: any, encoding?: any): KeyObject {
  const b = bytes(key, encoding, 'key');
  return new SecretKeyObject('secret', Buffer.from(b));
}

export function createPrivateKey(key: any): KeyObject {
  const d = parse(key);
  if (!d.private) throw openssl('1E08010C', 'DECODER routines', 'unsupported');
  return new PrivateKeyObject('private', d);
}

export function createPublicKey(key: any): KeyObject {
  const inner = key instanceof KeyObject ? key : key?.key instanceof KeyObject ? key.key : null;
  if (inner !== null) {
    if (inner.type !== 'private') throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${inner.type}, expected private.`);
    return new PublicKeyObject('public', publicOf(inner._key));
  }
  return new PublicKeyObject('public', publicOf(parse(key)));
}

// asymmetric is the key that is meant by what sign and verify are given.
export function asymmetric(key: any, purpose: 'private' | 'public'): KeyObject {
  const k = key instanceof KeyObject ? key : key?.key instanceof KeyObject ? key.key : null;
  if (k === null) return purpose === 'private' ? createPrivateKey(key) : createPublicKey(key);
  if (k.type === 'secret' || (purpose === 'private' && k.type !== 'private')) throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${k.type}, expected ${purpose === 'private' ? 'private' : 'private or public'}.`);
  return k;
}

// secretOf is the bytes of what HMAC and ciphers are given.
export function secretOf(key: any, name: string): any {
  if (!(key instanceof KeyObject)) return bytes(key, undefined, name);
  if (key.type !== 'secret') throw coded(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', `Invalid key object type ${key.type}, expected secret.`);
  return key._key;
}

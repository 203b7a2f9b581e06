// New keys: the server draws them, and records what it drew. A pair must be one of the kind
// that was asked for.
import { Buffer } from '../buffer';
import { coded, invalidType, unsupported } from './errors';
import { host, nondeterministic, once } from './host';
import { described, encoded, PrivateKeyObject, publicOf, PublicKeyObject, SecretKeyObject } from './keys';

// Wanted is what is asked of a pair, in the words of the engine's description.
interface Wanted {
  type: string;
  bits?: number;
  exponent?: number;
  curve?: string;
}

// secretOfBytes is a new secret key.
export function secretOfBytes(n: number): SecretKeyObject {
  const size = Math.ceil(n / 3) * 4;
  const drawn = nondeterministic('bytes', (v: any) => (typeof v === 'string' && v.length === size && Buffer.from(v, 'base64').length === n ? null : `not ${n} bytes`), n);
  return new SecretKeyObject(Buffer.from(drawn, 'base64'));
}

const isPrime = (der: any): boolean => host.call('primes', der)[0] === 49;

const mostText = 20000; // more than an RSA key of 16384 bits needs

function isPair(v: any, wanted: Wanted): boolean {
  if (typeof v !== 'string' || v.length > mostText) return false;
  const der = Buffer.from(v, 'base64');
  const d = described(der, 'pkcs8');
  if (d.refused !== undefined || !d.private || d.foreign) return false;
  if ((Object.keys(wanted) as (keyof Wanted)[]).some((k) => d[k] !== wanted[k])) return false;
  return d.type !== 'rsa' || isPrime(der);
}

// generated is the description of a new pair.
export function generated(wanted: Wanted): any {
  const { bits, exponent } = wanted;
  if (bits !== undefined && (bits < 1024 || bits > 16384)) unsupported(`a new RSA key of ${bits} bits`);
  if (exponent !== undefined && (exponent < 3 || exponent > 2147483647 || exponent % 2 === 0)) unsupported(`a new RSA key with exponent ${exponent}`);
  const drawn = nondeterministic('keypair', (v: any) => (isPair(v, wanted) ? null : `no new key of type ${wanted.type} as it was asked for`));
  return described(Buffer.from(drawn, 'base64'), 'pkcs8');
}

export const pairOf = (d: any) => ({ publicKey: new PublicKeyObject(publicOf(d)), privateKey: new PrivateKeyObject(d) });

const curves: Record<string, string> = { __proto__: null as any, 'P-256': 'prime256v1', prime256v1: 'prime256v1', 'P-384': 'secp384r1', secp384r1: 'secp384r1', 'P-521': 'secp521r1', secp521r1: 'secp521r1' };

const badType = (type: any) => coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'type' must be a supported key type. Received ${typeof type === 'string' ? `'${type}'` : type}`);

function unsigned(value: any, name: string): number {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value);
  if (!Number.isInteger(value)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be an integer. Received ${value}`);
  if (value < 0 || value > 4294967295) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be >= 0 && <= 4294967295. Received ${value}`);
  return value;
}

function wantedOf(type: any, options: any): Wanted {
  if (typeof type !== 'string') throw invalidType('type', 'of type string', type);
  for (const k of ['publicKeyEncoding', 'privateKeyEncoding']) {
    const e = options?.[k];
    if (e !== undefined && e !== null && typeof e !== 'object') throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property 'options.${k}' is invalid. Received ${typeof e === 'string' ? `'${e}'` : e}`);
    if (e?.cipher !== undefined || e?.passphrase !== undefined) unsupported('an encrypted key');
  }
  const object = () => {
    if (typeof options !== 'object' || options === null) throw invalidType('options', 'of type object', options);
  };
  if (options !== undefined) object();
  switch (type) {
    case 'rsa':
      object();
      return { type, bits: unsigned(options.modulusLength, 'options.modulusLength'), exponent: options.publicExponent == null ? 0x10001 : unsigned(options.publicExponent, 'options.publicExponent') };
    case 'ec': {
      object();
      const { namedCurve, paramEncoding } = options;
      if (typeof namedCurve !== 'string') throw invalidType('options.namedCurve', 'of type string', namedCurve);
      if (curves[namedCurve] === undefined || (paramEncoding != null && paramEncoding !== 'named')) unsupported(`a new key on the curve ${namedCurve}`);
      return { type, curve: curves[namedCurve] };
    }
    case 'ed25519':
    case 'x25519':
      return { type };
    case 'rsa-pss':
    case 'dsa':
    case 'dh':
    case 'ed448':
    case 'x448':
      return unsupported(`a new key of type ${type}`);
  }
  throw badType(type);
}

function pairAs(wanted: Wanted, options: any): any {
  const { publicKey, privateKey } = pairOf(generated(wanted));
  const as = (key: any, name: string) => (options?.[name] == null ? key : encoded(key, options[name], `options.${name}`));
  return { publicKey: as(publicKey, 'publicKeyEncoding'), privateKey: as(privateKey, 'privateKeyEncoding') };
}

// What encodings are wrong is found before a key is made.
function checked(wanted: Wanted, options: any): void {
  for (const [name, traditional, own] of [['publicKeyEncoding', 'pkcs1', 'spki'], ['privateKeyEncoding', wanted.type === 'ec' ? 'sec1' : 'pkcs1', 'pkcs8']]) {
    const e = options?.[name];
    if (e == null || e.format === 'jwk') continue;
    const good = (e.format === 'pem' || e.format === 'der') && (e.type === own || (e.type === traditional && (traditional === 'sec1' || wanted.type === 'rsa')));
    if (!good) unsupported(`a new key in the encoding of ${name}`);
  }
}

export function generateKeyPairSync(type: any, options?: any): any {
  const wanted = wantedOf(type, options);
  checked(wanted, options);
  return pairAs(wanted, options);
}

const isFunction = (f: any): void => {
  if (typeof f !== 'function') throw invalidType('callback', 'of type function', f);
};

export function generateKeyPair(type: any, options: any, callback?: any): void {
  const [o, f] = typeof options === 'function' ? [undefined, options] : [options, callback];
  isFunction(f);
  const wanted = wantedOf(type, o);
  checked(wanted, o);
  once(() => {
    const { publicKey, privateKey } = pairAs(wanted, o);
    f(null, publicKey, privateKey);
  });
}

function bytesOf(type: any, options: any): number {
  if (typeof type !== 'string') throw invalidType('type', 'of type string', type);
  if (typeof options !== 'object' || options === null) throw invalidType('options', 'of type object', options);
  const { length } = options;
  if (type === 'aes') {
    if (length !== 128 && length !== 192 && length !== 256) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property 'options.length' must be one of: 128, 192, 256. Received ${length}`);
  } else if (type === 'hmac') {
    if (typeof length !== 'number') throw invalidType('options.length', 'of type number', length);
    if (!Number.isInteger(length)) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "options.length" is out of range. It must be an integer. Received ${length}`);
    if (length < 8 || length > 2147483647) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "options.length" is out of range. It must be >= 8 && <= 2147483647. Received ${length}`);
  } else throw badType(type);
  return Math.floor(length / 8);
}

export const generateKeySync = (type: any, options: any): any => secretOfBytes(bytesOf(type, options));

export function generateKey(type: any, options: any, callback?: any): void {
  const [o, f] = typeof options === 'function' ? [undefined, options] : [options, callback];
  isFunction(f);
  const n = bytesOf(type, o);
  once(() => f(null, secretOfBytes(n)));
}

// What methods of the web's own make of their arguments, with Node's words for what does not fit.
import { DOMException } from '../domexception';
import { unsupported } from './errors';
import { host } from './host';
import { types } from './types';

type Converter = (x: any, where: Where) => any;
interface Where {
  prefix: string;
  context: string;
}

export function dom(name: string, message: string, ...cause: any[]): any {
  return new DOMException(message, cause.length === 0 ? name : { name, cause: cause[0] });
}

function wrong(where: Where, message: string, code = 'ERR_INVALID_ARG_TYPE'): any {
  const e: any = new TypeError(`${where.prefix}: ${where.context === '' ? '' : where.context + ' '}${message}`);
  e.code = code;
  return e;
}

const isObject = (x: any): boolean => (typeof x === 'object' && x !== null) || typeof x === 'function';

const text: Converter = (x, where) => {
  if (typeof x === 'symbol') throw wrong(where, 'is a Symbol and cannot be converted to a string.');
  return String(x);
};

const integer = (bits: number, enforced: boolean): Converter => (x, where) => {
  const top = 2 ** bits - 1;
  if (typeof x === 'bigint') throw wrong(where, 'is a BigInt and cannot be converted to a number.');
  if (typeof x === 'symbol') throw wrong(where, 'is a Symbol and cannot be converted to a number.');
  const n = Number(x);
  if (!Number.isFinite(n)) {
    if (enforced) throw wrong(where, 'is not a finite number.');
    return 0;
  }
  const i = Math.trunc(n);
  if (!enforced) return i === 0 ? 0 : i >= 0 && i <= top ? i : i % (top + 1);
  if (i < 0 || i > top) throw wrong(where, `is outside the expected range of 0 to ${top}.`, 'ERR_OUT_OF_RANGE');
  return i;
};

// A copy, because the program may go on to write to it.
const copy = host.lift((x: any): Uint8Array => new Uint8Array(ArrayBuffer.isView(x) ? new Uint8Array(x.buffer, x.byteOffset, x.byteLength) : x));

const source: Converter = (x, where) => {
  if (host.group.is(x) || ArrayBuffer.isView(x)) {
    if (!host.group.is(x) && (x as any).buffer instanceof SharedArrayBuffer) throw wrong(where, 'is a view on a SharedArrayBuffer, which is not allowed.');
    return copy(x);
  }
  if (!(x instanceof ArrayBuffer)) throw wrong(where, 'is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
  return copy(x);
};

const bytesOfNumber: Converter = (x, where) => {
  if (!types.isUint8Array(x) && !host.group.is(x)) throw wrong(where, 'is not an Uint8Array object.');
  return source(x, where);
};

const oneOf = (name: string, values: string): Converter => {
  const all = values.split(' ');
  return (x, where) => {
    const s = String(x);
    if (!all.includes(s)) throw wrong(where, `value '${s}' is not a valid enum value of type ${name}.`, 'ERR_INVALID_ARG_VALUE');
    return s;
  };
};

const sequence = (of: Converter): Converter => (x, where) => {
  if (!isObject(x) || typeof x[Symbol.iterator] !== 'function') throw wrong(where, 'can not be converted to sequence.');
  const l: any[] = [];
  for (const e of x) l.push(of(e, { ...where, context: `${where.context}, index ${l.length}` }));
  return l;
};

const key: Converter = (x, where) => {
  if (!types.isCryptoKey(x)) throw wrong(where, 'is not of type CryptoKey.');
  return x;
};

const identifier: Converter = (x, where) => (isObject(x) ? x : text(x, where));

const usage = oneOf('KeyUsage', 'encrypt decrypt sign verify deriveKey deriveBits wrapKey unwrapKey');
export const converters = {
  algorithm: identifier,
  boolean: ((x) => !!x) as Converter,
  format: oneOf('KeyFormat', 'raw pkcs8 spki jwk'),
  jwk: ((x, where) => dictionary('JsonWebKey', members)(x, where)) as Converter,
  key,
  length: integer(32, false),
  source,
  usages: sequence(usage),
};

// A member of a dictionary: its name, what makes it, and whether there must be one. They are in the order of their names.
type Member = [name: string, of: Converter, required?: boolean];

const dictionary = (name: string, all: Member[]): Converter => (x, where) => {
  if (x !== undefined && x !== null && !isObject(x)) throw wrong(where, 'can not be converted to a dictionary');
  const to: any = {};
  for (const [k, of, required] of all) {
    const v = x === undefined || x === null ? undefined : x[k];
    if (v !== undefined) to[k] = of(v, { ...where, context: `'${k}' of '${name}'${where.context === '' ? '' : ` (${where.context})`}` });
    else if (required) throw wrong(where, `can not be converted to '${name}' because '${k}' is required in '${name}'.`, 'ERR_MISSING_OPTION');
  }
  return to;
};

const members: Member[] = 'alg crv d dp dq e ext k key_ops kty n p q qi use x y'.split(' ').map((k) => [k, k === 'ext' ? converters.boolean : k === 'key_ops' ? sequence(text) : text]);

const name: Member = ['name', text, true];
const hash: Member = ['hash', identifier, true];
const optional = (k: string, of: Converter): Member => [k, of];
const required = (k: string, of: Converter): Member => [k, of, true];
const long = integer(32, true);
const dictionaries: Record<string, Member[]> = {
  RsaHashedKeyGenParams: [hash, required('modulusLength', long), name, required('publicExponent', bytesOfNumber)],
  EcKeyGenParams: [name, required('namedCurve', text)],
  EcKeyImportParams: [name, required('namedCurve', text)],
  AesKeyGenParams: [required('length', integer(16, true)), name],
  AesDerivedKeyParams: [required('length', integer(16, true)), name],
  HmacKeyGenParams: [hash, optional('length', long), name],
  HmacImportParams: [hash, optional('length', long), name],
  RsaHashedImportParams: [hash, name],
  RsaPssParams: [name, required('saltLength', long)],
  RsaOaepParams: [optional('label', source), name],
  EcdsaParams: [hash, name],
  HkdfParams: [hash, required('info', source), name, required('salt', source)],
  Pbkdf2Params: [hash, required('iterations', long), name, required('salt', source)],
  EcdhKeyDeriveParams: [name, required('public', key)],
  AesCbcParams: [required('iv', source), name],
  AesGcmParams: [optional('additionalData', source), required('iv', source), name, optional('tagLength', integer(8, true))],
  AesCtrParams: [required('counter', source), required('length', integer(8, true)), name],
};

// What algorithms each operation has, and with what parameters.
const cipher = 'RSA-OAEP:RsaOaepParams AES-CBC:AesCbcParams AES-GCM:AesGcmParams AES-CTR:AesCtrParams';
const signing = 'RSASSA-PKCS1-v1_5 RSA-PSS:RsaPssParams ECDSA:EcdsaParams HMAC Ed25519';
const operations: Record<string, Record<string, string>> = Object.fromEntries(
  Object.entries({
    digest: 'SHA-1 SHA-256 SHA-384 SHA-512',
    generateKey:
      'RSASSA-PKCS1-v1_5:RsaHashedKeyGenParams RSA-PSS:RsaHashedKeyGenParams RSA-OAEP:RsaHashedKeyGenParams ECDSA:EcKeyGenParams ECDH:EcKeyGenParams AES-CTR:AesKeyGenParams AES-CBC:AesKeyGenParams AES-GCM:AesKeyGenParams AES-KW:AesKeyGenParams HMAC:HmacKeyGenParams Ed25519 X25519',
    sign: signing,
    verify: signing,
    importKey:
      'RSASSA-PKCS1-v1_5:RsaHashedImportParams RSA-PSS:RsaHashedImportParams RSA-OAEP:RsaHashedImportParams ECDSA:EcKeyImportParams ECDH:EcKeyImportParams HMAC:HmacImportParams HKDF PBKDF2 AES-CTR AES-CBC AES-GCM AES-KW Ed25519 X25519',
    deriveBits: 'HKDF:HkdfParams PBKDF2:Pbkdf2Params ECDH:EcdhKeyDeriveParams X25519:EcdhKeyDeriveParams',
    encrypt: cipher,
    decrypt: cipher,
    'get key length': 'AES-CBC:AesDerivedKeyParams AES-CTR:AesDerivedKeyParams AES-GCM:AesDerivedKeyParams AES-KW:AesDerivedKeyParams HMAC:HmacImportParams HKDF PBKDF2',
    wrapKey: 'AES-KW',
    unwrapKey: 'AES-KW',
  }).map(([op, list]) => [op, Object.fromEntries(list.split(' ').map((a) => a.split(':')).map(([n, d]) => [n.toUpperCase(), d === undefined ? n : `${n}:${d}`]))]),
);

// normalized is an algorithm as operation op wants it.
export function normalized(algorithm: any, op: string): any {
  const a = typeof algorithm === 'string' ? { name: algorithm } : algorithm;
  const where = { prefix: 'Failed to normalize algorithm', context: 'passed algorithm' };
  const wanted = dictionary('Algorithm', [name])(a, where).name.toUpperCase();
  const found = Object.hasOwn(operations[op], wanted) ? operations[op][wanted] : undefined;
  if (found === undefined) {
    if (wanted === 'ED448' || wanted === 'X448') unsupported(`algorithm ${wanted}`);
    throw dom('NotSupportedError', 'Unrecognized algorithm name');
  }
  const [own, of] = found.split(':');
  if (of === undefined) return { name: own };
  const to = dictionary(of, dictionaries[of])(a, where);
  to.name = own;
  if (to.hash !== undefined) to.hash = normalized(to.hash, 'digest');
  return to;
}

const ordinals = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];

// converted makes the arguments of one of crypto.subtle's methods; least of them are required.
export function converted(method: string, args: any[], least: number, of: Converter[]): any[] {
  const prefix = `Failed to execute '${method}' on 'SubtleCrypto'`;
  if (args.length < least) throw wrong({ prefix, context: '' }, `${least} arguments required, but only ${args.length} present.`, 'ERR_MISSING_ARGS');
  const to: any[] = [];
  for (let i = 0; i < of.length; i++) to.push(of[i](args[i], { prefix, context: `${ordinals[i]} argument` }));
  return to;
}

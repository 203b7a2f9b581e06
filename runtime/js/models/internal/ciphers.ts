// createCipheriv and createDecipheriv for AES in the modes CBC, CTR and GCM.
import { mark } from '../../shared/of-node';
import { Buffer } from '../buffer';
import { Transform } from '../stream-classes';
import { StringDecoder } from '../string_decoder';
import { bytes, evenHex, given, openssl } from './bytes';
import { coded, invalidType, unsupported } from './errors';
import { host } from './host';
import { secretOf } from './keys';
import { outOfRange } from './numbers';
import { ciphers } from './openssl';

const modes: Record<string, { mode: string; key: number }> = { __proto__: null as any };
for (const bits of [128, 192, 256]) {
  for (const mode of ['cbc', 'ctr', 'gcm']) modes[`aes-${bits}-${mode}`] = { mode, key: bits / 8 };
  modes[`aes${bits}`] = modes[`aes-${bits}-cbc`];
  modes[`id-aes${bits}-gcm`] = modes[`aes-${bits}-gcm`];
}

// Ciphers of Node's OpenSSL that have no model.
const others = /^(aes|des|chacha|camellia|aria|bf|rc|sm4|seed|cast|id-aes|id-smime)/i;

export const getCiphers = (): string[] => ciphers.slice();

// The numbers of OpenSSL, by bits and mode.
const nids: Record<string, number> = { __proto__: null as any };
for (const [bits, cbc, gcm, ctr] of [[128, 419, 895, 904], [192, 423, 898, 905], [256, 427, 901, 906]]) Object.assign(nids, { [`aes-${bits}-cbc`]: cbc, [`aes-${bits}-gcm`]: gcm, [`aes-${bits}-ctr`]: ctr });

function checkInt32(value: any, name: string): void {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < -2147483648 || value > 2147483647) throw outOfRange(name, '>= -2147483648 && <= 2147483647', value);
}

export function getCipherInfo(nameOrNid: any, options?: any): any {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') throw invalidType('nameOrNid', 'one of type string or number', nameOrNid);
  if (typeof nameOrNid === 'number') checkInt32(nameOrNid, 'nameOrNid');
  if (options !== undefined && (options === null || typeof options !== 'object' || Array.isArray(options))) throw invalidType('options', 'of type object', options);
  const { keyLength, ivLength } = options ?? {};
  if (keyLength !== undefined) checkInt32(keyLength, 'options.keyLength');
  if (ivLength !== undefined) checkInt32(ivLength, 'options.ivLength');
  const asked = typeof nameOrNid === 'number' ? Object.keys(nids).find((k) => nids[k] === nameOrNid) : nameOrNid.toLowerCase();
  const a = modes[asked!];
  if (a === undefined) {
    if (typeof nameOrNid === 'number' || others.test(nameOrNid)) unsupported(`crypto.getCipherInfo of ${nameOrNid}`);
    return undefined;
  }
  const { mode, key } = a;
  const iv = mode === 'gcm' ? 12 : 16;
  if ((keyLength ?? key) !== key || !(mode === 'gcm' ? (ivLength ?? iv) >= 1 && (ivLength ?? iv) <= 128 : (ivLength ?? iv) === iv)) return undefined;
  const bits = key * 8;
  return { mode, name: mode === 'gcm' ? `id-aes${bits}-gcm` : `aes-${bits}-${mode}`, nid: nids[`aes-${bits}-${mode}`], blockSize: mode === 'cbc' ? 16 : 1, ivLength: ivLength ?? iv, keyLength: key };
}

function fault(kind: string): any {
  switch (kind) {
    case 'bad decrypt':
      return openssl('1C800064', 'Provider routines', 'bad decrypt');
    case 'wrong final block length':
    case 'partial block':
      return openssl('1C80006B', 'Provider routines', 'wrong final block length');
    case 'authentication':
      return new Error('Unsupported state or unable to authenticate data');
  }
  return coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state');
}

// decoded is text, as a StringDecoder gives it that holds the bytes held, and what it then holds.
const decoded = host.lift((encoding: string, held: any, b: Uint8Array, last: boolean): any => {
  const d = new (StringDecoder as any)(encoding);
  d._held = held;
  return [last ? d.end(b) : d.write(b), d._held];
});

class AES extends Transform {
  constructor(encrypt: boolean, algorithm: any, key: any, iv: any, options: any) {
    super(options);
    if (typeof algorithm !== 'string') throw invalidType('cipher', 'of type string', algorithm);
    const a = modes[algorithm.toLowerCase()];
    if (a === undefined) {
      if (others.test(algorithm)) unsupported(`cipher ${algorithm}`);
      throw coded(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
    }
    let k: any;
    try {
      k = secretOf(key, 'key');
    } catch (e: any) {
      throw e.code === 'ERR_INVALID_ARG_TYPE' ? invalidType('key', 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey', key) : e;
    }
    const v = iv === null ? Buffer.alloc(0) : bytes(iv, undefined, 'iv');
    if (a.mode === 'gcm' ? v.length === 0 : v.length !== 16) throw coded(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector');
    if (k.length !== a.key) throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
    const length = options?.authTagLength ?? 16;
    if (a.mode === 'gcm' && ![4, 8, 12, 13, 14, 15, 16].includes(length)) throw coded(TypeError, 'ERR_CRYPTO_INVALID_AUTH_TAG', `Invalid authentication tag length: ${length}`);
    this._gcm = a.mode === 'gcm';
    this._cipher = new host.Cipher(a.mode, encrypt, k, v, length);
    this._finished = false;
    this._tagged = false;
    this._decodes = undefined;
    this._held = null;
  }
  update(data: any, input?: any, output?: any): any {
    if (typeof data === 'string') evenHex(data, input);
    else if (!ArrayBuffer.isView(data) && !host.group.is(data)) throw invalidType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
    if (this._finished) throw new Error('Trying to add data in unsupported state');
    return this._given(this._cipher.update(bytes(data, input, 'data')), output, false);
  }
  // What text a part is hangs on the parts before it.
  _given(b: any, output: any, last: boolean): any {
    if (!output || output === 'buffer') return given(b, output);
    const { encoding } = new (StringDecoder as any)(output);
    this._decodes ??= encoding;
    if (this._decodes !== encoding) throw coded(Error, 'ERR_INTERNAL_ASSERTION', 'Cannot change encoding\nThis is caused by either a bug in Node.js or incorrect usage of Node.js internals.\nPlease open an issue with this stack trace at https://github.com/nodejs/node/issues\n');
    const r = decoded(encoding, this._held, b, last);
    this._held = r[1];
    return r[0];
  }
  final(output?: any): any {
    const r = this._cipher.final();
    this._finished = true;
    if (!(r instanceof Uint8Array)) throw fault(r.kind);
    return this._given(r, output, true);
  }
  setAutoPadding(on: any): this {
    if (this._finished) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation setAutoPadding');
    this._cipher.pad(on === undefined ? true : on);
    return this;
  }
  setAAD(data: any, options?: any): this {
    const b = bytes(data, options?.encoding, 'buffer');
    if (!this._gcm || this._finished) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation setAAD');
    this._cipher.authenticate(b);
    return this;
  }
  _transform(chunk: any, encoding: any, done: any): void {
    this.push(this.update(chunk, encoding));
    done();
  }
  _flush(done: any): void {
    try {
      this.push(this.final());
    } catch (e) {
      done(e);
      return;
    }
    done();
  }
}
mark(AES);

export class Cipheriv extends AES {
  constructor(algorithm: any, key: any, iv: any, options?: any) {
    super(true, algorithm, key, iv, options);
  }
  getAuthTag(): any {
    if (!this._gcm || !this._finished) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation getAuthTag');
    return Buffer.from(this._cipher.getTag());
  }
}

export class Decipheriv extends AES {
  constructor(algorithm: any, key: any, iv: any, options?: any) {
    super(false, algorithm, key, iv, options);
  }
  setAuthTag(tag: any, encoding?: any): this {
    const b = bytes(tag, encoding, 'buffer');
    if (!this._gcm || this._tagged) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation setAuthTag');
    if (![4, 8, 12, 13, 14, 15, 16].includes(b.length)) throw coded(TypeError, 'ERR_CRYPTO_INVALID_AUTH_TAG', `Invalid authentication tag length: ${b.length}`);
    this._tagged = true;
    this._cipher.setTag(b);
    return this;
  }
}

export const createCipheriv = (algorithm: any, key: any, iv: any, options?: any) => new Cipheriv(algorithm, key, iv, options);
export const createDecipheriv = (algorithm: any, key: any, iv: any, options?: any) => new Decipheriv(algorithm, key, iv, options);

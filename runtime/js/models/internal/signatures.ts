// Signatures. Those that the key and the text determine are computed; ECDSA's and
// PSS's are random: they are recorded, and must be valid.
import { input } from '../../shared/keys';
import { mark } from '../../shared/of-node';
import { Buffer } from '../buffer';
import { Writable } from '../stream-classes';
import { bytes, given } from './bytes';
import { coded, unsupported } from './errors';
import { host, nondeterministic, once } from './host';
import { asymmetric, type KeyObject, keyOf } from './keys';

const PSS = 6;

// asked is what the engine makes of keys, or null if it refuses.
export const asked = host.lift((name: string, ...args: any[]): any => {
  try {
    return host.call(name, ...args).slice();
  } catch (e) {
    const { message } = e as Error;
    return message.startsWith('unsupported: ') ? unsupported(message.slice(13)) : null;
  }
});
const isYes = host.lift((answer: Uint8Array): any => answer[0] === 49);

function canonical(algorithm: any): string {
  let n = String(algorithm).toLowerCase();
  if (n.startsWith('rsa-')) n = n.slice(4);
  if (n.startsWith('sha-')) n = 'sha' + n.slice(4);
  n = n.replace('/', '-').replace(/withrsaencryption$/, '');
  if (host.sizes[n] === undefined) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest');
  return n;
}

function schemeOf(hash: string, options: any, signing: boolean): any {
  const pss = options?.padding === PSS;
  if (options?.padding !== undefined && options.padding !== 1 && !pss) unsupported(`a signature with padding ${options.padding}`);
  const salt = options?.saltLength ?? -2;
  if (pss && salt === 0) unsupported('a signature without salt');
  return { hash, pss, salt: salt === -1 ? -1 : salt > 0 ? salt : 0, maxSalt: pss && signing && salt === -2, p1363: options?.dsaEncoding === 'ieee-p1363' };
}

function plain(options: any): any {
  return typeof options === 'object' && options !== null && !(options instanceof Uint8Array) ? options : undefined;
}

// signatureWith signs as scheme says. What is random is taken from the record now.
export function signatureWith(key: KeyObject, scheme: any, data: any): any {
  const k = keyOf(key);
  if (k.type !== 'ec' && !scheme.pss) return Buffer.from(asked('sign', Buffer.from(k.der, 'base64'), JSON.stringify(scheme), data));
  const recorded = Buffer.from(nondeterministic('signature'), 'base64');
  const ok = isValid(key, scheme, data, recorded);
  host.forLanes((i) => {
    if (!host.laneOf(ok, i)) (globalThis as any).$impossible?.(i, 'the recorded signature is not valid');
  });
  return recorded;
}

export function isValid(key: KeyObject, scheme: any, data: any, signature: any): any {
  return isYes(asked('verify', Buffer.from(keyOf(key).public, 'base64'), JSON.stringify(scheme), data, signature));
}

// ofType is the scheme of a key of this type.
function ofType(key: KeyObject, hash: string, options: any, signing: boolean): any {
  const { type } = keyOf(key);
  if (type === 'x25519') unsupported('a signature of X25519');
  return schemeOf(type === 'ed25519' ? '' : hash, plain(options), signing);
}

function makeSignature(hash: string, data: any, given: any): any {
  const key = input(given);
  const k = asymmetric(key, 'private');
  return signatureWith(k, ofType(k, hash, key, true), data);
}

function check(hash: string, data: any, given: any, signature: any): any {
  const key = input(given);
  const k = asymmetric(key, 'public');
  return isValid(k, ofType(k, hash, key, false), data, signature);
}

class Feed extends Writable {
  constructor(algorithm: any) {
    super();
    this._hash = canonical(algorithm);
    this._parts = [];
  }
  update(data: any, encoding?: any): this {
    this._parts.push(Buffer.from(bytes(data, encoding, 'data')));
    return this;
  }
  _write(chunk: any, encoding: any, done: any): void {
    this.update(chunk, encoding);
    done();
  }
}
mark(Feed);

export class Sign extends Feed {
  sign(key: any, encoding?: any): any {
    return given(makeSignature(this._hash, Buffer.concat(this._parts), key), encoding);
  }
}

export class Verify extends Feed {
  verify(key: any, signature: any, encoding?: any): any {
    return check(this._hash, Buffer.concat(this._parts), key, bytes(signature, encoding, 'signature'));
  }
}

export const createSign = (algorithm: any) => new Sign(algorithm);
export const createVerify = (algorithm: any) => new Verify(algorithm);

const named = (algorithm: any) => (algorithm === null || algorithm === undefined ? 'sha256' : canonical(algorithm));

export function sign(algorithm: any, data: any, key: any, callback?: any): any {
  const b = bytes(data, undefined, 'data');
  if (callback === undefined) return makeSignature(named(algorithm), b, key);
  once(() => callback(null, makeSignature(named(algorithm), b, key)));
}

export function verify(algorithm: any, data: any, key: any, signature: any, callback?: any): any {
  const r = check(named(algorithm), bytes(data, undefined, 'data'), key, bytes(signature, undefined, 'signature'));
  if (callback === undefined) return r;
  once(() => callback(null, r));
}

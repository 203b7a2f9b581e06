// Signatures. Those that the key and the text determine are computed; ECDSA's and
// PSS's are random: they are recorded, and must be valid.
import { mark } from '../../shared/of-node';
import { Buffer } from '../buffer';
import { Writable } from '../stream-classes';
import { bytes, given } from './bytes';
import { coded, unsupported } from './errors';
import { host, nondeterministic, once } from './host';
import { asymmetric } from './keys';

const PSS = 6;

const signed = host.lift((der: Uint8Array, scheme: string, data: Uint8Array): any => host.call('sign', der, scheme, data).slice());
const valid = host.lift((der: Uint8Array, scheme: string, data: Uint8Array, signature: Uint8Array): any => host.call('verify', der, scheme, data, signature)[0] === 49);

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
  return { hash, pss, salt: salt === -1 ? -1 : salt > 0 ? salt : 0, maxSalt: pss && signing && salt === -2, p1363: options?.dsaEncoding === 'ieee-p1363' };
}

function plain(options: any): any {
  return typeof options === 'object' && options !== null && !(options instanceof Uint8Array) ? options : undefined;
}

function makeSignature(hash: string, data: any, key: any): any {
  const k = asymmetric(key, 'private');
  const scheme = schemeOf(k._key.type === 'ed25519' ? '' : hash, plain(key), true);
  const text = JSON.stringify(scheme);
  if (k._key.type !== 'ec' && !scheme.pss) return Buffer.from(signed(Buffer.from(k._key.der, 'base64'), text, data));
  const recorded = Buffer.from(nondeterministic('signature'), 'base64');
  const ok = valid(Buffer.from(k._key.public, 'base64'), text, data, recorded);
  host.forLanes((i) => {
    if (!host.laneOf(ok, i)) (globalThis as any).$impossible?.(i, 'the recorded signature is not valid');
  });
  return recorded;
}

function check(hash: string, data: any, key: any, signature: any): any {
  const k = asymmetric(key, 'public');
  const scheme = schemeOf(k._key.type === 'ed25519' ? '' : hash, plain(key), false);
  return valid(Buffer.from(k._key.public, 'base64'), JSON.stringify(scheme), data, signature);
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

// crypto under record: randomness, in bytes and in signatures; and what a thread
// computes arrives in an activation.
import { createPrivateKey, KeyObject } from 'crypto';
import { promisify, types } from 'util';
import { input, paired } from '../shared/keys';
import { awaiting, Port, record } from './outside';

const PSS = 6;

const noteBytes = (b: any) => record('bytes', Buffer.from(b.buffer ?? b, b.byteOffset ?? 0, b.byteLength).toString('base64'));
// twin has its own notes of what it was asked for, which can be seen.
const twin = (key: KeyObject): KeyObject => structuredClone(key);
const notePair = (secret: KeyObject) => record('keypair', (twin(secret) as any).export({ type: 'pkcs8', format: 'der' }).toString('base64'));

// noteWeb records what a method of crypto.subtle settled with, if nobody could compute it again.
export function noteWeb(method: string, args: any[], value: any): void {
  if (method === 'sign' && /^(ECDSA|RSA-PSS)$/.test(args[1].algorithm.name)) record('signature', Buffer.from(value).toString('base64'));
  if (method !== 'generateKey') return;
  if (value.privateKey === undefined) noteBytes(KeyObject.from(value).export());
  else notePair(KeyObject.from(value.privateKey));
}

export function guestModule(real: any): any {
  const m = Object.create(real);

  m.randomBytes = (n: number, callback?: any) => {
    if (callback !== undefined) return awaiting(() => real.randomBytes(n, Port.once(callback, ([err, b]) => (err ? undefined : noteBytes(b)))));
    const b = real.randomBytes(n);
    noteBytes(b);
    return b;
  };
  m.pseudoRandomBytes = m.randomBytes;
  m.getCipherInfo = (...args: any[]) => {
    const info = real.getCipherInfo(...args);
    // Node leaves what OpenSSL says of a length that does not fit to whoever reads the next key, be it
    // another request. Random bytes take it away.
    if (info === undefined) real.randomBytes(1);
    return info;
  };
  m.randomUUID = (options?: any) => record('uuid', real.randomUUID(options));
  m.randomInt = (...args: any[]) => {
    const last = args.length - 1;
    if (typeof args[last] !== 'function') return record('int', real.randomInt(...args));
    const callback = args.pop();
    return awaiting(() => real.randomInt(...args, Port.once(callback, ([err, n]) => (err ? undefined : record('int', n)))));
  };
  m.randomFillSync = (b: any, ...rest: any[]) => {
    real.randomFillSync(b, ...rest);
    noteBytes(b);
    return b;
  };
  m.randomFill = (b: any, ...rest: any[]) => {
    const callback = rest.pop();
    awaiting(() => real.randomFill(b, ...rest, Port.once(callback, ([err]) => (err ? undefined : noteBytes(b)))));
  };
  // Node's module has getters for these, which an assignment would not replace.
  const web = globalThis.crypto;
  const own = { webcrypto: web, subtle: web.subtle, getRandomValues: (a: any) => web.getRandomValues(a) };
  for (const [k, value] of Object.entries(own)) Object.defineProperty(m, k, { value, enumerable: true, configurable: true, writable: true });

  for (const name of ['pbkdf2', 'scrypt', 'hkdf']) {
    m[name] = (...args: any[]) => {
      const callback = args.pop();
      return awaiting(() => real[name](...args, Port.once(callback)));
    };
  }

  for (const name of ['createPrivateKey', 'createPublicKey']) m[name] = (key: any) => real[name](input(key));
  m.verify = (algorithm: any, data: any, key: any, signature: any, ...callback: any[]) => awaiting(() => real.verify(algorithm, data, input(key), signature, ...callback.map((f) => Port.once(f))));
  m.createVerify = (algorithm: any, options?: any) => {
    const v = real.createVerify(algorithm, options);
    const { verify } = v;
    v.verify = (key: any, ...rest: any[]) => verify.call(v, input(key), ...rest);
    return v;
  };

  // New keys, and what of them is in an encoding.
  const newPair = (options: any, key: any) => notePair(key instanceof KeyObject ? key : createPrivateKey({ key, ...options.privateKeyEncoding }));
  m.generateKeyPairSync = (type: any, options?: any) => {
    const pair = real.generateKeyPairSync(type, options);
    newPair(options, pair.privateKey);
    return pair;
  };
  m.generateKeyPair = (type: any, options: any, callback?: any) => {
    const short = typeof options === 'function';
    const o = short ? undefined : options;
    return awaiting(() => real.generateKeyPair(type, o, Port.once(short ? options : callback, ([err, , key]) => (err ? undefined : newPair(o, key)))));
  };
  paired(m, promisify.custom);
  m.generateKeySync = (type: any, options: any) => {
    const key = real.generateKeySync(type, options);
    noteBytes(key.export());
    return key;
  };
  m.generateKey = (type: any, options: any, callback?: any) => {
    const short = typeof options === 'function';
    return awaiting(() => real.generateKey(type, short ? undefined : options, Port.once(short ? options : callback, ([err, key]) => (err ? undefined : noteBytes(key.export())))));
  };

  // noted records a signature that nobody could compute again.
  const keyOf = (options: any) => {
    const inner = [options, options?.key].find((k) => k instanceof KeyObject || types.isCryptoKey(k)) ?? null;
    return inner === null ? createPrivateKey(options) : twin(inner instanceof KeyObject ? inner : KeyObject.from(inner));
  };
  const plain = (o: any) => typeof o === 'object' && o !== null && !(o instanceof KeyObject) && !ArrayBuffer.isView(o);
  const noted = (options: any, signature: Buffer) => {
    const random = keyOf(options).asymmetricKeyType === 'ec' || (plain(options) && options.padding === PSS);
    if (random) record('signature', signature.toString('base64'));
  };
  m.createSign = (algorithm: any, options?: any) => {
    const s = real.createSign(algorithm, options);
    const { sign } = s;
    s.sign = (given: any, encoding?: any) => {
      const key = input(given);
      const signature: Buffer = sign.call(s, key);
      noted(key, signature);
      return encoding === undefined || encoding === null || encoding === 'buffer' ? signature : signature.toString(encoding);
    };
    return s;
  };
  m.sign = (algorithm: any, data: any, given: any, callback?: any) => {
    const key = input(given);
    if (callback !== undefined) return awaiting(() => real.sign(algorithm, data, key, Port.once(callback, ([err, s]) => (err ? undefined : noted(key, s)))));
    const signature = real.sign(algorithm, data, key);
    noted(key, signature);
    return signature;
  };
  return m;
}

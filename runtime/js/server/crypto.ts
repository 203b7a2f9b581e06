// crypto under record: randomness, in bytes and in signatures; and what a thread
// computes arrives in an activation.
import { Port, record } from './outside';

const PSS = 6;

export function guestModule(real: any): any {
  const m = Object.create(real);
  const noteBytes = (b: any) => record('bytes', Buffer.from(b.buffer ?? b, b.byteOffset ?? 0, b.byteLength).toString('base64'));

  m.randomBytes = (n: number, callback?: any) => {
    if (callback !== undefined) return real.randomBytes(n, Port.once(callback, ([err, b]) => (err ? undefined : noteBytes(b))));
    const b = real.randomBytes(n);
    noteBytes(b);
    return b;
  };
  m.pseudoRandomBytes = m.randomBytes;
  m.randomUUID = (options?: any) => record('uuid', real.randomUUID(options));
  m.randomInt = (...args: any[]) => {
    const last = args.length - 1;
    if (typeof args[last] !== 'function') return record('int', real.randomInt(...args));
    args[last] = Port.once(args[last], ([err, n]) => (err ? undefined : record('int', n)));
    return real.randomInt(...args);
  };
  m.randomFillSync = (b: any, ...rest: any[]) => {
    real.randomFillSync(b, ...rest);
    noteBytes(b);
    return b;
  };
  m.randomFill = (b: any, ...rest: any[]) => {
    const last = rest.length - 1;
    rest[last] = Port.once(rest[last], ([err]) => (err ? undefined : noteBytes(b)));
    real.randomFill(b, ...rest);
  };
  // Node's module has getters for these, which an assignment would not replace.
  const web = globalThis.crypto;
  const own = { webcrypto: web, subtle: web.subtle, getRandomValues: (a: any) => web.getRandomValues(a) };
  for (const [k, value] of Object.entries(own)) Object.defineProperty(m, k, { value, enumerable: true, configurable: true, writable: true });

  for (const name of ['pbkdf2', 'scrypt', 'hkdf', 'verify']) {
    m[name] = (...args: any[]) => {
      const last = args.length - 1;
      args[last] = Port.once(args[last]);
      return real[name](...args);
    };
  }

  // noted records a signature that nobody could compute again.
  const keyOf = (options: any) => {
    const inner = options instanceof real.KeyObject ? options : options?.key instanceof real.KeyObject ? options.key : null;
    return inner ?? real.createPrivateKey(options);
  };
  const plain = (o: any) => typeof o === 'object' && o !== null && !(o instanceof real.KeyObject) && !ArrayBuffer.isView(o);
  const noted = (options: any, signature: Buffer) => {
    const random = keyOf(options).asymmetricKeyType === 'ec' || (plain(options) && options.padding === PSS);
    if (random) record('signature', signature.toString('base64'));
  };
  m.createSign = (algorithm: any, options?: any) => {
    const s = real.createSign(algorithm, options);
    const { sign } = s;
    s.sign = (key: any, encoding?: any) => {
      const signature: Buffer = sign.call(s, key);
      noted(key, signature);
      return encoding === undefined || encoding === null || encoding === 'buffer' ? signature : signature.toString(encoding);
    };
    return s;
  };
  m.sign = (algorithm: any, data: any, key: any, callback?: any) => {
    if (callback !== undefined) return real.sign(algorithm, data, key, Port.once(callback, ([err, s]) => (err ? undefined : noted(key, s))));
    const signature = real.sign(algorithm, data, key);
    noted(key, signature);
    return signature;
  };
  return m;
}

// util, as far as it makes sense without a terminal.
import { Buffer } from './buffer';
import { TextDecoder, TextEncoder } from './encoding';
import { coded, invalidType, unsupported } from './internal/errors';
import { host, loop } from './internal/host';
import { parseEnv } from './internal/dotenv';
import { MIMEParams, MIMEType } from './internal/mime';
import { outOfRange } from './internal/numbers';
import { parseArgs } from './internal/parseargs';
import { styleText } from './internal/style';
import { systemErrors } from './internal/systemerrors';
import { isDeepStrictEqual } from '../shared/comparisons';
import { formatWithOptions, inspect, use } from '../shared/inspect';
import { types } from './internal/types';

const promisified = Symbol.for('nodejs.util.promisify.custom');

function promisify(f: any): any {
  if (typeof f !== 'function') throw invalidType('original', 'of type function', f);
  const own = f[promisified];
  if (own) {
    if (typeof own !== 'function') throw invalidType('util.promisify.custom', 'of type function', own);
    // The platform's own have it from the start, where it is no change that requests share.
    if (Object.hasOwn(own, promisified) && own[promisified] === own) return own;
    return Object.defineProperty(own, promisified, { value: own, enumerable: false, writable: false, configurable: true });
  }
  function fn(this: any, ...args: any[]): any {
    return new Promise((resolve, reject) => {
      Reflect.apply(f, this, [...args, (err: any, value: any) => (err ? reject(err) : resolve(value))]);
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(f) as object);
  Object.defineProperty(fn, promisified, { value: fn, enumerable: false, writable: false, configurable: true });
  return Object.defineProperties(fn, Object.getOwnPropertyDescriptors(f) as any);
}
promisify.custom = promisified;

function callbackify(f: any): any {
  if (typeof f !== 'function') throw invalidType('original', 'of type function', f);
  return function (this: any, ...args: any[]) {
    const callback = args.pop();
    if (typeof callback !== 'function') throw invalidType('last argument', 'of type function', callback);
    const p: any = Reflect.apply(f, this, args);
    // Node, too, calls the promise's own then, so that it is an operation of the program.
    Reflect.apply(p.then, p, [
      (value: any) => loop.tick(() => callback.call(this, null, value)),
      (err: any) =>
        loop.tick(() => {
          if (!err) err = Object.assign(coded(Error, 'ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value'), { reason: err });
          callback.call(this, err);
        }),
    ]);
  };
}

function inherits(ctor: any, parent: any): void {
  if (ctor === undefined || ctor === null) throw invalidType('ctor', 'of type function', ctor);
  if (parent === undefined || parent === null) throw invalidType('superCtor', 'of type function', parent);
  if (parent.prototype === undefined) throw invalidType('superCtor.prototype', 'of type object', parent.prototype);
  Object.defineProperty(ctor, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(ctor.prototype, parent.prototype);
}

function debuglog(_set: any, callback?: any): any {
  const log: any = () => {};
  log.enabled = false;
  callback?.(log);
  return log;
}

// deprecate: what it warns of goes to a terminal.
function deprecate(f: any, _message: any, code?: any): any {
  if (code !== undefined) text(code, 'code');
  function deprecated(this: any, ...args: any[]): any {
    return new.target ? Reflect.construct(f, args, new.target) : Reflect.apply(f, this, args);
  }
  Object.setPrototypeOf(deprecated, f as object);
  if (f.prototype) deprecated.prototype = f.prototype;
  return deprecated;
}

function text(value: any, name: string): void {
  if (typeof value !== 'string') throw invalidType(name, 'of type string', value);
}

function getSystemErrorName(err: any): string {
  if (typeof err !== 'number') throw invalidType('err', 'of type number', err);
  if (err >= 0 || !Number.isSafeInteger(err)) throw outOfRange('err', 'a negative integer', err);
  return systemErrors().get(err)?.[0] ?? `Unknown system error ${err}`;
}

// aborted: Node's is an async function that returns a promise, which takes its turns.
function aborted(signal: any, resource: any): Promise<any> {
  return new Promise((resolve) => {
    if (typeof signal !== 'object' || signal === null || !('aborted' in signal)) throw invalidType('signal', 'an instance of AbortSignal', signal);
    if (resource === null || (typeof resource !== 'object' && typeof resource !== 'function')) throw invalidType('resource', 'of type object', resource);
    resolve(signal.aborted ? Promise.resolve() : new Promise<any>((heard) => signal.addEventListener('abort', heard, { once: true })));
  });
}

use(types, () => unsupported('util.inspect of a promise or of an iterator'), (v) => (globalThis as any).$proxy?.(v));

const util: any = {
  promisify,
  callbackify,
  inherits,
  inspect,
  format: (...args: any[]) => formatWithOptions(undefined, ...args),
  formatWithOptions,
  types,
  debuglog,
  debug: debuglog,
  deprecate,
  isDeepStrictEqual,
  stripVTControlCharacters(str: any): string {
    text(str, 'str');
    return str.replace(/[\u001B\u009B][[\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\d\/#&.:=?%@~_]+)*|[a-zA-Z\d]+(?:;[-a-zA-Z\d\/#&.:=?%@~_]*)*)?(?:\u0007|\u001B\u005C|\u009C))|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]))/g, '');
  },
  toUSVString: (s: any) => `${s}`.toWellFormed(),
  getSystemErrorName,
  getSystemErrorMap: () => systemErrors(),
  aborted,
  parseArgs,
  parseEnv(content: any): any {
    text(content, 'content');
    return parseEnv(content);
  },
  MIMEType,
  MIMEParams,
  styleText,
  TextDecoder,
  TextEncoder,
  log() {},
  _extend: (to: any, from: any) => (from === null || typeof from !== 'object' ? to : Object.assign(to, from)),
  isArray: Array.isArray,
  isBoolean: (x: any) => typeof x === 'boolean',
  isBuffer: (x: any) => Buffer.isBuffer(x),
  isDate: types.isDate,
  isError: (x: any) => x instanceof Error,
  isFunction: (x: any) => typeof x === 'function',
  isNull: (x: any) => x === null,
  isNullOrUndefined: (x: any) => x === null || x === undefined,
  isNumber: (x: any) => typeof x === 'number',
  isObject: (x: any) => x !== null && typeof x === 'object',
  isPrimitive: (x: any) => x === null || (typeof x !== 'object' && typeof x !== 'function'),
  isRegExp: types.isRegExp,
  isString: (x: any) => typeof x === 'string',
  isSymbol: (x: any) => typeof x === 'symbol',
  isUndefined: (x: any) => x === undefined,
};

export default util;

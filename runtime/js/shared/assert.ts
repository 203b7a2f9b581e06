// Module assert as Node 20 has it: what it compares and shows may be shared state, which
// Node's own would read unseen, and the verifier must come to the same messages.
import { coded, invalidType, received } from '../models/internal/errors';
import { AssertionError } from './assertion-error';
import { isDeepEqual, isDeepStrictEqual } from './comparisons';
import { inspect, types } from './inspect';

const nothing = {};

function innerFail(o: any): never {
  if (o.message instanceof Error) throw o.message;
  throw new AssertionError(o);
}

const missing = (): any => coded(TypeError, 'ERR_MISSING_ARGS', 'The "actual" and "expected" arguments must be specified');
const isError = (e: any): boolean => types.isNativeError(e) || e instanceof Error;
const unlike = (x: any): boolean => !Number.isNaN(x);

// checking makes an assertion that compares two values.
function checking(name: string, operator: string, holds: (actual: any, expected: any) => boolean): any {
  const f = {
    [name](actual: any, expected: any, message?: any): void {
      if (arguments.length < 2) throw missing();
      if (!holds(actual, expected)) innerFail({ actual, expected, message, operator, stackStartFn: f });
    },
  }[name];
  return f;
}

// What the program's call of assert says, as it has been written. The builds tell it with the
// value, just before the call is made (transpile/bundle/asserts.go).
let text: string | undefined;

export function said(t: string | undefined): void {
  text = t;
}

function innerOk(stackStartFn: any, args: any[]): void {
  const [value] = args;
  let message = args[1];
  if (value) return;
  const call = text;
  text = undefined;
  let generatedMessage = false;
  if (args.length === 0) {
    generatedMessage = true;
    message = 'No value argument passed to `assert.ok()`';
  } else if (message == null) {
    generatedMessage = true;
    if (call !== undefined) message = `The expression evaluated to a falsy value:\n\n  ${call}\n`;
  } else if (isError(message)) throw message;
  const err = new AssertionError({ actual: value, expected: true, message, operator: '==', stackStartFn });
  err.generatedMessage = generatedMessage;
  throw err;
}

function ok(...args: any[]): void {
  innerOk(ok, args);
}

function strict(...args: any[]): void {
  innerOk(strict, args);
}

function fail(actual?: any, expected?: any, message?: any, operator?: any, stackStartFn?: any): never {
  let internal = false;
  if (actual == null && arguments.length <= 1) {
    internal = true;
    message = 'Failed';
  } else if (arguments.length === 1) {
    message = actual;
    actual = undefined;
  } else if (arguments.length === 2) operator = '!=';
  if (message instanceof Error) throw message;
  const err = new AssertionError({ actual, expected, operator: operator === undefined ? 'fail' : operator, stackStartFn: stackStartFn || fail, message });
  if (internal) err.generatedMessage = true;
  throw err;
}

// ---- what is thrown

class Comparison {
  [k: string]: any;
  constructor(o: any, keys: string[], actual?: any) {
    for (const k of keys) {
      if (!(k in o)) continue;
      if (actual !== undefined && typeof actual[k] === 'string' && types.isRegExp(o[k]) && o[k].exec(actual[k]) !== null) this[k] = actual[k];
      else this[k] = o[k];
    }
  }
}

function compareKey(actual: any, expected: any, k: string, message: any, keys: string[], fn: any): void {
  if (k in actual && isDeepStrictEqual(actual[k], expected[k])) return;
  if (message) innerFail({ actual, expected, message, operator: fn.name, stackStartFn: fn });
  const err = new AssertionError({ actual: new Comparison(actual, keys), expected: new Comparison(expected, keys, actual), operator: 'deepStrictEqual', stackStartFn: fn });
  err.actual = actual;
  err.expected = expected;
  err.operator = fn.name;
  throw err;
}

function expectedObject(actual: any, expected: any, message: any, fn: any): void {
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push('name', 'message');
  else if (keys.length === 0) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'error' may not be an empty object. Received {}`);
  for (const k of keys) {
    if (typeof actual[k] === 'string' && types.isRegExp(expected[k]) && expected[k].exec(actual[k]) !== null) continue;
    compareKey(actual, expected, k, message, keys, fn);
  }
}

// mismatch says why what was thrown is not what was expected; undefined if it is.
function mismatch(actual: any, expected: any): string | undefined {
  if (typeof expected !== 'function') {
    const s = String(actual);
    return expected.exec(s) !== null ? undefined : `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(s)}\n`;
  }
  if (expected.prototype !== undefined && actual instanceof expected) return undefined;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) {
    let m = `The error is expected to be an instance of "${expected.name}". Received `;
    if (!isError(actual)) return `${m}"${inspect(actual, { depth: -1 })}"`;
    const name = (actual.constructor && actual.constructor.name) || actual.name;
    m += expected.name === name ? 'an error with identical name but a different prototype.' : `"${name}"`;
    return actual.message ? `${m}\n\nError message:\n\n${actual.message}` : m;
  }
  const r = Reflect.apply(expected, {}, [actual]);
  if (r === true) return undefined;
  const m = `The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to return "true". Received ${inspect(r)}`;
  return isError(actual) ? `${m}\n\nCaught error:\n\n${actual}` : m;
}

function expectedException(actual: any, expected: any, message: any, fn: any): void {
  if (typeof expected !== 'function' && !types.isRegExp(expected)) {
    if (typeof actual === 'object' && actual !== null) return expectedObject(actual, expected, message, fn);
    const err = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn });
    err.operator = fn.name;
    throw err;
  }
  const why = mismatch(actual, expected);
  if (why === undefined) return;
  const err = new AssertionError({ actual, expected, message: message || why, operator: fn.name, stackStartFn: fn });
  err.generatedMessage = !message;
  throw err;
}

function thrownBy(fn: any): any {
  if (typeof fn !== 'function') throw invalidType('fn', 'of type function', fn);
  try {
    fn();
  } catch (e) {
    return e;
  }
  return nothing;
}

function isThenable(o: any): boolean {
  return types.isPromise(o) || (o !== null && typeof o === 'object' && typeof o.then === 'function' && typeof o.catch === 'function');
}

async function rejectionOf(promiseFn: any): Promise<any> {
  let p = promiseFn;
  if (typeof promiseFn === 'function') {
    p = promiseFn();
    if (!isThenable(p)) throw coded(TypeError, 'ERR_INVALID_RETURN_VALUE', `Expected instance of Promise to be returned from the "promiseFn" function but got ${received(p).replace(/^ Received /, '')}.`);
  } else if (!isThenable(p)) throw invalidType('promiseFn', 'of type function or an instance of Promise', promiseFn);
  try {
    await p;
  } catch (e) {
    return e;
  }
  return nothing;
}

const errorTypes = 'of type function or an instance of Error, RegExp, or Object';

function expectsError(fn: any, actual: any, rest: any[]): void {
  let [error, message] = rest;
  if (typeof error === 'string') {
    if (rest.length === 2) throw invalidType('error', errorTypes, error);
    if (typeof actual === 'object' && actual !== null) {
      if (actual.message === error) throw coded(TypeError, 'ERR_AMBIGUOUS_ARGUMENT', `The "error/message" argument is ambiguous. The error message "${actual.message}" is identical to the message.`);
    } else if (actual === error) throw coded(TypeError, 'ERR_AMBIGUOUS_ARGUMENT', `The "error/message" argument is ambiguous. The error "${actual}" is identical to the message.`);
    message = error;
    error = undefined;
  } else if (error != null && typeof error !== 'object' && typeof error !== 'function') throw invalidType('error', errorTypes, error);
  if (actual === nothing) {
    const details = (error && error.name ? ` (${error.name})` : '') + (message ? `: ${message}` : '.');
    innerFail({ actual: undefined, expected: error, operator: fn.name, message: `Missing expected ${fn === assert.rejects ? 'rejection' : 'exception'}${details}`, stackStartFn: fn });
  }
  if (error) expectedException(actual, error, message, fn);
}

function matches(actual: any, expected: any): boolean {
  if (typeof expected !== 'function') {
    if (types.isRegExp(expected)) return expected.exec(String(actual)) !== null;
    throw invalidType('expected', 'of type function or an instance of RegExp', expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

function expectsNoError(fn: any, actual: any, error: any, message: any): void {
  if (actual === nothing) return;
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (error && !matches(actual, error)) throw actual;
  const kind = fn === assert.doesNotReject ? 'rejection' : 'exception';
  innerFail({ actual, expected: error, operator: fn.name, message: `Got unwanted ${kind}${message ? `: ${message}` : '.'}\nActual message: "${actual && actual.message}"`, stackStartFn: fn });
}

function internalMatch(s: any, regexp: any, message: any, fn: any): void {
  if (!types.isRegExp(regexp)) throw invalidType('regexp', 'an instance of RegExp', regexp);
  const match = fn === assert.match;
  if (typeof s === 'string' && (regexp.exec(s) !== null) === match) return;
  if (message instanceof Error) throw message;
  const own =
    typeof s !== 'string'
      ? `The "string" argument must be of type string. Received type ${typeof s} (${inspect(s)})`
      : `The input ${match ? 'did not match' : 'was expected to not match'} the regular expression ${inspect(regexp)}. Input:\n\n${inspect(s)}\n`;
  const err = new AssertionError({ actual: s, expected: regexp, message: message || own, operator: fn.name, stackStartFn: fn });
  err.generatedMessage = !message;
  throw err;
}

function ifError(err: any): void {
  if (err === null || err === undefined) return;
  let message = 'ifError got unwanted exception: ';
  if (typeof err === 'object' && typeof err.message === 'string') message += err.message.length === 0 && err.constructor ? err.constructor.name : err.message;
  else message += inspect(err);
  const e = new AssertionError({ actual: err, expected: null, operator: 'ifError', message, stackStartFn: ifError });
  e.generatedMessage = !message;
  throw e;
}

export const assert: any = ok;
Object.assign(assert, {
  fail,
  AssertionError,
  ok,
  equal: checking('equal', '==', (a, b) => a == b || !(unlike(a) || unlike(b))),
  notEqual: checking('notEqual', '!=', (a, b) => !(a == b || !(unlike(a) || unlike(b)))),
  deepEqual: checking('deepEqual', 'deepEqual', isDeepEqual),
  notDeepEqual: checking('notDeepEqual', 'notDeepEqual', (a, b) => !isDeepEqual(a, b)),
  deepStrictEqual: checking('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: checking('notDeepStrictEqual', 'notDeepStrictEqual', (a, b) => !isDeepStrictEqual(a, b)),
  strictEqual: checking('strictEqual', 'strictEqual', Object.is),
  notStrictEqual: checking('notStrictEqual', 'notStrictEqual', (a, b) => !Object.is(a, b)),
  throws: function throws(fn: any, ...args: any[]): void {
    expectsError(throws, thrownBy(fn), args);
  },
  rejects: async function rejects(promiseFn: any, ...args: any[]): Promise<void> {
    expectsError(rejects, await rejectionOf(promiseFn), args);
  },
  doesNotThrow: function doesNotThrow(fn: any, ...args: any[]): void {
    expectsNoError(doesNotThrow, thrownBy(fn), args[0], args[1]);
  },
  doesNotReject: async function doesNotReject(fn: any, ...args: any[]): Promise<void> {
    expectsNoError(doesNotReject, await rejectionOf(fn), args[0], args[1]);
  },
  ifError,
  match: function match(s: any, regexp: any, message?: any): void {
    internalMatch(s, regexp, message, match);
  },
  doesNotMatch: function doesNotMatch(s: any, regexp: any, message?: any): void {
    internalMatch(s, regexp, message, doesNotMatch);
  },
});
assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;

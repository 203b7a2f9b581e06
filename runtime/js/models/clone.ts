// structuredClone.
import { DOMException } from './domexception';
import { host } from './internal/host';
import { native, unsupported } from './internal/errors';
import { types } from './internal/types';

const errors: Record<string, any> = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

// behind is what a Proxy stands for.
function behind(p: any): any {
  return types.isProxy(p) ? behind((globalThis as any).$proxy(p)[0]) : p;
}

function refuse(what: any): never {
  const kept = Array.isArray(what) || types.isGeneratorObject(what) ? Object.prototype.toString.call(what) : '#<' + (what.constructor?.name ?? 'Object') + '>';
  throw new DOMException(`${typeof what === 'function' || typeof what === 'symbol' ? String(what) : kept} could not be cloned.`, 'DataCloneError');
}

const isObject = (x: any): boolean => (typeof x === 'object' && x !== null) || typeof x === 'function';

export function structuredClone(value: any, options?: any): any {
  if (arguments.length === 0) throw native(TypeError, 'ERR_MISSING_ARGS', 'The value argument must be specified');
  if (options !== undefined && options !== null && !isObject(options)) throw native(TypeError, 'ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
  const transfer = options?.transfer ?? [];
  if (!isObject(transfer)) throw native(TypeError, 'ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
  if (transfer.length > 0) unsupported('structuredClone with what it transfers');
  return copy(value, new Map());
}

const bytesOf = host.lift((b: any): any => {
  const C = types.isUint8Array(b) ? Uint8Array : b.constructor;
  return new C(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength));
});

function copy(x: any, seen: Map<any, any>): any {
  if (typeof x === 'function' || typeof x === 'symbol') refuse(x);
  if (typeof x !== 'object' || x === null) return x;
  if (seen.has(x)) return seen.get(x);
  if (types.isProxy(x)) refuse(behind(x));
  const keep = (y: any) => {
    seen.set(x, y);
    return y;
  };
  if (Array.isArray(x)) return fields(x, keep(new Array(x.length)), seen);
  if (types.isDate(x)) return keep(new Date(x.getTime()));
  if (types.isRegExp(x)) return keep(new RegExp(x.source, x.flags));
  if (types.isMap(x)) {
    const m = keep(new Map());
    const all = [...x];
    for (const [k, v] of all) m.set(copy(k, seen), copy(v, seen));
    return m;
  }
  if (types.isSet(x)) {
    const s = keep(new Set());
    for (const v of [...x]) s.add(copy(v, seen));
    return s;
  }
  if (types.isArrayBuffer(x)) return keep(x.slice(0));
  if (host.group.is(x) || ArrayBuffer.isView(x)) return keep(bytesOf(x));
  if (x instanceof Error) {
    const C = errors[x.name] ?? Error;
    const e = keep(Object.create(C.prototype));
    for (const k of ['stack', 'message', 'cause']) if (Object.hasOwn(x, k)) Object.defineProperty(e, k, { value: copy((x as any)[k], seen), writable: true, configurable: true });
    return e;
  }
  if (types.isKeyObject(x) || types.isCryptoKey(x)) unsupported('structuredClone of a key');
  if (types.isBoxedPrimitive(x)) return keep(Object(x.valueOf()));
  if (types.isPromise(x) || types.isWeakMap(x) || types.isWeakSet(x) || types.isGeneratorObject(x)) refuse(x);
  return fields(x, keep({}), seen);
}

function fields(from: any, to: any, seen: Map<any, any>): any {
  for (const k of Object.keys(from)) to[k] = copy(from[k], seen);
  return to;
}

// Deep equality as Node 20's assert and util.isDeepStrictEqual have it. Node's own would take
// what watches shared state for a difference, and read that state unseen; so both builds
// have this.
import { types } from './inspect';

// What kinds of members are compared beside properties.
type Members = 'none' | 'array' | 'set' | 'map';

// Pairs that are being compared, by their objects: what refers to itself is equal
// if nothing else differs.
interface Memo {
  set: Set<any> | undefined;
  a: any;
  b: any;
  c: any;
  d: any;
  deep: boolean;
  deleteFailures: boolean;
}

const enumerable = (o: any, k: PropertyKey): boolean => Object.prototype.propertyIsEnumerable.call(o, k);

function bytes(b: any): Buffer {
  if (Buffer.isBuffer(b)) return b;
  return ArrayBuffer.isView(b) ? Buffer.from(b.buffer as ArrayBuffer, b.byteOffset, b.byteLength) : Buffer.from(b);
}

const sameBytes = (a: any, b: any): boolean => a.byteLength === b.byteLength && Buffer.compare(bytes(a), bytes(b)) === 0;

function sameFloats(a: any, b: any): boolean {
  if (a.byteLength !== b.byteLength) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const boxed = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'];

function sameBoxed(a: any, b: any): boolean {
  for (const k of boxed) {
    const is = types[`is${k}Object`];
    if (is(a)) return is(b) && Object.is(a.valueOf(), b.valueOf());
  }
  return false;
}

const isError = (x: any): boolean => types.isNativeError(x) || x instanceof Error;

// besides are the enumerable keys of an array that are no indexes.
function besides(o: any, strict: boolean): PropertyKey[] {
  const keys: PropertyKey[] = Object.keys(o).filter((k) => !/^(0|[1-9][0-9]*)$/.test(k));
  return strict ? keys.concat(Object.getOwnPropertySymbols(o).filter((k) => enumerable(o, k))) : keys;
}

function equal(a: any, b: any, strict: boolean, memo?: Memo): boolean {
  if (a === b) return a !== 0 || Object.is(a, b) || !strict;
  if (strict) {
    if (typeof a === 'number') return Number.isNaN(a) && Number.isNaN(b);
    if (typeof b !== 'object' || typeof a !== 'object' || a === null || b === null || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  } else {
    if (a === null || typeof a !== 'object') {
      if (b === null || typeof b !== 'object') return a == b || (Number.isNaN(a) && Number.isNaN(b));
      return false;
    }
    if (b === null || typeof b !== 'object') return false;
  }
  const tag = Object.prototype.toString.call(a);
  if (tag !== Object.prototype.toString.call(b)) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b)) return false;
    // First of all, because it reads arrays that are shared.
    const keys = besides(a, strict);
    const others = besides(b, strict);
    return a.length === b.length && keys.length === others.length && members(a, b, strict, memo, 'array', keys);
  }
  if (tag === '[object Object]') return members(a, b, strict, memo, 'none');
  if (types.isDate(a)) {
    if (!types.isDate(b) || Date.prototype.getTime.call(a) !== Date.prototype.getTime.call(b)) return false;
  } else if (types.isRegExp(a)) {
    if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false;
  } else if (types.isArrayBufferView(a)) {
    if (a[Symbol.toStringTag] !== b[Symbol.toStringTag]) return false;
    if (!strict && (types.isFloat32Array(a) || types.isFloat64Array(a)) ? !sameFloats(a, b) : !sameBytes(a, b)) return false;
    const keys = besides(a, strict);
    return keys.length === besides(b, strict).length && members(a, b, strict, memo, 'none', keys);
  } else if (types.isSet(a)) return types.isSet(b) && a.size === b.size && members(a, b, strict, memo, 'set');
  else if (types.isMap(a)) return types.isMap(b) && a.size === b.size && members(a, b, strict, memo, 'map');
  else if (types.isAnyArrayBuffer(a)) {
    if (!types.isAnyArrayBuffer(b) || !sameBytes(a, b)) return false;
  } else if (isError(a)) {
    if (!isError(b)) return false;
    for (const k of ['message', 'name']) if (enumerable(a, k) !== enumerable(b, k) || (!enumerable(a, k) && a[k] !== b[k])) return false;
    for (const k of ['cause', 'errors']) if (enumerable(a, k) !== enumerable(b, k) || (!enumerable(a, k) && !equal(a[k], b[k], strict, memo))) return false;
  } else if (types.isBoxedPrimitive(a)) {
    if (!sameBoxed(a, b)) return false;
  } else if (Array.isArray(b) || types.isArrayBufferView(b) || types.isSet(b) || types.isMap(b) || types.isDate(b) || types.isRegExp(b) || types.isAnyArrayBuffer(b) || types.isBoxedPrimitive(b) || isError(b)) return false;
  else if (types.isKeyObject(a)) {
    if (!types.isKeyObject(b) || !a.equals(b)) return false;
  } else if (a instanceof URL) {
    if (!(b instanceof URL) || a.href !== b.href) return false;
  }
  return members(a, b, strict, memo, 'none');
}

// members compares properties, and elements; besideKeys are those of what has elements.
function members(a: any, b: any, strict: boolean, memo: Memo | undefined, of: Members, besideKeys?: PropertyKey[]): boolean {
  const keys = besideKeys ?? (Object.keys(a) as PropertyKey[]);
  for (const k of keys) if (!enumerable(b, k)) return false;
  if (besideKeys === undefined) {
    if (keys.length !== Object.keys(b).length) return false;
    if (strict && !symbols(a, b, keys)) return false;
  }
  if (keys.length === 0 && (of === 'none' || (of === 'array' ? a.length : a.size) === 0)) return true;
  if (memo === undefined) return contents(a, b, strict, keys, { set: undefined, a, b, c: undefined, d: undefined, deep: false, deleteFailures: false }, of);
  if (memo.set === undefined) {
    if (!memo.deep) {
      if (memo.a === a && memo.b === b) return true;
      memo.c = a;
      memo.d = b;
      memo.deep = true;
      const r = contents(a, b, strict, keys, memo, of);
      memo.deep = false;
      return r;
    }
    memo.set = new Set([memo.a, memo.b, memo.c, memo.d]);
  }
  const { set } = memo;
  const before = set.size;
  set.add(a);
  set.add(b);
  if (before === set.size) return true;
  const r = contents(a, b, strict, keys, memo, of);
  if (r || memo.deleteFailures) {
    set.delete(a);
    set.delete(b);
  }
  return r;
}

// symbols compares which symbols are keys, and adds a's to keys.
function symbols(a: any, b: any, keys: PropertyKey[]): boolean {
  const ofA = Object.getOwnPropertySymbols(a);
  let count = 0;
  for (const k of ofA) {
    if (enumerable(a, k) !== enumerable(b, k)) return false;
    if (enumerable(a, k)) {
      keys.push(k);
      count++;
    }
  }
  const ofB = Object.getOwnPropertySymbols(b);
  return ofA.length === ofB.length && ofA.length > 0 ? true : ofB.filter((k) => enumerable(b, k)).length === count;
}

function contents(a: any, b: any, strict: boolean, keys: PropertyKey[], memo: Memo, of: Members): boolean {
  for (const k of keys) if (!equal(a[k], b[k], strict, memo)) return false;
  if (of === 'array') return elements(a, b, strict, memo);
  if (of === 'set') return sets(a, b, strict, memo);
  return of !== 'map' || maps(a, b, strict, memo);
}

function elements(a: any, b: any, strict: boolean, memo: Memo): boolean {
  for (let i = 0; i < a.length; i++) {
    if (Object.hasOwn(a, i)) {
      if (!Object.hasOwn(b, i) || !equal(a[i], b[i], strict, memo)) return false;
    } else if (Object.hasOwn(b, i)) return false;
    else {
      // From the first hole on, by keys.
      const keys = Object.keys(a);
      for (; i < keys.length; i++) if (!Object.hasOwn(b, keys[i]) || !equal(a[keys[i]], b[keys[i]], strict, memo)) return false;
      return keys.length === Object.keys(b).length;
    }
  }
  return true;
}

// loose tells whether something may be loosely equal to a primitive that a Set or Map lacks:
// undefined if that can only be what it returns as `instead`.
function loose(x: any): { instead: any } | boolean {
  switch (typeof x) {
    case 'undefined':
      return { instead: null };
    case 'object': // null
      return { instead: undefined };
    case 'symbol':
      return false;
    case 'string':
    case 'number':
      return !Number.isNaN(+x);
  }
  return true;
}

function mayHaveLoose(a: Set<any>, b: Set<any>, x: any): boolean {
  const l = loose(x);
  return typeof l === 'boolean' ? l : b.has(l.instead) && !a.has(l.instead);
}

function mayMapLoose(a: Map<any, any>, b: Map<any, any>, k: any, v: any, memo: Memo): boolean {
  const l = loose(k);
  if (typeof l === 'boolean') return l;
  const other = b.get(l.instead);
  if ((other === undefined && !b.has(l.instead)) || !equal(v, other, false, memo)) return false;
  return !a.has(l.instead) && equal(v, other, false, memo);
}

// takeEqual takes from a set what passes, if anything does.
function takeEqual(set: Set<any>, memo: Memo, passes: (x: any) => boolean): boolean {
  const { deleteFailures } = memo;
  memo.deleteFailures = true;
  let found = false;
  for (const x of set) {
    if (passes(x)) {
      set.delete(x);
      found = true;
      break;
    }
  }
  memo.deleteFailures = deleteFailures;
  return found;
}

const isObject = (x: any): boolean => typeof x === 'object' && x !== null;

function sets(a: Set<any>, b: Set<any>, strict: boolean, memo: Memo): boolean {
  // What has to be compared pair by pair.
  let rest: Set<any> | null = null;
  for (const x of a) {
    if (b.has(x)) continue;
    if (!isObject(x) && (strict || !mayHaveLoose(a, b, x))) return false;
    if (rest === null) {
      if (b.size === 1) return equal(x, b.values().next().value, strict, memo);
      rest = new Set();
    }
    rest.add(x);
  }
  if (rest === null) return true;
  for (const y of b) {
    if ((isObject(y) || !strict) && !a.has(y) && !takeEqual(rest, memo, (x) => equal(x, y, strict, memo))) return false;
  }
  return rest.size === 0;
}

function maps(a: Map<any, any>, b: Map<any, any>, strict: boolean, memo: Memo): boolean {
  let rest: Set<any> | null = null;
  for (const [k, v] of a) {
    if (isObject(k)) {
      if (rest === null) {
        if (b.size === 1) {
          const [k2, v2] = b.entries().next().value!;
          return equal(k, k2, strict, memo) && equal(v, v2, strict, memo);
        }
        rest = new Set();
      }
      rest.add(k);
    } else {
      const v2 = b.get(k);
      if ((v2 === undefined && !b.has(k)) || !equal(v, v2, strict, memo)) {
        if (strict || !mayMapLoose(a, b, k, v, memo)) return false;
        rest ??= new Set();
        rest.add(k);
      }
    }
  }
  if (rest === null) return true;
  for (const [k, v] of b) {
    if (!isObject(k) && (strict || (a.has(k) && equal(a.get(k), v, false, memo)))) continue;
    if (!takeEqual(rest, memo, (x) => equal(x, k, strict, memo) && equal(a.get(x), v, strict, memo))) return false;
  }
  return rest.size === 0;
}

export function isDeepEqual(a: any, b: any): boolean {
  return equal(a, b, false);
}

// (Of two, as util has it.)
export function isDeepStrictEqual(a: any, b: any): boolean {
  return equal(a, b, true);
}

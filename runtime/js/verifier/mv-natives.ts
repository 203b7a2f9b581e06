// Replacing natives. A native function may be left alone if every multivalue
// that reaches it is either passed on whole or converted (which diverges); all
// others are replaced by one that knows multivalues. Whatever nobody thought of
// gets a guard that diverges.
import { anyMV, diverge, isMV, lane, MV, native, norm, project, state } from './mv-core';
import { isGuestProxy, nativeFunctions, setVariant } from './mv-dispatch';
import { collect, perLane } from './mv-errors';

// The native that a replacement stands for: Function.prototype.toString shows it.
const replaced = new native.Map<Function, Function>();
const isReplacement = new native.WeakSet<Function>();

export function nativeOf(f: any): any {
  for (let n = replaced.get(f); n !== undefined; n = replaced.get(f)) f = n;
  return f;
}

// The texts of the program's functions are those of the build, and each build has its own. What is made of them
// can differ from what the server made without anybody lying.
const texts = new native.Set<string>();

function noted(text: string): string {
  if (texts.size < 1000 && !/\{ \[native code\] \}$/.test(text)) texts.add(text);
  return text;
}

// noteMessage does so for an error of the engine's own that shows a function.
export function noteMessage(message: any): void {
  if (typeof message === 'string' && /=>|[{]/.test(message)) noted(message);
}

// showsFunction tells whether the text of a function that the program asked for is in s.
export function showsFunction(s: string): boolean {
  for (const text of texts) if (s.includes(text) || s.includes(JSON.stringify(text).slice(1, -1))) return true;
  return false;
}

// disguise makes g look like the native f.
export function disguise<F extends Function>(f: Function, g: F): F {
  native.define(g, 'name', { value: f.name, configurable: true });
  native.define(g, 'length', { value: f.length, configurable: true });
  replaced.set(g, f);
  isReplacement.add(g);
  nativeFunctions.add(g);
  return g;
}

// constructorNamed makes a constructor that calls make(arguments, new.target, itself, its receiver).
// The engine shows a function's name as its text has it, so the text is made here.
export function constructorNamed(name: string, make: (args: any[], target: any, self: any, receiver: any) => any): any {
  return native.construct(native.Function, ['make', `'use strict'; const c = { ${name}: function (...args) { return make(args, new.target, c, this); } }.${name}; return c;`])(make);
}

// replace puts g, disguised, in the place of o[k].
export function replace(o: any, k: PropertyKey, g: Function): void {
  const d = native.getOwn(o, k)!;
  native.define(o, k, { ...d, value: disguise(d.value, g) });
}

// patch replaces o[k] by what make does to it, if the engine has it.
export function patch(o: any, k: PropertyKey, make: (f: any) => Function): void {
  if (o === undefined) return;
  const d = native.getOwn(o, k);
  const f = d?.value;
  if (typeof f === 'function' && d!.configurable && !isReplacement.has(f)) replace(o, k, make(f));
}

// underlie puts what make makes of the native o[k], or of what sets it, under all that may
// replace it later.
export function underlie(o: any, k: PropertyKey, make: (f: any) => Function): void {
  const d = native.getOwn(o, k);
  const f = d?.set ?? d?.value;
  if (typeof f !== 'function') return;
  const g = make(f);
  native.define(g, 'name', { value: f.name, configurable: true });
  native.define(g, 'length', { value: f.length, configurable: true });
  replaced.set(g, f);
  native.define(o, k, f === d!.set ? { ...d, set: g as any } : { ...d, value: g });
}

export function variant(o: any, k: PropertyKey, make: (f: any) => Function): void {
  const f = native.getOwn(o, k)?.value;
  if (typeof f === 'function') setVariant(f, disguise(f, make(f)));
}

// method gives a function without a prototype, that `new` refuses, like the natives.
export function method(f: (t: any, args: IArguments) => any): Function {
  return {
    m(this: any): any {
      return f(this, arguments);
    },
  }.m;
}

export const enum How {
  Pure, // may run for each lane by itself
  Mutates, // changes its receiver
}

// laneCall runs a native for each lane.
export function laneCall(f: Function, t: any, args: ArrayLike<any>, how: How): any {
  if (state.L >= 0) return native.apply(f, project(t), laneArgs(args, state.L));
  if (how === How.Mutates && (isMV(t) ? !t.$own : true)) diverge(`${f.name} of objects that differ by lane, or with arguments that do`);
  return perLane((i) => native.apply(f, lane(t, i), laneArgs(args, i)), true);
}

export function laneArgs(args: ArrayLike<any>, i: number): any[] {
  const a = new native.Array(args.length);
  for (let j = 0; j < a.length; j++) a[j] = lane(args[j], i);
  return a;
}

// lanewise is a native that looks at nothing but its receiver and arguments.
export function lanewise(f: any, how: How): Function {
  return {
    m(this: any): any {
      if (state.N === 1) return native.apply(f, this, arguments);
      if ((typeof this === 'object' && this instanceof MV) || anyMV(arguments)) return laneCall(f, this, arguments, how);
      return native.apply(f, this, arguments);
    },
  }.m;
}

// unary and binary are lanewise for hot functions: they do not make an arguments object.
function unary(f: any): Function {
  return {
    m(this: any, x: any): any {
      if (typeof x !== 'object' || state.N === 1) return f(x);
      return x instanceof MV ? laneCall(f, undefined, [x], How.Pure) : f(x);
    },
  }.m;
}

// guarded is for natives that nobody has thought about.
export function guarded(f: any): Function {
  return {
    m(this: any): any {
      if (state.N > 1) {
        if (state.L >= 0) return native.apply(f, project(this), laneArgs(arguments, state.L));
        if (isMV(this) || anyMV(arguments) || nested(arguments)) diverge(`${f.name} with a value that differs by lane`);
      }
      return native.apply(f, this, arguments);
    },
  }.m;
}

// nested looks one level into arguments that hold options.
export function nested(args: ArrayLike<any>): boolean {
  for (let i = 0; i < args.length; i++) {
    const x = args[i];
    if (typeof x !== 'object' || x === null) continue;
    if (isGuestProxy(x)) return true;
    const proto = native.getProto(x);
    if (proto !== native.Object.prototype && proto !== null && !native.isArray(x)) continue;
    for (const k of native.keys(x)) {
      const d = native.getOwn(x, k);
      if (d !== undefined && 'value' in d && isMV(d.value)) return true;
    }
  }
  return false;
}

// options is lanewise for natives that also take an object with options.
function options(f: any): Function {
  return {
    m(this: any): any {
      if (state.N > 1) {
        if (state.L < 0 && nested(arguments)) diverge(`${f.name} with options that differ by lane`);
        if (isMV(this) || anyMV(arguments)) return laneCall(f, this, arguments, How.Pure);
      }
      return native.apply(f, this, arguments);
    },
  }.m;
}

// zip makes one array of the group out of fresh arrays, one per lane.
export function zip(r: any[]): any {
  const n = r[0].length;
  for (let i = 1; i < r.length; i++) if (r[i].length !== n) return norm(r, true);
  const out = new native.Array(n);
  for (let j = 0; j < n; j++) {
    const column = new native.Array(r.length);
    for (let i = 0; i < r.length; i++) column[i] = r[i][j];
    out[j] = norm(column);
  }
  return out;
}

export function zipLanes(f: (i: number) => any[]): any {
  return zip(collect(f));
}

function each(o: any, how: (f: any) => Function, names: string): void {
  for (const k of names.split(' ')) patch(o, k, how);
}

const setter = /^(set|fill|reverse|sort|copyWithin|resize|transfer|add|sub|and|or|xor|exchange|compareExchange|store|wait|notify)/;

// installSimple replaces the natives whose rule is simple; the special ones are
// in place before. rest names what stays as it is, and why is in its own file.
export function installSimple(stay: Set<Function>): void {
  const g: any = globalThis;
  const pure = (f: any): Function => lanewise(f, How.Pure);
  each(Math, unary, 'abs acos acosh asin asinh atan atanh cbrt ceil clz32 cos cosh exp expm1 floor fround log log10 log1p log2 round sign sin sinh sqrt tan tanh trunc');
  each(Math, pure, 'atan2 hypot imul max min pow');
  each(Number, unary, 'isFinite isInteger isNaN isSafeInteger');
  each(g, unary, 'isFinite isNaN decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape');
  each(Number.prototype, pure, 'toExponential toFixed toPrecision toString valueOf');
  each(Boolean.prototype, pure, 'toString valueOf');
  each(g, pure, 'parseInt parseFloat');
  patch(Number, 'parseInt', () => g.parseInt);
  patch(Number, 'parseFloat', () => g.parseFloat);
  each(String, pure, 'fromCharCode fromCodePoint');
  each(BigInt, pure, 'asIntN asUintN');
  each(BigInt.prototype, pure, 'toString valueOf');
  each(Date, pure, 'parse UTC');
  for (const k of native.ownKeys(Date.prototype)) {
    if (k === 'constructor' || k === Symbol.toPrimitive) continue;
    const name = native.String(k as any);
    patch(Date.prototype, k, (f) => (name.startsWith('set') ? lanewise(f, How.Mutates) : name.startsWith('toLocale') ? options(f) : pure(f)));
  }
  if (native.hasOwn(Date.prototype, 'toGMTString')) native.define(Date.prototype, 'toGMTString', { value: Date.prototype.toUTCString, writable: true, enumerable: false, configurable: true });
  each(Number.prototype, options, 'toLocaleString');
  each(BigInt.prototype, options, 'toLocaleString');
  patch(ArrayBuffer, 'isView', pure);
  const typed = native.getProto(Uint8Array.prototype);
  const binary = [typed, ArrayBuffer.prototype, DataView.prototype, g.SharedArrayBuffer?.prototype];
  for (const o of binary) {
    if (o === undefined) continue;
    for (const k of native.ownKeys(o)) {
      if (k === 'constructor' || typeof k === 'symbol') continue;
      if (/^(every|filter|find|forEach|map|reduce|some|entries|keys|values|toLocaleString|toSorted)/.test(k)) continue;
      patch(o, k, (f) => lanewise(f, setter.test(k) ? How.Mutates : How.Pure));
    }
  }
  walk((o, k, f) => {
    if (!stay.has(f) && !isReplacement.has(f) && !isConstructor(f)) patch(o, k, guarded);
  });
}

function isConstructor(f: any): boolean {
  return native.hasOwn(f, 'prototype') || f === native.Proxy || f === native.Function.prototype;
}

// walk visits every function of the realm that a program can reach by name.
export function walk(visit: (o: any, k: PropertyKey, f: Function) => void): void {
  const seen = new native.Set<any>();
  const go = (o: any): void => {
    if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) return;
    seen.add(o);
    for (const k of native.ownKeys(o)) {
      const d = native.getOwn(o, k);
      if (d === undefined) continue;
      for (const x of [d.value, d.get, d.set]) {
        if (typeof x === 'function') visit(o, k, x);
        go(x);
      }
    }
    go(native.getProto(o));
  };
  for (const root of roots()) go(root);
}

function roots(): any[] {
  const g: any = globalThis;
  const r: any[] = [];
  for (const k of ('Object Function Array Number parseFloat parseInt Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ' +
    'ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array ' +
    'Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect ' +
    'SharedArrayBuffer Atomics decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN Iterator WebAssembly').split(' ')) {
    if (g[k] !== undefined) r.push(g[k]);
  }
  r.push(
    native.getProto([][Symbol.iterator]()),
    native.getProto(new Map()[Symbol.iterator]()),
    native.getProto(new Set()[Symbol.iterator]()),
    native.getProto(''[Symbol.iterator]()),
    native.getProto('a'.matchAll(/a/g)),
    native.getProto(function* () {}.prototype),
    native.getProto(function* () {}),
    native.getProto(async function () {}),
    native.getProto(async function* () {}.prototype),
    native.getProto(async function* () {}),
  );
  return r;
}

// noteNatives remembers every function of the engine.
export function noteNatives(): void {
  walk((_o, _k, f) => nativeFunctions.add(f));
}

// installFunctions: what programs can ask functions for.
export function installFunctions(): void {
  const FP: any = Function.prototype;
  patch(FP, 'toString', (f) =>
    method((t, args) => {
      if (state.N > 1 && isMV(t)) return laneCall(f, t, args, How.Pure);
      return noted(native.apply(f, nativeOf(t), []));
    }),
  );
}

// Code that a package makes from text while it runs: templates, formats of logs.
// Nobody could instrument it, so it runs as it is. Each function that is made so, or
// by such a function, is handed to the program inside one that tells the build before
// it runs, because what it cannot see must be ruled out.
import * as asyncness from './asyncness';
import { standInText } from './native-text';
import { T } from './tracked';

export interface Watch {
  // enter is told that a made function was called, before anything is looked at.
  enter(): void;
  // before is told with what it will run.
  before(text: string, args: any[]): void;
}

const NativeFunction = Function;
const NativeGenerator = Object.getPrototypeOf(function* () {}).constructor as Function;
const NativeProxy = Proxy;
const nativeText = Function.prototype.toString;
const watched = new WeakMap<Function, Function>(); // what the program holds, and what runs

// textOf is the code without its strings and comments, which are often whole pages.
export function codeOf(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|\/\*[^]*?\*\/|\/\/[^\n]*/g, '""');
}

// copied gives made code copies of shared arrays, its arguments and what they hold,
// because their elements can only be watched in code that was instrumented.
function copied(x: any): any {
  if (typeof x !== 'object' || x === null) return x;
  if (isShared(x)) return x.slice();
  let copy: any = null;
  for (const k of Object.keys(x)) {
    const d = Object.getOwnPropertyDescriptor(x, k)!;
    if (!('value' in d) || !isShared(d.value)) continue;
    copy ??= Object.create(Object.getPrototypeOf(x), Object.getOwnPropertyDescriptors(x));
    Object.defineProperty(copy, k, { ...d, value: d.value.slice() });
  }
  return copy ?? x;
}

function isShared(x: any): boolean {
  return Array.isArray(x) && (x as any)[T] !== undefined;
}

// named has a function's instances lead to what the program knows it by.
function named(f: Function, known: Function): void {
  const own = Object.getOwnPropertyDescriptor(f, 'prototype');
  if (own === undefined || own.value === null || typeof own.value !== 'object') return;
  const back = Object.getOwnPropertyDescriptor(own.value, 'constructor');
  if (back !== undefined && back.value === f && back.configurable === true) Object.defineProperty(own.value, 'constructor', { ...back, value: known });
}

// guestFunction stands for Function in the program, and others like it for the
// constructors of the other kinds of functions, which inherit from it.
export function guestFunction(watch: Watch): Function {
  const within = (f: Function, text: string): Function => {
    const run = (args: any[], call: (args: any[]) => any): any => {
      watch.enter();
      args = args.map(copied);
      watch.before(text, args);
      const r = call(args);
      // A function that was made in there is no more known than the one that made it.
      return typeof r === 'function' && !watched.has(r) && text.includes(Reflect.apply(nativeText, r, [])) ? within(r, text) : r;
    };
    // A Proxy, because such code also talks to the program by the function's properties.
    const w: Function = new NativeProxy(f, {
      apply: (_f, self, args) => run(args, (a) => Reflect.apply(f, self, a)),
      construct: (_f, args, target) => run(args, (a) => Reflect.construct(f, a, target === w ? f : target)),
    });
    watched.set(w, f);
    named(f, w);
    return w;
  };
  const constructorLike = (native: Function, name: string, before: string): Function => {
    const guest: any = function (...args: any[]) {
      const target = new.target === guest || new.target === undefined ? native : new.target;
      return within(Reflect.construct(native, args, target), before + args.map(String).join('\n'));
    };
    Object.defineProperty(guest, 'name', { value: name });
    Object.defineProperty(guest, 'length', { value: 1 });
    Object.defineProperty(guest, 'prototype', { value: native.prototype, writable: false });
    return guest;
  };
  const guest = constructorLike(NativeFunction, 'Function', '');
  Object.defineProperty(NativeFunction.prototype, 'constructor', { value: guest, writable: true, configurable: true });
  const kind = (native: Function, name: string, before: string): Function => {
    const like = Object.setPrototypeOf(constructorLike(native, name, before), guest);
    Object.defineProperty(native.prototype, 'constructor', { value: like, writable: false, enumerable: false, configurable: true });
    return like;
  };
  kind(NativeGenerator, 'GeneratorFunction', 'yield ');
  asyncness.install(kind(asyncness.NativeAsync, 'AsyncFunction', 'async '), kind(asyncness.NativeAsyncGenerator, 'AsyncGeneratorFunction', 'async '));
  showText();
  return guest;
}

// showText has the functions that were made tell their own text, and those that stand for the engine's that of these.
function showText(): void {
  const text = NativeFunction.prototype.toString; // the verifier's own, where there is one
  const { toString } = {
    toString(this: any): string {
      return standInText(this) ?? Reflect.apply(text, watched.get(this) ?? this, []);
    },
  };
  Object.defineProperty(NativeFunction.prototype, 'toString', { value: toString, writable: true, enumerable: false, configurable: true });
}

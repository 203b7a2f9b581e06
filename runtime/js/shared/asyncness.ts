// The bundler makes plain functions of async ones, but programs ask which they are:
// by Object.prototype.toString, Symbol.toStringTag, their constructor, or util.types.
// What they were is in their text.
const { apply, defineProperty } = Reflect;
const { get, has, set } = WeakMap.prototype;
const textOf = Function.prototype.toString;
export const NativeAsync = (async () => {}).constructor as Function;
const asyncPrototype = NativeAsync.prototype;
const { isPrototypeOf } = Object.prototype;

// What begins such a function (asyncness.go).
const lowered = /^(?!class\b)[^{]*\{\s*["']async(\*?)["']/;

const known = new WeakMap<Function, string | undefined>();

// tagOf is 'AsyncFunction' or 'AsyncGeneratorFunction' of what was one.
export function tagOf(f: any): string | undefined {
  if (typeof f !== 'function') return undefined;
  if (apply(has, known, [f])) return apply(get, known, [f]);
  let tag: string | undefined;
  try {
    const m = lowered.exec(apply(textOf, f, []));
    if (m !== null) tag = m[1] === '' ? 'AsyncFunction' : 'AsyncGeneratorFunction';
  } catch {
    // a Proxy has no text
  }
  apply(set, known, [f, tag]);
  return tag;
}

// constructorOf is what the program is told of f.constructor, which is c.
export function constructorOf(f: any, c: any): any {
  return typeof f === 'function' && c === Function.prototype.constructor && tagOf(f) === 'AsyncFunction' ? asyncPrototype.constructor : c;
}

// install answers for functions that have no answer of their own. AsyncFunction is
// what the program takes for their constructor.
export function install(AsyncFunction: Function): void {
  defineProperty(Function.prototype, Symbol.toStringTag, {
    get() {
      return tagOf(this);
    },
    enumerable: false,
    configurable: true,
  });
  defineProperty(asyncPrototype, 'constructor', { value: AsyncFunction, writable: false, enumerable: false, configurable: true });
  defineProperty(AsyncFunction, Symbol.hasInstance, {
    value(f: any) {
      return tagOf(f) === 'AsyncFunction' || (typeof f === 'function' && apply(isPrototypeOf, asyncPrototype, [f]));
    },
  });
}

// The bundler makes plain functions of async ones, but programs ask which they are:
// by Object.prototype.toString, Symbol.toStringTag, their constructor, or util.types.
// What they were is in their text.
const { apply, defineProperty } = Reflect;
const { get, has, set } = WeakMap.prototype;
const textOf = Function.prototype.toString;
export const NativeAsync = (async () => {}).constructor as Function;
export const NativeAsyncGenerator = Object.getPrototypeOf(async function* () {}).constructor as Function;
const prototypes = { AsyncFunction: NativeAsync.prototype, AsyncGeneratorFunction: NativeAsyncGenerator.prototype };
type Kind = keyof typeof prototypes;
const { isPrototypeOf } = Object.prototype;

// What begins such a function (asyncness.go).
const lowered = /^(?!class\b)[^{]*\{\s*["']async(\*?)["']/;

const known = new WeakMap<Function, Kind | undefined>();

// tagOf is 'AsyncFunction' or 'AsyncGeneratorFunction' of what was one.
export function tagOf(f: any): Kind | undefined {
  if (typeof f !== 'function') return undefined;
  if (apply(has, known, [f])) return apply(get, known, [f]);
  let tag: Kind | undefined;
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
  if (typeof f !== 'function' || c !== Function.prototype.constructor) return c;
  const kind = tagOf(f);
  return kind === undefined ? c : prototypes[kind].constructor;
}

// prototypeOf is what the program is told of the prototype of f, which is p.
export function prototypeOf(f: any, p: any): any {
  if (typeof f !== 'function' || p !== Function.prototype) return p;
  const kind = tagOf(f);
  return kind === undefined ? p : prototypes[kind];
}

// install answers for functions that have no answer of their own. The arguments are
// what the program takes for their constructors.
export function install(AsyncFunction: Function, AsyncGeneratorFunction: Function): void {
  defineProperty(Function.prototype, Symbol.toStringTag, {
    get() {
      return tagOf(this);
    },
    enumerable: false,
    configurable: true,
  });
  const recognise = (constructor: Function, kind: Kind): void => {
    defineProperty(constructor, Symbol.hasInstance, {
      value(f: any) {
        return tagOf(f) === kind || (typeof f === 'function' && apply(isPrototypeOf, prototypes[kind], [f]));
      },
    });
  };
  recognise(AsyncFunction, 'AsyncFunction');
  recognise(AsyncGeneratorFunction, 'AsyncGeneratorFunction');
}

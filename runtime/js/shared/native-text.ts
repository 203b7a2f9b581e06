// Programs ask functions for their text to learn whether they are the engine's own:
// lodash does, and does without those that are not. What the builds have put in the
// place of the engine's functions therefore tells the text of those.
const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const text = Function.prototype.toString;
const texts = new WeakMap<Function, string>();
const { get, has, set } = WeakMap.prototype;

// What the language has by itself. (Much of what Node.js adds is written in JavaScript.)
const names =
  'Object Function Array String Number Boolean Symbol BigInt Math Reflect JSON Intl Atomics Date RegExp Map Set WeakMap WeakSet WeakRef FinalizationRegistry Promise Proxy ' +
  'ArrayBuffer SharedArrayBuffer DataView Uint8Array BigInt64Array Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ' +
  'eval parseInt parseFloat isNaN isFinite escape unescape encodeURI encodeURIComponent decodeURI decodeURIComponent';

// noteStandIns is called when everything is replaced and the program has not begun.
export function noteStandIns(): void {
  const seen = new Set<object>();
  const rest: any[] = [];
  for (const name of names.split(' ')) {
    const x = (globalThis as any)[name];
    if (typeof x === 'function') note(x, name);
    rest.push(x);
  }
  rest.push([].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/x/g), function* () {}, async function* () {}, async () => {});
  for (let o = rest.pop(); rest.length > 0 || o !== undefined; o = rest.pop()) {
    if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) continue;
    seen.add(o);
    rest.push(getPrototypeOf(o));
    for (const k of ownKeys(o)) {
      const d = getOwnPropertyDescriptor(o, k)!;
      const name = typeof k === 'symbol' ? `[${k.description}]` : k;
      if (typeof d.value === 'object' || typeof d.value === 'function') rest.push(d.value);
      if (k === 'prepareStackTrace') continue; // a program's own, or Node.js's
      if (typeof d.value === 'function') note(d.value, name);
      if (d.get !== undefined) note(d.get, 'get ' + name);
      if (d.set !== undefined) note(d.set, 'set ' + name);
    }
  }
}

// note looks whether f is one of the engine's, which calls it name (or has another name for it, too).
function note(f: Function, name: string): void {
  if (f === Function.prototype) return; // it has no name
  const own = apply(text, f, []);
  if (own === `function ${name}() { [native code] }`) return;
  if (['', 'get', 'set', 'value'].includes(f.name)) defineProperty(f, 'name', { value: name, configurable: true });
  if (!own.endsWith('{ [native code] }') || !own.startsWith(`function ${f.name}(`)) apply(set, texts, [f, `function ${f.name}() { [native code] }`]);
}

// standInText is the text of what stands for one of the engine's functions.
export function standInText(f: any): string | undefined {
  return apply(has, texts, [f]) ? apply(get, texts, [f]) : undefined;
}

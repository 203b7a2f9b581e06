// Collections for the runtime's own use. The realm's natives are replaced by
// ones that look out for multivalues; these keep what they were born with, and
// with it the engine's fast paths. To be loaded before anything is replaced.
function withNatives<C extends { prototype: any }>(to: C, from: any): C {
  for (const k of Reflect.ownKeys(from)) {
    if (k === 'constructor') continue;
    Object.defineProperty(to.prototype, k, Object.getOwnPropertyDescriptor(from, k)!);
  }
  return to;
}

export class RawMap<K, V> extends Map<K, V> {}
withNatives(RawMap, Map.prototype);

export class RawWeakMap<K extends object, V> extends WeakMap<K, V> {}
withNatives(RawWeakMap, WeakMap.prototype);
export const { isArray } = Array;
// The natives as they were.
export const natives = { Array, Map, Set, WeakMap, Date, ArrayBuffer, SharedArrayBuffer, WeakRef, Promise, Error, Function, Object, Uint8Array, Uint16Array, RegExp, String, is: Object.is, ...bare(Reflect) };

function bare<O extends object>(o: O): O {
  return Object.fromEntries(Object.getOwnPropertyNames(o).map((k) => [k, (o as any)[k]])) as O;
}
// Of before promises are instrumented: what uses it registers nothing.
export const { then } = Promise.prototype;

// Natives that stay as the engine has them although nobody replaces them: a
// multivalue that reaches one is passed on whole, converted (which diverges), or
// refused with a TypeError (which counts as divergence).

export function keep(): Set<Function> {
  const s = new Set<Function>();
  const all = (o: any): void => {
    if (o === undefined || o === null) return;
    for (const k of Reflect.ownKeys(o)) {
      const d = Object.getOwnPropertyDescriptor(o, k)!;
      for (const f of [d.value, d.get, d.set]) if (typeof f === 'function') s.add(f);
    }
  };
  const some = (o: any, names: string): void => {
    for (const k of names.split(' ')) if (typeof o[k] === 'function') s.add(o[k]);
  };
  // Converted, and too often called to be replaced; sites guard their arguments.
  all(String.prototype);
  all(RegExp.prototype);
  // Passed on whole.
  some(Array.prototype, 'push pop shift unshift splice slice map forEach reduce reduceRight entries keys values at with toSpliced toReversed toString');
  s.add(Array.prototype[Symbol.iterator]);
  some(Function.prototype, 'call apply');
  s.add(Function.prototype[Symbol.hasInstance]);
  all(Promise);
  all(Promise.prototype);
  // It asks a multivalue for its Symbol.toStringTag.
  some(Object.prototype, 'toString');
  // Refused: they want an object of their own kind.
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  some(typed, 'forEach map reduce reduceRight entries keys values');
  all(Object.getPrototypeOf(function* () {}.prototype));
  all(Object.getPrototypeOf(async function* () {}.prototype));
  all(Object.getPrototypeOf([][Symbol.iterator]()));
  all(Object.getPrototypeOf(new Map()[Symbol.iterator]()));
  all(Object.getPrototypeOf(new Set()[Symbol.iterator]()));
  all(Object.getPrototypeOf(''[Symbol.iterator]()));
  all(Object.getPrototypeOf('a'.matchAll(/a/g)));
  some(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), 'constructor');
  s.add((Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as any)[Symbol.iterator]);
  // Converted.
  all(Symbol);
  all(Symbol.prototype);
  s.add((Date.prototype as any)[Symbol.toPrimitive]);
  some(String, 'raw');
  some(Object, 'groupBy');
  // They only ever look at what they inherit from.
  const species = (o: any): void => {
    const g = Object.getOwnPropertyDescriptor(o, Symbol.species)?.get;
    if (g !== undefined) s.add(g);
  };
  for (const c of [Array, Map, Set, RegExp, Promise, ArrayBuffer, Object.getPrototypeOf(Uint8Array)]) species(c);
  return s;
}

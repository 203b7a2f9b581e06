// What tracked objects have in place of natives. Both builds have their own, made in the
// same way; each gives the natives as they are before it replaces any.

export interface Natives {
  ownKeys(o: object): PropertyKey[];
  getOwnPropertyDescriptor(o: object, k: PropertyKey): PropertyDescriptor | undefined;
  defineProperty(o: object, k: PropertyKey, d: PropertyDescriptor): unknown;
}

// seal makes proto look like that of the platform's class base; what iterates is its method
// of that name.
export function seal({ ownKeys, getOwnPropertyDescriptor, defineProperty }: Natives, tracked: symbol, proto: any, base: any, iterator: string): void {
  for (const k of ownKeys(proto)) defineProperty(proto, k, { ...getOwnPropertyDescriptor(proto, k)!, enumerable: false });
  defineProperty(proto, 'constructor', { value: base, writable: true, configurable: true });
  defineProperty(proto, Symbol.iterator, { value: proto[iterator], writable: true, configurable: true });
  defineProperty(proto, tracked, { value: true });
}

// completed is what to define a field of a tracked object by so that what d does not say
// stays as it is. The field is one no longer: the object has a property like any other.
export function completed(o: any, k: PropertyKey, d: PropertyDescriptor): PropertyDescriptor {
  return 'value' in d || 'writable' in d ? { value: o[k], writable: true, ...d } : d;
}

// harden makes all fields of a tracked object properties that cannot be written, because
// freezing it would leave its accessors as they are.
export function harden({ ownKeys, getOwnPropertyDescriptor, defineProperty }: Natives, o: any, tracks: (k: PropertyKey) => boolean): void {
  for (const k of ownKeys(o)) {
    const { get, enumerable, configurable } = getOwnPropertyDescriptor(o, k)!;
    if (get !== undefined && tracks(k)) defineProperty(o, k, { value: o[k], writable: false, enumerable, configurable });
  }
}

// lending tells what to call in place of a native that is borrowed for a tracked object:
// Array.prototype.slice.call(list). lent is empty.
export function lending({ ownKeys, getOwnPropertyDescriptor }: Natives, lent: Map<Function, Function>, isTracked: (o: object) => boolean) {
  return {
    // lend gives the methods of `to` to those who borrow those of `from`.
    lend(from: object, to: object): void {
      for (const k of ownKeys(from)) {
        const f = getOwnPropertyDescriptor(from, k)!.value;
        const g = getOwnPropertyDescriptor(to, k)?.value;
        if (typeof f === 'function' && typeof g === 'function' && k !== 'constructor') lent.set(f, g);
      }
    },
    inPlaceOf(f: any, o: any): any {
      const g = typeof o === 'object' && o !== null ? lent.get(f) : undefined;
      return g !== undefined && isTracked(o) ? g : f;
    },
  };
}

// Iteration as the engine does it (for-of, spread, patterns, Array.from): it
// takes `done` of what a program's own iterator yields for a boolean without
// looking into multivalues. Sites hand what they iterate over through here.
import { iterates, notIterable, notSpread } from '../shared/iterated';
import { isMV, MV, native, state } from './mv-core';
import { nativeFunctions } from './mv-dispatch';
import { truth } from './mv-ops';

const arrayValues = Array.prototype[Symbol.iterator];

// iterable is x, or something that iterates like x with plain `done`s. text is what the
// program calls it.
export function iterable(x: any, text?: string): any {
  if (text !== undefined && !(x instanceof MV) && !iterates(x)) throw new native.TypeError(notIterable(x, text));
  if (state.N === 1 || typeof x !== 'object' || x === null || x instanceof MV) return x;
  const f = x[Symbol.iterator];
  if (f === arrayValues || typeof f !== 'function') return x;
  if (nativeFunctions.has(f) && nativeNext(x)) return x;
  return {
    [Symbol.iterator]() {
      const it: any = native.apply(f, x, []);
      if (typeof it !== 'object' || it === null || isMV(it)) return it;
      const next = it.next;
      if (nativeFunctions.has(next)) return it;
      const plain: any = {
        next(...a: any[]) {
          const r: any = native.apply(next, it, a);
          if ((typeof r !== 'object' && typeof r !== 'function') || r === null) return r;
          if (!isMV(r) && typeof r.done !== 'object') return r;
          return { done: truth(r.done), value: r.value };
        },
      };
      // The engine asks for these when a loop is left.
      for (const k of ['return', 'throw']) {
        native.define(plain, k, {
          get() {
            const g = it[k];
            if (typeof g !== 'function') return g;
            return (...a: any[]) => native.apply(g, it, a);
          },
          configurable: true,
        });
      }
      return plain;
    },
  };
}

// lastSpread is the same for the last of a call's arguments.
export function lastSpread(x: any, text: string): any {
  if (!(x instanceof MV) && !iterates(x)) throw new native.TypeError(notSpread(x, text));
  return iterable(x);
}

// An iterator that inherits a native [Symbol.iterator] may have a `next` of the program's own.
function nativeNext(x: any): boolean {
  const next = x.next;
  return next === undefined || nativeFunctions.has(next);
}

// Tracked arrays that natives read though they are not the receiver: lists of arguments,
// entries, elements that are arrays themselves. And natives that are called for tracked
// objects without being looked up there: Array.prototype.slice.call(list).
import { values } from '../shared/promises';
import { lending } from '../shared/stand-ins';
import { natives, recOf, stamped } from './track';
import { readArray, TrackedArray } from './track-arrays';
import { TrackedMap, TrackedSet } from './track-collections';
import { ObjectRec, whenTagged } from './track-objects';

const { apply } = Reflect;
const { call: nativeCall, apply: nativeApply } = Function.prototype;
// A Proxy for an array is none of these: its traps would be asked.
const { isArray: isList } = Array;
const isArray = (x: any): x is any[] => values.proxy(x) === undefined && isList(x);

const { lend, inPlaceOf } = lending(natives, new Map(), (o) => stamped(o) !== undefined);

// own is what an object has that a function would have as call or apply.
function own(text: string, f: any, k: string, args: any[]): any {
  const m = f[k];
  if (typeof m !== 'function') throw new TypeError(`${text} is not a function`);
  return apply(m, f, args);
}

// bc and ba are what emitted code says for f.call(…) and f.apply(…); text is what the
// program has before the parenthesis.
export const borrowing = {
  bc(text: string, f: any, ...args: any[]): any {
    if (typeof f !== 'function' || f.call !== nativeCall) return own(text, f, 'call', args);
    return apply(nativeCall, inPlaceOf(f, args[0]), args);
  },
  ba(text: string, f: any, ...args: any[]): any {
    if (typeof f !== 'function' || f.apply !== nativeApply) return own(text, f, 'apply', args);
    if (isArray(args[1])) readArray(args[1]);
    return apply(nativeApply, inPlaceOf(f, args[0]), args);
  },
  // pairs reads the entries that a constructor is given.
  pairs(x: any): any {
    if (isArray(x)) for (let i = 0; i < x.length; i++) if (isArray(x[i])) readArray(x[i]);
    return x;
  },
};

// readNested reads the arrays in an array.
export function readNested(a: any, depth: number): void {
  if (!isArray(a)) return;
  readArray(a);
  if (depth > 0) for (let i = 0; i < a.length; i++) readNested(a[i], depth - 1);
}

// installBorrowing replaces those natives that are seldom called.
export function installBorrowing(replace: (o: any, k: string, f: Function) => void): void {
  const { flat, flatMap } = Array.prototype as any;
  for (const proto of [Array.prototype, TrackedArray.prototype] as any[]) {
    replace(proto, 'flat', {
      m(this: any, depth?: any) {
        readNested(this, depth === undefined ? 1 : Number(depth));
        return apply(flat, this, arguments);
      },
    }.m);
    replace(proto, 'flatMap', {
      m(this: any, f: any, self?: any) {
        if (isArray(this)) readArray(this);
        if (typeof f !== 'function') return apply(flatMap, this, arguments);
        return apply(flatMap, this, [
          (...args: any[]) => {
            const x = apply(f, self, args);
            if (isArray(x)) readArray(x);
            return x;
          },
        ]);
      },
    }.m);
  }
  const { fromEntries } = Object;
  replace(Object, 'fromEntries', {
    m(x: any) {
      return fromEntries(borrowing.pairs(x));
    },
  }.m);
  for (const k of ['apply', 'construct'] as const) {
    const f = Reflect[k] as Function;
    replace(Reflect, k, {
      m(g: any, a: any, b: any) {
        const list = k === 'apply' ? b : a;
        if (isArray(list)) readArray(list);
        if (k === 'apply') arguments[0] = inPlaceOf(g, a);
        return apply(f, Reflect, arguments);
      },
    }.m);
  }
  // The engine asks the Proxy behind a tracked object for its tag as if that were the object.
  // Only where need be: its messages call objects otherwise when this is replaced.
  const { toString } = Object.prototype;
  whenTagged(() =>
    replace(Object.prototype, 'toString', {
      m(this: any) {
        if (!(recOf(this) instanceof ObjectRec)) return apply(toString, this, []);
        const tag = this[Symbol.toStringTag];
        return `[object ${typeof tag === 'string' ? tag : this instanceof Error ? 'Error' : 'Object'}]`;
      },
    }.m),
  );
  lend(Array.prototype, TrackedArray.prototype);
  lend(Map.prototype, TrackedMap.prototype);
  lend(Set.prototype, TrackedSet.prototype);
}

// Arrays. An array of the group may hold multivalues; a multivalue may have
// arrays in its lanes. Searching, joining and callbacks that answer yes or no
// must look into multivalues; the rest passes them on.
import { agree, anyMV, diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, project, state, Tag } from './mv-core';
import { hooks } from './track-hooks';
import { touch } from './mv-touch';
import { isGuestProxy, mvGet, setVariant, taint, toArray } from './mv-dispatch';
import { collect, misused, perLane } from './mv-errors';
import { How, laneArgs, laneCall, lanewise, method, patch, variant, zip } from './mv-natives';
import { plainArray } from './mv-constructors';
import { iterable } from './mv-iterate';
import { add, str, truth, und } from './mv-ops';

const AP: any = Array.prototype;

function holdsMV(a: any): boolean {
  const n = a.length;
  for (let i = 0; i < n; i++) {
    const x = a[i];
    if (typeof x === 'object' && x instanceof MV) return true;
  }
  return false;
}

// view is a group array as lane i sees it.
function view(a: any, i: number): any[] {
  const r = new native.Array(a.length);
  for (let j = 0; j < r.length; j++) if (j in a) r[j] = lane(a[j], i);
  return r;
}

// search replaces indexOf, lastIndexOf and includes.
function search(f: any): Function {
  return {
    m(this: any, x: any): any {
      if (state.N === 1) return native.apply(f, this, arguments);
      if (this === null || this === undefined) return native.apply(f, this, arguments);
      if (state.L >= 0) return native.apply(f, view(project(this), state.L), laneArgs(arguments, state.L));
      if (!isMV(this) && !anyMV(arguments) && !(typeof this === 'object' && holdsMV(this))) return native.apply(f, this, arguments);
      if (isMV(this)) return perLane((i) => native.apply(f, native.isArray(lanesOf(this)[i]) ? view(lanesOf(this)[i], i) : lanesOf(this)[i], laneArgs(arguments, i)));
      return perLane((i) => native.apply(f, view(this, i), laneArgs(arguments, i)));
    },
  }.m;
}

// join, with ToString as the language has it but for multivalues.
const joining: any[] = [];

function join(f: any): Function {
  return {
    m(this: any, separator: any): any {
      if (state.N === 1 || this === null || this === undefined) return native.apply(f, this, arguments);
      if (isMV(this)) {
        if (state.L >= 0) return native.apply(project(this).join, project(this), [project(separator)]);
        const v = lanesOf(this);
        if (v.some((x) => !native.isArray(x) || x.some((y) => typeof y === 'object' && y !== null))) return joinAll(toArray(this), separator);
        return laneCall(f, this, arguments, How.Pure);
      }
      const n = this.length;
      let plain = typeof separator !== 'object' && typeof n === 'number';
      for (let i = 0; plain && i < n; i++) {
        const x = this[i];
        if (typeof x === 'object' && x !== null) plain = false;
      }
      return plain ? native.apply(f, this, arguments) : joinAll(this, separator);
    },
  }.m;
}

function joinAll(a: any, separator: any): any {
  for (let i = 0; i < joining.length; i++) if (joining[i] === a) return '';
  joining[joining.length] = a;
  try {
    const length = isMV(a.length) ? agree(a.length, 'the number of elements') : a.length;
    const n = native.isArray(a) ? length : Math.max(0, Math.trunc(+length) || 0);
    const sep = separator === undefined ? ',' : isMV(separator) ? str(norm(lanesOf(separator).map((s) => (s === undefined ? ',' : s)))) : str(separator);
    let r: any = '';
    for (let i = 0; i < n; i++) {
      if (i > 0) r = add(r, sep);
      const x = a[i];
      if (x !== null && x !== undefined) r = add(r, isMV(x) ? element(x) : str(x));
    }
    return r;
  } finally {
    joining.length--;
  }
}

// element of a join: what is missing is empty.
function element(x: MV): any {
  if (state.L >= 0) {
    const y = project(x);
    return y === null || y === undefined ? '' : str(y);
  }
  if (x.$tag === Tag.String) return x;
  return str(norm(lanesOf(x).map((y) => y ?? '')));
}

// decided wraps a callback whose result is taken for a boolean.
function decided(cb: any): any {
  if (typeof cb !== 'function') return cb;
  if (cb === native.Boolean || cb === (globalThis as any).Boolean) return (x: any) => (typeof x === 'object' ? truth(x) : !!x);
  return function (this: any): any {
    const r = native.apply(cb, this, arguments);
    return typeof r === 'object' ? truth(r) : r;
  };
}

// testing replaces filter, some, every, find and the like.
function testing(f: any): Function {
  return {
    m(this: any, cb: any): any {
      if (state.N === 1) return typeof cb === 'function' ? native.apply(f, this, arguments) : misused(f, this, arguments, cb);
      const a = [decided(callable(cb)), arguments[1]];
      if (!isMV(this)) return native.apply(f, this, a);
      return native.apply(f, receiver(this), wrapThird(a, this));
    },
  }.m;
}

function callable(cb: any): any {
  if (isMV(cb)) diverge('a callback that differs by lane');
  return cb;
}

// receiver: a multivalue of arrays as one array, for callbacks.
function receiver(t: any): any {
  if (state.L >= 0) return project(t);
  for (const x of lanesOf(t)) if (typeof x !== 'object' && typeof x !== 'string') diverge('an array method of values that differ by lane');
  return toArray(t);
}

// wrapThird gives callbacks the multivalue itself as the array they go over.
function wrapThird(a: any[], t: any): any[] {
  const cb = a[0];
  if (typeof cb === 'function') a[0] = function (this: any, x: any, i: any): any { return native.apply(cb, this, [x, i, t]); };
  return a;
}

// calling is the variant of map, forEach and others for receivers that are multivalues.
function calling(f: any): Function {
  return method((t, args) => {
    if (!isMV(t)) return native.apply(f, t, args);
    return native.apply(f, receiver(t), wrapThird([...args], t));
  });
}

function reducing(f: any): Function {
  return method((t, args) => {
    if (!isMV(t)) return native.apply(f, t, args);
    const a = [...args];
    const cb = a[0];
    if (typeof cb === 'function') a[0] = (acc: any, x: any, i: any) => cb(acc, x, i, t);
    return native.apply(f, receiver(t), a);
  });
}

// order: a comparison that all lanes answer alike.
function comparing(cmp: any): any {
  if (cmp === undefined) {
    return (a: any, b: any) => {
      const [x, y] = [str(a), str(b)];
      if (!isMV(x) && !isMV(y)) return x < y ? -1 : x > y ? 1 : 0;
      return sign(perLane((i) => (lane(x, i) < lane(y, i) ? -1 : lane(x, i) > lane(y, i) ? 1 : 0)));
    };
  }
  return function (a: any, b: any): any {
    const r = cmp(a, b);
    return typeof r === 'object' ? sign(r) : r;
  };
}

function sign(r: any): any {
  if (!isMV(r)) return r;
  if (state.L >= 0) return project(r);
  const s = lanesOf(r).map((x) => (x > 0 ? 1 : x < 0 ? -1 : 0));
  for (let i = 1; i < s.length; i++) if (s[i] !== s[0]) divergeBy('the order of two elements', s);
  return s[0];
}

function sorting(f: any): Function {
  return {
    m(this: any, cmp: any): any {
      if (state.N === 1) return typeof cmp === 'function' || cmp === undefined ? native.apply(f, this, arguments) : misused(f, this, arguments, cmp, 'The comparison function must be either a function or undefined');
      callable(cmp);
      if (cmp === undefined && state.L < 0 && native.isArray(this) && holdsMV(this) && texts(this)) return sortedTexts(f, this);
      const sorted = cmp === undefined ? (this !== null && typeof this === 'object' && (isMV(this) || objects(this)) ? comparing(cmp) : undefined) : typeof cmp === 'function' ? comparing(cmp) : cmp;
      // Undefined elements go to the end, unasked.
      if (typeof this === 'object' && this !== null && !isMV(this)) for (let i = 0; i < this.length; i++) if (typeof this[i] === 'object') und(this[i]);
      if (!isMV(this)) return native.apply(f, this, [sorted]);
      if (f !== sort0) {
        const t = receiver(this);
        for (const x of t) und(x);
        return native.apply(f, t, [sorted]);
      }
      if (!this.$own || this.$tag !== Tag.Object) diverge('sort of arrays that differ by lane');
      const t = receiver(this);
      for (const x of t) und(x);
      native.apply(f, t, [sorted]);
      for (let i = 0; i < t.length; i++) taint(t[i]);
      perLane((i) => {
        for (let j = 0; j < t.length; j++) lanesOf(this)[i][j] = lane(t[j], i);
      });
      return this;
    },
  }.m;
}
const sort0 = AP.sort;

// texts: sorting a, which has no holes, asks none of its elements for a text.
function texts(a: any[]): boolean {
  for (let j = 0; j < a.length; j++) {
    if (!(j in a)) return false;
    for (let i = 0; i < state.N; i++) {
      const x = lane(a[j], i);
      if (typeof x === 'symbol' || typeof x === 'function' || (typeof x === 'object' && x !== null)) return false;
    }
  }
  return true;
}

// sortedTexts lets each lane have an order of its own.
function sortedTexts(f: any, a: any[]): any[] {
  const lanes = new native.Array(state.N);
  for (let i = 0; i < state.N; i++) lanes[i] = native.apply(f, view(a, i), []);
  const r = f === sort0 ? touch(a) : new native.Array(a.length);
  for (let j = 0; j < r.length; j++) r[j] = norm(lanes.map((l: any[]) => l[j]));
  return r;
}

function objects(a: any): boolean {
  for (let i = 0; i < a.length; i++) if (typeof a[i] === 'object' && a[i] !== null) return true;
  return false;
}

// spread: what concat and flat do with an element that may be an array.
function spread(x: any): any {
  if (state.N === 1) return x;
  if (!isMV(x)) {
    if (isGuestProxy(x)) diverge('concat or flat of a Proxy');
    if (typeof x === 'object' && x !== null && isMV(x[Symbol.isConcatSpreadable])) diverge('whether concat spreads a value');
    return x;
  }
  if (state.L >= 0) return project(x);
  const v = lanesOf(x);
  const arrays = v.map((y) => native.isArray(y) || (typeof y === 'object' && y !== null && y[Symbol.isConcatSpreadable] === true));
  for (let i = 1; i < arrays.length; i++) if (arrays[i] !== arrays[0]) divergeBy('a value that is an array in some lanes', arrays);
  return arrays[0] ? toArray(x) : x;
}

function concat(f: any): Function {
  return method((t, args) => {
    for (let i = 0; i < args.length; i++) hooks.list(args[i]);
    if (state.N === 1) return native.apply(f, t, args);
    const a = new native.Array(args.length);
    for (let i = 0; i < a.length; i++) a[i] = spreadable(spread(args[i]));
    if (isMV(t) && t.$tag <= Tag.Primitive) diverge('concat of values that are no objects');
    return native.apply(f, spread(t), a);
  });
}

// An MV that is no array is one element; concat would ask it.
function spreadable(x: any): any {
  return isMV(x) ? [x] : x;
}

function flat(f: any): Function {
  return {
    m(this: any, depth: any): any {
      if (state.N === 1 || this === null || this === undefined) {
        hooks.nested(this, depth === undefined ? 1 : Number(depth));
        return native.apply(f, this, arguments);
      }
      if (isMV(depth)) depth = agree(depth, 'the depth of flat');
      const level = (a: any, d: number): any => {
        if (isGuestProxy(a)) diverge('flat of a Proxy');
        hooks.list(a);
        const out: any[] = [];
        for (let i = 0; i < a.length; i++) {
          if (!(i in a)) continue;
          const x = spread(a[i]);
          if (native.isArray(x) && d > 0) for (const y of level(x, d - 1)) out[out.length] = y;
          else out[out.length] = x;
        }
        return out;
      };
      const t = isMV(this) ? receiver(this) : this;
      if (typeof depth === 'object') return native.apply(f, t, arguments);
      return level(t, depth === undefined ? 1 : Math.trunc(+depth) || 0);
    },
  }.m;
}

function flatMap(f: any): Function {
  return {
    m(this: any, cb: any, self: any): any {
      callable(cb);
      const t = this;
      if (typeof cb !== 'function' && state.N === 1) return misused(f, t, arguments, cb, 'flatMap mapper function is not callable');
      const each =
        typeof cb === 'function'
          ? function (this: any, x: any, i: any): any {
              const y = spread(native.apply(cb, self, [x, i, t]));
              hooks.list(y);
              return y;
            }
          : cb;
      return native.apply(f, isMV(t) ? receiver(t) : t, [each]);
    },
  }.m;
}

// mutating is the variant of push, pop and the like: on arrays of lanes only.
function mutating(f: any): Function {
  return method((t, args) => {
    if (state.N === 1 || state.L >= 0) return native.apply(f, project(t), args);
    if (isMV(t)) {
      if (t.$tag !== Tag.Object) diverge(`${f.name} of values that are no arrays`);
      for (let i = 0; i < args.length; i++) taint(args[i]);
      if (t.$own) return perLane((i) => native.apply(f, lanesOf(t)[i], laneArgs(args, i)), true);
      return diverge(`${f.name} of arrays that differ by lane`);
    }
    return native.apply(f, t, args);
  });
}

// copying is the variant of slice and the like: a fresh array for each lane.
function copying(f: any): Function {
  return method((t, args) => {
    if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
    if (state.L >= 0) return native.apply(f, project(t), laneArgs(args, state.L));
    const r = collect((i) => native.apply(f, lane(t, i), laneArgs(args, i)));
    return r.every((x) => native.isArray(x)) ? zip(r) : norm(r);
  });
}

function picking(f: any): Function {
  return method((t, args) => {
    if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
    if (state.L >= 0) return native.apply(f, project(t), laneArgs(args, state.L));
    return perLane((i) => native.apply(f, lane(t, i), laneArgs(args, i)));
  });
}

export function installArrays(): void {
  const typed: any = native.getProto(Uint8Array.prototype);
  const names = (s: string): string[] => s.split(' ');
  for (const k of names('indexOf lastIndexOf includes')) patch(AP, k, search);
  patch(AP, 'join', join);
  for (const o of [AP, typed]) for (const k of names('filter some every find findIndex findLast findLastIndex')) patch(o, k, testing);
  for (const k of names('sort toSorted')) {
    patch(AP, k, sorting);
    patch(typed, k, sorting);
  }
  patch(AP, 'flat', flat);
  patch(AP, 'flatMap', flatMap);
  patch(AP, 'toLocaleString', (f) =>
    method((t, args) => {
      if (state.N > 1 && (isMV(t) || anyMV(args) || (typeof t === 'object' && t !== null && holdsMV(t)))) diverge('toLocaleString of values that differ by lane');
      return native.apply(f, t, args);
    }),
  );
  patch(typed, 'toLocaleString', (f) => lanewise(f, How.Pure));
  for (const k of names('map forEach')) {
    variant(AP, k, calling);
    variant(typed, k, calling);
  }
  for (const k of names('reduce reduceRight')) {
    variant(AP, k, reducing);
    variant(typed, k, reducing);
  }
  for (const k of names('push pop shift unshift splice')) variant(AP, k, mutating);
  for (const k of names('reverse fill copyWithin')) patch(AP, k, mutating); // they return their receiver
  for (const k of names('slice toReversed toSpliced with')) variant(AP, k, copying);
  patch(AP, 'concat', concat);
  variant(AP, 'at', picking);
  for (const k of names('keys values entries')) variant(AP, k, (f) => method((t, args) => native.apply(f, t, args)));
  variant(AP, 'toString', (f) =>
    method((t, args) => {
      if (!isMV(t)) return native.apply(f, t, args);
      return native.apply(AP.join, t, []);
    }),
  );
  patch(Array, 'isArray', (f) => ({
    m(x: any): any {
      if (typeof x !== 'object' || !(x instanceof MV)) return f(x);
      if (state.L >= 0) return f(project(x));
      return x.$tag <= Tag.Primitive ? (lanesOf(x), false) : perLane((i) => f(lanesOf(x)[i]));
    },
  }).m);
  patch(Array, 'from', (f) =>
    method((t, args) => {
      if (state.N === 1) return typeof args[1] === 'function' || args[1] === undefined ? native.apply(f, plainArray(t), args) : misused(f, plainArray(t), args, args[1]);
      const a = [...args];
      a[0] = iterable(a[0]);
      callable(a[1]);
      return native.apply(f, plainArray(t), a);
    }),
  );
  patch(Array, 'of', (f) => method((t, args) => native.apply(f, plainArray(t), args)));
  patch(native.getProto(Uint8Array), 'from', (f) =>
    method((t, args) => {
      if (state.N === 1) return typeof args[1] === 'function' || args[1] === undefined ? native.apply(f, t, args) : misused(f, t, args, args[1]);
      const a = [...args];
      a[0] = iterable(a[0]);
      callable(a[1]);
      return native.apply(f, t, a);
    }),
  );
}

export { mvGet, setVariant };

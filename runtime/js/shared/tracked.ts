// What both builds know of tracked objects.

// T is the mark by which emitted code recognises tracked objects whose reads cannot
// be trapped by accessors alone (arrays, keyed access, `in`, `delete`, for-in).
export const T = Symbol('karousos.tracked');

// ELEMENTS is what emitted code asks a tracked array for before its length or elements are
// taken by a pattern.
export const ELEMENTS = Symbol('karousos.elements');

// Kinds of tracked objects, as they are numbered in the advice.
export const enum Kind {
  Object = 0,
  Array = 1,
  Map = 2,
  Set = 3,
  // An instance of a class.
  Instance = 4,
  // What is frozen holds constants.
  FrozenObject = 5,
  FrozenArray = 6,
}

// keyed tells the kinds whose locations are keys of a collection.
export function isKeyed(k: Kind): boolean {
  return k === Kind.Map || k === Kind.Set;
}

export function isArrayKind(k: Kind): boolean {
  return k === Kind.Array || k === Kind.FrozenArray;
}

// refuseDelete throws what strict code gets that deletes what cannot be. The engine's message says
// what the object is called, which it cannot tell of one whose prototype was exchanged; it is asked of one like it.
export function refuseDelete(o: object, proto: object | null, k: PropertyKey): never {
  const like: any = Array.isArray(o) ? [] : Object.create(proto);
  Object.defineProperty(like, k, {});
  delete like[k];
  throw new TypeError();
}

// Splice is a change of a list.
export interface Splice {
  start: number;
  del: number;
  items: any[];
}

export const changesArray = new Set<PropertyKey>(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin']);

// arrayChange tells what one of these methods puts into an array of n elements, and which
// change that is, if it is known before it is made.
export function arrayChange(method: PropertyKey, n: number, args: any[]): { put: any[]; splice: Splice | null } {
  switch (method) {
    case 'push':
      return { put: args, splice: { start: n, del: 0, items: args } };
    case 'pop':
      return { put: [], splice: { start: Math.max(n - 1, 0), del: Math.min(n, 1), items: [] } };
    case 'shift':
      return { put: [], splice: { start: 0, del: Math.min(n, 1), items: [] } };
    case 'unshift':
      return { put: args, splice: { start: 0, del: 0, items: args } };
    case 'splice':
      return { put: args.slice(2), splice: null };
    case 'fill':
      return { put: args.slice(0, 1), splice: null };
  }
  return { put: [], splice: null };
}

// The language's own classes of errors have the class ids from 1 on; firstClass + n
// is the n-th thing that init made known.
export const errorClasses = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError'];
// Plain objects that inherit from nothing have one, too.
export const noPrototype = 31;
export const firstClass = 32;

// ordinary tells whether a property that is defined so is like one that is assigned;
// has is asked if that depends on whether it is there.
export function ordinary(d: any, has: () => boolean): boolean {
  if (!('value' in d)) return false;
  const flags = ['writable', 'enumerable', 'configurable'];
  return flags.every((f) => !(f in d) || d[f]) && (flags.every((f) => f in d) || has());
}

// Table is what both builds' own kinds of Map can do.
interface Table<K, V> {
  get(k: K): V | undefined;
  set(k: K, v: V): unknown;
}

// Things numbers what init makes and requests may refer to: tracked objects,
// functions and classes, symbols, and weak collections. Both builds meet them in
// the same order, because both run init alike.
export class Things {
  // The tracked objects among them need not be kept.
  private readonly list: any[] = [];

  constructor(
    private readonly numbers: Table<any, number>,
    // Class ids by prototype.
    private readonly classes: Table<object, number>,
  ) {
    errorClasses.forEach((name, i) => {
      const c = (globalThis as any)[name];
      if (c !== undefined) this.classes.set(c.prototype, i + 1);
    });
  }

  // next takes a number for an object, which is kept or not.
  next(o: any): number {
    return this.list.push(o) - 1;
  }

  // add gives x a number, unless it has one.
  add(x: any): void {
    if (this.numbers.get(x) === undefined) this.numbers.set(x, this.next(x));
  }

  // of is the number of x, or -1.
  of(x: any): number {
    return this.numbers.get(x) ?? -1;
  }

  // at is thing number n, if it was kept.
  at(n: number): any {
    return this.list[n];
  }

  // classOf is the id of the class whose prototype p is, or 0.
  classOf(p: object): number {
    const known = this.classes.get(p);
    if (known !== undefined) return known;
    const made = getOwnPropertyDescriptor(p, 'constructor')?.value;
    if (typeof made === 'function' && this.of(made) < 0) return 0;
    for (let i = 0; i < this.list.length; i++) {
      const f = this.list[i];
      if (typeof f !== 'function' || prototypeOf(f) !== p) continue;
      this.classes.set(p, firstClass + i);
      return firstClass + i;
    }
    return 0;
  }

  // instances is the id of the class whose instances inherit from p, or 0 if p, or
  // what it inherits from, belongs to no class of the program.
  instances(p: object): number {
    const id = this.classOf(p);
    if (id === 0) return 0;
    for (let q = getPrototypeOf(p); q !== null && q !== Object.prototype; q = getPrototypeOf(q)) if (this.classOf(q) === 0) return 0;
    return id;
  }

  // prototype is what the instances of a class inherit from.
  prototype(classId: number): object | undefined {
    if (classId < firstClass) return (globalThis as any)[errorClasses[classId - 1]]?.prototype;
    const f = this.list[classId - firstClass];
    return typeof f === 'function' ? prototypeOf(f) : undefined;
  }
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

function prototypeOf(f: Function): object | undefined {
  const d = getOwnPropertyDescriptor(f, 'prototype');
  return d !== undefined && typeof d.value === 'object' && d.value !== null ? d.value : undefined;
}

// The values that advice can hold: JavaScript primitives stand for themselves,
// everything else is an instance of one of these classes. Each class carries a
// number `k`, so that the encoder finds its case with one property load.

// Ref names a tracked object: 2k is the k-th object that init published, 2n+1
// the n-th object that this life's advice defines.
export class Ref {
  declare readonly k: 1;
  constructor(readonly n: number) {}
}

// Absent is what a deleted or never written key holds.
export class Absent {
  declare readonly k: 2;
}

// Hole stands for an initial value that nobody can read any more, or for an
// array element that does not exist.
export class Hole {
  declare readonly k: 3;
}

// List is the whole contents of an array, or the keys of a container in order.
export class List {
  declare readonly k: 4;
  constructor(readonly values: readonly Val[]) {}
}

export type DeltaOp =
  | { readonly start: number; readonly del: number; readonly items: readonly Val[] }
  | { readonly add: Val }
  | { readonly remove: Val }
  | { readonly clear: true };

// Delta is a list told as changes to the list that write number `base` left.
export class Delta {
  declare readonly k: 5;
  constructor(
    readonly base: number,
    readonly ops: readonly DeltaOp[],
  ) {}
}

// FnRef is a function that captures nothing, by its id in the program.
export class FnRef {
  declare readonly k: 6;
  constructor(readonly id: number) {}
}

// DateV is a Date, by its time value (NaN for an invalid one).
export class DateV {
  declare readonly k: 7;
  constructor(readonly ms: number) {}
}

export class RegExpV {
  declare readonly k: 8;
  constructor(
    readonly source: string,
    readonly flags: string,
    readonly lastIndex: number,
  ) {}
}

// ErrorV is an Error of the named built-in class.
export class ErrorV {
  declare readonly k: 9;
  constructor(
    readonly name: string,
    readonly message: string,
  ) {}
}

// BytesV is the contents of a Buffer or typed array; type is its constructor's
// name ("Buffer", "Uint8Array", "Float64Array", …).
export class BytesV {
  declare readonly k: 10;
  constructor(
    readonly type: string,
    readonly bytes: Uint8Array,
  ) {}
}

[Ref, Absent, Hole, List, Delta, FnRef, DateV, RegExpV, ErrorV, BytesV].forEach((c, i) => {
  Object.defineProperty(c.prototype, 'k', { value: i + 1 });
});

export type Val =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | Ref
  | Absent
  | Hole
  | List
  | Delta
  | FnRef
  | DateV
  | RegExpV
  | ErrorV
  | BytesV;

// Key says which part of an object a location is: a property name or a string
// Map key as itself, any other Map key, Set element or array index as
// ['#', it], the shape (size, order, iteration), or all of an array.
export type Key = string | readonly ['#', undefined | null | boolean | number | string | bigint | Ref] | readonly ['shape'] | readonly ['all'];

// The mark by which emitted code recognises tracked objects whose reads cannot
// be trapped by accessors alone (arrays, keyed access, `in`, `delete`, for-in).
export const T = Symbol('karousos.tracked');

// Kinds of tracked objects, as they are numbered in the advice.
export const enum Kind {
  Object = 0,
  Array = 1,
  Map = 2,
  Set = 3,
}

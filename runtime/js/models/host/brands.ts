// What an object is, whatever it says of itself: the engine's own methods refuse others. That they
// throw is no error of the program's, so it must not be taken for one by the rewriting for lanes.
const brand =
  (f: (x: any) => any) =>
  (x: any): boolean => {
    if ((typeof x !== 'object' && typeof x !== 'function') || x === null) return false;
    try {
      f(x);
      return true;
    } catch {
      return false;
    }
  };

const getter = (o: any, key: PropertyKey): ((x: any) => any) => {
  const get = Object.getOwnPropertyDescriptor(o, key)!.get!;
  return (x) => Reflect.apply(get, x, []);
};
const method = (f: Function, ...args: any[]) => (x: any) => Reflect.apply(f, x, args);

export const isDate = brand(method(Date.prototype.getTime));
export const isRegExp = brand(getter(RegExp.prototype, 'source'));
export const isMap = brand(getter(Map.prototype, 'size'));
export const isSet = brand(getter(Set.prototype, 'size'));
export const isWeakMap = brand(method(WeakMap.prototype.has, {}));
export const isWeakSet = brand(method(WeakSet.prototype.has, {}));
export const isArrayBuffer = brand(getter(ArrayBuffer.prototype, 'byteLength'));
export const isSharedArrayBuffer = brand(getter(SharedArrayBuffer.prototype, 'byteLength'));
export const isDataView = brand(getter(DataView.prototype, 'byteLength'));
export const isStringObject = brand(method(String.prototype.valueOf));
export const isNumberObject = brand(method(Number.prototype.valueOf));
export const isBooleanObject = brand(method(Boolean.prototype.valueOf));
export const isBigIntObject = brand(method(BigInt.prototype.valueOf));
export const isSymbolObject = brand(method(Symbol.prototype.valueOf));

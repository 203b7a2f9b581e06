// util.types: what an object is, whatever it says of itself.
import { host } from './host';

// What keys of Node's crypto are known by.
export const kKeyType = Symbol('kKeyType');
export const kKeyObject = Symbol('kKeyObject');

const tag = Object.prototype.toString;
const typedTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;
const typedName = host.lift((x: any): string | undefined => Reflect.apply(typedTag, x, []));
const Generator = Object.getPrototypeOf(function* () {});
const MapIterator = Object.getPrototypeOf(new Map().entries());
const SetIterator = Object.getPrototypeOf(new Set().entries());
const iterates = (proto: any) => (x: any) => typeof x === 'object' && x !== null && proto.isPrototypeOf(x);

export const types: any = {
  ...host.brands,
  isPromise: (x: any) => x instanceof Promise,
  isNativeError: (x: any) => x instanceof Error,
  isMapIterator: iterates(MapIterator),
  isSetIterator: iterates(SetIterator),
  isArgumentsObject: host.lift((x: any) => typeof x === 'object' && x !== null && !(Symbol.toStringTag in x) && tag.call(x) === '[object Arguments]'),
  isGeneratorFunction: (x: any) => typeof x === 'function' && x instanceof Generator.constructor,
  isGeneratorObject: (x: any) => typeof x === 'object' && x !== null && Generator.prototype.isPrototypeOf(x),
  // The program's async functions were lowered; those that stay are generators.
  isAsyncFunction: (x: any) => typeof x === 'function' && /^\[object Async(?:Generator)?Function\]$/.test(tag.call(x)),
  isArrayBufferView: (x: any) => ArrayBuffer.isView(x) || host.group.is(x),
  isTypedArray: (x: any) => typedName(x) !== undefined,
  isExternal: () => false,
  isModuleNamespaceObject: () => false,
  isProxy: (x: any) => (globalThis as any).$proxy?.(x) !== undefined,
  isKeyObject: (x: any) => x != null && x[kKeyType] !== undefined,
  isCryptoKey: (x: any) => x != null && x[kKeyObject] !== undefined,
};
for (const name of ['Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'])
  types['is' + name] = (x: any) => typedName(x) === name;
types.isAnyArrayBuffer = (x: any) => types.isArrayBuffer(x) || types.isSharedArrayBuffer(x);
types.isBoxedPrimitive = (x: any) => types.isStringObject(x) || types.isNumberObject(x) || types.isBooleanObject(x) || types.isBigIntObject(x) || types.isSymbolObject(x);

// binding is process.binding, of which old packages (lodash's helpers) want the tests that are util.types today.
const tests = 'External Date NativeError RegExp AsyncFunction Promise Map Set MapIterator SetIterator ArrayBuffer DataView AnyArrayBuffer ArrayBufferView TypedArray Uint8Array';

export const binding =
  (types: any, others: (name: any) => any) =>
  (name: any): any =>
    name === 'util' ? Object.fromEntries(tests.split(' ').map((k) => ['is' + k, types['is' + k]])) : others(name);

// Natives that change what they are called on, or with: they tell before they do (mv-touch.ts).
import { changesArray } from '../shared/tracked';
import { native } from './mv-core';
import { method, underlie } from './mv-natives';
import { touch } from './mv-touch';
import { hooks } from './track-hooks';

const touching = (f: any): Function =>
  method((t, args) => {
    touch(t);
    return native.apply(f, t, args);
  });

const touchingFirst = (f: any): Function =>
  method((t, args) => {
    touch(args[0]);
    return native.apply(f, t, args);
  });

const touchingManner = (f: any): Function =>
  method((t, args) => {
    hooks.manner(args[0]);
    if (f.name === 'freeze') hooks.freeze(args[0]);
    touch(args[0]);
    return native.apply(f, t, args);
  });

// A weak collection is asked about what it may hold: private fields are such collections.
const touchingBoth = (f: any): Function =>
  method((t, args) => {
    touch(t);
    touch(args[0]);
    return native.apply(f, t, args);
  });

// installMutators comes before all that replaces natives, which then stands for these.
export function installMutators(): void {
  const g: any = globalThis;
  const typed = native.getProto(Uint8Array.prototype);
  const some = (o: any, make: (f: any) => Function, names: string): void => {
    for (const k of names.split(' ')) underlie(o, k, make);
  };
  const setters = (o: any): string => native.ownKeys(o).filter((k) => typeof k === 'string' && k.startsWith('set')).join(' ');
  for (const k of changesArray) underlie(Array.prototype, k, touching);
  some(typed, touching, 'set fill reverse sort copyWithin');
  some(DataView.prototype, touching, setters(DataView.prototype));
  some(ArrayBuffer.prototype, touching, 'resize transfer transferToFixedLength');
  some(Date.prototype, touching, setters(Date.prototype));
  some(Map.prototype, touching, 'set delete clear');
  some(Set.prototype, touching, 'add delete clear');
  some(WeakMap.prototype, touchingBoth, 'set delete');
  some(WeakSet.prototype, touchingBoth, 'add delete');
  some(Object, touchingFirst, 'assign defineProperty defineProperties');
  some(Reflect, touchingFirst, 'defineProperty deleteProperty');
  for (const o of [Object, Reflect]) some(o, touchingManner, o === Object ? 'setPrototypeOf freeze seal preventExtensions' : 'setPrototypeOf preventExtensions');
  underlie(Reflect, 'set', (f) =>
    method((t, args) => {
      touch(args.length > 3 ? args[3] : args[0]);
      return native.apply(f, t, args);
    }),
  );
  some(Object.prototype, touching, '__defineGetter__ __defineSetter__ __proto__');
  some(RegExp.prototype, touching, 'compile');
  some(Error, touchingFirst, 'captureStackTrace');
  if (g.Atomics !== undefined) some(g.Atomics, touchingFirst, 'add and compareExchange exchange or store sub xor');
}

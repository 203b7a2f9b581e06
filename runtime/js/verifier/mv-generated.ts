// Code made at run time knows nothing of multivalues: it runs for one request at a
// time, and a group that comes to it is taken apart.
import { divergeBy, native, state } from './mv-core';
import { guestFunction } from '../shared/generated';

export function installGenerated(swap: (name: string, f: Function) => void): void {
  swap(
    'Function',
    guestFunction({
      before() {},
      enter() {
        if (state.N > 1) divergeBy('code that was made at run time', native.Array.from({ length: state.N }, (_, i) => i));
      },
    }),
  );
}

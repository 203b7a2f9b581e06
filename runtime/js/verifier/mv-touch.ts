// What init left behind and the program is about to change. Emitted code tells of each
// object before it writes to a property of it, and of the natives those do that change
// their receiver or first argument. lasting.ts says what for.
import type { RawMap } from './raw';

// Watched is an object that init left behind.
export interface Watched {
  touched: boolean;
  // tells: somebody wants to know before it changes.
  tells: boolean;
}

export const watched = {
  // objects are those of init, while groups run.
  objects: null as RawMap<object, Watched> | null,
  touched: [] as Watched[],
  about: (_w: Watched): void => {},
  // shared hears of an object that requests come to share, of which not everything is tracked.
  shared: (_o: object): void => {},
  // walking is what is to be called in place of f on what may be an iterator of init's.
  walking: (f: any, _o: unknown): any => f,
  // bound hears that the function f is what target is with its first arguments, and what it is called on, given.
  bound: (_f: any, _target: any, _args: readonly unknown[]): void => {},
};

// touch notes that o is about to change, and yields it.
export function touch<O>(o: O): O {
  if (watched.objects === null) return o;
  const w = watched.objects.get(o as any);
  if (w !== undefined && !w.touched) {
    w.touched = true;
    watched.touched[watched.touched.length] = w;
    if (w.tells) watched.about(w);
  }
  return o;
}

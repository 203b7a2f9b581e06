// The two runtimes' common half of tracking what the build found to be shared. Both
// must track the same objects in the same order.

interface Host {
  // open: load time is not over.
  open(): boolean;
  // track tracks an object with all that it holds, and tells whether that is possible.
  track(o: object): boolean;
  // The Object functions that do not report what they look at.
  natives: Pick<ObjectConstructor, 'getOwnPropertyDescriptor' | 'getPrototypeOf' | 'defineProperty'>;
}

// The platform's own objects. What they hold differs between the builds, so they are not
// tracked as a whole, but as paths lead to what is changed.
const platforms = new WeakSet<object>();
const { add, has } = WeakSet.prototype;
const { apply, ownKeys } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const plain: (object | null)[] = [Object.prototype, null];

// platformModule makes a module known, or what else is the platform's, with the plain objects in it.
export function platformModule(m: unknown): void {
  if (typeof m !== 'object' || m === null || ofPlatform(m)) return;
  apply(add, platforms, [m]);
  for (const k of ownKeys(m)) {
    const d = getOwnPropertyDescriptor(m, k)!;
    const v = k === 'promises' ? (m as any)[k] : d.value;
    if (typeof v === 'object' && v !== null && plain.includes(getPrototypeOf(v))) platformModule(v);
  }
}

export function platformGlobals(): void {
  const g: any = globalThis;
  for (const o of [g, g.process, getPrototypeOf(g.process), g.console, g.performance, g.JSON, g.Math, g.Reflect, g.Intl, g.Atomics, g.WebAssembly]) platformModule(o);
}

export const ofPlatform = (o: object): boolean => apply(has, platforms, [o]);

const isObject = (v: any): v is object => (typeof v === 'object' && v !== null) || typeof v === 'function';

export function inferring(host: Host) {
  const { getOwnPropertyDescriptor: own, getPrototypeOf: prototypeOf, defineProperty: define } = host.natives;
  let waiting: [object, string[][] | undefined][] = [];

  // promote tracks o; or, if it is what cannot be tracked as a whole (a function,
  // an instance of a platform's class), those of its properties that paths lead to.
  function promote(o: object, paths: string[][] | undefined): void {
    if (typeof o === 'object' && host.track(o)) return;
    if (paths !== undefined) for (const path of paths) property(o, path);
  }

  function property(o: object, path: string[]): void {
    for (let i = 0; i < path.length - 1; i++) {
      const d = own(o, path[i]);
      if (d === undefined || !isObject(d.value)) return;
      o = d.value;
      if (typeof o === 'object' && host.track(o)) return;
    }
    // Deep inside, the build does not tell objects apart by all of their path.
    if (path.length === 1 || (path.length > 1 && own(o, path[path.length - 1]) !== undefined)) field(o, path[path.length - 1]);
  }

  // field puts a property of something untracked into a box. One that is not there
  // yet appears; one that a setter of the program's answers for stays.
  function field(o: object, key: string): void {
    let d = own(o, key);
    const enumerable = d === undefined || d.enumerable === true;
    if (d !== undefined && (!('value' in d) || !d.configurable || !d.writable)) return;
    for (let p = prototypeOf(o); d === undefined && p !== null; p = prototypeOf(p)) d = own(p, key);
    if (d !== undefined && !('value' in d)) return;
    const box: { v: any } = { v: d === undefined ? undefined : d.value };
    host.track(box);
    define(o, key, {
      configurable: true,
      enumerable,
      get: () => box.v,
      set(v) {
        if (this === o || this === undefined) box.v = v;
        else define(this, key, { value: v, configurable: true, enumerable: true, writable: true });
      },
    });
  }

  function inferred(v: any, paths?: string[][]): any {
    if (!isObject(v)) return v;
    if (host.open()) waiting.push([v, paths]);
    else promote(v, paths);
    return v;
  }

  function atLoad(v: any, paths?: string[][]): any {
    if (host.open() && isObject(v)) waiting.push([v, paths]);
    return v;
  }

  return {
    inferred,
    atLoad,
    inferredBox: (v: any): { v: any } => inferred({ v }),
    atLoadBox: (v: any): { v: any } => atLoad({ v }),
    // end is to be called when load time is over.
    end(): void {
      for (const [o, paths] of waiting) promote(o, paths);
      waiting = [];
    },
  };
}

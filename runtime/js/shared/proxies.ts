// Both builds ask objects for the mark of tracked ones. The traps of the program's
// own Proxies must not be asked for it: they may throw for what they do not know, or count.
import { ELEMENTS, T } from './tracked';

const { apply } = Reflect;
const NativeProxy = Proxy;

// quiet is the handler that the engine is given for the program's handler h. outcome
// has a say in what traps answer. The handler may change, so its traps are looked up when they
// are needed, and as often as by the engine.
export function quiet(h: any, outcome: (trap: PropertyKey, x: any) => any = (_trap, x) => x): any {
  if ((typeof h !== 'object' || h === null) && typeof h !== 'function') return h;
  const ask = (trap: 'get' | 'has' | 'getOwnPropertyDescriptor', args: any[]): any => {
    const f = h[trap];
    if (f === undefined || f === null) return apply(Reflect[trap], undefined, args);
    // The engine knows what to say of a trap that is no function.
    if (typeof f !== 'function') return apply(Reflect[trap], undefined, [new NativeProxy(args[0], { [trap]: f }), args[1]]);
    return outcome(trap, apply(f, h, args));
  };
  // They tell the mark from other keys before anything of the program's is looked at.
  const deaf: any = {
    __proto__: null,
    get: (...args: any[]) => (args[1] === T || args[1] === ELEMENTS ? undefined : ask('get', args)),
    has: (...args: any[]) => (args[1] === T ? false : ask('has', args)),
    // The engine looks whether a Proxy for a Proxy tells the truth.
    getOwnPropertyDescriptor: (...args: any[]) => (args[1] === T || args[1] === ELEMENTS ? undefined : ask('getOwnPropertyDescriptor', args)),
  };
  return new NativeProxy(
    {},
    {
      get(_t, trap) {
        if (trap in deaf) return deaf[trap];
        const f = h[trap];
        return typeof f === 'function' ? (...args: any[]) => outcome(trap, apply(f, h, args)) : f;
      },
    },
  );
}

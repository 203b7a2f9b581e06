// Emitted code asks objects for the mark of tracked ones. The traps of the program's
// own proxies must not be asked: they may throw for what they do not know, or count.
import { T } from '../shared/tracked';
import { noteProxy } from './track-objects';

const { apply, construct, defineProperty } = Reflect;

// Wide is what two of the traps take.
type Trap = (target: any, key: PropertyKey, ...more: any[]) => any;

// deaf is a trap that does not hear of the mark.
function deaf(handler: any, trap: Trap, answer: unknown): Trap {
  return (target, key, ...more) => (key === T ? answer : apply(trap, handler, [target, key, ...more]));
}

// install replaces the program's Proxy.
export function install(): void {
  const Native = Proxy;
  // The handler may change, so its traps are looked up when they are needed.
  const handlers: ProxyHandler<any> = {
    get(handler, trap) {
      const f = handler[trap];
      if (typeof f !== 'function') return f;
      if (trap === 'get') return deaf(handler, f, undefined);
      if (trap === 'has') return deaf(handler, f, false);
      return (...args: any[]) => apply(f, handler, args);
    },
  };
  const quiet = (h: any): any => ((typeof h === 'object' && h !== null) || typeof h === 'function' ? new Native(h, handlers) : h);
  const make: any = function (target: any, handler: any): any {
    if (new.target === undefined) return (Native as any)();
    const made = construct(Native, [target, quiet(handler)], new.target === make ? Native : new.target);
    noteProxy(made, target);
    return made;
  };
  const Ours: any = make.bind(undefined); // bound functions have no prototype, as Proxy has none
  const { revocable } = {
    revocable(target: any, handler: any): any {
      const made = Native.revocable(target, quiet(handler));
      noteProxy(made.proxy, target);
      return made;
    },
  };
  defineProperty(Ours, 'name', { value: 'Proxy', configurable: true }); // the bundler may have renamed it
  defineProperty(Ours, 'revocable', { value: revocable, writable: true, enumerable: false, configurable: true });
  defineProperty(globalThis, 'Proxy', { value: Ours, writable: true, enumerable: false, configurable: true });
}

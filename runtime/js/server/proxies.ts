// The program's Proxies are noted, and do not hear of the mark of tracked objects.
import { quiet } from '../shared/proxies';
import { noteProxy } from './track-objects';

const { construct, defineProperty } = Reflect;

// install replaces the program's Proxy.
export function install(): void {
  const Native = Proxy;
  const make: any = function (target: any, handler: any): any {
    if (new.target === undefined) return (Native as any)();
    const made = construct(Native, [target, quiet(handler)], new.target === make ? Native : new.target);
    noteProxy(made, target, handler);
    return made;
  };
  const Ours: any = make.bind(undefined); // bound functions have no prototype, as Proxy has none
  const { revocable } = {
    revocable(target: any, handler: any): any {
      const made = Native.revocable(target, quiet(handler));
      noteProxy(made.proxy, target, handler);
      return made;
    },
  };
  defineProperty(Ours, 'name', { value: 'Proxy', configurable: true }); // the bundler may have renamed it
  defineProperty(Ours, 'revocable', { value: revocable, writable: true, enumerable: false, configurable: true });
  defineProperty(globalThis, 'Proxy', { value: Ours, writable: true, enumerable: false, configurable: true });
}

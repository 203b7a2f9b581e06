// Listeners as registrations. Emitted code calls this for `o.on(event, f)` and
// its kin; an emitter of the guest's own making gets the call unchanged.
import { callback, current } from './activation';

export function on(platform: Set<Function>, o: any, method: string, args: any[]): any {
  const f = o[method];
  const listener = args[1];
  if (current === null || typeof listener !== 'function' || !platform.has(f)) return Reflect.apply(f, o, args);
  const wrapped = callback(listener, o);
  if (method === 'once' || method === 'prependOnceListener') {
    const once = function (this: any) {
      o.removeListener(args[0], once);
      return Reflect.apply(wrapped, this, arguments);
    };
    // removeListener(event, listener) and listeners() look through `.listener`.
    (once as any).listener = listener;
    return o[method === 'once' ? 'on' : 'prependListener'](args[0], once);
  }
  wrapped.listener = listener;
  return o[method](args[0], wrapped);
}

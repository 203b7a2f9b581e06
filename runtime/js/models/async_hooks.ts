// async_hooks: contexts, which re-execution threads through activations, and the numbers of resources, which are recorded.
import { coded, invalidType, unsupported } from './internal/errors';
import { nondeterministic, still } from './internal/host';
import { asyncId } from './internal/results';

// The context in which an activation was registered, as a list of stores. The
// verifier's runtime threads it through; in sequential re-execution nobody does, and
// then nothing is better than a wrong store.
let alone: any = null;
let lost = false;
const threaded = (globalThis as any).$context !== undefined;
const contexts: { get(): any; set(c: any): void } = threaded ? (globalThis as any).$context : { get: () => alone, set: (c: any) => void (alone = c) };

function within(context: any, fn: any, self: any, args: any[]): any {
  const before = contexts.get();
  lost = !threaded;
  contexts.set(context);
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    contexts.set(before);
  }
}

// What code that runs within a context later is held by, where it can be seen that it is.
const held = Symbol('context');
function holding<O extends object>(o: O, context: any): O {
  return Object.defineProperty(o, held, { value: context });
}

function needsFunction(f: any, name: string): void {
  if (typeof f !== 'function') throw invalidType(name, 'of type function', f);
}

export class AsyncLocalStorage {
  run(store: any, fn: any, ...args: any[]): any {
    const before = this.getStore();
    if (Object.is(store, before)) return Reflect.apply(fn, null, args);
    const outer = contexts.get();
    const own = { of: this, store, outer };
    lost = !threaded;
    contexts.set(own);
    try {
      return Reflect.apply(fn, null, args);
    } finally {
      // What fn entered of others stays.
      const now = contexts.get();
      contexts.set(now === own ? outer : { of: this, store: before, outer: now });
    }
  }
  exit(fn: any, ...args: any[]): any {
    return this.run(undefined, fn, ...args);
  }
  getStore(): any {
    for (let c = contexts.get(); c !== null; c = c.outer) if (c.of === this) return c.store;
    if (lost) unsupported('AsyncLocalStorage.getStore after an asynchronous step');
    return undefined;
  }
  enterWith(store: any): void {
    contexts.set({ of: this, store, outer: contexts.get() });
  }
  disable(): void {
    this.enterWith(undefined);
  }
  static bind(fn: any): any {
    return AsyncResource.bind(fn);
  }
  static snapshot(): any {
    return AsyncLocalStorage.bind((fn: any, ...args: any[]) => fn(...args));
  }
}

const id = (): any => nondeterministic('number', asyncId);

export class AsyncResource {
  #id: any;
  #trigger: any;
  constructor(type: any, options: any = {}) {
    if (typeof type !== 'string') throw invalidType('type', 'of type string', type);
    const trigger = typeof options === 'number' ? options : options.triggerAsyncId;
    if (trigger !== undefined && (!Number.isSafeInteger(trigger) || trigger < -1)) throw coded(RangeError, 'ERR_INVALID_ASYNC_ID', `Invalid triggerAsyncId value: ${String(trigger)}`);
    this.#trigger = trigger;
    holding(this, contexts.get());
  }
  runInAsyncScope(fn: any, self?: any, ...args: any[]): any {
    return within((this as any)[held], fn, self, args);
  }
  bind(fn: any, self?: any): any {
    needsFunction(fn, 'fn');
    const resource = this;
    const bound = function (this: any, ...args: any[]): any {
      return resource.runInAsyncScope(fn, self === undefined ? this : self, ...args);
    };
    let shown: any = this;
    Object.defineProperties(bound, {
      length: { value: fn.length, configurable: true },
      asyncResource: { get: () => shown, set: (x) => void (shown = x), enumerable: true, configurable: true },
    });
    return holding(bound, [resource, fn, self]);
  }
  static bind(fn: any, type?: any, self?: any): any {
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, self);
  }
  emitDestroy(): this {
    return this;
  }
  asyncId(): any {
    return (this.#id = still(this.#id, id(), 'the number of a resource'));
  }
  triggerAsyncId(): any {
    return (this.#trigger = still(this.#trigger, id(), 'the number of what made a resource'));
  }
}

function createHook(hooks: any): any {
  const given = ['init', 'before', 'after', 'destroy', 'promiseResolve'].filter((name) => hooks[name] !== undefined);
  for (const name of given) if (typeof hooks[name] !== 'function') throw coded(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
  return {
    enable(): any {
      if (given.length > 0) unsupported('async_hooks.createHook');
      return this;
    },
    disable(): any {
      return this;
    },
  };
}

export const async_hooks = {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId: id,
  triggerAsyncId: id,
  executionAsyncResource: () => unsupported('async_hooks.executionAsyncResource'),
};

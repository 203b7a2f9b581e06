// Promise reactions as activations. Both builds patch their realm with this, so
// that `then` counts registrations alike and a continuation knows, besides its
// registrant, the activation that settled its promise.
import { current, fire, Slot } from './activation';

const slotKey = Symbol('karousos.settledBy');

export function slotOf(p: any): Slot | null {
  return (typeof p === 'object' && p !== null && p[slotKey]) || null;
}

function attach(p: any, s: Slot): void {
  Object.defineProperty(p, slotKey, { value: s, enumerable: false, writable: true, configurable: true });
}

function settle(s: Slot, v: any): void {
  if (s.done) return;
  s.done = true;
  s.by = current;
  if (v instanceof Promise) s.adopt = slotOf(v);
}

// newPromise stands for `new Promise(executor)` in guest code.
export function newPromise(executor: any): Promise<any> {
  if (current === null || typeof executor !== 'function') return new Promise(executor);
  const s = new Slot();
  const p = new Promise((resolve, reject) =>
    executor(
      (v: any) => {
        settle(s, v);
        resolve(v);
      },
      (e: any) => {
        settle(s, undefined);
        reject(e);
      },
    ),
  );
  attach(p, s);
  return p;
}

// install patches Promise in this realm. contested is told when guest code
// races promises: which of them wins is a competition.
export function install(contested: (name: string) => void): void {
  const nativeThen = Promise.prototype.then;
  const then = {
    then(this: Promise<any>, onFulfilled?: any, onRejected?: any): any {
      const by = current;
      if (by === null || !(this instanceof Promise)) return Reflect.apply(nativeThen, this, arguments);
      const op = ++by.ops;
      const source = slotOf(this);
      const s = new Slot();
      const reaction = (f: any, rethrow: boolean) =>
        function (v: any) {
          if (typeof f !== 'function') {
            s.adopt = source;
            if (rethrow) throw v;
            return v;
          }
          const r = fire(by, op, 0, source, null, (x: any) => (settleBy(s), f(x)), undefined, [v]);
          if (r instanceof Promise) s.adopt = slotOf(r);
          return r;
        };
      const p = Reflect.apply(nativeThen, this, [reaction(onFulfilled, false), reaction(onRejected, true)]);
      if (p instanceof Promise) attach(p, s);
      return p;
    },
  }.then;
  define(Promise.prototype, 'then', then);
  for (const name of ['all', 'allSettled'] as const) {
    const native = Promise[name];
    define(Promise, name, function (this: any, items: any) {
      if (current === null) return Reflect.apply(native, this, [items]);
      const list = [...items];
      const p = Reflect.apply(native as any, this, [list]) as Promise<any>;
      const s = new Slot();
      s.all = list.map(slotOf).filter((x): x is Slot => x !== null);
      attach(p, s);
      return p;
    });
  }
  for (const name of ['race', 'any'] as const) {
    const native = Promise[name];
    define(Promise, name, function (this: any, items: any) {
      if (current !== null) contested(name);
      return Reflect.apply(native as any, this, [items]);
    });
  }
}

function settleBy(s: Slot): void {
  s.done = true;
  s.by = current;
}

function define(o: any, k: string, f: Function): void {
  const d = Object.getOwnPropertyDescriptor(o, k)!;
  Object.defineProperty(f, 'name', { value: k, configurable: true });
  Object.defineProperty(f, 'length', { value: d.value.length, configurable: true });
  Object.defineProperty(o, k, { ...d, value: f });
}

// Node's older classes are functions. Programs call some of them without new, to make an instance, and
// others to make one of an object that inherits from it (util.inherits).
let into: any = null;

export type Called = (self: any, args: any[], target: any) => any;

// base is what a class extends in its parent's place, to be made callable.
export function base<C extends Function>(parent: C): C {
  function Base(this: any, a?: any, b?: any): any {
    const o = into ?? this;
    into = null;
    parent.call(o, a, b);
    return o;
  }
  Base.prototype = parent.prototype;
  return Object.setPrototypeOf(Base, parent);
}

// callable is c, which extends a base, as such a function: a heir of its parent's, or what stands for that. named makes
// it, with the name that stack traces show, which is the one in its source.
export function callable<C extends Function>(c: C, named: (called: Called) => Function, standsFor?: Function): C {
  const construct = (args: any[], target: any): any => Reflect.construct(c, args, target);
  const f: any = named((self, args, target) => {
    if (target !== undefined) return construct(args, target === f ? c : target);
    if (!(self instanceof f)) return construct(args, c);
    into = self;
    try {
      construct(args, c);
    } finally {
      into = null;
    }
  });
  f.prototype = c.prototype;
  Object.defineProperty(c.prototype, 'constructor', { value: f, writable: true, configurable: true });
  return Object.setPrototypeOf(f, standsFor === undefined ? Object.getPrototypeOf(Object.getPrototypeOf(c)) : Object.getPrototypeOf(standsFor));
}

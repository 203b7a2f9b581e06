// Node's older classes are functions. Programs call some of them without new, to make an instance, and
// others to make one of an object that inherits from it (util.inherits).
let into: any = null;

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

// callable is c, which extends a base, as such a function: a heir of its parent's, or what stands for that.
export function callable<C extends Function>(c: C, name: string, standsFor?: Function): C {
  const construct = (args: any[], target: any): any => Reflect.construct(c, args, target);
  const f: any = function (this: any, ...args: any[]): any {
    if (new.target !== undefined) return construct(args, new.target === f ? c : new.target);
    if (!(this instanceof f)) return construct(args, c);
    into = this;
    try {
      construct(args, c);
    } finally {
      into = null;
    }
  };
  Object.defineProperty(f, 'name', { value: name, configurable: true });
  f.prototype = c.prototype;
  Object.defineProperty(c.prototype, 'constructor', { value: f, writable: true, configurable: true });
  return Object.setPrototypeOf(f, standsFor === undefined ? Object.getPrototypeOf(Object.getPrototypeOf(c)) : Object.getPrototypeOf(standsFor));
}

export const twice = <T>(x: T): [T, T] => [x, x];

export function logged(_target: object, name: string, d: PropertyDescriptor): void {
  const f = d.value as (...args: unknown[]) => unknown;
  d.value = function (this: unknown, ...args: unknown[]) {
    if (args[0] === '') throw new TypeError(`${name} of nothing`);
    return f.apply(this, args);
  };
}

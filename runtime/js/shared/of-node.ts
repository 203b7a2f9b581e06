// ofNode marks classes of streams that are Node's own: what is called of these is no code of the program's.
export const ofNode = Symbol.for('karousos.ofNode');

export function mark(c: any): void {
  if (typeof c?.prototype === 'object') Object.defineProperty(c.prototype, ofNode, { value: true });
}

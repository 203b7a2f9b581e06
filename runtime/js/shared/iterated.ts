// What the engine says of values that cannot be iterated over. Both builds print such places
// otherwise than the program has them, so they look themselves and are told what is there.
import { values } from './promises';

const { getOwnPropertyDescriptor } = Object;

// iterates asks nothing that the program could notice. The engine will ask a Proxy.
export function iterates(x: any): boolean {
  if ((typeof x !== 'object' || x === null) && typeof x !== 'function') return x !== null && x !== undefined && x[Symbol.iterator] !== undefined;
  if (values.proxy(x) !== undefined) return true;
  if (!(Symbol.iterator in x)) return false;
  const own = getOwnPropertyDescriptor(x, Symbol.iterator);
  return own === undefined || own.get !== undefined || typeof own.value === 'function';
}

// notIterable is what the engine says of x, which the program calls text. Without a text, it
// tells the type and what else fits.
export function notIterable(x: any, text: string): string {
  if (text !== '') return `${text} is not iterable`;
  const told = x === null || typeof x === 'boolean' || typeof x === 'number' ? ` ${x}` : '';
  return `${typeof x}${told} is not iterable (cannot read property Symbol(Symbol.iterator))`;
}

// notSpread is the same for the last of a call's arguments.
export function notSpread(x: any, text: string): string {
  return x === null || x === undefined ? `${text} is not iterable (cannot read property ${x})` : 'Spread syntax requires ...iterable[Symbol.iterator] to be a function';
}

import { coded, invalidType } from './errors';

// milliseconds is what a connection's timeout comes to.
export function milliseconds(ms: any, name: string): number {
  if (typeof ms !== 'number') throw invalidType(name, 'of type number', ms);
  if (!(ms >= 0 && Number.isFinite(ms))) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be a non-negative finite number. Received ${ms}`);
  return Math.min(Math.trunc(ms), 2 ** 31 - 1);
}

// What process.hrtime makes of what the clock says: both builds refuse alike.
import { coded, invalidType } from '../models/internal/errors';

export function since(now: [number, number], before: any): [number, number] {
  if (before === undefined) return now;
  if (!Array.isArray(before)) throw invalidType('time', 'an instance of Array', before);
  if (before.length !== 2) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "time" is out of range. It must be 2. Received ${before.length}`);
  const s = now[0] - before[0];
  const ns = now[1] - before[1];
  return ns < 0 ? [s - 1, ns + 1e9] : [s, ns];
}

import { coded } from './errors';
import { nondeterministic, operations, recordedNext } from './host';
import { ofThrown } from './results';

const classes: Record<string, any> = { __proto__: null as any, TypeError, RangeError };

// thrown throws what the server says that a function threw at once, because of its arguments. It is for functions of
// which the server tells all that comes anyway.
export function thrown(): void {
  const type = `thrown ${operations()}`;
  if (!recordedNext(type)) return;
  const { name, message, code } = JSON.parse(nondeterministic(type, ofThrown));
  throw coded(classes[name] ?? Error, code, message);
}

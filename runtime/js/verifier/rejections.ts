// Promises that are rejected while nobody handles that. Node.js looks for them when a turn
// and what it queued have run; unless the program has a handler, they end the process.
import { current, type Run, type Slot } from '../shared/activation';
import { rejections } from '../shared/promises';

interface Watched extends Slot {
  promise?: Promise<any>;
  handled?: boolean;
  rejected?: Rejected;
  // Those that will be settled as this one is.
  followers?: Watched[];
}

export interface Rejected {
  reason: any;
  promise: Promise<any> | undefined;
  run: Run | null;
}

let pending: Watched[] = [];

export function install(): void {
  rejections.made = (s: Watched, p) => {
    s.promise = p;
  };
  rejections.handled = (s: Watched) => {
    s.handled = true;
  };
  rejections.rejected = rejected;
  rejections.follows = (s: Watched, t: Watched) => {
    t.handled = true;
    if (t.rejected !== undefined) rejected(s, t.rejected.reason);
    else (t.followers ??= []).push(s);
  };
}

function rejected(s: Watched, reason: any): void {
  // What nobody can get hold of, nobody has to handle.
  if (s.rejected !== undefined) return;
  s.rejected = { reason, promise: s.promise, run: current === null ? null : current.run };
  if (s.handled !== true) pending.push(s);
  for (const f of s.followers ?? []) rejected(f, reason);
}

export function reset(): void {
  pending = [];
}

// unhandled takes the next of them, in their order.
export function unhandled(): Rejected | undefined {
  while (pending.length > 0) {
    const s = pending.shift()!;
    if (s.handled !== true) return { ...s.rejected!, promise: s.promise };
  }
  return undefined;
}

// asError is what Node.js throws for a reason that is no error.
export function asError(reason: any): any {
  if (typeof reason === 'object' && reason !== null && Object.hasOwn(reason, 'stack')) return reason;
  const what = typeof reason === 'object' && reason !== null ? `#<${reason.constructor?.name ?? 'Object'}>` : String(reason);
  const e: any = new Error(
    'This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). ' +
      `The promise rejected with the reason "${what}".`,
  );
  e.name = 'UnhandledPromiseRejection';
  e.code = 'ERR_UNHANDLED_REJECTION';
  return e;
}

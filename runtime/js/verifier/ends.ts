// How the program fails and how the process ends: errors that nobody catches, rejections
// that nobody handles, process.exit and signals. In joint re-execution that is followed as
// Node.js does it. Groups know nothing of it: an honest server has its requests
// re-executed jointly, so a program that fails in a group is one whose server's did not.
import { current, fire } from '../shared/activation';
import { hear } from '../shared/emitter';
import { onFailure } from './loop';
import { Diverge, diverged, state } from './mv';
import { asError, install as installRejections, reset as resetRejections, unhandled } from './rejections';
import { group, stacks } from './group';
import { follows, guestOf, pend } from './together';

export const fate = {
  // What the program failed with, if it did.
  failure: null as { error: any } | null,
  // dead: the process has ended, in joint re-execution.
  dead: null as { what: string; owner: number; stack: string | undefined } | null,
};

const process = (): any => (globalThis as any).$models.process;

export function install(): void {
  installRejections();
  onFailure((e) => uncaught(e, false));
}

export function reset(): void {
  fate.failure = fate.dead = null;
  resetRejections();
}

// guarded runs platform or guest code, which may fail.
export function guarded(f: () => void): void {
  try {
    f();
  } catch (e) {
    uncaught(e, false);
  }
}

// uncaught: nobody caught this error, so handlers of the program's go on, or the process
// ends. Groups know nothing of that: an honest server has requests re-executed jointly.
// It tells whether anything goes on.
function uncaught(e: any, rejected: boolean): boolean {
  if (diverged() !== null) return false;
  if (!group.together) {
    fate.failure ??= { error: e };
    return false;
  }
  const p = process();
  const origin = rejected ? 'unhandledRejection' : 'uncaughtException';
  try {
    p.emit('uncaughtExceptionMonitor', e, origin);
    if (p.listenerCount('uncaughtException') > 0) {
      p.emit('uncaughtException', e, origin);
      return true;
    }
  } catch (again) {
    e = again;
  }
  die('the program fails: ' + said(e), e);
  return false;
}

// unhandled is what Node.js does with rejections when a turn is over. It tells whether
// there were any.
export function unhandledRejections(): boolean {
  const r = unhandled();
  if (r === undefined || diverged() !== null) return false;
  if (group.together) {
    const g = r.run === null ? undefined : guestOf(r.run);
    if (g !== undefined) group.owner = g.q;
    let handled = false;
    guarded(() => {
      handled = process().emit('unhandledRejection', r.reason, r.promise);
    });
    if (handled || fate.dead !== null) return true;
  }
  uncaught(asError(r.reason), true);
  return true;
}

// die ends the process; nothing of the program runs after it.
function die(what: string, e: any): void {
  fate.dead ??= { what, owner: group.owner, stack: stackOf(e) };
  state.D ??= new Diverge(what, null, false);
}

// exit is process.exit.
export function exit(): never {
  if (group.together) die('the program ends the process', undefined);
  else fate.failure ??= { error: new Error('it ends the process') };
  throw state.D ?? fate.failure!.error;
}

export function said(e: any): string {
  try {
    return String(e instanceof Error ? e.message : e);
  } catch {
    return 'an error';
  }
}

export function stackOf(e: any): string | undefined {
  stacks.explaining = true;
  const stack = e instanceof Error ? e.stack : undefined;
  stacks.explaining = false;
  return stack;
}

// listen is on for the process. A signal comes to the event loop from outside.
export function listen(p: any, method: string, event: string, listener: any): any {
  const by = current!;
  const op = ++by.ops;
  let firing = 0;
  const heard = (args: any[]) => fire(by, op, firing++, null, p, null, listener, p, args);
  const expect = () =>
    pend({ by, op, firing }, () => {
      heard([event, (globalThis as any).$models.require('os').constants.signals[event]]);
      expect();
    });
  if (follows()) expect();
  return hear(p, method, event, listener, (...args: any[]) => heard(args));
}

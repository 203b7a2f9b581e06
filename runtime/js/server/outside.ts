// What arrives from outside the program (a file's contents, another server's
// answer, what a thread computed) arrives in activations of a port: the activation
// that opened the port registers them, and they come one after the other. When
// each came, among the request's timers, is recorded.
import { Activation, current, fire, Run, setCurrent } from '../shared/activation';
import * as log from './log';

const nextTick = process.nextTick;

// awaiting runs what opens a port for something that is to come, unless it throws at once, because of its arguments.
export function awaiting<T>(f: () => T): T {
  const by = current;
  const ops = by?.ops;
  try {
    return f();
  } catch (e) {
    if (by !== null) by.ops = ops!;
    throw e;
  }
}

// atOnce does so, too, and records what it throws, where the verifier cannot know.
export function atOnce<T>(f: () => T): T {
  const by = current;
  try {
    return awaiting(f);
  } catch (e: any) {
    // The number says which of several calls did.
    record(`thrown ${by?.ops ?? 0}`, JSON.stringify({ name: e.name, message: e.message, code: e.code }));
    throw e;
  }
}

export class Port {
  private readonly by: Activation | null = current;
  private readonly op: number;
  private firings = 0;

  constructor() {
    this.op = this.by === null ? 0 : ++this.by.ops;
    if (this.by === null) log.unauditable('something from outside is awaited by a callback whose origin the runtime does not know');
  }

  // arrive runs f as the port's next activation. An error that arrives has its
  // stack trace noted: Node's own code may have read it already.
  arrive(f: () => void, error?: any): void {
    const { by } = this;
    if (by === null) return f();
    if (current !== null) return nextTick(() => this.arrive(f, error));
    const run: Run = by.run;
    const turn = ++run.turns;
    fire(by, this.op, this.firings++, null, this, null, () => {
      log.turn();
      record('turn', turn);
      if (error instanceof Error) record('stack', String(error.stack));
      f();
    }, undefined, []);
  }

  // promise is the promise that start makes, settled in an activation; before that,
  // note records what it is settled with, and may put something else in its place.
  static promise<V>(start: () => Promise<V>, note: (value: V) => V = (v) => v, failed?: (error: any) => void): Promise<V> {
    const port = new Port();
    return new Promise((resolve, reject) => {
      const settled = (f: () => void, error?: any) => port.arrive(f, error);
      Reflect.apply(then, quietly(start), [
        (v: V) =>
          settled(() => {
            resolve(note(v));
          }),
        (e: any) =>
          settled(() => {
            failed?.(e);
            reject(e);
          }, e),
      ]);
    });
  }

  // once wraps a callback that Node calls one time; before it runs, what it is
  // given is recorded.
  static once(callback: any, before?: (args: any[]) => void): any {
    if (typeof callback !== 'function') return callback;
    const port = new Port();
    return function (this: any, ...args: any[]) {
      port.arrive(() => {
        before?.(args);
        Reflect.apply(callback, this, args);
      }, args[0]);
    };
  }
}

// Node's own then, which registers nothing.
export const { then } = Promise.prototype;

// quietly runs code of Node's own that is written in JavaScript: whatever it awaits,
// draws or asks the clock for is not the program's.
export function quietly<V>(f: () => V): V {
  const c = current;
  const outer = quiet;
  quiet = true;
  setCurrent(null);
  try {
    return f();
  } finally {
    setCurrent(c);
    quiet = outer;
  }
}

// quiet: what runs is Node's own code.
export let quiet = false;

// Most bytes of results that one request may bring in.
const mostBytes = 64 << 20;
const spent = new WeakMap<Run, number>();

// record notes a result of the running activation. Of what requests share, no
// request is charged for the whole.
export function record<V>(type: string, value: V, charged = true): V {
  const a = current;
  if (a === null || log.ended || log.upgraded()) return value;
  if (charged && typeof value === 'string' && value.length > 1024) {
    const sum = (spent.get(a.run) ?? 0) + value.length;
    spent.set(a.run, sum);
    if (sum > mostBytes) {
      log.unauditable('more than 64 MB from outside in one request');
      return value;
    }
  }
  const note = () => log.writer.nd(log.runOf(a).q, log.logged(a), type, value as any);
  if (a.run.isInit && !log.initOpen) log.background('background work that was started at load asks for what differs', note);
  else note();
  return value;
}

// What the models are given: helpers that are not rewritten for lanes, and the
// event loop of re-execution.
import type { Host } from '../host/main';

export interface Loop {
  tick(fn: () => void): void;
  after(fn: () => void): void;
  immediate(fn: () => void): object;
  timer(ms: number, fn: () => void): object;
  clear(handle: any): void;
  now(): number;
}

export const host: Host = (globalThis as any).$host;
export const loop: Loop = (globalThis as any).$loop;

// nondeterministic answers a recorded result: of type, which check approves,
// computed from args where nothing is recorded.
export function nondeterministic(type: string, check?: (v: any) => string | null, ...args: any[]): any {
  return (globalThis as any).$nd(type, check, args);
}

// still is what the server says, for something that was told before and cannot have changed.
// undefined: it was not told.
export function still(before: any, now: any, what: string): any {
  if (before === undefined) return now;
  host.forLanes((i) => {
    if (!Object.is(host.mv.lane(before, i), host.mv.lane(now, i))) (globalThis as any).$impossible?.(i, `${what} has changed`);
  });
  return before;
}

// Port is where something arrives from outside; each expected arrival runs as an
// activation. Sequential re-execution takes what comes as it comes.
export interface Port {
  expect(f: () => void): void;
}

export function port(): Port {
  const P = (globalThis as any).$port;
  return P === undefined ? { expect: (f) => void loop.immediate(f) } : new P();
}

// foretold takes the next recorded result if it is this one.
export function foretold(type: string, value: any): boolean {
  return (globalThis as any).$foretold?.(type, value) ?? false;
}

// impossible accuses the server of what no execution could have.
export function impossible(what: string): void {
  (globalThis as any).$impossible?.(0, what);
}

// running: is this the program's own turn, which may open a port?
export function running(): boolean {
  return (globalThis as any).$running?.() ?? true;
}

// operations is how many operations the running activation has made.
export function operations(): number {
  return (globalThis as any).$operations?.() ?? 0;
}

// once runs f, with callback's own activation, when what it waits for has arrived.
export function once(f: () => void): void {
  port().expect(f);
}

// recordedNext tells whether the next recorded result is of this type, and this one if it is given.
export function recordedNext(type: string, value?: any): boolean {
  return (globalThis as any).$recordedNext?.(type, value) ?? false;
}

// The tag of a request: the control flow of its activations, combined so that
// the order in which siblings complete does not matter. It only groups: a
// collision costs the verifier a split, never a wrong answer.
import type { Activation } from '../shared/activation';
import type { ServerRun } from './log';

let get: () => number;
let set: (d: number) => void;

export function bind(g: () => number, s: (d: number) => void): void {
  get = g;
  set = s;
}

export function enter(_a: Activation): boolean {
  set(0);
  return true;
}

export function leave(a: Activation): void {
  const run = a.run as ServerRun;
  let h = Math.imul(get() ^ a.path, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  run.tag = (run.tag + (h ^ (h >>> 13))) | 0;
}

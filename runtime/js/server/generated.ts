// What the server cannot record of code that was made at run time, it says.
import { codeOf, guestFunction } from '../shared/generated';
import { current } from '../shared/activation';
import * as log from './log';
import { recOf } from './track';
import { ObjectRec } from './track-objects';

export function installFunction(): void {
  Object.defineProperty(globalThis, 'Function', { value: guestFunction({ enter() {}, before }), writable: true, enumerable: false, configurable: true });
}

interface Doubts {
  asynchronous: boolean;
  indexes: boolean;
}
const known = new Map<string, Doubts>();

// Registrations and continuations are counted where the code is instrumented; arrays
// cannot be watched but there.
const asynchronous = /\b(?:async|await|yield|Promise|setTimeout|setInterval|setImmediate|queueMicrotask|process|eval|import)\b|\.(?:then|on|once|addListener)\s*\(/;
const indexes = /\.length\b|[\w$)\]]\s*\[/;

// running is made code without asynchronous functions that are there in case a template
// needs them, one on a line each, and that nothing calls but others of them.
function running(code: string): string {
  const idle = [...code.matchAll(/^async function (\w+)\([^\n]*\}$/gm)];
  let rest = code;
  for (const [line] of idle) rest = rest.replace(line, () => '');
  for (const [line, name] of idle) {
    const uses = new RegExp(`\\b${name}\\b`, 'g');
    if (uses.test(rest) || line.match(uses)!.length > 1) return code;
  }
  return rest;
}

function doubtsOf(text: string): Doubts {
  let d = known.get(text);
  if (d === undefined) {
    const code = codeOf(text);
    d = { asynchronous: asynchronous.test(running(code)), indexes: indexes.test(code) };
    if (known.size < 1000) known.set(text, d);
  }
  return d;
}

function before(text: string, args: any[]): void {
  if (current === null || current.run.isInit) return;
  const d = doubtsOf(text);
  if (d.asynchronous) log.unauditable('code that was made at run time does something asynchronous');
  else if (d.indexes && reachesArray(args, 0, { left: 1000 })) log.unloggable('code that was made at run time indexes an array in shared state; a copy, such as [...array], would be faster');
}

// reachesArray looks for shared arrays, without looking at what is logged.
function reachesArray(x: any, depth: number, budget: { left: number }): boolean {
  if (typeof x !== 'object' || x === null) return false;
  if (depth > 16 || budget.left-- <= 0) return false;
  const r = recOf(x);
  if (r !== undefined) {
    if (!(r instanceof ObjectRec)) return true;
    for (const v of r.values()) if (reachesArray(v, depth + 1, budget)) return true;
    return false;
  }
  const proto = Object.getPrototypeOf(x);
  if (proto !== null && proto !== Object.prototype && proto !== Array.prototype) return false;
  for (const k of Reflect.ownKeys(x)) {
    const d = Object.getOwnPropertyDescriptor(x, k)!;
    if ('value' in d && reachesArray(d.value, depth + 1, budget)) return true;
  }
  return false;
}

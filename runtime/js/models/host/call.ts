// Calls of the verifier's engine: pure functions of bytes (verifier/engine/hostcall.go).
import { byteLength, decode, write } from './text';

const engine: ((name: string, args: Uint8Array[]) => Uint8Array) | undefined = (globalThis as any).$host?.call;

export function utf8(s: string): Uint8Array {
  const b = new Uint8Array(byteLength(s));
  write(b, s, 0);
  return b;
}

// call throws what the function has against its arguments.
export function call(name: string, ...args: (Uint8Array | string | number)[]): Uint8Array {
  if (engine === undefined) throw new Error(`${name} needs the verifier's engine`);
  const r = engine(
    name,
    args.map((a) => (typeof a === 'object' ? a : utf8(String(a)))),
  );
  if (r[0] === 1) throw new Error(decode(r, 1, r.length));
  return r.subarray(1);
}

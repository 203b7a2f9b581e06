// Reading is what fs.read and fs.readSync are asked for: where the bytes of an open file go, and how many.
export interface Reading {
  buffer: any;
  offset: number;
  length: number;
}

// reading takes their arguments apart, without the callback: (fd, buffer, offset, length, position),
// (fd, buffer, options), (fd, options) or (fd).
export function reading(args: any[], alloc: (size: number) => any): Reading {
  let [, buffer, offset, length] = args;
  if (!ArrayBuffer.isView(buffer)) {
    offset = buffer;
    buffer = buffer?.buffer ?? alloc(16384);
  }
  if (args.length <= 3 || (typeof offset === 'object' && offset !== null)) ({ offset = 0, length = (buffer as any).byteLength - offset } = offset ?? {});
  return { buffer, offset: offset ?? 0, length };
}

// promisedReading has util.promisify answer with all that read and write call back with, and with whether a file exists.
export function promisedReading(fs: any): void {
  const all = (f: any, count: string) => (...args: any[]) => new Promise((resolve, reject) => f(...args, (e: any, n: number, buffer: any) => (e ? reject(e) : resolve({ [count]: n, buffer }))));
  for (const [name, value] of [['read', all(fs.read, 'bytesRead')], ['write', all(fs.write, 'bytesWritten')], ['exists', (p: any) => new Promise((resolve) => fs.exists(p, resolve))]] as const)
    for (const f of [value, fs[name]]) Object.defineProperty(f, custom, { value, configurable: true }); // as promisify leaves it
}

const custom = Symbol.for('nodejs.util.promisify.custom');

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

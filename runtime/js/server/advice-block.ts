// How records become bytes in a file: a preamble that says which format and
// which build, then blocks. The writer and its flush worker share this code,
// because either of them may have to write a block (verifier/advice/v1/FORMAT.md).
import * as fs from 'fs';
import * as zlib from 'zlib';

export const formatVersion = 1;
export const headerSize = 24;
// A block holds about this many bytes of records; one record may need more.
export const blockSize = 256 * 1024;

// control is an Int32Array that the writer and the worker share.
// claimed: the number of blocks that the worker has taken, or -1 when the
// writer writes them itself. done: how many blocks are in the file.
export const control = { claimed: 0, done: 1, failed: 2, size: 4 };

const table = new Int32Array(256);
for (let i = 0; i < 256; i++) {
  let c = i;
  for (let j = 0; j < 8; j++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  table[i] = c;
}

// zlib.crc32 came with Node 20.15; both answer alike.
function crc32(b: Uint8Array): number {
  const native = (zlib as any).crc32;
  if (native !== undefined) return native(b);
  let c = -1;
  for (let i = 0; i < b.length; i++) c = table[(c ^ b[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

export function preamble(buildId: string): Uint8Array {
  const id = Buffer.from(buildId, 'latin1').subarray(0, 255);
  const b = Buffer.alloc(9 + id.length + 4);
  b.write('KADVICE', 0, 'latin1');
  b[7] = formatVersion;
  b[8] = id.length;
  b.set(id, 9);
  b.writeUInt32LE(crc32(b.subarray(0, 9 + id.length)), 9 + id.length);
  return b;
}

export function writeAll(fd: number, b: Uint8Array): void {
  for (let p = 0; p < b.length; ) p += fs.writeSync(fd, b, p, b.length - p);
}

// writeBlock compresses the records in `raw` and appends them as block number
// seq. When it cannot, the file is cut back to what it was, so that a disk that
// filled up ends with a whole block.
export function writeBlock(fd: number, seq: number, raw: Uint8Array): void {
  const data = zlib.deflateRawSync(raw, { level: 1 });
  const b = Buffer.allocUnsafe(headerSize + data.length);
  b.write('KADV', 0, 'latin1');
  b.writeUInt32LE(seq, 4);
  b.writeUInt32LE(data.length, 8);
  b.writeUInt32LE(raw.length, 12);
  b.writeUInt32LE(crc32(data), 16);
  b.writeUInt32LE(crc32(b.subarray(0, 20)), 20);
  b.set(data, headerSize);
  const size = fs.fstatSync(fd).size;
  try {
    writeAll(fd, b);
  } catch (e) {
    try {
      fs.ftruncateSync(fd, size);
    } catch {
      // The reader copes with a torn last block as well.
    }
    throw e;
  }
}

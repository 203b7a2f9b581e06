const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const pairs: string[] = [];
for (const a of alphabet) for (const b of alphabet) pairs.push(a + b);

// encode makes padded base64 of bytes.
export function encode(b: Uint8Array, start: number, end: number): string {
  let s = '';
  let i = start;
  for (; i + 2 < end; i += 3) {
    const v = (b[i] << 16) | (b[i + 1] << 8) | b[i + 2];
    s += pairs[v >> 12] + pairs[v & 0xfff];
  }
  if (end - i === 1) s += pairs[b[i] << 4] + '==';
  else if (end - i === 2) {
    const v = (b[i] << 8) | b[i + 1];
    s += pairs[v >> 4] + alphabet[(v & 15) << 2] + '=';
  }
  return s;
}

// words makes base64 of the first `bytes` bytes of big-endian 32-bit words.
export function words(w: Int32Array, bytes: number): string {
  let s = '';
  const at = (i: number) => (i < bytes ? (w[i >> 2] >>> (24 - ((i & 3) << 3))) & 255 : 0);
  let i = 0;
  for (; i + 2 < bytes; i += 3) {
    const v = (at(i) << 16) | (at(i + 1) << 8) | at(i + 2);
    s += pairs[v >> 12] + pairs[v & 0xfff];
  }
  if (bytes - i === 1) s += pairs[at(i) << 4] + '==';
  else if (bytes - i === 2) {
    const v = (at(i) << 8) | at(i + 1);
    s += pairs[v >> 4] + alphabet[(v & 15) << 2] + '=';
  }
  return s;
}

const values = new Int8Array(256).fill(-1);
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i;
values[45] = 62; // -
values[95] = 63; // _

// decode reads both alphabets, skips what belongs to neither, and ends at '='.
export function decode(s: string): Uint8Array {
  const out = new Uint8Array(((s.length * 3) >> 2) + 3);
  let n = 0;
  let bits = 0;
  let have = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c === 61) break;
    const v = c < 256 ? values[c] : -1;
    if (v < 0) continue;
    bits = ((bits << 6) | v) & 0xffffff;
    have += 6;
    if (have >= 8) {
      have -= 8;
      out[n++] = (bits >> have) & 255;
    }
  }
  return out.subarray(0, n);
}

// UTF-8 by hand: the bare engine has no TextEncoder, and a call to the host
// costs more than the bytes of a usual body.

const notASCII = /[^\x00-\x7f]/;

// byteLength is the length of s in UTF-8; a lone surrogate counts as U+FFFD.
export function byteLength(s: string): number {
  const n = s.length;
  if (n > 32) {
    if (!notASCII.test(s)) return n;
  }
  let bytes = n;
  for (let i = 0; i < n; i++) {
    const c = s.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) bytes++;
    else {
      bytes += 2;
      // A pair is four bytes for two units.
      if (c >= 0xd800 && c < 0xdc00 && i + 1 < n && (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    }
  }
  return bytes;
}

// write encodes s at offset at; the caller made room.
export function write(to: Uint8Array, s: string, at: number): number {
  const n = s.length;
  for (let i = 0; i < n; i++) {
    let c = s.charCodeAt(i);
    if (c < 0x80) {
      to[at++] = c;
      continue;
    }
    if (c < 0x800) {
      to[at++] = 0xc0 | (c >> 6);
      to[at++] = 0x80 | (c & 63);
      continue;
    }
    if (c >= 0xd800 && c < 0xe000) {
      const d = c < 0xdc00 && i + 1 < n ? s.charCodeAt(i + 1) : 0;
      if ((d & 0xfc00) === 0xdc00) {
        i++;
        c = 0x10000 + ((c & 0x3ff) << 10) + (d & 0x3ff);
        to[at++] = 0xf0 | (c >> 18);
        to[at++] = 0x80 | ((c >> 12) & 63);
        to[at++] = 0x80 | ((c >> 6) & 63);
        to[at++] = 0x80 | (c & 63);
        continue;
      }
      c = 0xfffd;
    }
    to[at++] = 0xe0 | (c >> 12);
    to[at++] = 0x80 | ((c >> 6) & 63);
    to[at++] = 0x80 | (c & 63);
  }
  return at;
}

const fromCharCode = String.fromCharCode;
const apply = Reflect.apply;

// latin1 makes a string of bytes, one unit each.
export function latin1(b: Uint8Array, start: number, end: number): string {
  if (end - start <= 24) {
    let s = '';
    for (let i = start; i < end; i++) s += fromCharCode(b[i]);
    return s;
  }
  let s = '';
  for (let i = start; i < end; i += 4096) s += apply(fromCharCode, null, b.subarray(i, i + 4096 < end ? i + 4096 : end) as any);
  return s;
}

// decode is WHATWG's UTF-8 decoding: each maximal bad part becomes U+FFFD.
// With strict, bad bytes make it null.
export function decode(b: Uint8Array, start: number, end: number, strict: true): string | null;
export function decode(b: Uint8Array, start: number, end: number, strict?: false): string;
export function decode(b: Uint8Array, start: number, end: number, strict = false): string | null {
  let i = start;
  while (i < end && b[i] < 0x80) i++;
  if (i === end) return latin1(b, start, end);
  let out = latin1(b, start, i);
  let units: number[] = [];
  while (i < end) {
    const c = b[i++];
    if (c < 0x80) units.push(c);
    else {
      let need = 0;
      let point = 0;
      let low = 0x80;
      let high = 0xbf;
      if (c >= 0xc2 && c <= 0xdf) {
        need = 1;
        point = c & 0x1f;
      } else if (c >= 0xe0 && c <= 0xef) {
        need = 2;
        point = c & 0xf;
        if (c === 0xe0) low = 0xa0;
        if (c === 0xed) high = 0x9f;
      } else if (c >= 0xf0 && c <= 0xf4) {
        need = 3;
        point = c & 7;
        if (c === 0xf0) low = 0x90;
        if (c === 0xf4) high = 0x8f;
      } else {
        if (strict) return null;
        units.push(0xfffd);
        continue;
      }
      while (need > 0 && i < end && b[i] >= low && b[i] <= high) {
        point = (point << 6) | (b[i++] & 63);
        low = 0x80;
        high = 0xbf;
        need--;
      }
      if (need > 0) {
        if (strict) return null;
        units.push(0xfffd);
      } else if (point >= 0x10000) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
      else units.push(point);
    }
    if (units.length >= 4000) {
      out += apply(fromCharCode, null, units);
      units = [];
    }
  }
  return out + apply(fromCharCode, null, units);
}

// ascii: every byte stands for itself.
export function ascii(s: string): boolean {
  return !notASCII.test(s);
}

// Encodings of TextDecoder as ICU has them, which Node.js asks: UTF-8 and UTF-16, and those of one byte.
import { call } from './call';
import { decode, latin1 } from './text';

// An encoding is named as the standard does. table has the characters of its 256 bytes; null: it is none of one byte.
export interface Encoding {
  name: string;
  table: string | null;
}

const known = new Map<string, Encoding | null>();

// What ICU knows otherwise than the standard.
const own: Record<string, [number, string][]> = {
  ibm866: [[0x1a, '\x1c'], [0x1c, '\x7f'], [0x7f, '\x1a']],
  'koi8-u': [[0xae, '╝'], [0xbe, '╬']],
  'windows-874': [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff].map((b, i) => [b, String.fromCharCode(0xf8c1 + i)]),
  'windows-1253': [[0xaa, 'ª']],
  'windows-1255': [[0xca, '\ufffd']],
};

function find(label: string): Encoding | null {
  let answer: string;
  try {
    const b = call('encoding', label);
    answer = decode(b, 0, b.length);
  } catch {
    return null;
  }
  const [name] = answer.split('\n', 1);
  const table = [...answer.slice(name.length + 1)];
  if (table.length !== 256) return { name, table: null };
  // Bytes that the standard leaves out are control characters.
  for (let i = 0x80; i < 0xa0; i++) if (table[i] === '\ufffd') table[i] = String.fromCharCode(i);
  for (const [i, c] of own[name] ?? []) table[i] = c;
  return { name, table: table.join('') };
}

// encoding is the one that a label, in lower case, stands for.
export function encoding(label: string): Encoding | null {
  let e = known.get(label);
  if (e === undefined) known.set(label, (e = find(label)));
  return e;
}

export const nameOf = (label: string): string | null => encoding(label)?.name ?? null;
export const ofBytes = (name: string): boolean => encoding(name)!.table !== null;

// held is how many bytes at the end of b may be the beginning of a character that is still to come.
export function held(name: string, b: Uint8Array): number {
  const n = b.length;
  if (name === 'utf-8') {
    for (let k = 1; k <= 3 && k <= n; k++) {
      const c = b[n - k];
      if (c >= 0x80 && c < 0xc0) continue;
      const size = c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 1;
      // All of it is one bad part, or it is not over.
      return size > k && decode(b, n - k, n) === '\ufffd' ? k : 0;
    }
    return 0;
  }
  if (!name.startsWith('utf-16')) return 0;
  const odd = n % 2;
  const last = n - odd - 2;
  return odd + (last >= 0 && (b[last + (name === 'utf-16le' ? 1 : 0)] & 0xfc) === 0xd8 ? 2 : 0);
}

// text is what bytes say; null: with strict, they are not valid.
export function text(name: string, b: Uint8Array, strict: boolean): string | null {
  if (name === 'utf-8') return strict ? decode(b, 0, b.length, true) : decode(b, 0, b.length);
  if (name === 'latin1') return latin1(b, 0, b.length);
  let s = '';
  const { table } = encoding(name)!;
  if (table !== null) {
    for (let i = 0; i < b.length; i++) s += table[b[i]];
    return strict && s.includes('\ufffd') ? null : s;
  }
  const low = name === 'utf-16le' ? 0 : 1;
  for (let i = 0; i + 1 < b.length; i += 2) s += String.fromCharCode(b[i + low] | (b[i + 1 - low] << 8));
  // What ends in the middle of a character is one bad part.
  if (b.length % 2 === 1) s = /[\ud800-\udbff]$/.test(s) ? s : s + '\ufffd';
  if (strict && (b.length % 2 === 1 || !(s as any).isWellFormed())) return null;
  return (s as any).toWellFormed();
}

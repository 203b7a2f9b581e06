// Sets of indexes that share what they have in common with those they were made of: an
// interval that ticks for days has millions of turns, each of which follows all before it.

// Indexes of height 0 are 32 bits, and of each more eight sets of that below.
export interface Indexes {
  readonly height: number;
  readonly bits: number;
  readonly parts: readonly (Indexes | null)[] | null;
}

const wide = 8;
const span = (height: number): number => 32 * wide ** height;

// only is the set of one.
export function only(index: number): Indexes {
  let height = 0;
  while (span(height) <= index) height++;
  return at(index, height);
}

function at(index: number, height: number): Indexes {
  if (height === 0) return { height, bits: 1 << index, parts: null };
  const below = span(height - 1);
  const parts: (Indexes | null)[] = new Array(wide).fill(null);
  parts[Math.floor(index / below)] = at(index % below, height - 1);
  return { height, bits: 0, parts };
}

export function has(s: Indexes | null, index: number): boolean {
  if (s === null || index >= span(s.height)) return false;
  while (s !== null && s.height > 0) {
    const below: number = span(s.height - 1);
    s = s.parts![Math.floor(index / below)];
    index %= below;
  }
  return s !== null && ((s.bits >>> index) & 1) === 1;
}

// union is one of the two if that has all of the other.
export function union(a: Indexes | null, b: Indexes | null): Indexes | null {
  if (a === b || b === null) return a;
  if (a === null) return b;
  while (a.height < b.height) a = higher(a);
  while (b.height < a.height) b = higher(b);
  if (a.parts === null || b.parts === null) {
    const bits = a.bits | b.bits;
    return bits === a.bits ? a : bits === b.bits ? b : { height: 0, bits, parts: null };
  }
  let all = a;
  let other = b;
  const parts: (Indexes | null)[] = new Array(wide);
  for (let i = 0; i < wide; i++) {
    const p = (parts[i] = union(a.parts[i], b.parts[i]));
    if (p !== a.parts[i]) all = b;
    if (p !== b.parts[i]) other = a;
  }
  return all === a ? a : other === b ? b : { height: a.height, bits: 0, parts };
}

function higher(s: Indexes): Indexes {
  const parts: (Indexes | null)[] = new Array(wide).fill(null);
  parts[0] = s;
  return { height: s.height + 1, bits: 0, parts };
}

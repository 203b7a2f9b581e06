const counts = new Map<string, number>();
export let last = '';

export function count(what: string): number {
  const n = (counts.get(what) ?? 0) + 1;
  counts.set(what, n);
  last = what;
  return n;
}

export const of = (what: string): number => counts.get(what) ?? 0;

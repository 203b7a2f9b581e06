// The multivalue runtime as the models' helpers see it. These helpers are not
// rewritten, so that they can loop over lanes at native speed; sequential
// re-execution has one lane and no runtime.
export interface Runtime {
  state: { N: number; L: number };
  isMV(x: any): boolean;
  lane(x: any, i: number): any;
  norm(lanes: any[], own?: boolean): any;
  diverge(why: string, parts?: Int32Array): never;
  diverged(): any;
  // Natives as they are where others look out for multivalues.
  isArray(x: any): x is any[];
  RawWeakMap: typeof WeakMap;
}

// present: there are lanes at all.
export const present: boolean = (globalThis as any).$mv !== undefined;

export const mv: Runtime = (globalThis as any).$mv ?? {
  state: { N: 1, L: -1 },
  isMV: () => false,
  lane: (x: any) => x,
  norm: (lanes: any[]) => lanes[0],
  isArray: Array.isArray,
  RawWeakMap: WeakMap,
  diverge: (why: string) => {
    throw new Error(why);
  },
  diverged: () => null,
};

// together: one execution stands for several lanes.
export function together(): boolean {
  return mv.state.N > 1 && mv.state.L < 0;
}

// forLanes makes a value out of what f yields for each lane that runs.
export function forLanes(f: (i: number) => any, own = false): any {
  const { N, L } = mv.state;
  if (N === 1) return f(0);
  if (L >= 0) return f(L);
  const r = new Array(N);
  for (let i = 0; i < N; i++) r[i] = f(i);
  return mv.norm(r, own);
}

// inLanes is forLanes for functions of the models: they run as if their lane
// were the only one. What is thrown must be thrown alike in all lanes.
export function inLanes(f: (i: number) => any, own = false): any {
  if (!together()) return forLanes(f, own);
  const { state } = mv;
  const r = new Array(state.N);
  const thrown = new Array<any>(state.N);
  let failed = 0;
  try {
    for (let i = 0; i < r.length; i++) {
      state.L = i;
      try {
        r[i] = f(i);
      } catch (e) {
        if (mv.diverged() !== null) throw e;
        failed++;
        thrown[i] = { error: e, key: `${(e as any)?.name} ${(e as any)?.code} ${(e as any)?.message}` };
      }
    }
  } finally {
    state.L = -1;
  }
  if (failed > 0) alike(thrown);
  return mv.norm(r, own);
}

// alike throws what every lane threw, or parts the lanes.
function alike(thrown: ({ error: any; key: string } | undefined)[]): never {
  const first = thrown[0];
  if (first !== undefined && thrown.every((t) => t !== undefined && t.key === first.key)) throw first.error;
  const classes: (string | undefined)[] = [];
  const parts = Int32Array.from(thrown, (t) => {
    const at = classes.indexOf(t?.key);
    return at >= 0 ? at : classes.push(t?.key) - 1;
  });
  return mv.diverge('an error in some lanes, or another one', parts);
}

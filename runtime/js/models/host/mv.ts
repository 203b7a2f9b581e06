// The multivalue runtime as the models' helpers see it. These helpers are not
// rewritten, so that they can loop over lanes at native speed; sequential
// re-execution has one lane and no runtime.
export interface Runtime {
  state: { N: number; L: number };
  isMV(x: any): boolean;
  lane(x: any, i: number): any;
  norm(lanes: any[], own?: boolean): any;
  diverge(why: string): never;
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
// were the only one.
export function inLanes(f: (i: number) => any, own = false): any {
  if (!together()) return forLanes(f, own);
  const { state } = mv;
  const r = new Array(state.N);
  try {
    for (let i = 0; i < r.length; i++) {
      state.L = i;
      r[i] = f(i);
    }
  } finally {
    state.L = -1;
  }
  return mv.norm(r, own);
}

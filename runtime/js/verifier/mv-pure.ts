// Pure functions: they write nothing outside, touch no declared state and take
// no callback. One that diverges has done nothing, so it can be run again for
// each lane by itself. After a few failures that is done directly.
import { diverged, isMV, lane, lanesOf, MV, native, norm, project, state, Tag } from './mv-core';
import { suspect, zipErrors } from './mv-errors';
import { divergeBy } from './mv-core';
import { hint } from './track-hooks';

const failures = new native.Map<number, number>();
const limit = 3;

// any reports whether a call may meet a multivalue.
export function any(args: IArguments): boolean {
  if (state.N === 1 || state.L >= 0) return false;
  for (let i = 0; i < args.length; i++) if (typeof args[i] === 'object' && args[i] !== null) return true;
  return false;
}

let fresh: any;

// fr marks a result that was made in the function that returns it.
export function fr(x: any): any {
  fresh = x;
  return x;
}

export function tryPure(id: number, args: IArguments, body: Function): any {
  const failed = failures.get(id) ?? 0;
  if (failed < limit) {
    try {
      return native.apply(body, undefined, args);
    } catch (e) {
      const d = diverged();
      if (d !== null ? d.stale : !suspect(e)) throw e;
      state.D = null;
      failures.set(id, failed + 1);
    }
  }
  return perLane(args, body);
}

function perLane(args: IArguments, body: Function): any {
  const n = state.N;
  const r = new native.Array(n);
  const a = new native.Array(args.length);
  const only = onlyString(args);
  const seen = only < 0 ? null : new native.Map<string, any>();
  let own = true;
  let errors = 0;
  try {
    for (let i = 0; i < n; i++) {
      state.L = hint.lane = i;
      let k = '';
      if (seen !== null) {
        k = lanesOf(args[only])[i];
        if (seen.has(k)) {
          r[i] = seen.get(k);
          continue;
        }
      }
      for (let j = 0; j < a.length; j++) a[j] = project(args[j]);
      fresh = undefined;
      try {
        const x = lane(native.apply(body, undefined, a), i);
        r[i] = x;
        if ((typeof x === 'object' && x !== null) || typeof x === 'function') {
          if (x !== fresh) own = false;
        } else if (seen !== null) seen.set(k, x);
      } catch (e) {
        if (state.D !== null) throw state.D;
        errors++;
        r[i] = e;
      }
    }
  } finally {
    state.L = hint.lane = -1;
  }
  if (errors === n) throw zipErrors(r);
  if (errors > 0)
    divergeBy(
      'an error in some lanes',
      r.map((x) => x instanceof native.Error),
    );
  return norm(r, own);
}

// onlyString: the argument that all differences come from, if it is one multivalue of strings.
function onlyString(args: IArguments): number {
  let at = -1;
  for (let i = 0; i < args.length; i++) {
    const x = args[i];
    if (typeof x !== 'object' || x === null) continue;
    if (!isMV(x) || x.$tag !== Tag.String || at >= 0) return -1;
    at = i;
  }
  return at;
}

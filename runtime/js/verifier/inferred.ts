// What the build found to be shared although nobody declared it so, as in the
// server's runtime.
import { inferring } from '../shared/inferred';
import { native as realm } from './mv';
import { group, nextOp } from './group';
import { recOf, share } from './track';

export const { inferred, inferredBox, atLoad, atLoadBox, end } = inferring({
  open: () => group.loading,
  track: (o) => {
    share(o, group.loading ? 0 : nextOp());
    return recOf(o) !== undefined;
  },
  natives: { getOwnPropertyDescriptor: realm.getOwn, getPrototypeOf: realm.getProto, defineProperty: realm.define } as any,
});

// endLoad is to be called when the first request comes, or could.
export function endLoad(): void {
  if (!group.loading) return;
  end();
  group.loading = false;
}

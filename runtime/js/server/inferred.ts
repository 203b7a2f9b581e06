// What the build found to be shared although nobody declared it so. Load time is
// left alone: what it makes is tracked in one go when the first request comes. What
// is made later is tracked only if a module made it (one that is loaded late), not
// if a function did, which then makes it for a request.
import { inferring } from '../shared/inferred';
import * as log from './log';
import { recOf, share } from './track';

export const { inferred, inferredBox, atLoad, atLoadBox, end } = inferring({
  open: () => log.initOpen,
  track: (o) => {
    share(o, log.initOpen ? 0 : log.nextOp(), false);
    return recOf(o) !== undefined;
  },
  natives: Object,
});

export function endInit(): void {
  if (!log.initOpen) return;
  end();
  log.closeInit();
}

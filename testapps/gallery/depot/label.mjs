import { createHash } from 'node:crypto';
import { scale } from './store.mjs';

await null;
let labels = 0;
const seed = createHash('md5').update('depot').digest('hex').slice(0, 4);

export const label = (id) => `${seed}-${id}-${scale * ++labels}`;

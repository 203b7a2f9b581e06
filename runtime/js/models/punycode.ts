// punycode: npm's, which is Node's own, of another version.
import { host } from './internal/host';

export function punycodeModule(): any {
  const npm = require('../node_modules/punycode/punycode.js');
  const punycode: any = { ...npm, version: '2.1.0' };
  // They look at each letter, of which there are others in each lane.
  for (const k of ['decode', 'encode', 'toASCII', 'toUnicode']) punycode[k] = host.lift(npm[k]);
  return punycode;
}

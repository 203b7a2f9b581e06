// util: npm's, and what it lacks of Node 20's.
import { TextDecoder, TextEncoder } from './encoding';

const npm = require('../node_modules/util/util.js');
const comparisons = require('../node_modules/assert/build/internal/util/comparisons.js');

const util: any = { ...(npm as any) };
const { isDeepStrictEqual, stripVTControlCharacters, toUSVString, getSystemErrorName, aborted } = {
  isDeepStrictEqual: (a: any, b: any) => (comparisons as any).isDeepStrictEqual(a, b),
  stripVTControlCharacters: (s: string) =>
    s.replace(/[\u001B\u009B][[\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\d\/#&.:=?%@~_]+)*|[a-zA-Z\d]+(?:;[-a-zA-Z\d\/#&.:=?%@~_]*)*)?\u0007)|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-ntqry=><~]))/g, ''),
  toUSVString: (s: any) => String(s).toWellFormed(),
  getSystemErrorName: (n: number) => ({ [-2]: 'ENOENT', [-13]: 'EACCES', [-17]: 'EEXIST' })[n],
  aborted: () => new Promise(() => {}),
};
Object.assign(util, { isDeepStrictEqual, stripVTControlCharacters, toUSVString, getSystemErrorName, aborted, TextDecoder, TextEncoder });
util.isArray = Array.isArray;
util.inspect.custom ??= Symbol.for('nodejs.util.inspect.custom');
util.debug = util.debuglog = (_set: any, callback?: any) => {
  const log: any = () => {};
  log.enabled = false;
  callback?.(log);
  return log;
};
util.deprecate = (f: any) => f;

export default util;

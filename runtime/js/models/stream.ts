// Streams are readable-stream's, the same code as Node's own. Only the bodies
// of requests begin without its state: see incoming.ts.
import { streamMethods } from './internal/light';

const npm = require('../node_modules/readable-stream/lib/ours/browser.js');

const Readable: any = (npm as any).Readable;
const Stream: any = (npm as any).Stream;
streamMethods(Readable);

// Node 20 asks only after a chunk was written whether more may be written at once.
const { write } = Stream.Writable.prototype;
Stream.Writable.prototype.write = Stream.Duplex.prototype.write = {
  write(this: any): boolean {
    const s = this._writableState;
    const drained = s === undefined || !s.needDrain;
    const more = Reflect.apply(write, this, arguments);
    if (more || s === undefined || s.ending || s.destroyed || s.errored || !(s.length < s.highWaterMark || s.length === 0)) return more;
    if (drained) s.needDrain = false;
    return true;
  },
}.write;

Stream.setDefaultHighWaterMark = () => {};
Stream.getDefaultHighWaterMark = (objectMode: boolean) => (objectMode ? 16 : 16384);

export default Stream;
export { Readable };

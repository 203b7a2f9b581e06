// Streams are readable-stream's, the same code as Node's own. Only the bodies
// of requests begin without its state: see incoming.ts.
import { streamMethods } from './internal/light';

const npm = require('../node_modules/readable-stream/lib/ours/browser.js');

const Readable: any = (npm as any).Readable;
const Stream: any = (npm as any).Stream;
streamMethods(Readable);

Stream.setDefaultHighWaterMark = () => {};
Stream.getDefaultHighWaterMark = (objectMode: boolean) => (objectMode ? 16 : 16384);

export default Stream;
export { Readable };

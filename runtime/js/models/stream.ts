// Streams are readable-stream's, the same code as Node's own. Only the bodies
// of requests begin without its state: see incoming.ts.
import { loop } from './internal/host';
import { streamMethods } from './internal/light';

const npm = require('../node_modules/readable-stream/lib/ours/browser.js');
const { AbortError } = require('../node_modules/readable-stream/lib/ours/errors.js');

const Readable: any = (npm as any).Readable;
const Stream: any = (npm as any).Stream;
streamMethods(Readable);

const { finished } = Stream; // as the platform calls it
Stream.Writable.prototype[Symbol.asyncDispose] = function (this: any): Promise<any> {
  if (!this.destroyed) this.destroy(this.writableFinished ? null : new AbortError());
  return new Promise((resolve, reject) => finished(this, (e: any) => (e && e.name !== 'AbortError' ? reject(e) : resolve(null))));
};
Stream._isArrayBufferView = ArrayBuffer.isView;

// Side is one of a pair: what is written to it can be read from the other.
class DuplexSide extends Stream.Duplex {
  other: any = null;
  // taken says that the other side wants more.
  taken: any = null;
  constructor(options: any) {
    super(options);
    for (const k of ['other', 'taken']) Object.defineProperty(this, k, { enumerable: false });
  }
  _read(): void {
    const { taken } = this;
    this.taken = null;
    taken?.();
  }
  _write(chunk: any, _encoding: any, done: any): void {
    if (chunk.length === 0) {
      loop.tick(done);
      return;
    }
    this.other.push(chunk);
    this.other.taken = done;
  }
  _final(done: any): void {
    this.other.on('end', done);
    this.other.push(null);
  }
}

Stream.duplexPair = (options: any): any[] => {
  const sides = [new DuplexSide(options), new DuplexSide(options)];
  [sides[0].other, sides[1].other] = [sides[1], sides[0]];
  return sides;
};

export default Stream;
export { Readable };

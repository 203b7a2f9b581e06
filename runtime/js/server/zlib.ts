// zlib under record: compressed bytes are recorded, because every version and
// processor may compress in its own way; of decompressed ones, the lengths in
// which they came.
import { finished, Transform } from 'stream';
import { type Done, type Engine, informed, type Kind, kinds, streamClasses } from '../shared/zlib';
import { awaiting, Port, record } from './outside';

const compresses = (kind: Kind) => /Deflate|Gzip|BrotliCompress/.test(kind);

function note(kind: Kind, chunks: Buffer[]): void {
  if (compresses(kind)) record('zlib', chunks.map((c) => c.toString('base64')).join());
  else record('inflate', chunks.map((c) => c.length).join());
}

class Native implements Engine {
  private readonly port = new Port();
  private readonly stream: any;
  private chunks: Buffer[] = [];
  private done: Done | null = null;
  private flushing = false;
  private used = 0;

  constructor(zlib: any, private readonly kind: Kind, options: any) {
    const s = (this.stream = zlib['create' + kind](options));
    // What Node's own stream would let its reader have. (A null ends it.)
    s.push = (chunk: Buffer | null): boolean => {
      if (chunk === null) this.finish(!this.flushing, null);
      else this.chunks.push(chunk);
      return true;
    };
    s.on('error', (e: any) => this.finish(false, e));
    const flush = s._flush;
    s._flush = (callback: any) => {
      this.flushing = true;
      flush.call(s, callback);
    };
  }

  process(chunk: Buffer, flush: number, last: boolean, done: Done): void {
    this.done = done;
    const more = () => this.finish(false, null);
    if (last) chunk.length === 0 ? this.stream.end() : this.stream.end(chunk);
    else if (flush !== this.stream._defaultFlushFlag) {
      if (chunk.length > 0) this.stream.write(chunk);
      this.stream.flush(flush, more);
    } else this.stream.write(chunk, more);
  }

  private finish(ended: boolean, error: any): void {
    const { done, chunks, stream } = this;
    if (done === null) return;
    const used = error === null ? stream.bytesWritten - this.used : 0;
    this.used += used;
    this.done = null;
    this.chunks = [];
    this.port.arrive(() => {
      note(this.kind, chunks);
      done(chunks, used, ended, error);
    }, error);
  }

  reset(): void {
    this.stream.reset();
  }

  params(level: number, strategy: number): void {
    this.stream._handle.params(level, strategy);
  }

  close(): void {
    this.done = null;
    this.stream.destroy();
  }
}

export function guestModule(zlib: any): any {
  const m: any = Object.defineProperties({}, Object.getOwnPropertyDescriptors(zlib));
  const put = (k: string, value: any) => Object.defineProperty(m, k, { value });
  const classes = streamClasses(Transform, Buffer, finished, {
    open: (kind, options) => new Native(zlib, kind, options),
    constants: zlib.constants,
    tick: process.nextTick,
  });
  for (const kind of kinds) {
    put(kind, classes[kind]);
    put('create' + kind, (options?: any) => new classes[kind](options));
    const name = kind[0].toLowerCase() + kind.slice(1);
    const real = zlib[name];
    const sync = zlib[name + 'Sync'];
    const noted = (options: any, out: any): any => {
      const buffer = options?.info ? out.buffer : out;
      if (compresses(kind)) note(kind, [buffer]);
      return informed(classes[kind], options, buffer, options?.info ? out.engine.bytesWritten : 0);
    };
    put(name, function (buffer: any, options: any, callback: any): void {
      if (typeof options === 'function') [options, callback] = [{}, options];
      const took = (args: any[]) => void (args[0] || (args[1] = noted(options, args[1])));
      awaiting(() => real(buffer, options, Port.once(callback, took)));
    });
    put(name + 'Sync', (buffer: any, options: any): any => noted(options, sync(buffer, options)));
  }
  return m;
}

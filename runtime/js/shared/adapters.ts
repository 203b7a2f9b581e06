// What makes one kind of stream of the other: Node's, and those of the web.
import { coded, invalidType } from '../models/internal/errors';
import { streams } from './streams';
import { aborted } from './timers';

const g = globalThis as any;

const isWeb = (x: any, ...methods: string[]): boolean => typeof x === 'object' && x !== null && typeof x.pipe !== 'function' && methods.every((k) => typeof x[k] === 'function');
const isReadableStream = (x: any): boolean => isWeb(x, 'pipeThrough', 'getReader', 'cancel');
const isWritableStream = (x: any): boolean => isWeb(x, 'getWriter', 'abort');

// options of a stream that is made of one of the web.
function taken(options: any): any {
  if (options === null || typeof options !== 'object') throw invalidType('options', 'of type object', options);
  for (const k of ['objectMode', 'decodeStrings']) if (options[k] !== undefined && typeof options[k] !== 'boolean') throw invalidType(`options.${k}`, 'of type boolean', options[k]);
  const { allowHalfOpen, decodeStrings = true, encoding, highWaterMark, objectMode = false, signal } = options;
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument '${encoding}' is invalid. Received 'options.encoding'`);
  return { allowHalfOpen: allowHalfOpen ?? false, decodeStrings, encoding, highWaterMark, objectMode, signal };
}

// early is an end that came too early, as the web tells of it.
const early = (e: any): any => (e?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? aborted({ reason: e }) : e);

// deferred is a promise with what settles it.
function deferred(): any {
  const d: any = {};
  d.promise = g.$newPromise((resolve: any, reject: any) => {
    d.resolve = resolve;
    d.reject = reject;
  });
  return d;
}

// after is p.then(f, bad), in both builds an activation of whoever asks for it.
const after = (p: any, f: (v: any) => void, bad: (e: any) => void): any => Reflect.apply(Promise.prototype.then, p, [f, bad]);

// A side is what a stream does with one of the web, which may be closed.
interface Side {
  closed: boolean;
  options: any;
  leave(e: any): any;
}

// adapt gives the classes of module stream what makes one kind of stream of the other.
export function adapt(stream: any): void {
  const { Duplex, Readable, Writable, destroy, finished, isReadable, isWritable } = stream;

  // reading is the side of self() that reads from a stream of the web.
  const reading = (from: any, self: () => any, sides: Side[]): void => {
    const reader = from.getReader();
    const side: Side = {
      closed: false,
      options: {
        read: () =>
          void after(
            reader.read(),
            ({ done, value }) => void self().push(done ? null : value),
            (e) => destroy(self(), e),
          ),
      },
      leave: (e) => reader.cancel(e),
    };
    sides.push(side);
    after(reader.closed, () => void (side.closed = true), failed(self, sides));
  };

  // writing is the side that writes to one.
  const writing = (to: any, self: () => any, sides: Side[]): void => {
    const writer = to.getWriter();
    const put = (f: () => any, done: any) => void after(writer.ready, () => after(f(), () => done(), done), done);
    const side: Side = {
      closed: false,
      options: {
        write: (chunk: any, _encoding: any, done: any) => put(() => writer.write(chunk), done),
        writev: (chunks: any[], done: any) => put(() => Promise.all(chunks.map((c) => writer.write(c.chunk))), done),
        final: (done: any) => void (!side.closed && after(writer.close(), () => done(), done)),
      },
      leave: (e) => (e || sides.length > 1 ? writer.abort(e) : writer.close()),
    };
    sides.push(side);
    after(
      writer.closed,
      () => {
        side.closed = true;
        if (!self().writableEnded) destroy(self(), coded(Error, 'ERR_STREAM_PREMATURE_CLOSE', 'Premature close'));
      },
      failed(self, sides),
    );
  };

  const failed = (self: () => any, sides: Side[]) => (e: any) => {
    for (const side of sides) side.closed = true;
    destroy(self(), e);
  };

  // made is a stream with such sides.
  const made = (Class: any, options: any, begin: (self: () => any, sides: Side[]) => void): any => {
    const common = taken(options);
    const sides: Side[] = [];
    let stream: any;
    begin(() => stream, sides);
    stream = new Class({
      ...common,
      ...Object.assign({}, ...sides.map((side) => side.options)),
      destroy(e: any, done: any) {
        const open = sides.filter((side) => !side.closed);
        if (open.length === 0) return done(e);
        const left = Promise.all(open.map((side) => side.leave(e)));
        const end = () => done(e);
        after(left, end, end);
      },
    });
    return stream;
  };

  const webWritable = (w: any): any => {
    if (typeof w?.write !== 'function' || typeof w.on !== 'function') throw invalidType('streamWritable', 'an stream.Writable', w);
    const { CountQueuingStrategy, WritableStream } = streams();
    if (w.destroyed || !isWritable(w)) {
      const over = new WritableStream();
      over.close();
      return over;
    }
    const { writableHighWaterMark: highWaterMark } = w;
    let to: any;
    let room: any = null; // what is written waits for
    let closing: any = null;
    const clean = finished(w, (end: any) => {
      clean();
      w.on('error', () => {});
      const e = early(end) ?? (closing === null ? aborted({}) : null);
      if (e === null) return closing.resolve();
      room?.reject(e);
      closing?.reject(e);
      to.error(e);
    });
    w.on('drain', () => void room?.resolve());
    return new WritableStream(
      {
        start: (c: any) => void (to = c),
        write(chunk: any) {
          if (!w.writableNeedDrain && w.write(chunk)) return;
          room = deferred();
          return room.promise;
        },
        abort: (reason: any) => void destroy(w, reason),
        close() {
          if (closing !== null || w.writableEnded) return;
          closing = deferred();
          w.end();
          return closing.promise;
        },
      },
      w.writableObjectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark },
    );
  };

  const webReadable = (r: any, options?: any): any => {
    if (typeof r?._readableState !== 'object') throw invalidType('streamReadable', 'an stream.Readable', r);
    const { ByteLengthQueuingStrategy, CountQueuingStrategy, ReadableStream } = streams();
    if (r.destroyed || !isReadable(r)) {
      const over = new ReadableStream();
      over.cancel();
      return over;
    }
    const { readableHighWaterMark: highWaterMark, readableObjectMode: objects } = r;
    let to: any;
    let over = false;
    r.pause();
    const clean = finished(r, (end: any) => {
      clean();
      r.on('error', () => {});
      const e = early(end);
      if (e) to.error(e);
      else if (!over) to.close();
    });
    r.on('data', (chunk: any) => {
      to.enqueue(g.Buffer.isBuffer(chunk) && !objects ? new Uint8Array(chunk) : chunk);
      if (to.desiredSize <= 0) r.pause();
    });
    return new ReadableStream(
      {
        start: (c: any) => void (to = c),
        pull: () => void r.resume(),
        cancel: (reason: any) => {
          over = true;
          destroy(r, reason);
        },
      },
      options?.strategy || new (objects ? CountQueuingStrategy : ByteLengthQueuingStrategy)({ highWaterMark }),
    );
  };

  Object.assign(Readable, {
    fromWeb(from: any, options: any = {}): any {
      if (!isReadableStream(from)) throw invalidType('readableStream', 'an instance of ReadableStream', from);
      return made(Readable, options, (self, sides) => reading(from, self, sides));
    },
    toWeb: (r: any, options?: any): any => webReadable(r, options),
  });
  Object.assign(Writable, {
    fromWeb(to: any, options: any = {}): any {
      if (!isWritableStream(to)) throw invalidType('writableStream', 'an instance of WritableStream', to);
      return made(Writable, options, (self, sides) => writing(to, self, sides));
    },
    toWeb: (w: any): any => webWritable(w),
  });
  const { from } = Duplex;
  Object.assign(Duplex, {
    fromWeb(pair: any = {}, options: any = {}): any {
      if (pair === null || typeof pair !== 'object') throw invalidType('pair', 'of type object', pair);
      const { readable, writable } = pair;
      if (!isReadableStream(readable)) throw invalidType('pair.readable', 'an instance of ReadableStream', readable);
      if (!isWritableStream(writable)) throw invalidType('pair.writable', 'an instance of WritableStream', writable);
      return made(Duplex, options, (self, sides) => {
        writing(writable, self, sides);
        reading(readable, self, sides);
      });
    },
    toWeb(d: any): any {
      if (typeof d?._writableState !== 'object' || typeof d._readableState !== 'object') throw invalidType('duplex', 'an stream.Duplex', d);
      return { writable: webWritable(d), readable: webReadable(d) };
    },
    // Node's own knows no other blobs than its own.
    from: (body: any): any => from(body instanceof g.Blob ? body.arrayBuffer() : body),
  });
}

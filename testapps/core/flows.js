'use strict';
// What streams of the program tell in odd cases: what they take and refuse, who hears of what ended them, and when.
const { compose, Duplex, getDefaultHighWaterMark, PassThrough, pipeline, promises, Readable, setDefaultHighWaterMark, Stream, Transform, Writable } = require('stream');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const told = (e) => (e ? [e.name, e.message, e.code, Object.keys(e)] : e);

// caught is what f throws.
const caught = (f) => {
  try {
    return f();
  } catch (e) {
    return told(e);
  }
};

// noted collects what happens for a while.
const noted = async (f) => {
  const log = [];
  f((...x) => void log.push(...x));
  await wait(3);
  return log;
};

const sink = (options) => new Writable({ write(_chunk, _encoding, callback) { callback(); }, ...options });

module.exports = {
  refused: (s) =>
    noted((note) => {
      const w = sink();
      note(caught(() => w.write(null, 'no encoding')), caught(() => w.write(s, 'no encoding')), caught(() => w.write({ s })), caught(() => w.write(s.length)));
      note(caught(() => new Writable({ defaultEncoding: 'x' + s })), caught(() => new Readable({ defaultEncoding: '' })), new Writable({ defaultEncoding: 'utf-8' })._writableState.defaultEncoding);
      note(caught(() => new Writable({ highWaterMark: -1 })), caught(() => new Duplex({ readableHighWaterMark: s })), caught(() => new Readable.prototype.map(() => 1)));
      for (const chunk of [[s], s.length, true]) {
        const r = new Readable({ read() {} });
        r.on('error', (e) => note(told(e)));
        note(r.push(chunk));
      }
      const r = new Readable({ read() {} });
      r.on('error', (e) => note(told(e))).push(null);
      note(r.push(s + 'more'));
      const without = new Readable();
      without.on('error', (e) => note(told(e))).read();
      const after = sink().on('error', (e) => note(told(e)));
      after.end(s, (e) => note('end ' + told(e)));
      after.write('late', (e) => note('write ' + e.code));
      after.end((e) => note('again ' + e.code));
    }),
  views: (s) =>
    noted((note) => {
      const bytes = new Uint8Array(Buffer.from(s + 'abcd'));
      const w = new Writable({ write(chunk, encoding, callback) { note(chunk.constructor.name, String(chunk), encoding); callback(); } });
      w.write(new DataView(bytes.buffer, 1, 2));
      w.end(new Uint16Array(bytes.buffer.slice(0, 2)));
      const r = new Readable({ read() {} });
      r.push(new DataView(bytes.buffer));
      r.unshift(new Int8Array([33]));
      r.push(null);
      r.on('data', (chunk) => note(String(chunk)));
    }),
  unencoded: (s) =>
    noted((note) => {
      const w = new Writable({ objectMode: true, write(chunk, encoding, callback) { note(chunk, encoding === undefined ? 'undefined' : encoding); callback(); } });
      w.write(s);
      w.write(s, () => {});
      w.write({ s }, 'no encoding');
      w.write(s, 'latin1');
    }),
  twice: (s) =>
    noted((note) => {
      const on = (x) => x.on('error', (e) => note(told(e)));
      on(new Writable({ write(_chunk, _encoding, callback) { callback(); callback(); } })).write(s + 'x');
      on(new Transform({ transform(_chunk, _encoding, callback) { callback(); callback(); } })).write(s + 'x');
      on(new Writable({ final(callback) { callback(); callback(); } })).end();
      on(new Writable({ construct(callback) { callback(); callback(); } }));
    }),
  pending: (s) =>
    noted((note) => {
      const d = new Duplex({ read() {}, write() {} });
      for (const chunk of ['a', s + 'b', 'c']) d.write(chunk, (e) => note(told(e)));
      d.end((e) => note('end', e.message));
      d.on('error', (e) => note('error ' + e.message)).destroy(s ? new Error('gone ' + s) : undefined);
      const w = sink({ autoDestroy: false });
      w.on('error', (e) => note(e.message)).end();
      w.on('finish', () => w.end((e) => note('finished', told(e))));
      const broken = new Writable({ write(_chunk, _encoding, callback) { callback(new Error('broken ' + s)); } });
      broken.on('error', () => broken.end((e) => note('ended', e.message))).write('x');
    }),
  made: (s) =>
    noted((note) => {
      const d = new Duplex({
        construct(callback) { note('construct'); callback(); process.nextTick(() => process.nextTick(() => note('later'))); },
        read() { note('read'); this.push(s + '.'); this.push(null); },
        write(chunk, _encoding, callback) { note('write ' + chunk); callback(); },
        final(callback) { note('final'); callback(); },
      });
      d.on('data', (c) => note(String(c))).on('end', () => note('end')).on('finish', () => note('finish')).on('close', () => note('close'));
      d.end('w' + s);
      note(d.readable, d.writable);
    }),
  names: (s) =>
    noted((note) => {
      for (const x of [new Readable({ read() {} }), sink(), new PassThrough(), new Stream()]) {
        const f = () => {};
        x.on('own ' + s, f).on('error', f).on('end', f).on('data', f).once('drain', f);
        note(x.eventNames());
        for (const event of x.eventNames()) x.removeAllListeners(event);
        note(x.eventNames().length, x.listenerCount('data'));
      }
    }),
  standard: (s) =>
    noted((note) => {
      const before = [getDefaultHighWaterMark(false), getDefaultHighWaterMark(true)];
      setDefaultHighWaterMark(false, 10 + s.length);
      setDefaultHighWaterMark(true, 3);
      note(new Readable().readableHighWaterMark, sink({ objectMode: true }).writableHighWaterMark, new PassThrough().writableHighWaterMark, caught(() => setDefaultHighWaterMark(true, -1)));
      setDefaultHighWaterMark(false, before[0]);
      setDefaultHighWaterMark(true, before[1]);
      note(...before, new Readable().readableHighWaterMark);
    }),
  disposed: async (s) => {
    const log = [];
    for (const x of [sink(), new Readable({ read() {} }), new PassThrough()]) {
      x.on('error', (e) => log.push(e.name + s));
      log.push(await x[Symbol.asyncDispose](), x.destroyed);
    }
    return log;
  },
  cause: async (s) => {
    const c = new AbortController();
    setTimeout(() => c.abort(new Error('why ' + s)), 1);
    const e = await promises.pipeline(new Readable({ read() {} }), sink(), { signal: c.signal }).catch((e) => e);
    return [told(e), e.cause.message];
  },
  returned: async (s) => {
    const inner = new PassThrough();
    const d = Duplex.from(async function* (source) { for await (const chunk of source) yield chunk + '!'; });
    d.end(s + 'x');
    const log = [Duplex.from(() => inner) === inner];
    for await (const chunk of d) log.push(String(chunk));
    return log;
  },
  ended: (s) =>
    noted((note) => {
      const t = new Transform({ transform(chunk, _encoding, callback) { this.push(chunk); this.push(null); callback(); } });
      t.on('data', (c) => note(String(c))).on('end', () => note('end')).on('close', () => note('close'));
      t.write(s + 'a', (e) => note('written', told(e)));
      const both = compose(new PassThrough(), new PassThrough({ objectMode: true }));
      both.on('error', (e) => note(told(e))).on('close', () => note('composed')).write(s);
      both.destroy(new Error('composed ' + s));
      pipeline(Readable.from([s, null]), sink({ objectMode: true }), (e) => note(told(e)));
      pipeline(Readable.from((async function* () { yield Promise.resolve(s); yield 1; })()), sink({ objectMode: true }), (e) => note(told(e)));
    }),
  called: (s) =>
    noted((note) => {
      const r = Readable({ read() { this.push(s + '.'); this.push(null); } });
      const w = Writable({ write(chunk, _encoding, callback) { note(String(chunk)); callback(); } });
      note(r instanceof Readable, w instanceof Writable, PassThrough() instanceof Duplex, r instanceof Writable, PassThrough() instanceof Writable);
      r.pipe(w).on('finish', () => note('finish'));
      r.on('resume', () => note('resume', r.isPaused(), r._readableState.paused)).on('pause', () => note('pause'));
    }),
};

'use strict';
// What makes Node's streams of those of the web, and the other way round, and what module stream knows of streams of the web.
const { inspect } = require('util');
const { addAbortSignal, compose, Duplex, finished, isDisturbed, isErrored, isReadable, PassThrough, promises, Readable, Writable } = require('stream');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const told = (e) => (e ? [e.name, e.message, e.code] : e);
const caught = (f) => {
  try {
    return f();
  } catch (e) {
    return told(e);
  }
};
const letters = (s) => new ReadableStream({ pull(c) { if (s.length > 0) c.enqueue(s[0]); else c.close(); s = s.slice(1); } });

// kept is a stream of the web with what it was given.
const kept = () => {
  const list = [];
  return [list, new WritableStream({ write: (chunk) => void list.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), close: () => void list.push('close'), abort: (e) => void list.push('abort ' + e?.message) })];
};
const locks = ({ readable, writable }) => [readable.locked, writable.locked];

module.exports = {
  writableFromWeb: async (s) => {
    const [list, to] = kept();
    const w = Writable.fromWeb(to);
    w.on('finish', () => list.push('finish')).on('close', () => list.push('closed'));
    w.write(s + 'a');
    w.cork();
    w.write('b');
    w.write('c');
    w.uncork();
    w.end('d');
    await promises.finished(w);
    await wait(1);
    return list;
  },
  writableFromWebObjects: async (s) => {
    const [list, to] = kept();
    await promises.pipeline(Readable.from([s, 'x', 'y']), Writable.fromWeb(to, { objectMode: true, highWaterMark: 1 }));
    return list;
  },
  writableAborted: async (s) => {
    const [list, to] = kept();
    const w = Writable.fromWeb(to);
    w.on('error', (e) => list.push(e.message)).on('close', () => list.push('closed'));
    w.destroy(new Error('gone ' + s));
    await wait(3);
    return list;
  },
  writableErrored: async (s) => {
    const log = [];
    const w = Writable.fromWeb(new WritableStream({ write() { throw new Error('no ' + s); } }));
    w.on('error', (e) => log.push(e.message)).on('close', () => log.push('closed'));
    w.write('x', (e) => log.push('cb ' + (e && e.message)));
    await wait(3);
    return log;
  },
  writableToWeb: async (s) => {
    const log = [];
    const w = new Writable({ highWaterMark: 2, write(chunk, _e, cb) { log.push(String(chunk)); setTimeout(cb, 1); }, final(cb) { log.push('final'); cb(); } });
    const writer = Writable.toWeb(w).getWriter();
    log.push(writer.desiredSize);
    await writer.write(s + 'abc');
    log.push('one');
    await writer.write('d');
    await writer.close();
    return [...log, w.writableFinished, await writer.closed];
  },
  writableToWebFails: async (s) => {
    const log = [];
    const w = new Writable({ write(chunk, _e, cb) { cb(new Error('bad ' + s)); } });
    const writer = Writable.toWeb(w).getWriter();
    writer.closed.catch((e) => log.push('closed ' + e.message));
    await writer.write('x').catch((e) => log.push(e.message));
    await wait(1);
    const over = Writable.toWeb(w).getWriter();
    await over.closed;
    const d = new Writable({ write(chunk, _e, cb) { cb(); } });
    const q = Writable.toWeb(d).getWriter();
    d.destroy();
    await q.closed.catch((e) => log.push(told(e), e.cause?.code));
    return log;
  },
  duplexFromWeb: async (s) => {
    const { readable, writable } = new TransformStream({ transform: (chunk, c) => c.enqueue(Buffer.from(chunk).toString().toUpperCase()) });
    const d = Duplex.fromWeb({ readable, writable }, { encoding: 'utf8', objectMode: true });
    const log = [];
    d.on('data', (c) => log.push(c)).on('end', () => log.push('end')).on('close', () => log.push('close'));
    d.write(s + 'a');
    d.end('b');
    await promises.finished(d);
    await wait(1);
    return log;
  },
  duplexToWeb: async (s) => {
    const { readable, writable } = Duplex.toWeb(new PassThrough());
    const writer = writable.getWriter();
    void writer.write(Buffer.from(s + 'x'));
    void writer.close();
    let all = '';
    for await (const c of readable) all += Buffer.from(c).toString();
    return [all, locks(Duplex.toWeb(new Duplex({ readable: false, write(c, e, cb) { cb(); } })))];
  },
  readableFails: async (s) => {
    const log = [];
    const r = Readable.fromWeb(new ReadableStream({ start(c) { setTimeout(() => c.error(new Error('bad ' + s)), 1); } }));
    r.on('error', (e) => log.push(e.message)).on('close', () => log.push('close')).resume();
    await wait(5);
    const w = Readable.toWeb(new Readable({ read() { this.destroy(new Error('broken ' + s)); } }));
    await w.getReader().read().catch((e) => log.push(e.message));
    const node = new Readable({ read() {} });
    const early = Readable.toWeb(node).getReader();
    node.destroy();
    await early.read().catch((e) => log.push(told(e), e.cause.code));
    const c = new Readable({ read() {}, destroy(e, cb) { log.push('destroyed ' + e?.message); cb(e); } }).on('error', () => {});
    await Readable.toWeb(c).cancel(new Error('enough'));
    await wait(1);
    return [...log, c.destroyed];
  },
  duplexOf: async (s) => {
    const out = [];
    for (const body of [new Blob([s, 'blob']), letters(s + 'web'), Promise.resolve(s)]) for await (const chunk of Duplex.from(body)) out.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const [list, to] = kept();
    const w = Duplex.from(to);
    w.end(s + 'w');
    await promises.finished(w);
    await wait(1);
    const pair = Duplex.from({ readable: letters('r' + s), writable: kept()[1] });
    pair.end('x');
    for await (const c of pair) out.push(String(c));
    return [...out, ...list];
  },
  refused: (s) => [() => Readable.toWeb(5), () => Writable.toWeb({}), () => Duplex.toWeb(1), () => Readable.fromWeb(s), () => Writable.fromWeb('x'), () => Duplex.fromWeb({}), () => Duplex.fromWeb(1), () => Readable.fromWeb(letters(s), { objectMode: 1 }), () => Readable.fromWeb(letters(s), { encoding: 'zz' }), () => Readable.fromWeb(letters(s), null), () => Writable.fromWeb(new WritableStream(), { decodeStrings: 1 })].map(caught),
  states: async (s) => {
    const log = [];
    const fails = async (f) => {
      try {
        log.push(inspect(await f()));
      } catch (e) {
        log.push([told(e), e.stack.split('\n')[0]]);
      }
    };
    const r = letters(s);
    const reader = r.getReader();
    for (const f of [() => r.getReader(), () => r.cancel(), () => r.pipeTo(new WritableStream()), () => r.pipeThrough(new TransformStream()), () => ReadableStream.prototype.tee.call({})]) await fails(f);
    reader.releaseLock();
    for (const f of [() => reader.closed, () => reader.read(), () => reader.cancel(), () => new ReadableStream({ type: 'x' + s }), () => letters(s).getReader({ mode: s }), () => ReadableStream.from(s.length), () => new ReadableStreamDefaultController()]) await fails(f);
    for (const type of [undefined, 'bytes']) {
      let c;
      const closed = new ReadableStream({ type, start: (x) => void (c = x) });
      c.close();
      for (const f of [() => c.close(), () => c.enqueue(new Uint8Array(1)), () => closed, () => c]) await fails(f);
    }
    const w = new WritableStream();
    const writer = w.getWriter();
    void writer.close();
    for (const f of [() => w.getWriter(), () => w.abort(), () => writer.close(), () => (writer.releaseLock(), writer.desiredSize), () => writer.write(s)]) await fails(f);
    let to;
    const t = new TransformStream({ start: (x) => void (to = x) });
    for (const f of [() => (to.terminate(), to.enqueue(s)), () => t.writable.getWriter().closed, () => new TransformStream(), () => [new TextDecoderStream()], () => ({ a: { b: { c: new ReadableStream() } } }), () => new CountQueuingStrategy({ highWaterMark: s.length })]) await fails(f);
    return log;
  },
  asked: async (s) => {
    const r = letters(s + 'x');
    const log = [isDisturbed(r), isErrored(r), isReadable(r)];
    await r.getReader().read();
    const bad = new ReadableStream({ start: (c) => c.error(new Error(s)) });
    return [...log, isDisturbed(r), isErrored(bad), isReadable(bad)];
  },
  finishedWeb: async (s) => {
    const log = [];
    const r = letters(s + 'ab');
    finished(r, (e) => log.push('r', told(e)));
    for await (const c of r) log.push(c);
    finished(r, (e) => log.push('again', told(e)));
    const bad = new ReadableStream({ start: (c) => setTimeout(() => c.error(new Error('bad ' + s)), 1) });
    await promises.finished(bad).catch((e) => log.push(e.message));
    const w = kept()[1];
    finished(w, (e) => log.push('w', told(e)));
    await w.close();
    await wait(1);
    const broken = new WritableStream({ write() { throw new Error('w ' + s); } });
    finished(broken, (e) => log.push('broken', told(e)));
    const q = broken.getWriter();
    q.closed.catch(() => {});
    await q.write(1).catch(() => {});
    await wait(1);
    const c = new AbortController();
    finished(new ReadableStream(), { signal: c.signal }, (e) => log.push(told(e)));
    c.abort();
    await wait(1);
    return log;
  },
  pipelines: async (s) => {
    const log = [];
    const [list, to] = kept();
    await promises.pipeline(Readable.from([s, 'n']), async function* (source) { for await (const c of source) yield c + '?'; }, to);
    log.push(...list);
    await promises.pipeline(letters(s), new PassThrough(), async (source) => { for await (const c of source) log.push(String(c)); });
    await promises.pipeline(new ReadableStream({ start: (c) => c.error(new Error('bad ' + s)) }), new PassThrough()).catch((e) => log.push(e.message));
    return log;
  },
  composedWeb: async (s) => {
    const both = compose(new TransformStream({ transform: (c, t) => t.enqueue(String(c).toUpperCase()) }), new PassThrough({ objectMode: true }));
    both.end(s + 'abc');
    let all = '';
    for await (const c of both) all += c;
    return [all];
  },
  abortedWeb: async (s) => {
    const log = [];
    const c = new AbortController();
    const r = addAbortSignal(c.signal, new ReadableStream());
    setTimeout(() => c.abort(new Error(s)), 1);
    await r.getReader().read().catch((e) => log.push(told(e), e.cause.message));
    const w = addAbortSignal(AbortSignal.abort(), new WritableStream());
    await w.getWriter().closed.catch((e) => log.push(told(e)));
    return log;
  },
};

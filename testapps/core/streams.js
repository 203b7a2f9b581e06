'use strict';
// Streams of the program's own, whose methods the platform calls when it sees fit.
const events = require('events');
const { compose, Duplex, duplexPair, PassThrough, pipeline, promises, Readable, Transform, Writable } = require('stream');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = async (readable) => {
  let s = '';
  for await (const chunk of readable) s += chunk;
  return s;
};

class Letters extends Readable {
  constructor(s) {
    super();
    this.left = [...s, '.'];
  }
  _read() {
    setTimeout(() => this.push(this.left.length > 0 ? this.left.shift() : null), 1);
  }
}

class Upper extends Transform {
  _transform(chunk, _encoding, callback) {
    setTimeout(() => {
      this.push(String(chunk).toUpperCase());
      callback();
    }, 1);
  }
  _flush(callback) {
    process.nextTick(callback, null, '!');
  }
}

module.exports = {
  pair: async (s) => {
    const [a, b] = duplexPair({ encoding: 'utf8' });
    const heard = [];
    a.on('data', (c) => heard.push('a ' + c)).on('end', () => heard.push('a ends'));
    b.on('data', (c) => b.write(`${c}!`)).on('end', () => b.end(s));
    a.write('');
    await new Promise((resolve) => a.write(s, resolve));
    heard.push('written');
    a.end('last');
    await new Promise((resolve) => a.on('close', resolve));
    const objects = duplexPair({ objectMode: true });
    objects[0].end({ s });
    for await (const o of objects[1]) heard.push(o);
    return [heard, a.writableFinished, b.readableEnded, a.constructor.name];
  },
  pairEnded: async (s) => {
    const [a, b] = duplexPair({ highWaterMark: 2 });
    const order = [a.write(s), a.write('xyz'), String(b.read())];
    await wait(1);
    order.push(String(b.read()));
    b.on('error', (e) => order.push(e.message)).destroy(new Error('gone ' + s));
    await new Promise((resolve) => b.on('close', resolve));
    a.on('error', (e) => order.push(e.code)).end();
    await wait(1);
    return [order, a.destroyed, a.writableEnded];
  },
  read: (s) => text(new Letters(s)),
  flowing: (s) =>
    new Promise((resolve) => {
      let seen = '';
      new Letters(s).setEncoding('utf8').on('data', (c) => (seen += c)).on('end', () => resolve([seen]));
    }),
  answered: (s, req, res) => void new Letters(s).pipe(new Upper()).pipe(res),
  async: (s) => {
    let n = 0;
    return text(new Readable({ async read() { await wait(1); this.push(n++ < 2 ? s + n : null); } }));
  },
  clock: (s) => {
    let n = 0;
    return text(new Readable({ read() { this.push(n++ < 2 ? `${s}${Date.now() > 0}${Math.random() < 1}` : null); } }));
  },
  assigned: (s) => {
    const r = new Readable();
    r._read = () => setImmediate(() => r.push(s.length > 0 ? null : null));
    r.push('pushed ' + s);
    return text(r);
  },
  constructed: (s) => text(new Readable({ construct(callback) { setTimeout(callback, 1); }, read() { this.push('made ' + s); this.push(null); } })),
  written: (s) =>
    new Promise((resolve) => {
      const log = [];
      const w = new Writable({ write(c, _encoding, callback) { log.push(String(c)); callback(); }, final(callback) { setTimeout(() => { log.push('final'); callback(); }, 1); } });
      w.on('finish', () => resolve(log));
      w.write(s + 'a');
      w.end('b');
    }),
  corked: (s) =>
    new Promise((resolve) => {
      const log = [];
      const w = new Writable({ decodeStrings: false, writev(chunks, callback) { log.push(chunks.map((c) => c.chunk).join('+')); setTimeout(callback, 1); } });
      w.cork();
      w.write(s + 'a');
      w.write('b');
      process.nextTick(() => w.uncork());
      w.end('c', () => resolve(log));
    }),
  drained: async (s) => {
    const w = new Writable({ highWaterMark: 3, write(_c, _encoding, callback) { setTimeout(callback, 1); } });
    const log = [w.write('ab'), w.write(s + 'cd')];
    await events.once(w, 'drain');
    log.push(w.write('x'));
    w.end();
    await promises.finished(w);
    return log;
  },
  duplex: (s) => {
    const d = new Duplex({ read() {}, write(c, _encoding, callback) { setTimeout(() => { this.push(c); callback(); }, 1); }, final(callback) { setImmediate(() => { this.push(null); callback(); }); } });
    return text(Readable.from(['a', s + 'b']).pipe(d));
  },
  composed: async (s) => {
    const both = compose(new Upper(), new PassThrough());
    both.end(s + 'abc');
    return text(both);
  },
  destroyed: async (s) => {
    const log = [];
    const r = new Readable({ read() {}, destroy(e, callback) { log.push('destroy'); setTimeout(() => callback(e), 1); } });
    setImmediate(() => r.destroy(new Error('on purpose ' + s)));
    await promises.finished(r.resume()).catch((e) => log.push(e.message));
    return log;
  },
  objects: (s, req, res) => pipeline(Readable.from([{ s }, { n: 2 }]), new Transform({ writableObjectMode: true, transform: (o, _encoding, callback) => void setTimeout(callback, 1, null, JSON.stringify(o)) }), res, () => {}) && undefined,
  bodies: (s, req) => text(req.pipe(new Upper())),
};

'use strict';
const zlib = require('zlib');
const { promisify } = require('util');
const { pipeline, Readable } = require('stream');

const text = (s) => 'compressible '.repeat(20) + s;
const bytes = (n) => {
  const b = Buffer.alloc(n);
  for (let i = 0, x = 12345; i < n; i++) b[i] = (x = (x * 1103515245 + 12345) & 0x7fffffff) >> 16;
  return b;
};
const collect = (stream) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    stream.on('data', (c) => chunks.push(c));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
const failure = (f) => {
  try {
    return f().toString();
  } catch (e) {
    return { message: e.message, code: e.code, errno: e.errno };
  }
};

module.exports = {
  crc: (s) => [zlib.crc32(s), zlib.crc32(Buffer.from(s)), zlib.crc32('more', zlib.crc32(s)), zlib.crc32(new Uint16Array([s.length, 7])), zlib.crc32(''), ...[[s.length], [s, -1], [s, 2 ** 32], [s, 1.5], [s, s], [s, null], [new ArrayBuffer(1)]].map((args) => failure(() => zlib.crc32(...args)))],
  sync: (s) => zlib.gunzipSync(zlib.gzipSync(text(s))).toString() + zlib.inflateSync(zlib.deflateSync(s)) + zlib.inflateRawSync(zlib.deflateRawSync(s, { level: 1 })) + zlib.unzipSync(zlib.gzipSync(s)) + zlib.unzipSync(zlib.deflateSync(s)),
  gzipped: (s) => zlib.gzipSync(text(s)),
  deflated: (s) => zlib.deflateSync(text(s)).toString('hex'),
  brotli: (s) => zlib.brotliDecompressSync(zlib.brotliCompressSync(text(s))).toString(),
  brotlied: (s) => zlib.brotliCompressSync(text(s)),
  dictionary: (s) => zlib.inflateSync(zlib.deflateSync(text(s), { dictionary: Buffer.from('compressible') }), { dictionary: Buffer.from('compressible') }).toString(),
  large: (s) => zlib.gunzipSync(zlib.gzipSync(Buffer.concat([bytes(100000), Buffer.from(s)]))).subarray(99999).toString('latin1'),
  callback: async (s) => {
    const gz = await promisify(zlib.gzip)(text(s));
    return (await promisify(zlib.gunzip)(gz)).toString() + (await promisify(zlib.brotliDecompress)(await promisify(zlib.brotliCompress)(s)));
  },
  several: async (s) => (await Promise.all([1, 2, 3].map((n) => promisify(zlib.deflate)(text(s + n))))).map((b) => zlib.inflateSync(b).length),
  nested: (s, req, res) => {
    zlib.gzip(text(s), (e, b) => zlib.gunzip(b, (e, t) => res.end(t)));
  },
  stream: async (s) => {
    const z = zlib.createGzip();
    const done = collect(z);
    z.write(text(s));
    z.write('more');
    z.end('last');
    return zlib.gunzipSync(await done).toString();
  },
  respond: (s, req, res) => {
    res.setHeader('Content-Encoding', 'gzip');
    const z = zlib.createGzip();
    z.pipe(res);
    z.write(text(s));
    setImmediate(() => z.end(text(s)));
  },
  brotlistream: (s, req, res) => {
    const z = zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } });
    z.on('data', (c) => res.write(c));
    z.on('end', () => res.end());
    z.write(text(s));
    z.flush();
    z.end(s);
  },
  flushed: (s, req, res) => {
    const z = zlib.createGzip();
    z.on('data', (c) => res.write(c));
    z.on('end', () => res.end());
    z.write(text(s));
    z.flush(() => {
      z.write('after the flush');
      z.flush(zlib.constants.Z_SYNC_FLUSH, () => z.end());
    });
  },
  inflatestream: async (s) => {
    const z = zlib.createGunzip();
    const done = collect(z);
    const gz = zlib.gzipSync(Buffer.concat([bytes(50000), Buffer.from(text(s))]));
    for (let i = 0; i < gz.length; i += 7000) z.write(gz.subarray(i, i + 7000));
    z.end();
    const b = await done;
    return b.length + b.subarray(50000).toString();
  },
  pipeline: (s, req, res) => {
    pipeline(Readable.from([text(s), s]), zlib.createDeflate(), zlib.createInflate(), res, () => {});
  },
  corrupt: (s) => [
    failure(() => zlib.gunzipSync(Buffer.from('no gzip ' + s))),
    failure(() => zlib.inflateSync(Buffer.from('no zlib ' + s))),
    failure(() => zlib.inflateRawSync(Buffer.from('\x07no deflate ' + s))),
    failure(() => zlib.unzipSync(Buffer.from(s))),
    failure(() => zlib.gunzipSync(zlib.gzipSync(s).subarray(0, 15))),
    failure(() => zlib.gunzipSync(Buffer.concat([zlib.gzipSync(s), zlib.gzipSync('second')]))),
    failure(() => zlib.gunzipSync(Buffer.concat([zlib.gzipSync(s), Buffer.alloc(10)]))),
    failure(() => zlib.gunzipSync(Buffer.concat([zlib.gzipSync(s), Buffer.from('junk')]))),
    failure(() => zlib.inflateSync(zlib.deflateSync(s, { dictionary: Buffer.from('abc') }))),
    failure(() => zlib.inflateSync(zlib.deflateSync(s, { dictionary: Buffer.from('abc') }), { dictionary: Buffer.from('xyz') })),
    failure(() => zlib.gunzipSync(zlib.gzipSync(s).subarray(0, 15), { finishFlush: zlib.constants.Z_SYNC_FLUSH })),
    failure(() => zlib.gunzipSync(5)),
    failure(() => zlib.gzipSync(s, { level: 99 })),
    failure(() => zlib.gunzipSync(zlib.gzipSync(text(s)), { maxOutputLength: 20 })),
  ],
  corruptstream: async (s) => {
    const out = [];
    for (const b of [Buffer.from('no gzip' + s), zlib.gzipSync(text(s)).subarray(0, 30), Buffer.concat([zlib.gzipSync(s), Buffer.from('junk')])]) {
      const z = zlib.createGunzip();
      const done = collect(z).then(String, (e) => [e.message, e.code, e.errno]);
      z.end(b);
      out.push(await done);
    }
    return out;
  },
  corruptcallback: async (s) => promisify(zlib.gunzip)(Buffer.from(s)),
  classes: (s) => [zlib.createGzip() instanceof zlib.Gzip, zlib.Gunzip().constructor.name, zlib.createInflate().bytesWritten, zlib.constants.Z_BEST_SPEED, Object.keys(zlib.constants).length, zlib.codes.Z_OK, zlib.codes['-3'], s],
  settings: (s) => {
    const refused = (f) => {
      try {
        return typeof f();
      } catch (e) {
        return [e.name, e.message, e.code];
      }
    };
    const odd = [{ chunkSize: 5 }, { chunkSize: Infinity }, { chunkSize: s }, { level: 10 }, { level: NaN }, { windowBits: 0 }, { windowBits: 16 }, { memLevel: -Infinity }, { strategy: 'x' }, { flush: 9 }, { finishFlush: -1 }, { maxOutputLength: 0 }, { dictionary: s }, { dictionary: s.length }, { params: { 99: 1 } }, { params: { 1: s } }, { params: { 4: 42 } }, { params: { 1: 1, '01': 2 } }];
    const makers = [zlib.createGzip, zlib.createInflate, zlib.Unzip, zlib.createBrotliCompress, (o) => zlib.deflateRawSync(s, o).length];
    return [...odd.flatMap((o) => makers.map((f) => refused(() => f(o)))), refused(() => (zlib.codes.Z_OK = 1)), refused(() => (zlib.constants.Z_OK = 1)), refused(() => (zlib.Z_OK = 1)), Object.isFrozen(zlib.codes)];
  },
  fields: (s) => {
    const z = zlib.createGzip({ level: 3, strategy: NaN, objectMode: true, encoding: 'utf8' });
    const before = [z._level, z._strategy, z.bytesWritten, z.bytesRead, z._closed, z._handle !== null, z.writableObjectMode, z.readableEncoding, s];
    z.on('error', (e) => before.push(e.message));
    try {
      z.write({ s });
    } catch (e) {
      before.push(e.message);
    }
    z.close();
    return [...before, z._closed, z._handle];
  },
  inherited: (s) =>
    new Promise((resolve) => {
      function Mine(options) {
        zlib.DeflateRaw.call(this, options);
        this.own = s;
      }
      Object.setPrototypeOf(Mine.prototype, zlib.DeflateRaw.prototype);
      class Other extends zlib.InflateRaw {}
      const out = [];
      const m = new Mine({ level: 1 });
      const o = new Other();
      m.pipe(o).on('data', (c) => out.push(String(c))).on('end', () => resolve([...out, m.own, m instanceof zlib.DeflateRaw, zlib.Gzip() instanceof zlib.Gzip, o.constructor.name, zlib.Gzip.name]));
      m.end('text ' + s);
    }),
  informed: async (s) => {
    const { buffer, engine } = zlib.gzipSync('text ' + s, { info: true });
    const again = zlib.gunzipSync(buffer, { info: true });
    const later = await promisify(zlib.deflate)('text', { info: true });
    return [String(again.buffer), engine instanceof zlib.Gzip, engine.bytesWritten, again.engine.constructor.name, again.engine.bytesWritten === buffer.length, later.engine instanceof zlib.Deflate, String(zlib.inflateSync(later.buffer))];
  },
  trailing: async (s) => {
    const out = [];
    for (const [pack, make] of [['deflateSync', 'createInflate'], ['deflateRawSync', 'createInflateRaw'], ['gzipSync', 'createGunzip'], ['gzipSync', 'createUnzip'], ['brotliCompressSync', 'createBrotliDecompress']]) {
      const packed = zlib[pack]('text ' + s);
      const z = zlib[make]();
      let text = '';
      z.setEncoding('utf8').on('data', (c) => (text += c));
      z.write(Buffer.concat([packed, Buffer.alloc(7)]), () => out.push('written'));
      await new Promise((resolve) => z.on('end', resolve));
      out.push([text, z.bytesWritten === packed.length]);
    }
    return out;
  },
  bytewise: async (s) => {
    const z = zlib.createUnzip();
    let text = '';
    z.on('data', (c) => (text += c));
    for (const b of Buffer.concat([zlib.gzipSync('one ' + s), zlib.gzipSync('two ' + s)])) z.write(Buffer.from([b]));
    z.end();
    await new Promise((resolve) => z.on('end', resolve));
    return [text];
  },
  afterwards: async (s) => {
    const z = zlib.createInflateRaw();
    const all = [];
    const once = (name, f) => all.push(new Promise((resolve) => f(() => resolve(name))));
    z.resume();
    once('first', (f) => z.write(zlib.deflateRawSync('text ' + s), f));
    for (const name of ['second', 'third']) once(name, (f) => z.write(Buffer.alloc(1), f));
    once('flushed', (f) => z.flush(f));
    const closed = zlib.createGunzip();
    closed.on('error', (e) => all.push(e.code));
    once('closed', (f) => closed.close(f));
    once('late', (f) => closed.write(s, f));
    return Promise.all(all);
  },
  changed: async (s) => {
    const z = zlib.createDeflate({ level: 9 });
    const parts = [];
    z.on('data', (c) => parts.push(c));
    z.write('first ' + s);
    await new Promise((resolve) => z.params(0, zlib.constants.Z_DEFAULT_STRATEGY, resolve));
    z.end('second ' + s);
    await new Promise((resolve) => z.on('end', resolve));
    const inflate = zlib.createInflate();
    const texts = [];
    inflate.on('data', (c) => texts.push(String(c)));
    for (let i = 0; i < 2; i++) {
      await new Promise((resolve) => inflate.write(zlib.deflateSync(`round ${i} ${s}`), resolve));
      inflate.reset();
    }
    return [String(zlib.inflateSync(Buffer.concat(parts))), z._level, texts];
  },
};

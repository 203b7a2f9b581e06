'use strict';
// Blobs, forms, requests and responses of the program's own, and the streams of the web.
const buffer = require('buffer');
const stream = require('stream');
const util = require('util');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.code, e.message];
  }
};
const text = async (chunks) => {
  let s = '';
  for await (const c of chunks) s += typeof c === 'string' ? c : Buffer.from(c);
  return s;
};
const letters = (s) =>
  new ReadableStream({
    start(c) {
      for (const x of s) c.enqueue(x);
      c.close();
    },
  });

module.exports = {
  blob: async (s) => {
    const b = new Blob(['a', Buffer.from(s), new Uint8Array([99]), new Blob(['d'])], { type: 'Text/Plain' });
    return [await b.text(), b.size, b.type, (await b.arrayBuffer()).byteLength, await b.slice(1, -1, 'x/y').text(), b instanceof Blob, String(b), buffer.Blob === Blob, util.inspect(b), Object.keys(b), await text(b.stream()), failure(() => new Blob(s)), failure(() => new Blob([], 5))];
  },
  // What blobs and files are asked of is on their prototypes.
  prototypes: async (s) => {
    const refused = async (f) => {
      try {
        return await f();
      } catch (e) {
        return [e.name, e.message, e.code];
      }
    };
    const on = (C) => Object.entries(Object.getOwnPropertyDescriptors(C.prototype)).map(([k, d]) => [k, d.enumerable, d.configurable, d.get && d.get.name, d.set === undefined]).sort();
    const f = new buffer.File([s], s, { lastModified: s });
    const times = [10.5, null, NaN, '12', true, {}, []].map((lastModified) => new buffer.File([], '', { lastModified }).lastModified);
    return [on(Blob), on(buffer.File), Object.keys(f), JSON.stringify(f), times, f.lastModified, Object.keys(buffer.File.prototype), Buffer.from(await f.bytes()).toString(), ...(await Promise.all([() => Blob.prototype.size, () => Blob.prototype.type, () => buffer.File.prototype.name, () => Blob.prototype.text.call({ s }), () => Blob.prototype.slice.call([])].map(refused)))];
  },
  file: async (s) => {
    const f = new buffer.File([s], 'a.txt', { type: 'text/plain', lastModified: 5 });
    return [f.name, f.size, f.type, f.lastModified, await f.text(), String(f), util.inspect(f), f instanceof Blob, failure(() => new File([s]))];
  },
  form: async (s) => {
    const f = new FormData();
    f.append('a', s);
    f.append('a', '2');
    f.set('b', 5);
    f.append('c', new Blob([s], { type: 'text/x' }), 'c.txt');
    const all = [];
    for (const [k, v] of f) all.push([k, typeof v === 'string' ? v : [v.name, v.size, v.type, await v.text()]]);
    const before = [f.getAll('a'), [...f.keys()]];
    f.set('a', 'one');
    f.delete('c');
    return [all, before, f.get('b'), f.get('d'), f.has('c'), util.inspect(f), f instanceof FormData];
  },
  parts: async (s) => {
    const f = new FormData();
    f.append('a "b"', s);
    f.append('file', new Blob([s + '\r\n--x'], { type: 'text/plain' }), 'b.txt');
    const r = new Response(f);
    const boundary = r.headers.get('content-type').split('boundary=')[1];
    const raw = await r.clone().text();
    const g = await r.formData();
    return [raw.replaceAll(boundary, '…'), [...g.keys()], g.get('a "b"'), await g.get('file').text(), g.get('file').name, await new Response(s).formData().catch((e) => e.message)];
  },
  request: async (s) => {
    const r = new Request('http://x.y/z?q=1', { method: 'post', body: JSON.stringify({ s }), headers: { 'content-type': 'application/json' } });
    const c = r.clone();
    return [r.method, r.url, [...r.headers], await r.json(), r.bodyUsed, r.signal.aborted, r.redirect, r.credentials, await c.text(), await r.text().catch((e) => e.name), new Request(new URL('http://x.y')).body];
  },
  requests: (s) => [failure(() => new Request('nope')), failure(() => new Request('http://x', { body: s + 'a' })), failure(() => new Request('http://x', { method: 'a b' }))],
  response: async (s) => [await (await new Response(new Blob([s], { type: 'text/css' })).blob()).text(), new Response(new Blob([s], { type: 'text/css' })).headers.get('content-type'), await new Response(letters([Buffer.from(s), Buffer.from('!')])).text()],
  readable: async (s) => {
    let n = 0;
    const pulled = new ReadableStream({ async pull(c) { await wait(1); c.enqueue(s + n); if (++n > 2) c.close(); } });
    const reader = pulled.getReader();
    const log = [pulled.locked];
    for (let r = await reader.read(); !r.done; r = await reader.read()) log.push(r.value);
    return [log, await text(letters(s))];
  },
  transformed: async (s) => {
    const up = new TransformStream({ transform: (x, c) => c.enqueue(x.toUpperCase()), flush: (c) => c.enqueue('.') });
    const writer = up.writable.getWriter();
    void writer.write(s + 'a');
    void writer.write('b');
    void writer.close();
    return text(up.readable);
  },
  piped: async (s) => {
    const log = [];
    await letters(s).pipeThrough(new TextEncoderStream()).pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (x) => void log.push(x), close: () => void log.push('closed') }));
    const [a, b] = letters(s).tee();
    return [log, await text(a), await text(b)];
  },
  zipped: async (s) => {
    const zipped = letters([Buffer.from(s), Buffer.from('!')]).pipeThrough(new CompressionStream('gzip'));
    const bad = letters([Buffer.from(s + '?')]).pipeThrough(new DecompressionStream('deflate'));
    return [await text(zipped.pipeThrough(new DecompressionStream('gzip'))), await text(bad).catch((e) => e.code), failure(() => new CompressionStream(s))];
  },
  failing: async (s) => text(new ReadableStream({ start: (c) => void setTimeout(() => c.error(new Error('on purpose ' + s)), 1) })).catch((e) => e.message),
  toWeb: (s) => text(stream.Readable.toWeb(stream.Readable.from([s, 'b']))),
  fromWeb: (s, req, res) => void stream.Readable.fromWeb(letters(s + 'end')).pipe(res),
  web: (s) => [require('stream/web').ReadableStream === ReadableStream, new CountQueuingStrategy({ highWaterMark: s.length }).highWaterMark],
};

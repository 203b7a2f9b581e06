'use strict';
const http = require('http');
const util = require('util');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return { name: e.name, message: e.message, code: e.code };
  }
};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = {
  textEncoded: (s) => Buffer.from(new TextEncoder().encode(s)),
  textEncodedInto: (s) => {
    const to = new Uint8Array(20);
    return [new TextEncoder().encodeInto(s, to), Buffer.from(to).toString('hex')];
  },
  peer: (s, req) => {
    const { socket } = req;
    const { port, ...address } = socket.address();
    return [socket.remoteAddress, socket.remoteFamily, socket.remotePort > 0, socket.localAddress, socket.localFamily, typeof socket.localPort, port > 0, address, s];
  },
  anyport: async (s) => {
    const server = require('http').createServer();
    const before = server.address();
    await new Promise((resolve) => server.listen(0, resolve));
    const { port, ...address } = server.address();
    server.close();
    return [before, port > 0, address, server.address(), s];
  },
  overdue: (s, req, res) => {
    res.setTimeout(20, (socket) => res.end(`overdue ${s} ${socket === res.socket}`));
    req.setTimeout(25, () => {});
  },
  hints: async (s, req, res) => {
    const bad = [{ link: s }, s, { link: [] }, { link: null }, { link: ['</a.css>; rel=preload', 5] }].map((h) => failure(() => res.writeEarlyHints(h)));
    const good = await new Promise((resolve) => res.writeEarlyHints({ link: ['</a.css>; rel=preload; as=style'], 'x-of': s.length }, () => resolve('written')));
    await new Promise((resolve) => res.writeProcessing(resolve));
    return [bad, good, res.headersSent];
  },
  trailers: (s, req, res) => [failure(() => res.addTrailers({ 'a b': s })), failure(() => res.addTrailers([['x', 'a\n' + s]])), failure(() => res.addTrailers({ x: ['b', 'ä€'] })), req.trailers, req.rawTrailers],
  phrases: (s, req, res) => {
    res.statusCode = s === 'two' ? 413 : 299;
    if (s !== 'two') res.statusMessage = `Really ${s.length}`;
    return [res.statusMessage, req.headers.connection, s];
  },
  phrased: (s, req, res) => {
    res.writeHead(s === 'one' ? 418 : 404, s === 'two' ? 'Nobody there' : undefined);
    res.statusMessage = 'too late';
    res.statusCode = 500;
    return s;
  },
  // More than the headers tell is no part of an answer.
  long: (s, req, res) => {
    res.setHeader('Content-Length', s.length);
    return s;
  },
  longer: (s, req, res) => {
    res.writeHead(200, { 'Content-Length': 5 });
    res.write('äb');
    res.write(s + 'äöü');
    return s + 'more';
  },
  strict: (s, req, res) => {
    const told = new http.ServerResponse(req);
    told.strictContentLength = true;
    told.setHeader('Content-Length', 400);
    const refused = [failure(() => told.end(s + 'more')), failure(() => told.end()), failure(() => told.write(Buffer.alloc(500)))];
    const bare = new http.ServerResponse(req, { rejectNonStandardBodyWrites: true });
    bare.statusCode = 204;
    return [refused, failure(() => bare.write(s)), new http.ServerResponse(req).write(s)];
  },
  cloneRefused: (s) => [failure(() => structuredClone()), ...[null, '', s, 5, { transfer: 1 }, { transfer: s }, { transfer: null }, () => {}].map((o) => failure(() => structuredClone(s, o)))],
  abort: async (s) => {
    const c = new AbortController();
    const log = [];
    c.signal.addEventListener('abort', (e) => log.push(e.type + s, e.target === c.signal), { once: true });
    c.signal.onabort = () => log.push('on');
    setTimeout(() => c.abort(s || undefined), 1);
    await wait(10);
    c.abort();
    return [log, c.signal.aborted, String(c.signal.reason), failure(() => c.signal.throwIfAborted()), Object.prototype.toString.call(c.signal)];
  },
  signals: async (s) => {
    const t = AbortSignal.timeout(1);
    const both = AbortSignal.any([t, new AbortController().signal]);
    let seen = '';
    both.addEventListener('abort', () => (seen = both.reason.name + both.reason.message + both.reason.code));
    await wait(20);
    const a = AbortSignal.abort(s);
    return [seen, t.aborted, a.aborted, a.reason, AbortSignal.abort().reason.message, AbortSignal.any([a]).reason, failure(() => new AbortSignal())];
  },
  events: (s) => {
    const t = new EventTarget();
    const log = [];
    const f = (e) => log.push(e.type + s);
    t.addEventListener('x', f);
    t.addEventListener('x', f);
    t.addEventListener('x', { handleEvent: (e) => { log.push('object'); e.preventDefault(); e.stopImmediatePropagation(); } });
    t.addEventListener('x', () => log.push('never'));
    const r = t.dispatchEvent(new Event('x', { cancelable: true }));
    t.removeEventListener('x', f);
    t.dispatchEvent(new Event('x'));
    return [log, r, failure(() => t.dispatchEvent({})), failure(() => new Event())];
  },
  clone: (s) => {
    const o = { s, d: new Date(5), r: /a/gi, m: new Map([[s, { n: 1 }]]), set: new Set([1, s]), a: [1, , 3], b: Buffer.from(s), e: new RangeError(s), n: null, big: 5n, u: undefined, f: Object(1) };
    o.self = o;
    const c = structuredClone(o);
    return [c !== o, c.self === c, c.s, c.d.getTime(), String(c.r), [...c.m], [...c.set], c.a.length, 1 in c.a, c.b.constructor.name, [...c.b], c.e instanceof RangeError, c.e.message, String(c.big), 'u' in c, typeof c.f, failure(() => structuredClone(() => 1)).name, failure(() => structuredClone(Symbol('q')))];
  },
  decodedInParts: (s) => {
    const parts = (encoding, bytes, at, options) => {
      const d = new TextDecoder(encoding, options);
      const out = [];
      for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) out.push(failure(() => d.decode(part, { stream: true })));
      return [...out, failure(() => d.decode()), failure(() => d.decode(bytes))];
    };
    const text = Buffer.from(s + 'ä€🍀');
    const all = [];
    for (let i = text.length - 9; i < text.length; i++) all.push(parts('utf-8', text, i, { fatal: true }), parts('utf-8', text, i));
    for (const encoding of ['utf-16le', 'utf-16be']) for (let i = 1; i < 5; i++) all.push(parts(encoding, Buffer.from([0, 1, 0x3c, 0xd8, 0x40, 0xdf]), i), parts(encoding, Buffer.from([0xd8, 0x3c, 0xdf, 0x40, 0, 65]), i, { fatal: true }));
    for (const bom of [1, 2, 3]) all.push(parts('utf-8', Buffer.from('\ufeff' + s), bom));
    for (const bad of [[0xe0, 0x80], [0xed, 0xa0], [0xf0, 0x8f], [0xf4, 0x90], [0xc1], [0xf5], [0x80], [65, 0xe2, 65]]) all.push(parts('utf-8', Buffer.from(bad), 1, { fatal: true }));
    return all;
  },
  decoder: (s) => {
    const d = new TextDecoder('utf8', { ignoreBOM: true });
    return [util.inspect([d, { a: { b: d, c: new Blob([s]), d: new TextEncoder() } }]), JSON.stringify(d), Object.keys(d), String(d), failure(() => d.decode(s)), failure(() => d.decode(null)), failure(() => d.decode(new Uint8Array(1), s.length)), failure(() => new TextDecoder('utf-8', s)), failure(() => TextDecoder.prototype.decode.call({ s })), d.decode(new ArrayBuffer(1)).length, failure(() => d.decode(s, { stream: true })), failure(() => new TextDecoder('latin1').decode(s))];
  },
  text: (s) => [new TextDecoder().decode(new TextEncoder().encode(s)), new TextDecoder('utf-16le').decode(Buffer.from(s, 'utf16le')), new TextDecoder('latin1').decode(Buffer.from(s)), new TextDecoder().encoding, failure(() => new TextDecoder('nope')), failure(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from([0xff]))), new TextEncoder().encodeInto(s, new Uint8Array(4)), btoa(encodeURIComponent(s)), atob('eA=='), failure(() => atob('*')), failure(() => btoa('ä€'))],
  microtask: async (s) => {
    const log = [];
    queueMicrotask(() => log.push('micro'));
    process.nextTick(() => log.push('tick'));
    await null;
    await null;
    return [log, s];
  },
  timers: async (s) => {
    const { setTimeout: later, setImmediate: soon } = require('timers/promises');
    const sleep = require('util').promisify(setTimeout);
    return [await later(2, s), await soon('i' + s), await sleep(1, 'v' + s), await require('util').promisify(setImmediate)(s), Math.random() >= 0, await later(5, 1, { signal: AbortSignal.abort() }).catch((e) => [e.name, e.code, e.message])];
  },
  json: async (s) => {
    const made = [Response.json({ s }), Response.json(s, { status: 201, headers: { 'X-A': '1' } }), Response.json(null, { headers: { 'content-type': 'text/x' } })];
    return Promise.all(made.map(async (r) => [r.status, [...r.headers], await r.text()]));
  },
  exception: () => {
    const e = new DOMException('m', 'AbortError');
    return [e.name, e.code, e.message, e instanceof Error, String(e), Object.prototype.toString.call(e)];
  },
};

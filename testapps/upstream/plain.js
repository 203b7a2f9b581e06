'use strict';

// With what Node.js has itself.
const http = require('http');
const https = require('https');
const { pipeline, PassThrough } = require('stream');
const { once } = require('events');

// text is all of a stream.
async function text(stream) {
  let all = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) all += chunk;
  return all;
}

// asked makes a request and waits for its answer.
function asked(...args) {
  return new Promise((resolve, reject) => {
    const r = http.request(...args, resolve);
    r.on('error', reject);
    r.end();
  });
}

// heard notes which events an emitter has.
function heard(list, name, emitter, events) {
  for (const e of events) emitter.on(e, (x) => list.push(`${name} ${e}${x instanceof Error ? ' ' + (x.code || x.message) : ''}`));
}

const portOf = (at) => new URL(at).port;

module.exports = {
  // The ways to say what is wanted.
  async ways(at) {
    const { hostname, port } = new URL(at);
    const answers = await Promise.all([
      asked(at + '/json?a=1'),
      asked(new URL(at + '/json?b=2'), { headers: { 'X-Sent': 'x' } }),
      asked({ hostname, port, path: '/json?c=3', method: 'put', headers: { 'x-sent': ['a', 'b'] } }),
      asked({ host: hostname, port, path: '/json', headers: ['X-Sent', 'listed', 'Host', 'elsewhere'], agent: false }),
      asked({ hostname, port: Number(port), path: '/json', auth: 'ann:secret', agent: new http.Agent({ keepAlive: true }) }),
    ]);
    const out = [];
    for (const a of answers) out.push([a.statusCode, a.statusMessage, a.httpVersion, a.headers['content-type'], a.headers['x-answer'], await text(a), a.complete, a instanceof http.IncomingMessage]);
    return out;
  },

  get(at, req, res) {
    http.get(at + '/json?x', (a) => {
      const chunks = [];
      a.on('data', (c) => chunks.push(c));
      a.on('end', () => res.status(a.statusCode).set('X-Answer', String(a.headers['x-answer'])).send(Buffer.concat(chunks)));
    });
  },

  // A body that goes out in pieces and comes back in pieces.
  async echo(at) {
    const r = http.request(at + '/echo', { method: 'POST', headers: { 'Content-Type': 'text/plain' } });
    const notes = [r.getHeader('content-type'), r.headersSent, r.method, r.path, r.protocol, r.getHeaderNames().sort()];
    r.setHeader('X-Late', 'late');
    r.removeHeader('content-type');
    r.write('one ');
    notes.push(r.headersSent);
    try {
      r.setHeader('too', 'late');
    } catch (e) {
      notes.push(e.code);
    }
    r.write(Buffer.from('twö '), () => notes.push('written'));
    r.write('dGhyZWU=', 'base64');
    r.end(' four', () => notes.push('finished'));
    const [a] = await once(r, 'response');
    notes.push(await text(a), r.writableFinished, r.writableEnded);
    return notes;
  },

  // What a pipe brings goes out, and what comes back goes on.
  async proxy(at, req, res) {
    const r = http.request(at + '/echo', { method: 'POST' }, (a) => {
      res.status(a.statusCode);
      res.set('X-Length', String(a.headers['content-length']));
      a.pipe(res);
    });
    const source = new PassThrough();
    source.pipe(r);
    source.write('through a pipe, ');
    source.end('x'.repeat(3000));
  },

  async large(at, req, res) {
    const [a] = await once(http.get(at + '/slow?large%20'), 'response');
    pipeline(a, res, () => {});
  },

  async unread(at) {
    const a = await asked(at + '/json');
    a.resume();
    await once(a, 'end');
    return [a.complete, a.readableEnded, a.rawHeaders.filter((x) => /^x-/i.test(x))];
  },

  async nothing(at) {
    const [head, none] = [await asked(at + '/json', { method: 'HEAD' }), await asked(at + '/empty')];
    return [head.statusCode, await text(head), none.statusCode, await text(none)];
  },

  // Which events there are, and in which order.
  async events(at) {
    const list = [];
    const r = http.request(at + '/json', { method: 'POST' });
    heard(list, 'request', r, ['socket', 'response', 'finish', 'close', 'error', 'abort', 'timeout']);
    r.on('response', (a) => {
      heard(list, 'answer', a, ['data', 'end', 'close', 'error', 'aborted']);
      list.push([typeof r.reusedSocket, typeof a.socket.remotePort, r.socket === a.socket]);
    });
    r.end('body');
    await once(r, 'close');
    await new Promise((f) => setTimeout(f, 5));
    return [list.filter((x) => x !== 'request finish'), r.destroyed, r.closed, r.res.destroyed];
  },

  async refused() {
    const list = [];
    const r = http.get('http://127.0.0.1:1/');
    heard(list, 'request', r, ['response', 'error', 'close']);
    const [e] = await once(r, 'error').catch((e) => [e]);
    await once(r, 'close');
    return [list, e.message, Object.keys(e), e.port, r.destroyed];
  },

  async unresolved() {
    const e = await asked('http://no-such-host.invalid/').catch((e) => e);
    return [e.code, e.syscall, e.hostname, e instanceof Error];
  },

  async impossible(at) {
    const out = [];
    for (const args of [['nonsense'], ['ftp://a/b'], [{ path: '/a b' }], [{ method: 'a b' }], [{ headers: { 'a b': 1 } }], [{ headers: { a: 'ü\n' } }], [{ host: 5 }], [{ agent: {} }], [{ timeout: 'x' }]]) {
      try {
        http.request(...args).on('error', () => {}).destroy();
        out.push('fine');
      } catch (e) {
        out.push([e.name, e.code, e.message]);
      }
    }
    const r = http.request(at + '/json');
    r.end();
    const late = [];
    r.on('error', (e) => late.push(e.code));
    r.write('more', (e) => late.push(e.code));
    const a = await new Promise((f) => r.on('response', f));
    a.resume();
    await once(a, 'end');
    try {
      https.request({ protocol: 'http:' });
    } catch (e) {
      out.push(e.message);
    }
    return [out, late];
  },

  // A connection that ends in the middle of an answer.
  async broken(at) {
    const list = [];
    const r = http.get(at + '/broken');
    heard(list, 'request', r, ['error', 'close']);
    const [a] = await once(r, 'response');
    heard(list, 'answer', a, ['end', 'aborted', 'error', 'close']);
    let all = '';
    a.on('data', (c) => (all += c));
    await once(a, 'close').catch(() => {});
    return [list, all, a.complete, a.aborted, a.destroyed];
  },

  async hungup(at) {
    const e = await asked(at + '/hangup').catch((e) => e);
    return [e.message, e.code];
  },

  async timeout(at) {
    const list = [];
    const r = http.get(at + '/wait?3000', { timeout: 20 });
    heard(list, 'request', r, ['timeout', 'error', 'close', 'abort']);
    r.on('timeout', () => r.destroy(new Error('too slow')));
    await once(r, 'close').catch(() => {});
    await new Promise((f) => setTimeout(f, 1));
    return [list, r.destroyed, r.aborted];
  },

  async aborted(at) {
    const list = [];
    const r = http.get(at + '/wait?3000');
    heard(list, 'request', r, ['error', 'close', 'abort']);
    setTimeout(() => r.abort(), 10);
    await new Promise((f) => r.on('close', f));
    const c = new AbortController();
    const s = http.get(at + '/wait?3000', { signal: c.signal });
    heard(list, 'second', s, ['error', 'close', 'abort']);
    setTimeout(() => c.abort(), 10);
    await new Promise((f) => s.on('close', f));
    return [list, r.destroyed, r.aborted];
  },

  // The program has enough after the first piece.
  async enough(at) {
    const [a] = await once(http.get(at + '/slow?enough%20'), 'response');
    const list = [];
    heard(list, 'answer', a, ['aborted', 'error', 'end', 'close']);
    const closed = new Promise((f) => a.on('close', f));
    const [chunk] = await once(a, 'data');
    a.destroy();
    await closed;
    return [list, String(chunk).slice(0, 6), a.destroyed];
  },

  // It leaves an answer that is there, but not read: what comes of that comes after all
  // that the turn leads to.
  async left(at) {
    const list = [];
    const r = http.get(at + '/json');
    const [a] = await once(r, 'response');
    heard(list, 'request', r, ['close', 'error']);
    await new Promise((f) => setTimeout(f, 30));
    r.destroy();
    process.nextTick(() => process.nextTick(() => Promise.resolve().then(() => process.nextTick(() => list.push('ticks')))));
    await new Promise((f) => r.on('close', f));
    await new Promise((f) => setTimeout(f, 1));
    return [list, a.destroyed, r.destroyed];
  },

  // The socket closes when the request is over.
  async closed(at) {
    const list = [];
    const r = http.get(at + '/json', { agent: false });
    r.on('socket', (s) => heard(list, 'socket', s, ['close', 'error']));
    heard(list, 'request', r, ['close']);
    const [a] = await once(r, 'response');
    a.resume();
    await once(a, 'end');
    await new Promise((f) => setTimeout(f, 30));
    return list.sort();
  },

  async continued(at) {
    const r = http.request(at + '/echo', { method: 'POST', headers: { Expect: '100-continue' } });
    await once(r, 'continue');
    r.end('go on');
    const [a] = await once(r, 'response');
    return text(a);
  },

  async first(at) {
    const texts = [20, 5, 10].map((ms) => asked(at + '/wait?' + ms).then(text));
    return Promise.race(texts);
  },

  async several(at) {
    const order = [];
    await Promise.all([15, 5, 10].map(async (ms) => order.push(await text(await asked(at + '/wait?' + ms)))));
    return order;
  },

  named() {
    const a = new http.Agent({ keepAlive: true });
    return [a.getName(), a.getName({ host: 'x', port: 80, family: 4, localAddress: 'y' }), a.getName({ socketPath: '/z' })];
  },

  port: (at) => typeof portOf(at),
};

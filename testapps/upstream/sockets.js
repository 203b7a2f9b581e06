'use strict';

const net = require('net');
const { once } = require('events');

function to(at) {
  const [host, port] = at.split(':');
  return net.connect({ host, port: Number(port) });
}

function heard(list, name, emitter, events) {
  for (const e of events) emitter.on(e, (x) => list.push(`${name} ${e}${x instanceof Error ? ' ' + (x.code || x.message) : ''}`));
}

// lines asks for each line in turn, and gives the answers.
async function lines(at, ...texts) {
  const s = to(at);
  s.setEncoding('utf8');
  const answers = [];
  let rest = '';
  for (const text of texts) {
    s.write(text + '\n');
    while (!rest.includes('\n')) rest += (await once(s, 'data'))[0];
    const end = rest.indexOf('\n');
    answers.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  s.end();
  return answers;
}

module.exports = {
  one: (at) => lines(at, 'hello'),
  several: (at) => lines(at, 'one', 'zwei ü', 'three'),
  together: async (at) => Promise.all([lines(at, 'a', 'b'), lines(at, 'c'), lines(at, 'd')]),

  async state(at) {
    const s = new net.Socket();
    const out = [[s.connecting, s.pending, s.readyState, s.writable, s instanceof net.Socket, s.bytesRead, s.remoteAddress === undefined]];
    s.setNoDelay(true).setKeepAlive(true, 1000).unref().ref();
    const [host, port] = at.split(':');
    s.connect(Number(port), host, () => out.push('connected'));
    out.push([s.connecting, s.pending, s.readyState]);
    s.write('early\n', () => out.push('written'));
    await once(s, 'data');
    out.push([s.connecting, s.pending, s.readyState, s.remoteAddress, s.remotePort === Number(port), s.remoteFamily, typeof s.localPort, s.bytesRead, s.bytesWritten, Object.keys(s.address()).join()]);
    s.destroy();
    out.push([s.destroyed, s.readyState]);
    await once(s, 'close');
    return out;
  },

  async events(at) {
    const list = [];
    const s = to(at);
    heard(list, 'socket', s, ['lookup', 'connect', 'ready', 'data', 'end', 'finish', 'close', 'error']);
    s.end('bye\n');
    await once(s, 'close');
    return [list.filter((e) => e !== 'socket lookup'), s.destroyed, s.writableFinished];
  },

  // The other side ends first.
  async quit(at) {
    const list = [];
    const s = to(at);
    heard(list, 'socket', s, ['end', 'finish', 'close', 'error']);
    let all = '';
    s.on('data', (c) => (all += c));
    s.write('quit\n');
    await once(s, 'close');
    return [list, all];
  },

  async halfOpen(at) {
    const [host, port] = at.split(':');
    const s = net.createConnection({ host, port: Number(port), allowHalfOpen: true });
    s.write('quit\n');
    s.resume();
    await once(s, 'end');
    const open = s.writable;
    s.end('last words');
    await once(s, 'close');
    return [open, s.destroyed];
  },

  async iterated(at) {
    const s = to(at);
    s.write('a\nb\nquit\n');
    let all = '';
    for await (const chunk of s) all += chunk;
    return all;
  },

  async large(at, req, res) {
    const s = to(at);
    s.write('x'.repeat(300000) + '\nquit\n');
    s.pipe(res);
  },

  async slowly(at) {
    const s = to(at);
    let n = 0;
    let full = 0;
    for (let i = 0; i < 40; i++) {
      if (!s.write('y'.repeat(20000) + '\n')) {
        full++;
        await once(s, 'drain');
      }
    }
    s.end('quit\n');
    s.on('data', (c) => {
      n += c.length;
      s.pause();
      setImmediate(() => s.resume());
    });
    await once(s, 'end');
    return [n, full > 0];
  },

  async refused() {
    const list = [];
    const s = net.connect(1, '127.0.0.1');
    heard(list, 'socket', s, ['connect', 'error', 'close']);
    const e = await new Promise((f) => s.on('error', f));
    if (!s.closed) await once(s, 'close').catch(() => {});
    return [list, e.message, e.code, e.syscall, e.address, e.port, s.destroyed];
  },

  async timeout(at) {
    const s = to(at);
    await once(s, 'connect');
    s.setTimeout(15);
    await once(s, 'timeout');
    s.destroy(new Error('too slow'));
    const [e] = await once(s, 'error').catch((e) => [e]);
    return [e.message, s.timeout];
  },

  async broken(at) {
    const s = to(at);
    const list = [];
    heard(list, 'socket', s, ['error', 'close']);
    s.write('reset\n');
    s.resume();
    await new Promise((f) => s.on('close', (hadError) => f(list.push(hadError))));
    return list;
  },

  impossible() {
    const out = [];
    for (const args of [[99999], [{ port: 'x' }], []]) {
      try {
        net.connect(...args).on('error', () => {}).destroy();
        out.push('fine');
      } catch (e) {
        out.push([e.name, e.code]);
      }
    }
    return out;
  },
};

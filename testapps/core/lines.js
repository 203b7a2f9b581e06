'use strict';
// Lines of streams, and where a terminal's cursor goes.
const fs = require('fs');
const { PassThrough, Readable } = require('stream');
const readline = require('readline');
const promises = require('readline/promises');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code];
  }
};
const written = (f) => {
  const to = new PassThrough();
  const out = f(to);
  to.end();
  return [out, String(to.read())];
};

module.exports = {
  cursor: (s) => {
    const n = s.length;
    return [
      written((to) => [readline.cursorTo(to, n), readline.cursorTo(to, n, 2), readline.cursorTo(to), readline.cursorTo(to, n, () => {})]),
      written((to) => [readline.moveCursor(to, n, -n), readline.moveCursor(to, -n, 1), readline.moveCursor(to, 0, 0)]),
      written((to) => [readline.clearLine(to, -1), readline.clearLine(to, n), readline.clearLine(to, 0), readline.clearScreenDown(to)]),
      readline.clearLine(null, 1), readline.cursorTo(undefined, 1, 1),
      ...[() => readline.cursorTo(null, NaN), () => readline.cursorTo(null, 1, NaN), () => readline.cursorTo(new PassThrough(), s, 1), () => readline.clearLine(null, 0, s), () => readline.moveCursor(null, 1, 1, null), () => readline.clearScreenDown(null, { s })].map(failure),
    ];
  },
  called: async (s) => {
    const order = [];
    const to = new PassThrough();
    await new Promise((resolve) => readline.clearLine(to, 0, resolve));
    await new Promise((resolve) => readline.cursorTo(null, 1, 2, (e) => resolve(order.push(e))));
    readline.moveCursor(to, s.length, 0);
    return [order, String(to.read())];
  },
  together: async (s) => {
    const to = new PassThrough();
    const r = new promises.Readline(to);
    const same = r.cursorTo(1).cursorTo(2, s.length).moveCursor(-1, 1).clearLine(-1).clearScreenDown() === r;
    await r.commit();
    const first = String(to.read());
    r.clearLine(0).rollback();
    new promises.Readline(to, { autoCommit: true }).clearLine(1);
    await r.commit();
    await new Promise(setImmediate);
    return [same, first, String(to.read()), ...[() => r.cursorTo(s), () => r.cursorTo(1.5), () => r.cursorTo(1, s), () => r.clearLine(2), () => r.moveCursor(1, s), () => new promises.Readline(s), () => new promises.Readline(to, { autoCommit: s })].map(failure)];
  },
  asked: async (s) => {
    const output = new PassThrough();
    const rl = promises.createInterface({ input: Readable.from([`first ${s}\nsec`, 'ond\nthird\n']), output });
    const answers = [];
    rl.on('line', (line) => answers.push('line ' + line));
    const closed = new Promise((resolve) => rl.on('close', resolve));
    answers.push(await rl.question('one? '));
    await closed;
    const late = await rl.question('late? ').catch((e) => [e.message, e.code]);
    const aborted = promises.createInterface({ input: new PassThrough() });
    const never = await aborted.question('never?', { signal: AbortSignal.abort(s) }).catch((e) => [e.name, e.code, e.message, e.cause]);
    const c = new AbortController();
    setTimeout(() => c.abort(s), 1);
    const stopped = await aborted.question('stopped?', { signal: c.signal }).catch((e) => [e.name, e.cause]);
    aborted.close();
    return [answers, String(output.read()), late, never, stopped, rl.constructor.name];
  },
  // What fails while it is read.
  failing: async (s) => {
    const log = [];
    const broken = (at) => {
      let n = 0;
      return new Readable({ read() { setTimeout(() => (n++ < at ? this.push(`line ${n} ${s}\n`) : this.destroy(new Error('broken ' + s))), 1); } });
    };
    for (const input of [fs.createReadStream(__dirname + '/none.txt'), broken(0), broken(2)]) {
      try {
        for await (const line of readline.createInterface({ input })) log.push(line);
      } catch (e) {
        log.push(e.code, e.message.replace(__dirname, ''));
      }
    }
    const rl = readline.createInterface({ input: broken(1) });
    rl.on('line', (line) => log.push('heard ' + line)).on('close', () => log.push('closed'));
    await new Promise((resolve) => rl.on('error', (e) => resolve(log.push(e.message))));
    rl.close();
    const it = readline.createInterface({ input: Readable.from([`a\nb\n${s}\n`]) })[Symbol.asyncIterator]();
    log.push(await it.next(), await it.return(), await it.next());
    return log;
  },
};

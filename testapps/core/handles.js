'use strict';
// Open files and folders.
const fs = require('fs');
const os = require('os');
const path = require('path');
const util = require('util');
const { open, opendir, readFile, writeFile, mkdtemp, rm } = require('fs/promises');

const told = (e) => [e.name, e.message.replace(/'.*'/, ''), e.code, e.syscall];
const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return told(e);
  }
};
const failed = (p) => p.then((v) => v, told);
const names = ['data/greeting.txt', 'data/numbers.json', 'data', 'data/nothing', 'data/greeting.txt/x'];
const at = (s) => path.join(__dirname, names[s.length % names.length]);
const within = async (f) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'core-'));
  try {
    return await f(path.join(dir, 'file'), dir);
  } finally {
    await rm(dir, { recursive: true });
  }
};

module.exports = {
  // What descriptors are refused for, and what calls back with more than one thing.
  descriptors: (s) =>
    within(async (file) => {
      const fd = fs.openSync(file, 'w+');
      const never = () => {
        throw new Error('nothing was to come');
      };
      const out = [
        ...['fsync', 'fstat', 'fchmod', 'ftruncate', 'close', 'fchown'].flatMap((name) => [() => fs[name](s), () => fs[name](s, 'x', never), () => fs[name](undefined, never)]),
        () => fs.truncate(file, s),
        () => fs.read(s, Buffer.alloc(1)),
        () => fs.read(fd, 4, 0, 'x', never),
        () => fs.read(fd, { buffer: null }, never),
        () => fs.read(fd, Buffer.alloc(4), 0, -1, 0, never),
        () => fs.read(fd, Buffer.alloc(4), 0, 4, 0),
        () => fs.readSync(fd, { buffer: null }),
        () => fs.createReadStream(file, 123),
        () => fs.createReadStream(file, { start: s }),
        () => fs.createReadStream(file, { start: 5, end: s.length % 4 }),
        () => fs.createReadStream(file, { end: 0.5 }),
        () => fs.createReadStream(file, 'none'),
        () => fs.createReadStream(new URL('file:///a%00b')),
        () => fs.createWriteStream(file, true),
        () => fs.createWriteStream(file, { start: -1 }),
        () => fs.readFileSync(Buffer.from('a\0' + s)),
        () => fs.readFileSync(new URL('file:///%00' + s)),
        () => fs.readFile(new URL('file:///a%2Fb'), never),
        () => fs.symlink(file, file + s + 'y', () => {}),
        () => fs.symlink(false, s, never),
      ].map(failure);
      const wrote = await new Promise((resolve) => fs.write(fd, Buffer.from(s + '!'), (e, n, b) => resolve([e, n, b.toString()])));
      const text = await util.promisify(fs.write)(fd, s, 0);
      const back = await util.promisify(fs.read)(fd, Buffer.alloc(3), 0, 3, 0);
      const there = [await util.promisify(fs.exists)(file), await util.promisify(fs.exists)(file + s + 'x')];
      fs.close(fd);
      return [out, wrote, text.bytesWritten, text.buffer, back.bytesRead, back.buffer.toString('latin1'), there, fs.constants];
    }),
  aborted: (s) =>
    within(async (file) => {
      const signal = AbortSignal.abort(s);
      const how = (p) => p.then(() => 'done', (e) => [e.name, e.code, e.message, e.cause]);
      const h = await open(file, 'w');
      const out = [await how(writeFile(file, s, { signal })), await how(readFile(file, { signal })), await how(readFile(__filename, { signal })), await how(readFile(path.join(__dirname, names[0]), { signal: new AbortController().signal })), await how(h.writeFile(s, { signal }))];
      await h.close();
      return out;
    }),
  closedTwice: (s) =>
    within(async (file) => {
      const out = [];
      const w = fs.createWriteStream(file, { autoClose: s === 'two' });
      w.on('close', () => out.push('closed'));
      w.write(s);
      await new Promise((resolve) => w.close(() => (out.push('one'), resolve())));
      await new Promise((resolve) => w.close(() => (out.push('other', w.closed, w.fd), resolve())));
      const r = fs.createReadStream(__filename);
      await new Promise((resolve) => r.close(resolve));
      return [out, r.destroyed, r.autoClose, w.autoClose];
    }),
  read: async (s) => {
    const h = await open(path.join(__dirname, 'data/greeting.txt'));
    const b = Buffer.alloc(8, '.');
    const first = await h.read(b, s.length % 4, 3, 1);
    const out = [typeof h.fd, first.bytesRead, first.buffer === b, Object.getPrototypeOf(first), b.toString(), (await h.read({ buffer: Buffer.alloc(4) })).buffer.toString(), (await h.read(Buffer.alloc(3), { position: 0 })).buffer.toString()];
    const rest = await h.readFile({ encoding: 'utf8' });
    const end = await h.read();
    const size = (await h.stat()).size;
    const closed = [];
    h.on('close', () => closed.push('closed ' + h.fd));
    await h.close();
    await h.close();
    return [out, rest, end.bytesRead, end.buffer.length, size, closed, h.fd, h.constructor.name, s];
  },
  missing: async (s) => [await failed(open(at(s)).then(async (h) => (await h.stat()).isFile() && h.close())), await failed(open('/no/such/' + s, 'wx').then((h) => h.close())), await failed(open(s.length)), await failed(open('/no/such', s || 'q')), await failed(open())],
  closed: async (s) => {
    const h = await open(path.join(__dirname, 'data/greeting.txt'), 'r');
    await h.close();
    const all = [];
    for (const k of ['read', 'readFile', 'stat', 'write', 'writeFile', 'appendFile', 'truncate', 'sync', 'datasync', 'chmod', 'chown', 'utimes', 'readv', 'writev']) all.push(await failed(h[k](Buffer.from(s))));
    return all;
  },
  refused: async (s) => {
    const h = await open(path.join(__dirname, 'data/greeting.txt'));
    const b = Buffer.alloc(4);
    const all = [await failed(h.read(s)), await failed(h.read(b, 9)), await failed(h.read(b, 0, 9)), await failed(h.read(b, s)), await failed(h.read(Buffer.alloc(0))), await failed(h.write(s.length)), await failed(h.write(b, 9)), await failed(h.writeFile(5)), await failed(h.truncate('x')), await failed(h.write(s + 'x')), await failed(h.readv(s)), await failed(h.appendFile({})), await failed(h.readFile(s || 'x'))];
    await Promise.all([h.close(), h.close()]);
    return all;
  },
  written: (s) => within(async (file) => {
    const h = await open(file, 'w+');
    const one = await h.write(Buffer.from('head ' + s));
    const two = await h.write(s, null, 'utf8');
    const three = await h.write('XY', 1);
    const four = await h.writev([Buffer.from('|'), new Uint8Array([65, 66])]);
    await h.appendFile('more');
    await h.writeFile(Buffer.from('!'));
    await h.sync();
    await h.datasync();
    await h.chmod(0o600);
    await h.utimes(1, 2);
    const stat = await h.stat();
    const parts = [Buffer.alloc(3), Buffer.alloc(50)];
    const back = await h.readv(parts, 0);
    await h.truncate(6);
    await h.close();
    return [one.bytesWritten, String(one.buffer), two, three.bytesWritten, four.bytesWritten, stat.size, stat.mode & 0o777, stat.mtimeMs, back.bytesRead, String(parts[0]), String(parts[1].subarray(0, back.bytesRead - 3)), await readFile(file, 'utf8')];
  }),
  whole: (s) => within(async (file) => {
    const h = await open(file, 'a+');
    await writeFile(h, s);
    await fs.promises.appendFile(h, ' and more');
    await h.close();
    const g = await open(file);
    const all = [await readFile(g, 'latin1'), String(await g.readFile())];
    await g.close();
    return all;
  }),
  lines: (s) => within(async (file) => {
    await writeFile(file, `${s}\nä€\r\n\nlast ${s}`);
    const h = await open(file);
    const lines = [];
    for await (const line of h.readLines()) lines.push(line);
    const long = await open(path.join(__dirname, 'data/numbers.json'));
    for await (const line of long.readLines({ encoding: 'utf8', start: 1 })) if (lines.push(line) > 5) break;
    await long.close();
    return lines;
  }),
  together: (s) => within(async (file) => {
    const h = await open(file, 'w');
    await Promise.all([h.write('a', 0), h.write('b', 1), h.write(s || 'c', 2)]);
    const closing = h.close();
    await closing;
    return [await readFile(file, 'utf8'), h.fd];
  }),
  synced: (s) => within(async (file) => {
    fs.writeFileSync(file, s);
    const fd = fs.openSync(file, 'r+');
    fs.fchmodSync(fd, 0o640);
    fs.futimesSync(fd, 5, 6);
    fs.fdatasyncSync(fd);
    await new Promise((resolve) => fs.fdatasync(fd, resolve));
    const stat = fs.fstatSync(fd);
    fs.closeSync(fd);
    fs.lutimesSync(file, 7, 8);
    return [stat.mode & 0o777, stat.mtimeMs, fs.statSync(file).mtimeMs, failure(() => fs.fdatasyncSync(99999)), await failed(fs.promises.lutimes(file + '/x', 1, 2))];
  }),
  folder: async (s) => {
    const seen = [];
    const dir = await opendir(path.join(__dirname, 'data'));
    for await (const e of dir) seen.push([e.name, e.isFile(), e.isDirectory(), e.parentPath === dir.path]);
    const sync = fs.opendirSync(path.join(__dirname, 'data'));
    const first = sync.readSync().name, second = await sync.read();
    sync.closeSync();
    const again = await new Promise((resolve) => fs.opendir(path.join(__dirname, 'data'), (e, d) => resolve(d)));
    const called = await new Promise((resolve) => again.read((e, entry) => resolve([e, entry.name])));
    await new Promise((resolve) => again.close(resolve));
    const ends = [failure(() => sync.readSync()), failure(() => sync.closeSync()), await failed(sync.close()), failure(() => sync.read()), await new Promise((resolve) => again.close((e) => resolve(told(e)))), dir instanceof fs.Dir, fs.Dir.name];
    return [seen.sort(), typeof first, second && typeof second.name, called[0], typeof called[1], ends, s];
  },
  folders: (s) => within(async (file, dir) => {
    fs.mkdirSync(path.join(dir, 'x' + s.length));
    fs.writeFileSync(file, s);
    const seen = [];
    for await (const e of await opendir(dir)) if (seen.push(e.name + e.isDirectory()) === 2) break;
    const d = fs.opendirSync(dir, { encoding: 'utf8' });
    while (true) {
      const e = d.readSync();
      if (e === null) break;
      seen.push(e.name);
    }
    await d.close();
    return seen.sort();
  }),
  nowhere: async (s) => [failure(() => fs.opendirSync(at(s) + 'x')), await failed(opendir(path.join(__dirname, 'data/greeting.txt'))), await new Promise((resolve) => fs.opendir('/no/such/' + s, (e) => resolve(told(e)))), failure(() => fs.opendir('x')), await failed(opendir(at('xxx')))],
};

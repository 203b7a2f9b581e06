'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { promisify } = require('util');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message.replace(__dirname, ''), e.code, e.errno, e.syscall];
  }
};
const names = ['data/greeting.txt', 'data/numbers.json', 'data', 'data/nothing', 'data/greeting.txt/x', '.'];
const at = (s) => path.join(__dirname, names[s.length % names.length]);
const shown = (s) => s && [s.size, s.isFile(), s.isDirectory(), s.mode & 0o777, Object.keys(s)];

module.exports = {
  formatted: (s) => [path.format({ name: s, ext: 'txt' }), path.format({ name: s, ext: '.txt' }), path.format({ base: s, ext: 'txt' }), path.format({ dir: '/a', name: s, ext: '' })],
  // Without a callback some take what they were given last for one, and say so.
  uncalled: (s) => [() => fs.readFile(s), () => fs.readFile(s, 'utf8'), () => fs.readFile(), () => fs.stat(s), () => fs.stat(s, {}), () => fs.readdir(s), () => fs.access(s, 1), () => fs.mkdir(s, 1), () => fs.writeFile(s, 'text'), () => fs.appendFile(s, 'x', 'utf8'), () => fs.copyFile(s, s), () => fs.readFile(s, {}, 2)].map((f) => { try { return f(); } catch (e) { return [e.name, e.code, e.message]; } }),
  read: (s) => [failure(() => fs.readFileSync(at(s), 'utf8')), failure(() => String(fs.readFileSync(at(s)))), fs.existsSync(at(s)), fs.readFileSync('data/greeting.txt', 'latin1')],
  stats: (s) => [failure(() => shown(fs.statSync(at(s)))), failure(() => shown(fs.lstatSync(at(s)))), failure(() => shown(fs.statSync(at(s), { throwIfNoEntry: false }) || null)), failure(() => fs.accessSync(at(s))), fs.statSync(path.join(__dirname, 'data/greeting.txt')).mtime instanceof Date],
  listing: (s) => [failure(() => fs.readdirSync(at(s)).filter((n) => n !== 'node_modules')), fs.readdirSync(path.join(__dirname, 'data'), { withFileTypes: true }).map((d) => [d.name, d.isFile(), d.isDirectory()]), failure(() => fs.realpathSync(at(s)).replace(__dirname, ''))],
  promised: async (s) => [await fs.promises.readFile(at(s), 'utf8').catch((e) => e.code), (await fs.promises.stat(at(s)).catch((e) => ({ size: e.code }))).size, await require('fs/promises').access(at(s)).then(() => 'yes', (e) => e.code)],
  callbacks: async (s) => {
    const all = await Promise.all(names.slice(0, 2).map((n) => promisify(fs.readFile)(path.join(__dirname, n), 'utf8')));
    return [all, await promisify(fs.stat)(at(s)).then(shown, (e) => e.code), await new Promise((resolve) => fs.exists(at(s), resolve))];
  },
  stream: (s, req, res) => {
    fs.createReadStream(path.join(__dirname, 'data/greeting.txt'), { start: s.length % 4, end: 9 }).pipe(res);
  },
  collected: async (s) => {
    const chunks = [];
    for await (const c of fs.createReadStream(path.join(__dirname, 'data/numbers.json'))) chunks.push(c);
    return Buffer.concat(chunks) + s;
  },
  // Files that the build has not, as uploads are.
  streamedoutside: async (s) => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'core-'));
    const file = path.join(dir, 'a');
    fs.writeFileSync(file, `${s} and more of it`.repeat(3000));
    const all = (name, options) =>
      new Promise((resolve) => {
        const log = [];
        let text = '';
        const r = fs.createReadStream(name, options);
        r.on('open', () => log.push('open')).on('ready', () => log.push('ready')).on('data', (c) => void (text += c)).on('end', () => log.push('end'));
        r.on('error', (e) => log.push(e.code, e.syscall, e.message.replace(dir, ''))).on('close', () => resolve([...log, text.length, text.slice(-20), r.bytesRead]));
      });
    const part = fs.createReadStream(file);
    let first;
    for await (const c of part) {
      first = c.length;
      break;
    }
    fs.utimesSync(file, 5, 1.0006);
    const got = [fs.statSync(file).mtime.getTime(), (await fs.promises.stat(file)).mtime, await all(file), await all(file, { start: 2, end: 11, highWaterMark: 4, encoding: 'latin1' }), await all(path.join(dir, 'none')), await all(dir), first, part.destroyed];
    fs.rmSync(dir, { recursive: true });
    return got;
  },
  sentoutside: (s, req, res) => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'core-'));
    fs.writeFileSync(path.join(dir, 'a'), s.repeat(20000));
    fs.createReadStream(path.join(dir, 'a')).on('close', () => fs.rmSync(dir, { recursive: true })).pipe(res);
  },
  streamerror: (s) => new Promise((resolve) => fs.createReadStream(path.join(__dirname, 'nothing')).on('error', (e) => resolve([e.code, s]))),
  written: async (s) => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'core-'));
    const file = path.join(dir, 'a.txt');
    fs.writeFileSync(file, s);
    await fs.promises.appendFile(file, 'more');
    const back = fs.readFileSync(file, 'utf8');
    const size = (await promisify(fs.stat)(file)).size;
    const list = fs.readdirSync(dir);
    const exists = [fs.existsSync(file)];
    fs.rmSync(dir, { recursive: true });
    exists.push(fs.existsSync(file));
    return [back, size, list, exists, failure(() => fs.readFileSync(file)).slice(2)];
  },
  // What is not there is no result of the same call that asks elsewhere.
  beside: (s) => [failure(() => fs.readdirSync(path.join(__dirname, 'none'))).slice(2), failure(() => fs.readdirSync('/no/such/' + s)), fs.existsSync('none'), fs.existsSync('/etc/hostname'), fs.existsSync('none/' + s)],
  made: (s) => {
    const file = path.join(__dirname, `made-${process.hrtime.bigint()}`);
    const before = [fs.existsSync('none'), fs.existsSync(file)];
    fs.writeFileSync(file, s);
    const made = [fs.existsSync('none'), fs.existsSync(file), fs.readFileSync(file, 'utf8'), failure(() => fs.readFileSync('none')).slice(2)];
    fs.unlinkSync(file);
    return [before, made, fs.existsSync(file), failure(() => fs.readFileSync('/no/such/' + s))];
  },
  pieces: async (s) => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'core-'));
    fs.writeFileSync(path.join(dir, 'a'), `${s} and more of it`);
    const fd = fs.openSync(path.join(dir, 'a'), 'r');
    const b = Buffer.alloc(12, '.');
    const seen = [fs.readSync(fd, b, 1, 4, 0), b.toString(), fs.readSync(fd, b, { position: 2, length: 3 }), b.toString(), fs.readSync(fd, new Uint8Array(2)), failure(() => fs.readSync(fd, b, 20))];
    const came = (...args) => new Promise((resolve) => fs.read(fd, ...args, (e, n, to) => resolve([e && e.code, n, to && to.toString('utf8', 0, 14)])));
    seen.push(await came(b, 0, 5, 1), await came({ buffer: b, position: 3 }), await came(b), await came(), b.toString());
    fs.closeSync(fd);
    fs.rmSync(dir, { recursive: true });
    return [seen, failure(() => fs.readSync(99999, b)), (await new Promise((resolve) => fs.read(99999, b, 0, 1, 0, resolve))).code];
  },
  logged: async (s) => {
    const dir = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'core-'));
    const w = fs.createWriteStream(path.join(dir, 'log'));
    w.write('line ' + s);
    await new Promise((resolve) => w.end('last', resolve));
    const back = await fs.promises.readFile(path.join(dir, 'log'), 'utf8');
    await fs.promises.rm(dir, { recursive: true });
    return back;
  },
  outside: (s) => [fs.existsSync('/etc/hostname'), typeof fs.readFileSync('/proc/self/stat', 'utf8'), failure(() => fs.readFileSync('/no/such/' + s)), failure(() => fs.readFileSync(5000)), failure(() => fs.readFileSync({}))[1].slice(0, 40)],
};

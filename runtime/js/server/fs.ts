// fs under record. Files of the app are the build's, which the verifier has too:
// what is read of them is not recorded. All other results are, and all writes'.
import * as path from 'path';
import { appFolder } from './files';
import { current } from '../shared/activation';
import { opendirs } from '../shared/dir';
import { handleClass, type Perform, readingOf } from '../shared/filehandle';
import { promisedReading, type Reading, reading } from '../shared/reading';
import * as log from './log';
import { atOnce, awaiting, Port, quietly, record, then } from './outside';
import { EventEmitter } from 'events';
import { StringDecoder } from 'string_decoder';
import { fileURLToPath } from 'url';

type Kind = 'file' | 'folder' | 'missing' | 'outside';

const kinds = new Map<string, 'file' | 'folder'>();
const listed = new Map<string, string[]>();

function load(fs: any): void {
  const table = JSON.parse(fs.readFileSync(path.join(__dirname, 'files.json'), 'utf8')).files;
  kinds.set('', 'folder');
  listed.set('', []);
  for (const name of Object.keys(table)) {
    kinds.set(name, 'file');
    for (let at = name; at !== ''; ) {
      const cut = at.lastIndexOf('/');
      const folder = cut < 0 ? '' : at.slice(0, cut);
      const known = kinds.has(folder);
      if (!known) kinds.set(folder, 'folder');
      let l = listed.get(folder);
      if (l === undefined) listed.set(folder, (l = []));
      const base = at.slice(cut + 1);
      if (!l.includes(base)) l.push(base);
      at = folder;
    }
  }
  for (const l of listed.values()) l.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function relative(p: any): string | null {
  let s: string;
  try {
    s = p instanceof URL ? require('url').fileURLToPath(p) : Buffer.isBuffer(p) ? p.toString() : p;
  } catch {
    return null;
  }
  if (typeof s !== 'string' || s.includes('\0')) return null;
  const full = path.resolve(s);
  if (full === appFolder) return '';
  return full.startsWith(appFolder + '/') ? full.slice(appFolder.length + 1) : null;
}

function kindOf(p: any): Kind {
  const r = relative(p);
  return r === null ? 'outside' : (kinds.get(r) ?? 'missing');
}

// encoded is a result as the advice holds it.
function encoded(r: any, asked?: any): string {
  if (r === undefined) return '{}';
  if (Buffer.isBuffer(r)) return JSON.stringify({ b: r.toString('base64') });
  if (Array.isArray(r) && asked === 'buffer') return JSON.stringify({ l: r.map((b: any) => b.toString('base64')) });
  if (Array.isArray(r) && r.length > 0 && typeof r[0] === 'object') return JSON.stringify({ d: r.map((d: any) => [d.name, d.isDirectory() ? 2 : d.isFile() ? 1 : 3]) });
  if (typeof r === 'object' && r !== null && typeof r.isFile === 'function' && typeof r.size === 'bigint') {
    log.unauditable('fs.stat with bigint is not supported yet');
    return '{}';
  }
  if (typeof r === 'object' && r !== null && typeof r.isFile === 'function') return JSON.stringify({ t: stat(r) });
  return JSON.stringify({ v: r });
}

const stat = (s: any) => ({ dev: s.dev, mode: s.mode, nlink: s.nlink, uid: s.uid, gid: s.gid, rdev: s.rdev, blksize: s.blksize, ino: s.ino, size: s.size, blocks: s.blocks, atimeMs: s.atimeMs, mtimeMs: s.mtimeMs, ctimeMs: s.ctimeMs, birthtimeMs: s.birthtimeMs });

function failed(e: any): string {
  return JSON.stringify({ e: { name: e.name, message: e.message, code: e.code, errno: e.errno, syscall: e.syscall, path: e.path, dest: e.dest } });
}

const readers = ['readFile', 'stat', 'lstat', 'access', 'readdir', 'realpath', 'readlink'];
const writers = ['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'rm', 'rmdir', 'unlink', 'rename', 'copyFile', 'chmod', 'chown', 'utimes', 'symlink', 'link', 'truncate', 'lchown', 'lutimes'];
const handles = ['open', 'close', 'write', 'fsync', 'fdatasync', 'fstat', 'ftruncate', 'fchmod', 'fchown', 'futimes'];
const beyond = ['readv', 'writev', 'cp', 'watch', 'watchFile', 'statfs', 'openAsBlob'];

// note records a result. Of a name in the app's folder it does so only where the build has another, and says which name it is.
function note(type: string, p: any, result: string): void {
  const name = relative(p);
  if (name !== null) record('place', name);
  record(type, result);
}

// settled is what the program gets of a result, and notes it if it must.
function settled(fs: any, name: string, args: any[], error: any, result: any): any {
  const type = 'fs.' + name;
  if (!readers.includes(name)) {
    record(type, error ? failed(error) : encoded(result));
    return result;
  }
  const kind = kindOf(args[0]);
  if (error) {
    if (error.name === 'AbortError') {
      record(type, failed(error));
      return result;
    }
    const ours = kind === 'file' || (kind === 'missing' && error.code === 'ENOENT') || (kind === 'folder' && error.code === 'EISDIR');
    if (!ours) note(type, args[0], failed(error));
    return result;
  }
  if (kind === 'file' || (kind === 'folder' && name !== 'readdir')) return (name === 'stat' || name === 'lstat') && result !== undefined ? plainStat(fs, result) : result;
  if (kind === 'folder' && name === 'readdir') {
    const plain = args[1] === undefined || typeof args[1] === 'string' || !args[1].recursive;
    const names = result.map((x: any) => String(x.name ?? x));
    const want = listed.get(relative(args[0])!)!;
    if (plain && names.length === want.length && names.every((n: string) => want.includes(n))) return result.sort((a: any, b: any) => want.indexOf(String(a.name ?? a)) - want.indexOf(String(b.name ?? b)));
  }
  if (kind === 'missing' && result === undefined && name !== 'access') return result;
  note(type, args[0], encoded(result, name === 'readdir' ? (args[1]?.encoding ?? args[1]) : undefined));
  return result;
}

// plainStat leaves out what a file system adds to a file of the build.
function plainStat(fs: any, s: any): any {
  if (typeof s.size === 'bigint') {
    log.unauditable('fs.stat with bigint is not supported yet');
    return s;
  }
  const file = s.isFile();
  const ms = file ? Math.round(s.mtimeMs) : 0;
  const size = file ? s.size : 4096;
  const r = Object.create(Object.getPrototypeOf(s));
  const t = new Date(ms);
  return Object.assign(r, { dev: 0, mode: file ? 0o100644 | (s.mode & 0o111 ? 0o111 : 0) : 0o40755, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, ino: 0, size, blocks: Math.ceil(size / 512), atimeMs: ms, mtimeMs: ms, ctimeMs: ms, birthtimeMs: ms, atime: t, mtime: t, ctime: t, birthtime: t });
}

// named tells whether p can be the name of a file.
function named(p: any): boolean {
  try {
    return (typeof p === 'string' && !p.includes('\0')) || Buffer.isBuffer(p) || (p instanceof URL && fileURLToPath(p) !== '');
  } catch {
    return false;
  }
}

// odd: no options of a stream, which says so.
const odd = (options: any): boolean => options !== undefined && options !== null && !['object', 'string', 'function'].includes(typeof options);

// spared: a write that would make a file of the build another one.
function spared(name: string, args: any[]): void {
  const changed = name === 'rename' || name === 'copyFile' || name === 'link' || name === 'symlink' ? [args[1], ...(name === 'rename' ? [args[0]] : [])] : name === 'open' ? (args[1] === undefined || args[1] === 'r' ? [] : [args[0]]) : writers.includes(name) ? [args[0]] : [];
  for (const p of changed) if (kindOf(p) === 'file') log.unauditable(`fs.${name} changes a file that belongs to the app`);
}

// arrivals is what a stream of a file reads or writes with: when it was opened, when each chunk
// came or was written, and when it was closed is recorded; and what came, if p is read and not the build's.
// What hears of it are activations by themselves.
function arrivals(fs: any, own: any, p?: any): any {
  if (own !== undefined) return {};
  const port = new Port();
  const arriving =
    (f: Function, told = (_came: any[], _args: any[]) => {}) =>
    (...args: any[]) => {
      const callback = args[args.length - 1];
      args[args.length - 1] = (...came: any[]) => {
        port.arrive(() => told(came, args));
        callback(...came);
      };
      f(...args);
    };
  let foreign = false;
  const opened = ([e]: any[]) => {
    const kind = p === undefined ? 'file' : kindOf(p);
    foreign = kind === 'outside' || (kind === 'missing' && e?.code !== 'ENOENT');
    if (foreign) note('fs.stream', p, e ? failed(e) : '{}');
  };
  const got = ([e, n]: any[], [, buffer, offset]: any[]) => {
    if (foreign) record('fs.read', e ? failed(e) : encoded(Buffer.from(buffer.buffer, buffer.byteOffset + offset, n)));
  };
  return { fs: { open: arriving(fs.open, opened), close: arriving(fs.close), read: arriving(fs.read, got), write: arriving(fs.write), writev: arriving(fs.writev) } };
}

function unsupported(what: string): void {
  log.unauditable(`${what} is not supported yet`);
}

// later runs f in an activation of its own.
function later(f: () => void): void {
  const port = new Port();
  quietly(() => setImmediate(() => port.arrive(f)));
}

const FileHandle = handleClass({ EventEmitter, StringDecoder, Buffer, unsupported });

// performs has a handle of Node's do what the program's is asked for.
function performs(real: any): Perform {
  return (name, args, came) => {
    const port = new Port();
    Reflect.apply(then, quietly(() => real[name](...args)), [
      (r: any) =>
        port.arrive(() => {
          record('fs.handle.' + name, handled(name, args, r));
          came(null, r);
        }),
      (e: any) =>
        port.arrive(() => {
          record('fs.handle.' + name, failed(e));
          came(e);
        }, e),
    ]);
  };
}

// handled is what came of a handle's method, as the advice holds it.
function handled(name: string, args: any[], r: any): string {
  if (name === 'read') return encoded(Buffer.from(r.buffer.buffer, r.buffer.byteOffset + readingOf(args, Buffer.alloc).offset, r.bytesRead));
  if (name === 'readv') return encoded(Buffer.concat(r.buffers.map((b: any) => Buffer.from(b.buffer, b.byteOffset, b.byteLength))).subarray(0, r.bytesRead));
  return encoded(name === 'write' || name === 'writev' ? r.bytesWritten : r);
}

export function guestModule(fs: any): any {
  load(fs);
  const m: any = Object.create(fs);
  const promises: any = Object.create(fs.promises);
  Object.defineProperty(m, 'promises', { value: promises, enumerable: true, configurable: true });
  for (const name of [...readers, ...writers, ...handles]) {
    const sync = fs[name + 'Sync'];
    if (sync !== undefined) {
      m[name + 'Sync'] = (...args: any[]) => {
        spared(name, args);
        let r;
        try {
          r = Reflect.apply(sync, fs, args); // which stack traces show
        } catch (e) {
          settled(fs, name, args, e, undefined);
          throw e;
        }
        return settled(fs, name, args, null, r);
      };
    }
    const real = fs[name];
    m[name] = (...args: any[]) => {
      spared(name, args);
      const callback = args[args.length - 1];
      // Which of the arguments it has more against, Node.js tells.
      if (typeof callback !== 'function') return readers.includes(name) ? real(...args) : atOnce(() => real(...args));
      const begin = () => {
        const port = new Port();
        args[args.length - 1] = (error: any, result: any, ...more: any[]) =>
          port.arrive(() => {
            const r = settled(fs, name, args, error, result);
            if (error) callback(error);
            else if (result === undefined) callback(null);
            else callback(null, r, ...more);
          }, error);
        // Where it stands for another argument, Node.js says which function it got.
        if (args.length < real.length) Object.defineProperty(args[args.length - 1], 'name', { value: callback.name });
        return real(...args);
      };
      return readers.includes(name) ? awaiting(begin) : atOnce(begin);
    };
    const promised = fs.promises[name];
    if (promised === undefined || name === 'open') continue;
    promises[name] = (...args: any[]) => {
      spared(name, args);
        return Port.promise(
        () => promised.apply(fs.promises, args),
        (r: any) => settled(fs, name, args, null, r),
        (e) => settled(fs, name, args, e, undefined),
      );
    };
  }
  const got = ({ buffer, offset }: Reading, n: number) => void record('fs.read', encoded(Buffer.from(buffer.buffer, buffer.byteOffset + offset, n)));
  m.readSync = (...args: any[]) => {
    let n;
    try {
      n = fs.readSync(...args);
    } catch (e) {
      record('fs.read', failed(e));
      throw e;
    }
    got(reading(args, Buffer.alloc), n);
    return n;
  };
  m.read = (...args: any[]) => {
    const callback = args.pop();
    return atOnce(() => {
      if (typeof callback !== 'function') return fs.read(...args, callback);
      const port = new Port();
      const { offset } = reading(args, Buffer.alloc);
      fs.read(...args, (error: any, n: number, buffer: any) =>
        port.arrive(() => {
          if (error) record('fs.read', failed(error));
          else got({ buffer, offset, length: n }, n);
          if (error) callback(error);
          else callback(null, n, buffer);
        }, error),
      );
    });
  };
  m.existsSync = (p: any) => {
    const r = fs.existsSync(p);
    const kind = kindOf(p);
    if (!named(p)) return r;
    if (kind === 'outside' || (kind === 'missing' && r)) note('fs.exists', p, encoded(r));
    return r;
  };
  m.exists = (p: any, callback: any) => {
    if (typeof callback !== 'function' || !named(p)) return fs.exists(p, callback);
    const port = new Port();
    fs.exists(p, (r: boolean) =>
      port.arrive(() => {
        const kind = kindOf(p);
        if (kind === 'outside' || (kind === 'missing' && r)) note('fs.exists', p, encoded(r));
        callback(r);
      }),
    );
  };
  promisedReading(m);
  m.realpath.native = m.realpath;
  m.realpathSync.native = m.realpathSync;
  for (const name of beyond) {
    for (const [to, from] of [[m, fs], [promises, fs.promises]]) {
      for (const k of [name, name + 'Sync']) {
        const real = from[k];
        if (typeof real !== 'function') continue;
        to[k] = (...args: any[]) => {
          log.unauditable(`fs.${k} is not supported yet`);
          return real.apply(from, args);
        };
      }
    }
  }
  promises.open = (...args: any[]) => {
    spared('open', args);
    return Port.promise(
      () => fs.promises.open(...args),
      (h: any) => {
        record('fs.open', encoded(h.fd));
        return new FileHandle(h.fd, performs(h), h);
      },
      (e) => record('fs.open', failed(e)),
    );
  };
  for (const name of ['readFile', 'writeFile', 'appendFile']) {
    const f = promises[name];
    promises[name] = (p: any, ...args: any[]) => (p instanceof FileHandle ? p[name](...args) : f(p, ...args));
  }
  opendirs(m, later, unsupported);
  m.createReadStream = (p: any, options?: any) => {
    if (!named(p) || odd(options)) return fs.createReadStream(p, options); // which throws
    const s = awaiting(() => fs.createReadStream(p, current === null ? options : { ...(typeof options === 'string' ? { encoding: options } : options), ...arrivals(fs, options?.fs, p) }));
    const kind = current === null || options?.fs !== undefined ? kindOf(p) : 'file';
    if (kind === 'outside' || (kind === 'missing' && fs.existsSync(p))) log.unauditable('a stream of a file that does not belong to the app, which functions of the program read, is not supported yet');
    return s;
  };
  m.createWriteStream = (p: any, options?: any) => {
    if ((!named(p) && typeof options?.fd !== 'number') || odd(options)) return fs.createWriteStream(p, options);
    if (kindOf(p) === 'file') log.unauditable('fs.createWriteStream changes a file that belongs to the app');
    const s: any = awaiting(() => fs.createWriteStream(p, current === null ? options : { ...(typeof options === 'string' ? { encoding: options } : options), ...arrivals(fs, options?.fs) }));
    s.prependListener('error', () => log.unauditable('a file could not be written'));
    record('fs.createWriteStream', '{}');
    return s;
  };
  return m;
}

// fs: the files of the app are those of the build. All else is what the server says
// it read, and writes go nowhere: what came of them is recorded.
import { opendirs } from '../shared/dir';
import { handleClass, readingOf } from '../shared/filehandle';
import { mark } from '../shared/of-node';
import { promisedReading, type Reading, reading } from '../shared/reading';
import { aborted } from '../shared/timers';
import { Buffer } from './buffer';
import EventEmitter from './events';
import { coded, invalidType, invalidValue, system, unsupported } from './internal/errors';
import { host, loop, impossible, nondeterministic, once, port, recordedNext, running } from './internal/host';
import { cwd } from './internal/process';
import { encodingOf, ofFS } from './internal/results';
import { outOfRange, place as checkPlace } from './internal/numbers';
import { thrown } from './internal/thrown';
import Stream from './stream';
import { StringDecoder } from './string_decoder';
import { fileURLToPath } from './url';

const { Readable, Writable } = Stream as any;
const { files } = host;

function pathOf(p: any, name = 'path'): any {
  if (typeof p === 'string') {
    if (p.includes('\0')) throw invalidValue(name, p, 'must be a string, Uint8Array, or URL without null bytes');
    return p;
  }
  const text = Buffer.isBuffer(p) ? p.toString() : typeof p === 'object' && p !== null && typeof p.href === 'string' ? fileURLToPath(p) : undefined;
  if (text?.includes('\0')) throw invalidValue(name, Buffer.isBuffer(p) ? p : text, 'must be a string, Uint8Array, or URL without null bytes');
  if (text !== undefined) return text;
  throw invalidType(name, 'of type string or an instance of Buffer or URL', p);
}

function isPath(p: any): boolean {
  try {
    return pathOf(p) !== undefined;
  } catch {
    return false;
  }
}

const place = (p: any): any => files.place(p, cwd());

const words: Record<string, [number, string]> = {
  __proto__: null as any,
  ENOENT: [-2, 'no such file or directory'],
  EISDIR: [-21, 'illegal operation on a directory'],
  ENOTDIR: [-20, 'not a directory'],
  EINVAL: [-22, 'invalid argument'],
};

function fault(code: string, syscall: string, path: any): any {
  const [errno, what] = words[code];
  if (code === 'EISDIR') {
    const e: any = new Error(`EISDIR: ${what}, ${syscall}`);
    e.errno = errno;
    e.code = code;
    e.syscall = syscall;
    return e;
  }
  return system(code, errno, syscall, what, path);
}

// missing is the error for a name that is not there: a file may be on its way.
function missing(at: any, syscall: string, path: any): any {
  for (let n: any = at.name; n.includes('/'); ) {
    n = n.slice(0, n.lastIndexOf('/'));
    if (files.place(cwd() + '/' + n, cwd()).kind === 'file') return fault('ENOTDIR', syscall, path);
  }
  return fault('ENOENT', syscall, path);
}

export class Stats {
  declare _kind: number;
  constructor(fields: any) {
    Object.assign(this, fields);
    const t = this as any;
    for (const k of ['atime', 'mtime', 'ctime', 'birthtime']) t[k] = new Date(Math.round(t[k + 'Ms']));
    Object.defineProperty(this, '_kind', { value: t.mode & 0o170000, enumerable: false });
  }
  isFile(): boolean {
    return this._kind === 0o100000;
  }
  isDirectory(): boolean {
    return this._kind === 0o40000;
  }
  isSymbolicLink(): boolean {
    return this._kind === 0o120000;
  }
  isFIFO(): boolean {
    return this._kind === 0o10000;
  }
  isSocket(): boolean {
    return this._kind === 0o140000;
  }
  isBlockDevice(): boolean {
    return this._kind === 0o60000;
  }
  isCharacterDevice(): boolean {
    return this._kind === 0o20000;
  }
}

export class Dirent {
  name: any;
  parentPath: any;
  path: any;
  declare _type: number;
  constructor(name: any, type: any, path: any) {
    this.name = name;
    this.parentPath = this.path = path;
    Object.defineProperty(this, '_type', { value: type, enumerable: false });
  }
  isFile(): boolean {
    return this._type === 1;
  }
  isDirectory(): boolean {
    return this._type === 2;
  }
  isSymbolicLink(): boolean {
    return this._type === 3;
  }
}

function statOf(at: any): any {
  const file = at.kind === 'file';
  const e = file ? files.entry(at.name) : { size: 4096, mtimeMs: 0, mode: 0o40755 };
  const ms = e.mtimeMs;
  const fields: any = { dev: 0, mode: e.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, ino: 0, size: e.size, blocks: Math.ceil(e.size / 512) };
  for (const k of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs']) fields[k] = ms;
  return new Stats(fields);
}

function stat(syscall: string): (p: any, options: any) => any {
  return (p, options) => {
    const at = place(p);
    if (at.kind !== 'missing') {
      if (options?.bigint) unsupported('fs.stat with bigint');
      return statOf(at);
    }
    if (options?.throwIfNoEntry === false) return undefined;
    throw missing(at, syscall, p);
  };
}

// Readers of what belongs to the app.
const own: Record<string, (p: any, options: any) => any> = {
  readFile(p, options) {
    const at = place(p);
    if (at.kind === 'missing') throw missing(at, 'open', p);
    if (at.kind === 'folder') throw fault('EISDIR', 'read', p);
    const b = Buffer.from(files.read(at.name));
    const e = encodingOf(options);
    return e === null ? b : b.toString(e);
  },
  stat: stat('stat'),
  lstat: stat('lstat'),
  access(p) {
    const at = place(p);
    if (at.kind === 'missing') throw missing(at, 'access', p);
  },
  readdir(p, options) {
    const at = place(p);
    if (at.kind === 'missing') throw missing(at, 'scandir', p);
    if (at.kind === 'file') throw fault('ENOTDIR', 'scandir', p);
    if (options?.recursive) unsupported('fs.readdir of all folders');
    const names = files.list(at.name);
    if (!options?.withFileTypes) return encodingOf(options) === null && options?.encoding === 'buffer' ? names.map((n: any) => Buffer.from(n)) : names;
    return names.map((n: any) => new Dirent(n, files.isFolder(at.name === '' ? n : at.name + '/' + n) ? 2 : 1, p));
  },
  realpath(p) {
    const at = place(p);
    if (at.kind === 'missing') throw missing(at, 'lstat', at.full);
    return at.full;
  },
  readlink(p) {
    const at = place(p);
    if (at.kind === 'missing') throw missing(at, 'readlink', p);
    throw fault('EINVAL', 'readlink', p);
  },
};

// failed is the error that the server says an operation ended with.
function failed({ e: told }: any, args: any[]): any {
  const signal = args.find((a) => a?.signal?.aborted)?.signal;
  if (told.name === 'AbortError') {
    if (signal === undefined) impossible('an operation is aborted that nobody aborted');
    else return aborted(signal);
  }
  if (/^ERR_/.test(told.code)) return coded(told.name === 'TypeError' ? TypeError : told.name === 'RangeError' ? RangeError : Error, told.code, told.message);
  const e: any = new Error(told.message);
  for (const k of ['errno', 'code', 'syscall', 'path', 'dest']) if (told[k] !== undefined) e[k] = told[k];
  return e;
}

// recorded is what the server says came of an operation.
function recorded(type: string, args: any[]): any {
  const r = JSON.parse(nondeterministic(type, ofFS(type, args)));
  if (r.e !== undefined) throw failed(r, args);
  if (r.b !== undefined) return Buffer.from(r.b, 'base64');
  if (r.l !== undefined) return r.l.map((b: any) => Buffer.from(b, 'base64'));
  if (r.t !== undefined) return new Stats(r.t);
  if (r.d !== undefined) return r.d.map((d: any) => new Dirent(d[0], d[1], args[0]));
  return r.v;
}

// other tells whether the server says that a name in the app's folder is not what the build has there.
function other(name: any): boolean {
  if (!recordedNext('place', name)) return false;
  nondeterministic('place', () => null);
  return true;
}

// Functions that read take these for options with an encoding.
const encoded = new Set(['readFile', 'readdir', 'realpath', 'readlink']);

// readable throws what a reader throws at once.
function readable(name: string, args: any[]): void {
  const e = encoded.has(name) ? encodingOf(args[1]) : null;
  if (e !== null && !Buffer.isEncoding(e)) throw invalidValue('encoding', e, 'is invalid encoding');
  // realpath makes a text of everything.
  if (name !== 'realpath' && !isPath(args[0]) && !(name === 'readFile' && typeof args[0] === 'number')) pathOf(args[0], name === 'readlink' ? 'oldPath' : 'path');
}

// stoppedBy throws that a file of the app's is not read because of a signal, and nothing else.
function stoppedBy(args: any[]): never {
  try {
    recorded('fs.readFile', args);
  } catch (e: any) {
    if (e.name === 'AbortError') throw e;
  }
  impossible('a file of the app is another one than that of the build');
  throw aborted(args[1].signal);
}

function reader(name: string): (...args: any[]) => any {
  return (...args) => {
    if (isPath(args[0])) readable(name, args);
    const at = isPath(args[0]) ? place(pathOf(args[0])) : null;
    if (at === null || at.kind === 'outside' || (at.kind !== 'file' && other(at.name))) return recorded('fs.' + name, args);
    // A signal that comes too late stops nothing.
    if (name === 'readFile' && args[1]?.signal?.aborted && recordedNext('fs.readFile')) stoppedBy(args);
    return own[name](pathOf(args[0]), args[1]);
  };
}

function writer(name: string): (...args: any[]) => any {
  return (...args) => recorded('fs.' + name, args);
}

export const fs: any = { promises: {}, Stats, Dirent };
fs.constants = {
  __proto__: null,
  UV_FS_SYMLINK_DIR: 1, UV_FS_SYMLINK_JUNCTION: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2,
  ...Object.fromEntries(['UNKNOWN', 'FILE', 'DIR', 'LINK', 'FIFO', 'SOCKET', 'CHAR', 'BLOCK'].map((kind, i) => [`UV_DIRENT_${kind}`, i])),
  EXTENSIONLESS_FORMAT_JAVASCRIPT: 0, EXTENSIONLESS_FORMAT_WASM: 1,
  S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o40000, S_IFCHR: 0o20000, S_IFBLK: 0o60000, S_IFIFO: 0o10000, S_IFLNK: 0o120000, S_IFSOCK: 0o140000,
  O_CREAT: 0o100, O_EXCL: 0o200, UV_FS_O_FILEMAP: 0, O_NOCTTY: 0o400, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_DIRECTORY: 0o200000, O_NOATIME: 0o1000000, O_NOFOLLOW: 0o400000, O_SYNC: 0o4010000, O_DSYNC: 0o10000, O_DIRECT: 0o40000, O_NONBLOCK: 0o4000,
  S_IRWXU: 0o700, S_IRUSR: 0o400, S_IWUSR: 0o200, S_IXUSR: 0o100, S_IRWXG: 0o70, S_IRGRP: 0o40, S_IWGRP: 0o20, S_IXGRP: 0o10, S_IRWXO: 7, S_IROTH: 4, S_IWOTH: 2, S_IXOTH: 1,
  F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1,
  UV_FS_COPYFILE_EXCL: 1, COPYFILE_EXCL: 1, UV_FS_COPYFILE_FICLONE: 2, COPYFILE_FICLONE: 2, UV_FS_COPYFILE_FICLONE_FORCE: 4, COPYFILE_FICLONE_FORCE: 4,
};
Object.assign(fs, { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 });
fs.promises.constants = fs.constants;

const optional = new Map([['readFile', 1], ['writeFile', 2], ['appendFile', 2], ['mkdtemp', 1]]);

function promised(f: (...args: any[]) => any): (...args: any[]) => Promise<any> {
  return (...args) => {
    const p = port();
    return new Promise((resolve, reject) => {
      p.expect(() => {
        let r: any;
        try {
          r = f(...args);
        } catch (e) {
          reject(e);
          return;
        }
        resolve(r);
      });
    });
  };
}

// add makes the three forms of a function. check throws what that with a callback does at once.
function add(name: string, f: (...args: any[]) => any, check: (args: any[]) => void): void {
  fs[name + 'Sync'] = f;
  fs[name] = (...args: any[]): void => {
    let callback = args.pop();
    // Only these take what comes before the callback for one that is missing.
    const least = optional.get(name);
    if (typeof callback !== 'function' && (least === undefined || args.length < least)) callback = undefined;
    if (typeof callback !== 'function' && check === thrown) thrown();
    // Who closes a file need not hear of it.
    if (callback === undefined && name === 'close') return;
    if (typeof callback !== 'function') throw invalidType('cb', 'of type function', callback);
    check(args);
    port().expect(() => {
      let r: any;
      try {
        r = f(...args);
      } catch (e) {
        callback(e);
        return;
      }
      if (r === undefined) callback(null);
      else if (name === 'write') callback(null, r, args[1]);
      else callback(null, r);
    });
  };
  fs.promises[name] = promised(f);
}
for (const name of Object.keys(own)) add(name, reader(name), (args) => readable(name, args));
for (const name of ['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'rm', 'rmdir', 'unlink', 'rename', 'copyFile', 'chmod', 'chown', 'utimes', 'symlink', 'link', 'truncate', 'open', 'close', 'write', 'fsync', 'fdatasync', 'fstat', 'ftruncate', 'fchmod', 'fchown', 'futimes', 'lchown', 'lutimes']) add(name, writer(name), thrown);

// read puts what the server says it read where it belongs.
function read(args: any[], { buffer, offset }: Reading): any {
  const bytes = recorded('fs.read', args);
  Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, offset);
  return bytes.length;
}
fs.readSync = (...args: any[]) => read(args, reading(args, Buffer.alloc));
fs.read = (...args: any[]): void => {
  const callback = args.pop();
  thrown();
  if (typeof callback !== 'function') throw invalidType('cb', 'of type function', callback);
  const into = reading(args, Buffer.alloc);
  port().expect(() => {
    let n: any;
    try {
      n = read(args, into);
    } catch (e) {
      callback(e);
      return;
    }
    callback(null, n, into.buffer);
  });
};

// ---- handles of files

const FileHandle = handleClass({ EventEmitter, StringDecoder, Buffer, unsupported });

// handled is what the server says came of a handle's method.
function handled(name: string, args: any[]): any {
  const r = recorded('fs.handle.' + name, args);
  if (name === 'write') return { __proto__: null, bytesWritten: r, buffer: args[0] };
  if (name === 'writev') return { __proto__: null, bytesWritten: r, buffers: args[0] };
  if (name === 'read') {
    const { buffer, offset } = readingOf(args, Buffer.alloc);
    Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(r, offset);
    return { __proto__: null, bytesRead: r.length, buffer };
  }
  if (name !== 'readv') return r;
  let at = 0;
  for (const b of args[0]) {
    Buffer.from(b.buffer, b.byteOffset, b.byteLength).set(r.subarray(at, at + b.byteLength));
    at += b.byteLength;
  }
  return { __proto__: null, bytesRead: r.length, buffers: args[0] };
}

function perform(name: string, args: any[], came: (error: any, value?: any) => void): void {
  once(() => {
    let r: any;
    try {
      r = handled(name, args);
    } catch (e) {
      came(e);
      return;
    }
    came(null, r);
  });
}

fs.promises.open = promised((...args) => new FileHandle(recorded('fs.open', args), perform));
for (const name of ['readFile', 'writeFile', 'appendFile']) {
  const f = fs.promises[name];
  fs.promises[name] = (p: any, ...args: any[]): Promise<any> => (p instanceof FileHandle ? p[name](...args) : f(p, ...args));
}

opendirs(fs, once, unsupported);
fs.realpath.native = fs.realpath;
fs.realpathSync.native = fs.realpathSync;

function exists(p: any): any {
  if (!isPath(p)) return false;
  const at = place(pathOf(p));
  if (at.kind === 'outside' || (at.kind === 'missing' && other(at.name))) return recorded('fs.exists', []);
  return at.kind !== 'missing';
}
fs.existsSync = exists;
fs.exists = (p: any, callback: any): void => {
  if (typeof callback !== 'function') throw invalidType('cb', 'of type function', callback);
  if (isPath(p)) port().expect(() => callback(exists(p)));
  else callback(false);
};
promisedReading(fs);

// ---- streams

// streamed are the options of a stream.
function streamed(options: any): any {
  if (options === undefined || options === null || typeof options === 'function') return {};
  if (typeof options !== 'string' && typeof options !== 'object') throw invalidType('options', 'one of type string or object', options);
  const o = typeof options === 'string' ? { encoding: options } : options;
  if (o.encoding && o.encoding !== 'buffer' && !Buffer.isEncoding(o.encoding)) throw invalidValue('encoding', o.encoding, 'is invalid encoding');
  return o;
}

function ranged(o: any): void {
  if (o.start !== undefined) position(o.start, 'start');
  if (o.end === undefined || o.end === Infinity) return;
  position(o.end, 'end');
  if (o.start > o.end) throw outOfRange('start', `<= "end" (here: ${o.end})`, o.start);
}
const position = (n: any, name: string): void => checkPlace(n, name, Number.MAX_SAFE_INTEGER);

// said is what f gives or throws.
function said(f: () => any): any {
  try {
    return { b: f() };
  } catch (e) {
    return { e };
  }
}

export class ReadStream extends Readable {
  constructor(p: any, options: any) {
    const o = streamed(options);
    // What is no name throws before there is a stream.
    super((pathOf(p), ranged(o), { highWaterMark: o.highWaterMark ?? 65536, encoding: o.encoding ?? undefined, autoDestroy: o.autoClose !== false, emitClose: o.emitClose !== false, signal: o.signal }));
    this.path = pathOf(p);
    this.flags = o.flags ?? 'r';
    this.mode = o.mode ?? 0o666;
    this.start = o.start;
    this.end = o.end ?? Infinity;
    this.bytesRead = 0;
    this.fd = null;
    // The file from this.start to this.end, of which so much has been read.
    this._bytes = null;
    this._at = 0;
    // Whether the server says what there is, because it is not of the build.
    this._foreign = false;
    this._port = running() ? port() : null;
  }
  // later runs what has to wait for the disk, with what first makes of what the server says. What hears of it are activations by themselves.
  _later(f: (r: any) => void, first?: () => any): void {
    if (this._port === null) loop.immediate(() => f(first?.()));
    else
      this._port.expect(() => {
        const r = first?.();
        loop.tick(() => f(r));
      });
  }
  _construct(done: any): void {
    this._later(
      (e) => {
        if (e !== null) return done(e);
        this.fd = 20;
        done();
        this.emit('open', this.fd);
        this.emit('ready');
      },
      () => this._opened(),
    );
  }
  // opened is what is wrong with opening it, or null.
  _opened(): any {
    const at = place(this.path);
    if (at.kind === 'outside' || (at.kind === 'missing' && other(at.name))) {
      this._foreign = true;
      return said(() => recorded('fs.stream', [])).e ?? null;
    }
    if (at.kind === 'missing') return missing(at, 'open', this.path);
    if (at.kind === 'file') {
      const b = Buffer.from(files.read(at.name));
      this._bytes = b.subarray(this.start ?? 0, this.end === Infinity ? undefined : this.end + 1);
    }
    return null;
  }
  _read(n: any): void {
    n = Math.min(this.end - (this.start ?? 0) - this._at + 1, n);
    if (n <= 0) {
      this.push(null);
      return;
    }
    this._later(
      (r) => this._came(r),
      () => this._got(n),
    );
  }
  _got(n: any): any {
    if (this._foreign) return said(() => recorded('fs.read', [this.fd, Buffer.alloc(0), 0, n, null]));
    return this._bytes === null ? { e: fault('EISDIR', 'read', this.path) } : { b: this._bytes.subarray(this._at, this._at + n) };
  }
  _came({ b, e }: any): void {
    if (this.destroyed) return;
    if (e !== undefined) return this.destroy(e);
    if (b.length === 0) {
      this.push(null);
      return;
    }
    this._at += b.length;
    this.bytesRead += b.length;
    this.push(b);
  }
  _destroy(err: any, done: any): void {
    if (this.fd === null) return done(err);
    this.fd = null;
    this._later(() => done(err));
  }
  get autoClose(): boolean {
    return this._readableState.autoDestroy;
  }
  set autoClose(is: any) {
    this._readableState.autoDestroy = is;
  }
  close(callback?: any): void {
    if (typeof callback === 'function') (Stream as any).finished(this, callback);
    this.destroy();
  }
}
mark(ReadStream);

// WriteStream: the server wrote it, or could not be audited.
export class WriteStream extends Writable {
  declare _later: (f: (r: any) => void) => void;
  constructor(p: any, options: any) {
    const o = streamed(options);
    super((typeof o.fd === 'number' || pathOf(p), ranged({ start: o.start }), { autoDestroy: o.autoClose !== false, decodeStrings: true, defaultEncoding: o.encoding ?? 'utf8', highWaterMark: o.highWaterMark, emitClose: o.emitClose !== false }));
    this.fd = typeof o.fd === 'number' ? o.fd : null;
    if (this.fd === null) this.path = pathOf(p);
    this.flags = o.flags ?? 'w';
    this.bytesWritten = 0;
    this._port = running() ? port() : null;
    // Whether the disk is busy, and what then closes the file.
    this._busy = false;
    this._idle = null;
    nondeterministic('fs.createWriteStream', ofFS('fs.createWriteStream', []));
  }
  _construct(done: any): void {
    if (this.fd !== null) return done();
    this._later(() => {
      this.fd = 20;
      done();
      this.emit('open', this.fd);
      this.emit('ready');
    });
  }
  _put(bytes: number, done: any): void {
    this._busy = true;
    this._later(() => {
      this._busy = false;
      this.bytesWritten += bytes;
      done();
      this._idle?.();
    });
  }
  _write(chunk: any, _encoding: any, done: any): void {
    this._put(chunk.length, done);
  }
  _writev(list: any[], done: any): void {
    let bytes = 0;
    for (const { chunk } of list) bytes += chunk.length;
    this._put(bytes, done);
  }
  _destroy(err: any, done: any): void {
    if (this.fd === null) return done(err);
    const close = () => {
      this.fd = null;
      this._later(() => done(err));
    };
    if (this._busy) this._idle = close;
    else close();
  }
  get autoClose(): boolean {
    return this._writableState.autoDestroy;
  }
  set autoClose(is: any) {
    this._writableState.autoDestroy = is;
  }
  close(callback?: any): void {
    if (callback && this.closed) return void loop.tick(callback);
    if (callback) this.on('close', callback);
    if (!this.autoClose) this.on('finish', this.destroy);
    this.end();
  }
}
WriteStream.prototype._later = ReadStream.prototype._later;
mark(WriteStream);
for (const c of [ReadStream, WriteStream]) {
  const pending = function (this: any): boolean {
    return this.fd === null;
  };
  Object.defineProperty(c.prototype, 'pending', { get: pending, configurable: true });
}

fs.ReadStream = fs.FileReadStream = ReadStream;
fs.WriteStream = fs.FileWriteStream = WriteStream;
fs.createReadStream = (p: any, options?: any) => new ReadStream(p, options);
fs.createWriteStream = (p: any, options?: any) => new WriteStream(p, options);

// FileHandle, as fs.promises.open gives it, in both builds alike. What comes of its methods is the server's to record.
import { reading, type Reading } from './reading';

// Perform does what a method asks for; came hears of it in an activation.
export type Perform = (name: string, args: any[], came: (error: any, value?: any) => void) => void;

// What Node says was called of a handle that is closed.
const calls: Record<string, string> = {
  __proto__: null as any,
  appendFile: 'writeFile', chmod: 'fchmod', chown: 'fchown', datasync: 'fdatasync', read: 'read', readFile: 'readFile', readv: 'readv', stat: 'fstat', sync: 'fsync', truncate: 'ftruncate', utimes: 'futimes',
  write: 'write', writeFile: 'writeFile', writev: 'writev',
};

// readingOf takes the arguments of a handle's read apart: (buffer, offset, length), (buffer, options) or (options).
export function readingOf([buffer, offset, length]: any[], alloc: (size: number) => any): Reading {
  if (!ArrayBuffer.isView(buffer) || (typeof offset === 'object' && offset !== null)) return reading([0, buffer, offset], alloc);
  return { buffer, offset: offset ?? 0, length: length ?? (buffer as any).byteLength - (offset ?? 0) };
}

const most = 65536; // bytes that are read at once for lines

// handleClass makes the class, of what the build has.
export function handleClass({ EventEmitter, StringDecoder, Buffer, unsupported }: { EventEmitter: any; StringDecoder: any; Buffer: any; unsupported: (what: string) => void }): any {
  class FileHandle extends EventEmitter {
    #fd: number;
    #perform: Perform;
    #pending = 0;
    #closing: Promise<void> | null = null;

    // real is the server's: what is not audited works there all the same.
    constructor(fd: number, perform: Perform, real?: any) {
      super();
      Object.defineProperty(this, '_real', { value: real });
      this.#fd = fd;
      this.#perform = perform;
    }

    get fd(): number {
      return this.#fd;
    }

    // Calls that are under way are waited for.
    close = (): Promise<void> => {
      if (this.#fd === -1) return Promise.resolve();
      if (this.#closing !== null) return this.#closing;
      if (this.#pending === 0) this.#fd = -1;
      const closing: Promise<void> = new Promise((resolve, reject) => {
        this.#perform('close', [], (error) => {
          this.#closing = null;
          this.#fd = -1;
          if (error) reject(error);
          else resolve();
        });
      });
      this.#closing = closing;
      this.emit('close');
      return closing;
    };

    _ask(name: string, args: any[], came: (error: any, value?: any) => void): void {
      this.#pending++;
      this.#perform(name, args, (error, value) => {
        this.#pending--;
        came(error, value);
      });
    }

    _call(name: string, args: any[]): Promise<any> {
      if (this.#fd === -1) return Promise.reject(Object.assign(new Error('file closed'), { code: 'EBADF', syscall: calls[name] }));
      return new Promise((resolve, reject) => this._ask(name, args, (error, value) => (error ? reject(error) : resolve(value))));
    }

    readLines(options?: any): any {
      return new Lines(this, options);
    }
  }

  const methods: Record<string, Function> = {};
  for (const name of Object.keys(calls))
    methods[name] = function (this: any, ...args: any[]): Promise<any> {
      return this._call(name, args);
    };
  for (const name of ['createReadStream', 'createWriteStream', 'readableWebStream'])
    methods[name] = function (this: any, ...args: any[]): any {
      unsupported(`FileHandle.${name}`);
      return this._real[name](...args);
    };
  for (const name of Object.keys(methods)) {
    Object.defineProperty(methods[name], 'name', { value: name, configurable: true });
    Object.defineProperty(FileHandle.prototype, name, { value: methods[name], writable: true, configurable: true });
  }

  // Lines are those of a file, for who iterates over them. After the last, the file is closed.
  class Lines {
    #handle: any;
    #options: any;
    #decoder: any;
    #at: number | null;
    #left: number;
    #lines: string[] = [];
    #rest = '';
    // over: no more comes.
    #over = false;
    #busy = false;
    #waiting: [(r: any) => void, (e: any) => void][] = [];

    constructor(handle: any, options: any) {
      this.#handle = handle;
      this.#options = options;
      this.#decoder = new StringDecoder(options?.encoding ?? 'utf8');
      this.#at = options?.start ?? null;
      this.#left = (options?.end ?? Infinity) - (options?.start ?? 0) + 1;
    }

    [Symbol.asyncIterator](): this {
      return this;
    }

    next(): Promise<any> {
      return new Promise((resolve, reject) => {
        this.#waiting.push([resolve, reject]);
        this.#go();
      });
    }

    return(): Promise<any> {
      this.close();
      return Promise.resolve({ value: undefined, done: true });
    }

    close(): void {
      this.#over = true;
      this.#lines = [];
      this.#go();
    }

    on(...args: any[]): any {
      unsupported('FileHandle.readLines, but to iterate over');
      return this.#handle._real.readLines(this.#options).on(...args);
    }

    #go(): void {
      while (this.#waiting.length > 0 && this.#lines.length > 0) this.#waiting.shift()![0]({ value: this.#lines.shift(), done: false });
      if (this.#over && this.#lines.length === 0) while (this.#waiting.length > 0) this.#waiting.shift()![0]({ value: undefined, done: true });
      if (this.#waiting.length === 0 || this.#busy) return;
      this.#busy = true;
      this.#handle._ask('read', [{ buffer: Buffer.alloc(Math.min(most, this.#left)), position: this.#at }], (error: any, r: any) => {
        this.#busy = false;
        if (error) {
          this.#over = true;
          this.#waiting.shift()?.[1](error);
        } else this.#read(r.buffer.subarray(0, r.bytesRead));
        this.#go();
      });
    }

    #read(bytes: any): void {
      const n = bytes.length;
      this.#left -= n;
      if (this.#at !== null) this.#at += n;
      const text = this.#rest + (n === 0 ? this.#decoder.end() : this.#decoder.write(bytes));
      // Of \r at the end nobody knows yet whether \n follows.
      const cut = n > 0 && text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, cut).split(/\r?\n|\r(?!\n)/);
      this.#rest = lines.pop()! + text.slice(cut);
      this.#lines.push(...lines);
      if (n > 0 && this.#left > 0) return;
      if (this.#rest !== '') this.#lines.push(this.#rest);
      this.#over = true;
      this.#handle.close();
    }
  }
  // Bundlers call it otherwise.
  return Object.defineProperty(FileHandle, 'name', { value: 'FileHandle' });
}

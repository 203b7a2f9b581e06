// Dir, as fs.opendir gives it, in both builds alike: what fs.readdir says is in a folder, one after the other.
import { coded, invalidType } from '../models/internal/errors';

const isClosed = (): any => coded(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed');

// opened is an error of readdir as opendir has it.
function opened(e: any, sync = false): any {
  if (e?.syscall === 'scandir') {
    e.syscall = 'opendir';
    // That of opendirSync names no path.
    if (sync) delete e.path;
    e.message = sync ? e.message.replace(/, scandir [^]*/, ', opendir') : e.message.replace(', scandir ', ', opendir ');
  }
  return e;
}

// dirClass makes the class; later runs in an activation of its own what is called back.
function dirClass(later: (f: () => void) => void): any {
  return class Dir {
    #path: any;
    #entries: any[];
    #closed = false;

    constructor(path: any, entries: any[]) {
      this.#path = path;
      this.#entries = entries;
    }

    get path(): any {
      return this.#path;
    }

    #next(): any {
      return this.#entries.shift() ?? null;
    }

    read(callback?: any): any {
      if (this.#closed) throw isClosed();
      if (callback === undefined) return Promise.resolve(this.#next());
      if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
      const entry = this.#next();
      later(() => callback(null, entry));
    }

    readSync(): any {
      if (this.#closed) throw isClosed();
      return this.#next();
    }

    close(callback?: any): any {
      if (callback !== undefined && typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
      const error = this.#closed ? isClosed() : null;
      this.#closed = true;
      if (callback !== undefined) later(() => callback(error));
      else return error === null ? Promise.resolve() : Promise.reject(error);
    }

    closeSync(): void {
      if (this.#closed) throw isClosed();
      this.#closed = true;
    }

    entries(): any {
      let over = false;
      const finish = (answer: any): Promise<any> => {
        const closes = !over;
        over = true;
        if (closes && this.#closed) return Promise.reject(isClosed());
        this.#closed = true;
        return Promise.resolve(answer);
      };
      return {
        next: (): Promise<any> => {
          if (over) return Promise.resolve({ value: undefined, done: true });
          if (this.#closed) return finish(undefined);
          const value = this.#next();
          return value === null ? finish({ value: undefined, done: true }) : Promise.resolve({ value, done: false });
        },
        return: (value?: any): Promise<any> => (over ? Promise.resolve({ value, done: true }) : finish({ value, done: true })),
        [Symbol.asyncIterator](): any {
          return this;
        },
      };
    }

    [Symbol.asyncIterator](): any {
      return this.entries();
    }
  };
}

// opendirs gives fs what opens folders, by way of its readdir.
export function opendirs(fs: any, later: (f: () => void) => void, unsupported: (what: string) => void): any {
  const Dir = dirClass(later);
  const listed = (options: any): any => {
    if (options?.recursive) unsupported('fs.opendir of all folders');
    return { encoding: typeof options === 'string' ? options : options?.encoding, recursive: options?.recursive, withFileTypes: true };
  };
  const pathOf = (p: any): any => (typeof p?.href === 'string' ? decodeURIComponent(p.pathname) : p);
  fs.Dir = Object.defineProperty(Dir, 'name', { value: 'Dir' });
  fs.opendirSync = (p: any, options?: any): any => {
    try {
      return new Dir(pathOf(p), fs.readdirSync(p, listed(options)));
    } catch (e) {
      throw opened(e, true);
    }
  };
  fs.opendir = (p: any, options: any, callback?: any): void => {
    const done = typeof options === 'function' ? options : callback;
    if (typeof done !== 'function') throw invalidType('callback', 'of type function', done);
    fs.readdir(p, listed(options), (e: any, entries: any[]) => (e ? done(opened(e)) : done(null, new Dir(pathOf(p), entries))));
  };
  fs.promises.opendir = (p: any, options?: any): Promise<any> =>
    new Promise((resolve, reject) => fs.opendir(p, options, (e: any, dir: any) => (e ? reject(e) : resolve(dir))));
}

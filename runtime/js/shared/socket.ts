// Connections that the program makes itself, by module net or tls: one code for what
// the program sees of them, and a wire for what becomes of them (see client.ts, which is
// to requests what this is to connections).
import { base, callable } from './callable';
import { mark } from './of-node';
import { coded, invalidType, received } from '../models/internal/errors';
import { type Failed, rebuilt } from './failures';

export type SocketEvent =
  | { k: 'connect'; remote: [string, number, string] | null; local: [string, number] | null }
  | { k: 'secure'; authorized: boolean; error: string | null; protocol: string | null; alpn: string | null }
  | { k: 'lookup'; a: any[] }
  | { k: 'data'; b: string }
  | { k: 'wrote'; n: number }
  | { k: 'end' | 'finish' | 'timeout' | 'close' }
  | { k: 'error'; e: Failed };

// SocketWire is what a connection is made of.
export interface SocketWire {
  // write tells whether the platform took everything at once; if not, an event will.
  write(chunks: { chunk: any; encoding: any }[], number: number): boolean;
  end(): void;
  destroy(): void;
  timeout(ms: number): void;
  set(method: string, args: any[]): void;
  // more: the program takes more of what came; or, no more for now.
  more(): void;
  hold(): void;
}

export interface SocketHost {
  Duplex: any;
  Buffer: any;
  tick(f: () => void): void;
  wire(socket: any, options: any, secure: boolean): SocketWire;
}

export function socketClasses(host: SocketHost): { Socket: any; TLSSocket: any; connect(args: any[]): any; secureConnect(args: any[]): any } {
  const { Buffer, tick } = host;

  class Socket extends base(host.Duplex) {
    constructor(options: any = {}) {
      if (typeof options === 'number') options = { fd: options };
      if (options.fd !== undefined || options.handle) throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', 'a socket of a file descriptor is not supported under audit yet');
      const { allowHalfOpen = false, highWaterMark, readableHighWaterMark, writableHighWaterMark, signal } = options;
      super({ allowHalfOpen, highWaterMark, readableHighWaterMark, writableHighWaterMark, signal, emitClose: false, autoDestroy: true, decodeStrings: false });
      this.connecting = false;
      this._hadError = false;
      this._parent = null;
      this._host = null;
      this.server = null;
      this.timeout = 0;
      this.bytesRead = 0;
      this._sent = 0;
      for (const [k, value] of Object.entries({ _wire: null, _writes: 0, _pending: null, _final_: null, _over: false })) Object.defineProperty(this, k, { value, writable: true, enumerable: false });
      this.on('end', () => {
        if (!this.allowHalfOpen) this.write = endedByOther;
      });
    }

    get pending(): boolean {
      return this._wire === null || this.connecting;
    }
    get readyState(): string {
      if (this.connecting) return 'opening';
      if (this.readable && this.writable) return 'open';
      return this.readable ? 'readOnly' : this.writable ? 'writeOnly' : 'closed';
    }
    get bufferSize(): any {
      return this._wire === null ? undefined : this.writableLength;
    }
    get bytesWritten(): number {
      return this._sent + this.writableLength;
    }
    address(): any {
      return this.localAddress === undefined ? {} : { address: this.localAddress, family: this.remoteFamily, port: this.localPort };
    }

    connect(...args: any[]): any {
      const [options, callback] = connection(args);
      if (this._wire !== null) throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', 'a socket that connects again is not supported under audit yet');
      if (!options.path) check(options);
      if (callback !== null) this.once(this.encrypted ? 'secureConnect' : 'connect', callback);
      this.connecting = true;
      this._wire = host.wire(this, options, this.encrypted === true);
      return this;
    }

    setTimeout(ms: any, callback?: any): any {
      if (typeof ms !== 'number') throw invalidType('msecs', 'of type number', ms);
      if (!(ms >= 0 && Number.isFinite(ms))) throw coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "msecs" is out of range. It must be a non-negative finite number. Received ${ms}`);
      this.timeout = ms;
      if (callback !== undefined) {
        if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
        if (ms === 0) this.removeListener('timeout', callback);
        else this.once('timeout', callback);
      }
      if (this._wire !== null) this._wire.timeout(ms);
      return this;
    }
    destroySoon(): void {
      if (this.writable) this.end();
      if (this.writableFinished) this.destroy();
      else this.once('finish', this.destroy);
    }
    resetAndDestroy(): any {
      return this.destroy();
    }

    _read(): void {
      if (this._wire !== null && !this.connecting) this._wire.more();
    }
    _write(chunk: any, encoding: any, done: any): void {
      this._put([{ chunk, encoding }], done);
    }
    _writev(chunks: any[], done: any): void {
      this._put(chunks, done);
    }
    _put(chunks: any[], done: any): void {
      if (this.connecting) {
        const closed = () => done(coded(Error, 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'Socket closed before the connection was established'));
        this.once('connect', () => {
          this.removeListener('close', closed);
          this._put(chunks, done);
        });
        this.once('close', closed);
        return;
      }
      if (this._wire === null || this._over) {
        done(coded(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
        return;
      }
      for (const { chunk, encoding } of chunks) this._sent += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
      if (this._wire.write(chunks, ++this._writes)) done();
      else this._pending = done;
    }
    _final(done: any): void {
      if (this.connecting) {
        this.once('connect', () => this._final(done));
        return;
      }
      if (this._wire === null) {
        done();
        return;
      }
      this._final_ = done;
      this._wire.end();
    }
    _destroy(err: any, done: any): void {
      this.connecting = false;
      this._hadError = Boolean(err);
      if (this._wire !== null) this._wire.destroy();
      done(err);
      if (this._wire === null) tick(() => this._closed_());
    }
    _closed_(): void {
      if (this._over) return;
      this._over = true;
      this.emit('close', this._hadError);
    }

    // _wants tells whether the program can notice an event, which can happen now.
    _wants(e: SocketEvent): boolean {
      if (this._over) return false;
      if (e.k === 'close') return this.destroyed;
      if (this.destroyed) return false;
      switch (e.k) {
        case 'connect':
          return this.connecting;
        case 'lookup':
          return this.connecting && this.listenerCount('lookup') > 0;
        case 'secure':
          return this.encrypted === true && !this.connecting && this.secureConnecting;
        case 'data':
        case 'end':
          return !this.connecting && !this.readableEnded && !this._readableState.ended;
        case 'wrote':
          return this._pending !== null && e.n === this._writes;
        case 'finish':
          return this._final_ !== null;
        case 'timeout':
          return this.timeout > 0 && this.listenerCount('timeout') > 0;
        case 'error':
          return true;
      }
    }
    _came(e: SocketEvent): void {
      switch (e.k) {
        case 'connect':
          this.connecting = false;
          [this.remoteAddress, this.remotePort, this.remoteFamily] = e.remote ?? [undefined, undefined, undefined];
          [this.localAddress, this.localPort] = e.local ?? [undefined, undefined];
          this.emit('connect');
          this.emit('ready');
          if (!this.encrypted && !this.isPaused()) this.read(0);
          break;
        case 'secure':
          this.secureConnecting = false;
          this.authorized = e.authorized;
          this.authorizationError = e.error;
          this.alpnProtocol = e.alpn ?? false;
          this._protocol = e.protocol;
          this.emit('secure');
          this.emit('secureConnect');
          if (!this.isPaused()) this.read(0);
          break;
        case 'lookup':
          this.emit('lookup', ...e.a);
          break;
        case 'data': {
          const b = Buffer.from(e.b, 'base64');
          this.bytesRead += b.length;
          if (!this.push(b)) this._wire.hold();
          break;
        }
        case 'end':
          this.push(null);
          this.read(0);
          break;
        case 'wrote': {
          const done = this._pending;
          this._pending = null;
          done();
          break;
        }
        case 'finish': {
          const done = this._final_;
          this._final_ = null;
          done();
          break;
        }
        case 'timeout':
          this.emit('timeout');
          break;
        case 'error':
          this.destroy(rebuilt(e.e));
          break;
        case 'close':
          this._closed_();
          break;
      }
    }
  }
  mark(Socket);
  for (const k of ['setNoDelay', 'setKeepAlive', 'ref', 'unref']) {
    (Socket.prototype as any)[k] = function (this: any, ...args: any[]) {
      if (this._wire === null) (this._set ??= []).push([k, args]);
      else this._wire.set(k, args);
      return this;
    };
  }

  // What Node.js has between such a socket and a stream that is none. A client of HTTP/2 (got's) takes its class from there.
  class JSStreamSocket extends Socket {}

  class TLSSocket extends Socket {
    constructor(options: any = {}) {
      const over = typeof options.pipe === 'function';
      super(over ? {} : options);
      if (over) Object.defineProperty(this, '_handle', { value: { _parentWrap: Object.create(JSStreamSocket.prototype) }, writable: true, configurable: true });
      this.encrypted = true;
      this.secureConnecting = true;
      this.authorized = false;
      this.authorizationError = null;
      this.alpnProtocol = null;
    }
    getProtocol(): any {
      return this._protocol ?? null;
    }
  }
  for (const [c, name] of [[TLSSocket, 'TLSSocket'], [JSStreamSocket, 'JSStreamSocket']] as const) Object.defineProperty(c, 'name', { value: name, configurable: true });

  // endedByOther is what becomes of a write when the other side has ended the connection.
  function endedByOther(this: any, _chunk: any, encoding: any, callback: any): boolean {
    if (typeof encoding === 'function') callback = encoding;
    const e: any = new Error('This socket has been ended by the other party');
    e.code = 'EPIPE';
    if (typeof callback === 'function') tick(() => callback(e));
    this.destroy(e);
    return false;
  }

  function connect(args: any[]): any {
    const [options] = connection(args);
    const s = new Socket(options);
    if (options.timeout) s.setTimeout(options.timeout);
    return s.connect(...args);
  }
  function secureConnect(args: any[]): any {
    const callback = typeof args[args.length - 1] === 'function' ? args.pop() : undefined;
    let options = args.find((a) => typeof a === 'object' && a !== null) ?? {};
    if (typeof args[0] === 'number' || typeof args[0] === 'string') options = { port: args[0], ...(typeof args[1] === 'string' ? { host: args[1] } : {}), ...options };
    const s = new TLSSocket(options);
    if (options.timeout) s.setTimeout(options.timeout);
    if (options.socket) s._parent = options.socket;
    return callback === undefined ? s.connect(options) : s.connect(options, callback);
  }
  return { Socket: callable(Socket, (called) => ({ Socket: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Socket), TLSSocket, connect, secureConnect };
}

function check(options: any): void {
  const { port, path } = options;
  if (port === undefined && (path === undefined || path === null) && options.socket === undefined) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "options" or "port" or "path" argument must be specified');
  if (port === undefined) return;
  if (typeof port !== 'number' && typeof port !== 'string') throw invalidType('options.port', 'one of type number or string', port);
  if (!(Number(port) >= 0 && Number(port) < 65536) || `${port}`.trim() === '') throw coded(RangeError, 'ERR_SOCKET_BAD_PORT', `Port should be >= 0 and < 65536.${received(port)}.`);
}

// connection is what (port, host, callback) and its like ask for.
function connection(args: any[]): [any, any] {
  const last = args[args.length - 1];
  const callback = typeof last === 'function' ? last : null;
  const [first, second] = args;
  if (typeof first === 'object' && first !== null) return [first, callback];
  if (typeof first === 'string' && !(Number(first) >= 0)) return [{ path: first }, callback];
  const options: any = typeof first === 'function' ? {} : { port: first };
  if (typeof second === 'string') options.host = second;
  return [options, callback];
}

// Requests that the program makes of other servers by http.request and its kin: one
// code for what the program sees of them, and a wire for what becomes of them. On the
// server that is Node's own client (server/client.ts); in the verifier it is what the
// server says came of each request (models/client.ts). What comes runs in activations
// of the request's own, as events.
import { coded, invalidType } from '../models/internal/errors';
import { milliseconds } from '../models/internal/durations';
import { type Failed, rebuilt, reset } from './failures';
import { aborted } from './timers';

// Event is something that came of a request.
export type Event =
  | { k: 'socket'; s: Address }
  | { k: 'on'; n: string; a: any[]; s: Address } // an event of the socket
  | { k: 'info'; status: number; message: string; raw: string[] }
  | { k: 'response'; s: Address; status: number; message: string; version: string; raw: string[]; keep: boolean }
  | { k: 'data'; b: string }
  | { k: 'end'; raw?: string[] }
  | { k: 'wrote'; n: number }
  | { k: 'drain' | 'finish' | 'timeout' | 'aborted' | 'close' }
  | { k: 'error'; destroyed: boolean; e: Failed | null }; // null: that which the program gave

// Address tells about the socket.
export interface Address {
  remote: [string, number, string] | null;
  local: [string, number] | null;
  connecting: boolean;
  reused: boolean;
  secure: boolean;
}

// Wire is what a request goes out by.
export interface Wire {
  // begin: the headers are those that the request has now.
  begin(): void;
  flush(): void;
  // write tells whether more may be written at once.
  write(chunk: any, encoding: any, number: number): boolean;
  end(chunk: any, encoding: any): void;
  destroy(err: any): void;
  timeout(ms: number): void;
  socket(method: string, args: any[]): void;
  // more: the program takes more of the answer.
  more(): void;
}

export interface Host {
  EventEmitter: any;
  OutgoingMessage: any;
  IncomingMessage: any;
  Buffer: any;
  tick(f: () => void): void;
  urlOptions(url: any): any;
  wire(request: any, secure: boolean, options: any): Wire;
  agent(secure: boolean): any;
  // fill gives an answer its headers, or its trailers.
  fill(answer: any, raw: string[], trailers: boolean): void;
  // push gives it a chunk of its body, or the end; it tells whether it wants more.
  push(answer: any, chunk: any): boolean;
}

// Events of sockets that the program can hear.
export const heardOf = ['lookup', 'connect', 'secureConnect', 'ready', 'end', 'close'];

const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;

function hostOf(host: any, name: string): any {
  if (host !== null && host !== undefined && typeof host !== 'string') throw invalidType(`options.${name}`, 'of type string or one of undefined or null', host);
  return host;
}

export function clientClasses(host: Host): { request(secure: boolean, args: any[]): any; ClientRequest: any; Socket: any } {
  const { Buffer, tick } = host;

  // ClientSocket is what the program sees of the connection.
  class ClientSocket extends host.EventEmitter {
    readable = true;
    writable = true;
    destroyed = false;
    constructor(private readonly _wire: Wire, a: Address) {
      super();
      Object.defineProperty(this, '_wire', { enumerable: false });
      this._told(a);
      if (a.secure) this.encrypted = this.authorized = true;
    }
    _told(a: Address): void {
      this.connecting = a.connecting;
      [this.remoteAddress, this.remotePort, this.remoteFamily] = a.remote ?? [undefined, undefined, undefined];
      [this.localAddress, this.localPort] = a.local ?? [undefined, undefined];
    }
    address(): any {
      return { address: this.localAddress, family: this.remoteFamily, port: this.localPort };
    }
    setTimeout(ms: any, callback?: any): any {
      this.timeout = milliseconds(ms, 'msecs');
      if (callback !== undefined) {
        if (this.timeout === 0) this.removeListener('timeout', callback);
        else this.once('timeout', callback);
      }
      this._wire.timeout(this.timeout);
      return this;
    }
    end(): any {
      return this.destroy();
    }
    destroySoon(): any {
      return this.destroy();
    }
    destroy(err?: any): any {
      if (this.destroyed) return this;
      this._httpMessage?.destroy(err);
      this.destroyed = true;
      this.readable = this.writable = false;
      return this;
    }
  }
  for (const k of ['setNoDelay', 'setKeepAlive', 'ref', 'unref']) {
    (ClientSocket.prototype as any)[k] = function (this: any, ...args: any[]) {
      this._wire.socket(k, args);
      return this;
    };
  }
  for (const k of ['pause', 'resume', 'cork', 'uncork', 'setEncoding']) {
    (ClientSocket.prototype as any)[k] = function (this: any) {
      return this;
    };
  }

  // Answer is the IncomingMessage that a request is answered with.
  class Answer extends host.IncomingMessage {
    _read(): void {
      this.req?._wire.more();
    }
    _destroy(err: any, done: any): void {
      if (!this.readableEnded || !this.complete) {
        this.aborted = true;
        this.emit('aborted');
      }
      const finish = () => tick(() => done(this.listenerCount('error') === 0 ? undefined : err));
      if (this.socket && !this.socket.destroyed && this.aborted) {
        this.req._closing = finish;
        this.socket.destroy(err);
      } else finish();
    }
  }

  class ClientRequest extends host.OutgoingMessage {
    constructor(secure: boolean, options: any, callback: any) {
      super();
      const agent = agentOf(options, host.agent(secure));
      this.agent = agent;
      this.shouldKeepAlive = agent.keepAlive || Number.isFinite(agent.maxSockets);
      const protocol = options.protocol || host.agent(secure).protocol;
      const expected = agent?.protocol || host.agent(secure).protocol;
      if (options.path && /[^\u0021-\u00ff]/.test(String(options.path))) throw coded(TypeError, 'ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
      if (protocol !== expected) throw coded(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${expected}"`);
      const defaultPort = options.defaultPort || agent?.defaultPort;
      const port = options.port || defaultPort || 80;
      const name = hostOf(options.hostname, 'hostname') || hostOf(options.host, 'host') || 'localhost';
      this.socketPath = options.socketPath;
      if (options.timeout !== undefined) this.timeout = milliseconds(options.timeout, 'timeout');
      let { method } = options;
      if (method !== null && method !== undefined && typeof method !== 'string') throw invalidType('options.method', 'of type string', method);
      if (method && !token.test(method)) throw coded(TypeError, 'ERR_INVALID_HTTP_TOKEN', `Method must be a valid HTTP token ["${method}"]`);
      method = this.method = method ? method.toUpperCase() : 'GET';
      this.maxHeaderSize = options.maxHeaderSize;
      this.insecureHTTPParser = options.insecureHTTPParser;
      this.joinDuplicateHeaders = options.joinDuplicateHeaders;
      this.path = options.path || '/';
      if (callback) this.once('response', callback);
      this.useChunkedEncodingByDefault = !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(method);
      this._ended = false;
      this.res = null;
      this.aborted = false;
      this.timeoutCb = null;
      this.upgradeOrConnect = false;
      this.maxHeadersCount = null;
      this.reusedSocket = false;
      this.host = name;
      this.protocol = protocol;
      // What is no other's business.
      for (const [k, value] of Object.entries({ _timed: options.timeout !== undefined || agent?.options?.timeout !== undefined, _flushed: false, _full: false, _written: [], _closing: null, _own: undefined, _failed: false, _ready: false, _wire: null })) Object.defineProperty(this, k, { value, writable: true, enumerable: false });
      if (Array.isArray(options.headers)) this._ready = true;
      else {
        for (const k of Object.keys(options.headers ?? {})) this.setHeader(k, options.headers[k]);
        if (name && !this.getHeader('host') && (options.setHost === undefined || Boolean(options.setHost))) {
          let to = name;
          if (to.split(':').length > 2 && to[0] !== '[') to = `[${to}]`;
          if (port && +port !== defaultPort) to += ':' + port;
          this.setHeader('Host', to);
        }
        if (options.auth && !this.getHeader('Authorization')) this.setHeader('Authorization', 'Basic ' + Buffer.from(options.auth).toString('base64'));
        if (this.getHeader('expect')) this._ready = true;
      }
      this._wire = host.wire(this, secure, options);
      if (this._ready) this._implicitHeader();
      const { signal } = options;
      if (!signal) return;
      const stop = () => this.destroy(aborted(signal));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    }

    get writableFinished(): boolean {
      return this.finished && (this._flushed || this.res !== null);
    }
    get writableLength(): number {
      return 0;
    }
    get writableNeedDrain(): boolean {
      return !this.destroyed && !this.finished && this._full;
    }
    get closed(): boolean {
      return this._closed;
    }
    get errored(): any {
      return this._own;
    }

    _implicitHeader(): void {
      if (this._header) throw coded(Error, 'ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
      this._header = `${this.method} ${this.path} HTTP/1.1\r\n`;
      this._wire.begin();
    }
    flushHeaders(): void {
      if (!this._header) this._implicitHeader();
      this._wire.flush();
    }
    cork(): void {}
    uncork(): void {}

    // refused tells why nothing more can be written.
    _refused(callback: any): boolean {
      let err: any;
      if (this.finished) err = coded(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end');
      else if (this.destroyed) err = coded(Error, 'ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed');
      else return false;
      const gone = this.destroyed;
      tick(() => {
        if (typeof callback === 'function') callback(err);
        if (!gone && !this.destroyed) this.emit('error', err);
      });
      return true;
    }
    write(chunk: any, encoding?: any, callback?: any): boolean {
      if (typeof encoding === 'function') {
        callback = encoding;
        encoding = null;
      }
      checkChunk(chunk);
      if (this._refused(callback)) return false;
      if (!this._header) this._implicitHeader();
      let number = 0;
      if (typeof callback === 'function') number = this._written.push(callback);
      const more = this._wire.write(chunk, encoding, number);
      if (!more) this._full = true;
      return more;
    }
    end(chunk?: any, encoding?: any, callback?: any): any {
      if (typeof chunk === 'function') {
        callback = chunk;
        chunk = encoding = null;
      } else if (typeof encoding === 'function') {
        callback = encoding;
        encoding = null;
      }
      if (chunk) {
        checkChunk(chunk);
        if (this._refused(this.finished ? callback : null) && this.finished) return this;
      } else if (this.finished) {
        if (typeof callback !== 'function') return this;
        if (this.writableFinished) callback(coded(Error, 'ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished'));
        else this.on('finish', callback);
        return this;
      }
      if (!this._header) this._implicitHeader();
      if (typeof callback === 'function') this.once('finish', callback);
      this.finished = true;
      if (!this.destroyed) this._wire.end(chunk || null, encoding);
      return this;
    }

    abort(): void {
      if (this.aborted) return;
      this.aborted = true;
      tick(() => this.emit('abort'));
      this.destroy();
    }
    destroy(err?: any): any {
      if (this.destroyed) return this;
      this.destroyed = true;
      this.res?._dump();
      this._own = err;
      if (this.socket) this.socket.destroyed = true;
      this._wire.destroy(err);
      return this;
    }
    setTimeout(ms: any, callback?: any): any {
      if (this._ended) return this;
      ms = milliseconds(ms, 'msecs');
      if (callback) this.once('timeout', callback);
      this._timed = true;
      this._wire.timeout(ms);
      return this;
    }
    clearTimeout(callback?: any): void {
      this.setTimeout(0, callback);
    }
    setNoDelay(on?: any): void {
      this._wire.socket('setNoDelay', [on]);
    }
    setSocketKeepAlive(on?: any, delay?: any): void {
      this._wire.socket('setKeepAlive', [on, delay]);
    }
    onSocket(): never {
      throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', 'a socket of its own for a request is not supported under audit yet');
    }

    // _open: the exchange goes on.
    get _open(): boolean {
      return !this._closed && !this._ended && !this.destroyed;
    }
    // _wants tells whether the program can notice an event.
    _wants(e: Event): boolean {
      const { res } = this;
      switch (e.k) {
        case 'socket':
          return this._open && this.socket === null && this.listenerCount('socket') > 0;
        case 'on':
          return this.socket !== null && this.socket.listenerCount(e.n) > 0;
        case 'info':
          return this._open && (this.listenerCount('information') > 0 || (e.status === 100 && this.listenerCount('continue') > 0));
        case 'response':
          return this._open && res === null;
        case 'data':
        case 'end':
          return this._open && res !== null && !res.complete;
        case 'wrote':
          return typeof this._written[e.n - 1] === 'function';
        case 'drain':
          return this._full;
        case 'finish':
          return this.finished && !this._flushed && this.listenerCount('finish') > 0;
        case 'timeout':
          if (this._closed) return false;
          if (this._timed && (this.listenerCount('timeout') > 0 || (res !== null && res.listenerCount('timeout') > 0))) return true;
          return this.socket !== null && (this._timed || this.socket.timeout > 0) && this.socket.listenerCount('timeout') > 0;
        case 'error':
          return !this._failed && !this._closed && !this._ended;
        case 'aborted':
          return res !== null && !res.complete && !res.destroyed;
        case 'close':
          return !this._closed && !this._ended && (this.destroyed || this._failed || (res !== null && res.aborted));
      }
    }
    _came(e: Event): void {
      switch (e.k) {
        case 'socket':
          this._attach(e.s);
          this.emit('socket', this.socket);
          break;
        case 'on':
          this.socket._told(e.s);
          this.socket.emit(e.n, ...e.a);
          break;
        case 'info':
          this._inform(e);
          break;
        case 'response':
          this._answered(e);
          break;
        case 'data':
          host.push(this.res, Buffer.from(e.b, 'base64'));
          break;
        case 'end':
          this.res.complete = true;
          if (e.raw !== undefined) host.fill(this.res, e.raw, true);
          host.push(this.res, null);
          break;
        case 'wrote': {
          const f = this._written[e.n - 1];
          this._written[e.n - 1] = null;
          f();
          break;
        }
        case 'drain':
          this._full = false;
          if (!this.finished) this.emit('drain');
          break;
        case 'finish':
          this._flushed = true;
          this.emit('finish');
          break;
        case 'timeout':
          if (this._timed) this.emit('timeout');
          this.res?.emit('timeout');
          this.socket?.emit('timeout');
          break;
        case 'error':
          this._failed = true;
          if (e.destroyed) this.destroyed = true;
          if (this.socket) this.socket.destroyed = true;
          this.emit('error', e.e === null ? this._own : rebuilt(e.e));
          break;
        case 'aborted':
          if (this.socket) this.socket.destroyed = true;
          this.res.destroy(reset('aborted'));
          break;
        case 'close':
          this.destroyed = true;
          this._left();
          this._closing?.();
          break;
      }
    }
    _left(): void {
      if (this._closed) return;
      this._closed = true;
      this.emit('close');
    }
    _attach(a: Address): void {
      if (this.socket) return this.socket._told(a);
      this.socket = new ClientSocket(this._wire, a);
      Object.defineProperty(this.socket, '_httpMessage', { value: this, writable: true, enumerable: false });
      this.reusedSocket = a.reused;
    }
    _inform(e: any): void {
      const m = new host.IncomingMessage(this.socket);
      host.fill(m, e.raw, false);
      if (e.status === 100) this.emit('continue');
      this.emit('information', { statusCode: e.status, statusMessage: e.message, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, headers: m.headers, rawHeaders: m.rawHeaders });
    }
    _answered(e: any): void {
      this._attach(e.s);
      const res: any = new (Answer as any)(this.socket);
      if (this.joinDuplicateHeaders) res.joinDuplicateHeaders = true;
      host.fill(res, e.raw, false);
      res.statusCode = e.status;
      res.statusMessage = e.message;
      res.httpVersion = e.version;
      [res.httpVersionMajor, res.httpVersionMinor] = e.version.split('.').map(Number);
      this.res = res;
      res.req = this;
      res.on('end', () => {
        this._ended = true;
        if (e.keep) {
          this.destroyed = true;
          res.socket = null;
        }
        tick(() => {
          this.destroyed = true;
          this._left();
        });
      });
      if (this.aborted || !this.emit('response', res)) res._dump();
    }
  }
  for (const [c, name] of [[ClientSocket, 'Socket'], [Answer, 'IncomingMessage'], [ClientRequest, 'ClientRequest']] as const) Object.defineProperty(c, 'name', { value: name, configurable: true });

  function checkChunk(chunk: any): void {
    if (chunk === null) throw coded(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) throw invalidType('chunk', 'of type string or an instance of Buffer or Uint8Array', chunk);
  }

  // request is what http.request does, which may be called in several ways.
  function request(secure: boolean, args: any[]): any {
    let [input, options, callback] = args;
    if (typeof input === 'string') input = host.urlOptions(new URL(input));
    else if (input instanceof URL) input = host.urlOptions(input);
    else {
      callback = options;
      options = input;
      input = null;
    }
    if (typeof options === 'function') {
      callback = options;
      options = input || {};
    } else options = Object.assign(input || {}, options);
    return new ClientRequest(secure, options, callback);
  }
  return { request, ClientRequest, Socket: ClientSocket };
}

function agentOf(options: any, standard: any): any {
  const { agent } = options;
  if (agent === false) return new standard.constructor();
  if (agent === null || agent === undefined) return standard;
  if (typeof agent.addRequest !== 'function') throw invalidType('options.agent', 'one of Agent-like Object, undefined, or false', agent);
  return agent;
}

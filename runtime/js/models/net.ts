// net: addresses, and the socket that a request came over. For connections of the
// application's own, see socket.ts.
import EventEmitter, { light } from './events';
import { listening } from '../shared/addresses';
import { base, callable } from '../shared/callable';
import { AsyncResource } from './async_hooks';
import { loop, nondeterministic, once, port, recordedNext, running } from './internal/host';
import { ofAddress } from './internal/results';
import { milliseconds } from './internal/durations';
import { coded, invalidType, unsupported } from './internal/errors';

// told is what the server says of an address, if that is not what is expected.
export function told(what: string, expected: any): any {
  return recordedNext(what) ? JSON.parse(nondeterministic(what, ofAddress(what))) : expected;
}

const octet = '(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])';
const v4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);

export function isIPv4(s: any): boolean {
  return v4.test(`${s}`);
}

export function isIPv6(s: any): boolean {
  let a = `${s}`;
  const zone = a.indexOf('%');
  if (zone >= 0) {
    if (!/^[0-9a-zA-Z-.:]+$/.test(a.slice(zone + 1))) return false;
    a = a.slice(0, zone);
  }
  if (a.includes('.')) {
    const at = a.lastIndexOf(':');
    if (at < 0 || !v4.test(a.slice(at + 1))) return false;
    a = a.slice(0, at + 1) + '0:0';
  }
  const halves = a.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((h) => (h === '' ? [] : h.split(':')));
  if (!groups.every((g) => /^[0-9a-fA-F]{1,4}$/.test(g))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

export function isIP(s: any): number {
  return isIPv4(s) ? 4 : isIPv6(s) ? 6 : 0;
}

// Socket is what applications look at: addresses, and events that a well-behaved
// request never sees.
export class Socket extends EventEmitter {
  declare server: any;
  declare readable: boolean;
  declare writable: boolean;
  declare destroyed: boolean;
  declare _error: any;
  // _waits: that something went wrong with it, or that it closed, are events of their own.
  declare _waits: boolean;

  // An emitter without listeners needs no state of its own.
  constructor() {
    super(light);
  }

  get readyState(): string {
    if (this.readable) return this.writable ? 'open' : 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }
  setTimeout(ms?: any, callback?: any): this {
    if (this.destroyed) return this;
    this.timeout = ms;
    const waits = milliseconds(ms, 'msecs') > 0;
    this._silence = waits ? AsyncResource.bind(() => this._silent()) : null;
    if (callback === undefined) return this;
    if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
    if (waits) this.once('timeout', callback);
    else this.removeListener('timeout', callback);
    return this;
  }
  // _silent: nothing was heard of the connection for as long as the program said.
  _silent(): void {
    this.emit('timeout');
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setEncoding(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  cork(): void {}
  uncork(): void {}
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  address(): any {
    const { localAddress, localFamily, localPort }: any = this;
    return { address: localAddress, family: localFamily, port: localPort };
  }
  write(): never {
    return unsupported('writing to a socket');
  }
  connect(): never {
    return unsupported('a connection of its own (net.Socket)');
  }
  end(): this {
    return this.destroy();
  }
  destroySoon(): this {
    return this.destroy();
  }
  destroy(err?: any): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.readable = this.writable = false;
    this._error = err ?? null;
    loop.tick(() => {
      if (err) {
        if (this.server) this.server.emit('clientError', err, this);
        if (!this._waits && this.listenerCount('error') > 0) this.emit('error', err);
      }
      if (!this._waits) this.emit('close', !!err);
    });
    return this;
  }
}

Object.assign(Socket.prototype, {
  _events: undefined,
  _eventsCount: 0,
  remoteAddress: undefined,
  remotePort: undefined,
  remoteFamily: undefined,
  localAddress: undefined,
  localPort: undefined,
  localFamily: undefined,
  readable: true,
  writable: true,
  destroyed: false,
  encrypted: undefined,
  writableLength: 0,
  readableHighWaterMark: 16384,
  writableHighWaterMark: 16384,
  readableObjectMode: false,
  writableObjectMode: false,
  readableLength: 0,
  readableFlowing: true,
  readableEnded: false,
  writableEnded: false,
  writableFinished: false,
  writableCorked: 0,
  writableNeedDrain: false,
  bytesRead: 0,
  bytesWritten: 0,
  connecting: false,
  pending: false,
  timeout: 0,
  allowHalfOpen: true,
  _httpMessage: null,
  _error: null,
  _waits: false,
  _silence: null,
  server: undefined,
});

class NetServer extends base(EventEmitter as any) {
  declare once: any;
  declare emit: any;
  listening = false;
  maxConnections: any = undefined;
  _address: any = null;
  _closing: any = null;

  // listen([port[, host[, backlog]]][, listening]) and its forms with options.
  listen(...args: any[]): this {
    const callback = args.length > 0 && typeof args[args.length - 1] === 'function' ? args.pop() : null;
    if (callback !== null) this.once('listening', callback);
    this._address = listening(args);
    this.listening = true;
    this._listening();
    loop.tick(() => this.emit('listening'));
    return this;
  }
  _listening(): void {}
  address(): any {
    if (!this.listening) return null;
    return told('address', { ...this._address });
  }
  // The last connection closes when its client likes.
  close(callback?: any): this {
    const { listening } = this;
    if (typeof callback === 'function') this.once('close', listening ? callback : () => callback(coded(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.')));
    this.listening = false;
    const closed = () => this.emit('close');
    if (listening && running()) {
      this._closing ??= port();
      this._closing.expect(() => {
        this._closing = null;
        closed();
      });
    } else if (this._closing === null) loop.tick(closed);
    return this;
  }
  getConnections(callback: any): this {
    once(() => callback(null, nondeterministic('count', (v: any) => (Number.isSafeInteger(v) && v >= 0 ? null : 'not a number'))));
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

export type Server = NetServer;
export const Server = callable(NetServer, (called) => ({ Server: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Server);

export const createServer = () => unsupported('net.createServer');
export const getDefaultAutoSelectFamily = () => true;
export const setDefaultAutoSelectFamily = () => {};
export class BlockList {
  constructor() {
    unsupported('net.BlockList');
  }
}

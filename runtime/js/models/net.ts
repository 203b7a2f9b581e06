// net: addresses, and the socket that a request came over. For connections of the
// application's own, see socket.ts.
import EventEmitter, { light } from './events';
import { loop } from './internal/host';
import { unsupported } from './internal/errors';

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
  declare localAddress: any;
  declare localFamily: any;
  declare localPort: any;
  declare _error: any;
  // _waits: that something went wrong with it, or that it closed, are events of their own.
  declare _waits: boolean;

  // An emitter without listeners needs no state of its own.
  constructor() {
    super(light);
  }

  setTimeout(_ms?: any, callback?: any): this {
    if (callback) this.once('timeout', callback);
    return this;
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
    return { address: this.localAddress, family: this.localFamily, port: this.localPort };
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
  bytesRead: 0,
  bytesWritten: 0,
  connecting: false,
  pending: false,
  timeout: 0,
  _httpMessage: null,
  _error: null,
  _waits: false,
  server: undefined,
});

export class Server extends EventEmitter {
  listening = false;
  maxConnections: any = undefined;
  _address: any = null;

  // listen([port[, host[, backlog]]][, listening]) and its forms with options.
  listen(...args: any[]): this {
    const callback = args.length > 0 && typeof args[args.length - 1] === 'function' ? args.pop() : null;
    if (callback !== null) this.once('listening', callback);
    const first = args[0];
    const options = first !== null && typeof first === 'object' ? first : {};
    const port = Number(options.port ?? first ?? 0);
    const host = options.host ?? (typeof args[1] === 'string' ? args[1] : undefined);
    this._address = { address: host ?? '::', family: host !== undefined && isIPv4(host) ? 'IPv4' : 'IPv6', port: port === port ? port : 0 };
    this.listening = true;
    this._listening();
    loop.tick(() => this.emit('listening'));
    return this;
  }
  _listening(): void {}
  address(): any {
    return this._address;
  }
  close(callback?: any): this {
    if (typeof callback === 'function') this.once('close', callback);
    this.listening = false;
    loop.tick(() => this.emit('close'));
    return this;
  }
  getConnections(callback: any): this {
    loop.tick(() => callback(null, 0));
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

export const createServer = () => unsupported('net.createServer');
export const getDefaultAutoSelectFamily = () => true;
export const setDefaultAutoSelectFamily = () => {};
export class BlockList {
  constructor() {
    unsupported('net.BlockList');
  }
}

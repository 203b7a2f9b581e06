// net.connect and tls.connect under record: Node's own sockets do the work, and what
// comes of it is recorded.
import * as net from 'net';
import { Duplex } from 'stream';
import * as tls from 'tls';
import { current, type Run } from '../shared/activation';
import { failed } from '../shared/failures';
import { type SocketEvent, socketClasses, type SocketWire } from '../shared/socket';
import { Line } from './line';
import * as log from './log';
import { quietly, record } from './outside';

const text = (x: any): any => (x instanceof Error ? String(x.message) : x);

class RealSocket implements SocketWire {
  private readonly line: Line<SocketEvent>;
  private readonly owner: Run | undefined = current?.run;
  private readonly real: any;
  private awaited = 0;
  private held = false;

  constructor(private readonly socket: any, options: any, secure: boolean) {
    const line = (this.line = new Line<SocketEvent>('net', (e) => socket._wants(e), (e) => socket._came(e)));
    if (typeof options.lookup === 'function') log.unauditable('a connection with a lookup of its own');
    if (options.onread !== undefined) log.unauditable('a connection with onread');
    const o = { ...options, allowHalfOpen: true, signal: undefined };
    if (o.socket instanceof Socket) {
      if (o.socket._wire === null) log.unauditable('tls.connect over a socket that is not connected');
      else o.socket = o.socket._wire.real;
    } else if (o.socket !== undefined) log.unauditable('tls.connect over a stream of its own');
    const real: any = (this.real = quietly(() => (secure ? tls.connect(o) : net.connect(o))));
    for (const [k, args] of socket._set ?? []) real[k](...args);
    if (socket.timeout > 0) real.setTimeout(socket.timeout);
    const connected = () => line.note({ k: 'connect', remote: real.remoteAddress === undefined ? null : [real.remoteAddress, real.remotePort, real.remoteFamily], local: real.localAddress === undefined ? null : [real.localAddress, real.localPort] });
    if (secure && o.socket !== undefined) connected();
    else real.on('connect', connected);
    if (secure) real.on('secureConnect', () => line.note({ k: 'secure', authorized: real.authorized, error: real.authorizationError ? String(real.authorizationError) : null, protocol: real.getProtocol(), alpn: real.alpnProtocol || null }));
    real.on('lookup', (...a: any[]) => line.note({ k: 'lookup', a: a.map(text) }));
    real.on('data', (b: Buffer) => line.note({ k: 'data', b: b.toString('base64') }));
    for (const k of ['end', 'finish', 'timeout', 'close'] as const) real.on(k, () => line.note({ k }));
    real.on('error', (e: any) => line.note({ k: 'error', e: failed(e) }));
  }

  // used by another request than the one that made it, a connection is what groups cannot follow.
  private used(): void {
    if (current !== null && current.run !== this.owner) log.unloggable('a connection is shared by several requests');
  }

  write(chunks: { chunk: any; encoding: any }[], number: number): boolean {
    this.used();
    const { real } = this;
    quietly(() => {
      if (chunks.length > 1) real.cork();
      chunks.forEach(({ chunk, encoding }, i) => {
        const done = (e: any) => {
          if (!e && this.awaited === number) this.line.note({ k: 'wrote', n: number });
        };
        real.write(chunk, encoding === 'buffer' ? undefined : encoding, i === chunks.length - 1 ? done : undefined);
      });
      if (chunks.length > 1) real.uncork();
    });
    if (real.writableLength === 0) return true;
    this.awaited = number;
    record('slow', number);
    return false;
  }
  end(): void {
    this.used();
    quietly(() => this.real.end());
  }
  destroy(): void {
    this.used();
    quietly(() => this.real.destroy());
  }
  timeout(ms: number): void {
    this.used();
    quietly(() => this.real.setTimeout(ms));
  }
  set(method: string, args: any[]): void {
    quietly(() => this.real[method](...args));
  }
  hold(): void {
    this.held = true;
    quietly(() => this.real.pause());
  }
  more(): void {
    if (!this.held) return;
    this.held = false;
    quietly(() => this.real.resume());
  }
}

const { Socket, TLSSocket, connect, secureConnect } = socketClasses({
  Duplex,
  Buffer,
  tick: process.nextTick,
  wire: (socket, options, secure) => new RealSocket(socket, options, secure),
});

// Those that requests come by are Node's own.
Object.defineProperty(Socket, Symbol.hasInstance, {
  value(this: any, x: any) {
    return Function.prototype[Symbol.hasInstance].call(this, x) || (this === Socket && x instanceof net.Socket);
  },
});

export { Socket };

const own = ({ default: _, ...module }: any): any => module;
const connected = (...args: any[]) => connect(args);
export const netModule = { ...own(net), Socket, Stream: Socket, connect: connected, createConnection: connected };
export const tlsModule = { ...own(tls), TLSSocket, connect: (...args: any[]) => secureConnect(args) };

// net.connect and tls.connect: what comes by a connection is what the server says came.
import { socketClasses, type SocketWire } from '../shared/socket';
import { Buffer } from './buffer';
import { unsupported } from './internal/errors';
import { foretold, loop } from './internal/host';
import { Line } from './internal/line';
import { ofNet } from './internal/results';
import { Socket as RequestSocket } from './net';
import { Duplex } from './stream-classes';

class RecordedSocket implements SocketWire {
  constructor(socket: any, options: any) {
    if (typeof options.lookup === 'function') unsupported('a connection with a lookup of its own');
    if (options.onread !== undefined) unsupported('a connection with onread');
    new Line('net', ofNet((e) => socket._wants(e)), (e) => socket._came(e), () => socket._over);
  }
  write(_chunks: any, number: number): boolean {
    return !foretold('slow', number);
  }
  end(): void {}
  destroy(): void {}
  timeout(): void {}
  set(): void {}
  hold(): void {}
  more(): void {}
}

const { Socket, TLSSocket, connect: toConnect, secureConnect } = socketClasses({
  Duplex,
  Buffer,
  tick: (f) => loop.tick(f),
  wire: (socket, options) => new RecordedSocket(socket, options),
});

Object.defineProperty(Socket, Symbol.hasInstance, {
  value(this: any, x: any) {
    return Function.prototype[Symbol.hasInstance].call(this, x) || (this === Socket && x instanceof RequestSocket);
  },
});

const connect = (...args: any[]): any => toConnect(args);
export const sockets = { Socket, Stream: Socket, connect, createConnection: connect };
export const tls: any = { TLSSocket, connect: (...args: any[]): any => secureConnect(args), rootCertificates: [], DEFAULT_MIN_VERSION: 'TLSv1.2', DEFAULT_MAX_VERSION: 'TLSv1.3', DEFAULT_ECDH_CURVE: 'auto' };

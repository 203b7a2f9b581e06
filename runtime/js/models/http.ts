// http: the server side (for the other one, see client.ts). A request comes from
// `dispatch`, never from a socket.
import { IncomingMessage } from './internal/incoming';
import { closeResponse, OutgoingMessage, ServerResponse, validateHeaderName, validateHeaderValue, type Response, watch } from './internal/outgoing';
import { METHODS, STATUS_CODES } from './internal/status';
import { arrive } from './internal/light';
import { host, impossible, loop, nondeterministic, once, port, recordedNext, running, still } from './internal/host';
import { ofAddress } from './internal/results';
import { invalidType, unsupported } from './internal/errors';
import { outOfRange } from './internal/numbers';
import { loopback, peer } from '../shared/addresses';
import { base, callable } from '../shared/callable';
import { Buffer } from './buffer';
import * as net from './net';
import process from './process';

export { Agent, ClientRequest, get, globalAgent, request } from './client';

export { IncomingMessage, OutgoingMessage, ServerResponse, METHODS, STATUS_CODES, validateHeaderName, validateHeaderValue };

export const listening: any[] = [];
let closed: any;

// The server that the collector stands before, of those of a program that listens on
// several ports: the one at the port that the environment names, else the first. One that was closed
// last still gets what comes by the connections that it has.
function audited(): any {
  if (listening.length < 2) return listening[0] ?? closed;
  const { PORT } = process.env;
  return listening.find((s) => String(s._address.port) === PORT) ?? listening[0];
}

// What a server tells of itself as it was given.
const settings = ['joinDuplicateHeaders', 'rejectNonStandardBodyWrites', 'connectionsCheckingInterval', 'insecureHTTPParser', 'requireHostHeader', 'maxHeaderSize', 'pauseOnConnect', 'noDelay', 'keepAlive', 'keepAliveInitialDelay', 'highWaterMark'];

class HTTPServer extends base(net.Server) {
  requestTimeout = 300000;
  headersTimeout = 60000;
  keepAliveTimeout = 5000;
  timeout = 0;
  maxHeadersCount: any = null;
  maxRequestsPerSocket = 0;
  _IncomingMessage: any;
  _ServerResponse: any;
  joinDuplicateHeaders: any;
  rejectNonStandardBodyWrites = false;
  connectionsCheckingInterval = 30000;
  insecureHTTPParser: any;
  requireHostHeader = true;
  maxHeaderSize: any;
  allowHalfOpen = true;
  pauseOnConnect = false;
  noDelay = true;
  keepAlive = false;
  keepAliveInitialDelay = 0;
  highWaterMark = 16384;
  httpAllowHalfOpen = false;

  constructor(options?: any, listener?: any) {
    super();
    if (typeof options === 'function') {
      listener = options;
      options = {};
    }
    options ??= {};
    if (typeof options !== 'object' || Array.isArray(options)) throw invalidType('options', 'of type object', options);
    for (const k of ['requestTimeout', 'headersTimeout', 'keepAliveTimeout'] as const) {
      const ms = options[k];
      if (ms === undefined) continue;
      if (typeof ms !== 'number') throw invalidType(k, 'of type number', ms);
      if (!Number.isSafeInteger(ms) || ms < 0) throw outOfRange(k, Number.isInteger(ms) ? '>= 0 && <= 9007199254740991' : 'an integer', ms);
      this[k] = ms;
    }
    if (options.headersTimeout === undefined) this.headersTimeout = Math.min(60000, this.requestTimeout);
    this._IncomingMessage = options.IncomingMessage ?? IncomingMessage;
    this._ServerResponse = options.ServerResponse ?? ServerResponse;
    for (const k of settings) if (options[k] !== undefined) (this as any)[k] = options[k];
    if (listener) this.on('request', listener);
  }
  // _tells: the program hears of all connections.
  _tells = false;

  _listening(): void {
    loop.tick(() => (this._tells = this.listenerCount('connection') > 0));
    if (!listening.includes(this)) listening.push(this);
  }
  close(callback?: any): this {
    const at = listening.indexOf(this);
    if (at >= 0) [closed] = listening.splice(at, 1);
    return super.close(callback);
  }
  setTimeout(ms: any, callback?: any): this {
    this.timeout = ms;
    if (callback) this.on('timeout', callback);
    return this;
  }
  closeAllConnections(): void {}
  closeIdleConnections(): void {}
}

export const Server = callable(HTTPServer, (called) => ({ Server: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Server);

export function createServer(options?: any, listener?: any): HTTPServer {
  return new HTTPServer(options, listener);
}

// A Connection is the one that a request came over: from the server's machine, as far as anyone knows.
class Connection extends net.Socket {
  constructor(server: any) {
    super();
    this.server = server;
    if (server.timeout && typeof server.timeout === 'number') this.setTimeout(server.timeout);
  }
  _silent(): void {
    const res: any = this._httpMessage;
    const { req } = res;
    const inRequest = !req.complete && req.emit('timeout', this);
    const inResponse = res.emit('timeout', this);
    if (!this.server.emit('timeout', this) && !inRequest && !inResponse) this.destroy();
    super._silent();
  }
  // What was told of its ends: that does not change as long as it is open.
  #told: Record<string, any> = { __proto__: null };
  #end(what: string, is: any): any {
    if (is !== null || this.#told[what] === null) this.#told[what] = still(this.#told[what], is, `an address (${what})`);
    else this.#told[what] = null;
    return is ?? undefined;
  }
  get remoteAddress(): any {
    const address = net.told('remoteAddress', peer(this.server._address));
    return address === null || loopback(address) ? this.#end('remoteAddress', address) : unsupported(`the address of a collector on another machine (${address})`);
  }
  get remoteFamily(): any {
    return this.#end('remoteFamily', net.told('remoteFamily', this.server._address.family));
  }
  get remotePort(): any {
    return running() ? this.#end('remotePort', JSON.parse(nondeterministic('remotePort', ofAddress('remotePort')))) : undefined;
  }
  get bytesRead(): any {
    return unsupported('how many bytes a connection carried');
  }
  get bytesWritten(): any {
    return unsupported('how many bytes a connection carried');
  }
  get localAddress(): any {
    return this.#end('localAddress', net.told('localAddress', peer(this.server._address)));
  }
  get localFamily(): any {
    return this.#end('localFamily', net.told('localFamily', this.server._address.family));
  }
  get localPort(): any {
    return this.#end('localPort', net.told('localPort', this.server._address.port));
  }
}
Object.defineProperty(Connection, 'name', { value: 'Socket', configurable: true });

// Those that the program heard of, by the number that the server gives them, and those that requests came by.
const heard = new Map<number, Connection>();
const carried = new Map<number, Connection>();

export const connections = {
  Server,
  Connection,
  told(server: any, number: number): Connection {
    let c = heard.get(number);
    if (c === undefined) heard.set(number, (c = new Connection(server)));
    return c;
  },
};

// isCount: numbers of connections and requests.
const isCount = (v: any): string | null => (Number.isSafeInteger(v) && v >= 0 ? null : 'not a number');

// carrier is the connection that a request came by: with joint re-execution one that the program knows,
// if the server says so, which then carries nothing else; else its own.
function carrier(server: any, r: Request): Connection {
  let c: Connection | undefined;
  if (r.leaves === true && recordedNext('connection')) c = heard.get(nondeterministic('connection', isCount));
  else if (r.leaves === true && recordedNext('kept')) c = carried.get(nondeterministic('kept', isCount));
  else if (!server._tells || server.listenerCount('connection') === 0) c = new Connection(server);
  if (c === undefined || c.server !== server || c.destroyed || c._httpMessage !== null) {
    impossible('the request cannot have come by a connection that the program knows so');
    c = new Connection(server);
  }
  if (r.q !== undefined) carried.set(r.q, c);
  return c;
}

export interface Request {
  method: any;
  url: any;
  headers: [string, any][];
  // Text whose UTF-8 is the body, or base64.
  body: any;
  b64: boolean;
  // The lengths in which a large body came, if it came in several chunks.
  chunks?: number[] | null;
  // late: the body comes piece by piece, as the exchange is told.
  late?: boolean;
  // leaves: when the connection closes, the exchange is told, too.
  leaves?: boolean;
  // q is the request's number.
  q?: number;
  // short: the client never sent all of the body.
  short?: boolean;
  // partial: the client left when it had so many bytes of the response.
  partial?: number | null;
}

// Exchange is a request under way.
export interface Exchange {
  // body delivers the next piece of the body; false if it was the last. null: it comes by itself, or no more.
  body: (() => boolean) | null;
  // leave closes the connection; false if there is none any more.
  leave(): boolean;
  // fail tells the connection's listeners that something went wrong with it.
  fail(error: any): boolean;
  // silent tells that nothing was heard of the connection for as long as the program said; false if it said nothing.
  silent(): boolean;
}

// upgrades tells whether the program hears of connections that change their protocol.
export function upgrades(): boolean {
  return listening.some((s) => s.listenerCount('upgrade') > 0);
}

// dispatch gives a request to the listening server, as the platform would:
// 'request' now, the body later. done gets the response as it is sent, and begun the exchange, whatever the program does with it.
export function dispatch(r: Request, done: (response: Response) => void, begun?: (x: Exchange) => void): void {
  const server = audited();
  if (server === undefined) throw new Error('the program does not listen');
  const socket: any = carrier(server, r);
  if (r.leaves === true) socket._waits = true;

  const req = new server._IncomingMessage(socket);
  req.method = r.method;
  req.url = r.url;
  const raw = new Array(r.headers.length * 2);
  for (let i = 0; i < r.headers.length; i++) {
    raw[2 * i] = r.headers[i][0];
    raw[2 * i + 1] = r.headers[i][1];
  }
  req.rawHeaders = raw;
  if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;

  const res = new server._ServerResponse(req, server.rejectNonStandardBodyWrites ? server : undefined);
  if (closes(r.headers)) res.shouldKeepAlive = false;
  res.assignSocket(socket);
  if (r.partial == null) res._done = done;
  else watch(res, r.partial, done);
  const late = r.late === true || r.short === true;
  let open = true;
  const exchange: Exchange = {
    body: late ? pieces(req, r) : null,
    leave() {
      if (!open || !leave(socket, req, res)) return false;
      open = false;
      exchange.body = null;
      return true;
    },
    fail: (error) => open && fail(socket, res, error),
    silent() {
      if (!open || socket._httpMessage !== res || socket.destroyed || socket._silence === null) return false;
      socket._silence();
      return true;
    },
  };
  // In the order of Node: the body is parsed before any tick of the request's.
  if (!late) loop.tick(() => deliver(req, r));
  begun?.(exchange);
  if (!asks(r.headers) || !server.emit('checkContinue', req, res)) server.emit('request', req, res);
}

// says tells whether the first header of this name, in lower case, is such a one.
function says(headers: [string, any][], wanted: string, such: RegExp, what: string): boolean {
  for (const [name, value] of headers) {
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    if (host.mv.isMV(value)) host.mv.diverge(what);
    return such.test(value);
  }
  return false;
}

// asks: the client wants to hear first whether it is to send the body.
const asks = (headers: [string, any][]): boolean => says(headers, 'expect', /(?:^|\W)100-continue(?:$|\W)/i, 'what a client expects');

// closes: the client wants its connection closed after the answer.
const closes = (headers: [string, any][]): boolean => says(headers, 'connection', /^close$/i, 'whether connections are to be closed');

function fail(socket: any, res: any, error: any): boolean {
  if (socket._httpMessage !== res) return false;
  socket.destroyed = true;
  socket.readable = socket.writable = false;
  // The program may have destroyed it with an error of its own.
  socket._error ??= error;
  if (socket.listenerCount('error') > 0) socket.emit('error', socket._error);
  return true;
}

// leave is what the platform does when the connection of an exchange that is not over closes.
function leave(socket: any, req: any, res: any): boolean {
  if (socket._httpMessage !== res) return false;
  socket.destroyed = true;
  socket.readable = socket.writable = false;
  req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  closeResponse(res);
  socket.emit('close', socket._error !== null);
  return true;
}

function deliver(req: any, r: Request): void {
  if (r.body !== null && r.body !== undefined && r.body !== '') {
    const b = Buffer.from(r.body, r.b64 ? 'base64' : 'utf8');
    if (r.chunks != null && r.chunks.length > 1) {
      split(req, b, r.chunks);
      return;
    }
    // Where its length is told, the server needs not wait for its end to know that this is all.
    const told = r.headers.some(([name]) => name.toLowerCase() === 'content-length');
    if (told) loop.after(() => complete(req));
    else req.complete = true;
    arrive(req, b);
    if (told) return;
  }
  complete(req);
}

function complete(req: any): void {
  req.complete = true;
  arrive(req, null);
}

// pieces delivers what deliver does, bit by bit: each chunk of a large body, and its
// end, are events of their own. null: the server waits for the rest of a small one.
function pieces(req: any, r: Request): (() => boolean) | null {
  if (r.chunks == null)
    return r.short === true ? null : () => {
      deliver(req, r);
      return false;
    };
  const b = Buffer.from(r.body, r.b64 ? 'base64' : 'utf8');
  let i = 0;
  let at = 0;
  return () => {
    if (i === r.chunks!.length) {
      complete(req);
      return false;
    }
    arrive(req, b.subarray(at, (at += r.chunks![i++])));
    return r.short !== true || i < r.chunks!.length;
  };
}

// split delivers a large body as it came: each chunk is an event of its own.
function split(req: any, b: any, lengths: number[]): void {
  if (host.group.is(b) || host.mv.isMV(b)) host.mv.diverge('a body in several chunks');
  let sum = 0;
  for (const n of lengths) sum += n;
  if (sum !== b.length) throw new Error(`the chunks of the body add up to ${sum} bytes of ${b.length}`);
  let at = 0;
  const next = (i: number) => {
    arrive(req, b.subarray(at, at + lengths[i]));
    at += lengths[i];
    if (i + 1 < lengths.length) loop.immediate(() => next(i + 1));
    else complete(req);
  };
  next(0);
}

export const maxHeaderSize = 16384;
export const setMaxIdleHTTPParsers = () => {};

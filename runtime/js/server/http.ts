// The platform's side of a request: names it, lets it in after init, hands a
// small body to the application as one chunk, and closes its record.
import { AsyncResource } from 'async_hooks';
import * as http from 'http';
import { Activation, callback, current, fire, setCurrent } from '../shared/activation';
import { base, callable } from '../shared/callable';
import { Socket } from 'net';
import { type Address, listening, peer } from '../shared/addresses';
import { carries, closes, tell } from './connections';
import { endInit } from './inferred';
import * as log from './log';
import { ServerRun, UpgradedRun } from './log';
import * as digest from './digest';
import { Port, record } from './outside';

const requestIdHeader = 'karousos-request-id';
const { nextTick } = process;

// fresh is the request that began in this turn of the event loop, if one did.
let fresh: ServerRun | null = null;

function stale(): void {
  fresh = null;
}

// Bodies up to this many bytes reach the application as one chunk, whatever
// the network did, so that the platform's freedom does not split groups.
const wholeBody = 65536;

// Requests that came, and whose answers are not complete.
const under = new Map<ServerRun, IncomingMessage>();
log.watchRequests(() => under.size > 0);

// interrupted tells, when the process is about to end, of requests of which not all has come: what the program
// would have done with the rest of the body, it never did.
export function interrupted(): void {
  const by = current;
  setCurrent(null);
  for (const [run, req] of under) IncomingMessage.cut(req, run);
  setCurrent(by);
  under.clear();
}

class IncomingMessage extends base(http.IncomingMessage) {
  #held: Buffer[] | null = null;
  #size = 0;
  #lengths: number[] | null = null;
  #run: ServerRun | null = null;
  // What came of the body before the program was told of the request.
  #early: [any, any][] | null = null;
  // left: the connection is closed, and what was held of the body comes to nothing.
  #left = false;

  static admit(req: IncomingMessage, run: ServerRun): void {
    req.#run = run;
  }

  static hold(req: IncomingMessage): void {
    req.#early = [];
  }

  // release tells the program of a request that was held, as if it came now.
  static release(req: IncomingMessage, tell: () => void): void {
    const early = req.#early!;
    const complete = req.complete;
    req.#early = null;
    req.complete = false;
    tell();
    const give = ([chunk, encoding]: [any, any]) => {
      if (chunk === null) req.complete = complete;
      req.push(chunk, encoding);
    };
    // Ticks come between two pieces.
    if (early.length === 1) give(early[0]);
    else for (const piece of early) setImmediate(give, piece);
  }

  static cut(req: IncomingMessage, run: ServerRun): void {
    if (req.complete) return;
    if (req.#lengths !== null) log.writer.chunks(run.q, req.#lengths);
    fire(run.first!, 0, 0, null, null, null, () => record('cut', true), undefined, []);
  }

  // Node.js may have made the headers of the raw ones, or have counted those, before the
  // collector's is taken from them.
  _addHeaderLine(field: any, value: any, dest: any): void {
    if (!collectors(field)) (http.IncomingMessage.prototype as any)._addHeaderLine.call(this, field, value, dest);
  }
  _addHeaderLineDistinct(field: any, value: any, dest: any): void {
    if (!collectors(field)) (http.IncomingMessage.prototype as any)._addHeaderLineDistinct.call(this, field, value, dest);
  }

  // destroy is how the platform says that the connection closed before the answer was
  // complete: a turn of its own. What hears of it are activations by themselves.
  destroy(error?: any): this {
    const run = this.#run;
    if (run !== null && current === null && error?.code === 'ECONNRESET' && error.message === 'aborted') {
      if (!this.complete && this.#lengths !== null) log.writer.chunks(run.q, this.#lengths);
      under.delete(run);
      this.#left = true;
      const left = () => {
        log.turn();
        if (!this.complete) record('cut', true);
      };
      fire(run.first!, 0, 0, null, null, null, left, undefined, []);
    }
    return super.destroy(error);
  }

  #came(): void {
    if (this.#run !== null) log.writer.body(this.#run.q);
  }

  push(chunk: any, encoding?: any): boolean {
    if (current !== null) return super.push(chunk, encoding); // by the program
    if (this.#left) return false;
    if (this.#early !== null) {
      this.#early.push([chunk, encoding]);
      return true;
    }
    let failed = true;
    try {
      const more = this.#push(chunk, encoding);
      failed = false;
      return more;
    } finally {
      const res = (this.socket as any)?._httpMessage;
      if (failed && res) res.shouldKeepAlive = false;
    }
  }

  #push(chunk: any, encoding?: any): boolean {
    if (this.#size > wholeBody) {
      if (chunk === null) log.writer.chunks(this.#run === null ? 0 : this.#run.q, this.#lengths ?? []);
      else (this.#lengths ??= []).push(chunk.length);
      this.#came();
      return super.push(chunk, encoding);
    }
    if (chunk !== null) {
      this.#size += chunk.length;
      (this.#held ??= []).push(chunk);
      if (this.#size <= wholeBody && this.#size !== this.#length()) return true;
    }
    const held = this.#held;
    this.#held = null;
    // All of it has come, and its end follows when the ticks are done.
    if (held === null && this.#size > 0) return super.push(null);
    if (this.#size > wholeBody || fresh === null || this.#run !== fresh) this.#came();
    if (held === null) return super.push(null);
    const whole = held.length === 1 ? held[0] : Buffer.concat(held);
    if (this.#size > wholeBody) (this.#lengths ??= []).push(whole.length);
    const more = super.push(whole, encoding);
    return chunk === null ? super.push(null) : more;
  }

  // length is how long the client says that the body is, or NaN.
  #length(): number {
    const raw = this.rawHeaders;
    for (let i = 0; i < raw.length; i += 2) if (raw[i].length === 14 && raw[i].toLowerCase() === 'content-length') return Number(raw[i + 1]);
    return NaN;
  }
}

class ServerResponse extends base(http.ServerResponse) {
  #run: ServerRun | null = null;
  // Where the platform's next 'drain' arrives.
  #drain: Port | null = null;
  // Where 'finish' arrives, if the platform has not written everything at once.
  #finish: Port | null = null;
  #writes = 0;
  #silences = 0;

  static silence(res: ServerResponse): number {
    return res.#silences++;
  }

  static admit(res: ServerResponse, run: ServerRun): void {
    res.#run = run;
  }

  static runOf(res: any): ServerRun | null {
    return typeof res === 'object' && res !== null && #run in res ? res.#run : null;
  }

  // That the platform wants no more for now is its own affair, and so is when it does.
  write(...args: any[]): boolean {
    const open = #writes in this && !this.writableEnded && !this.destroyed;
    const more = Reflect.apply(super.write, this, args);
    if (!open) return more;
    this.#writes++;
    if (!more && current !== null) {
      record('full', this.#writes);
      this.#drain ??= new Port();
    }
    return more;
  }

  end(...args: any[]): this {
    const open = #writes in this && !this.writableEnded && !this.destroyed;
    Reflect.apply(super.end, this, args);
    const { socket } = this;
    if (open && current !== null && (socket === null || socket.destroyed || (this as any).outputSize > 0 || socket.writableLength > 0)) {
      record('slow', true);
      this.#finish = new Port();
    }
    return this;
  }

  // The verifier has no bytes of a response, which a stream of the program's would get.
  assignSocket(socket: Socket): void {
    if (current !== null && !(socket instanceof Socket)) log.unauditable('a response is written to a stream');
    super.assignSocket(socket);
  }

  writeEarlyHints(hints: any, callback?: any): void {
    super.writeEarlyHints(hints, current === null ? callback : Port.once(callback));
  }

  writeProcessing(callback?: any): void {
    (super.writeProcessing as any)(current === null ? callback : Port.once(callback));
  }

  writeContinue(callback?: any): void {
    super.writeContinue(current === null ? callback : Port.once(callback));
  }

  emit(event: any): boolean {
    if (event === 'finish' && current === null && this.#finish !== null) {
      const port = this.#finish;
      this.#finish = null;
      port.arrive(() => {});
    }
    if (event === 'drain' && current === null && this.#drain !== null) {
      const port = this.#drain;
      this.#drain = null;
      // What hears of it are activations by themselves.
      port.arrive(() => {});
    }
    if (event === 'close' && this.#run !== null) {
      const run = this.#run;
      this.#run = null;
      under.delete(run);
      log.writer.tag(run.q, run.tag >>> 0);
    }
    return Reflect.apply(super.emit, this, arguments as any);
  }
}

// A request begins without a store of AsyncLocalStorage. On a connection that is kept
// alive Node.js hands on what the request before entered with enterWith, and which
// connection a request came by is nothing that re-execution could know.
let clean: AsyncResource | null = null;

export function isolateContexts(): void {
  clean ??= new AsyncResource('KAROUSOS');
}

function inContext<X>(f: () => X): X {
  if (clean === null) return f();
  const own = clean.runInAsyncScope(() => new AsyncResource('KAROUSOS'));
  return own.runInAsyncScope(f);
}

// As what a request comes: a program may want to be asked before its client sends the body.
const requests = new Set(['request', 'checkContinue']);

class Server extends base(http.Server) {
  #address: Address | null = null;
  // Where 'close' arrives.
  #closing: Port | null = null;

  constructor(options?: any, listener?: any) {
    if (typeof options === 'function') {
      listener = options;
      options = {};
    }
    // What is no object of options throws.
    super(typeof (options ?? {}) === 'object' && !Array.isArray(options) ? { IncomingMessage: IncomingMessage as any, ServerResponse: ServerResponse as any, ...options } : options);
    if (listener) this.on('request', listener);
  }

  static addressOf(x: any): Address | null {
    return typeof x === 'object' && x !== null && #address in x ? x.#address : null;
  }

  listen(): this {
    this.#address = listening(arguments);
    const args = [...arguments].map((a) => callback(a));
    return Reflect.apply(super.listen, this, args as any);
  }

  // The last connection closes when its client likes.
  close(callback?: any): this {
    if (current !== null && this.listening) this.#closing ??= new Port();
    return super.close(callback);
  }

  getConnections(callback: any): this {
    return super.getConnections(current === null ? callback : Port.once(callback, ([, n]) => record('count', n)));
  }

  address(): any {
    const address = super.address();
    return address === null || this.#address === null ? address : told('address', address, this.#address);
  }

  emit(event: any, req?: any, res?: any): boolean {
    if (event === 'connection') {
      const emit = () => Reflect.apply(super.emit, this, arguments as any);
      // One listener is Node.js's own.
      const heard = current === null && this.listenerCount(event) > 1 ? tell(req, emit) : emit();
      notice(req);
      return heard;
    }
    if (event === 'close' && current === null && this.#closing !== null) {
      const port = this.#closing;
      this.#closing = null;
      port.arrive(() => super.emit('close'));
      return true;
    }
    if (event === 'upgrade' && current === null && this.listenerCount(event) > 0) {
      takeRequestId(req);
      endInit();
      const a = new Activation(new UpgradedRun(), null, 0, 0);
      setCurrent(a);
      try {
        return inContext(() => Reflect.apply(super.emit, this, arguments as any));
      } finally {
        setCurrent(null);
      }
    }
    if (!requests.has(event) || current !== null) return Reflect.apply(super.emit, this, arguments as any);
    const rid = takeRequestId(req);
    if (rid === null) {
      refuse(res);
      return true;
    }
    endInit();
    // On a connection that is kept alive a request may come before Node.js is done with the answer to the one before.
    // Until then it has no socket, and which connection it came by is nothing that re-execution could know.
    if (res.socket === null) {
      IncomingMessage.hold(req);
      res.once('socket', () => IncomingMessage.release(req, () => this.#handle(event, rid, req, res)));
      return true;
    }
    return this.#handle(event, rid, req, res);
  }

  #handle(event: string, rid: number, req: any, res: any): boolean {
    log.entering();
    const run = new ServerRun(false, log.writer.request(rid));
    IncomingMessage.admit(req, run);
    ServerResponse.admit(res, run);
    under.set(run, req);
    fresh = run;
    nextTick(stale);
    const a = (run.first = new Activation(run, null, 0, 0));
    digest.enter(a);
    setCurrent(a);
    carries(req.socket);
    let failed = true;
    try {
      const heard = inContext(() => super.emit(event, req, res));
      failed = false;
      return heard;
    } finally {
      // An error that passes through Node's parser leaves that in no state to read
      // another request, which it would refuse without the program.
      if (failed) res.shouldKeepAlive = false;
      digest.leave(a);
      setCurrent(null);
    }
  }
}

// told records an address, or a part of one, that is not what the verifier expects.
function told(what: string, v: any, expected: any): any {
  if (current === null) return v;
  const text = JSON.stringify(v ?? null);
  if (text !== JSON.stringify(expected)) record(what, text);
  return v;
}

// installSockets has the addresses of requests' connections told, and that nothing was heard of them for a while.
export function installSockets(): void {
  const p = Socket.prototype as any;
  for (const k of ['_getpeername', '_getsockname']) {
    const get = p[k];
    const end = k === '_getpeername' ? 'remote' : 'local';
    p[k] = function (this: any): any {
      const of: any = Reflect.apply(get, this, []);
      const own = current === null ? null : Server.addressOf(this.server);
      if (own === null) return of;
      return {
        get address() {
          return told(end + 'Address', of.address, peer(own));
        },
        get family() {
          return told(end + 'Family', of.family, own.family);
        },
        get port() {
          return told(end + 'Port', of.port, end === 'remote' ? undefined : own.port);
        },
      };
    };
  }
  const { _onTimeout } = p;
  p._onTimeout = {
    _onTimeout(this: any): void {
      // A connection that changed its protocol has no parser.
      if (current === null && this.parser && Server.addressOf(this.server) !== null) this.emit = silent;
      try {
        Reflect.apply(_onTimeout, this, []);
      } finally {
        if (this.emit === silent) delete this.emit;
      }
    },
  }._onTimeout;
  p.address = {
    address(this: any): any {
      const { address, family, port } = this._getsockname();
      return address === undefined ? {} : { address, family, port };
    },
  }.address;
}

// silent has the program told that nothing was heard of a request's connection for as long as it said, in a turn of
// the request. What a client does with a connection that carries none it cannot know.
function silent(this: any): boolean {
  delete this.emit;
  const { _httpMessage: res } = this;
  const run = ServerResponse.runOf(res);
  if (run === null) return this.destroy();
  const tell = () => {
    log.turn();
    this.emit('timeout');
  };
  fire(run.first!, 0, 2 + ServerResponse.silence(res), null, null, null, tell, undefined, []);
  return true;
}

// What goes wrong with a connection is a turn of its request, if the program listens
// for that.
function notice(socket: Socket): void {
  socket.prependListener('close', () => closes(socket, ServerResponse.runOf((socket as any)._httpMessage) === null));
  socket.prependListener('error', failed);
  const ours = socket.listenerCount('error');
  function failed(error: any): void {
    const run = ServerResponse.runOf((socket as any)._httpMessage);
    if (run === null || current !== null || socket.listenerCount('error') <= ours) return;
    const { message, code, errno, syscall } = error;
    const told = () => {
      log.turn();
      record('socket', JSON.stringify({ message, code, errno, syscall }));
    };
    fire(run.first!, 0, 1, null, null, null, told, undefined, []);
  }
}

// collectors: a header that is the collector's, or none.
function collectors(name: string | undefined): boolean {
  return name === undefined || (name.length === requestIdHeader.length && name.toLowerCase() === requestIdHeader);
}

// takeRequestId strips the collector's header before the application sees it.
function takeRequestId(req: http.IncomingMessage): number | null {
  const raw = req.rawHeaders;
  let id: string | null = null;
  for (let i = raw.length - 2; i >= 0; i -= 2) {
    if (collectors(raw[i])) {
      id = raw[i + 1];
      raw.splice(i, 2);
    }
  }
  if (id === null || !/^[1-9][0-9]{0,14}$/.test(id)) return null;
  return Number(id);
}

function refuse(res: http.ServerResponse): void {
  res.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  res.end('This server only answers requests that come through its collector, because others could not be audited.\n');
}

export const guestModule = {
  ...http,
  IncomingMessage: callable(IncomingMessage, (called) => ({ IncomingMessage: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).IncomingMessage, http.IncomingMessage),
  ServerResponse: callable(ServerResponse, (called) => ({ ServerResponse: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).ServerResponse, http.ServerResponse),
  Server: callable(Server, (called) => ({ Server: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Server, http.Server),
  createServer: (options?: any, listener?: any) => new Server(options, listener),
};

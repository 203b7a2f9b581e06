// http.request and https.request under record: Node's own client does the work, and
// what comes of it is recorded.
import { EventEmitter } from 'events';
import * as http from 'http';
import * as https from 'https';
import { Readable } from 'stream';
import { urlToHttpOptions } from 'url';
import { current } from '../shared/activation';
import { type Address, clientClasses, type Event, heardOf, type Wire } from '../shared/client';
import { failed } from '../shared/failures';
import { guestModule as guest } from './http';
import { Line } from './line';
import * as log from './log';
import { quietly, record } from './outside';

const { nextTick } = process;

// Flags of a request that say how it is to be sent.
const flags = ['method', 'path', 'useChunkedEncodingByDefault', 'chunkedEncoding', 'shouldKeepAlive', 'sendDate', '_removedConnection', '_removedContLen', '_removedTE', 'maxHeadersCount'];

class RealWire implements Wire {
  private readonly line: Line<Event>;
  private readonly real: any;
  private answer: any = null;
  private closed = false;
  private held = false;
  private writes = 0;

  constructor(private readonly request: any, secure: boolean, private readonly options: any) {
    this.line = new Line('http', (e) => request._wants(e), (e) => request._came(e));
    const { agent } = request;
    const kind = secure ? https.Agent : http.Agent;
    for (const k of ['createConnection', 'createSocket', 'addRequest', 'keepSocketAlive', 'reuseSocket', 'getName'] as const) {
      if (agent[k] !== (kind.prototype as any)[k] && agent[k] !== (http.Agent.prototype as any)[k] && agent[k] !== (https.Agent.prototype as any)[k]) log.unauditable(`an agent with a ${k} of its own`);
    }
    if (typeof options.createConnection === 'function') log.unauditable('http.request with createConnection');
    if (typeof options.lookup === 'function') log.unauditable('http.request with a lookup of its own');
    this.real = quietly(() => (secure ? https : http).request({ ...options, agent, signal: undefined }));
    this.hear(this.real);
  }

  private hear(real: any): void {
    const { line } = this;
    real.on('socket', (s: any) => {
      const heard = heardOf.map((n) => {
        const f = (...a: any[]) => line.note({ k: 'on', n, a: a.map((x) => (x instanceof Error ? String(x.message) : x)), s: this.address() });
        s.on(n, f);
        return [n, f] as const;
      });
      const over = () => {
        for (const [n, f] of heard) s.removeListener(n, f);
      };
      real.once('close', () => nextTick(over));
      line.note({ k: 'socket', s: this.address() });
    });
    real.on('information', (i: any) => line.note({ k: 'info', status: i.statusCode, message: i.statusMessage, raw: i.rawHeaders }));
    real.on('response', (r: any) => this.answered(r));
    for (const n of ['upgrade', 'connect']) {
      if (this.request.method !== 'CONNECT' && !/upgrade/i.test(String(this.request.getHeader('connection') ?? ''))) break;
      real.on(n, (_r: any, s: any) => {
        log.unauditable('an upgraded connection of its own');
        s.destroy();
      });
    }
    for (const k of ['drain', 'finish', 'timeout'] as const) real.on(k, () => line.note({ k }));
    real.on('error', (e: any) => line.note({ k: 'error', destroyed: real.destroyed === true && this.answer === null && real.socket === null, e: this.request._own !== undefined && e === this.request._own ? null : failed(e) }));
    real.on('close', () => {
      this.closed = true;
      if (this.answer === null || !this.answer.complete || this.request.destroyed) line.note({ k: 'close' });
    });
  }

  private address(): Address {
    const s = this.real.socket ?? {};
    return {
      remote: s.remoteAddress === undefined ? null : [s.remoteAddress, s.remotePort, s.remoteFamily],
      local: s.localAddress === undefined ? null : [s.localAddress, s.localPort],
      connecting: s.connecting === true,
      reused: this.real.reusedSocket,
      secure: s.encrypted === true,
    };
  }

  private answered(r: any): void {
    const { line } = this;
    this.answer = r;
    line.note({ k: 'response', s: this.address(), status: r.statusCode, message: r.statusMessage, version: r.httpVersion, raw: r.rawHeaders, keep: this.real.shouldKeepAlive });
    // What Node's own stream would let its reader have, at once.
    const { push } = r;
    r.push = (chunk: Buffer | null): boolean => {
      if (chunk === null) {
        if (r.complete) line.note(r.rawTrailers.length > 0 ? { k: 'end', raw: r.rawTrailers } : { k: 'end' });
        return push.call(r, null);
      }
      line.note({ k: 'data', b: chunk.toString('base64') });
      return !this.held;
    };
    r.on('error', () => {});
    r.on('aborted', () => line.note({ k: 'aborted' }));
    r.resume();
  }

  // hold is told whether the program's answer has enough for now.
  hold(full: boolean): void {
    this.held = full;
  }
  more(): void {
    if (!this.held) return;
    this.held = false;
    if (this.answer !== null) quietly(() => this.answer._read());
  }

  begin(): void {
    const { real, request } = this;
    if (real.headersSent) return;
    for (const k of flags) if (Object.hasOwn(request, k)) real[k] = request[k];
    for (const name of real.getHeaderNames()) if (!request.hasHeader(name)) real.removeHeader(name);
    for (const name of request.getRawHeaderNames()) real.setHeader(name, request.getHeader(name));
  }
  flush(): void {
    quietly(() => this.real.flushHeaders());
  }
  write(chunk: any, encoding: any, number: number): boolean {
    const done = number === 0 ? undefined : () => this.line.note({ k: 'wrote', n: number });
    const more = quietly(() => this.real.write(chunk, encoding, done));
    this.writes++;
    if (!more && current !== null) record('full', this.writes);
    return more;
  }
  end(chunk: any, encoding: any): void {
    quietly(() => (chunk === null ? this.real.end() : this.real.end(chunk, encoding)));
  }
  destroy(err: any): void {
    // Node's own code reads its stack trace, which is then as it is.
    void err?.stack;
    quietly(() => this.real.destroy(err));
    if (this.closed) this.line.note({ k: 'close' });
  }
  timeout(ms: number): void {
    quietly(() => this.real.setTimeout(ms));
  }
  socket(method: string, args: any[]): void {
    quietly(() => {
      if (method === 'setNoDelay') this.real.setNoDelay(...args);
      else if (method === 'setKeepAlive') this.real.setSocketKeepAlive(...args);
      else this.real.socket?.[method](...args);
    });
  }
}

const { request, ClientRequest, Socket } = clientClasses({
  EventEmitter,
  OutgoingMessage: http.OutgoingMessage,
  IncomingMessage: guest.IncomingMessage,
  Buffer,
  tick: nextTick,
  urlOptions: urlToHttpOptions,
  wire: (r, secure, options) => new RealWire(r, secure, options),
  agent: (secure) => (secure ? https : http).globalAgent,
  fill(answer, raw) {
    answer._addHeaderLines(raw, raw.length);
  },
  push(answer, chunk) {
    const more = Readable.prototype.push.call(answer, chunk);
    (answer.req._wire as RealWire).hold(!more && chunk !== null);
    return more;
  },
});

export { ClientRequest, Socket as ClientSocket };

// What the bundler adds to a module is not the program's to see.
function guestOf(secure: boolean, { default: _, ...real }: any): any {
  const ask = (...args: any[]) => request(secure, args);
  return {
    ...real,
    request: ask,
    get(...args: any[]) {
      const r = ask(...args);
      r.end();
      return r;
    },
  };
}

export const httpModule = { ...guestOf(false, guest), ClientRequest };
export const httpsModule = guestOf(true, https);

// http.request and https.request: what other servers answer is what the server says
// they answered.
import { base, callable } from '../shared/callable';
import { clientClasses, type Wire } from '../shared/client';
import { Buffer } from './buffer';
import EventEmitter from './events';
import { unsupported } from './internal/errors';
import { foretold, loop } from './internal/host';
import { IncomingMessage } from './internal/incoming';
import { arrive } from './internal/light';
import { Line } from './internal/line';
import { OutgoingMessage } from './internal/outgoing';
import { ofHTTP } from './internal/results';
import { urlToHttpOptions } from './url';

// Agent keeps connections, of which nothing is known here.
class PlainAgent extends base(EventEmitter as any) {
  [name: string]: any;
  constructor(options?: any) {
    super();
    this.defaultPort = 80;
    this.protocol = 'http:';
    this.options = { __proto__: null, ...options };
    this.options.noDelay ??= true;
    this.options.path = null;
    this.requests = { __proto__: null };
    this.sockets = { __proto__: null };
    this.freeSockets = { __proto__: null };
    this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
    this.keepAlive = this.options.keepAlive || false;
    this.maxSockets = this.options.maxSockets || Infinity;
    this.maxFreeSockets = this.options.maxFreeSockets || 256;
    this.scheduling = this.options.scheduling || 'lifo';
    this.maxTotalSockets = this.options.maxTotalSockets ?? Infinity;
    this.totalSocketCount = 0;
  }
  destroy(): void {}
  getName(o: any = {}): string {
    const family = o.family === 4 || o.family === 6 ? `:${o.family}` : '';
    return `${o.host || 'localhost'}:${o.port || ''}:${o.localAddress || ''}${family}${o.socketPath ? `:${o.socketPath}` : ''}`;
  }
}
export const Agent = callable(PlainAgent, (called) => ({ Agent: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Agent);
class TLSAgent extends base(Agent) {
  constructor(options?: any) {
    super(options);
    this.defaultPort = 443;
    this.protocol = 'https:';
    this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
  }
  getName(): string {
    return unsupported("https.Agent's getName");
  }
}
export const SecureAgent = callable(TLSAgent, (called) => ({ Agent: function (this: any, ...args: any[]) { return called(this, args, new.target); } }).Agent);
const methods = ['createConnection', 'createSocket', 'addRequest', 'keepSocketAlive', 'reuseSocket'];
for (const k of methods) {
  (Agent.prototype as any)[k] = () => unsupported(`http.Agent's ${k}`);
}
const standard = { keepAlive: true, scheduling: 'lifo', timeout: 5000 };
export const globalAgent = new Agent(standard);
export const secureAgent = new SecureAgent(standard);

class RecordedWire implements Wire {
  _writes = 0;
  constructor(request: any, options: any) {
    const { agent } = request;
    for (const k of [...methods, 'getName']) if (agent[k] !== (Agent.prototype as any)[k] && agent[k] !== (SecureAgent.prototype as any)[k]) unsupported(`an agent with a ${k} of its own`);
    if (typeof options.createConnection === 'function') unsupported('http.request with createConnection');
    if (typeof options.lookup === 'function') unsupported('http.request with a lookup of its own');
    // Of its socket, and of what it wrote, there may be news when the request is over.
    new Line('http', ofHTTP((e) => request._wants(e)), (e) => request._came(e), () => false);
  }
  begin(): void {}
  flush(): void {}
  write(): boolean {
    return !foretold('full', ++this._writes);
  }
  end(): void {}
  destroy(): void {}
  timeout(): void {}
  socket(): void {}
  more(): void {}
}

const { request: ask, ClientRequest, Socket } = clientClasses({
  EventEmitter,
  OutgoingMessage,
  IncomingMessage,
  Buffer,
  tick: (f) => loop.tick(f),
  urlOptions: urlToHttpOptions,
  wire: (request, _secure, options) => new RecordedWire(request, options),
  agent: (secure) => (secure ? secureAgent : globalAgent),
  fill(answer, raw, trailers) {
    if (!trailers) answer.rawHeaders = raw;
    else {
      answer.rawTrailers = raw;
      const m: any = new (IncomingMessage as any)(null);
      m.rawHeaders = raw;
      answer.trailers = m.headers;
    }
  },
  push(answer, chunk) {
    arrive(answer, chunk);
    return true;
  },
});

export { ClientRequest, Socket as ClientSocket };

export const request = (...args: any[]): any => ask(false, args);
export const secureRequest = (...args: any[]): any => ask(true, args);
export const get = (...args: any[]): any => ended(ask(false, args));
export const secureGet = (...args: any[]): any => ended(ask(true, args));

function ended(r: any): any {
  r.end();
  return r;
}

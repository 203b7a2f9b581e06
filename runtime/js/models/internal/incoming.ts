// IncomingMessage: a request as Node 20 shows it to an application.
import { Readable } from '../stream';
import { LightState } from './light';
import { host, loop } from './host';

// A message's own fields are few, the rest are defaults on the prototype:
// Express changes the prototype of every request, and that takes time for each
// field that the object has.
export function IncomingMessage(this: any, socket: any): void {
  this._readableState = new LightState();
  this.socket = socket;
  this.rawHeaders = none;
  this.url = '';
  this.method = null;
  if (eager) early(this);
}

// V8 11 makes a new shape for every object whose prototype changes and for
// every field that it gets after that, so there all fields come first. The
// engine's V8 does not; this is for running the models under Node.
export const eager: boolean = (host as any).eager === true;

function early(m: any): void {
  m._events = undefined;
  m._eventsCount = 0;
  m.complete = false;
  m._headers = null;
  m._consuming = false;
  m._dumped = false;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const none: any[] = [];
Object.assign(IncomingMessage.prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,
  httpVersionMajor: 1,
  httpVersionMinor: 1,
  httpVersion: '1.1',
  complete: false,
  _headers: null,
  _distinct: null,
  rawTrailers: none,
  joinDuplicateHeaders: false,
  aborted: false,
  upgrade: false,
  statusCode: null,
  statusMessage: null,
  _consuming: false,
  _dumped: false,
});

// Headers of which only the first counts.
const single = new Set(
  'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent'.split(' '),
);

function join(raw: any[], joinAll: boolean): any {
  const to: any = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    const value = raw[i + 1];
    // Every object inherits something called constructor.
    const before = Object.hasOwn(to, name) ? to[name] : undefined;
    if (name === 'set-cookie') {
      if (before === undefined) to[name] = [value];
      else before.push(value);
    } else if (before === undefined) to[name] = value;
    else if (name === 'cookie') to[name] = before + '; ' + value;
    else if (joinAll || !single.has(name)) to[name] = before + ', ' + value;
  }
  return to;
}

function distinct(raw: any[]): any {
  const to: any = { __proto__: null };
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    if (to[name] === undefined) to[name] = [raw[i + 1]];
    else to[name].push(raw[i + 1]);
  }
  return to;
}

Object.defineProperties(IncomingMessage.prototype, {
  connection: {
    get(this: any) {
      return this.socket;
    },
    set(this: any, s: any) {
      this.socket = s;
    },
    configurable: true,
  },
  client: {
    get(this: any) {
      return this.socket;
    },
    configurable: true,
  },
  headers: {
    get(this: any) {
      return this._headers ?? (this._headers = join(this.rawHeaders, this.joinDuplicateHeaders));
    },
    set(this: any, h: any) {
      this._headers = h;
    },
    configurable: true,
  },
  headersDistinct: {
    get(this: any) {
      return this._distinct ?? (this._distinct = distinct(this.rawHeaders));
    },
    set(this: any, h: any) {
      this._distinct = h;
    },
    configurable: true,
  },
  trailers: { value: {}, writable: true, configurable: true },
  trailersDistinct: { value: {}, writable: true, configurable: true },
});

IncomingMessage.prototype.setTimeout = function (this: any, ms: number, callback?: any) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(ms);
  return this;
};

IncomingMessage.prototype._read = function (this: any) {
  this._consuming = true;
};

IncomingMessage.prototype._destroy = function (this: any, err: any, done: (err?: any) => void) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  const failed = () => loop.tick(() => done(this.listenerCount('error') === 0 ? undefined : err));
  if (this.socket && !this.socket.destroyed && this.aborted) {
    this.socket.destroy(err);
    loop.tick(failed);
  } else failed();
};

// _dump lets go of a body that nobody reads.
IncomingMessage.prototype._dump = function (this: any) {
  if (this._dumped) return;
  this._dumped = true;
  this.removeAllListeners('data');
  this.resume();
};

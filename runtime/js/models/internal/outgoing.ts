// ServerResponse: what Node 20 makes of an application's calls. Instead of
// bytes on a socket it yields the status, the headers as sent, and the body.
import Stream from '../stream';
import { Buffer } from '../buffer';
import { coded, invalidType, invalidValue } from './errors';
import { foretold, host, loop, port, running } from './host';
import { eager } from './incoming';
import { inspect } from '../../shared/inspect';
import { STATUS_CODES } from './status';

const { group, mv, text } = host;

// Response is what is handed to the driver.
export interface Response {
  status: any;
  reason: any;
  headers: [string, any][];
  body: any;
  b64: boolean;
}

const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;

export function validateHeaderName(name: any, label?: string): void {
  if (typeof name !== 'string' || !name || !token.test(name)) throw coded(TypeError, 'ERR_INVALID_HTTP_TOKEN', `${label || 'Header name'} must be a valid HTTP token ["${name}"]`);
}

export function validateHeaderValue(name: any, value: any): void {
  if (value === undefined) throw coded(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "${value}" for header "${name}"`);
  if (badValue.test(value)) throw coded(TypeError, 'ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
}

function headersSent(what: string): any {
  return coded(Error, 'ERR_HTTP_HEADERS_SENT', `Cannot ${what} headers after they are sent to the client`);
}

// Few own fields, for the reason given at IncomingMessage.
export function OutgoingMessage(this: any): void {
  this._header = null;
}
Object.setPrototypeOf(OutgoingMessage.prototype, (Stream as any).prototype);
Object.setPrototypeOf(OutgoingMessage, Stream as any);

const p: any = OutgoingMessage.prototype;

Object.assign(p, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,
  outputSize: 0,
  writable: true,
  destroyed: false,
  _last: false,
  // rejects content where none is allowed, instead of dropping it.
  _rejects: false,
  chunkedEncoding: false,
  shouldKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  _contentLength: null,
  _hasBody: true,
  finished: false,
  _headerSent: false,
  _closed: false,
  socket: null,
  _errored: null,
  _needDrain: false,
  _corked: 0,
  _writing: null,
  _writes: 0,
  // What the driver is told, if this response is to one of its requests.
  _done: null,
  // Bytes of the body that left before its end, where a length was told.
  _bytes: 0,
  // Bytes that were written while their number was to be what the headers say.
  _counted: 0,
  // Headers by name in lower case: [name, value].
  _out: null,
  // Headers in the order of the wire, once they are fixed.
  _wire: null,
  // What was written: nothing, one chunk, or an array of chunks.
  _chunks: null,
  // Sees what leaves, instead of its being collected.
  _watch: null,
});

// Bag is an object without a prototype that V8 keeps out of dictionary mode.
function Bag(this: any): void {}
Bag.prototype = Object.create(null);

const getters: Record<string, (m: any) => any> = {
  errored: (m) => m._errored,
  closed: (m) => m._closed,
  headersSent: (m) => m._header !== null,
  writableEnded: (m) => m.finished,
  writableFinished: (m) => m.finished && m.outputSize === 0,
  writableObjectMode: () => false,
  writableLength: (m) => m.outputSize,
  writableHighWaterMark: () => 16384,
  writableCorked: (m) => m._corked,
  writableNeedDrain: (m) => m._needDrain,
  _headers: (m) => m.getHeaders(),
};
for (const name of Object.keys(getters)) {
  const get = getters[name];
  Object.defineProperty(p, name, {
    get(this: any) {
      return get(this);
    },
    enumerable: name === 'headersSent',
    configurable: true,
  });
}
Object.defineProperty(p, 'connection', {
  get(this: any) {
    return this.socket;
  },
  set(this: any, s: any) {
    this.socket = s;
  },
  configurable: true,
});

p._renderHeaders = function () {
  if (this._header !== null) throw headersSent('render');
  const to: any = {};
  for (const key in this._out) to[this._out[key][0]] = this._out[key][1];
  return to;
};

// What is written waits for the next tick, so that it leaves in one piece, and its callbacks for the one after that.
p.cork = function () {
  this._corked++;
};
p.uncork = function () {
  if (this._corked > 0 && --this._corked === 0) flush(this);
};

function flush(m: any): void {
  const callbacks = m._writing;
  if (callbacks === null) return;
  m._writing = null;
  loop.tick(() => {
    for (let i = 0; i < callbacks.length; i++) callbacks[i]();
  });
}

function wrote(m: any, callback: any): void {
  if (callback !== nop) (m._writing ??= []).push(callback);
  if (m._corked > 0) return;
  m.cork();
  loop.tick(() => m.uncork());
}

p.setTimeout = function (ms: number, callback?: any) {
  if (callback) this.on('timeout', callback);
  if (this.socket) this.socket.setTimeout(ms);
  else this.once('socket', (socket: any) => socket.setTimeout(ms));
  return this;
};

p.destroy = function (err?: any) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this._errored = err;
  if (this.socket) this.socket.destroy(err);
  return this;
};

p.setHeader = function (name: any, value: any) {
  if (this._header !== null) throw headersSent('set');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  if (this._out === null) this._out = new (Bag as any)();
  this._out[name.toLowerCase()] = [name, value];
  return this;
};

p.setHeaders = function (headers: any) {
  if (this._header !== null) throw headersSent('set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') throw invalidType('headers', 'an instance of Headers or Map', headers);
  const cookies: any[] = [];
  for (const [key, value] of headers) {
    if (key !== 'set-cookie') this.setHeader(key, value);
    else if (Array.isArray(value)) cookies.push(...value);
    else cookies.push(value);
  }
  if (cookies.length > 0) this.setHeader('set-cookie', cookies);
  return this;
};

p.appendHeader = function (name: any, value: any) {
  if (this._header !== null) throw headersSent('append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const entry = this._out === null ? undefined : this._out[name.toLowerCase()];
  if (entry === undefined) return this.setHeader(name, value);
  if (!Array.isArray(entry[1])) entry[1] = [entry[1]];
  if (Array.isArray(value)) entry[1].push(...value);
  else entry[1].push(value);
  return this;
};

function nameString(name: any): string {
  if (typeof name !== 'string') throw invalidType('name', 'of type string', name);
  return name.toLowerCase();
}

p.getHeader = function (name: any) {
  const key = nameString(name);
  if (this._out === null) return undefined;
  const entry = this._out[key];
  return entry && entry[1];
};

p.getHeaderNames = function () {
  return this._out === null ? [] : Object.keys(this._out);
};

p.getRawHeaderNames = function () {
  return this._out === null ? [] : Object.keys(this._out).map((key) => this._out[key][0]);
};

p.getHeaders = function () {
  const to: any = { __proto__: null };
  for (const key in this._out) to[key] = this._out[key][1];
  return to;
};

p.hasHeader = function (name: any) {
  const key = nameString(name);
  return this._out !== null && !!this._out[key];
};

p.removeHeader = function (name: any) {
  const key = nameString(name);
  if (this._header !== null) throw headersSent('remove');
  if (key === 'connection') this._removedConnection = true;
  else if (key === 'content-length') this._removedContLen = true;
  else if (key === 'transfer-encoding') this._removedTE = true;
  else if (key === 'date') this.sendDate = false;
  if (this._out !== null) delete this._out[key];
};

p._implicitHeader = function () {
  throw coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented');
};

// ---- the header block

const notSent = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

function store(m: any, state: any, name: any, value: any, validate: boolean): void {
  if (validate) validateHeaderValue(name, value);
  const key = name.toLowerCase();
  if (key === 'content-length') {
    state.length = true;
    m._contentLength = +value;
    m._removedContLen = false;
  } else if (key === 'transfer-encoding') {
    state.te = true;
    m._removedTE = false;
    if (/(?:^|\W)chunked(?:$|\W)/i.test(value)) m.chunkedEncoding = true;
  } else if (key === 'connection') {
    m._removedConnection = false;
    if (/(?:^|\W)close(?:$|\W)/i.test(value)) m._last = true;
    else m.shouldKeepAlive = true;
  } else if (key === 'trailer') state.trailer = true;
  if (!notSent.has(key)) m._wire.push([name, typeof value === 'string' ? value : '' + value]);
}

function process(m: any, state: any, name: any, value: any, validate: boolean): void {
  if (validate) validateHeaderName(name);
  const key = name.toLowerCase();
  if (key === 'content-disposition' && m._contentLength) {
    const bytes = (v: any) => Buffer.from(v, 'latin1').toString();
    value = Array.isArray(value) ? value.map(bytes) : bytes(value);
  }
  if (Array.isArray(value)) {
    if (value.length < 2 || key !== 'cookie') {
      for (let i = 0; i < value.length; i++) store(m, state, name, value[i], validate);
      return;
    }
    value = value.join('; ');
  }
  store(m, state, name, value, validate);
}

// _storeHeader fixes the headers, and decides how the body is delimited.
p._storeHeader = function (_firstLine: any, headers: any) {
  const state = { length: false, te: false, trailer: false };
  this._wire = [];
  if (headers) {
    if (headers === this._out) {
      for (const key in headers) process(this, state, headers[key][0], headers[key][1], false);
    } else if (Array.isArray(headers)) {
      if (headers.length > 0 && Array.isArray(headers[0])) {
        for (let i = 0; i < headers.length; i++) process(this, state, headers[i][0], headers[i][1], true);
      } else {
        if (headers.length % 2 !== 0) throw invalidValue('headers', headers);
        for (let i = 0; i < headers.length; i += 2) process(this, state, headers[i], headers[i + 1], true);
      }
    } else {
      const keys = Object.keys(headers);
      for (let i = 0; i < keys.length; i++) process(this, state, keys[i], headers[keys[i]], true);
    }
  }
  if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) this.chunkedEncoding = false;
  if (!state.length && !state.te) {
    if (!this._hasBody) this.chunkedEncoding = false;
    else if (!this.useChunkedEncodingByDefault) this._last = true;
    else if (!state.trailer && !this._removedContLen && typeof this._contentLength === 'number') this._wire.push(['Content-Length', '' + this._contentLength]);
    else if (!this._removedTE) this.chunkedEncoding = true;
    else this._last = true;
  }
  if (!this.chunkedEncoding && state.trailer) throw coded(Error, 'ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');
  this._header = 'HTTP/1.1';
  this._headerSent = false;
};

// A header value as the peer's parser gets it: bytes as Latin-1, no white space
// around it. Node writes the block in the encoding of the chunk that it leaves with.
function onWire(value: any, utf8: boolean): any {
  if (mv.isMV(value)) return host.forLanes((i) => onWire(mv.lane(value, i), utf8));
  let s: string = value;
  if (utf8 && !text.ascii(s)) {
    const b = Buffer.from(s, 'utf8');
    s = text.latin1(b, 0, b.length);
  } else if (!utf8 && wide.test(s)) {
    const b = Buffer.from(s, 'latin1');
    s = text.latin1(b, 0, b.length);
  }
  const n = s.length;
  if (n > 0 && (blank(s.charCodeAt(0)) || blank(s.charCodeAt(n - 1)))) s = s.replace(/^[\t ]+|[\t ]+$/g, '');
  return s;
}

const wide = /[^\x00-\xff]/;

function blank(c: number): boolean {
  return c === 32 || c === 9;
}

function sendHeader(m: any, utf8: boolean): void {
  m._headerSent = true;
  const wire = m._wire;
  for (let i = 0; i < wire.length; i++) wire[i][1] = onWire(wire[i][1], utf8);
}

function isUTF8(encoding: any): boolean {
  return encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8';
}

// watch calls done when so many bytes have left, with them.
export function watch(m: any, bytes: number, done: (response: Response) => void): void {
  const sent: any[] = [];
  let n = 0;
  m._watch = (chunk: any) => {
    if (chunk !== null) {
      const b = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      sent.push(b);
      n += b.length;
    }
    if (n < bytes) return;
    m._watch = null;
    done({ status: m._status, reason: m._reason, headers: m._wire, body: host.base64.encode(Buffer.concat(sent), 0, bytes), b64: true });
  };
}

// send takes a chunk that leaves now.
function send(m: any, chunk: any, encoding: any): void {
  // The connection is closed, of which the program is still to hear.
  if (m.socket !== null && m.socket.destroyed) return;
  if (!m._headerSent) sendHeader(m, typeof chunk === 'string' && (encoding === 'utf8' || !encoding));
  if (m._watch !== null && m._hasBody && chunk.length === 0) m._watch(null);
  if (typeof chunk === 'string') {
    if (chunk === '') return;
    if (!isUTF8(encoding)) chunk = Buffer.from(chunk, encoding);
  } else if (chunk.length === 0) return;
  if (m._watch !== null) {
    m._watch(chunk);
    return;
  }
  if (m._chunks === null) m._chunks = chunk;
  else if (Array.isArray(m._chunks)) m._chunks.push(chunk);
  else m._chunks = [m._chunks, chunk];
}

p._send = function (chunk: any, encoding: any, callback: any) {
  send(this, chunk, encoding);
  wrote(this, typeof callback === 'function' ? callback : nop);
  return true;
};

p._writeRaw = function () {
  return true;
};

p.flushHeaders = function () {
  if (this._header === null) this._implicitHeader();
  if (!this._headerSent) sendHeader(this, true);
  if (this._watch !== null) this._watch(null);
  complete(this);
};

// complete answers when the client has all of a response, though the program is still to end it.
function complete(m: any): void {
  if (m._done === null || m.chunkedEncoding || (m._hasBody && m._bytes !== m._contentLength)) return;
  if (m.socket === null || !m.socket.destroyed) answer(m);
}

function answer(m: any): void {
  const done = m._done;
  if (done === null) return;
  m._done = null;
  const response: Response = { status: m._status, reason: m._reason, headers: m._wire, body: '', b64: false };
  body(m, response);
  done(response);
}

function nop(): void {}

function fail(m: any, err: any, callback: any): void {
  if (m.destroyed) return;
  loop.tick(() => {
    callback(err);
    if (!m.destroyed) m.emit('error', err);
  });
}

const lengthOf = (chunk: any, encoding: any): number => (typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength);

function write(m: any, chunk: any, encoding: any, callback: any, last: boolean): boolean {
  if (typeof callback !== 'function') callback = nop;
  if (chunk === null) throw coded(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) throw invalidType('chunk', 'of type string or an instance of Buffer or Uint8Array', chunk);
  let err;
  if (m.finished) err = coded(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end');
  else if (m.destroyed) err = coded(Error, 'ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed');
  if (err) {
    if (!m.destroyed) fail(m, err, callback);
    else loop.tick(() => callback(err));
    return false;
  }
  if (m.strictContentLength) {
    const n = m._counted + lengthOf(chunk, encoding);
    if (isStrict(m) && (last ? n !== m._contentLength : n > m._contentLength)) throw mismatch(m, n);
    m._counted = n;
  }
  if (m._header === null) {
    if (last) m._contentLength = lengthOf(chunk, encoding);
    m._implicitHeader();
  }
  if (!m._hasBody) {
    if (m._rejects) throw coded(Error, 'ERR_HTTP_BODY_NOT_ALLOWED', 'Adding content for this request method or response status is not allowed.');
    if (callback !== nop) loop.tick(() => callback());
    return true;
  }
  // A chunked body's header leaves with the chunk's size, which is Latin-1.
  if (m.chunkedEncoding && !m._headerSent && chunk.length !== 0) sendHeader(m, false);
  if (!m.chunkedEncoding && m._contentLength !== null) {
    let n = lengthOf(chunk, encoding);
    const room = m._contentLength - m._bytes;
    // What is behind the end that the headers tell is no part of the answer.
    if (n > room) chunk = (typeof chunk === 'string' ? Buffer.from(chunk, encoding ?? 'utf8') : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)).subarray(0, (n = room));
    m._bytes += n;
  }
  send(m, chunk, encoding);
  if (last) return true;
  if (m._contentLength !== null) complete(m);
  wrote(m, callback);
  return !full(m);
}

// isStrict: the program wants to write as many bytes as the headers say.
function isStrict(m: any): boolean {
  return m.strictContentLength && m._contentLength !== null && m._hasBody && !m._removedContLen && !m.chunkedEncoding && !m.hasHeader('transfer-encoding');
}

function mismatch(m: any, n: any): Error {
  return coded(Error, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH', `Response body's content-length of ${n} byte(s) does not match the content-length of ${m._contentLength} byte(s) set in header`);
}

// full: after this write, the platform is said to want no more for now. When it does
// is recorded, too.
function full(m: any): boolean {
  if (!foretold('full', ++m._writes)) return false;
  if (!m._needDrain) {
    m._needDrain = true;
    port().expect(() =>
      loop.tick(() => {
        m._needDrain = false;
        if (!m.finished) m.emit('drain');
      }),
    );
  }
  return true;
}

p.write = function (chunk: any, encoding?: any, callback?: any) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return write(this, chunk, encoding, callback, false);
};

p.addTrailers = function (headers: any) {
  for (const key of Object.keys(headers)) {
    const [field, value] = Array.isArray(headers) ? (headers as any)[key] : [key, headers[key]];
    validateHeaderName(field, 'Trailer name');
    const values = Array.isArray(value) && value.length > 1 ? value : [value];
    for (const v of values) if (badValue.test(v)) throw coded(TypeError, 'ERR_INVALID_CHAR', `Invalid character in trailer content ["${field}"]`);
  }
};

p.end = function (chunk?: any, encoding?: any, callback?: any) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (chunk) {
    if (this.finished) {
      fail(this, coded(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end'), typeof callback !== 'function' ? nop : callback);
      return this;
    }
    write(this, chunk, encoding, null, true);
  } else if (this.finished) {
    if (typeof callback === 'function') {
      if (!this.writableFinished) this.on('finish', callback);
      else callback(coded(Error, 'ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished'));
    }
    return this;
  } else if (this._header === null) {
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') this.once('finish', callback);
  if (isStrict(this) && this._counted !== this._contentLength) throw mismatch(this, this._counted);
  if (!this._headerSent && this._header !== null) sendHeader(this, false);
  if (this._corked > 0) this._corked = 0;
  flush(this);
  this.finished = true;
  this.emit('prefinish');
  this._deliver();
  return this;
};

p._deliver = nop;

p.pipe = function () {
  this.emit('error', coded(Error, 'ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
};

// body makes text of what was written, or base64 if it is not UTF-8.
export function body(m: any, response: Response): void {
  const c = m._chunks;
  m._chunks = null;
  if (c === null || !m._hasBody) return;
  if (typeof c === 'string') {
    // Lone surrogates became U+FFFD on the wire.
    response.body = mv.isMV(c) ? host.forLanes((i) => mv.lane(c, i).toWellFormed()) : c.toWellFormed();
    return;
  }
  let b = c;
  if (Array.isArray(c)) b = Buffer.concat(c.map((x: any) => (typeof x === 'string' ? Buffer.from(x, 'utf8') : x)));
  const grouped = group.is(b);
  const t = grouped ? group.textOf(b) : mv.isMV(b) ? null : text.decode(b, 0, b.length, true);
  if (t !== null) {
    response.body = t;
    return;
  }
  if (grouped) b = group.buffersOf(b);
  if (mv.isMV(b)) {
    const texts = host.forLanes((i) => text.decode(mv.lane(b, i), 0, mv.lane(b, i).length, true));
    if (host.forLanes((i) => mv.lane(texts, i) !== null) === true) {
      response.body = texts;
      return;
    }
    response.body = host.forLanes((i) => host.base64.encode(mv.lane(b, i), 0, mv.lane(b, i).length));
  } else response.body = host.base64.encode(b, 0, b.length);
  response.b64 = true;
}

// ---- ServerResponse

export function ServerResponse(this: any, req: any, options?: any): void {
  OutgoingMessage.call(this);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  if (options?.rejectNonStandardBodyWrites) this._rejects = true;
  if (eager) early(this);
}

function early(m: any): void {
  m._events = undefined;
  m._eventsCount = 0;
  m.chunkedEncoding = false;
  m._removedContLen = false;
  m._contentLength = null;
  m.finished = false;
  m._headerSent = false;
  m._closed = false;
  m.destroyed = false;
  m.socket = null;
  m._out = null;
  m._wire = null;
  m._chunks = null;
  m._bytes = 0;
  m._done = null;
  m.statusCode = 200;
  m._status = 200;
  m.statusMessage = undefined;
  m._reason = undefined;
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

const r: any = ServerResponse.prototype;
r.statusCode = 200;
r.statusMessage = undefined;
r.sendDate = true;
r._sent100 = false;
r._expect_continue = false;
r.maxRequestsOnConnectionReached = false;
r._trailer = '';

r.assignSocket = function (socket: any) {
  if (socket._httpMessage !== null) throw coded(Error, 'ERR_HTTP_SOCKET_ASSIGNED', 'ServerResponse has an already assigned socket');
  this.socket = socket;
  socket._httpMessage = this;
};
r.detachSocket = function (socket: any) {
  this.socket = null;
  socket._httpMessage = null;
};
// written runs a callback when the platform has written something, which it does after f.
function written(callback: any, f: () => boolean): void {
  const wrote = typeof callback === 'function' && running() ? port() : null;
  if (f() && wrote !== null) wrote.expect(() => callback(null));
}

r.writeContinue = function (callback?: any) {
  written(callback, () => (this._sent100 = true));
};
r.writeProcessing = function (callback?: any) {
  written(callback, () => true);
};

const link = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;
const linkFormat = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

r.writeEarlyHints = function (hints: any, callback?: any) {
  written(callback, () => {
    if (hints === null || typeof hints !== 'object' || Array.isArray(hints)) throw invalidType('hints', 'of type object', hints);
    if (hints.link === null || hints.link === undefined) return false;
    const links = typeof hints.link === 'string' ? [hints.link] : hints.link;
    if (!Array.isArray(links)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'hints' ${linkFormat}. Received ${inspect(hints.link)}`);
    for (const l of links) if (!link.test(l)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'hints' ${linkFormat}. Received ${inspect(l)}`);
    return links.length > 0;
  });
};

r._implicitHeader = function () {
  this.writeHead(this.statusCode);
};

r.writeHead = r.writeHeader = function writeHead(statusCode: any, reason?: any, headers?: any) {
  if (this._header !== null) throw headersSent('write');
  const original = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw coded(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${original}`);
  if (typeof reason === 'string') this.statusMessage = reason;
  else {
    if (!this.statusMessage) this.statusMessage = STATUS_CODES[statusCode] || 'unknown';
    headers ??= reason;
  }
  this.statusCode = statusCode;
  let all;
  if (this._out !== null) {
    if (Array.isArray(headers)) {
      if (headers.length % 2 !== 0) throw invalidValue('headers', headers);
      for (let i = 0; i < headers.length; i += 2) if (headers[i]) this.setHeader(headers[i], headers[i + 1]);
    } else if (headers) {
      const keys = Object.keys(headers);
      for (let i = 0; i < keys.length; i++) if (keys[i]) this.setHeader(keys[i], headers[keys[i]]);
    }
    all = this._out;
  } else all = headers;
  if (badValue.test(this.statusMessage)) throw coded(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in statusMessage');
  // What is sent, whatever becomes of the properties.
  this._status = statusCode;
  this._reason = `${this.statusMessage}`;
  if (statusCode === 204 || statusCode === 304 || (statusCode >= 100 && statusCode <= 199)) this._hasBody = false;
  this._storeHeader('', all);
  return this;
};

// _deliver: the response is complete. The application's 'finish' and 'close'
// come when the platform has written it.
r._deliver = function () {
  if (this.destroyed) return;
  if (this.socket !== null && this.socket.destroyed) {
    // It is never written.
    foretold('slow', true);
    return;
  }
  answer(this);
  const finished = () => loop.tick(() => finish(this));
  // What was too much to be written at once is written when that is recorded.
  if (foretold('slow', true)) port().expect(finished);
  else finished();
};

function finish(res: any): void {
  if (res._last && res.socket !== null) res.socket.writableEnded = true;
  res.emit('finish');
  const req = res.req;
  if (!req._consuming && req._dump !== undefined && req._readableState.flowing !== true && !req._readableState.resumeScheduled) req._dump();
  const socket = res.socket;
  if (socket !== null) res.detachSocket(socket);
  loop.tick(() => closeResponse(res));
}

export function closeResponse(res: any): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

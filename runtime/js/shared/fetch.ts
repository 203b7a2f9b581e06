// What fetch answers, as both builds have it: a response whose body has arrived.
// Node's own classes would register promises that the verifier knows nothing of.

import { invalidThis, invalidType } from '../models/internal/errors';
import { custom, inspect } from './inspect';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function nameOf(name: any): string {
  const s = `${name}`;
  if (!token.test(s)) throw new TypeError(`Headers.append: ${s} is an invalid header name.`);
  return s.toLowerCase();
}

const valueOf = (v: any): string => `${v}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');

// A property, and no private field, so that the verifier sees whether requests change it (lasting.ts).
const list = Symbol('headers');

export class Headers {
  declare [list]: [string, string][];
  constructor(init?: any) {
    Object.defineProperty(this, list, { value: [], writable: true });
    if (init === undefined || init === null) return;
    if (typeof init !== 'object' && typeof init !== 'function') throw new TypeError('Headers constructor: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.');
    const pairs = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init);
    for (const [k, v] of pairs) this.append(k, v);
  }
  append(name: any, value: any): void {
    this[list].push([nameOf(name), valueOf(value)]);
  }
  delete(name: any): void {
    const n = nameOf(name);
    this[list] = this[list].filter((h) => h[0] !== n);
  }
  get(name: any): string | null {
    const n = nameOf(name);
    const all: string[] = [];
    for (const h of this[list]) if (h[0] === n) all.push(h[1]);
    return all.length === 0 ? null : all.join(', ');
  }
  getSetCookie(): string[] {
    const all: string[] = [];
    for (const h of this[list]) if (h[0] === 'set-cookie') all.push(h[1]);
    return all;
  }
  has(name: any): boolean {
    return this.get(name) !== null;
  }
  set(name: any, value: any): void {
    this.delete(name);
    this.append(name, value);
  }
  forEach(f: any, self?: any): void {
    for (const [k, v] of this.#sorted()) f.call(self, v, k, this);
  }
  #sorted(): [string, string][] {
    const names = [...new Set(this[list].map((h) => h[0]))].sort();
    const out: [string, string][] = [];
    for (const n of names) {
      if (n === 'set-cookie') for (const v of this.getSetCookie()) out.push([n, v]);
      else out.push([n, this.get(n)!]);
    }
    return out;
  }
  entries(): any {
    return this.#sorted()[Symbol.iterator]();
  }
  keys(): any {
    return this.#sorted().map((h) => h[0])[Symbol.iterator]();
  }
  values(): any {
    return this.#sorted().map((h) => h[1])[Symbol.iterator]();
  }
  [Symbol.iterator](): any {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return 'Headers';
  }
}

const arrived = Symbol('arrived');
export const other = Symbol('other');

// BodyStream is a body that has arrived, as the ReadableStream that it would be while it
// arrives. Its chunks are as long as Node's own are at most.
const chunk = 65536;

export class BodyStream {
  locked = false;
  #rest: Uint8Array;
  #most: number;
  #taken: () => void;
  constructor(bytes: Uint8Array, most: number, taken: () => void) {
    this.#rest = bytes;
    this.#most = Math.min(most, bytes.length);
    this.#taken = taken;
  }
  #next(): { done: boolean; value: any } {
    this.#taken();
    if (this.#rest.length === 0) return { done: true, value: undefined };
    const value = new Uint8Array(this.#rest.subarray(0, this.#most));
    this.#rest = this.#rest.subarray(this.#most);
    return { done: false, value };
  }
  #left(): void {
    this.#taken();
    this.#rest = this.#rest.subarray(this.#rest.length);
  }
  // all takes what is left of a stream for another body.
  static all(s: BodyStream): Buffer {
    s.#lock();
    const b = Buffer.from(s.#rest);
    s.#left();
    return b;
  }
  #lock(): void {
    if (this.locked) throw Object.assign(new TypeError('Invalid state: ReadableStream is locked'), { code: 'ERR_INVALID_STATE' });
    this.locked = true;
  }
  getReader(): any {
    this.#lock();
    let closed: () => void;
    return {
      closed: new Promise<void>((f) => (closed = f)),
      read: () =>
        new Promise((f) => {
          const r = this.#next();
          if (r.done) closed();
          f(r);
        }),
      cancel: () =>
        new Promise<void>((f) => {
          this.#left();
          closed();
          f();
        }),
      releaseLock: () => void (this.locked = false),
    };
  }
  cancel(): Promise<void> {
    return new Promise((f) => {
      this.#left();
      f();
    });
  }
  values(): any {
    this.#lock();
    const it = {
      next: () => new Promise((f) => f(this.#next())),
      return: (value?: any) =>
        new Promise((f) => {
          this.#left();
          f({ done: true, value });
        }),
      [Symbol.asyncIterator]: () => it,
    };
    return it;
  }
  [Symbol.asyncIterator](): any {
    return this.values();
  }
  // real is what is left of it, as a stream that can be joined to others.
  #real(): any {
    this.#lock();
    const pull = (to: any) => {
      const { done, value } = this.#next();
      if (done) to.close();
      else to.enqueue(value);
    };
    return new (globalThis as any).ReadableStream({ pull, cancel: () => this.#left() }, { highWaterMark: 0 });
  }
  pipeTo(...args: any[]): any {
    return this.#real().pipeTo(...args);
  }
  pipeThrough(...args: any[]): any {
    return this.#real().pipeThrough(...args);
  }
  tee(): any {
    return this.#real().tee();
  }
  get [Symbol.toStringTag](): string {
    return 'ReadableStream';
  }
}
Object.defineProperty(BodyStream, 'name', { value: 'ReadableStream', configurable: true });

export interface Arrived {
  status: number;
  statusText: string;
  url: string;
  redirected: boolean;
  headers: [string, string][];
  body: string; // base64
}

// A Blob's bytes are there from the start.
const contents = Symbol('contents');
const mime = Symbol('mime');
const named = Symbol('named');

// within is a blob's bytes.
function within(b: any): Buffer {
  if (b?.[contents] === undefined) throw invalidThis('Blob');
  return b[contents];
}

// given is a promise of what f makes of them.
function given(b: any, f: (bytes: Buffer) => any): Promise<any> {
  let bytes;
  try {
    bytes = within(b);
  } catch (e) {
    return Promise.reject(e);
  }
  return Promise.resolve(f(bytes));
}

export class Blob {
  constructor(parts: any = [], options: any = {}) {
    if (parts === null || typeof parts !== 'object' || typeof parts[Symbol.iterator] !== 'function') throw invalidType('sources', 'a sequence', parts);
    if (options !== null && typeof options !== 'object') throw invalidType('options', 'a dictionary', options);
    const b = Buffer.concat([...parts].map((x) => (x instanceof Blob ? x[contents] : bytesOf(typeof x === 'object' && (x instanceof ArrayBuffer || ArrayBuffer.isView(x)) ? x : `${x}`)!)));
    const type = `${options?.type ?? ''}`;
    for (const [k, value] of [[contents, b], [mime, /[^\x20-\x7e]/.test(type) ? '' : type.toLowerCase()]] as const) Object.defineProperty(this, k, { value, configurable: true });
  }
  declare [contents]: Buffer;
  declare [mime]: string;
  get size(): number {
    return within(this).length;
  }
  get type(): string {
    within(this);
    return this[mime];
  }
  slice(start: any = 0, end: any = this.size, type = ''): Blob {
    return new Blob([within(this).subarray(start, end)], { type });
  }
  arrayBuffer(): Promise<any> {
    return given(this, (b) => b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
  }
  text(): Promise<string> {
    return given(this, (b) => b.toString('utf8'));
  }
  bytes(): Promise<Uint8Array> {
    return given(this, (b) => new Uint8Array(b));
  }
  stream(): any {
    return new BodyStream(within(this), chunk, () => {});
  }
  get [Symbol.toStringTag](): string {
    return 'Blob';
  }
  [custom](depth: number, options: any): any {
    const { size, type } = this;
    return depth < 0 ? '[Blob]' : `Blob ${inspect({ size, type }, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}
Object.defineProperty(Blob, 'name', { value: 'Blob', configurable: true });

export class File extends Blob {
  declare [named]: { name: string; lastModified: number };
  constructor(parts: any, name: any, options: any = {}) {
    if (arguments.length < 2) throw Object.assign(new TypeError('The "fileBits" and "fileName" arguments must be specified'), { code: 'ERR_MISSING_ARGS' });
    super(parts, options);
    const { lastModified } = options ?? {};
    Object.defineProperty(this, named, { value: { lastModified: lastModified === undefined ? Date.now() : +lastModified || 0, name: `${name}`.toWellFormed() } });
  }
  get name(): string {
    return of(this, 'name').name;
  }
  get lastModified(): number {
    return of(this, 'lastModified').lastModified;
  }
  get [Symbol.toStringTag](): string {
    return 'File';
  }
  [custom](depth: number, options: any): any {
    const { size, type, name, lastModified } = this;
    return depth < 0 ? '[File]' : `File ${inspect({ size, type, name, lastModified }, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}
Object.defineProperty(File, 'name', { value: 'File', configurable: true });

function of(f: any, field: string): { name: string; lastModified: number } {
  if (f[named] === undefined) throw new TypeError(`Cannot read private member #${field} from an object whose class did not declare it`);
  return f[named];
}

for (const [of, names] of [[Blob, ['size', 'type', 'slice', 'arrayBuffer', 'text', 'stream']], [File, ['name', 'lastModified']]] as const) for (const k of names) Object.defineProperty(of.prototype, k, { enumerable: true });

// What a form has by a name: text, or a file.
const fields = Symbol('fields');

function entry(value: any, name: any): any {
  if (!(value instanceof Blob)) return `${value}`.toWellFormed();
  if (value instanceof File && name === undefined) return value;
  return new File([value], name ?? (value instanceof File ? value.name : 'blob'), { type: value.type, lastModified: (value as any).lastModified });
}

class Form {
  declare [fields]: [string, any][];
  constructor(form?: any) {
    if (form !== undefined) throw new TypeError("FormData constructor: Argument 1 could not be converted to: undefined.");
    Object.defineProperty(this, fields, { value: [], writable: true });
  }
  append(name: any, value: any, filename?: any): void {
    this[fields].push([`${name}`, entry(value, filename)]);
  }
  set(name: any, value: any, filename?: any): void {
    const k = `${name}`;
    const at = this[fields].findIndex((f) => f[0] === k);
    const field: [string, any] = [k, entry(value, filename)];
    this[fields] = at < 0 ? [...this[fields], field] : this[fields].flatMap((f, i) => (i === at ? [field] : f[0] === k ? [] : [f]));
  }
  delete(name: any): void {
    this[fields] = this[fields].filter(([k]) => k !== `${name}`);
  }
  get(name: any): any {
    return this.getAll(name)[0] ?? null;
  }
  getAll(name: any): any[] {
    return this[fields].filter(([k]) => k === `${name}`).map(([, v]) => v);
  }
  has(name: any): boolean {
    return this.getAll(name).length > 0;
  }
  forEach(f: any, self?: any): void {
    for (const [k, v] of this[fields]) f.call(self, v, k, this);
  }
  entries(): any {
    return this[fields].map(([k, v]) => [k, v])[Symbol.iterator]();
  }
  keys(): any {
    return this[fields].map(([k]) => k)[Symbol.iterator]();
  }
  values(): any {
    return this[fields].map(([, v]) => v)[Symbol.iterator]();
  }
  [Symbol.iterator](): any {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return 'FormData';
  }
  [custom](_depth: number, options: any): any {
    const shown: any = {};
    for (const [k, v] of this[fields]) shown[k] = shown[k] === undefined ? v : Array.isArray(shown[k]) ? [...shown[k], v] : [shown[k], v];
    return `FormData ${inspect(shown, options)}`;
  }
}
Object.defineProperty(Form, 'name', { value: 'FormData', configurable: true });
export { Form };

const quoted = (s: string): string => s.replace(/\r?\n|\r/g, '\r\n').replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');

// multipart is a form as a body.
function multipart(form: any, boundary: string): Buffer {
  const parts: any[] = [];
  for (const [k, v] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(k)}"`;
    if (typeof v === 'string') parts.push(`${head}\r\n\r\n${v.replace(/\r?\n|\r/g, '\r\n')}\r\n`);
    else parts.push(`${head}; filename="${quoted(v.name)}"\r\nContent-Type: ${v.type || 'application/octet-stream'}\r\n\r\n`, v[contents], '\r\n');
  }
  return Buffer.concat([...parts, `--${boundary}--\r\n`].map((p) => Buffer.from(p)));
}

// parsed is the form that a body in parts brings.
function parsed(b: Buffer, boundary: string): Form {
  const bad = (): never => {
    throw new TypeError('Failed to parse body as FormData.');
  };
  const form = new Form();
  const mark = `--${boundary}`;
  let at = b.indexOf(mark);
  if (at < 0) bad();
  for (;;) {
    at += mark.length;
    if (b.toString('latin1', at, at + 2) === '--') return form;
    const head = b.indexOf('\r\n\r\n', at);
    const end = head < 0 ? -1 : b.indexOf(`\r\n${mark}`, head + 2);
    if (end < 0) bad();
    const lines = b.toString('utf8', at + 2, head);
    const name = /^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"/im.exec(lines);
    if (name === null) return bad();
    const file = /^content-disposition:[^\r\n]*;\s*filename="([^"\r\n]*)"/im.exec(lines);
    const plain = (s: string): string => s.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
    const body = b.subarray(Math.min(head + 4, end), end);
    if (file === null) form.append(plain(name[1]), body.toString('utf8').replace(/^\ufeff/, ''));
    else form.append(plain(name[1]), new File([body], plain(file[1]), { type: /^content-type:\s*([^\r\n]*)/im.exec(lines)?.[1] ?? 'text/plain' }));
    at = end + 2;
  }
}

// bytesOf is a body that is there as a whole, or undefined.
function bytesOf(body: any): Buffer | undefined {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(`${body}`);
  if (body instanceof Blob) return body[contents];
  if (body instanceof ArrayBuffer) return Buffer.from(body.slice(0));
  if (body instanceof BodyStream) return BodyStream.all(body);
  return ArrayBuffer.isView(body) ? Buffer.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength)) : undefined;
}

const isStream = (body: any): boolean => typeof body?.getReader === 'function';

const typeOf = (body: any): string | null => (body instanceof Blob ? body.type || null : typeof body === 'string' ? 'text/plain;charset=UTF-8' : body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : null);

// A Body is that of a Response or of a Request: bytes that are there, or a stream of the program's. Others, of
// blobs and forms, can be made, as tests of features do, but not read: the verifier
// has no model of them.
class Body {
  bodyUsed = false;
  declare headers: Headers;
  // Its bytes, null if there is none, undefined if it is a stream, or what cannot be read.
  #bytes: Buffer | null | undefined = null;
  #own = true;
  #other: (() => any) | null = null;
  #stream: any = undefined;

  // has gives it a body of the program's. make makes one of the platform's own, on the server.
  protected has(body: any, make: (() => any) | undefined): void {
    if (body instanceof Form) {
      const boundary = `----formdata-undici-0${String(Math.floor(Math.random() * 1e11)).padStart(11, '0')}`;
      this.#bytes = multipart(body, boundary);
      if (!this.headers.has('content-type')) this.headers.append('content-type', `multipart/form-data; boundary=${boundary}`);
      return;
    }
    this.#bytes = bytesOf(body);
    if (this.#bytes === undefined && isStream(body)) {
      if (body.locked) throw new TypeError('Response body object should not be disturbed or locked');
      this.#stream = body;
    } else if (this.#bytes === undefined) {
      let made: any;
      this.#other = () => (made ??= make === undefined ? (globalThis as any).$unsupported?.('the body of a Response of its own is not supported under audit yet') : make());
    }
    const type = typeOf(body);
    if (type !== null && !this.headers.has('content-type')) this.headers.append('content-type', type);
  }
  // came gives it one that another server sent.
  protected came(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#own = false;
  }
  // copied is what a copy of it has for a body.
  protected copied(what: string): { bytes: Buffer | null | undefined; own: boolean; stream: any; other: any } {
    if (this.bodyUsed || this.#stream?.locked === true) throw new TypeError(`${what}.clone: Body has already been consumed.`);
    let theirs: any;
    if (this.#bytes === undefined && this.#other === null) [this.#stream, theirs] = this.#stream.tee();
    return { bytes: this.#bytes, own: this.#own, stream: theirs, other: this.#other };
  }
  // taken is its body for another message, which has it from then on.
  static taken(b: Body): any {
    if (b.#bytes === null) return undefined;
    b.bodyUsed = true;
    return b.#bytes ?? b.#stream;
  }
  get body(): any {
    if (this.#bytes === null) return null;
    if (this.#bytes === undefined && this.#other === null) return this.#stream;
    if (this.#bytes === undefined) return this.#other!().body;
    return (this.#stream ??= new BodyStream(this.#bytes, this.#own ? Infinity : chunk, () => void (this.bodyUsed = true)));
  }
  // drain reads a body that is a stream of the program's.
  #drain(): Promise<Buffer> {
    if (this.bodyUsed || this.#stream.locked) return Promise.reject(new TypeError('Body is unusable: Body has already been read'));
    this.bodyUsed = true;
    const reader = this.#stream.getReader();
    const parts: Buffer[] = [];
    const step = (): Promise<Buffer> => reader.read().then((r: any) => (r.done ? Buffer.concat(parts) : (parts.push(Buffer.from(r.value)), step())));
    return step();
  }
  #read(name: string, f: (b: Buffer) => any): Promise<any> {
    if (this.#bytes === undefined && this.#other === null) return this.#drain().then(f);
    if (this.#bytes === undefined) return this.#other!()[name]();
    return new Promise((resolve, reject) => {
      if (this.bodyUsed || this.#stream?.locked === true) return reject(new TypeError('Body is unusable: Body has already been read'));
      this.bodyUsed = this.#bytes !== null;
      try {
        resolve(f(this.#bytes ?? Buffer.alloc(0)));
      } catch (e) {
        reject(e);
      }
    });
  }
  text(): Promise<any> {
    return this.#read('text', (b) => b.toString('utf8').replace(/^\ufeff/, ''));
  }
  json(): Promise<any> {
    return this.#read('json', (b) => JSON.parse(b.toString('utf8').replace(/^\ufeff/, '')));
  }
  arrayBuffer(): Promise<any> {
    return this.#read('arrayBuffer', (b) => b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
  }
  bytes(): Promise<any> {
    return this.#read('bytes', (b) => new Uint8Array(b));
  }
  blob(): Promise<any> {
    return this.#read('blob', (b) => new Blob([b], { type: this.headers.get('content-type') ?? '' }));
  }
  formData(): Promise<any> {
    const type = this.headers.get('content-type') ?? '';
    const boundary = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
    if (boundary !== null) return this.#read('formData', (b) => parsed(b, boundary[1] ?? boundary[2]));
    return this.#read('formData', (b) => {
      if (!/^application\/x-www-form-urlencoded\b/i.test(type)) throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
      const form = new Form();
      for (const [k, v] of new URLSearchParams(b.toString('utf8')) as any) form.append(k, v);
      return form;
    });
  }
}

// Response is what a program gets, or makes itself.
export class Response extends Body {
  // other makes one of the platform's own, on the server.
  static [other]: ((body: any, init: any) => any) | null = null;
  status: number;
  statusText: string;
  declare headers: Headers;
  url = '';
  redirected = false;
  type = 'default';
  constructor(body?: any, init?: any) {
    super();
    const from: Arrived | undefined = init?.[arrived];
    this.status = from?.status ?? init?.status ?? 200;
    this.statusText = from?.statusText ?? init?.statusText ?? '';
    this.headers = new Headers(from?.headers ?? init?.headers);
    if (from !== undefined) {
      this.came(Buffer.from(body));
      this.url = from.url;
      this.redirected = from.redirected;
      this.type = 'basic';
      return;
    }
    if (typeof this.status !== 'number' || !(this.status >= 200 && this.status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (body === undefined || body === null) return;
    if ([204, 205, 304].includes(this.status)) throw new TypeError(`Response constructor: Invalid response status code ${this.status}`);
    const make = Response[other];
    this.has(body, make === null ? undefined : () => make(body, init));
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  clone(): Response {
    const { bytes, own, stream, other } = this.copied('Response');
    if (other !== null) return other().clone();
    const { status, statusText, url, redirected, headers } = this;
    if (own) return new Response(stream ?? bytes, { status, statusText, headers });
    return Response.arrived({ status, statusText, url, redirected, headers: [...(headers as any)], body: bytes!.toString('base64') });
  }
  static redirect(url: any, status = 302): Response {
    const to = new URL(`${url}`).href;
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status, headers: { location: to } });
  }
  static json(data: any, init?: any): Response {
    const headers = new Headers(init?.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }
  static arrived(a: Arrived): Response {
    return new Response(Buffer.from(a.body, 'base64'), { [arrived]: a });
  }
  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}

// What a Request says of itself, and what it says if nobody else does.
const asked: Record<string, any> = { destination: '', referrer: 'about:client', referrerPolicy: '', mode: 'cors', credentials: 'same-origin', cache: 'default', redirect: 'follow', integrity: '', keepalive: false, duplex: 'half' };
const signal = Symbol('signal');

export class Request extends Body {
  url: string;
  method: string;
  declare headers: Headers;
  constructor(input: any, init: any = {}) {
    super();
    const from = input instanceof Request ? input : undefined;
    const { body } = init;
    const given = body !== undefined && body !== null;
    try {
      this.url = from !== undefined ? from.url : new URL(`${input}`).href;
    } catch (cause) {
      throw Object.defineProperty(new TypeError(`Failed to parse URL from ${input}`), 'cause', { value: cause, writable: true, configurable: true });
    }
    const method = `${init.method ?? from?.method ?? 'GET'}`;
    if (!token.test(method) || /^(connect|trace|track)$/i.test(method)) throw new TypeError(`'${method}' ${token.test(method) ? 'HTTP method is unsupported' : 'is not a valid HTTP method'}.`);
    this.method = /^(get|head|post|put|delete|options|patch)$/i.test(method) && method !== 'patch' ? method.toUpperCase() : method;
    this.headers = new Headers(init.headers ?? from?.headers);
    for (const k of Object.keys(asked)) Object.defineProperty(this, k, { value: init[k] ?? (from as any)?.[k] ?? asked[k], configurable: true });
    Object.defineProperty(this, signal, { value: init.signal ?? (from as any)?.[signal], writable: true });
    if (given && /^(GET|HEAD)$/.test(this.method)) throw new TypeError('Request with GET/HEAD method cannot have body.');
    if (given && isStream(body) && init.duplex === undefined) throw new TypeError('RequestInit: duplex option is required when sending a body.');
    const has = given ? body : from !== undefined ? Body.taken(from) : undefined;
    if (has !== undefined) this.has(has, undefined);
  }
  get signal(): any {
    return ((this as any)[signal] ??= new AbortController().signal);
  }
  clone(): Request {
    const { bytes, stream } = this.copied('Request');
    const { url, method, headers } = this;
    const copy: any = { method, headers, duplex: 'half', signal: (this as any)[signal] };
    for (const k of Object.keys(asked)) copy[k] = (this as any)[k];
    return new Request(url, bytes === null ? copy : { ...copy, body: stream ?? bytes });
  }
  get [Symbol.toStringTag](): string {
    return 'Request';
  }
}

export interface Failure {
  name: string;
  message: string;
  cause: any;
}

// failed is the error that fetch rejects with.
export function failed(f: Failure): any {
  const e: any = f.name === 'TypeError' ? new TypeError(f.message) : new Error(f.message);
  if (f.name !== 'TypeError' && f.name !== 'Error') e.name = f.name;
  if (f.cause === undefined || f.cause === null) return e;
  const c: any = new Error(f.cause.message);
  for (const k of ['errno', 'code', 'syscall', 'hostname', 'address', 'port']) if (f.cause[k] !== undefined) c[k] = f.cause[k];
  Object.defineProperty(e, 'cause', { value: c, writable: true, configurable: true });
  return e;
}

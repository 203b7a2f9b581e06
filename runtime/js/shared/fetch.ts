// What fetch answers, as both builds have it: a response whose body has arrived.
// Node's own classes would register promises that the verifier knows nothing of.

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

class BodyStream {
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
  get [Symbol.toStringTag](): string {
    return 'ReadableStream';
  }
}
for (const k of ['pipeTo', 'pipeThrough', 'tee']) {
  Object.defineProperty(BodyStream.prototype, k, {
    value() {
      (globalThis as any).$unsupported?.(`${k} of a fetched body`);
      throw new Error(`${k} of a fetched body is not supported under audit yet`);
    },
    writable: true,
    configurable: true,
  });
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

// Form is a FormData of fields, as a body brings one that was not sent in parts.
class Form {
  #fields: [string, string][];
  constructor(fields: [string, string][]) {
    this.#fields = fields;
  }
  append(name: any, value: any): void {
    this.#fields.push([`${name}`, `${value}`]);
  }
  delete(name: any): void {
    this.#fields = this.#fields.filter(([k]) => k !== `${name}`);
  }
  get(name: any): string | null {
    return this.getAll(name)[0] ?? null;
  }
  getAll(name: any): string[] {
    return this.#fields.filter(([k]) => k === `${name}`).map(([, v]) => v);
  }
  has(name: any): boolean {
    return this.getAll(name).length > 0;
  }
  forEach(f: any, self?: any): void {
    for (const [k, v] of this.#fields) f.call(self, v, k, this);
  }
  entries(): any {
    return this.#fields.map(([k, v]) => [k, v])[Symbol.iterator]();
  }
  keys(): any {
    return this.#fields.map(([k]) => k)[Symbol.iterator]();
  }
  values(): any {
    return this.#fields.map(([, v]) => v)[Symbol.iterator]();
  }
  [Symbol.iterator](): any {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return 'FormData';
  }
}
Object.defineProperty(Form, 'name', { value: 'FormData', configurable: true });
export { Form };

// bytesOf is a body that is there as a whole, or undefined.
function bytesOf(body: any): Buffer | undefined {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(`${body}`);
  if (body instanceof ArrayBuffer) return Buffer.from(body.slice(0));
  if (body instanceof BodyStream) return BodyStream.all(body);
  return ArrayBuffer.isView(body) ? Buffer.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength)) : undefined;
}

const typeOf = (body: any): string | null => (typeof body === 'string' ? 'text/plain;charset=UTF-8' : body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : null);

// Response is what a program gets, or makes itself of a body that is there. Others, of
// streams, blobs and forms, can be made, as tests of features do, but not read: the verifier
// has no model of them.
export class Response {
  // other makes one of those, on the server.
  static [other]: ((body: any, init: any) => any) | null = null;
  status: number;
  statusText: string;
  headers: Headers;
  url = '';
  redirected = false;
  type = 'default';
  bodyUsed = false;
  // Its bytes, null if it has no body, undefined if what it has cannot be read.
  #bytes: Buffer | null | undefined = null;
  #own: boolean;
  #other: (() => any) | null = null;
  #stream: any = undefined;
  constructor(body?: any, init?: any) {
    const from: Arrived | undefined = init?.[arrived];
    this.#own = from === undefined;
    this.status = from?.status ?? init?.status ?? 200;
    this.statusText = from?.statusText ?? init?.statusText ?? '';
    this.headers = new Headers(from?.headers ?? init?.headers);
    if (from !== undefined) {
      this.#bytes = Buffer.from(body);
      this.url = from.url;
      this.redirected = from.redirected;
      this.type = 'basic';
      return;
    }
    if (typeof this.status !== 'number' || !(this.status >= 200 && this.status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    if (body === undefined || body === null) return;
    if ([204, 205, 304].includes(this.status)) throw new TypeError(`Response constructor: Invalid response status code ${this.status}`);
    this.#bytes = bytesOf(body);
    if (this.#bytes === undefined) {
      let made: any;
      this.#other = () => (made ??= Response[other] === null ? (globalThis as any).$unsupported?.('the body of a Response of its own is not supported under audit yet') : Response[other]!(body, init));
    }
    const type = typeOf(body);
    if (type !== null && !this.headers.has('content-type')) this.headers.append('content-type', type);
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  get body(): any {
    if (this.#bytes === null) return null;
    if (this.#bytes === undefined) return Response[other] === null ? (this.#stream ??= new (globalThis as any).ReadableStream()) : this.#other!().body;
    return (this.#stream ??= new BodyStream(this.#bytes, this.#own ? Infinity : chunk, () => void (this.bodyUsed = true)));
  }
  #read(name: string, f: (b: Buffer) => any): Promise<any> {
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
    return this.#theirs().blob();
  }
  formData(): Promise<any> {
    if (this.#bytes && /^application\/x-www-form-urlencoded\b/i.test(this.headers.get('content-type') ?? '')) return this.#read('formData', (b) => new Form([...(new URLSearchParams(b.toString('utf8')) as any)]));
    return this.#theirs().formData();
  }
  // theirs is a Response of the platform's own, which the verifier does not have.
  #theirs(): any {
    if (this.#bytes === undefined) return this.#other!();
    const { status, headers } = this;
    return Response[other] === null ? (globalThis as any).$unsupported?.('Response.blob and formData are not supported under audit yet') : Response[other]!(this.#bytes, { status, headers: [...(headers as any)] });
  }
  clone(): Response {
    if (this.bodyUsed || this.#stream?.locked === true) throw new TypeError('Response.clone: Body has already been consumed.');
    if (this.#bytes === undefined) return this.#other!().clone();
    const { status, statusText, url, redirected, headers } = this;
    if (this.#own) return new Response(this.#bytes, { status, statusText, headers });
    return Response.arrived({ status, statusText, url, redirected, headers: [...(headers as any)], body: this.#bytes!.toString('base64') });
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

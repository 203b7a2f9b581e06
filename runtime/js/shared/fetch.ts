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

export interface Arrived {
  status: number;
  statusText: string;
  url: string;
  redirected: boolean;
  headers: [string, string][];
  body: string; // base64
}

// Response is what a program gets. Those that it makes itself are Node's on the server,
// whose bodies are streams that the verifier has no model of: they can be made, as tests
// of features do, but not read.
export class Response {
  status: number;
  statusText: string;
  headers: Headers;
  url = '';
  redirected = false;
  type = 'default';
  bodyUsed = false;
  #body: any;
  #own: boolean;
  constructor(body?: any, init?: any) {
    const from: Arrived | undefined = init?.[arrived];
    this.#own = from === undefined;
    this.status = from?.status ?? init?.status ?? 200;
    this.statusText = from?.statusText ?? init?.statusText ?? '';
    this.headers = new Headers(from?.headers ?? init?.headers);
    if (from === undefined) {
      this.#body = body;
      if (typeof body === 'string' && !this.headers.has('content-type')) this.headers.append('content-type', 'text/plain;charset=UTF-8');
      return;
    }
    this.#body = Buffer.from(body);
    this.url = from.url;
    this.redirected = from.redirected;
    this.type = 'basic';
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  get body(): any {
    if (!this.#own) return undefined;
    return this.#body === undefined || this.#body === null ? null : new (globalThis as any).ReadableStream();
  }
  #read(f: (b: any) => any): Promise<any> {
    if (this.#own) (globalThis as any).$unsupported?.('the body of a Response of its own is not supported under audit yet');
    return new Promise((resolve, reject) => {
      if (this.bodyUsed) return reject(new TypeError('Body is unusable: Body has already been read'));
      this.bodyUsed = true;
      try {
        resolve(f(this.#body));
      } catch (e) {
        reject(e);
      }
    });
  }
  text(): Promise<any> {
    return this.#read((b) => b.toString('utf8').replace(/^\ufeff/, ''));
  }
  json(): Promise<any> {
    return this.#read((b) => JSON.parse(b.toString('utf8').replace(/^\ufeff/, '')));
  }
  arrayBuffer(): Promise<any> {
    return this.#read((b) => b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
  }
  bytes(): Promise<any> {
    return this.#read((b) => new Uint8Array(b));
  }
  clone(): Response {
    if (this.#own) (globalThis as any).$unsupported?.('the body of a Response of its own is not supported under audit yet');
    if (this.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.');
    const { status, statusText, url, redirected } = this;
    return Response.arrived({ status, statusText, url, redirected, headers: [...(this.headers as any)], body: this.#body.toString('base64') });
  }
  static json(data: any, init?: any): Response {
    const r = new Response(JSON.stringify(data), init);
    if (!r.headers.has('content-type')) r.headers.set('content-type', 'application/json');
    return r;
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

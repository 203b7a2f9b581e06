// url: WHATWG's URL and URLSearchParams, and Node's older functions by package url.
import { coded, invalidType } from './internal/errors';
import { host } from './internal/host';
import { custom, inspect } from '../shared/inspect';

const { parse, part, change, pairs, encode, domainToASCII, domainToUnicode } = host.url;

const href = Symbol('href');
const params = Symbol('params');
const list = Symbol('list');
const owner = Symbol('owner');

const text = (x: any): any => (typeof x === 'string' ? x : `${x}`).toWellFormed();

function invalid(input: any, base: any): any {
  const e = coded(TypeError, 'ERR_INVALID_URL', 'Invalid URL');
  e.input = input;
  if (base !== undefined) e.base = base;
  return e;
}

function hidden(o: any, key: symbol, value: any): void {
  Object.defineProperty(o, key, { value, writable: true, configurable: true });
}

export class URL {
  declare protocol: any;
  declare username: any;
  declare password: any;
  declare host: any;
  declare hostname: any;
  declare pathname: any;
  declare search: any;
  declare hash: any;
  constructor(input?: any, base?: any) {
    if (arguments.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified');
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const h = parse(text(input), base === undefined ? undefined : text(base));
    if (h === null) throw invalid(input, base);
    hidden(this, href, h);
    hidden(this, params, null);
  }
  static canParse(input?: any, base?: any): boolean {
    if (arguments.length === 0) throw coded(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified');
    return parse(text(input), base === undefined ? undefined : text(base)) !== null;
  }
  static parse(input?: any, base?: any): any {
    return URL.canParse.apply(null, arguments as any) ? new URL(input, base) : null;
  }
  get href(): any {
    return (this as any)[href];
  }
  set href(v: any) {
    v = `${v}`;
    const h = parse(text(v), undefined);
    if (h === null) throw invalid(v, undefined);
    (this as any)[href] = h;
    refill(this);
  }
  get origin(): any {
    return part((this as any)[href], 'origin');
  }
  get searchParams(): any {
    const me = this as any;
    if (me[params] === null) {
      me[params] = new URLSearchParams(me.search);
      me[params][owner] = me;
    }
    return me[params];
  }
  toString(): any {
    return (this as any)[href];
  }
  toJSON(): any {
    return (this as any)[href];
  }
  [custom](depth: any, options: any): any {
    if (typeof depth === 'number' && depth < 0) return this;
    const o: any = {};
    for (const name of ['href', 'origin', ...names.slice(0, 8), 'searchParams', 'hash']) o[name] = (this as any)[name];
    return `${this.constructor.name} ${inspect(o, options)}`;
  }
}

// refill: the search parameters follow the URL.
function refill(u: any): void {
  if (u[params] !== null) u[params][list] = parsed(u.search.slice(1));
}

const names = ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
for (const name of names) {
  Object.defineProperty(URL.prototype, name, {
    get(this: any) {
      return part(this[href], name);
    },
    set(this: any, v: any) {
      this[href] = change(this[href], name, text(v));
      if (name === 'search') refill(this);
    },
    enumerable: true,
    configurable: true,
  });
}
for (const name of ['href', 'origin', 'searchParams', 'toString', 'toJSON']) Object.defineProperty(URL.prototype, name, { enumerable: true });
Object.defineProperty(URL.prototype, Symbol.toStringTag, { value: 'URL', configurable: true });

// parsed is the list of [name, value] pairs of a query.
function parsed(query: any): any[] {
  const flat = pairs(query);
  const n = flat.length;
  const out: any[] = [];
  for (let i = 0; i < n; i += 2) out.push([flat[i], flat[i + 1]]);
  return out;
}

const badTuple = () => coded(TypeError, 'ERR_INVALID_TUPLE', 'Each query pair must be an iterable [name, value] tuple');

function initial(init: any): any[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object' && typeof init !== 'function') {
    const s = text(init);
    return parsed(s[0] === '?' ? s.slice(1) : s);
  }
  if (init instanceof URLSearchParams && (init as any)[Symbol.iterator] === (URLSearchParams.prototype as any)[Symbol.iterator]) return (init as any)[list].map((p: any) => [p[0], p[1]]);
  const method = init[Symbol.iterator];
  if (method !== undefined && method !== null) {
    if (typeof method !== 'function') throw coded(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
    const out: any[] = [];
    for (const pair of init) {
      if (pair === null || (typeof pair !== 'object' && typeof pair !== 'function') || typeof pair[Symbol.iterator] !== 'function') throw badTuple();
      const p = [...pair];
      if (p.length !== 2) throw badTuple();
      out.push([text(p[0]), text(p[1])]);
    }
    return out;
  }
  const out: any[] = [];
  for (const k of Reflect.ownKeys(init)) {
    const d = Object.getOwnPropertyDescriptor(init, k);
    if (typeof k !== 'string' || d === undefined || !d.enumerable) continue;
    const name = text(k);
    const value = text(init[k]);
    // Names may be alike as text that is well formed.
    const same = name === k ? undefined : out.find((p) => p[0] === name);
    if (same === undefined) out.push([name, value]);
    else same[1] = value;
  }
  return out;
}

function needed(n: number, given: number, names: string): void {
  if (given < n) throw coded(TypeError, 'ERR_MISSING_ARGS', `The ${names} must be specified`);
}

export class URLSearchParams {
  constructor(init?: any) {
    hidden(this, list, initial(init));
    hidden(this, owner, null);
  }
  get size(): number {
    return (this as any)[list].length;
  }
  append(name?: any, value?: any): void {
    needed(2, arguments.length, '"name" and "value" arguments');
    (this as any)[list].push([text(name), text(value)]);
    changed(this);
  }
  delete(name?: any, value?: any): void {
    needed(1, arguments.length, '"name" argument');
    const me = this as any;
    const n = text(name);
    if (value === undefined) me[list] = me[list].filter((p: any) => p[0] !== n);
    else {
      const v = text(value);
      me[list] = me[list].filter((p: any) => p[0] !== n || p[1] !== v);
    }
    changed(this);
  }
  get(name?: any): any {
    needed(1, arguments.length, '"name" argument');
    const n = text(name);
    for (const p of (this as any)[list]) if (p[0] === n) return p[1];
    return null;
  }
  getAll(name?: any): any[] {
    needed(1, arguments.length, '"name" argument');
    const n = text(name);
    const out: any[] = [];
    for (const p of (this as any)[list]) if (p[0] === n) out.push(p[1]);
    return out;
  }
  has(name?: any, value?: any): boolean {
    needed(1, arguments.length, '"name" argument');
    const n = text(name);
    const v = value === undefined ? undefined : text(value);
    for (const p of (this as any)[list]) if (p[0] === n && (v === undefined || p[1] === v)) return true;
    return false;
  }
  set(name?: any, value?: any): void {
    needed(2, arguments.length, '"name" and "value" arguments');
    const me = this as any;
    const n = text(name);
    const v = text(value);
    const out: any[] = [];
    let found = false;
    for (const p of me[list]) {
      if (p[0] !== n) out.push(p);
      else if (!found) {
        found = true;
        out.push([n, v]);
      }
    }
    if (!found) out.push([n, v]);
    me[list] = out;
    changed(this);
  }
  sort(): void {
    (this as any)[list].sort((a: any, b: any) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    changed(this);
  }
  forEach(f: any, self?: any): void {
    if (typeof f !== 'function') throw invalidType('callback', 'of type function', f);
    const l = (this as any)[list];
    for (let i = 0; i < l.length; i++) f.call(self, l[i][1], l[i][0], this);
  }
  entries(): any {
    return iterate(this, (p) => [p[0], p[1]]);
  }
  keys(): any {
    return iterate(this, (p) => p[0]);
  }
  values(): any {
    return iterate(this, (p) => p[1]);
  }
  toString(): any {
    let s = '';
    const l = (this as any)[list];
    for (let i = 0; i < l.length; i++) s += (i === 0 ? '' : '&') + encode(l[i][0], l[i][1]);
    return s;
  }
  [custom](depth: any, options: any): any {
    if (typeof depth === 'number' && depth < 0) return '[Object]';
    const l = (this as any)[list];
    if (l.length === 0) return 'URLSearchParams {}';
    return `URLSearchParams { ${l.map((p: any) => `${inspect(p[0], options)} => ${inspect(p[1], options)}`).join(', ')} }`;
  }
}
Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
Object.defineProperty(URLSearchParams.prototype, Symbol.toStringTag, { value: 'URLSearchParams', configurable: true });

function changed(p: any): void {
  const u = p[owner];
  if (u === null) return;
  const s = p.toString();
  u[href] = change(u[href], 'search', s);
}

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

function iterate(p: any, of: (pair: any) => any): any {
  let i = 0;
  return Object.assign(Object.create(iteratorPrototype), {
    next() {
      const l = p[list];
      return i < l.length ? { value: of(l[i++]), done: false } : { value: undefined, done: true };
    },
  });
}

// ---- Node's own functions

export function fileURLToPath(x: any): string {
  const u: any = typeof x === 'string' ? new URL(x) : x;
  if (!(u instanceof URL)) throw invalidType('path', 'of type string or an instance of URL', x);
  if (u.protocol !== 'file:') throw coded(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  if (u.hostname !== '') throw coded(TypeError, 'ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
  if (/%2f/i.test(u.pathname)) throw coded(TypeError, 'ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters');
  return decodeURIComponent(u.pathname);
}

function pathToFileURL(path: any): URL {
  const u: any = new URL('file://');
  const escaped = resolve(path).replace(/["#%<>?[\\\]^`{|}~\n\r\t]/g, (c: string) => '%' + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'));
  u.pathname = path.endsWith('/') && !escaped.endsWith('/') ? escaped + '/' : escaped;
  return u;
}

const resolve = (p: string): string => require('../node_modules/path-browserify/index.js').resolve(p);

export function urlToHttpOptions(u: any): any {
  const o: any = {
    __proto__: null,
    ...u,
    protocol: u.protocol,
    hostname: u.hostname && u.hostname.startsWith('[') ? u.hostname.slice(1, -1) : u.hostname,
    hash: u.hash,
    search: u.search,
    pathname: u.pathname,
    path: `${u.pathname || ''}${u.search || ''}`,
    href: u.href,
  };
  if (u.port !== '') o.port = Number(u.port);
  if (u.username || u.password) o.auth = `${decodeURIComponent(u.username)}:${decodeURIComponent(u.password)}`;
  return o;
}

export function urlModule(): any {
  const npm = require('../node_modules/url/url.js');
  const parseOld = (s: any, query?: any, slashes?: any): any => {
    if (typeof s !== 'string' && !(s instanceof npm.Url)) throw invalidType('url', 'of type string', s);
    const u = npm.parse(s, query, slashes);
    if (u.search === '') u.search = null;
    return u;
  };
  const format = (u: any, options?: any): any => {
    if (typeof u !== 'string' && (typeof u !== 'object' || u === null)) throw invalidType('urlObject', 'one of type object or string', u);
    if (!(u instanceof URL)) return npm.format(u);
    const o = { fragment: true, search: true, auth: true, unicode: false, ...options };
    const copy: any = new URL(u.href);
    if (!o.fragment) copy.hash = '';
    if (!o.search) copy.search = '';
    if (!o.auth) copy.username = copy.password = '';
    return o.unicode ? copy.href.replace(copy.host, domainToUnicode(copy.host)) : copy.href;
  };
  return {
    ...npm,
    parse: parseOld,
    resolve(from: any, to: any): any {
      for (const s of [from, to]) if (typeof s !== 'string') throw invalidType('url', 'of type string', s);
      return npm.resolve(from, to);
    },
    format,
    URL,
    URLSearchParams,
    domainToASCII: (d: any) => domainToASCII(text(d)),
    domainToUnicode: (d: any) => domainToUnicode(text(d)),
    fileURLToPath,
    pathToFileURL,
    urlToHttpOptions,
  };
}

// url: WHATWG's URL and URLSearchParams, and Node's older functions by package url.
import { enumerable, tagged } from './eventtarget';
import { coded, invalidThis, invalidType, missing, unsupported } from './internal/errors';
import { host } from './internal/host';
import { validateFunction } from './internal/validators';
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
  constructor(input: any, base: any = undefined) {
    if (arguments.length === 0) throw missing('url');
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const h = parse(text(input), base === undefined ? undefined : text(base));
    if (h === null) throw invalid(input, base);
    hidden(this, href, h);
    hidden(this, params, null);
  }
  static parse(input: any, base: any = undefined): any {
    if (arguments.length === 0) throw missing('url');
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }
  static canParse(input: any, base: any = undefined): boolean {
    if (arguments.length === 0) throw missing('url');
    return parse(text(input), base === undefined ? undefined : text(base)) !== null;
  }
  static createObjectURL(_of: any): never {
    return unsupported('URL.createObjectURL');
  }
  static revokeObjectURL(_url: any): void {
    if (arguments.length === 0) throw missing('url');
  }
  get href(): any {
    return of(this);
  }
  set href(v: any) {
    of(this, '#context');
    v = `${v}`;
    const h = parse(text(v), undefined);
    if (h === null) throw invalid(v, undefined);
    (this as any)[href] = h;
    refill(this);
  }
  get origin(): any {
    return part(of(this, '#context'), 'origin');
  }
  get searchParams(): any {
    of(this, '#searchParams');
    const me = this as any;
    if (me[params] === null) {
      me[params] = new URLSearchParams(me.search);
      me[params][owner] = me;
    }
    return me[params];
  }
  toString(): any {
    return of(this);
  }
  toJSON(): any {
    return of(this);
  }
  [custom](depth: any, options: any): any {
    if (typeof depth === 'number' && depth < 0) return this;
    const o: any = {};
    for (const name of ['href', 'origin', ...names.slice(0, 8), 'searchParams', 'hash']) o[name] = (this as any)[name];
    return `${this.constructor.name} ${inspect(o, options)}`;
  }
}

// of is the text of a URL. What is none is refused, with the words for who lacks a private member, if that is named.
function of(u: any, member?: string): string {
  const h = u?.[href];
  if (h === undefined) throw new TypeError(member === undefined ? 'Receiver must be an instance of class URL' : `Cannot read private member ${member} from an object whose class did not declare it`);
  return h;
}

// refill: the search parameters follow the URL.
function refill(u: any): void {
  if (u[params] !== null) u[params][list] = parsed(u.search.slice(1));
}

const names = ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
for (const name of names) {
  // Of such a property, the functions have names.
  const property = {
    get [name](): any {
      return part(of(this, name === 'search' ? undefined : '#context'), name);
    },
    set [name](v: any) {
      const me = this as any;
      me[href] = change(of(me, '#context'), name, text(v));
      if (name === 'search') refill(me);
    },
  };
  Object.defineProperty(URL.prototype, name, Object.getOwnPropertyDescriptor(property, name)!);
}
// In Node's order, in which programs list them.
for (const k of ['toString', 'href', 'origin', ...names.slice(0, 8), 'searchParams', 'hash', 'toJSON']) {
  const d = Object.getOwnPropertyDescriptor(URL.prototype, k)!;
  delete (URL.prototype as any)[k];
  Object.defineProperty(URL.prototype, k, { ...d, enumerable: true });
}
for (const k of ['parse', 'canParse', 'createObjectURL', 'revokeObjectURL']) Object.defineProperty(URL, k, { enumerable: true });
tagged(URL, 'URL');

// parsed is the list of [name, value] pairs of a query.
function parsed(query: any): any[] {
  const flat = pairs(query);
  const n = flat.length;
  const out: any[] = [];
  for (let i = 0; i < n; i += 2) out.push([flat[i], flat[i + 1]]);
  return out;
}

const badTuple = () => coded(TypeError, 'ERR_INVALID_TUPLE', 'Each query pair must be an iterable [name, value] tuple');

function initial(self: any, init: any): any[] {
  if (init === undefined || init === null) return [];
  if (typeof init !== 'object' && typeof init !== 'function') {
    const s = text(init);
    return parsed(s[0] === '?' ? s.slice(1) : s);
  }
  const method = init[Symbol.iterator];
  if (method === self[Symbol.iterator] && init[list] !== undefined) return init[list].map((p: any) => [p[0], p[1]]);
  const out: any[] = [];
  if (method !== undefined && method !== null) {
    if (typeof method !== 'function') throw coded(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
    for (const pair of init) {
      if (pair === null || (typeof pair !== 'object' && typeof pair !== 'function') || typeof pair[Symbol.iterator] !== 'function') throw badTuple();
      const p = [...pair];
      if (p.length !== 2) throw badTuple();
      out.push([text(p[0]), text(p[1])]);
    }
    return out;
  }
  // Of keys that become the same, the last one counts.
  const seen = new Map<any, any>();
  for (const k of Reflect.ownKeys(init)) {
    const d = Object.getOwnPropertyDescriptor(init, k);
    if (d === undefined || !d.enumerable) continue;
    const name = text(k);
    const value = text(init[k]);
    const same = seen.get(name);
    if (same !== undefined) same[1] = value;
    else {
      const pair = [name, value];
      seen.set(name, pair);
      out.push(pair);
    }
  }
  return out;
}

// pairsOf are the pairs of search parameters, or what is none is refused.
function pairsOf(p: any): any {
  const l = typeof p === 'object' && p !== null ? p[list] : undefined;
  if (l === undefined) throw invalidThis('URLSearchParams');
  return l;
}

// asked refuses a call of what is no search parameters, or with too few arguments.
function asked(p: any, given: number, ...names: string[]): any {
  const l = pairsOf(p);
  if (given < names.length) throw missing(...names);
  return l;
}

export class URLSearchParams {
  constructor(init: any = undefined) {
    hidden(this, list, initial(this, init));
    hidden(this, owner, null);
  }
  get size(): number {
    return pairsOf(this).length;
  }
  append(name?: any, value?: any): void {
    asked(this, arguments.length, 'name', 'value').push([text(name), text(value)]);
    changed(this);
  }
  delete(name?: any, value: any = undefined): void {
    const l = asked(this, arguments.length, 'name');
    const n = text(name);
    const v = value === undefined ? undefined : text(value);
    (this as any)[list] = l.filter((p: any) => p[0] !== n || (v !== undefined && p[1] !== v));
    changed(this);
  }
  get(name?: any): any {
    const l = asked(this, arguments.length, 'name');
    const n = text(name);
    for (const p of l) if (p[0] === n) return p[1];
    return null;
  }
  getAll(name?: any): any[] {
    const l = asked(this, arguments.length, 'name');
    const n = text(name);
    const out: any[] = [];
    for (const p of l) if (p[0] === n) out.push(p[1]);
    return out;
  }
  has(name?: any, value: any = undefined): boolean {
    const l = asked(this, arguments.length, 'name');
    const n = text(name);
    const v = value === undefined ? undefined : text(value);
    for (const p of l) if (p[0] === n && (v === undefined || p[1] === v)) return true;
    return false;
  }
  set(name?: any, value?: any): void {
    const l = asked(this, arguments.length, 'name', 'value');
    const n = text(name);
    const v = text(value);
    const out: any[] = [];
    let found = false;
    for (const p of l) {
      if (p[0] !== n) out.push(p);
      else if (!found) {
        found = true;
        out.push([n, v]);
      }
    }
    if (!found) out.push([n, v]);
    (this as any)[list] = out;
    changed(this);
  }
  sort(): void {
    pairsOf(this).sort((a: any, b: any) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    changed(this);
  }
  entries(): any {
    return iterate(this, (p) => [p[0], p[1]]);
  }
  forEach(callback: any, self: any = undefined): void {
    pairsOf(this);
    validateFunction(callback, 'callback');
    // The list may be another one by then.
    for (let i = 0; i < pairsOf(this).length; i++) {
      const p = pairsOf(this)[i];
      callback.call(self, p[1], p[0], this);
    }
  }
  keys(): any {
    return iterate(this, (p) => p[0]);
  }
  values(): any {
    return iterate(this, (p) => p[1]);
  }
  toString(): any {
    let s = '';
    const l = pairsOf(this);
    for (let i = 0; i < l.length; i++) s += (i === 0 ? '' : '&') + encode(l[i][0], l[i][1]);
    return s;
  }
  [custom](depth: any, options: any): any {
    const l = pairsOf(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const inner = deeper(depth, options);
    const { name } = this.constructor;
    const shown = l.map((p: any) => `${inspect(p[0], inner)} => ${inspect(p[1], inner)}`);
    if (shown.length === 0) return `${name} {}`;
    const line = shown.join(', ');
    return stripped(line).length > options.breakLength ? `${name} {\n  ${shown.join(',\n  ')} }` : `${name} { ${line} }`;
  }
}
enumerable(URLSearchParams, 'size', 'append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString');
Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
tagged(URLSearchParams, 'URLSearchParams');

const deeper = (depth: any, options: any): any => (depth === null ? { ...options } : { ...options, depth: depth - 1 });
const stripped = (s: string): string => s.replace(/\u001b\[\d\d?m/g, '');

function changed(p: any): void {
  const u = p[owner];
  if (u === null) return;
  const s = p.toString();
  u[href] = change(u[href], 'search', s);
}

const going = Symbol('iterator');

class SearchParamsIterator {
  constructor(p: any, of: (pair: any) => any) {
    hidden(this, going, { p, of, i: 0 });
  }
  next(): any {
    const state = iterating(this);
    const l = pairsOf(state.p);
    return state.i < l.length ? { value: state.of(l[state.i++]), done: false } : { value: undefined, done: true };
  }
  [custom](depth: any, options: any): any {
    const { p, of, i } = iterating(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const inner = deeper(depth, options);
    const left = pairsOf(p).slice(i).map(of);
    const shown = left.map((x: any) => inspect(x, inner));
    return `URLSearchParams Iterator {${inspect(left, inner).includes('\n') ? `\n  ${shown.join(',\n  ')}` : ` ${shown.join(', ')}`} }`;
  }
}
delete (SearchParamsIterator.prototype as any).constructor;
Object.setPrototypeOf(SearchParamsIterator.prototype, Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())));
enumerable(SearchParamsIterator, 'next');
tagged(SearchParamsIterator, 'URLSearchParams Iterator');

function iterating(it: any): any {
  const state = typeof it === 'object' && it !== null ? it[going] : undefined;
  if (state === undefined) throw invalidThis('URLSearchParamsIterator');
  return state;
}

function iterate(p: any, of: (pair: any) => any): any {
  pairsOf(p);
  return new SearchParamsIterator(p, of);
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
    if (u.search === null && u.query !== null) u.query = Object.create(null);
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

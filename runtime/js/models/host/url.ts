// WHATWG's URLs as texts: a URL is its href. The parser is package whatwg-url's.
import { toUnicode } from './idna';

const usm = require('../../node_modules/whatwg-url/lib/url-state-machine.js');
const urlencoded = require('../../node_modules/whatwg-url/lib/urlencoded.js');

interface Parts {
  [name: string]: string;
}

const known = new Map<string, Parts>();
const mostKnown = 1000;

// read parses as Node.js does, which keeps a space at the end of an opaque path as it is.
function read(url: string, baseURL: any = null): any {
  const u = usm.basicURLParse(url, { baseURL });
  if (u !== null && usm.hasAnOpaquePath(u) && u.path.endsWith('%20') && /^[^?#]* [\t\n\r]*[?#]/.test(url)) u.path = u.path.slice(0, -3) + ' ';
  return u;
}

// parse answers the href, or null.
export function parse(url: string, base: string | undefined): string | null {
  let b = null;
  if (base !== undefined) {
    b = read(base);
    if (b === null) return null;
  }
  const u = read(url, b);
  if (u === null) return null;
  return remember(u);
}

function remember(u: any): string {
  const href = usm.serializeURL(u);
  if (known.size >= mostKnown) known.clear();
  if (!known.has(href)) known.set(href, partsOf(u, href));
  return href;
}

function partsOf(u: any, href: string): Parts {
  const hostname = u.host === null ? '' : usm.serializeHost(u.host);
  const port = u.port === null ? '' : usm.serializeInteger(u.port);
  return {
    href,
    origin: usm.serializeURLOrigin(u),
    protocol: u.scheme + ':',
    username: u.username,
    password: u.password,
    host: port === '' ? hostname : hostname + ':' + port,
    hostname,
    port,
    pathname: usm.serializePath(u),
    search: u.query === null || u.query === '' ? '' : '?' + u.query,
    hash: u.fragment === null || u.fragment === '' ? '' : '#' + u.fragment,
  };
}

export function part(href: string, name: string): string {
  const p = known.get(href);
  return p !== undefined ? p[name] : partsOf(read(href), href)[name];
}

// change answers the href after an assignment to a part.
export function change(href: string, name: string, v: string): string {
  const url = read(href);
  const set = (input: string, stateOverride: string) => usm.basicURLParse(input, { url, stateOverride });
  switch (name) {
    case 'protocol':
      set(v + ':', 'scheme start');
      break;
    case 'username':
      if (!usm.cannotHaveAUsernamePasswordPort(url)) usm.setTheUsername(url, v);
      break;
    case 'password':
      if (!usm.cannotHaveAUsernamePasswordPort(url)) usm.setThePassword(url, v);
      break;
    case 'host':
    case 'hostname':
      if (!usm.hasAnOpaquePath(url)) set(v, name);
      break;
    case 'port':
      if (usm.cannotHaveAUsernamePasswordPort(url)) break;
      if (v === '') url.port = null;
      else set(v, 'port');
      break;
    case 'pathname':
      if (usm.hasAnOpaquePath(url)) break;
      url.path = [];
      set(v, 'path start');
      break;
    case 'search':
      url.query = v === '' ? null : '';
      if (v !== '') set(v[0] === '?' ? v.slice(1) : v, 'query');
      break;
    case 'hash':
      url.fragment = v === '' ? null : '';
      if (v !== '') set(v[0] === '#' ? v.slice(1) : v, 'fragment');
      break;
  }
  // Nothing would keep spaces at the end.
  if (usm.hasAnOpaquePath(url) && url.query === null && url.fragment === null) url.path = url.path.replace(/ +$/, '');
  return remember(url);
}

// pairs answers names and values in turn.
export function pairs(query: string): string[] {
  const out: string[] = [];
  for (const [name, value] of urlencoded.parseUrlencodedString(query)) out.push(name, value);
  return out;
}

export function encode(name: string, value: string): string {
  return urlencoded.serializeUrlencoded([[name, value]]);
}

export const domainToASCII = (domain: string): string => {
  const u = usm.basicURLParse('ws://' + domain);
  return u === null || u.host === null ? '' : usm.serializeHost(u.host);
};
export const domainToUnicode = (domain: string): string => {
  const ascii = domainToASCII(domain);
  return ascii === '' ? '' : toUnicode(ascii).domain;
};

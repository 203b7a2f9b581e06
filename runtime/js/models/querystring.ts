// querystring as Node 20 has it: npm's shim throws on malformed escapes, and
// treats empty pairs differently.
import { Buffer } from './buffer';
import { coded } from './internal/errors';

const plus = /\+/g;
const hex = /^[0-9A-Fa-f]{2}$/;

// unescapeBuffer replaces what are escapes and leaves the rest alone.
export function unescapeBuffer(s: any): any {
  s = `${s}`;
  const out: number[] = [];
  for (let i = 0; i < s.length; i++) {
    if (s[i] === '%' && hex.test(s.slice(i + 1, i + 3))) {
      out.push(parseInt(s.slice(i + 1, i + 3), 16));
      i += 2;
    } else out.push(s.charCodeAt(i));
  }
  return Buffer.from(out);
}

function qsUnescape(s: any): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return unescapeBuffer(s).toString();
  }
}

function qsEscape(s: any): string {
  if (typeof s !== 'string') s = typeof s === 'object' ? String(s) : s + '';
  return encodeURIComponent(s.isWellFormed() ? s : paired(s));
}

// Node takes half a pair together with whatever follows it.
function paired(s: string): string {
  let out = '';
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 0xd800 || c >= 0xe000) out += s[i];
    else {
      if (++i === s.length) throw coded(URIError, 'ERR_INVALID_URI', 'URI malformed');
      out += String.fromCodePoint(0x10000 + ((c & 0x3ff) << 10) + (s.charCodeAt(i) & 0x3ff));
    }
  }
  return out;
}

function primitive(v: any): string {
  if (typeof v === 'string') return v;
  if (typeof v === 'number' && isFinite(v)) return '' + v;
  if (typeof v === 'bigint' || typeof v === 'boolean') return '' + v;
  return '';
}

export function stringify(o: any, separator: any, equals: any, options: any): string {
  separator = separator || '&';
  equals = equals || '=';
  let encode = qsEscape;
  if (options && typeof options.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  else if (querystring.escape !== qsEscape) encode = querystring.escape;
  if (o === null || typeof o !== 'object') return '';
  const pairs: string[] = [];
  for (const key of Object.keys(o)) {
    const k = encode(primitive(key)) + equals;
    const v = o[key];
    if (Array.isArray(v)) for (const x of v) pairs.push(k + encode(primitive(x)));
    else pairs.push(k + encode(primitive(v)));
  }
  return pairs.join(separator);
}

export function parse(text: any, separator: any, equals: any, options: any): any {
  const o: any = { __proto__: null };
  if (typeof text !== 'string' || text.length === 0) return o;
  separator = separator ? '' + separator : '&';
  equals = equals ? '' + equals : '=';
  let left = 1000;
  if (options && typeof options.maxKeys === 'number') left = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = querystring.unescape as (s: string) => string;
  if (options && typeof options.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const own = decode !== qsUnescape;
  const clean = (s: string) => {
    s = s.replace(plus, own ? '%20' : ' ');
    if (!own && s.indexOf('%') < 0) return s;
    try {
      return decode(s);
    } catch {
      return qsUnescape(s);
    }
  };
  const parts = text.split(separator);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    // Empty pairs say nothing and are not counted.
    if (part === '') continue;
    const at = part.indexOf(equals);
    const key = clean(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : clean(part.slice(at + equals.length));
    if (!Object.hasOwn(o, key)) o[key] = value;
    else if (Array.isArray(o[key])) o[key].push(value);
    else o[key] = [o[key], value];
    if (--left === 0) break;
  }
  return o;
}

const querystring: any = { unescapeBuffer, unescape: qsUnescape, escape: qsEscape, stringify, encode: stringify, parse, decode: parse };
export default querystring;

// util.MIMEType and util.MIMEParams.
import { coded } from './errors';

const notToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const notQuoted = /[^\t\u0020-~\u0080-\u00FF]/;
// What stands between quotes, to the end if they are not closed; a backslash may be the last of it.
const quoted = /^((?:[^"\\]|\\[\s\S])*)(\\$|"|$)/;

const lower = (s: string): string => s.replace(/[A-Z]/g, (c) => c.toLowerCase());
const trimEnd = (s: string): string => s.replace(/[\r\n\t ]+$/, '');

function invalid(what: string, s: string, at: number): any {
  return coded(TypeError, 'ERR_INVALID_MIME_SYNTAX', `The MIME syntax for a ${what} in "${s}" is invalid${at === -1 ? '' : ` at ${at}`}`);
}

// token is what a type or subtype is, in small letters.
function token(what: string, s: string, all: string): string {
  const at = s.search(notToken);
  if (s === '' || at !== -1) throw invalid(what, all, at);
  return lower(s);
}

// parameters takes `name=value` apart: the first of each name counts, and none that cannot be.
function parameters(s: string): Map<string, string> {
  const found = new Map<string, string>();
  const end = trimEnd(s).length;
  for (let at = 0; at < end; at++) {
    while (at < s.length && '\r\n\t '.includes(s[at])) at++;
    const from = at;
    while (at < s.length && s[at] !== ';' && s[at] !== '=') at++;
    const name = lower(s.slice(from, at));
    if (at < end && s[at] === ';') continue;
    at++; // =
    if (at >= end) break;
    let value: string;
    if (s[at] === '"') {
      const [all, text, last] = quoted.exec(s.slice(at + 1))!;
      at += 1 + all.length;
      value = text.replace(/\\([\s\S])/g, '$1') + (last === '"' ? '' : last);
    } else {
      const semicolon = s.indexOf(';', at);
      const to = semicolon === -1 ? s.length : semicolon;
      value = trimEnd(s.slice(at, to));
      at = to;
      if (value === '') at--;
      if (value === '') continue;
    }
    if (name !== '' && !notToken.test(name) && !notQuoted.test(value) && !found.has(name)) found.set(name, value);
  }
  return found;
}

export class MIMEParams {
  #data: Map<any, any> | null = new Map();
  // Parsed when it is first asked for.
  #text = '';
  get #map(): Map<any, any> {
    return (this.#data ??= parameters(this.#text));
  }
  static _of(text: string): MIMEParams {
    const p = new MIMEParams();
    p.#data = null;
    p.#text = text;
    return p;
  }
  delete(name: any): void {
    this.#map.delete(name);
  }
  get(name: any): any {
    return this.#map.get(name) ?? null;
  }
  has(name: any): boolean {
    return this.#map.has(name);
  }
  set(name: any, value: any): void {
    const map = this.#map;
    const k = `${name}`;
    const v = `${value}`;
    const badName = k.search(notToken);
    if (k.length === 0 || badName !== -1) throw invalid('parameter name', k, badName);
    const badValue = v.search(notQuoted);
    if (badValue !== -1) throw invalid('parameter value', v, badValue);
    map.set(k, v);
  }
  *entries(): any {
    for (const x of this.#map.entries()) yield x;
  }
  *keys(): any {
    for (const x of this.#map.keys()) yield x;
  }
  *values(): any {
    for (const x of this.#map.values()) yield x;
  }
  toString(): string {
    const parts: string[] = [];
    this.#map.forEach((v, k) => parts.push(`${k}=${v === '' || notToken.test(v) ? `"${v.replace(/["\\]/g, '\\$&')}"` : v}`));
    return parts.join(';');
  }
}

export class MIMEType {
  #type: string;
  #subtype: string;
  #params: MIMEParams;
  constructor(text: any) {
    const all = `${text}`;
    const s = all.replace(/^[\r\n\t ]+/, '');
    const slash = s.indexOf('/');
    const name = slash === -1 ? s : s.slice(0, slash);
    if (slash === -1) throw invalid('type', all, name.search(notToken));
    this.#type = token('type', name, all);
    const rest = s.slice(slash + 1);
    const semicolon = rest.indexOf(';');
    this.#subtype = token('subtype', trimEnd(semicolon === -1 ? rest : rest.slice(0, semicolon)), all);
    this.#params = of(semicolon === -1 ? '' : rest.slice(semicolon + 1));
  }
  get type(): string {
    return this.#type;
  }
  set type(v: any) {
    this.#type = token('type', `${v}`, `${v}`);
  }
  get subtype(): string {
    return this.#subtype;
  }
  set subtype(v: any) {
    this.#subtype = token('subtype', `${v}`, `${v}`);
  }
  get essence(): string {
    return `${this.#type}/${this.#subtype}`;
  }
  get params(): MIMEParams {
    return this.#params;
  }
  toString(): string {
    const p = this.#params.toString();
    return this.essence + (p === '' ? '' : ';' + p);
  }
}
const { _of: of } = MIMEParams;
delete (MIMEParams as any)._of;

Object.defineProperty(MIMEParams.prototype, Symbol.iterator, { value: MIMEParams.prototype.entries, writable: true, configurable: true });
for (const C of [MIMEParams, MIMEType]) Object.defineProperty(C.prototype, 'toJSON', { value: C.prototype.toString, writable: true, configurable: true });

// util.inspect and util.format as Node 20 prints, without colours. Both builds have
// this very code: what it reads of shared state, and in which form, must be the same.
import { tagOf } from './asyncness';
import { heardFor } from './emitter';
import { invalidType } from '../models/internal/errors';

export let types: any;

// hidden shows what only the engine sees: how a promise was settled, what an iterator of the
// engine's has yet to give.
let hidden: (v: object, options: object) => string;

// proxied are the target and the handler of a Proxy of the program's, whose traps nobody asks.
let proxied: (v: any) => [target: any, handler: any] | undefined;

// use gives it the build's util.types, and what shows promises and iterators.
export function use(of: any, show: typeof hidden, parts: typeof proxied): void {
  types = of;
  hidden = show;
  proxied = parts;
}

export const custom = Symbol.for('nodejs.util.inspect.custom');

interface Context {
  depth: number | null;
  showHidden: boolean;
  customInspect: boolean;
  maxArrayLength: number;
  maxStringLength: number;
  breakLength: number;
  compact: number | boolean;
  sorted: boolean | ((a: string, b: string) => number);
  getters: boolean | string;
  numericSeparator: boolean;
  seen: any[];
  circular: Map<any, number> | null;
  showProxy: boolean;
  indentation: number;
  current: number;
  options: any;
}

const defaults: any = Object.seal({ showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false });

export function inspect(value: any, options?: any, ...legacy: any[]): string {
  const o: any = { ...defaults };
  if (options !== null && typeof options === 'object') for (const k of Object.keys(options)) if (k in defaults) o[k] = options[k];
  if (typeof options === 'boolean') {
    o.showHidden = options;
    if (legacy[0] !== undefined) o.depth = legacy[0];
  }
  if (o.maxArrayLength === null) o.maxArrayLength = Infinity;
  if (o.maxStringLength === null) o.maxStringLength = Infinity;
  return format1({ ...o, seen: [], circular: null, indentation: 0, current: 0, options: o }, value, 0);
}
(inspect as any).custom = custom;
Object.defineProperty(inspect, 'defaultOptions', {
  get: () => defaults,
  set(options) {
    if (typeof options !== 'object' || options === null) throw invalidType('options', 'of type object', options);
    Object.assign(defaults, options);
  },
});
(inspect as any).colors = { __proto__: null };
(inspect as any).styles = { __proto__: null };

const simpleKey = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
const escapes = ['\\x00', '\\x01', '\\x02', '\\x03', '\\x04', '\\x05', '\\x06', '\\x07', '\\b', '\\t', '\\n', '\\x0B', '\\f', '\\r', '\\x0E', '\\x0F', '\\x10', '\\x11', '\\x12', '\\x13', '\\x14', '\\x15', '\\x16', '\\x17', '\\x18', '\\x19', '\\x1A', '\\x1B', '\\x1C', '\\x1D', '\\x1E', '\\x1F'];

function escape(c: string): string {
  const n = c.charCodeAt(0);
  if (n < 32) return escapes[n];
  if (n === 39) return "\\'";
  if (n === 92) return '\\\\';
  return n < 160 ? '\\x' + n.toString(16).toUpperCase() : '\\u' + n.toString(16);
}

const lone = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const special = new RegExp(`[\\x00-\\x1f\\x27\\x5c\\x7f-\\x9f]|${lone}`, 'g');
const specialNotQuote = new RegExp(`[\\x00-\\x1f\\x5c\\x7f-\\x9f]|${lone}`, 'g');

function quote(s: string): string {
  let q = "'";
  if (s.includes("'")) {
    if (!s.includes('"')) q = '"';
    else if (!s.includes('`') && !s.includes('${')) q = '`';
  }
  return q + s.replace(q === "'" ? special : specialNotQuote, escape) + q;
}

const more = (n: number) => `... ${n} more item${n > 1 ? 's' : ''}`;

function separated(s: string): string {
  return s.replace(/(?<!\..*)(\d)(?=(?:\d{3})+(?!\d))/g, '$1_');
}

function number(n: number, separator = false): string {
  const s = Object.is(n, -0) ? '-0' : `${n}`;
  return separator && !s.includes('e') ? separated(s) : s;
}

function primitive(c: Context, v: any): string {
  switch (typeof v) {
    case 'string': {
      let trailer = '';
      if (v.length > c.maxStringLength) {
        const n = v.length - c.maxStringLength;
        v = v.slice(0, c.maxStringLength);
        trailer = `... ${n} more character${n > 1 ? 's' : ''}`;
      }
      if (c.compact !== true && v.length > 16 && v.length > c.breakLength - c.indentation - 4)
        return v.split(/(?<=\n)/).map(quote).join(` +\n${' '.repeat(c.indentation + 2)}`) + trailer;
      return quote(v) + trailer;
    }
    case 'number':
      return number(v, c.numericSeparator);
    case 'bigint':
      return `${c.numericSeparator ? separated(`${v}`) : v}n`;
    case 'symbol':
      return v.toString();
  }
  return `${v}`;
}

function constructorName(o: any): string | null {
  for (let p = o; p !== null; p = Object.getPrototypeOf(p)) {
    const d = Object.getOwnPropertyDescriptor(p, 'constructor');
    if (d !== undefined && typeof d.value === 'function' && d.value.name !== '' && instance(o, d.value)) return String(d.value.name);
  }
  return Object.getPrototypeOf(o) === null ? null : 'Object <Complex prototype>';
}

function instance(o: any, f: any): boolean {
  try {
    return o instanceof f;
  } catch {
    return false;
  }
}

function prefix(name: string | null, tag: string, fallback: string, size = ''): string {
  if (name === null) return tag !== '' && fallback !== tag ? `[${fallback}${size}: null prototype] [${tag}] ` : `[${fallback}${size}: null prototype] `;
  return tag !== '' && name !== tag ? `${name}${size} [${tag}] ` : `${name}${size} `;
}

function keysOf(o: any, hidden: boolean, indexed: boolean): PropertyKey[] {
  let names: PropertyKey[] = hidden ? Object.getOwnPropertyNames(o) : Object.keys(o);
  if (indexed) names = names.filter((k) => !/^(0|[1-9][0-9]*)$/.test(k as string));
  return names.concat(Object.getOwnPropertySymbols(o).filter((k) => hidden || Object.prototype.propertyIsEnumerable.call(o, k)));
}

function format1(c: Context, v: any, depth: number, inBuffer = false): string {
  if (typeof v === 'function') v = heardFor(v);
  if ((typeof v !== 'object' && typeof v !== 'function') || v === null) return primitive(c, v);
  const context = v;
  const parts = proxied(v);
  if (parts !== undefined) {
    if (revoked(v)) return '<Revoked Proxy>';
    if (c.showProxy) return proxy(c, parts, depth);
    v = parts[0];
  }
  if (c.customInspect) {
    const f = v[custom];
    if (typeof f === 'function' && f !== inspect && !(v.constructor && v.constructor.prototype === v)) {
      const left = c.depth === null ? null : c.depth - depth;
      const r = f.call(context, left, { stylize: (s: any) => `${s}`, ...c.options }, inspect);
      if (r !== context) return typeof r === 'string' ? r.replaceAll('\n', '\n' + ' '.repeat(c.indentation)) : format1(c, r, depth);
    }
  }
  if (c.seen.includes(v)) {
    c.circular ??= new Map();
    if (!c.circular.has(v)) c.circular.set(v, c.circular.size + 1);
    return `[Circular *${c.circular.get(v)}]`;
  }
  return object(c, v, depth, inBuffer);
}

function revoked(p: any): boolean {
  try {
    return Array.isArray(p) && false;
  } catch {
    return true;
  }
}

function proxy(c: Context, parts: [target: any, handler: any], depth: number): string {
  if (c.depth !== null && depth > c.depth) return 'Proxy [Array]';
  depth++;
  c.indentation += 2;
  const output = parts.map((x) => format1(c, x, depth));
  c.indentation -= 2;
  return layout(c, output, '', ['Proxy [', ']'], true, depth, parts);
}

function functionBase(f: Function, name: string | null, tag: string): string {
  const text = Function.prototype.toString.call(f);
  if (text.startsWith('class') && text.endsWith('}')) {
    const own = Object.hasOwn(f, 'name') && f.name;
    let s = `[class ${own || '(anonymous)'}`;
    if (name !== 'Function' && name !== null) s += ` [${name}]`;
    if (tag !== '' && name !== tag) s += ` [${tag}]`;
    if (name !== null) {
      const parent = Object.getPrototypeOf(f).name;
      if (parent) s += ` extends ${parent}`;
    } else s += ' extends [null prototype]';
    return s + ']';
  }
  let type = 'Function';
  const kind = tagOf(f);
  if (kind !== undefined) {
    // What it was before it was lowered.
    type = name = kind;
    tag = '';
  } else if (types.isGeneratorFunction(f)) type = 'GeneratorFunction';
  let s = `[${type}`;
  if (name === null) s += ' (null prototype)';
  s += f.name === '' ? ' (anonymous)' : `: ${f.name}`;
  s += ']';
  if (name !== type && name !== null) s += ` ${name}`;
  if (tag !== '' && name !== tag) s += ` [${tag}]`;
  return s;
}

function errorBase(c: Context, e: any, name: string | null, tag: string, keys: PropertyKey[]): string {
  const ename = e.name != null ? `${e.name}` : 'Error';
  let stack = e.stack ? `${e.stack}` : Error.prototype.toString.call(e);
  if (!c.showHidden && keys.length > 0) {
    for (const k of ['name', 'message', 'stack']) {
      const at = keys.indexOf(k);
      if (at >= 0 && stack.includes(e[k])) keys.splice(at, 1);
    }
  }
  if ('cause' in e && (keys.length === 0 || !keys.includes('cause'))) keys.push('cause');
  if (Array.isArray(Object.getOwnPropertyDescriptor(e, 'errors')?.value) && !keys.includes('errors')) keys.push('errors');
  if (name === null || (ename.endsWith('Error') && stack.startsWith(ename) && (stack.length === ename.length || stack[ename.length] === ':' || stack[ename.length] === '\n'))) {
    let fallback = 'Error';
    if (name === null) {
      const m = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/.exec(stack) ?? /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
      fallback = m?.[1] ?? '';
      stack = `${prefix(name, tag, fallback).slice(0, -1)}${stack.slice(fallback.length) || ''}`;
    } else if (!name.includes(ename) && !ename.includes(name)) stack = `${name} [${ename}]${stack.slice(ename.length)}`;
    else if (name !== ename && name.includes(ename)) stack = `${name}${stack.slice(ename.length)}`;
  }
  const at = e.message && stack.indexOf(e.message) >= 0 ? stack.indexOf(e.message) + e.message.length : 0;
  const frames = stack.indexOf('\n    at', at);
  if (frames < 0) stack = `[${stack}]`;
  if (c.indentation !== 0) stack = stack.replaceAll('\n', '\n' + ' '.repeat(c.indentation));
  return stack;
}

function object(c: Context, v: any, depth: number, inBuffer: boolean): string {
  const name = constructorName(v);
  let tag = v[Symbol.toStringTag];
  if (typeof tag !== 'string' || (tag !== '' && Object.prototype.propertyIsEnumerable.call(v, Symbol.toStringTag))) tag = '';
  let keys: PropertyKey[];
  let base = '';
  let braces = ['{', '}'];
  let entries: () => string[] = () => [];
  let array = false;

  if (Array.isArray(v)) {
    array = true;
    keys = keysOf(v, c.showHidden, true);
    braces = [`${name !== 'Array' || tag !== '' ? prefix(name, tag, 'Array', `(${v.length})`) : ''}[`, ']'];
    if (v.length === 0 && keys.length === 0) return braces[0] + ']';
    entries = () => elements(c, v, depth);
  } else if (types.isSet(v)) {
    keys = keysOf(v, c.showHidden, false);
    const p = prefix(name, tag, 'Set', `(${v.size})`);
    if (v.size === 0 && keys.length === 0) return p + '{}';
    braces = [p + '{', '}'];
    entries = () => several(c, v.size, v.values(), (x) => format1(c, x, depth));
  } else if (types.isMap(v)) {
    keys = keysOf(v, c.showHidden, false);
    const p = prefix(name, tag, 'Map', `(${v.size})`);
    if (v.size === 0 && keys.length === 0) return p + '{}';
    braces = [p + '{', '}'];
    entries = () => several(c, v.size, v.entries(), ([k, x]) => `${format1(c, k, depth)} => ${format1(c, x, depth)}`);
  } else if (types.isTypedArray(v)) {
    array = true;
    keys = keysOf(v, c.showHidden, true);
    braces = [`${prefix(name, tag, tag, `(${v.length})`)}[`, ']'];
    if (v.length === 0 && keys.length === 0 && !c.showHidden) return braces[0] + ']';
    entries = () => {
      const n = Math.min(Math.max(0, c.maxArrayLength), v.length);
      const out = [];
      for (let i = 0; i < n; i++) out.push(typeof v[i] === 'bigint' ? `${v[i]}n` : number(v[i], c.numericSeparator));
      if (v.length > n) out.push(more(v.length - n));
      return out;
    };
  } else {
    keys = keysOf(v, c.showHidden, false);
    if (typeof v === 'function') {
      base = functionBase(v, name, tag);
      if (keys.length === 0) return base;
    } else if (namespace(v)) {
      braces[0] = '[Module: null prototype] {';
      if (keys.length === 0) return braces[0] + '}';
    } else if (name === 'Object') {
      if (types.isArgumentsObject(v)) braces[0] = '[Arguments] {';
      else if (tag !== '') braces[0] = `${prefix(name, tag, 'Object')}{`;
      if (keys.length === 0) return braces[0] + '}';
    } else if (types.isRegExp(v)) {
      base = RegExp.prototype.toString.call(v);
      const p = prefix(name, tag, 'RegExp');
      if (p !== 'RegExp ') base = p + base;
      if (keys.length === 0 || (c.depth !== null && depth > c.depth)) return base;
    } else if (types.isDate(v)) {
      base = Number.isNaN(v.getTime()) ? Date.prototype.toString.call(v) : Date.prototype.toISOString.call(v);
      const p = prefix(name, tag, 'Date');
      if (p !== 'Date ') base = p + base;
      if (keys.length === 0) return base;
    } else if (v instanceof Error) {
      base = errorBase(c, v, name, tag, keys);
      if (keys.length === 0) return base;
    } else if (types.isAnyArrayBuffer(v)) {
      const p = prefix(name, tag, types.isArrayBuffer(v) ? 'ArrayBuffer' : 'SharedArrayBuffer');
      if (inBuffer && keys.length === 0) return `${p}{ byteLength: ${v.byteLength} }`;
      braces[0] = p + '{';
      entries = () => {
        const n = Math.min(c.maxArrayLength, v.byteLength);
        const hex = Array.from(new Uint8Array(v, 0, n), (b) => b.toString(16).padStart(2, '0')).join(' ');
        const rest = v.byteLength - n;
        return [`[Uint8Contents]: <${hex}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''}>`];
      };
      keys.unshift('byteLength');
    } else if (types.isDataView(v)) {
      braces[0] = `${prefix(name, tag, 'DataView')}{`;
      keys.unshift('byteLength', 'byteOffset', 'buffer');
    } else if (types.isPromise(v) || types.isMapIterator(v) || types.isSetIterator(v)) {
      const { showHidden, maxArrayLength, maxStringLength, breakLength, compact, sorted, numericSeparator } = c;
      const left = c.depth === null ? null : c.depth - depth;
      if (left !== null && left < 0) return `[${name ?? 'Object: null prototype'}]`;
      const text = hidden(v, { depth: left, showHidden, maxArrayLength, maxStringLength, breakLength, compact, sorted, numericSeparator });
      return text.replaceAll('\n', '\n' + ' '.repeat(c.indentation));
    } else if (types.isWeakSet(v) || types.isWeakMap(v)) {
      braces[0] = `${prefix(name, tag, types.isWeakSet(v) ? 'WeakSet' : 'WeakMap')}{`;
      entries = () => ['<items unknown>'];
    } else if (types.isBoxedPrimitive(v)) {
      const p = v.valueOf();
      const type = typeof p === 'bigint' ? 'BigInt' : (typeof p)[0].toUpperCase() + (typeof p).slice(1);
      base = `[${type}`;
      if (type === 'String') keys = keys.filter((k) => !/^\d+$/.test(String(k)));
      if (name !== type) base += name === null ? ' (null prototype)' : ` (${name})`;
      base += `: ${primitive({ ...c, compact: true }, p)}]`;
      if (tag !== '' && tag !== name) base += ` [${tag}]`;
      if (keys.length === 0) return base;
    } else {
      if (keys.length === 0) return `${prefix(name, tag, 'Object')}{}`;
      braces[0] = `${prefix(name, tag, 'Object')}{`;
    }
  }

  if (c.depth !== null && depth > c.depth) {
    let n = prefix(name, tag, array ? 'Array' : 'Object').slice(0, -1);
    if (name !== null) n = `[${n}]`;
    return n;
  }
  depth++;
  c.seen.push(v);
  c.current = depth;
  const output = entries();
  for (const k of keys) output.push(property(c, v, depth, k, array));
  c.seen.pop();
  if (c.circular !== null) {
    const index = c.circular.get(v);
    if (index !== undefined) {
      const reference = `<ref *${index}>`;
      if (c.compact !== true) base = base === '' ? reference : `${reference} ${base}`;
      else braces[0] = `${reference} ${braces[0]}`;
    }
  }
  if (c.sorted) {
    const compare = c.sorted === true ? undefined : c.sorted;
    if (!array) output.sort(compare);
  }
  return layout(c, output, base, braces, array, depth, v);
}

function several(c: Context, size: number, it: Iterable<any>, f: (x: any) => string): string[] {
  const n = Math.min(Math.max(0, c.maxArrayLength), size);
  const out: string[] = [];
  c.indentation += 2;
  for (const x of it) {
    if (out.length >= n) break;
    out.push(f(x));
  }
  if (size > n) out.push(more(size - n));
  c.indentation -= 2;
  return out;
}

function elements(c: Context, v: any[], depth: number): string[] {
  const n = Math.min(Math.max(0, c.maxArrayLength), v.length);
  const out: string[] = [];
  let at = 0;
  while (at < v.length && out.length < n) {
    if (Object.hasOwn(v, at)) {
      out.push(property(c, v, depth, at, true, true));
      at++;
      continue;
    }
    const from = at;
    while (at < v.length && !Object.hasOwn(v, at)) at++;
    out.push(`<${at - from} empty item${at - from > 1 ? 's' : ''}>`);
  }
  if (at < v.length) out.push(more(v.length - at));
  return out;
}

// namespace tells whether an object stands for the namespace of a module (see the
// bundler's helpers).
function namespace(v: any): boolean {
  return typeof v === 'object' && Object.getPrototypeOf(v) === null && Object.getOwnPropertyDescriptor(v, Symbol.toStringTag)?.value === 'Module';
}

function property(c: Context, v: any, depth: number, key: PropertyKey, array: boolean, element = false): string {
  let d = Object.getOwnPropertyDescriptor(v, key) ?? { value: v[key], enumerable: true };
  if (d.get !== undefined && namespace(v)) d = { value: v[key], enumerable: d.enumerable };
  let s: string;
  if (d.value !== undefined) {
    const by = c.compact !== true || element || array ? 2 : 3;
    c.indentation += by;
    s = format1(c, d.value, depth);
    c.indentation -= by;
  } else if (d.get !== undefined) {
    const label = d.set !== undefined ? 'Getter/Setter' : 'Getter';
    if (c.getters === true || (c.getters === 'get' && d.set === undefined) || (c.getters === 'set' && d.set !== undefined)) {
      try {
        const x = d.get.call(v);
        c.indentation += 2;
        s = x !== null && typeof x === 'object' ? `[${label}] ${format1(c, x, depth)}` : `[${label}: ${primitive(c, x)}]`;
        c.indentation -= 2;
      } catch (e: any) {
        s = `[${label}: <Inspection threw (${e.message})>]`;
      }
    } else s = `[${label}]`;
  } else s = d.set !== undefined ? '[Setter]' : 'undefined';
  if (element) return s;
  let name: string;
  if (typeof key === 'symbol') name = `[${key.toString().replace(special, escape)}]`;
  else if (key === '__proto__') name = "['__proto__']";
  else if (d.enumerable === false) name = `[${String(key).replace(special, escape)}]`;
  else if (simpleKey.test(key as string)) name = key as string;
  else name = quote(String(key));
  return `${name}: ${s}`;
}

function fits(c: Context, output: string[], start: number, base: string): boolean {
  let total = output.length + start;
  if (total + output.length > c.breakLength) return false;
  for (const s of output) {
    total += s.length;
    if (total > c.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

function layout(c: Context, output: string[], base: string, braces: string[], array: boolean, depth: number, v: any): string {
  if (c.compact !== true) {
    if (typeof c.compact === 'number' && c.compact >= 1) {
      const n = output.length;
      if (array && n > 6) output = columns(c, output, v);
      if (c.current - depth < c.compact && n === output.length) {
        const start = output.length + c.indentation + braces[0].length + base.length + 10;
        if (fits(c, output, start, base)) {
          const joined = output.join(', ');
          if (!joined.includes('\n')) return `${base ? `${base} ` : ''}${braces[0]} ${joined} ${braces[1]}`;
        }
      }
    }
    const indent = `\n${' '.repeat(c.indentation)}`;
    return `${base ? `${base} ` : ''}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`;
  }
  if (fits(c, output, 0, base)) return `${braces[0]}${base ? ` ${base}` : ''} ${output.join(', ')} ${braces[1]}`;
  const indent = ' '.repeat(c.indentation);
  const line = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}\n${indent}  `;
  return `${braces[0]}${line}${output.join(`,\n${indent}  `)} ${braces[1]}`;
}

// columns puts the elements of a long array into columns.
function columns(c: Context, output: string[], v: any): string[] {
  let total = 0;
  let longest = 0;
  const count = c.maxArrayLength < output.length ? output.length - 1 : output.length;
  const lengths = new Array(count);
  for (let i = 0; i < count; i++) {
    const n = width(output[i]);
    lengths[i] = n;
    total += n + 2;
    if (longest < n) longest = n;
  }
  const most = longest + 2;
  if (!(most * 3 + c.indentation < c.breakLength && (total / most > 5 || longest <= 6))) return output;
  const bias = Math.sqrt(most - total / output.length);
  const biased = Math.max(most - 3 - bias, 1);
  const n = Math.min(Math.round(Math.sqrt(2.5 * biased * count) / biased), Math.floor((c.breakLength - c.indentation) / most), (c.compact as number) * 4, 15);
  if (n <= 1) return output;
  const widths: number[] = [];
  for (let i = 0; i < n; i++) {
    let w = 0;
    for (let j = i; j < output.length; j += n) if (lengths[j] > w) w = lengths[j];
    widths.push(w + 2);
  }
  let right = true;
  if (v !== undefined) {
    for (let i = 0; i < output.length; i++) {
      if (typeof v[i] !== 'number' && typeof v[i] !== 'bigint') {
        right = false;
        break;
      }
    }
  }
  const lines: string[] = [];
  for (let i = 0; i < count; i += n) {
    const end = Math.min(i + n, count);
    let s = '';
    let j = i;
    for (; j < end - 1; j++) {
      const pad = widths[j - i] + output[j].length - lengths[j];
      s += right ? `${output[j]}, `.padStart(pad) : `${output[j]}, `.padEnd(pad);
    }
    s += right ? output[j].padStart(widths[j - i] + output[j].length - lengths[j] - 2) : output[j];
    lines.push(s);
  }
  if (c.maxArrayLength < output.length) lines.push(output[count]);
  return lines;
}

// width counts columns; wide characters are taken for two.
function width(s: string): number {
  let n = 0;
  for (const ch of s.normalize('NFC')) {
    const p = ch.codePointAt(0)!;
    if (p < 32 || (p >= 0x7f && p < 0xa0) || (p >= 0x300 && p <= 0x36f) || (p >= 0x200b && p <= 0x200f) || (p >= 0x20d0 && p <= 0x20ff) || (p >= 0xfe00 && p <= 0xfe0f) || (p >= 0xfe20 && p <= 0xfe2f) || (p >= 0xe0100 && p <= 0xe01ef)) continue;
    n += (p >= 0x1100 && p <= 0x115f) || (p >= 0x2e80 && p <= 0xa4cf && p !== 0x303f) || (p >= 0xac00 && p <= 0xd7a3) || (p >= 0xf900 && p <= 0xfaff) || (p >= 0xfe30 && p <= 0xfe6f) || (p >= 0xff00 && p <= 0xff60) || (p >= 0xffe0 && p <= 0xffe6) || (p >= 0x1f300 && p <= 0x1f64f) || (p >= 0x1f900 && p <= 0x1f9ff) || (p >= 0x20000 && p <= 0x3fffd) ? 2 : 1;
  }
  return n;
}

// ---- format

// ownToString: the program says itself what the object is as text.
function ownToString(v: any): boolean {
  const parts = proxied(v);
  if (parts !== undefined) {
    if (revoked(v)) return false;
    v = parts[0];
  }
  const ways = ['toString', Symbol.toPrimitive].filter((k) => typeof v[k] === 'function');
  if (ways.length === 0) return false;
  const own = (o: any): boolean => ways.some((k) => Object.hasOwn(o, k));
  if (own(v)) return true;
  let p = v;
  do p = Object.getPrototypeOf(p);
  while (!own(p));
  const d = Object.getOwnPropertyDescriptor(p, 'constructor');
  return !(d !== undefined && typeof d.value === 'function' && builtin.has(d.value.name));
}
// What the language itself brings, in Node 20.
const builtin = new Set(
  `Object Function Array Number Infinity NaN Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError
   SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array
   Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet Proxy Reflect FinalizationRegistry WeakRef SharedArrayBuffer
   Atomics WebAssembly`.split(/\s+/),
);

function json(v: any): string {
  try {
    return JSON.stringify(v);
  } catch (e: any) {
    if (/circular/.test(e.message)) return '[Circular]';
    throw e;
  }
}

export function formatWithOptions(options: any, ...args: any[]): string {
  const separator = options?.numericSeparator ?? defaults.numericSeparator;
  const shown = (n: any): string => (typeof n === 'bigint' ? `${separator ? separated(`${n}`) : n}n` : number(n, separator));
  const first = args[0];
  let a = 0;
  let s = '';
  let join = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let last = 0;
    for (let i = 0; i < first.length - 1; i++) {
      if (first[i] !== '%') continue;
      const kind = first[++i];
      if (a + 1 === args.length) {
        if (kind === '%') {
          s += first.slice(last, i);
          last = i + 1;
        }
        continue;
      }
      let t: string;
      switch (kind) {
        case 's': {
          const v = args[++a];
          if (typeof v === 'number' || typeof v === 'bigint') t = shown(v);
          else if (typeof v !== 'object' || v === null || ownToString(v)) t = String(v);
          else t = inspect(v, { ...options, compact: 3, colors: false, depth: 0 });
          break;
        }
        case 'j':
          t = json(args[++a]);
          break;
        case 'd': {
          const v = args[++a];
          t = typeof v === 'symbol' ? 'NaN' : shown(typeof v === 'bigint' ? v : Number(v));
          break;
        }
        case 'i': {
          const v = args[++a];
          t = typeof v === 'symbol' ? 'NaN' : shown(typeof v === 'bigint' ? v : parseInt(v));
          break;
        }
        case 'f': {
          const v = args[++a];
          t = typeof v === 'symbol' ? 'NaN' : shown(parseFloat(v));
          break;
        }
        case 'O':
          t = inspect(args[++a], options);
          break;
        case 'o':
          t = inspect(args[++a], { ...options, showHidden: true, showProxy: true, depth: 4 });
          break;
        case 'c':
          a++;
          t = '';
          break;
        case '%':
          s += first.slice(last, i);
          last = i + 1;
          continue;
        default:
          continue;
      }
      if (last !== i - 1) s += first.slice(last, i - 1);
      s += t;
      last = i + 1;
    }
    if (last !== 0) {
      a++;
      join = ' ';
      if (last < first.length) s += first.slice(last);
    }
  }
  for (; a < args.length; a++) {
    s += join + (typeof args[a] !== 'string' ? inspect(args[a], options) : args[a]);
    join = ' ';
  }
  return s;
}

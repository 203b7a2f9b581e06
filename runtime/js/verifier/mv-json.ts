// JSON in lockstep. What is the same in all lanes is walked and written once;
// only multivalues are written lane by lane.
import { diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, normStrings, project, state, Tag } from './mv-core';
import { isGuestProxy, nativeFunctions } from './mv-dispatch';
import { collect } from './mv-errors';
import { patch } from './mv-natives';
import { isTracked, trackedKeys } from './mv-objects';
import { num, str, und } from './mv-ops';
import { hint, hooks } from './track-hooks';

const stringify0 = JSON.stringify;
const parse0 = JSON.parse;

const escapes = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(s: string): string {
  return escapes.test(s) ? stringify0(s) : '"' + s + '"';
}

// ---- writing

// Text is pieces in order: a string for all lanes, or one string for each.
class Text {
  pieces: (string | string[])[] = [];
  put(s: string): void {
    const n = this.pieces.length;
    const last = this.pieces[n - 1];
    if (typeof last === 'string') this.pieces[n - 1] = last + s;
    else this.pieces[n] = s;
  }
  putLanes(v: string[]): void {
    this.pieces[this.pieces.length] = v;
  }
  append(t: Text): void {
    for (const p of t.pieces) if (typeof p === 'string') this.put(p);
      else this.putLanes(p);
  }
  lanes(): string[] {
    const r = new native.Array(state.N);
    for (let i = 0; i < r.length; i++) r[i] = '';
    for (const p of this.pieces) {
      if (typeof p === 'string') for (let i = 0; i < r.length; i++) r[i] += p;
      else for (let i = 0; i < r.length; i++) r[i] += p[i];
    }
    return r;
  }
  value(): any {
    if (this.pieces.length === 0) return '';
    if (this.pieces.length === 1 && typeof this.pieces[0] === 'string') return this.pieces[0];
    return normStrings(this.lanes());
  }
}

// absent: this value leaves no text, in all lanes or (an array) in some.
type Absent = boolean | boolean[];

class Writer {
  private stack: any[] = [];
  private indent = '';
  // The lane that is being written alone, where lanes have objects of their own.
  private alone = -1;

  constructor(
    private readonly replacer: Function | null,
    private readonly only: string[] | null,
    private readonly gap: string,
  ) {}

  // value writes one value and tells whether there was anything to write.
  value(holder: any, key: string, x: any, out: Text): Absent {
    if (this.alone >= 0) x = lane(x, this.alone);
    if ((typeof x === 'object' && x !== null) || typeof x === 'bigint') {
      const f = this.toJSON(x);
      if (typeof f === 'function') {
        if (this.alone >= 0 && !nativeFunctions.has(f)) diverge('toJSON of objects that differ by lane');
        x = f.call(x, key);
      } else if (isMV(f)) diverge('toJSON that differs by lane');
    }
    if (this.replacer !== null) {
      if (this.alone >= 0) diverge('a replacer for objects that differ by lane');
      x = this.replacer.call(holder, key, x);
    }
    if (this.alone >= 0) x = lane(x, this.alone);
    switch (typeof x) {
      case 'string':
        out.put(quote(x));
        return false;
      case 'number':
        out.put(x === x && x !== Infinity && x !== -Infinity ? '' + x : 'null');
        return false;
      case 'boolean':
        out.put(x ? 'true' : 'false');
        return false;
      case 'bigint':
        throw new TypeError('Do not know how to serialize a BigInt');
      case 'object':
        break;
      default:
        return true;
    }
    if (x === null) {
      out.put('null');
      return false;
    }
    if (x instanceof MV) return this.multi(x, out);
    if (native.isArray(x)) {
      this.array(x, out);
      return false;
    }
    if (wraps(x)) return this.wrapper(x, out);
    this.object(x, out);
    return false;
  }

  private toJSON(x: any): any {
    if (isMV(x)) {
      if (x.$tag <= Tag.Boolean) return undefined;
      if (x.$tag === Tag.Primitive) {
        if (lanesOf(x).some((y) => typeof y === 'bigint')) diverge('a BigInt as JSON');
        return undefined;
      }
      if (x.$tag === Tag.Mixed) return undefined; // multi looks at each lane
    }
    return x.toJSON;
  }

  private wrapper(x: any, out: Text): Absent {
    if (x instanceof native.Boolean) out.put(native.apply(native.Boolean.prototype.valueOf, x, []) ? 'true' : 'false');
    else {
      const v = x instanceof native.Number ? num(x) : x instanceof native.String ? str(x) : diverge('a BigInt as JSON');
      if (isMV(v)) return this.multi(v, out);
      out.put(stringify0(v));
    }
    return false;
  }

  private multi(x: MV, out: Text): Absent {
    const v = lanesOf(x);
    const n = v.length;
    const texts = new native.Array(n);
    switch (x.$tag) {
      case Tag.String:
        for (let i = 0; i < n; i++) texts[i] = quote(v[i]);
        break;
      case Tag.Number:
        for (let i = 0; i < n; i++) texts[i] = stringify0(v[i]);
        break;
      case Tag.Boolean:
        for (let i = 0; i < n; i++) texts[i] = v[i] ? 'true' : 'false';
        break;
      default:
        return this.laneByLane(v, out);
    }
    out.putLanes(texts);
    return false;
  }

  // laneByLane writes what lanes have of their own.
  private laneByLane(v: any[], out: Text): Absent {
    const n = v.length;
    const texts = new native.Array(n);
    const gone = new native.Array(n);
    let some = 0;
    for (let i = 0; i < n; i++) {
      const t = new Text();
      this.alone = i;
      const saved = hint.lane;
      hint.lane = i; // tracked objects are asked for this lane
      try {
        const a = this.value(null, '', v[i], t);
        gone[i] = a === true;
      } finally {
        this.alone = -1;
        hint.lane = saved;
      }
      texts[i] = gone[i] ? '' : t.pieces.length === 0 ? '' : (t.pieces as string[]).join('');
      if (gone[i]) some++;
    }
    if (some === n) return true;
    out.putLanes(texts);
    return some === 0 ? false : gone;
  }

  private enter(x: any): string {
    for (let i = 0; i < this.stack.length; i++) if (this.stack[i] === x) circular(x);
    if (this.stack.length > 4000) diverge('JSON nested too deeply');
    this.stack[this.stack.length] = x;
    const before = this.indent;
    this.indent += this.gap;
    return before;
  }

  private leave(before: string): void {
    this.stack.length--;
    this.indent = before;
  }

  private array(x: any[], out: Text): void {
    const before = this.enter(x);
    let n: any = isTracked(x) ? hooks.length(x) : x.length;
    if (isMV(n)) n = this.alone >= 0 ? lane(n, this.alone) : divergeBy('the number of elements', lanesOf(n));
    const sep = this.gap === '' ? ',' : ',\n' + this.indent;
    out.put(n === 0 ? '[' : this.gap === '' ? '[' : '[\n' + this.indent);
    for (let i = 0; i < n; i++) {
      if (i > 0) out.put(sep);
      const a = this.value(x, native.String(i), x[i], out);
      if (a === true) out.put('null');
      else if (a !== false) {
        const last = out.pieces[out.pieces.length - 1] as string[];
        for (let j = 0; j < last.length; j++) if (a[j]) last[j] = 'null';
      }
    }
    if (n > 0 && this.gap !== '') out.put('\n' + before);
    out.put(']');
    this.leave(before);
  }

  private object(x: any, out: Text): void {
    const before = this.enter(x);
    const keys = this.only ?? (isTracked(x) ? trackedKeys(x) : native.keys(x));
    const sep = this.gap === '' ? ',' : ',\n' + this.indent;
    const colon = this.gap === '' ? ':' : ': ';
    const open = this.gap === '' ? '' : '\n' + this.indent;
    const close = this.gap === '' ? '' : '\n' + before;
    out.put('{');
    // first: nothing is written yet, in all lanes or (an array) in some.
    let first: Absent = true;
    for (let j = 0; j < keys.length; j++) {
      const k = keys[j];
      const t = new Text();
      const gone = this.value(x, k, x[k], t);
      if (gone === true) continue;
      const head = quote(k) + colon;
      if (gone === false && typeof first === 'boolean') {
        out.put((first ? open : sep) + head);
        out.append(t);
        first = false;
        continue;
      }
      // Some lanes leave this member out, or left out all before it.
      const texts = t.lanes();
      const was: Absent = first;
      const now = new native.Array(texts.length);
      out.putLanes(
        texts.map((s, i) => {
          const f = typeof was === 'boolean' ? was : was[i];
          const g = gone !== false && gone[i];
          now[i] = f && g;
          return g ? '' : (f ? open : sep) + head + s;
        }),
      );
      first = now.every((y: boolean) => !y) ? false : now;
    }
    if (first === false) out.put(close);
    else if (first !== true) out.putLanes(first.map((f) => (f ? '' : close)));
    out.put('}');
    this.leave(before);
  }
}

function circular(_x: any): never {
  return diverge('a circular structure as JSON');
}

function stringify(x: any, replacer: any, space: any): any {
  if (isMV(replacer) || isMV(space)) diverge('JSON.stringify with options that differ by lane');
  let only: string[] | null = null;
  if (native.isArray(replacer)) {
    only = [];
    for (const k of replacer) {
      if (isMV(k)) diverge('JSON.stringify with keys that differ by lane');
      if (typeof k === 'string' || typeof k === 'number' || k instanceof native.String || k instanceof native.Number) {
        const s = native.String(k);
        if (!only.includes(s)) only.push(s);
      }
    }
  }
  let gap = '';
  if (space instanceof native.Number) space = native.Number(space);
  else if (space instanceof native.String) space = native.String(space);
  if (typeof space === 'number') gap = ' '.repeat(Math.min(10, Math.max(0, Math.trunc(space))) || 0);
  else if (typeof space === 'string') gap = space.slice(0, 10);
  const w = new Writer(typeof replacer === 'function' ? replacer : null, only, gap);
  const out = new Text();
  const absent = w.value(w ? { '': x } : null, '', x, out);
  if (absent === true) return undefined;
  if (absent === false) return out.value();
  return norm(out.lanes().map((s, i) => (absent[i] ? undefined : s)));
}

// ---- reading

// zipDeep makes one structure of the group out of fresh ones, one per lane,
// where they have the same shape; where not, a multivalue of lane objects.
export function zipDeep(v: any[]): any {
  const a = v[0];
  if (typeof a !== 'object' || a === null) return norm(v, true);
  const n = v.length;
  if (native.isArray(a)) {
    for (let i = 1; i < n; i++) if (!native.isArray(v[i]) || v[i].length !== a.length) return norm(v, true);
    const out = new native.Array(a.length);
    for (let j = 0; j < a.length; j++) out[j] = zipDeep(column(v, j));
    return out;
  }
  const keys = native.keys(a);
  for (let i = 1; i < n; i++) {
    const x = v[i];
    if (typeof x !== 'object' || x === null || native.isArray(x)) return norm(v, true);
    const ks = native.keys(x);
    if (ks.length !== keys.length) return norm(v, true);
    for (let j = 0; j < ks.length; j++) if (ks[j] !== keys[j]) return norm(v, true);
  }
  const out: any = {};
  for (let j = 0; j < keys.length; j++) {
    const k = keys[j];
    const x = zipDeep(column(v, k));
    if (k === '__proto__') native.define(out, k, { value: x, writable: true, enumerable: true, configurable: true });
    else out[k] = x;
  }
  return out;
}

function column(v: any[], k: any): any[] {
  const r = new native.Array(v.length);
  for (let i = 0; i < r.length; i++) r[i] = v[i][k];
  return r;
}

function revive(holder: any, k: string, reviver: Function): any {
  const x = holder[k];
  if (isMV(x) && x.$tag > Tag.Primitive) diverge('a reviver for structures that differ by lane');
  if (typeof x === 'object' && x !== null && !isMV(x)) {
    const keys = native.isArray(x) ? x.map((_, i) => native.String(i)) : native.keys(x);
    for (const j of keys) {
      const y = revive(x, j, reviver);
      und(y);
      if (y === undefined) delete x[j];
      else x[j] = y;
    }
  }
  return reviver.call(holder, k, x);
}

// wraps tells objects that stand for primitives, and asks no Proxy.
function wraps(x: any): boolean {
  for (let p = x; p !== null && !isGuestProxy(p); p = native.getProto(p)) if (wrappers.has(p)) return true;
  return false;
}
const wrappers = new native.Set<any>([native.Number.prototype, native.String.prototype, native.Boolean.prototype, BigInt.prototype]);

export function installJSON(): void {
  patch(JSON, 'stringify', (f) => ({
    m(x: any, replacer: any, space: any): any {
      if (state.N === 1) return native.apply(f, JSON, arguments);
      if (isMV(replacer) || isMV(space)) diverge('JSON.stringify with options that differ by lane');
      if (typeof x !== 'object' && typeof replacer !== 'function') return f(x);
      if (state.L >= 0) diverge('JSON.stringify in a pure function');
      return stringify(x, replacer, space);
    },
  }).m);
  patch(JSON, 'parse', (f) => ({
    m(text: any, reviver: any): any {
      if (state.N === 1) return native.apply(f, JSON, arguments);
      if (isMV(reviver)) diverge('a reviver that differs by lane');
      const s = str(text);
      if (state.L >= 0 || !isMV(s)) {
        const g = typeof reviver === 'function' ? function (this: any, k: any, x: any): any { const r = reviver.call(this, k, x); und(r); return r; } : undefined;
        return parse0(project(s), g as any);
      }
      const r = zipDeep(collect((i) => parse0(lanesOf(s)[i])));
      return typeof reviver === 'function' ? revive({ '': r }, '', reviver) : r;
    },
  }).m);
}

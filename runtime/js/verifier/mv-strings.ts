// Strings and regular expressions. Their methods stay as the engine has them:
// patterns are matched many times more often than multivalues are. A method
// read from a multivalue, or called with one, is a variant from here.
import { anyMV, diverge, divergeBy, isMV, lane, lanesOf, MV, native, norm, normPlain, normStrings, project, state, Tag } from './mv-core';
import { unsupported } from './group';
import { unvariant, variantOf } from './mv-dispatch';
import { collect, perLane } from './mv-errors';
import { How, laneArgs, laneCall, method, variant, zip, zipLanes } from './mv-natives';
import { add, prim, str } from './mv-ops';

const SP: any = String.prototype;
const RP: any = RegExp.prototype;
const exec0 = RP.exec;
const replace0 = SP.replace;
const replaceAll0 = SP.replaceAll;

// The text is compiled for each name, so that its loop has inline caches of its own.
const template = `'use strict'; return { NAME(a, b) {
  if (state.N > 1 && state.L < 0 && arguments.length < 3 && typeof a !== 'object' && typeof b !== 'object' && this instanceof MV && this.$tag === 1) {
    const v = lanesOf(this), n = v.length, r = new A(n);
    switch (arguments.length) {
      case 0: for (let i = 0; i < n; i++) r[i] = v[i].NAME(); break;
      case 1: try { for (let i = 0; i < n; i++) r[i] = v[i].NAME(a); } catch { return general(f, this, arguments); } break;
      default: try { for (let i = 0; i < n; i++) r[i] = v[i].NAME(a, b); } catch { return general(f, this, arguments); }
    }
    return norm(r);
  }
  return general(f, this, arguments);
} }.NAME`;

function simple(name: string, normalise: (r: any[]) => any): void {
  variant(SP, name, (f) => {
    const text = template.replaceAll('NAME', name);
    return native.construct(native.Function, ['f', 'MV', 'state', 'lanesOf', 'general', 'norm', 'A', text])(f, MV, state, lanesOf, general, normalise, native.Array);
  });
}

function general(f: Function, t: any, args: ArrayLike<any>): any {
  if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
  if (isMV(t) && t.$tag > Tag.Primitive) t = str(t);
  return laneCall(f, t, args, How.Pure);
}

export function installStrings(): void {
  for (const k of 'charAt concat normalize padEnd padStart repeat slice substr substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd trimStart trimLeft trimRight toWellFormed valueOf anchor big blink bold fixed fontcolor fontsize italics link small strike sub sup'.split(' '))
    simple(k, normStrings);
  for (const k of 'at charCodeAt codePointAt endsWith includes indexOf isWellFormed lastIndexOf localeCompare startsWith'.split(' ')) simple(k, normPlain);
  variant(SP, 'search', (f) => method((t, args) => (state.N === 1 ? native.apply(f, t, args) : laneCall(f, t, checkPattern(args), How.Pure))));
  variant(SP, 'split', (f) => method((t, args) => split(f, t, args)));
  variant(SP, 'match', (f) => method((t, args) => match(f, t, args)));
  variant(SP, 'matchAll', (f) => method((t, args) => matchAll(f, t, args)));
  variant(SP, 'replace', (f) => method((t, args) => substitute(f, t, args)));
  variant(SP, 'replaceAll', (f) => method((t, args) => substitute(f, t, args)));
  variant(RP, 'exec', (f) => method((t, args) => run(f, t, args)));
  variant(RP, 'test', (f) => method((t, args) => run(f, t, args)));
  variant(RP, 'toString', (f) => method((t, args) => (isMV(t) ? laneCall(f, t, args, How.Pure) : native.apply(f, t, args))));
  // RegExp.$1 and the like tell of the last match only, whichever lane made it, in whichever turn.
  const { get: input } = native.getOwn(RegExp, 'input')!;
  for (const k of native.ownKeys(RegExp)) {
    const d = native.getOwn(RegExp, k)!;
    if (d.get === undefined || k === Symbol.species) continue;
    const get = d.get;
    native.define(RegExp, k, {
      ...d,
      get(this: any) {
        if (state.N > 1) diverge(`RegExp.${String(k)}`);
        if (native.apply(input!, RegExp, []) === noMatch) unsupported(`RegExp.${String(k)}, which tells of a match of an earlier turn,`);
        return native.apply(get, this, []);
      },
    });
  }
}

// forgetMatches begins a turn: what was matched before it, by this request or by others, nobody tracks.
export function forgetMatches(): void {
  native.apply(exec0, ofNoMatch, [noMatch]);
}

const noMatch = 'no match of this turn';
const ofNoMatch = /turn$/;

// checkPattern refuses patterns that are not native ones: the program's code
// must not run once per lane.
function checkPattern(args: ArrayLike<any>): ArrayLike<any> {
  const p = args[0];
  if (isMV(p)) {
    if (p.$tag > Tag.Primitive) for (const x of lanesOf(p)) plainPattern(x);
  } else plainPattern(p);
  return args;
}

function plainPattern(p: any): void {
  if ((typeof p !== 'object' && typeof p !== 'function') || p === null) return;
  if (!(p instanceof RegExp) || p.exec !== exec0) diverge('a pattern of the program’s own');
  if (isMV((p as any).lastIndex)) diverge('a pattern whose lastIndex differs by lane');
}

function split(f: Function, t: any, args: ArrayLike<any>): any {
  if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
  if (state.L >= 0) return laneCall(f, t, args, How.Pure);
  checkPattern(args);
  if (isMV(t)) t = str(t);
  return zipLanes((i) => native.apply(f, lane(t, i), laneArgs(args, i)));
}

// zipMatch makes one match of the group out of one per lane.
function zipMatch(r: any[]): any {
  let none = 0;
  for (let i = 0; i < r.length; i++) if (r[i] === null) none++;
  if (none === r.length) return null;
  if (none > 0) return norm(r, true);
  for (const x of r) if ((x.index === undefined) !== (r[0].index === undefined)) return norm(r, true);
  const m = zip(r);
  if (isMV(m) || r[0].index === undefined) return m;
  m.index = norm(r.map((x) => x.index));
  m.input = norm(r.map((x) => x.input));
  const groups = r[0].groups;
  if (groups === undefined) m.groups = undefined;
  else {
    m.groups = native.Object.create(null);
    for (const k of native.keys(groups)) m.groups[k] = norm(r.map((x) => x.groups[k]));
  }
  if (r[0].indices !== undefined) diverge('match indices that differ by lane');
  return m;
}

function match(f: Function, t: any, args: ArrayLike<any>): any {
  if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
  if (state.L >= 0) return laneCall(f, t, args, How.Pure);
  checkPattern(args);
  const re = args[0];
  if (isMV(t)) t = str(t);
  if (re instanceof RegExp && re.sticky && !re.global) diverge('a sticky pattern');
  return zipMatch(collect((i) => native.apply(f, lane(t, i), laneArgs(args, i))));
}

function matchAll(f: Function, t: any, args: ArrayLike<any>): any {
  if (state.N === 1 || (!isMV(t) && !anyMV(args))) return native.apply(f, t, args);
  if (state.L >= 0) return laneCall(f, t, args, How.Pure);
  checkPattern(args);
  if (isMV(t)) t = str(t);
  const all = collect((i) => [...native.apply(f, lane(t, i), laneArgs(args, i))]);
  for (const x of all) {
    if (x.length !== all[0].length)
      divergeBy(
        'the number of matches',
        all.map((y) => y.length),
      );
  }
  return all[0].map((_: any, j: number) => zipMatch(all.map((x) => x[j])))[Symbol.iterator]();
}

// run is exec and test: a pattern of the group keeps one lastIndex per lane.
function run(f: Function, t: any, args: ArrayLike<any>): any {
  if (state.N === 1) return native.apply(f, t, args);
  const stateful = t instanceof RegExp && (isMV(t) || t.global || t.sticky);
  if (!isMV(t) && !anyMV(args) && !(stateful && isMV(t.lastIndex))) return native.apply(f, t, args);
  if (state.L >= 0) return laneCall(f, t, args, How.Pure);
  const s = str(args[0]);
  const zipped = f === exec0 ? zipMatch : (r: any[]): any => norm(r);
  if (isMV(t)) {
    if (!t.$own) {
      for (const re of lanesOf(t)) if (!(re instanceof RegExp) || re.global || re.sticky) diverge('patterns that differ by lane');
    }
    const r = collect((i) => native.apply(f, lanesOf(t)[i], [lane(s, i)]));
    // A native that calls exec only looks whether the result is null.
    const found = r.map((m) => m !== null);
    if (f === exec0) for (let i = 1; i < found.length; i++) if (found[i] !== found[0]) divergeBy('a match in some lanes only', found);
    return zipped(r);
  }
  if (!(t instanceof RegExp)) return native.apply(f, t, args);
  if (!stateful) return zipped(collect((i) => native.apply(f, t, [lane(s, i)])));
  const at = t.lastIndex;
  const after = new native.Array(state.N);
  const r = collect((i) => {
    t.lastIndex = lane(at, i);
    const m = native.apply(f, t, [lane(s, i)]);
    after[i] = t.lastIndex;
    return m;
  });
  t.lastIndex = norm(after);
  return zipped(r);
}

// substitute is replace and replaceAll. A function as replacement runs once for
// the group, match by match; so lanes need equally many.
function substitute(f: Function, t: any, args: ArrayLike<any>): any {
  const [pattern, by] = [args[0], args[1]];
  if (state.N === 1) return native.apply(f, t, args);
  if (state.L >= 0) {
    const a = laneArgs(args, state.L);
    const g = a[1];
    if (typeof g === 'function') a[1] = function (this: any) { return str(project(native.apply(g, this, arguments))); };
    return native.apply(f, project(t), a);
  }
  if (typeof by !== 'function') {
    if (isMV(by) && by.$tag > Tag.Primitive) diverge('replacements that are not all text');
    if (!isMV(t) && !anyMV(args)) return native.apply(f, t, args);
    checkPattern(args);
    if (isMV(t)) t = str(t);
    return keeping(pattern, () => perLane((i) => native.apply(f, lane(t, i), laneArgs(args, i))));
  }
  if (!isMV(t) && !isMV(pattern)) return substituteUniform(f, t, pattern, by);
  checkPattern(args);
  if (isMV(t)) t = str(t);
  const found = keeping(pattern, () =>
    collect((i) => {
      const ms: any[][] = [];
      native.apply(f, lane(t, i), [
        lane(pattern, i),
        (...m: any[]) => {
          ms.push(m);
          return '';
        },
      ]);
      return ms;
    }),
  );
  const shape = found.map((ms) => ms.length);
  for (let i = 1; i < shape.length; i++) if (shape[i] !== shape[0]) divergeBy('the number of matches', shape);
  const results: any[] = [];
  for (let j = 0; j < shape[0]; j++) {
    const width = found.map((ms) => ms[j].length);
    for (let i = 1; i < width.length; i++) if (width[i] !== width[0]) divergeBy('the groups of a match', width);
    const a = found[0][j].map((_: any, k: number) => {
      const column = found.map((ms) => ms[j][k]);
      return typeof column[0] === 'object' && column[0] !== null ? zipGroups(column) : norm(column);
    });
    results.push(str(native.apply(by, undefined, a)));
  }
  return keeping(pattern, () =>
    perLane((i) => {
      let j = 0;
      return native.apply(f, lane(t, i), [lane(pattern, i), () => lane(results[j++], i)]);
    }),
  );
}

function zipGroups(column: any[]): any {
  const g = native.Object.create(null);
  for (const k of native.keys(column[0])) g[k] = norm(column.map((x) => x[k]));
  return g;
}

// keeping undoes what a pass over the lanes did to a pattern's lastIndex,
// except for the last one.
function keeping<X>(pattern: any, f: () => X): X {
  if (pattern instanceof RegExp && !isMV(pattern) && pattern.sticky && !pattern.global) diverge('a sticky pattern');
  return f();
}

function substituteUniform(f: Function, t: any, pattern: any, by: Function): any {
  const results: any[] = [];
  let split = false;
  const first = native.apply(f, t, [
    pattern,
    function (this: any): any {
      const r = native.apply(by, this, arguments);
      const s = typeof r === 'string' ? r : str(r);
      results.push(s);
      if (isMV(s)) split = true;
      return isMV(s) ? '' : s;
    },
  ]);
  if (!split) return first;
  if (pattern instanceof RegExp && pattern.sticky && !pattern.global) diverge('a sticky pattern');
  return perLane((i) => {
    let j = 0;
    return native.apply(f, t, [pattern, () => lane(results[j++], i)]);
  });
}

// sm is a method that is called by a well-known name, with a multivalue among
// its arguments.
export function sm(o: any, name: string, ...args: any[]): any {
  if (state.L >= 0) {
    const t = project(o);
    return native.apply(t[name], t, laneArgs(args, state.L));
  }
  const f = o[name];
  if (typeof f !== 'function') diverge(`${name} is no function`);
  return native.apply(variantOf(f), o, args);
}

export { add, prim, replace0, replaceAll0, unvariant };

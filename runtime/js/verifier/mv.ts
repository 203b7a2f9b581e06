// The multivalue runtime: what the driver and the tracking of state use of it,
// and the names that emitted code calls. Loading it replaces natives that a
// group must not meet as they are; a lane that runs alone passes through them.
import { ELEMENTS } from '../shared/tracked';
import { installGenerated } from './mv-generated';
import * as core from './mv-core';
import * as ops from './mv-ops';
import { installArrays } from './mv-arrays';
import { installCollections } from './mv-collections';
import { installDispatch, nativeFunctions, noteAccessor, setVariant, unvariant } from './mv-dispatch';
import { caught, finallyDo, installErrors, throwTypeError } from './mv-errors';
import { installJSON } from './mv-json';
import { iterable, lastSpread } from './mv-iterate';
import { disguise, installFunctions, installSimple, noteNatives } from './mv-natives';
import { constructorOf, guestBegins, installConstructors } from './mv-constructors';
import { addLaneConstructor, installObjects, na, spread, tag, nc, mcall, mno, ncall, nnew, proto, setConversion } from './mv-objects';
import { any, fr, tryPure } from './mv-pure';
import { installStrings, sm } from './mv-strings';
import { keep } from './mv-keep';
import { scope } from './mv-scope';
import { installMutators } from './mv-mutators';
import { touch } from './mv-touch';

export { begin, Diverge, diverge, divergeBy, diverged, end, forLanes, isMV, lane, lanes, lanesOf, MV, native, norm, project, state } from './mv-core';
export { caught, suspect, zipErrors } from './mv-errors';
export { behindProxies, isGuestProxy, isProxied, noteAccessor, proxyParts } from './mv-dispatch';
export { isSplit } from './mv-collections';
export { zipDeep } from './mv-json';
export { addLaneConstructor, prim, setConversion, str };

const { prim, str } = ops;

const { native, isMV } = core;

function swap(name: string, f: Function): void {
  disguise((globalThis as any)[name], f);
  native.define(globalThis, name, { value: f, writable: true, enumerable: false, configurable: true });
}

installMutators();
noteNatives();
const stay = keep();
installErrors(swap);
installStrings();
installArrays();
installCollections();
installJSON();
installObjects();
installConstructors();
installFunctions();
installSimple(stay);
installGenerated(swap);
noteNatives();
installDispatch();
setConversion(String, (x: any) => (typeof x === 'symbol' ? native.String(x) : isMV(x) && x.$tag === core.Tag.Primitive ? core.forLanes((i) => native.String(core.lane(x, i))) : ops.str(x)));
setConversion(Number, (x: any) => toNumber(x));

function toNumber(x: any): any {
  if (isMV(x)) return core.state.L >= 0 ? native.Number(core.project(x)) : core.norm(core.lanesOf(ops.num(x)).map((y) => native.Number(y)));
  return native.Number(x);
}

// ---- what emitted code calls

// isx: a site with an object in hand must take the long way.
function isx(x: any): boolean {
  return typeof x === 'object' && x instanceof core.MV;
}

// guest begins the program's text; names are those that it defines accessors for.
function guest(names: string[]): void {
  guestBegins();
  accs(names);
}

function accs(names: string[]): void {
  for (const k of names) noteAccessor(k);
}

// acc notes a computed accessor name.
function acc(k: any): any {
  noteAccessor(typeof k === 'symbol' ? k : native.String(k));
  return k;
}

// nf is the error of a call whose callee had to be taken apart.
function nf(text: string): never {
  throw new native.TypeError(`${text} is not a function`);
}

// done: what an iterator's result says is taken for a boolean by the engine.
function done(x: any): any {
  return isMV(x) ? ops.truth(x) : x;
}

// place is o[k] in a pattern, as an object whose v is read and written.
function place(o: any, k: any): any {
  return {
    get v() {
      return ops.geti(o, k);
    },
    set v(x) {
      ops.und(x);
      ops.seti(o, k, x);
    },
  };
}

function placeStrict(o: any, k: any): any {
  return {
    get v() {
      return ops.geti(o, k);
    },
    set v(x) {
      ops.und(x);
      ops.setis(o, k, x);
    },
  };
}

const names: Record<string, any> = {
  sc: scope,
  touch,
  is: isx, guest, accs, str: ops.str, os: spread, at: place, ats: placeStrict, setis: ops.setis, acc, nf, done, sm, mc: mcall, mno, ncall, nnew, na, nc, co: constructorOf, tag, Array: native.Array, proto, any, fr, pure: tryPure, c: caught, f: finallyDo, it: iterable, sp: lastSpread, fn: unvariant, te: throwTypeError,
  add: ops.add, sub: ops.sub, mul: ops.mul, div: ops.div, mod: ops.mod, pow: ops.pow, and: ops.and, or: ops.or, xor: ops.xor, shl: ops.shl, sar: ops.sar, shr: ops.shr,
  lt: ops.lt, gt: ops.gt, le: ops.le, ge: ops.ge, eq: ops.eq, ne: ops.ne, seq: ops.seq, sne: ops.sne,
  tlt: ops.tlt, tgt: ops.tgt, tle: ops.tle, tge: ops.tge, teq: ops.teq, tne: ops.tne, tseq: ops.tseq, tsne: ops.tsne,
  T: ops.truth, nl: ops.nl, und: ops.und, not: ops.not, neg: ops.neg, pos: ops.pos, bnot: ops.bnot, num: ops.num, inc: ops.inc, dec: ops.dec,
  typeof: ops.typeOf, in: ops.isIn, inst: ops.inst, del: ops.del, geti: ops.geti, seti: ops.seti, len: ops.len, el: ELEMENTS, key: ops.key, sw: ops.sw, case: ops.kase, fi: ops.fi, tpl: ops.tpl,
};
// A program that uses such names itself is given the second ones (transpile/verifierbuild/names.go).
for (const prefix of ['$_', '$_0_']) for (const k of native.keys(names)) native.define(globalThis, prefix + k, { value: names[k], writable: false, enumerable: false, configurable: false });

void setVariant;
void nativeFunctions;

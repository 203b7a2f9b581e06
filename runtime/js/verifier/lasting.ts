// What outlives a request although nothing tracks it. A group is re-executed as if its
// requests shared only what is tracked; whether they do is looked at afterwards: all
// that init left behind (the variables that its closures hold, and what is reachable
// from them) must be as it was. If it is not, requests share state that nobody found,
// groups prove nothing, and all requests have to be re-executed together.
//
// What is undone before the groups end counts as well, if another request's turn could come
// while it lasted. So whenever the event loop comes to its next turn, what was touched since
// (mv-touch.ts) is compared; and all is, closely, now and then and at the end, because code
// that packages make at run time does not tell what it touches.
import { benignField, benignVariable } from './lasting-known';
import { type Scope, scope, scopes, Written } from './mv-scope';
import { touch, type Watched, watched } from './mv-touch';
import { isMV, native } from './mv-core';
import { isArray, natives, RawMap, RawWeakMap, then } from './raw';
import { group, sharing } from './group';
import { recOf } from './track';
import { hooks } from './track-hooks';
import { setNoteWeakKey } from './track-weak';

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, is } = natives;
// What the program knows as call and apply leads to what tracked objects have instead.
const { apply } = native;
const mapForEach = natives.Map.prototype.forEach;
const { forEach: setForEach, has: setHas } = natives.Set.prototype;
const { get: weakGet, has: weakHas } = natives.WeakMap.prototype;
const { getTime } = natives.Date.prototype;
const { fromCharCode } = natives.String;
const { min } = Math;
const { deref } = natives.WeakRef.prototype;
const getterOf = (k: string): (() => unknown) => getOwnPropertyDescriptor(natives.RegExp.prototype, k)!.get!;
const [sourceOf, flagsOf] = [getterOf('source'), getterOf('flags')];
const { isPrototypeOf } = natives.Object.prototype;
const { toString: textOf } = natives.Function.prototype;
const typedTag = getOwnPropertyDescriptor(getPrototypeOf(natives.Uint8Array.prototype)!, Symbol.toStringTag)!.get!;

// Seen is an object as init left it: what its parts were called, and what they were.
interface Seen extends Watched {
  o: object;
  // Where it was found: the scope or the object, and the part's name.
  from: Seen | string;
  as: PropertyKey;
  // Names and parts in turn.
  parts: unknown[];
  // late: what it is like is noted when it is about to change, which few of its kind ever are.
  late: boolean;
  // What a function that is about to change had of what hardly any ever changes.
  hardly: unknown[] | null;
  // What weak maps hold of it.
  held: [WeakMap<object, unknown>, unknown][] | null;
}

const none: unknown[] = [];
const seen = new RawMap<object, Seen>();
// Entered is a scope that init entered, as it left it.
interface Entered {
  scope: Scope;
  values: unknown[];
}

const variables: Entered[] = [];
// The same by number.
const byNumber = new RawMap<number, Entered[]>();
// What changes without telling: how far a regular expression has come in a text.
const restless: Seen[] = [];
// The platform's own objects change as they like.
const platform = new RawWeakMap<object, true>();

function isObject(v: unknown): v is object {
  return (typeof v === 'object' && v !== null) || typeof v === 'function';
}

// inside lists an object's parts, each after its name, without running any of the
// program's code. There are thousands of objects, and little of this is compiled by then.
function inside(o: any): unknown[] {
  const all: unknown[] = [prototype, getPrototypeOf(o)];
  // What a typed array holds is compared as a text; its keys would be millions.
  if (natives.ArrayBuffer.isView(o)) all.push('contents', contents(o));
  else if (o instanceof natives.ArrayBuffer || o instanceof natives.SharedArrayBuffer) all.push('contents', contents(new natives.Uint8Array(o as ArrayBuffer)));
  if (natives.ArrayBuffer.isView(o) && typedTag.call(o) !== undefined) return all;
  const own = ownKeys(o);
  if (typeof o === 'function') {
    // Most have nothing but what every function has.
    all.push(count, counted(o, own.length));
    for (let i = 0; i < own.length; i++) if (!usual(own[i])) part(all, o, own[i]);
    const held = bound.get(o);
    if (held !== undefined) all.push(...held);
    return all;
  }
  all.push(manner, natives.isExtensible(o) ? 1 : 0);
  for (let i = 0; i < own.length; i++) part(all, o, own[i]);
  if (all[1] === objectProto || all[1] === arrayProto) return all;
  if (o instanceof natives.Map)
    apply(mapForEach, o, [
      (v: any, k: any) => {
        all.push(name(k), v);
        if (isObject(k)) all.push(name(k), k);
      },
    ]);
  else if (o instanceof natives.Set) apply(setForEach, o, [(k: any) => void all.push(name(k), k)]);
  else if (o instanceof natives.Date) all.push('time', getTime.call(o));
  else if (o instanceof natives.RegExp) all.push('source', same(sourceOf, o), 'flags', same(flagsOf, o));
  else if (o instanceof natives.WeakRef) all.push('what it refers to', same(deref, o));
  else if (o instanceof natives.Promise) all.push('what it came to', outcomes.get(o)?.value, 'how it ended', outcomes.get(o)?.how);
  return all;
}

// same is what f says of o; a prototype looks like what it is one of.
function same(f: () => unknown, o: object): unknown {
  try {
    return apply(f, o, []);
  } catch {
    return undefined;
  }
}

// What functions that were bound while init ran hold.
const bound = new RawWeakMap<object, unknown[]>();

watched.bound = (f, target, args) => {
  if (!scope.on) return;
  const held: unknown[] = ['what it is bound to', target];
  for (const x of args) held.push('what it is bound to', x);
  bound.set(f, held);
};

// counted is how many properties a function has, and whether it may get more.
function counted(f: object, n: number): number {
  return natives.isExtensible(f) ? n : -1 - n;
}

// usual: what functions have. Asking for a prototype would make it; those of instances
// are found with them.
function usual(k: PropertyKey): boolean {
  return k === 'length' || k === 'name' || k === 'arguments' || k === 'caller' || k === 'prototype';
}

const prototype = 'its prototype';
const count = 'the number of its properties';
const manner = 'how its properties may change';
const objectProto = natives.Object.prototype;
const arrayProto = natives.Array.prototype;

function part(all: unknown[], o: any, k: PropertyKey): void {
  // Reading it would make the engine write it.
  if (k === 'stack' && o instanceof natives.Error) return;
  const d = getOwnPropertyDescriptor(o, k)!;
  if (d.get === undefined && d.set === undefined) all.push(k, d.value);
  else all.push(k, d.get, k, d.set);
  if (all[2] === manner && !plainly(o, k, d)) all[3] = Math.imul(all[3] as number, 31) + (d.writable === true ? 8 : 4) + (d.enumerable === true ? 2 : 0) + (d.configurable === true ? 1 : 0);
}

// plainly tells of a property that an assignment makes, or an array from the start: no accessor has anything writable.
const plainly = (o: object, k: PropertyKey, d: PropertyDescriptor): boolean => d.writable === true && ((d.enumerable === true && d.configurable === true) || (k === 'length' && isArray(o)));

// parted is inside, and of tracked objects what they hold.
function parted(o: object): unknown[] {
  const r = recOf(o);
  try {
    if (r === undefined) return inside(o);
  } catch {
    return []; // a Proxy that does not let itself be looked at
  }
  const all: unknown[] = [];
  r.fields.forEach((v: unknown, k: unknown) => void all.push(k, v, k, k));
  r.list.forEach((v, i) => void all.push(i, v));
  return all;
}

// beside lists what a tracked object has that is not tracked: properties that could not be made
// accessors, and any of an array, Map or Set that are not its elements.
function beside(o: any): unknown[] {
  const all: unknown[] = [];
  const own = ownKeys(o);
  const list = isArray(o) && natives.isExtensible(o);
  for (let i = list ? o.length : 0; i < own.length; i++) {
    if (list && (own[i] === 'length' || String(Number(own[i])) === own[i])) continue;
    const d = getOwnPropertyDescriptor(o, own[i])!;
    if ('value' in d && d.writable === true && !(own[i] === 'stack' && o instanceof natives.Error)) all.push(own[i], d.value);
  }
  return all;
}

function name(k: unknown): unknown {
  return isObject(k) ? 'a key' : k;
}

// contents is what an array of bytes holds, all of it: who chooses what is written there could have a sum come out the same.
function contents(o: any): string {
  const bytes = new natives.Uint8Array(new natives.Uint8Array(o.buffer, o.byteOffset, o.byteLength));
  const pairs = bytes.length >> 1;
  let text = String(bytes.length % 2 === 1 ? bytes[bytes.length - 1] : '');
  for (let i = 0; i < pairs; i += piece) text += apply(fromCharCode, undefined, new natives.Uint16Array(bytes.buffer, 2 * i, min(piece, pairs - i)) as any);
  return text;
}

// As many characters as a function takes arguments.
const piece = 4096;

// Objects of the platform's that programs like to keep their own things in, and the names that they had before.
const keepers: { o: any; name: string; before: Set<PropertyKey> }[] = [];
// All that is known of the platform, of which programs may change what it has, and where it is.
const parts: { o: object; from: string; as: PropertyKey }[] = [];

function belongs(o: object, from: string, as: PropertyKey): void {
  platform.set(o, true);
  parts.push({ o, from, as });
}

// known marks a module of the platform's, or the global object, with all that it has.
export function known(o: any, called: string): void {
  if (!isObject(o) || platform.has(o)) return;
  belongs(o, 'the platform', called);
  keepers.push({ o, name: called, before: new natives.Set(ownKeys(o)) });
  walk(o, called);
}

// walk marks what an object of the platform's has. Of functions only classes have something that counts.
function walk(o: object, called: string): void {
  const queue: { o: any; path: string }[] = [{ o, path: called }];
  const add = (v: unknown, path: string, k: PropertyKey): void => {
    if (!isObject(v) || platform.has(v)) return;
    belongs(v, path, k);
    if (typeof v !== 'function' || getOwnPropertyDescriptor(v, 'prototype') !== undefined) queue.push({ o: v, path: `${path}.${String(k)}` });
  };
  for (let i = 0; i < queue.length; i++) {
    const { o, path } = queue[i];
    add(getPrototypeOf(o), path, prototype);
    for (const k of ownKeys(o)) {
      // What the two builds and the models have there is no platform's.
      if (o === globalThis && typeof k === 'string' && /^(\$|__)/.test(k)) continue;
      const d = getOwnPropertyDescriptor(o, k)!;
      add(k === 'promises' && d.get !== undefined ? apply(d.get, o, []) : d.value, path, k);
    }
  }
}

// nameless are examples of what the language has without a name.
const nameless = (): object[] => [[].values(), new natives.Map().keys(), new natives.Set().keys(), ''[Symbol.iterator](), ''.matchAll(/a/g), function* () {}, async function* () {}, async () => {}];

// notePlatform is for what is the platform's, but not for what that consists of.
function notePlatform(): void {
  for (const { o, from, as } of parts) noteLate(o, from, as);
}

function noteLate(o: object, from: Seen | string, as: PropertyKey): void {
  if (!seen.has(o) && recOf(o) === undefined) seen.set(o, { o, from, as, parts: none, late: true, hardly: null, held: null, touched: false, tells: true });
}

// What only few programs change of a function.
const hardly = ['prototype', 'name', 'length'];
const hardlyOf = (f: object): unknown[] => hardly.map((k) => getOwnPropertyDescriptor(f, k)?.value);

watched.about = (w) => {
  const s = w as Seen;
  if (s.late) s.parts = s.from === requests ? outside(s.o) : inside(s.o);
  s.late = false;
  if (typeof s.o === 'function') s.hardly ??= hardlyOf(s.o);
};

// How promises of init's ended.
const outcomes = new RawWeakMap<object, { value: unknown; how: string }>();

// settled finds out how promises ended. Nothing else is waiting for its turn when init ends.
function settled(promises: Seen[], find: (v: unknown, from: Seen, as: PropertyKey) => void): void {
  if (promises.length === 0) return;
  for (const s of promises) {
    const ends = (how: string) => (value: unknown) => {
      outcomes.set(s.o, { value, how });
      if (remembered) touch(s.o);
    };
    // Of a class of the program's own, reactions would be what that makes.
    const own = getPrototypeOf(s.o) !== natives.Promise.prototype;
    if (own && !natives.defineProperty(s.o, 'constructor', { value: undefined, configurable: true })) continue;
    apply(then, s.o, [ends('kept'), ends('broken')]);
    if (own) natives.deleteProperty(s.o, 'constructor');
  }
  // What a request loads is not waited for: a promise changes when it ends.
  if (!remembered) (globalThis as any).$host?.microtasks();
  for (const s of promises.splice(0)) {
    s.parts = parted(s.o);
    find(outcomes.get(s.o)?.value, s, 'what it came to');
  }
}

// begins is called before the program does anything.
export function begins(): void {
  known(globalThis, 'global');
  for (const o of nameless()) walk(o, 'the language');
  const { inPlaceOf } = hooks;
  hooks.inPlaceOf = (f, o) => inPlaceOf(watched.walking(f, o), o);
}

// kept is the number of all of these.
const kept = -2;

// noteKept makes scopes of what the program put into objects of the platform's.
function noteKept(): void {
  for (const { o, name, before } of keepers) {
    const made = (): PropertyKey[] => ownKeys(o).filter((k) => !setHas.call(before, k));
    const names = made();
    scopes.push({
      number: kept,
      where: name,
      names: [...names.map(String), name].join(' '),
      variables: () => [...names.map((k) => getOwnPropertyDescriptor(o, k)?.value), made().length],
    });
    if (name !== 'process') continue;
    platform.delete(o.env);
    scopes.push({ number: kept, where: name, names: 'env', variables: () => [o.env] });
  }
}

// noteSettings makes a scope of what the platform lets programs set for all.
function noteSettings(): void {
  const { require: of, process, channels, listening } = (globalThis as any).$models;
  const { EventEmitter } = of('events');
  const options = of('util').inspect.defaultOptions;
  const keys = ownKeys(options);
  const listeners = (): number => process.eventNames().reduce((n: number, name: any) => n + process.listenerCount(name), 0);
  scopes.push({
    number: kept,
    where: 'the platform',
    names: ['channels', 'listening', 'Error.stackTraceLimit', 'EventEmitter.defaultMaxListeners', 'process.exitCode', 'process.title', 'listeners', ...keys.map((k) => `inspect.defaultOptions.${String(k)}`)].join(' '),
    variables: () => [channels, listening, Error.stackTraceLimit, EventEmitter.defaultMaxListeners, process.exitCode, process.title, listeners(), ...keys.map((k) => options[k])],
  });
}

function namesOf(x: Scope): string[] {
  return x.names.split(' ');
}

// placesOf are those where the n variables are declared. (See wheres in transpile/verifierbuild.)
function placesOf(x: Scope, n: number): string[] {
  let file = '';
  let place = '';
  const places = x.where.split('\n').map((line) => {
    if (line.startsWith(':')) place = file + line;
    else if (line !== '') [place, file] = [line, line.replace(/:\d+:\d+$/, '')];
    return place;
  });
  while (places.length < n) places.push(place);
  return places;
}

// remember notes how init left everything.
export function remember(): void {
  notePlatform();
  noteKept();
  noteSettings();
  note();
  remembered = true;
  if (!group.together) watched.objects = seen;
}

// note notes what the scopes hold that the program has entered.
function note(): void {
  scope.on = false;
  const queue: object[] = [];
  const find = (v: unknown, from: Seen | string, as: PropertyKey) => {
    if (!isObject(v) || seen.has(v) || platform.has(v)) return;
    if (isMV(v)) {
      noted ??= `what a module that requests load has of each of them: ${String(as)}`;
      return;
    }
    seen.set(v, { o: v, from, as, parts: none, late: false, hardly: null, held: null, touched: false, tells: typeof v === 'function' });
    queue.push(v);
  };
  for (const x of scopes) {
    let values: unknown[];
    try {
      values = x.variables();
    } catch {
      continue; // init left it before it had all its variables
    }
    const entered = { scope: x, values };
    variables.push(entered);
    const others = byNumber.get(x.number);
    if (others !== undefined) others.push(entered);
    else byNumber.set(x.number, [entered]);
    let names: string[] | null = null;
    let places: string[] | null = null;
    for (let i = 0; i < values.length; i++) if (isObject(values[i])) find(values[i], (places ??= placesOf(x, values.length))[i], (names ??= namesOf(x))[i]);
  }
  scopes.length = 0;
  const maps: Weak[] = [];
  const promises: Seen[] = [];
  for (let i = 0; i < queue.length; i++) {
    const o = queue[i];
    const s = seen.get(o)!;
    if (isWeakMap(o)) maps.push({ map: o, searched: 0 });
    if (isPromise(o)) promises.push(s);
    if (o instanceof natives.RegExp && (o.global || o.sticky)) restless.push(s);
    keepsPlace(o);
    if (isForeign(o)) noted ??= `what WebAssembly keeps (${path(s)})`;
    let all = (s.parts = parted(o));
    if (recOf(o) !== undefined) {
      s.parts = beside(o);
      all = [...all, ...s.parts];
    }
    for (let n = 1; n < all.length; n += 2) if (isObject(all[n])) find(all[n], s, all[n - 1] as PropertyKey);
    if (typeof o === 'function') {
      inherited(o, s, find);
      unheard(o);
    }
    if (i === queue.length - 1) {
      settled(promises, find);
      privates(queue, maps, find);
    }
  }
  for (const box of boxes.splice(0)) restless.push(seen.get(box)!);
}

// lazily has a helper of the bundler's, which makes modules, tell what those leave behind that only a request loads. Another
// request finds them loaded.
export function lazily(helper: any): any {
  if (typeof helper !== 'function' || !/^__(commonJS|esm)\d*$/.test(helper.name)) return helper;
  return (parts: any, ...rest: any[]) => {
    const [file] = ownKeys(parts);
    const load = parts[file];
    parts[file] = (...args: any[]) => {
      if (!remembered || group.together) return apply(load, undefined, args);
      loading++;
      scope.on = true;
      try {
        return apply(load, undefined, args);
      } finally {
        scopes.push({ number: -1, where: String(file), names: 'exports', variables: () => [args[1]?.exports ?? args[0]] });
        if (--loading === 0) note();
      }
    };
    return helper(parts, ...rest);
  };
}

let loading = 0;

// lazyBox has such a module's variable noted that would be tracked if the app's start had made it.
export function lazyBox<B extends object>(box: B): B {
  if (loading > 0) {
    scopes.push({ number: -1, where: 'a module that a request loaded', names: 'variable', variables: () => [box] });
    boxes.push(box);
  }
  return box;
}

// Emitted code does not tell of changes of boxes.
const boxes: object[] = [];

let remembered = false;

// unheard: what the engine's own function is bound to, it changes without telling.
function unheard(f: object): void {
  const held = bound.get(f);
  if (held === undefined || !/\{ \[native code\] \}$/.test(apply(textOf, held[1] as object, []))) return;
  for (let i = 3; i < held.length; i += 2) {
    const s = typeof held[i] === 'object' && held[i] !== null ? seen.get(held[i] as object) : undefined;
    if (s !== undefined) restless.push(s);
  }
}

// inherited finds what a constructor's instances inherit. Most have only what the engine puts there.
function inherited(f: object, s: Seen, find: (v: unknown, from: Seen, as: PropertyKey) => void): void {
  const p = getOwnPropertyDescriptor(f, 'prototype')?.value;
  if (!isObject(p)) return;
  if (getPrototypeOf(p) !== objectProto || ownKeys(p).length > 1) find(p, s, 'prototype');
  else if (!platform.has(p)) noteLate(p, s, 'prototype');
}

// isPromise: a prototype of promises looks like one, but is none.
function isPromise(o: object): boolean {
  return o instanceof natives.Promise && getOwnPropertyDescriptor(o, 'constructor') === undefined && !platform.has(o);
}

// isForeign: what it holds is no JavaScript's.
function isForeign(o: object): boolean {
  if (typeof o === 'object') return foreign.some((c) => o instanceof c);
  const name = getOwnPropertyDescriptor(o, 'name')?.value;
  return typeof name === 'string' && /^\d/.test(name) && /^function \d/.test(apply(textOf, o, []));
}

const { Global, Instance, Memory, Table } = (globalThis as any).WebAssembly;
const foreign = [Global, Instance, Memory, Table];

// noted is what was noticed when it happened, because it cannot be seen later.
let noted: string | null = null;

setNoteWeakKey((k) => {
  if (remembered && seen.has(k)) noted ??= `what a weak collection holds about ${path(seen.get(k)!)}`;
});

const iteratorProto = getPrototypeOf(getPrototypeOf([][Symbol.iterator]())!)!;

// keepsPlace: nobody can see how far a generator, or another iterator of the engine's, has come.
// So requests must not go on with one that init began.
function keepsPlace(o: any): void {
  if (typeof o !== 'object' || o === null || !apply(isPrototypeOf, iteratorProto, [o]) || places.has(o) || typeof o.next !== 'function') return;
  const steps = new RawMap<unknown, Function>();
  places.set(o, steps);
  for (const k of ['next', 'return', 'throw']) {
    const f = o[k];
    if (typeof f !== 'function') continue;
    const value = {
      m(this: any) {
        if (this === o && remembered && !group.together) sharing('requests go on with an iterator that was made when the app was loaded');
        return natives.apply(f, this, arguments);
      },
    }.m;
    steps.set(f, value);
    natives.defineProperty(o, k, { value, writable: true, enumerable: false, configurable: true });
  }
}

// What iterators of init's have in place of the engine's methods.
const places = new RawWeakMap<object, RawMap<unknown, Function>>();

// They may also be borrowed, or bound to it before it was found.
watched.walking = (f, o) => {
  if (scope.on) keepsPlace(o);
  return typeof o === 'object' && o !== null ? (places.get(o)?.get(f) ?? f) : f;
};
// A WeakMap cannot be asked what it holds, only whether it holds something. searched is
// how many of the objects it has been asked about.
interface Weak {
  map: WeakMap<object, unknown>;
  searched: number;
}

// isWeakMap: a prototype of WeakMaps looks like one, but is none.
function isWeakMap(o: object): o is WeakMap<object, unknown> {
  if (!(o instanceof natives.WeakMap) || recOf(o) !== undefined) return false;
  try {
    weakHas.call(o, o);
    return true;
  } catch {
    return false;
  }
}

// Beyond so many questions, objects without a class are left out: private fields,
// which are WeakMaps by now, are those of instances.
const mostQuestions = 1_000_000;

// privates finds what the WeakMaps hold of the objects that were found.
function privates(objects: object[], maps: Weak[], find: (v: unknown, from: Seen, as: PropertyKey) => void): void {
  const n = objects.length;
  const all = n * maps.length < mostQuestions;
  for (const m of maps) {
    for (; m.searched < n; m.searched++) {
      const o = objects[m.searched];
      if (!all && plain(o)) continue;
      if (!weakHas.call(m.map, o)) continue;
      const v = weakGet.call(m.map, o);
      const s = seen.get(o)!;
      (s.held ??= []).push([m.map, v]);
      find(v, s, 'a private field');
    }
  }
}

function plain(o: object): boolean {
  const p = getPrototypeOf(o);
  return p === objectProto || p === natives.Function.prototype || p === arrayProto;
}

// changed names something that is not as init left it.
function changed(): string | null {
  if (noted !== null) return noted;
  let found: string | null = null;
  for (let i = 0; i < variables.length && found === null; i++) found = changedVariable(variables[i]);
  seen.forEach((s) => (found ??= changedPart(s)));
  return found;
}

// glance does the same for what was touched since it was last asked.
function glance(): string | null {
  if (noted !== null) return noted;
  let found: string | null = null;
  for (let i = 0; i < watched.touched.length; i++) {
    const s = watched.touched[i] as Seen;
    s.touched = false;
    found ??= changedPart(s);
  }
  watched.touched.length = 0;
  for (let i = 0; i < restless.length; i++) found ??= changedPart(restless[i]);
  for (const x of byNumber.get(kept) ?? []) found ??= changedVariable(x);
  const { written } = scope;
  for (let n = 0; n < written.length; n++) {
    if (written[n] === undefined || written[n] === Written.No) continue;
    if (written[n] === Written.Now) written[n] = Written.No;
    for (const x of byNumber.get(n) ?? []) found ??= changedVariable(x);
  }
  return found;
}

function changedVariable({ scope: x, values }: Entered): string | null {
  const now = x.variables();
  for (let i = 0; i < values.length; i++) {
    if (is(values[i], now[i])) continue;
    const name = namesOf(x)[i];
    // Variables without a place in the sources are the bundler's: those of a module that
    // is loaded when it is first asked for have no value until then.
    const where = placesOf(x, values.length)[i];
    if ((values[i] === undefined && where.startsWith('bundle:')) || benignVariable(where, name, values[i], now[i])) continue;
    return `the variable ${name} (${where})`;
  }
  return null;
}

function changedPart(s: Seen): string | null {
  const { o, held } = s;
  if (held !== null) for (const [m, v] of held) if (!is(weakGet.call(m, o), v)) return `a private field of ${path(s)}`;
  if (s.late) return null;
  if (s.hardly !== null) {
    const now = hardlyOf(o);
    for (let i = 0; i < hardly.length; i++) if (!is(s.hardly[i], now[i])) return `${path(s)}, of which ${hardly[i]} changed`;
  }
  const tracked = recOf(o) !== undefined;
  if (!tracked && unchanged(o, s.parts)) return null;
  const at = difference(o, s.parts, s.from === requests ? outside(o) : tracked ? beside(o) : parted(o));
  return at === null || inBenign(s) ? null : `${path(s)}, of which ${/^\d+$/.test(at) ? 'element ' + at : at} changed`;
}

// inBenign tells whether an object is part of what may change.
function inBenign(s: Seen): boolean {
  for (; typeof s.from !== 'string'; s = s.from) if (benignField(s.from.o, String(s.as))) return true;
  return benignVariable(s.from, String(s.as), undefined, undefined);
}

// unchanged tells of most of what is as it was, without listing its parts anew.
function unchanged(o: object, parts: unknown[]): boolean {
  try {
    return asBefore(o, parts);
  } catch {
    return false; // see parted
  }
}

function asBefore(o: any, parts: unknown[]): boolean {
  if (parts.length === 0 || getPrototypeOf(o) !== parts[1]) return false;
  const ordinary = parts[1] === objectProto || parts[1] === arrayProto || parts[1] === null;
  if (!ordinary && (typeof o !== 'function' || parts.length !== 4)) return false;
  const own = ownKeys(o);
  const n = own.length;
  if (!ordinary) {
    if (counted(o, n) !== parts[3]) return false;
    for (let i = 0; i < n; i++) if (!usual(own[i])) return false;
    return true;
  }
  // What is not plain is looked at closely.
  if (parts.length !== 2 * n + 4 || parts[3] !== 1 || !natives.isExtensible(o)) return false;
  for (let i = 0, at = 4; i < n; i++, at += 2) {
    if (own[i] !== parts[at]) return false;
    const d = getOwnPropertyDescriptor(o, own[i])!;
    if (!plainly(o, own[i], d) || !is(d.value, parts[at + 1])) return false;
  }
  return true;
}

// difference names a part of o that changed, came or went, and may not.
function difference(o: object, before: unknown[], now: unknown[]): string | null {
  const at = firstDifference(before, now);
  if (at === null || !benignField(o, at)) return at;
  const rest = (parts: unknown[]): unknown[] => parts.filter((_, i) => !benignField(o, String(parts[i - (i % 2)])));
  return firstDifference(rest(before), rest(now));
}

function firstDifference(before: unknown[], now: unknown[]): string | null {
  let more = false;
  for (let i = 0; i < before.length || i < now.length; i += 2) {
    const [name, was] = [before[i], before[i + 1]];
    if (i < before.length && i < now.length && is(name, now[i])) {
      if (is(was, now[i + 1])) continue;
      // Of a function, the number of properties tells of any that came.
      if (name === count) {
        more = true;
        continue;
      }
      return String(name);
    }
    // Whatever stands here is not what stood here.
    return String(i < now.length && !before.includes(now[i]) ? now[i] : i < before.length ? name : now[i]);
  }
  return more ? count : null;
}

// path tells how an object was reached.
function path(s: Seen): string {
  let p = String(s.as);
  for (let depth = 0; typeof s.from !== 'string'; depth++) {
    s = s.from;
    p = depth > 6 ? p : `${String(s.as)}.${p}`;
  }
  return `${p} (${s.from})`;
}

// What requests come to share, of which not all is tracked: the log has Dates and regular expressions by content, and
// of arrays, Maps and Sets what they hold. Whatever else of them changes, other requests would not see.
const lent: Seen[] = [];
const requests = 'made by a request';

watched.shared = (o) => {
  if (watched.objects === null || seen.has(o)) return;
  const restless = o instanceof natives.RegExp && (o.global || o.sticky);
  const s: Seen = { o, from: requests, as: kindOf(o), parts: restless ? outside(o) : none, late: !restless, hardly: null, held: null, touched: false, tells: true };
  seen.set(o, s);
  lent.push(s);
};

function kindOf(o: object): string {
  for (const k of ['Date', 'RegExp', 'Map', 'Set'] as const) if (o instanceof natives[k]) return k;
  return 'Array';
}

// outside is what of such an object is not tracked.
function outside(o: object): unknown[] {
  return recOf(o) === undefined ? inside(o) : [prototype, getPrototypeOf(o), manner, natives.isExtensible(o) ? 1 : 0, ...beside(o)];
}

// lookLent says of what requests shared in this group what nobody else sees change.
export function lookLent(): void {
  for (const s of lent) {
    const what = changedPart(s);
    if (what !== null) return sharing(`what requests share changes where no log can tell of it: ${what}`);
  }
}

// newGroup: what the last one was about to do in later turns, it never will.
export function newGroup(): void {
  for (const s of lent.splice(0)) {
    seen.delete(s.o);
    s.late = true;
  }
  const { written } = scope;
  for (let n = 0; n < written.length; n++) if (written[n] === Written.Sticky) written[n] = Written.Now;
}

// look reports what changed since init, closely or of what was touched, and tells whether nothing did.
export function look(closely: boolean): boolean {
  const what = closely ? changed() : glance();
  if (what === null) return true;
  group.problems.push({ lane: 0, rule: 'R-shared', msg: `requests share state that was not found to be shared: ${what}` });
  return false;
}

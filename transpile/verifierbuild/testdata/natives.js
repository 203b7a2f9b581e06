// Every built-in function, with a multivalue as receiver and in each argument
// position: the result must be that of the lanes one by one, or a divergence.
// Input (stdin): {runtime, seed, rounds}. Output: {functions, runs, diverged, wrong}.
'use strict';
const vm = require('vm');
const util = require('util');
const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));

const plain = vm.createContext({});
const multi = vm.createContext({});
vm.runInContext(job.runtime, multi, { filename: 'runtime.js' });
const mv = vm.runInContext('__mv', multi);

// What is not tried, and why.
const skipped = {
  'Math.random': 'random',
  'Date.now': 'the clock',
  'Atomics.wait': 'blocks',
  'Atomics.waitAsync': 'blocks',
  'Function.prototype.caller': 'throws by design',
  'Function.prototype.arguments': 'throws by design',
  'eval': 'refused at build time',
};
// Constructors of code are refused at build time.
const refused = /^(Function|GeneratorFunction|AsyncFunction|AsyncGeneratorFunction|WebAssembly|console)\b/;
// Known differences that no program can build on, and why.
const allowed = [
  // The engine's fast paths for patterns need RegExp.prototype as it is. A program
  // gets there only with a getter or method taken off the prototype by
  // getOwnPropertyDescriptor or bound before the runtime was loaded.
  [/^get RegExp.prototype.flags apply/],
  [/^RegExp.prototype.toString apply/],
  // Array as a callback that native code calls with one argument.
  [/^Array apply/],
  // A function that the program is given is shown by the name that the runtime gave it.
];

const roots = 'Object Function Array Number parseFloat parseInt Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Uint8Array Int16Array Float64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect SharedArrayBuffer Atomics decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN Iterator'.split(' ');
const extra = {
  'ArrayIterator.prototype': 'Object.getPrototypeOf([][Symbol.iterator]())',
  'Iterator.prototype': 'Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))',
  'MapIterator.prototype': 'Object.getPrototypeOf(new Map()[Symbol.iterator]())',
  'Generator.prototype': 'Object.getPrototypeOf(function*(){}.prototype)',
  'TypedArray.prototype': 'Object.getPrototypeOf(Uint8Array.prototype)',
  'TypedArray': 'Object.getPrototypeOf(Uint8Array)',
};

// list finds functions by an expression that leads to them in either realm.
function list() {
  const out = [];
  const seen = new Set();
  const add = (path, expr, o) => {
    if (seen.has(o)) return;
    seen.add(o);
    for (const k of Reflect.ownKeys(o)) {
      if (k === 'constructor' || k === 'prototype' || k === 'caller' || k === 'arguments') continue;
      const d = Object.getOwnPropertyDescriptor(o, k);
      const name = path + (typeof k === 'symbol' ? `[${k.description}]` : '.' + k);
      const key = typeof k === 'symbol' ? k.description : JSON.stringify(k);
      if (typeof d.value === 'function') out.push({ name, f: `${expr}[${key}]`, owner: expr, key, on: path });
      if (d.get) out.push({ name: 'get ' + name, f: `Object.getOwnPropertyDescriptor(${expr}, ${key}).get`, owner: expr, key, on: path, getter: true });
    }
  };
  for (const r of roots) {
    const o = vm.runInContext(`typeof ${r} === 'undefined' ? undefined : ${r}`, plain);
    if (o === undefined) continue;
    if (typeof o === 'function') {
      out.push({ name: r, f: r, on: '', construct: Object.hasOwn(o, 'prototype') || r === 'Proxy' });
      if (o.prototype) add(r + '.prototype', r + '.prototype', o.prototype);
    }
    add(r, r, o);
  }
  for (const [n, e] of Object.entries(extra)) {
    const o = vm.runInContext(e, plain);
    if (o) add(n, '(' + e + ')', o);
  }
  return out.filter((f) => !skipped[f.name] && !refused.test(f.name));
}

// Receivers that a prototype's functions are made for.
const receivers = {
  'Array.prototype': ['[3,1,2]', '["a","b"]', '[]', '[[1],[2,[3]]]', '["b",undefined,null]'],
  'String.prototype': ['"abc"', '"a1b2"', '""', '" x "'],
  'Number.prototype': ['5', '1.5', 'NaN'],
  'Boolean.prototype': ['true', 'false'],
  'BigInt.prototype': ['5n', '-1n'],
  'Symbol.prototype': ['Symbol.iterator', 'Symbol.for("q")'],
  'Date.prototype': ['new Date(0)', 'new Date(864e5)'],
  'RegExp.prototype': ['/a/', '/[a-z]/g', '/\\d/y'],
  'Map.prototype': ['new Map([["a",1]])', 'new Map()'],
  'Set.prototype': ['new Set(["a",1])', 'new Set()'],
  'WeakMap.prototype': ['new WeakMap()'],
  'WeakSet.prototype': ['new WeakSet()'],
  'Function.prototype': ['(function f(a, b) { return [this === undefined, a, b]; })', 'String.prototype.slice', '((a) => a)'],
  'Object.prototype': ['({a:1})', '[1]', '"s"'],
  'Promise.prototype': ['Promise.resolve(1)'],
  'Error.prototype': ['new Error("m")', 'new TypeError("t")'],
  'TypedArray.prototype': ['new Uint8Array([3,1,2])', 'new Float64Array([1.5,0.5])'],
  'ArrayBuffer.prototype': ['new ArrayBuffer(8)'],
  'SharedArrayBuffer.prototype': ['new SharedArrayBuffer(8)'],
  'DataView.prototype': ['new DataView(new ArrayBuffer(16))'],
  'ArrayIterator.prototype': ['[1,2][Symbol.iterator]()'],
  'MapIterator.prototype': ['new Map([[1,2]])[Symbol.iterator]()'],
  'Generator.prototype': ['(function*(){ yield 1; })()'],
};
const pool = [
  '"a"', '"b2"', '""', '0', '1', '2', '-1', '1.5', 'NaN', 'true', 'false', 'null', 'undefined', '3n', 'Symbol.iterator',
  '[]', '["a",1]', '[[1,2],[3,4]]', '[["k",1]]', '({})', '({a:1})', '({value:1,enumerable:true})', '({length:2,0:"x",1:"y"})', '(x) => x', '(x, y) => x > y ? 1 : -1', '() => "r"', 'function(a,b){ return [a,b]; }',
  '/a/', '/[a-z]/g', 'new Date(0)', 'new Map([["a",1]])', 'new Uint8Array([1,2])', 'new Set(["a"])', 'new Error("e")',
];
// Lanes of multivalues: primitives, and objects that are each lane's own.
const lanes = [
  ['"a"', '"b2"'], ['"1"', '"2"'], ['""', '"a"'], ['0', '1'], ['1', '2'], ['2', '3'], ['true', 'false'], ['null', 'undefined'], ['undefined', '"a"'], ['1', '"1"'], ['0', '-0'], ['3n', '4n'],
  ['Symbol.iterator', 'Symbol.match'], ['[1]', '[2]'], ['["a"]', '["b","c"]'], ['({a:1})', '({a:2})'], ['({a:1})', '({b:2})'], ['new Date(0)', 'new Date(1)'], ['/a/', '/b/g'], ['null', '({a:1})'], ['new Map([["a",1]])', 'new Map()'],
  ['(x) => 1', '(x) => 2'], ['new Uint8Array(1)', 'new Uint8Array(2)'], ['new Error("p")', 'new Error("q")'], ['new Set(["a"])', 'new Set()'],
];

// A small deterministic generator.
let seed = job.seed >>> 0;
const rnd = (n) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 4294967296) * n);
};
const pick = (l) => l[rnd(l.length)];

// held is what a collection holds in lane i: it may hold other keys in each.
function held(x, method, i) {
  if (mv.state.N > 1) mv.state.L = i;
  try {
    return [...x[method]()];
  } finally {
    mv.state.L = -1;
  }
}

// What iterators yielded: each is asked once, and dumped for each lane.
const consumed = new WeakMap();

function dump(x, i, depth = 0) {
  if (mv.isMV(x)) x = x.$mv[i];
  switch (typeof x) {
    case 'string': return JSON.stringify(x);
    case 'number': return Object.is(x, -0) ? '-0' : String(x);
    case 'bigint': return x + 'n';
    case 'symbol': return x.toString();
    case 'function': return 'function ' + x.name;
    case 'object': break;
    default: return String(x);
  }
  if (x === null) return 'null';
  if (depth > 4) return '…';
  const d = (y) => dump(y, i, depth + 1);
  const type = util.types;
  let head = Object.prototype.toString.call(x);
  if (type.isProxy(x)) return 'proxy';
  if (Array.isArray(x)) head = 'Array(' + x.length + ')';
  else if (type.isNativeError(x)) head = 'Error ' + d(x.name) + ' ' + d(x.message);
  else if (type.isDate(x)) head = 'Date ' + Date.prototype.getTime.call(x);
  else if (type.isRegExp(x)) head = 'RegExp ' + Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get.call(x) + d(x.lastIndex);
  else if (type.isMap(x)) head = 'Map ' + held(x, 'entries', i).map(([k, v]) => d(k) + '=>' + d(v)).join(',');
  else if (type.isSet(x)) head = 'Set ' + held(x, 'values', i).map(d).join(',');
  else if (type.isTypedArray(x)) return 'typed ' + Array.prototype.map.call(x, String).join();
  else if (type.isBoxedPrimitive(x)) head = 'boxed';
  else if (typeof x.next === 'function') {
    // An iterator is what it yields.
    if (consumed.has(x)) return 'iterates ' + consumed.get(x).map(d).join(',');
    const out = [];
    consumed.set(x, out);
    for (let n = 0; n < 6; n++) {
      const r = x.next();
      if (mv.isMV(r) || mv.isMV(r.done)) throw mv.diverged() ?? new Error('an iterator that differs by lane');
      if (r.done) break;
      out.push(r.value);
    }
    return 'iterates ' + out.map(d).join(',');
  }
  return head + '{' + Reflect.ownKeys(x).filter((k) => k !== 'stack' && Object.getOwnPropertyDescriptor(x, k).enumerable).map((k) => String(k) + ':' + d(x[k])).join(',') + '}';
}

let group = 0;
const result = { functions: 0, runs: 0, diverged: 0, agreed: 0, wrong: [] };

function report(f, what, got, want) {
  for (const a of allowed) if (a[0].test(f.name + ' ' + what)) return;
  if (result.wrong.length < (job.limit ?? 200) && result.wrong.filter((w) => w.name === f.name).length < 6) result.wrong.push({ name: f.name, what, got, want });
}

// attempt runs one call in one realm: a function from lanes to text, or a divergence.
function attempt(context, f, how, values, isMulti) {
  const [recv, ...args] = values;
  let threw = false;
  let value;
  try {
    const call = vm.runInContext(`(function(recv, args, viaSite) {
      ${how === 'new' ? `const C = ${f.f}; return viaSite ? $_nc($_nnew(C, ...args)) : new C(...args);`
    : how === 'site' ? (f.owner ? `return viaSite ? $_sm(recv, ${f.key}, ...args) : recv[${f.key}](...args);` : `return viaSite ? $_ncall(${f.f}, ...args) : ${f.f}(...args);`)
    : `return Reflect.apply(${f.f}, recv, args);`}
    })`, context);
    const apply = isMulti && how === 'apply' ? mv.native.apply : Reflect.apply;
    if (how === 'apply') value = apply(vm.runInContext(f.f, context), recv, args);
    else value = call(recv, args, isMulti);
  } catch (e) {
    threw = true;
    value = e;
  }
  const d = isMulti && mv.diverged();
  if (d) return { diverged: d.message };
  if (isMulti && threw && (mv.suspect(value) || mv.isMV(value))) return { diverged: 'native error' };
  const text = (i) => {
    const head = threw ? 'throws ' + (util.types.isNativeError(value) ? dump(value.name, i) : dump(value, i)) : dump(value, i);
    return head + ' | ' + values.map((v) => dump(v, i)).join(' ; ');
  };
  try {
    text(0);
    text(1);
    if (isMulti && mv.diverged()) return { diverged: mv.diverged().message };
    return { text };
  } catch (e) {
    if (isMulti && (mv.diverged() || mv.suspect(e))) return { diverged: 'later' };
    return { text: () => 'dump fails: ' + e.message };
  }
}

function value(context, source) {
  return vm.runInContext('(' + source + ')', context);
}

function one(f, how, sources) {
  // sources: each a source, or a pair of lanes
  const what = `${how} ${sources.map((s) => (Array.isArray(s) ? '{' + s.join(' | ') + '}' : s)).join(', ')}`;
  const want = [0, 1].map((l) => {
    mv.begin(1, ++group);
    return attempt(plain, f, how, sources.map((s) => value(plain, Array.isArray(s) ? s[l] : s)), false).text(0);
  });
  for (const own of [true, false]) {
    mv.begin(2, ++group);
    const values = sources.map((s) => (Array.isArray(s) ? mv.norm([value(multi, s[0]), value(multi, s[1])], own) : value(multi, s)));
    const got = attempt(multi, f, how, values, true);
    result.runs++;
    if (got.diverged) {
      result.diverged++;
      mv.end();
      continue;
    }
    result.agreed++;
    for (const l of [0, 1]) if (got.text(l) !== want[l]) report(f, what + (own ? '' : ' (shared)') + ', lane ' + l, got.text(l), want[l]);
    mv.end();
  }
}

const functions = list();
result.functions = functions.length;
for (const f of functions) {
  const own = receivers[f.on] ?? (f.on.endsWith('.prototype') ? ['({})', '"s"'] : [f.on === '' ? 'undefined' : f.owner]);
  const hows = f.name === 'Date' ? ['new'] : f.getter ? ['apply'] : f.construct ? ['apply', 'site', 'new'] : f.owner && !/[^\w."]/.test(f.key) ? ['apply', 'site'] : ['apply'];
  const arity = Math.max(1, vm.runInContext(f.f, plain).length);
  for (const how of hows) {
    for (let round = 0; round < job.rounds; round++) {
      const n = rnd(arity + 2);
      const args = Array.from({ length: n }, () => pick(pool));
      const sources = [pick(own), ...args];
      // a multivalue in one place, sometimes in two
      const places = [rnd(sources.length)];
      if (rnd(4) === 0) places.push(rnd(sources.length));
      for (const p of places) {
        if (p === 0) {
          const alike = own.filter((s) => s !== sources[0]);
          sources[0] = rnd(2) && alike.length ? [Array.isArray(sources[0]) ? sources[0][0] : sources[0], pick(alike)] : pick(lanes);
        } else sources[p] = pick(lanes);
      }
      if (f.construct && how === 'new' && Array.isArray(sources[0])) sources[0] = 'undefined';
      if (how === 'site' && !f.owner && Array.isArray(sources[0])) sources[0] = 'undefined';
      if (how === 'site' && f.owner && !f.on.endsWith('.prototype') && Array.isArray(sources[0])) sources[0] = f.owner;
      if (!sources.some(Array.isArray)) continue;
      one(f, how, sources);
    }
  }
}
process.stdout.write(JSON.stringify(result));
process.on('unhandledRejection', () => {});

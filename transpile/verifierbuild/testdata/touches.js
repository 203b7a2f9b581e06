// Whatever changes an object tells the runtime before, if init left the object behind.
// Input (stdin): {runtime, statements: [{text, emitted}]}. Output: {functions, changes, silent}.
'use strict';
const vm = require('vm');
const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const realm = vm.createContext({ Buffer: undefined });
vm.runInContext(job.runtime, realm, { filename: 'runtime.js' });
const run = (text) => vm.runInContext(text, realm);
const watched = run('__watched');

// state is all that can be seen of an object without changing it.
function state(o) {
  const all = [Object.getPrototypeOf(o), Object.isExtensible(o)];
  for (const k of Reflect.ownKeys(o)) {
    const d = Object.getOwnPropertyDescriptor(o, k);
    // How far a regular expression has come is compared anyhow.
    if (k !== 'lastIndex') all.push(k, d.value, d.get, d.set, d.writable, d.enumerable, d.configurable);
  }
  const kind = Object.prototype.toString.call(o);
  if (kind === '[object Map]') for (const x of Map.prototype.entries.call(o)) all.push(...x);
  if (kind === '[object Set]') for (const x of Set.prototype.values.call(o)) all.push(x);
  if (kind === '[object Date]') all.push(Date.prototype.getTime.call(o));
  if (kind === '[object ArrayBuffer]') all.push(...new Uint8Array(o));
  if (kind === '[object DataView]') all.push(...new Uint8Array(o.buffer));
  return all;
}

const same = (a, b) => a.length === b.length && a.every((x, i) => Object.is(x, b[i]));

let changes = 0;
const silent = [];

// attempt runs f and sees which of the objects it changed.
function attempt(name, objects, f) {
  const before = objects.map(state);
  const of = new Map(objects.map((o) => [o, { touched: false }]));
  watched.objects = of;
  watched.touched.length = 0;
  try {
    f();
  } catch {
    // It may have changed something all the same.
  }
  watched.objects = null;
  const tried = changes;
  objects.forEach((o, i) => {
    if (same(state(o), before[i])) return;
    changes++;
    if (!of.get(o).touched && !silent.includes(name)) silent.push(name);
  });
  return changes > tried;
}

const make = [
  '[3, 1, 2]', '({ a: 1, b: 2 })', 'new Map([["a", 1]])', 'new Set(["a", 1])', 'new Date(0)', 'new Uint8Array([3, 1, 2])', 'new Float64Array([2, 1])', 'new ArrayBuffer(8, { maxByteLength: 16 })',
  'new DataView(new ArrayBuffer(16))', '(function f() {})', 'new Error("e")', '/a/', 'new Int32Array(new SharedArrayBuffer(8))', 'new BigInt64Array(2)',
];
const args = [
  [], ['"a"'], ['1'], ['"a"', '2'], ['1', '2'], ['"b"', '({ value: 1, configurable: true })'], ['({ c: { value: 3 } })'], ['({ z: 9 })'], ['null'], ['"q"', '() => 1'], ['[9]'], ['0', '1n'], ['0', '1', '2'], ['12'], ['1', '1', '"new"'],
];

const roots = 'Object Function Array String Number Date RegExp Error JSON ArrayBuffer Uint8Array Float64Array DataView Map Set WeakMap WeakSet WeakRef Reflect SharedArrayBuffer Atomics Iterator Promise Symbol'.split(' ');
const functions = new Map();
for (const r of roots) {
  const o = run(`typeof ${r} === 'undefined' ? undefined : ${r}`);
  if (o === undefined) continue;
  for (const [path, x] of [[r, o], [r + '.prototype', o.prototype], [`Object.getPrototypeOf(${r}.prototype)`, o.prototype && Object.getPrototypeOf(o.prototype)]]) {
    if (x === undefined || x === null) continue;
    for (const k of Reflect.ownKeys(x)) {
      const d = Object.getOwnPropertyDescriptor(x, k);
      for (const f of [d.value, d.set]) if (typeof f === 'function' && k !== 'constructor' && !functions.has(f)) functions.set(f, `${path}.${String(k)}`);
    }
  }
}
// They wait, or compile.
const skipped = /^(Atomics\.wait|Atomics\.waitAsync|Function\.prototype\.(call|apply|bind))/;
for (const [f, name] of functions) {
  if (skipped.test(name)) continue;
  for (const m of make) {
    for (const list of args) {
      const o = run(`(${m})`);
      const values = list.map((a) => run(`(${a})`));
      attempt(`${name} on ${m}`, [o], () => Reflect.apply(f, o, values));
      const p = run(`(${m})`);
      attempt(`${name} of ${m}`, [p], () => Reflect.apply(f, undefined, [p, ...values]));
    }
  }
}
// Private fields are weak maps, and what they say of an object is part of it.
for (const [c, m] of [['WeakMap', 'set'], ['WeakMap', 'delete'], ['WeakSet', 'add'], ['WeakSet', 'delete']]) {
  const w = run(`new ${c}()`);
  const k = run('({})');
  const of = new Map([[k, { touched: false }]]);
  watched.objects = of;
  w[m](k, 1);
  watched.objects = null;
  if (!of.get(k).touched) silent.push(`${c}.prototype.${m} of a key`);
}

for (const { text, emitted } of job.statements) {
  const o = run('({ a: 1, b: undefined, n: { c: 1 }, list: [1, 2] })');
  realm.o = o;
  realm.k = 'a';
  if (!attempt(text, [o, o.n, o.list], () => run(emitted))) silent.push(text + ', which changes nothing');
}
process.stdout.write(JSON.stringify({ functions: functions.size, changes, silent }));

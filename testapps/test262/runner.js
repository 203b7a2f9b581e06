'use strict';
// GET /?FROM-TO runs these tests and answers with the outcome of each.
const http = require('http');

// What tests may change of the language: it is put back after each.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { is } = Object;
const builtIns = [];
for (const name of ownKeys(globalThis)) {
  const { value } = getOwnPropertyDescriptor(globalThis, name);
  if (typeof value !== 'function' || !/^[A-Z]/.test(String(name))) continue;
  for (const o of [value, value.prototype]) if (o !== undefined && o !== null) builtIns.push(o);
}
const generators = [function* () {}, async function* () {}].map((f) => Object.getPrototypeOf(f.prototype));
builtIns.push(...generators, Math, JSON, Reflect, Object.getPrototypeOf([].values()), Object.getPrototypeOf(Object.getPrototypeOf([].values())), Object.getPrototypeOf(Int8Array), Object.getPrototypeOf(Int8Array.prototype));
const saved = builtIns.map((o) => [o, ownKeys(o).map((k) => [k, getOwnPropertyDescriptor(o, k)])]);
const globals = ownKeys(globalThis).filter((k) => /^[A-Z]/.test(String(k))).map((k) => [k, getOwnPropertyDescriptor(globalThis, k)]);
const has = Function.prototype.call.bind(Object.prototype.hasOwnProperty);

function restore() {
  for (let i = 0; i < globals.length; i++) if (getOwnPropertyDescriptor(globalThis, globals[i][0]) === undefined) defineProperty(globalThis, globals[i][0], globals[i][1]);
  for (let i = 0; i < saved.length; i++) {
    const o = saved[i][0], list = saved[i][1];
    for (let j = 0; j < list.length; j++) {
      const k = list[j][0], d = list[j][1], now = getOwnPropertyDescriptor(o, k);
      if (now === undefined || !is(now.value, d.value) || now.get !== d.get || now.set !== d.set || now.writable !== d.writable || now.enumerable !== d.enumerable) defineProperty(o, k, d);
    }
    const keys = ownKeys(o);
    if (keys.length > list.length) for (let j = 0; j < keys.length; j++) if (!list.some((e) => e[0] === keys[j])) deleteProperty(o, keys[j]);
  }
}

function text(e) {
  try {
    return e === undefined ? 'undefined' : typeof e === 'object' && e !== null ? `${e.name || (e.constructor && e.constructor.name)}: ${e.message}` : String(e);
  } catch {
    return 'an error that throws';
  }
}

async function run([name, async, changes, load]) {
  let outcome = 'ok';
  try {
    const f = load();
    if (!async) apply(f, globalThis, []);
    else {
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('$DONE was not called')), 200);
        apply(f, globalThis, [(e) => { clearTimeout(timer); if (e) reject(e); else resolve(); }]);
      });
    }
  } catch (e) {
    outcome = text(e);
  }
  if (changes) restore();
  return [name, outcome];
}

function serve(tests) {
  process.on('unhandledRejection', () => {});
  http.createServer(async (req, res) => {
    const out = [];
    const [from, to] = req.url.slice(2).split('-').map(Number);
    for (let i = from; i < to; i++) out.push(await run(tests[i]));
    res.write(JSON.stringify(out));
    res.end();
  }).listen(process.env.PORT);
}

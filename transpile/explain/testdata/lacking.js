// Lists what the models lack of Node's modules: what is not there, and what only says
// that it is not supported. Arguments: the scripts of the models.
'use strict';
const fs = require('fs');
const vm = require('vm');
const { builtinModules } = require('module');
const node = require;

const { log } = console;
globalThis.$host = { microtasks() {}, eager: true, hashTexts() {}, hashBytes() {} };
const { exit } = process; // the models have one of their own
for (const f of process.argv.slice(2)) vm.runInThisContext(fs.readFileSync(f, 'utf8'), { filename: f });
let unsupported = false;
globalThis.$unsupported = () => (unsupported = true);

function lacks(f) {
  for (const call of [() => f(), () => new f()]) {
    unsupported = false;
    try {
      const r = call();
      if (r && typeof r.then === 'function') r.then(null, () => {});
      if (r && typeof r.on === 'function') r.on('error', () => {});
    } catch {
      // It wants arguments.
    }
    if (unsupported) return true;
  }
  return false;
}

// Not looked at: what the realm of re-execution provides, other names of the same, and
// what the bundler takes care of.
const others = new Set(['console', 'constants', 'module', 'sys', 'timers', 'timers/promises', 'assert/strict', 'path/posix', 'stream/consumers', 'readline/promises', ...['Interface', 'createInterface', 'clearLine', 'clearScreenDown', 'cursorTo', 'moveCursor'].map((k) => 'readline.' + k)]);
for (const name of builtinModules) {
  if (name.startsWith('_') || others.has(name)) continue;
  let model;
  try {
    model = $models.require(name);
  } catch {
    log(name + '.*');
    continue;
  }
  for (const k of Object.keys(node(name))) {
    if (k.startsWith('_') || typeof node(name)[k] !== 'function' || others.has(`${name}.${k}`)) continue;
    if (!(k in model) || (name !== 'process' && typeof model[k] === 'function' && lacks(model[k]))) log(`${name}.${k}`);
  }
}
exit(0);

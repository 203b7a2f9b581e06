// Runs fixtures plain and rewritten, and compares lane by lane. A fixture is a
// function of one value. Input (stdin): {runtime, fixtures: [{name, plain, emitted, inputs}]}.
// Output: a report for each, as JSON.
'use strict';
const vm = require('vm');
const util = require('util');

const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));

function realm(files) {
  const c = vm.createContext({ print: (...a) => process.stderr.write(a.map(String).join(' ') + '\n') });
  for (const [name, text] of files) vm.runInContext(text, c, { filename: name });
  return c;
}

const plain = realm([]);
const multi = realm([
  ['runtime.js', job.runtime],
  ['k.js', `var $k = { T: Symbol('karousos.tracked'), on: (o, m, t, ...a) => o[m](...a), reg: (t, f, o, ...a) => Reflect.apply(f, o, a), regCall: (f, ...a) => f.call(...a), regApply: (f, ...a) => f.apply(...a), regBind: (f, ...a) => f.bind(...a), give: (o, m, t, ...a) => { if (typeof o[m] !== 'function') throw new TypeError(t + ' is not a function'); return o[m](...a); }, np: (...a) => new Promise(...a), ctor: (x) => globalThis.$_co(x.constructor), loggable: (x) => x, box: (v) => ({ v }) };`],
]);
const mv = vm.runInContext('__mv', multi);
const stringify = vm.runInContext('__mv.native', multi);
let group = 0;

// As the driver does: a stack begins with the name and the message of each lane.
vm.runInContext(`Error.prepareStackTrace = (e, frames) => {
  const [name, message] = [e.name, e.message];
  const lane = (x, i) => String(__mv.isMV(x) ? x.$mv[i] : x);
  return __mv.norm(Array.from({ length: __mv.state.N }, (_, i) => lane(name, i) + (lane(message, i) === '' ? '' : ': ' + lane(message, i)) + frames.map((f) => '\\n    at ' + f).join('')));
};`, multi);

// held is what a collection holds in lane i: it may hold other keys in each.
function held(x, method, i) {
  if (mv.state.N > 1) mv.state.L = i;
  try {
    return [...x[method]()];
  } finally {
    mv.state.L = -1;
  }
}

// dump writes a value as lane i sees it.
function dump(x, i, seen = []) {
  if (mv.isMV(x)) x = x.$mv[i];
  switch (typeof x) {
    case 'string': return JSON.stringify(x);
    case 'number': return Object.is(x, -0) ? '-0' : String(x);
    case 'bigint': return x + 'n';
    case 'symbol': return x.toString();
    case 'function': return 'function ' + dump(x.name, i, seen);
    case 'object': break;
    default: return String(x);
  }
  if (x === null) return 'null';
  if (seen.includes(x)) return '<circular ' + seen.indexOf(x) + '>';
  seen = [...seen, x];
  const type = util.types;
  let head = '';
  const keys = Object.keys(x);
  if (Array.isArray(x)) head = 'Array(' + x.length + ')';
  else if (type.isNativeError(x)) head = 'Error ' + dump(x.name, i, seen) + ' ' + dump(x.message, i, seen);
  else if (type.isDate(x)) head = 'Date ' + Date.prototype.getTime.call(x);
  else if (type.isRegExp(x)) head = 'RegExp ' + Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get.call(x) + ' ' + dump(x.lastIndex, i, seen);
  else if (type.isMap(x)) head = 'Map ' + held(x, 'entries', i).map(([k, v]) => dump(k, i, seen) + '=>' + dump(v, i, seen)).join(',');
  else if (type.isSet(x)) head = 'Set ' + held(x, 'values', i).map((k) => dump(k, i, seen)).join(',');
  else if (type.isBoxedPrimitive(x)) head = 'boxed ' + typeof x.valueOf() + String(x.valueOf());
  else {
    const p = Object.getPrototypeOf(x);
    const c = p === null ? null : Object.getOwnPropertyDescriptor(p, 'constructor')?.value;
    head = c ? String(c.name) : 'null';
  }
  return head + '{' + keys.map((k) => k + ':' + dump(x[k], i, seen)).join(',') + '}';
}

// quiet resolves when nothing is left to run; a promise that a divergence left behind never does.
const quiet = () => new Promise((r) => setImmediate(() => setImmediate(() => r('<pending>'))));

// outcome runs f and tells what came out: a function from lanes to text.
async function outcome(f, x, diverged) {
  let value, threw = false;
  try {
    value = f(x);
    if (value !== null && typeof value === 'object' && typeof value.next !== 'function' && util.types.isPromise(value)) value = await Promise.race([value, quiet()]);
  } catch (e) {
    threw = true;
    value = e;
  }
  const d = diverged && mv.diverged();
  if (d) return { diverged: d.message };
  if (diverged && threw && mv.suspect(value)) return { diverged: 'native error: ' + value.message };
  try {
    return { lane: (i) => (threw ? 'throws ' : '') + dump(value, i) };
  } catch (e) {
    if (diverged && mv.diverged()) return { diverged: mv.diverged().message };
    throw e;
  }
}

async function run(fx) {
  const out = { name: fx.name, wrong: [], diverged: [], runs: 0 };
  let plainF, multiF;
  mv.begin(1, ++group);
  try {
    plainF = vm.runInContext('(' + fx.plain + '\n)', plain, { filename: fx.name });
    multiF = vm.runInContext('(function(exports,require,module,__filename,__dirname,process,global){' + fx.emitted + '\n})', multi, { filename: fx.name + ' emitted' });
    const m = { exports: {} };
    multiF.call({}, m.exports, undefined, m);
    multiF = m.exports.f;
  } catch (e) {
    out.wrong.push('does not load: ' + (e && e.stack || e));
    return out;
  }
  const inputs = fx.inputs.map((s) => [vm.runInContext('(' + s + ')', plain), vm.runInContext('(' + s + ')', multi), s]);
  const want = [];
  for (const [x] of inputs) want.push((await outcome(plainF, x, false)).lane(0));
  const expect = async (what, lanes, x) => {
    out.runs++;
    mv.begin(lanes.length, ++group);
    const arg = lanes.length === 1 ? inputs[lanes[0]][1] : mv.norm(lanes.map((i) => inputs[i][1]));
    const got = await outcome(multiF, arg, true);
    mv.end();
    if (got.diverged) {
      out.diverged.push(what + ': ' + got.diverged);
      if (lanes.length === 1) out.wrong.push(what + ' diverges: ' + got.diverged);
      return;
    }
    mv.begin(lanes.length, group);
    lanes.forEach((i, l) => {
      const text = got.lane(l);
      if (text !== want[i]) out.wrong.push(`${what}, lane ${l}, input ${inputs[i][2]}\n   want ${want[i]}\n    got ${text}`);
    });
    mv.end();
  };
  const primitive = inputs.every(([x]) => (typeof x !== 'object' && typeof x !== 'function') || x === null);
  for (let i = 0; i < inputs.length; i++) await expect('alone', [i]);
  const all = inputs.map((_, i) => i);
  for (let i = 0; i < inputs.length; i++) {
    const before = out.diverged.length;
    await expect('equal', [i, i, i]);
    if (out.diverged.length > before && primitive) out.wrong.push('equal lanes diverge: ' + out.diverged[before]);
  }
  await expect('all', all);
  for (let i = 0; i < inputs.length; i++) for (let j = 0; j < i; j++) if (want.length <= 8) await expect('pair', [j, i, j]);
  return out;
}

(async () => {
  const reports = [];
  for (const fx of job.fixtures) {
    let r;
    try { r = await run(fx); }
    catch (e) { r = { name: fx.name, wrong: ['harness: ' + (e && e.stack || e)], diverged: [], runs: 0 }; }
    reports.push(r);
  }
  process.stdout.write(JSON.stringify(reports));
})();
process.on('unhandledRejection', () => {});

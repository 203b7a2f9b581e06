// Runs programs one after the other, plain and rewritten, and compares what they
// print. Input (stdin): {runtime, programs: [{name, texts: [plain, rewritten…]}]}.
'use strict';
const vm = require('vm');
const util = require('util');

const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const show = (v) => (typeof v === 'string' ? v : util.inspect(v, { depth: 6, breakLength: Infinity }));
let lines = [];
const print = (...a) => { lines.push(a.map(show).join(' ')); };
process.on('unhandledRejection', (e) => lines.push('unhandled ' + e));
process.on('uncaughtException', (e) => lines.push('uncaught ' + e));

const globals = { print, setTimeout, setImmediate, clearTimeout };
const multi = vm.createContext({ ...globals });
vm.runInContext(job.runtime, multi, { filename: 'runtime.js' });

// quiet waits until the program has no timer left, and nothing else to run.
const quiet = async () => {
  for (let idle = 0; idle < 4; idle++) {
    await new Promise((r) => setImmediate(r));
    if (process.getActiveResourcesInfo().includes('Timeout')) idle = -1;
  }
};

async function run(text, emitted) {
  lines = [];
  const context = emitted ? multi : vm.createContext({ ...globals });
  try { new vm.Script(text, { filename: 'p.js' }).runInContext(context, { timeout: 5000 }); }
  catch (e) { lines.push('threw ' + (e && e.name) + ': ' + (e && e.message)); }
  await quiet();
  return lines.join('\n');
}

(async () => {
  const out = [];
  for (const p of job.programs) {
    const r = [];
    for (let i = 0; i < p.texts.length; i++) r.push(await run(p.texts[i], i > 0));
    out.push(r);
  }
  process.stdout.write(JSON.stringify(out));
})();

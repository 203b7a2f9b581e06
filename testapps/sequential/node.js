// Runs batches with Node's own V8: the same scripts in the same order, with
// Node's crypto where the verifier's engine has Go's.
'use strict';
const fs = require('fs');
const vm = require('vm');
const crypto = require('crypto');
const NodeBuffer = Buffer;
const [scripts, batches, warm] = process.argv.slice(2).map(Number);

const microtasks = function () {
  %PerformMicrotaskCheckpoint();
};
// This realm itself: one made by vm.createContext looks up every global through
// an interceptor, which costs several times as much.
const realm = globalThis;
const { log } = console;
realm.$host = {
  microtasks,
  eager: true,
  hashTexts(algorithm, texts, lengths) {
    const all = NodeBuffer.from(texts);
    let at = 0;
    let out = '';
    for (const l of lengths.split(',')) {
      out += crypto.createHash(algorithm).update(all.subarray(at, at + Number(l))).digest('base64');
      at += Number(l);
    }
    return out;
  },
  hashBytes: (algorithm, bytes) => crypto.createHash(algorithm).update(bytes).digest('base64'),
};
for (let i = 0; i < scripts; i++) vm.runInThisContext(fs.readFileSync(`script${i}.js`, 'utf8'), { filename: `script${i}.js` });

function run(name) {
  realm.__start(name);
  for (;;) {
    microtasks();
    if (realm.__step() !== 1) break;
  }
  return JSON.parse(realm.__result());
}

run(fs.readFileSync('init.json', 'utf8'));
const texts = [];
for (let i = 0; i < batches; i++) texts.push(fs.readFileSync(`batch${i}.json`, 'utf8'));
let compared = 0;
const wrong = [];
let cpu = process.cpuUsage();
let wall = process.hrtime.bigint();
for (let i = 0; i < batches; i++) {
  if (i === warm) {
    cpu = process.cpuUsage();
    wall = process.hrtime.bigint();
  }
  const r = run(texts[i]);
  compared += r.compared;
  for (const w of r.wrong) wrong.push({ Item: w.item, Why: w.why });
}
cpu = process.cpuUsage(cpu);
wall = process.hrtime.bigint() - wall;
log(JSON.stringify({ Compared: compared, Wrong: wrong, CPU: cpu.user + cpu.system, Wall: Number(wall) / 1000 }));

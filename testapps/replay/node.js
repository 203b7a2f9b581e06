// Runs the replay's scripts in Node.js: what engine/prelude.js and worker.go do
// for V8. Jobs come as lines on standard input, answers leave as lines.
'use strict';
const fs = require('fs');
const vm = require('vm');

const microtasks = new Function('%PerformMicrotaskCheckpoint();');
const write = (line) => fs.writeSync(1, line + '\n');
// The scripts bring their own Node.js; what is here must not shine through.
const readChunk = () => {
  const b = Buffer.allocUnsafe(1 << 20);
  const n = fs.readSync(0, b, 0, b.length, null);
  return n === 0 ? null : b.subarray(0, n);
};
const concat = Buffer.concat.bind(Buffer);
globalThis.$host = { microtasks };
for (const name of process.argv.slice(2)) vm.runInThisContext(fs.readFileSync(name, 'utf8'), { filename: name });

let parts = [];
for (;;) {
  const chunk = readChunk();
  if (chunk === null) break;
  const end = chunk.indexOf(10);
  if (end < 0) {
    parts.push(chunk);
    continue;
  }
  parts.push(chunk.subarray(0, end));
  const job = concat(parts).toString('utf8');
  parts = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
  globalThis.__start(job);
  microtasks();
  write(globalThis.__result());
}
process.exit(0);

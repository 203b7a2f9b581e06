// Loads an emitted bundle in a realm of its own, with one lane, and answers one
// request through Node's own http. Input (stdin): {runtime, text}. Output: {listening, status, body}.
'use strict';
const vm = require('vm');
const http = require('http');

const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const context = vm.createContext({ process, Buffer, setTimeout, setImmediate, clearTimeout, clearImmediate, queueMicrotask, console: { log() {}, error() {}, warn() {} }, URL, TextDecoder, TextEncoder });
vm.runInContext(job.runtime, context, { filename: 'runtime.js' });
const out = { listening: false };
http.Server.prototype.listen = function (...args) {
  out.listening = true;
  this.app = true;
  server = this;
  return this;
};
let server = null;
const f = vm.runInContext('(function(exports,require,module,__filename,__dirname,process,global){' + job.text + '\n})', context, { filename: 'bundle.js' });
f.call({}, {}, require, { exports: {} }, '/app/index.js', '/app', process, vm.runInContext('globalThis', context));
if (!out.listening) throw new Error('the app does not listen');

const { Readable, Writable } = require('stream');
const socket = new (class extends require('stream').Duplex { _read() {} _write(c, e, cb) { cb(); } })();
const req = new http.IncomingMessage(socket);
req.method = 'POST';
req.url = '/nowhere?a=1';
req.headers = { host: 'x' };
const res = new http.ServerResponse(req);
const chunks = [];
res.assignSocket(new (class extends Writable { _write(c, e, cb) { chunks.push(c); cb(); } })());
res.on('finish', () => {
  out.status = res.statusCode;
  out.body = Buffer.concat(chunks).toString().slice(-200);
  process.stdout.write(JSON.stringify(out));
});
req.push(null);
server.emit('request', req, res);

'use strict';

// failures.js with handlers, so that the process goes on.

const said = [];
let stopping = false;

function answer(what) {
  said.push(what);
  for (const res of waiting.values()) {
    res.statusCode = 500;
    res.end(`${what} after ${said.length}${stopping}`);
  }
  waiting.clear();
}
process.on('uncaughtException', (e, origin) => answer(`${origin}: ${e && e.message}, ${String(e.stack).split('\n')[0]}`));
process.on('unhandledRejection', (reason, promise) => {
  answer(`unhandledRejection: ${reason && reason.message}${promise instanceof Promise}`);
  promise.catch(() => {});
});
process.on('SIGUSR2', (signal, number) => {
  stopping = signal + number + (Date.now() > 0);
});
process.on('exit', (code) => console.log('exit', code, said.length));
const { waiting } = require('./failures');

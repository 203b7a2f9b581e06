'use strict';

// What WebAssembly keeps is not JavaScript's.

const http = require('http');

const memory = new WebAssembly.Memory({ initial: 1 });

http.createServer((req, res) => res.end(`the ${++new Uint8Array(memory.buffer)[0]}. time`)).listen(process.env.PORT || 3000);

'use strict';
// The platform's own objects among what is shared: of no two versions of the engine are they the same.
//> POST /{console|fs|util|path|other}
//> POST /{console|performance|util|path|other}
//> GET /
const http = require('http');
const tools = { console, own: new (require('console').Console)(process.stdout), input: process.stdin, performance, process, config: process.config, fs: require('fs'), util: require('util'), path: require('path'), crypto: require('crypto'), buffer: require('buffer'), uses: 0 };
const counts = { last: '', of: {} };
const log = [];
global.print = (f) => { global.console = f; };

http.createServer((req, res) => {
  const tool = req.url.slice(1);
  const known = tools[tool] !== undefined;
  setTimeout(() => {
    tools.uses++;
    counts.of[tool] = (counts.of[tool] || 0) + 1;
    if (req.method === 'POST') log.push(tool);
    counts.last = tool;
    res.end(JSON.stringify([tools.uses, counts, log.slice(-3), known, tools.util.format('%s', typeof tools.console.log)]));
  }, 2);
}).listen(process.env.PORT || 3000);

'use strict';

// Work in the background that never ends.

const http = require('http');

let beats = 0;
let waiting = [];
setInterval(() => {
  beats++;
  for (const res of waiting.splice(0)) res.end(`beating: ${beats > 0}`);
}, 5);

http.createServer((req, res) => waiting.push(res)).listen(process.env.PORT || 3000);

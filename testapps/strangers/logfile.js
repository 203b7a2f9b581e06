'use strict';
// A logger that writes to whatever standard output is, and asks for its descriptor; here
// that is a file, as with `node server.js > log`.
//> GET /
//> POST /lines {"text":"{a|b|c}"}
const fs = require('fs');
const express = require('express');

fs.closeSync(1);
fs.openSync('/dev/null', 'w');

const log = { fd: process.stdout.fd, lines: 0, since: 0 };
setImmediate(() => { log.since = Date.now(); });

const app = express();
app.use(express.json());
app.post('/lines', (req, res) => {
  process.stdout.write(req.body.text + '\n');
  setTimeout(() => res.status(201).json({ lines: ++log.lines, fd: log.fd, later: Date.now() >= log.since }), 1);
});
app.get('/', (req, res) => res.json({ lines: log.lines }));
app.listen(process.env.PORT);

// Bindings that one module changes and others see.
//> POST /
//> POST /
//> GET /
//> PUT /mode/{on|off}
import { createServer } from 'node:http';
import { count, increment, mode, setMode, lines, default as log } from './index.mjs';

createServer((req, res) => {
  if (req.method === 'POST') increment();
  if (req.method === 'PUT') setMode(req.url.split('/')[2]);
  res.end(`${count} ${mode} ${lines.count} ${log.at(-1) ?? '-'}`);
}).listen(process.env.PORT || 3000);

import http from 'node:http';
import state, { sessions, next, flags } from './lib/state.mjs';
import * as all from './lib/state.mjs';
http.createServer((req, res) => {
  sessions.set(next(), req.url);
  state.hits += 1;
  all.recent.unshift(req.url);
  res.end(String(flags.dark));
}).listen(3000);

const http = require('http');
const { users, add } = require('./lib/db');
const db = require('./lib/db');
const names = db.names;
const todos = []; // want "todos changed"
const done = []; // want "done changed"
const fixed = ['a', 'b'];
const settings = JSON.parse('{"theme": {"dark": true}}'); // want "settings changed"
const events = ['x', 'y'].map((name) => ({ name, seen: 0 })); // want "part of events changed"
const routes = {};

function append(list, x) {
  list.push(x);
}
function route(path, handler) {
  routes[path] = handler;
}
route('/', (res) => res.end(fixed.join()));
append(fixed, 'c');

function handler(req, res) { // want "handler.calls changed"
  handler.calls = (handler.calls || 0) + 1;
  append(todos, req.url);
  users.push(req.url);
  add(req.url);
  names[req.url] = 1;
  db.counter++;
  const last = done;
  last[0] = req.url;
  settings.theme.dark = !settings.theme.dark;
  events[0].seen++;
  globalThis.total = (globalThis.total || 0) + 1; // want "globalThis.total changed"
  res.statusCode = 200;
  routes[req.url](res);
}
http.createServer(handler).listen(3000);

'use strict';
// GET /module/thing?input: answers what the thing makes of the input. Every file of
// this folder is a table of things of one module.
const http = require('http');

const modules = {
  adapters: require('./adapters'),
  assertions: require('./assertions'),
  async: require('./async'),
  bodies: require('./bodies'),
  bytes: require('./bytes'),
  contexts: require('./contexts'),
  crypto: require('./crypto'),
  encodings: require('./encodings'),
  events: require('./events'),
  files: require('./files'),
  flows: require('./flows'),
  handles: require('./handles'),
  lines: require('./lines'),
  machine: require('./machine'),
  outside: require('./outside'),
  refusals: require('./refusals'),
  streams: require('./streams'),
  tables: require('./tables'),
  url: require('./url'),
  util: require('./util'),
  web: require('./web'),
  webcrypto: require('./webcrypto'),
  zlib: require('./zlib'),
};

//karousos:loggable
const counts = new Map();

async function answer(req, res) {
  const at = req.url.indexOf('?');
  const [, module, thing] = (at < 0 ? req.url : req.url.slice(0, at)).split('/');
  const input = at < 0 ? '' : decodeURIComponent(req.url.slice(at + 1));
  const f = modules[module] && modules[module][thing];
  if (!f) {
    res.statusCode = 404;
    res.end('no such thing');
    return;
  }
  let out;
  try {
    out = await f(input, req, res);
  } catch (e) {
    out = { name: e.name, message: e.message, code: e.code };
  }
  // What comes from outside must agree with the order in which shared state was used.
  counts.set(thing, (counts.get(thing) || 0) + 1);
  if (out !== undefined) res.end(typeof out === 'string' || Buffer.isBuffer(out) ? out : JSON.stringify(out));
}

http.createServer((req, res) => void answer(req, res)).listen(process.env.PORT || 3000);

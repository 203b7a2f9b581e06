'use strict';
// GET /topic/thing?input: answers what the thing makes of the input. Every file of
// this folder is a table of things of one topic.
const http = require('http');

const topics = {
  asynchrony: require('./asynchrony'),
  classes: require('./classes'),
  control: require('./control'),
  functions: require('./functions'),
  iteration: require('./iteration'),
  order: require('./order'),
  patterns: require('./patterns'),
  protocols: require('./protocols'),
  sloppy: require('./sloppy'),
  text: require('./text'),
};

async function answer(req, res) {
  const at = req.url.indexOf('?');
  const [, topic, thing] = (at < 0 ? req.url : req.url.slice(0, at)).split('/');
  const input = at < 0 ? '' : decodeURIComponent(req.url.slice(at + 1));
  const f = topics[topic] && topics[topic][thing];
  if (!f) {
    res.statusCode = 404;
    res.end('no such thing');
    return;
  }
  let out;
  try {
    out = await f(input);
  } catch (e) {
    out = { threw: e && e.name, message: e && e.message, value: e instanceof Error ? undefined : e };
  }
  res.end(JSON.stringify(out, (k, v) => (v === undefined ? 'undefined' : typeof v === 'bigint' ? v + 'n' : typeof v === 'symbol' || typeof v === 'function' ? String(v.name || v.description) : Object.is(v, -0) ? '-0' : v)) || 'nothing');
}

http.createServer((req, res) => void answer(req, res)).listen(process.env.PORT || 3000);

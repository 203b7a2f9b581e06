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
  messages: require('./messages'),
  order: require('./order'),
  patterns: require('./patterns'),
  protocols: require('./protocols'),
  proxies: require('./proxies'),
  sloppy: require('./sloppy'),
  text: require('./text'),
};

// Shared state, so that both builds look for it wherever the things use computed keys.
const counts = { all: 0 };

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
  counts[topic] = (counts[topic] || 0) + 1;
  // Without a length among the headers, a reject shows the text that is wrong.
  res.write(JSON.stringify(out, (k, v) => (v === undefined ? 'undefined' : typeof v === 'bigint' ? v + 'n' : typeof v === 'symbol' || typeof v === 'function' ? String(v.name || v.description) : Object.is(v, -0) ? '-0' : v)) || 'nothing');
  res.end();
}

http.createServer((req, res) => void answer(req, res)).listen(process.env.PORT || 3000);

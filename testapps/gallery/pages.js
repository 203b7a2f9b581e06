'use strict';

// What servers do besides keeping state: errors of every kind, redirects, HEAD,
// conditional requests, forms, streams, bodies of all sizes and alphabets, and
// results that differ each time.

const express = require('express');
const crypto = require('crypto');

//karousos:loggable
const pages = new Map([['home', 'Welcome — 你好 — 🌍']]);

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '1mb' }));
app.use(express.urlencoded({ extended: false }));
app.use('/raw', express.raw({ type: '*/*', limit: '1mb' }));
app.use('/text', express.text({ limit: '1mb' }));

app.get('/pages/:name', (req, res, next) => {
  const text = pages.get(req.params.name);
  if (text === undefined) return next(); // to the 404 that Express makes
  res.set('Cache-Control', 'no-cache').type('html').send(`<h1>${text}</h1>`);
});

app.post('/pages', (req, res) => {
  const { name, text } = req.body;
  pages.set(name, text);
  res.redirect(303, `/pages/${encodeURIComponent(name)}`);
});

app.get('/old/*', (req, res) => res.redirect(301, '/pages/' + req.params[0]));
app.get('/nothing', (req, res) => res.status(204).end());
app.get('/teapot', (req, res) => res.sendStatus(418));
app.get('/throws', () => {
  throw new TypeError('thrown <here>');
});
app.get('/rejects', (req, res, next) => {
  Promise.reject(new Error('rejected')).catch(next);
});
app.get('/null', (req, res) => res.json(JSON.parse('null').property));
app.get('/status/:code', (req, res, next) => {
  const e = new Error('as you wish');
  e.statusCode = Number(req.params.code);
  e.expose = true;
  next(e);
});
app.all('/methods', (req, res) => res.send(`${req.method} ${req.query.a || ''} ${req.get('x-thing') || 'no thing'}`));
app.get('/formats', (req, res) => {
  res.format({
    text: () => res.send('plain'),
    html: () => res.send('<p>html</p>'),
    json: () => res.send({ format: 'json' }),
  });
});
app.get('/pieces', (req, res) => {
  res.write('one ');
  setTimeout(() => {
    res.write('two ');
    process.nextTick(() => res.end('three'));
  }, 1);
});
app.get('/cookie', (req, res) => {
  res.cookie('seen', 'yes', { httpOnly: true, maxAge: 1000 });
  res.append('Set-Cookie', 'b=2').set('Vary', 'Cookie').json({ cookie: req.headers.cookie || null, ip: req.ip, host: req.hostname });
});
app.get('/query', (req, res) => res.json({ query: req.query, path: req.path, url: req.originalUrl, xhr: req.xhr }));
app.get('/chance', (req, res) => {
  const start = Date.now();
  const id = crypto.randomUUID();
  const dice = Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 6));
  const token = crypto.randomBytes(8).toString('hex');
  res.json({ id, dice, token, fair: crypto.randomInt(10) < 10, late: Date.now() >= start, year: new Date().getUTCFullYear() > 2000 });
});
app.post('/echo', (req, res) => res.json(req.body));
app.post('/raw', (req, res) => {
  const sum = crypto.createHash('sha256').update(req.body).digest('hex');
  res.json({ length: req.body.length, sum });
});
app.post('/raw/back', (req, res) => res.type('application/octet-stream').send(req.body));
app.post('/text', (req, res) => res.type('text').send(req.body.split('').reverse().join('')));
app.get('/big', (req, res) => {
  const n = Number(req.query.n) || 100000;
  res.type('text').send('abcdefghi\n'.repeat(n / 10));
});
app.post('/listen', (req, res) => {
  let body = '';
  let parts = 0;
  req.on('data', (chunk) => {
    body += chunk;
    parts++;
  });
  req.on('end', () => res.json({ length: body.length, any: parts > 0 }));
});
app.use('/admin', (req, res, next) => {
  if (req.get('authorization') !== 'secret') return res.status(401).set('WWW-Authenticate', 'Basic').end('no');
  next();
}, express.Router({ mergeParams: true })
  .get('/', (req, res) => res.send('admin ' + req.baseUrl))
  .get('/:user(\\d+)/:tab?', (req, res) => res.json(req.params)));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`pages listens on ${port}`));

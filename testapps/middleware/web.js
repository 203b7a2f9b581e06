'use strict';
// Security headers, cross-origin requests, compression, an access log and static files.
const path = require('path');
const fs = require('fs');
const express = require('express');
const bodyParser = require('body-parser');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const cors = require('cors');
const helmet = require('helmet');
const morgan = require('morgan');
const serveStatic = require('serve-static');

const app = express();
const countries = JSON.parse(fs.readFileSync(path.join(__dirname, 'data', 'countries.json'), 'utf8'));

//karousos:loggable
const notes = new Map();

app.use(helmet());
app.use(cors({ origin: [/\.example\.com$/, 'http://localhost'], credentials: true, maxAge: 600 }));
app.use(cookieParser('not so secret'));
app.use('/static', serveStatic(path.join(__dirname, 'public'), { maxAge: '1d', index: ['index.html'] }));
app.use(express.static('public', { extensions: ['html'] }));
// Files are neither logged nor compressed.
app.get('/file', (req, res) => res.sendFile('data/countries.json', { root: __dirname }));
app.get('/download', (req, res) => res.download(path.join(__dirname, 'public', 'long.txt'), 'a long text.txt'));
app.use(morgan('combined'));
app.use(compression({ threshold: 512 }));
app.use(bodyParser.json({ limit: '20kb' }));
app.use(bodyParser.urlencoded({ extended: true }));
app.use(bodyParser.text({ type: 'text/*' }));

app.get('/countries', (req, res) => {
  const wanted = String(req.query.q || '').toLowerCase();
  res.json(countries.filter((c) => c.name.toLowerCase().includes(wanted)));
});
app.get('/notes', (req, res) => res.json(Array.from(notes, ([id, text]) => ({ id, text }))));
app.put('/notes/:id', (req, res) => {
  const known = notes.has(req.params.id);
  notes.set(req.params.id, typeof req.body === 'string' ? req.body : JSON.stringify(req.body));
  res.status(known ? 200 : 201).json({ id: req.params.id, by: req.cookies.user ?? null });
});
app.get('/notes/:id', (req, res) => {
  if (!notes.has(req.params.id)) return res.status(404).json({ error: 'no such note' });
  res.type('text').send(notes.get(req.params.id));
});
app.post('/login', (req, res) => {
  res.cookie('user', req.body.user, { httpOnly: true, sameSite: 'lax' });
  res.cookie('token', `t-${req.body.user}`, { signed: true, maxAge: 1000 * 60 });
  res.json({ hello: req.body.user, was: req.signedCookies.token ?? null });
});
app.get('/long', (req, res) => {
  res.type('html');
  for (let i = 0; i < 50; i++) res.write(`<p>line ${i} of ${req.query.of ?? 'nothing'}</p>\n`);
  res.end();
});

app.listen(Number(process.env.PORT || 3000));

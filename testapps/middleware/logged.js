'use strict';
// An access log, compression and sessions in front of files and streams: all that these
// do when headers are written, they do while something is piped into the response.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const { pipeline, PassThrough, Readable, Transform } = require('stream');
const promises = require('stream/promises');
const compression = require('compression');
const express = require('express');
const morgan = require('morgan');
const session = require('express-session');
const serveStatic = require('serve-static');

const app = express();
const long = path.join(__dirname, 'public', 'long.txt');

//karousos:loggable
const sent = new Map();
const count = (what) => sent.set(what, (sent.get(what) || 0) + 1);

app.use(morgan('combined'));
app.use(morgan('dev', { skip: (req, res) => res.statusCode < 400 }));
app.use(session({ secret: 'not so secret', resave: false, saveUninitialized: false, genid: () => crypto.randomUUID() }));
app.use(compression({ threshold: 512 }));
// What is shared is touched when headers are written.
app.use((req, res, next) => {
  const { writeHead } = res;
  res.writeHead = function (...args) {
    count(req.path);
    this.setHeader('X-Sent', String(sent.get(req.path)));
    return Reflect.apply(writeHead, this, args);
  };
  next();
});
app.use('/static', serveStatic(path.join(__dirname, 'public')));

app.get('/file', (req, res) => res.sendFile('data/countries.json', { root: __dirname }));
app.get('/download', (req, res) => res.download(long));
app.get('/pipe', (req, res) => void fs.createReadStream(long).pipe(res.type('text')));
app.get('/halves', (req, res) => {
  fs.createReadStream(long, { end: 499 })
    .on('end', () => fs.createReadStream(long, { start: 500, highWaterMark: 1000 }).pipe(res))
    .pipe(res.type('text'), { end: false });
});
app.get('/pipeline', (req, res) => {
  pipeline(fs.createReadStream(long), zlib.createGzip(), zlib.createGunzip(), res.type('text'), (err) => count(err ? 'failed' : 'done'));
});
app.get('/upper', async (req, res, next) => {
  const upper = new Transform({ transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()) });
  try {
    await promises.pipeline(fs.createReadStream(long), upper, res.type('text'));
    count('upper');
  } catch (err) {
    next(err);
  }
});
app.get('/from', (req, res) => void Readable.from(['one ', 'two ', `and ${req.query.of}`]).pipe(res.type('text')));
app.post('/back', (req, res) => void req.pipe(new PassThrough()).pipe(res.type('text')));
app.get('/missing', (req, res, next) => void fs.createReadStream('public/nothing').on('error', next).pipe(res));
// More than the platform takes at once, from a program that waits, and one that does not.
app.get('/patient', async (req, res) => {
  for (let i = 0; i < 6; i++) {
    if (!res.write(`${i} `.repeat(20000))) await new Promise((resolve) => res.once('drain', resolve));
  }
  count('patient');
  res.end(String(sent.get('patient')));
});
app.get('/eager', (req, res) => {
  let all = '';
  for (let i = 0; i < 6; i++) all += res.write(`${i} `.repeat(4000)) ? 'more ' : 'full ';
  res.end(String(all.length > 10));
});
app.get('/late', (req, res) => void setTimeout(() => fs.createReadStream(long).pipe(res), 60));
app.get('/sent', (req, res) => res.json([...sent]));

app.listen(Number(process.env.PORT || 3000));

'use strict';

// What cannot be audited yet, and must be told apart from lies.

const { createHook } = require('async_hooks');
const crypto = require('crypto');
const express = require('express');
const fs = require('fs');
const http = require('http');
const stream = require('stream');

//karousos:loggable
const shared = new Map();

class Registry extends Map {}

// Nobody says that this is shared; the build finds it.
const tables = { n: 0, bytes: new Uint8Array(4), buffer: Buffer.alloc(4), date: new Date(0) };

const app = express();

app.get('/plain', (req, res) => {
  shared.set('plain', (shared.get('plain') || 0) + 1);
  res.send(String(shared.get('plain')));
});

app.get('/function', (req, res) => {
  shared.set('function', () => req.path);
  res.send('kept');
});

app.get('/match', (req, res) => {
  /(t)e/.test('a text');
  setTimeout(() => res.send(RegExp.$1), 1);
});

app.get('/opened', async (req, res) => {
  const file = await fs.promises.open(__filename);
  let n = 0;
  for await (const chunk of file.createReadStream({ end: 9 })) n += chunk.length;
  res.send(String(n));
});

app.get('/hooked', (req, res) => {
  const hook = createHook({ before() {} }).enable();
  hook.disable();
  res.send(typeof hook);
});

app.get('/zone', (req, res) => {
  const before = process.env.TZ;
  process.env.TZ = 'Asia/Tokyo';
  const hours = new Date(0).getHours();
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
  res.send(String(hours));
});

app.get('/matched', (req, res) => {
  /a(.)/.test(req.query.of ?? 'ab');
  res.send(RegExp.$1);
});

app.get('/instance', (req, res) => {
  class Account {
    balance = Number(req.query.n);
  }
  shared.set('instance', new Account());
  res.send('kept');
});

app.get('/subclass', (req, res) => {
  shared.set('subclass', new Registry());
  res.send('kept');
});

app.get('/bytes', (req, res) => {
  tables.bytes[1]++;
  res.send(String(tables.bytes[1]));
});

app.get('/fill', (req, res) => {
  tables.buffer.writeUInt8(7, 0);
  res.send(String(tables.buffer[0]));
});

app.get('/date', (req, res) => {
  tables.date.setFullYear(2000 + tables.date.getFullYear());
  tables.n++;
  res.send(String(tables.date.getFullYear()));
});

app.get('/freeze', (req, res) => {
  res.send(String(Object.isFrozen(Object.freeze(tables))));
});

app.get('/define', (req, res) => {
  Object.defineProperty(tables, 'n', { get: () => 5, configurable: true });
  res.send(String(tables.n));
});

app.get('/accessor', (req, res) => {
  shared.set('accessor', { get x() { return 1; } });
  res.send('kept');
});

app.get('/prototype', (req, res) => {
  Object.setPrototypeOf(tables, { inherited: 1 });
  res.send(String(tables.inherited));
});

app.get('/symbol', (req, res) => {
  tables[Symbol('own')] = 1;
  res.send('kept');
});

app.get('/socket', (req, res) => {
  shared.set('socket', res);
  res.send('kept');
});

// The platform asks for each next chunk, in no activation of the program.
app.get('/generator', (req, res) => {
  async function* years() {
    yield 'the year ';
    yield String(new Date().getFullYear());
  }
  stream.pipeline(years(), res, () => {});
});

// Each build has texts of its own.
app.get('/digest', (req, res) => res.send(crypto.createHash('ripemd160').update('x').digest('hex')));

// Keys, where only OpenSSL can tell.
app.get('/clonedkey', (req, res) => res.send(structuredClone(crypto.createSecretKey(Buffer.from('key'))).export().toString()));
app.get('/smallkey', (req, res) => {
  const { privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 512 });
  res.send(privateKey.asymmetricKeyType);
});
app.get('/badkey', (req, res) => globalThis.crypto.subtle.importKey('spki', Buffer.from('no key'), 'Ed25519', true, []).catch((e) => res.send(e.cause.message)));
app.get('/sealed', async (req, res) => {
  const { subtle } = globalThis.crypto;
  const { publicKey } = await subtle.generateKey({ name: 'RSA-OAEP', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['encrypt', 'decrypt']);
  res.send(Buffer.from(await subtle.encrypt('RSA-OAEP', publicKey, Buffer.from('x'))).toString('base64'));
});

// A response of the program's own that nobody gets but itself, as when it asks itself something.
app.get('/inject', (req, res) => {
  const own = new http.ServerResponse(req);
  const sent = [];
  own.assignSocket(new stream.Writable({ write(chunk, encoding, done) { sent.push(chunk); setImmediate(done); } }));
  own.on('finish', () => res.send({ sent: Buffer.concat(sent).length > 0 }));
  own.end('to nobody');
});

app.get('/text', (req, res) => {
  res.json({ says: String((a, b) => a[b]) });
});

app.get('/shown', (req, res) => {
  const half = (x) => x / 2;
  try {
    Reflect.construct(half, []);
  } catch (e) {
    res.json({ says: e.message });
  }
});

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`unsupported listens on ${port}`));

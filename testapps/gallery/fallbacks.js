'use strict';

// Whatever cannot be computed again is asked for where an error would be caught: what a server records must not make
// one, because Node.js would not.

const crypto = require('crypto');
const http = require('http');
const os = require('os');
const zlib = require('zlib');
const { promisify } = require('util');

// Of nobody's: it is here so that a signature has a key.
const privateKey = crypto.createPrivateKey(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGs7ORT5TdW9dO8EN
eXElbQAQ1s/yX/IbT17JWFL9C2ShRANCAAQsHl7SBot/xyNyP1a33Sc8dLR8UQJf
iCr26GGaxurXjPbQC7rC6UygRSWhjcF2fmVV772A88yEwbR+p/zlFp5y
-----END PRIVATE KEY-----`);

const text = 'what is compressed '.repeat(20);
const asks = {
  now: () => Date.now(),
  date: () => new Date(),
  perf: () => performance.now(),
  hrtime: () => process.hrtime(),
  bigint: () => process.hrtime.bigint(),
  uptime: () => process.uptime(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  bytes: () => crypto.randomBytes(8),
  int: () => crypto.randomInt(10),
  values: () => crypto.getRandomValues(new Uint8Array(8)),
  sign: () => crypto.sign('sha256', Buffer.from(text), privateKey),
  gzip: () => zlib.gzipSync(text),
  brotli: () => zlib.brotliCompressSync(text),
  deflated: () => promisify(zlib.deflate)(text),
  stream: () =>
    new Promise((resolve, reject) => {
      const g = zlib.createGzip();
      g.on('data', () => {});
      g.on('end', resolve);
      g.on('error', reject);
      g.end(text);
    }),
  inflated: () =>
    new Promise((resolve, reject) => {
      const g = zlib.createInflate();
      g.on('data', () => {});
      g.on('end', resolve);
      g.on('error', reject);
      g.end(Buffer.from('eJwrz0gsUcgsVkjOzy0oSi0uTk1RKB8Voo8QAG4YjuU=', 'base64'));
    }),
  memory: () => process.memoryUsage().heapUsed,
  cpu: () => process.cpuUsage().user,
  cpus: () => os.cpus().map((c) => c.times.user.toFixed()),
  load: () => os.loadavg()[2].toFixed(2),
  host: () => os.hostname().length,
  net: () => Object.values(os.networkInterfaces()).map((l) => l[0].address.length),
  user: () => os.userInfo().uid,
  stack: () => new Error('here').stack.split('\n').length,
};

http.createServer(async (req, res) => {
  let answer = 'fine';
  try {
    await asks[req.url.slice(1)]();
  } catch (e) {
    answer = 'fallback: ' + e.message;
  }
  res.end(answer);
}).listen(process.env.PORT || 3000);

'use strict';
// What functions of the platform throw at once, because of their arguments. Where they would have called back, nothing
// is awaited then, and what follows is not disturbed.
const crypto = require('crypto');
const dns = require('dns');
const fs = require('fs');
const http = require('http');
const { performance, PerformanceObserver } = require('perf_hooks');
const { AsyncResource } = require('async_hooks');
const { pipeline } = require('stream');
const url = require('url');
const zlib = require('zlib');

const never = () => {
  throw new Error('nothing was to come');
};

// refused tells what each throws, and then goes on.
const refused = async (s, ...all) => {
  const told = all.map((f) => {
    try {
      return typeof f();
    } catch (e) {
      return [e.name, e.message, e.code];
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
  return [told, s];
};

module.exports = {
  files: (s) =>
    refused(
      s,
      ...['readFile', 'readdir', 'stat', 'lstat', 'access', 'readlink', 'unlink', 'mkdir', 'rmdir', 'open'].map((name) => () => fs[name](undefined, never)),
      () => fs.readFile('a\0' + s, never),
      () => fs.readFile(new URL('http://host/' + s), never),
      () => fs.readFile(__filename, 'no encoding', never),
      () => fs.readdir(__dirname, { encoding: 'none' }, never),
      () => fs.readFileSync(__filename, 'no encoding'),
      () => fs.writeFile(s, 5, never),
      () => fs.writeFile(undefined, s, never),
      () => fs.rename('/' + s, undefined, never),
      () => fs.close(s + 'x', never),
      () => fs.read(s + 'x', Buffer.alloc(1), 0, 1, 0, never),
      () => fs.read(1, Buffer.alloc(1), 0, 5, 0, never),
      () => fs.mkdtemp(5, never),
      () => fs.readFile(s),
      () => fs.exists(s),
      () => fs.createReadStream(undefined),
      () => fs.createWriteStream(undefined),
      () => fs.existsSync(undefined),
    ),
  absent: (s) => new Promise((resolve) => fs.exists(undefined, (is) => resolve([is, s]))),
  names: (s) => refused(s, () => dns.lookup(5, never), () => dns.lookup(s + 'x'), () => dns.resolve4(5, never), () => dns.promises.lookup(5), () => dns.lookup(s, { family: 7 }, never)),
  compression: (s) => refused(s, () => zlib.gzip(5, never), () => zlib.gzip(s), () => zlib.gzipSync(undefined), () => zlib.deflate(s, { level: 99 }, never)),
  nothing: (s) => new Promise((resolve) => zlib.gzip(undefined, (e, b) => resolve([e, zlib.gunzipSync(b).length, s]))),
  secrets: (s) =>
    refused(
      s,
      () => crypto.scrypt(s, s, -1, never),
      () => crypto.scrypt(s, s, 5),
      () => crypto.pbkdf2(s, s, 0, 5, 'sha1', never),
      () => crypto.pbkdf2(s, s, 1, 5, 'none', never),
      () => crypto.hkdf('sha1', s, s, s, -1, never),
      () => crypto.randomBytes(s + 'x', never),
      () => crypto.randomInt(s + 'x', never),
      () => crypto.randomFill(5, never),
      () => crypto.randomFill(Buffer.alloc(1)),
      () => crypto.randomFillSync(s),
      () => crypto.getRandomValues(5),
      () => crypto.getRandomValues(new Float32Array(1)),
      () => crypto.randomUUID(5),
      () => crypto.generateKeyPair('none', {}, never),
      () => crypto.createHmac('sha1', undefined),
      () => crypto.createHmac('sha1', {}),
    ),
  bytes: (s) =>
    refused(
      s,
      () => Buffer.from(s, 'none'),
      () => Buffer.from(s).toString('none'),
      () => Buffer.alloc(9).write(s, 'none'),
      () => Buffer.concat([s]),
      () => Buffer.concat([Buffer.from(s), undefined]),
      () => Buffer.concat([Buffer.from(s)], 'x'),
      () => Buffer.compare(s, Buffer.from(s)),
      () => Buffer.from(s).compare(5),
      () => Buffer.from(s).equals(s),
      () => Buffer.from(s).copy(s),
      () => Buffer.from(s).indexOf(undefined),
      () => Buffer.from(s).includes({}),
      () => url.parse(undefined),
      () => url.resolve('/' + s, 5),
      () => url.format(5),
      () => atob(),
      () => btoa(),
      () => process.cpuUsage(5),
    ),
  timers: (s) => refused(s, () => setTimeout(s), () => setTimeout(), () => setInterval(null), () => setImmediate(5), () => process.nextTick({}), () => queueMicrotask(5), () => AbortSignal.timeout(s + 'x'), () => AbortSignal.timeout(-1), () => AbortSignal.timeout(1.5)),
  requests: (s, req, res) =>
    refused(
      s,
      () => res.setHeader('a b', s),
      () => res.setHeader('x', undefined),
      () => res.writeHead(99),
      () => res.writeHead(200, ['a', s, 'b']),
      () => res.write(null),
      () => res.setTimeout('x', never),
      () => req.setTimeout(-1, never),
      () => req.socket.setTimeout(s + 'x'),
      () => res.assignSocket(req.socket),
      () => http.createServer(5),
      () => new http.Server({ requestTimeout: -1 }),
      () => http.createServer({ keepAliveTimeout: 'x' }),
    ),
  servers: (s, req) => [http.createServer({ keepAliveTimeout: 5, requestTimeout: 7 }), http.createServer({ requestTimeout: 0 })].map((x) => [x.keepAliveTimeout, x.requestTimeout, x.headersTimeout]).concat(req.socket.readyState, req.socket.allowHalfOpen, s),
  others: (s) =>
    refused(
      s,
      () => process.kill(s + 'x'),
      () => process.kill(process.pid, 'SIGNONE'),
      () => process.emitWarning(5),
      () => process.setUncaughtExceptionCaptureCallback(5),
      () => new AsyncResource(),
      () => performance.mark(),
      () => performance.measure(),
      () => new PerformanceObserver(),
      () => pipeline(),
      () => structuredClone(),
      () => new Headers(5),
      () => new EventTarget().addEventListener(s),
      () => new DOMException(s, 'TypeMismatchError').code,
    ),
};

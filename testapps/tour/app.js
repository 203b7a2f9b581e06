'use strict';
// Everything that Express does with a request and a response, in one app, so
// that what the verifier's models make of it can be compared with Node itself.
const cookies = require('cookie-parser');
const crypto = require('crypto');
const querystring = require('querystring');
const { StringDecoder } = require('string_decoder');
const { Transform } = require('stream');
const util = require('util');

module.exports = function tour(express) {
  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(cookies('secret'));

  // ---- responses
  app.get('/', (req, res) => res.send('Hello'));
  app.get('/empty', (req, res) => res.send(''));
  app.get('/unicode', (req, res) => res.send('grün 🍀 \u{1f468}\u200d\u{1f469} \ud800 lone'));
  app.get('/long', (req, res) => res.send('0123456789'.repeat(5000)));
  app.get('/longer', (req, res) => res.send('äöü€'.repeat(20000)));
  app.get('/json', (req, res) => res.json({ a: 1, b: [true, null, 'x'], c: { d: 'é' } }));
  app.get('/jsonp', (req, res) => res.jsonp({ a: '\u2028' }));
  app.get('/buffer', (req, res) => res.send(Buffer.from([0, 1, 2, 253, 254, 255])));
  app.get('/textbuffer', (req, res) => res.type('txt').send(Buffer.from('text')));
  app.get('/number', (req, res) => res.status(200).json(42));
  app.get('/null', (req, res) => res.send(null));
  app.get('/end', (req, res) => res.end());
  app.get('/endtext', (req, res) => res.end('text'));
  app.get('/endlatin1', (req, res) => res.end('é', 'latin1'));
  app.get('/endbase64', (req, res) => res.end('aGk=', 'base64'));
  app.get('/write', (req, res) => {
    res.write('one,');
    res.write(Buffer.from('two,'));
    res.write('drei', 'utf8', () => {});
    res.end('!');
  });
  app.get('/writelength', (req, res) => {
    res.setHeader('Content-Length', 6);
    res.write('abc');
    res.end('def');
  });
  app.get('/status/:code', (req, res) => res.status(Number(req.params.code)).send('body'));
  app.get('/sendstatus/:code', (req, res) => res.sendStatus(Number(req.params.code)));
  app.get('/type/:type', (req, res) => res.type(req.params.type).send('x'));
  app.get('/redirect', (req, res) => res.redirect('/elsewhere?a=ü b'));
  app.get('/redirect301', (req, res) => res.redirect(301, 'http://example.com/<a>'));
  app.get('/location', (req, res) => res.location('../up').status(201).end());
  app.get('/links', (req, res) => res.links({ next: '/2', last: '/9' }).send('links'));
  app.get('/cookie', (req, res) => {
    res.cookie('a', 'b c; d');
    res.cookie('o', { x: 1 }, { path: '/p', httpOnly: true, sameSite: 'lax', secure: true });
    res.cookie('s', 'signed', { signed: true, domain: 'example.com' });
    res.clearCookie('gone', { path: '/q' });
    res.send('cookies');
  });
  app.get('/cookies', (req, res) => res.json({ c: req.cookies, s: req.signedCookies }));
  app.get('/append', (req, res) => {
    res.append('X-Many', 'one').append('X-Many', ['two', 'three']);
    res.set({ 'X-Set': 'v', 'x-lower': ' padded ' });
    res.vary('Accept').vary('Origin');
    res.attachment('reporté.txt');
    res.send('append');
  });
  app.get('/nonascii', (req, res) => {
    res.setHeader('X-Latin', 'é');
    res.end('body');
  });
  app.get('/nonasciibuffer', (req, res) => {
    res.setHeader('X-Latin', 'é');
    res.end(Buffer.from('body'));
  });
  app.get('/disposition', (req, res) => {
    res.setHeader('Content-Disposition', 'attachment; filename="é"');
    res.end('body');
  });
  app.get('/writehead', (req, res) => {
    res.setHeader('X-Before', 'b');
    res.writeHead(202, 'Fine', { 'X-Head': 'h', 'x-before': 'replaced' });
    res.end('head');
  });
  app.get('/writeheadarray', (req, res) => {
    res.removeHeader('X-Powered-By');
    res.writeHead(203, ['X-A', '1', 'X-B', '2']);
    res.end();
  });
  app.get('/flush', (req, res) => {
    res.set('X-Flushed', 'yes');
    res.flushHeaders();
    res.end('late');
  });
  app.get('/removed', (req, res) => {
    res.removeHeader('Content-Length');
    res.setHeader('Set-Cookie', ['a=1', 'b=2']);
    res.end('x');
  });
  app.get('/format', (req, res) => {
    res.format({ text: () => res.send('text'), html: () => res.send('<p>html</p>'), json: () => res.json({ f: 'json' }), default: () => res.status(406).send('none') });
  });
  app.get('/headersent', (req, res) => {
    res.send('first');
    try {
      res.setHeader('X-Late', '1');
    } catch (e) {
      if (e.code !== 'ERR_HTTP_HEADERS_SENT') throw e;
    }
  });

  // ---- requests
  app.get('/echo', (req, res) => {
    res.json({
      method: req.method, url: req.url, original: req.originalUrl, base: req.baseUrl, path: req.path, query: req.query, host: req.hostname, hostHeader: req.headers.host,
      protocol: req.protocol, secure: req.secure, ip: req.ip, ips: req.ips, xhr: req.xhr, subdomains: req.subdomains, accepts: req.accepts(['html', 'json']), charsets: req.acceptsCharsets('utf-8'),
      languages: req.acceptsLanguages('en', 'de'), is: req.is('json'), get: req.get('X-Thing'), fresh: req.fresh, headers: Object.keys(req.headers).filter((k) => k.startsWith('x-')), raw: req.rawHeaders.length > 0,
      version: req.httpVersion, distinct: req.headersDistinct['x-thing'],
    });
  });
  app.get('/params/:a/:b', (req, res) => res.json(req.params));
  app.head('/headonly', (req, res) => res.set('X-Head', '1').end());
  app.all('/all', (req, res) => res.send(req.method));
  app.route('/route').get((req, res) => res.send('got')).put((req, res) => res.send('put')).delete((req, res) => res.status(204).end());

  const router = express.Router();
  router.use((req, res, next) => {
    res.set('X-Router', req.baseUrl + '|' + req.url);
    next();
  });
  router.param('id', (req, res, next, id) => {
    if (id === 'bad') return next(new Error('bad id'));
    req.item = 'item ' + id;
    next();
  });
  router.get('/items/:id', (req, res) => res.send(req.item));
  router.get('/skip', (req, res, next) => next('router'));
  app.use('/router', router);
  app.get('/router/skip', (req, res) => res.send('skipped'));

  // ---- bodies
  app.post('/json', express.json({ limit: '100kb' }), (req, res) => res.json({ body: req.body ?? null, type: typeof req.body }));
  app.post('/loose', express.json({ strict: false, type: () => true }), (req, res) => res.json({ body: req.body }));
  app.post('/form', express.urlencoded({ extended: true }), (req, res) => res.json(req.body ?? null));
  app.post('/simpleform', express.urlencoded({ extended: false }), (req, res) => res.json(req.body ?? null));
  app.post('/text', express.text(), (req, res) => res.json({ body: req.body ?? null }));
  app.post('/raw', express.raw({ type: '*/*' }), (req, res) => res.json({ length: req.body.length, hex: Buffer.isBuffer(req.body) ? req.body.subarray(0, 40).toString('hex') : null }));
  app.post('/verify', express.json({ verify: (req, res, buf, encoding) => { req.rawLength = buf.length + encoding; } }), (req, res) => res.json({ raw: req.rawLength }));
  app.post('/byhand', (req, res) => {
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => res.json({ body: body.length, complete: req.complete }));
  });
  app.post('/setencoding', (req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => {
      if (typeof chunk !== 'string') throw new Error('not text');
      body += chunk;
    });
    req.once('end', () => res.send(body.slice(0, 20)));
  });
  app.post('/decoder', (req, res) => {
    const d = new StringDecoder('utf8');
    let body = '';
    req.on('data', (chunk) => {
      for (let i = 0; i < chunk.length; i++) body += d.write(chunk.subarray(i, i + 1));
    });
    req.on('end', () => res.send(body + d.end()));
  });
  app.post('/iterate', async (req, res, next) => {
    try {
      const chunks = [];
      for await (const c of req) chunks.push(c);
      res.send('iterated ' + Buffer.concat(chunks).toString().length);
    } catch (e) {
      next(e);
    }
  });
  app.post('/pipe', (req, res) => {
    res.type('text');
    req.pipe(new Transform({ transform: (c, e, done) => done(null, c.toString().toUpperCase()) })).pipe(res);
  });
  app.post('/pipeback', (req, res) => {
    req.pipe(res);
  });
  app.post('/paused', (req, res) => {
    req.pause();
    let body = '';
    req.on('data', (c) => {
      body += c;
    });
    setImmediate(() => req.resume());
    req.on('end', () => res.send('resumed ' + body.length + req.isPaused()));
  });
  app.post('/ignored', (req, res) => res.send('ignored'));
  app.post('/late', (req, res) => {
    setTimeout(() => {
      let n = 0;
      req.on('data', (c) => {
        n += c.length;
      });
      req.on('end', () => res.send('late ' + n));
    }, 5);
  });

  // ---- time
  app.get('/async', async (req, res) => {
    await null;
    await new Promise((resolve) => setImmediate(resolve));
    res.send('async');
  });
  app.get('/order', (req, res) => {
    const log = [];
    setImmediate(() => log.push('immediate'));
    setTimeout(() => {
      log.push('timeout');
      res.json(log);
    }, 20);
    process.nextTick(() => log.push('tick'));
    Promise.resolve().then(() => log.push('microtask')).then(() => log.push('microtask 2'));
    queueMicrotask(() => log.push('queued'));
    process.nextTick(() => log.push('tick 2'));
    log.push('sync');
  });
  app.get('/events', (req, res) => {
    const log = [];
    res.on('finish', () => log.push('finish', res.writableFinished, res.headersSent));
    res.on('close', () => {
      log.push('close', res.writableEnded, res.destroyed);
      events.last = log;
    });
    res.on('prefinish', () => log.push('prefinish'));
    res.send('events');
    log.push('sent', res.writableEnded, res.headersSent, res.finished);
  });
  const events = { last: null };
  app.get('/lastevents', (req, res) => res.json(events.last));
  app.post('/requestevents', (req, res) => {
    const log = [];
    for (const e of ['end', 'close', 'error', 'aborted']) req.on(e, () => log.push(e, req.readableEnded, req.destroyed, req.complete));
    req.on('data', () => log.push('data', req.readableFlowing));
    setTimeout(() => res.json(log), 20);
  });

  // ---- core modules
  app.get('/hashes', (req, res) => {
    const out = {};
    for (const a of ['md5', 'sha1', 'sha256', 'sha512', 'SHA256', 'sha224', 'sha384', 'sha3-256']) {
      out[a] = crypto.createHash(a).update('text ü').update(Buffer.from([1, 2, 255])).digest('hex');
      out['hmac ' + a] = crypto.createHmac(a, 'key').update('text').digest('base64');
    }
    for (const n of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 2047, 2048, 2049, 5000]) {
      out[n] = crypto.createHash('sha1').update('é'.repeat(n)).digest('base64');
      out['b' + n] = crypto.createHash('sha1').update(Buffer.alloc(n, 7)).digest('hex');
    }
    res.json(out);
  });
  app.get('/buffers', (req, res) => {
    const b = Buffer.from('grün 🍀');
    res.json({
      hex: b.toString('hex'), base64: b.toString('base64'), latin1: b.toString('latin1'), ascii: b.toString('ascii'), ucs2: b.toString('ucs2'), cut: b.subarray(0, 3).toString(), middle: b.toString('utf8', 2, 4), json: b,
      from: [Buffer.from('/+8=', 'base64'), Buffer.from('-_8', 'base64'), Buffer.from('-_8', 'base64url'), Buffer.from('abc', 'hex'), Buffer.from('é', 'latin1'), Buffer.from('é€', 'utf16le'), Buffer.from([1, 2, 300]), Buffer.from(new Uint8Array([9])), Buffer.from(new Uint16Array([258]).buffer)].map((x) => x.toString('hex')),
      bad: Buffer.from([0xf0, 0x9f, 0x41, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xff, 0xe2, 0x82]).toString(), concat: Buffer.concat([b, Buffer.from('!'), b], 14).toString('hex'), equals: b.equals(Buffer.from('grün 🍀')), index: b.indexOf('🍀'),
      lengths: [Buffer.byteLength('é'), Buffer.byteLength('\ud83c'), Buffer.byteLength('🍀'), Buffer.byteLength('abc', 'hex'), Buffer.byteLength('aGk=', 'base64')], slice: b.slice(-4).toString(), is: Buffer.isBuffer(b.slice(1)), compare: Buffer.compare(b, Buffer.from('h')),
      alloc: Buffer.alloc(5, 'ab').toString(), read: b.readUInt32BE(0), write: (() => { const w = Buffer.alloc(6); w.write('éé', 1); w.writeInt16LE(-2, 4); return w.toString('hex'); })(), fill: Buffer.alloc(4).fill('x').toString(), swapped: Buffer.from('abcd').swap16().toString(),
    });
  });
  app.get('/querystring', (req, res) => res.json({ p: querystring.parse('a=1&b=%20x&a=2&c'), s: querystring.stringify({ a: [1, 2], b: 'ü' }) }));

  app.get('/inspect', (req, res) => {
    class Point {
      constructor() {
        this.x = 1;
        this['odd key'] = "it's";
      }
    }
    class Sub extends Point {
      get y() {
        return 2;
      }
    }
    const circular = { name: 'c', list: [] };
    circular.self = circular;
    circular.list.push(circular, { circular });
    const values = [
      'text', "it's", 'it\'s "both"', 'a\nb\t\x00\x7f\ud800', '', 1, -0, NaN, 10n, true, null, undefined, Symbol('s'), [], {}, [1, 2, 3], [1, , 3], [undefined, null], [[[[1]]]], { a: { b: { c: { d: 1 } } } },
      { a: 1, 'b-c': 2, [Symbol('k')]: 3, __proto__: null }, new Point(), new Sub(), Point, Sub, class {}, function named() {}, () => {}, Object.assign(() => {}, { p: 1 }), new Map([['a', { b: 1 }], [{ k: 1 }, [1]]]), new Map(), new Set([1, 'x', [2]]), new Date(0), new Date(NaN), /a+b/gi,
      Buffer.from('bytes'), Buffer.alloc(60), new Uint8Array([1, 2, 3]), new Float64Array(2), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)), circular, Array.from({ length: 120 }, (_, i) => i), Array.from({ length: 30 }, (_, i) => 'item ' + i), 'long '.repeat(40), { long: 'x'.repeat(100), other: 'y'.repeat(60) },
      { f() {}, get g() { return 1; }, set g(v) {}, get only() { return 1; }, set w(v) {} }, new String('boxed'), new Number(3), Object(Symbol('b')), Object.create({ inherited: 1 }), Object.create(null), new WeakMap(), [new Point(), new Point()], { a: [{ b: 1, c: [1, 2, { d: 1 }] }], e: new Map([[1, new Set([2])]]) }, Object.assign([1, 2], { extra: true }),
      ['a'.repeat(30), 'b'.repeat(30), 'c'.repeat(30)], { 'key with spaces': { nested: { deep: { deeper: 1 } } } }, [['a', 1], ['b', 2]], 'line one\nline two that is somewhat longer than a line\nline three that is rather long too, so it breaks', [1.5, -2, 1e21, 100, 2000, 30000, 7, 8, 9, 10], Math, JSON, (function () { return arguments; })(1, 2),
    ];
    res.type('text').send(
      values.map((v) => util.inspect(v)).join('\n') + '\n' + values.map((v) => util.inspect({ v }, { depth: 0, compact: false })).join('\n') + '\n' + util.inspect(values[19], false, null) + util.inspect({ b: 1, a: 2 }, { sorted: true, showHidden: true }) +
        '\n' + [util.format('%s %d %i %f %j %o %O %% %c x', 'a', 1.5, '2.7', '3.1', { j: 1 }, [1], { o: 1 }, 'css', 'rest', { r: 1 }), util.format('%s', { a: { b: 1 } }), util.format('%s %s', new Point()), util.format(1, 'a', { b: 2 }), util.format('no', 'format', 3), util.format('%d', 1n), util.format('%s', Symbol('x')), util.format('%s', -0), util.format('100%')].join('\n') +
        '\n' + util.inspect(Object.assign(new Error('boom'), { stack: 'Error: boom\n    at here' })) + util.inspect({ e: Object.assign(new TypeError('t'), { stack: 'TypeError: t\n    at there', code: 'E_T' }) }) + util.isDeepStrictEqual({ a: [1, new Map([[1, 2]])] }, { a: [1, new Map([[1, 2]])] }) + util.isDeepStrictEqual([1], ['1']),
    );
  });
  app.get('/url', (req, res) => {
    const url = require('url');
    const of = (u) => ({ ...url.parse(u, true) });
    res.json([of('http://user:pass@Example.com:8080/p/a/t/h?query=string&a=%20b#hash'), of('/relative?x=1&x=2'), of('//host/path'), url.resolve('http://a.com/b/c', '../d?e'), url.format({ protocol: 'https', hostname: 'h', pathname: '/p', query: { a: 1, b: 'ü' } })]);
  });

  // ---- errors
  app.get('/throw', () => {
    throw new Error('thrown');
  });
  app.get('/teapot', (req, res, next) => next(Object.assign(new Error('short and stout'), { status: 418, expose: true, headers: { 'X-Teapot': '1' } })));
  app.get('/handled', (req, res, next) => next(Object.assign(new Error('handled'), { handled: true })));
  app.get('/reject', async (req, res, next) => {
    try {
      await Promise.reject(new Error('rejected'));
    } catch (e) {
      next(e);
    }
  });
  app.get('/badheader', (req, res, next) => {
    try {
      res.setHeader('X-Bad', 'a\nb');
    } catch (e) {
      res.status(500).json({ message: e.message, code: e.code, name: e.name });
    }
  });
  app.get('/badmessages', (req, res) => {
    const said = [];
    for (const f of [
      () => res.setHeader('X Y', '1'), () => res.setHeader('X', undefined), () => res.writeHead(42), () => res.write(null), () => res.write(42), () => res.end({}), () => Buffer.from(5), () => Buffer.from(null), () => Buffer.byteLength(5), () => Buffer.concat('x'),
      () => req.on('x', 5), () => crypto.createHash('nope'), () => JSON.parse('{'), () => JSON.parse('{"a":x}'), () => JSON.parse(''), () => null.x, () => undefined.f(), () => app.nope(), () => decodeURIComponent('%'), () => new Array(-1), () => 'x'.repeat(-1), () => Symbol() + '', () => BigInt(1.5),
    ]) {
      try {
        f();
        said.push('nothing');
      } catch (e) {
        said.push([e.name, e.message, e.code]);
      }
    }
    res.json(said);
  });
  app.use((err, req, res, next) => {
    if (err.handled) return res.status(500).json({ error: err.message, name: err.name });
    if (err.type) return res.status(err.status).json({ type: err.type, message: err.message, status: err.status, body: err.body });
    next(err);
  });
  return app;
};

'use strict';

// One route for each thing that apps ask of Node.js and of the language. An audit
// may come to "accept" or to "cannot be audited", never to an accusation.

const express = require('express');
const fs = require('fs');
const path = require('path');
const os = require('os');
const util = require('util');
const zlib = require('zlib');
const crypto = require('crypto');
const events = require('events');
const stream = require('stream');
const { URL, URLSearchParams } = require('url');
const querystring = require('querystring');

//karousos:loggable
const shared = new Map([['n', 0]]);

const app = express();
const sleep = util.promisify(setTimeout);
const get = (name, f) => {
  app.get('/' + name, (req, res, next) => Promise.resolve().then(() => f(req, res, next)).catch(next));
};

get('tick', (req, res) => process.nextTick((a) => res.send(a), 'ticked'));
get('microtask', (req, res) => queueMicrotask(() => res.send('micro')));
get('promisify', async (req, res) => { await sleep(2); res.send('slept'); });
get('timerspromises', async (req, res) => { await require('timers/promises').setTimeout(2); res.send('slept'); });
get('cleartimeout', (req, res) => { const t = setTimeout(() => res.send('late'), 50); setTimeout(() => { clearTimeout(t); res.send('early'); }, 1); });
get('cleartimeoutsync', (req, res) => { const t = setTimeout(() => res.send('late'), 50); clearTimeout(t); res.send('now'); });
get('twotimers', (req, res) => { const out = []; const done = (x) => { out.push(x); if (out.length === 2) res.send(out.join()); }; setTimeout(done, 20, 'slow'); setTimeout(done, 1, 'fast'); });
get('immediatevstimer', (req, res) => { const out = []; const done = (x) => { out.push(x); if (out.length === 3) res.send(out.join()); }; setTimeout(done, 0, 't'); setImmediate(done, 'i'); process.nextTick(done, 'n'); });
get('order', async (req, res) => { const out = []; const p = [3, 1, 2].map(async (ms) => { await sleep(ms * 40); out.push(ms); }); await Promise.all(p); res.send(out.join()); });
get('emitter', (req, res) => { const e = new events.EventEmitter(); e.once('x', (v) => res.send('got ' + v)); setImmediate(() => e.emit('x', 5)); });
get('eventsonce', async (req, res) => { const e = new events.EventEmitter(); setImmediate(() => e.emit('x', 5)); const [v] = await events.once(e, 'x'); res.send('got ' + v); });
get('finish', (req, res) => { res.on('finish', () => shared.set('n', shared.get('n') + 1)); res.send('n ' + shared.get('n')); });
get('close', (req, res) => { res.on('close', () => shared.set('n', shared.get('n') + 1)); res.send('n ' + shared.get('n')); });
get('afterresponse', async (req, res) => { res.send('n ' + shared.get('n')); await sleep(5); shared.set('n', shared.get('n') + 1); });
get('asyncgen', async (req, res) => { async function* g() { for (let i = 0; i < 3; i++) { await null; yield i; } } const out = []; for await (const x of g()) out.push(x); res.send(out.join()); });
get('readfile', async (req, res) => { res.send(await fs.promises.readFile(path.join(__dirname, 'package.json'), 'utf8')); });
get('readfilesync', (req, res) => res.send(fs.readFileSync(path.join(__dirname, 'package.json'), 'utf8')));
get('zlib', (req, res) => res.send(zlib.gunzipSync(zlib.gzipSync('hello')).toString()));
get('zlibasync', async (req, res) => res.send((await util.promisify(zlib.gzip)('hello')).toString('hex').length + ''));
get('hmac', (req, res) => res.send(crypto.createHmac('sha256', 'k').update('x').digest('base64url')));
get('pbkdf2', async (req, res) => res.send((await util.promisify(crypto.pbkdf2)('p', 's', 10, 16, 'sha256')).toString('hex')));
get('pbkdf2sync', (req, res) => res.send(crypto.pbkdf2Sync('p', 's', 10, 16, 'sha256').toString('hex')));
get('scrypt', (req, res) => res.send(crypto.scryptSync('p', 's', 16, { N: 16 }).toString('hex')));
get('timingsafe', (req, res) => res.send(String(crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')))));
get('cipher', (req, res) => { const c = crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)); res.send(c.update('x', 'utf8', 'hex') + c.final('hex')); });
get('url', (req, res) => { const u = new URL('/a?b=1', 'http://x.y:80/'); u.searchParams.append('c', 'ä'); res.send(u.href + new URLSearchParams({ a: 1 }) + querystring.stringify({ q: [1, 2] })); });
get('locale', (req, res) => res.send((1234567.891).toLocaleString() + new Date(0).toLocaleString('en-US') + ['b', 'ä', 'a'].sort((a, b) => a.localeCompare(b)).join()));
get('intl', (req, res) => res.send(new Intl.DateTimeFormat('de-DE', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(0)) + new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(3.5)));
get('date', (req, res) => { const d = new Date(2020, 0, 1); res.send(d.toString() + d.getTimezoneOffset() + new Date('2020-05-05T10:00:00Z').toISOString()); });
get('now', (req, res) => res.send(String(Date.now()) + new Date().toISOString() + performance.now() + process.hrtime.bigint() + process.uptime()));
get('clone', (req, res) => res.json(structuredClone({ a: [1, { b: new Date(0) }] })));
get('textenc', (req, res) => res.send(new TextDecoder().decode(new TextEncoder().encode('häß')) + btoa('x') + atob('eA==')));
get('buffer', (req, res) => { const b = Buffer.alloc(8); b.writeUInt32BE(5); b.writeDoubleLE?.(1.5, 0); res.send(b.toString('hex') + Buffer.from('ä').toString('latin1') + Buffer.compare(Buffer.from('a'), Buffer.from('b'))); });
get('os', (req, res) => res.send(os.EOL + os.platform() + typeof os.hostname() + os.cpus().length));
get('env', (req, res) => res.send(String(process.env.HOME) + process.env.NOPE + process.version + process.platform + process.argv.length));
get('memory', (req, res) => res.send(String(process.memoryUsage().rss > 0) + process.pid));
get('stack', (req, res) => res.send(new Error('x').stack.split('\n')[0] + (new Error('y').stack.length > 5)));
get('inspect', (req, res) => res.send(util.inspect({ a: new Map([[1, { b: [1, 2] }]]) }) + util.format('%s %d %j', 'a', 1, { x: 1 })));
get('streams', (req, res) => { stream.Readable.from(['a', 'b', 'c']).pipe(new stream.Transform({ transform(c, e, cb) { cb(null, String(c).toUpperCase()); } })).pipe(res); });
get('pipeline', (req, res, next) => stream.pipeline(stream.Readable.from(['a', 'b']), res, (e) => e && next(e)));
get('writev', (req, res) => { res.setHeader('Content-Type', 'text/plain'); for (let i = 0; i < 5; i++) res.write('x' + i); res.end(); });
get('flush', (req, res) => { res.flushHeaders(); res.write('a'); setTimeout(() => res.end('b'), 2); });
get('abort', async (req, res) => { const c = new AbortController(); setTimeout(() => c.abort(), 1); await new Promise((r) => c.signal.addEventListener('abort', r)); res.send('aborted ' + c.signal.aborted); });
get('any', async (req, res) => res.send(String(await Promise.any([sleep(1).then(() => 1)]))));
get('allsettled', async (req, res) => res.json(await Promise.allSettled([sleep(1), Promise.reject(new Error('x')).catch((e) => e.message), 3])));
get('thenable', async (req, res) => res.send(String(await { then(f) { setImmediate(f, 7); } })));
get('weak', (req, res) => { const w = new WeakMap(); const k = {}; w.set(k, 1); res.send(String(w.get(k)) + new WeakRef(k).deref() === undefined); });
get('proxy', (req, res) => { const p = new Proxy({}, { get: (t, k) => String(k) }); res.send(p.hello + Reflect.ownKeys(p).length); });
get('regex', (req, res) => res.send('2020-01-02'.replace(/(?<y>\d+)-(?<m>\d+)/u, '$<m>/$<y>') + [...'aXbX'.matchAll(/X/g)].length + 'abc'.at(-1) + 'ab'.padStart(5, '*')));
get('bigint', (req, res) => res.send(String(2n ** 70n) + BigInt.asUintN(8, 300n)));
get('symbol', (req, res) => { class A { static #p = 1; get [Symbol.toStringTag]() { return 'A'; } static p() { return A.#p; } } res.send(String(new A()) + A.p()); });
get('labels', (req, res) => { let n = 0; outer: for (let i = 0; i < 5; i++) { for (let j = 0; j < 5; j++) { if (j === 3) continue outer; if (i === 3) break outer; n++; } } res.send(String(n)); });
get('sort', (req, res) => res.json([3, 1, 2].sort((a, b) => a - b).concat(Array.from(new Set([1, 1, 2]))).map((x) => x * 2).reduce((a, b) => a + b, 0)));
get('random', (req, res) => res.send(String(Math.random()) + crypto.randomUUID() + crypto.randomBytes(4).toString('hex') + crypto.randomInt(5)));
get('randomasync', async (req, res) => res.send((await util.promisify(crypto.randomBytes)(4)).toString('hex')));
get('webcrypto', async (req, res) => res.send(Buffer.from(await crypto.webcrypto.subtle.digest('SHA-256', Buffer.from('x'))).toString('hex')));
get('log', (req, res) => { console.log('a', { b: 1 }); console.error('e'); res.send('logged'); });
get('als', async (req, res) => { const { AsyncLocalStorage } = require('async_hooks'); const als = new AsyncLocalStorage(); await als.run({ id: 5 }, async () => { await sleep(1); res.send(String(als.getStore().id)); }); });
get('sharedasync', async (req, res) => { const n = shared.get('n'); await sleep(1); shared.set('n', n + 1); await null; res.send(String(shared.get('n'))); });
get('nested', (req, res) => { shared.set('o', { a: [1, { b: new Set([1]) }], d: new Date(0), r: /x/g, m: new Map([['k', { z: 1 }]]) }); const o = shared.get('o'); o.a[1].b.add(2); o.m.get('k').z++; o.a.push('x'); res.json({ a: o.a.length, b: [...o.a[1].b], z: o.m.get('k').z, d: o.d, t: o.r.test('x') }); });
get('nestedread', (req, res) => { const o = shared.get('o'); if (!o) return res.send('none'); o.a[1].b.add(3); o.m.get('k').z++; o.a.unshift('y'); res.json({ a: o.a, b: o.a.find((x) => x && x.b) !== undefined, z: o.m.get('k').z, d: o.d.getTime() }); });
app.post('/forawait', async (req, res) => { let n = 0; for await (const c of req) n += c.length; res.send(String(n)); });
app.post('/pipeback', (req, res) => { req.pipe(res); });
const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`platform listens on ${port}`));

'use strict';

// One route for each way in which the turns of a request follow, wait for, or race
// each other.

const http = require('http');
const { EventEmitter, once } = require('events');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');

//karousos:loggable
const shared = new Map();

const sleep = (ms, v) => new Promise((resolve) => setTimeout(resolve, ms, v));
const fail = (ms, v) => new Promise((_, reject) => setTimeout(() => reject(new Error(v)), ms));
const routes = {};
const als = new AsyncLocalStorage();

routes.race = async () => Promise.race([sleep(40, 'two'), sleep(1, 'one')]);
routes.racenow = async () => [await Promise.race([1, 2]), await Promise.race([sleep(1), Promise.resolve('now')]), await Promise.race([fail(1, 'x'), sleep(40, 'y')]).catch((e) => e.message)];
routes.raceclose = async () => { const r = await Promise.race([sleep(1, 'a'), sleep(1, 'b'), sleep(1, 'c')]); shared.set(r, (shared.get(r) || 0) + 1); await sleep(2); return [typeof r, shared.get(r) > 0]; };
routes.any = async () => [await Promise.any([fail(1, 'x'), sleep(20, 'y')]), await Promise.any([fail(1, 'p'), fail(2, 'q')]).catch((e) => [e.name, e.message, e.errors.map((x) => x.message)]), await Promise.any([]).catch((e) => e.errors.length)];
routes.allsettled = async () => Promise.allSettled([sleep(1, 'v'), fail(2, 'e').catch((e) => e.message), Promise.reject(7), 3]);
routes.allfails = async () => Promise.all([sleep(3, 'v'), fail(1, 'first'), fail(40, 'second')]).catch((e) => e.message);
routes.allcontest = async () => { const m = await Promise.all([fail(1, 'a'), fail(1, 'b'), fail(1, 'c')]).catch((e) => e.message); shared.set('contest', m); return typeof m; };
routes.all = async () => Promise.all([sleep(3, 'c'), 'plain', sleep(1, 'a'), { then(f) { f('thenable'); } }]);
routes.notiterable = async () => [await Promise.all(5).catch((e) => e.message), await Promise.race({}).catch((e) => e.message), await Promise.any().catch((e) => e.message), await Promise.allSettled(null).catch((e) => e.message)];
routes.badthen = async () => [await Promise.resolve({ get then() { throw new Error('no then'); } }).catch((e) => e.message), await new Promise((r) => r({ then(f, g) { g('rejected'); f('late'); } })).catch((e) => e), await Promise.resolve({ then: 5, v: 1 })];
routes.timeout = async () => { const limit = (p, ms) => new Promise((resolve, reject) => { const t = setTimeout(() => reject(new Error('timed out')), ms); p.then((v) => { clearTimeout(t); resolve(v); }, reject); }); return [await limit(sleep(1, 'done'), 80), await limit(sleep(80, 'slow'), 2).catch((e) => e.message)]; };
routes.twice = async () => { let settle; const p = new Promise((resolve) => { settle = resolve; }); setTimeout(() => settle('timer'), 40); setImmediate(() => settle('immediate')); const v = await p; settle('again'); await sleep(60); return v; };
routes.close = async () => { let settle; const p = new Promise((resolve) => { settle = resolve; }); for (const n of [1, 2, 3]) sleep(1).then(() => settle(n)); const v = await p; shared.set('close', v); return typeof v; };
routes.interval = async () => { let n = 0; const seen = []; await new Promise((resolve) => { const t = setInterval((a) => { seen.push(a + n); if (++n === 3) { clearInterval(t); resolve(); } }, 1, 'i'); }); return seen; };
routes.intervalcleared = async () => { let n = 0; const t = setInterval(() => { n++; shared.set('n', (shared.get('n') || 0) + 1); }, 2); await sleep(40); clearInterval(t); const m = n; await sleep(5); return [n === m, typeof shared.get('n')]; };
routes.intervalthis = async () => new Promise((resolve) => { setInterval(function () { clearInterval(this); resolve([typeof this.refresh, this.hasRef()]); }, 1); });
routes.intervalafter = (_, res) => { let n = 0; const t = setInterval(() => { shared.set('after', (shared.get('after') || 0) + 1); if (++n === 2) clearInterval(t); }, 1); res.end('sent'); };
routes.queues = async () => { const log = []; await new Promise((resolve) => { setTimeout(() => { log.push('timer'); resolve(); }, 40); setImmediate(() => { log.push('immediate'); process.nextTick(() => log.push('tick in immediate')); Promise.resolve().then(() => log.push('micro in immediate')); setImmediate(() => log.push('next immediate')); }); setImmediate(() => log.push('second immediate')); process.nextTick(() => { log.push('tick'); queueMicrotask(() => log.push('micro in tick')); process.nextTick(() => log.push('tick in tick')); }); Promise.resolve().then(() => { log.push('then'); process.nextTick(() => log.push('tick in then')); }).then(() => log.push('then then')); queueMicrotask(() => log.push('micro')); log.push('sync'); }); return log; };
routes.awaits = async () => { const log = []; const f = async (n) => { log.push(n + 0); await null; log.push(n + 1); await new Promise((r) => r()); log.push(n + 2); return n; }; const g = async () => f('g'); await Promise.all([f('a'), g(), f('b').then((v) => log.push('then ' + v)).finally(() => log.push('fin'))]); return log; };
routes.finally = async () => { const log = []; await Promise.reject(new Error('x')).finally(() => sleep(1)).catch((e) => log.push(e.message)); log.push(await Promise.resolve(1).finally(() => 2)); await Promise.resolve(1).finally(() => { throw new Error('y'); }).catch((e) => log.push(e.message)); return log; };
routes.asynciter = async () => { const out = []; async function* g() { try { for (let i = 0; ; i++) { await sleep(1); yield i; } } finally { out.push('closed'); } } for await (const x of g()) { out.push(x); if (x === 2) break; } const e = new EventEmitter(); setTimeout(() => e.emit('x', 'once'), 1); out.push(...(await once(e, 'x'))); return out; };
routes.als = async (req) => als.run({ id: req.url }, async () => { const log = [als.getStore().id]; await sleep(1); log.push(als.getStore().id); await Promise.all([sleep(1), 2].map(async (p) => { await p; log.push(als.getStore().id); })); setTimeout(() => log.push('t' + als.getStore().id), 15); process.nextTick(() => log.push('n' + als.getStore().id)); setImmediate(() => log.push('i' + als.getStore().id)); await als.run({ id: 'inner' }, async () => { await null; log.push(als.getStore().id); als.exit(() => log.push(String(als.getStore()))); }); await sleep(30); log.push(als.getStore().id); return log; });
routes.alsbind = async () => { const log = []; let f, s, r; als.run('bound', () => { f = AsyncResource.bind(() => als.getStore()); s = AsyncLocalStorage.snapshot(); r = new AsyncResource('R'); }); log.push(f(), s(() => als.getStore()), r.runInAsyncScope(() => als.getStore()), String(als.getStore())); als.run(1, () => { als.enterWith('entered'); }); return log; };
routes.alsemitter = async () => { const e = new EventEmitter(); const log = []; als.run('a', () => e.on('x', () => log.push(String(als.getStore())))); als.run('b', () => e.emit('x')); e.emit('x'); setTimeout(() => e.emit('x'), 1); await sleep(40); return log; };
routes.alsgen = async () => als.run('g', async () => { async function* g() { yield als.getStore(); await sleep(1); yield als.getStore(); } const out = []; for await (const x of g()) out.push(x); return out; });
routes.timers = async () => { const log = []; const t = setTimeout(() => log.push('never'), 1); log.push(typeof t, typeof t.ref, t.hasRef(), t.unref() === t, t.hasRef()); clearTimeout(t); clearTimeout(undefined); clearTimeout({}); const n = +setTimeout(() => log.push('nor this'), 2); clearTimeout(n); const i = setImmediate(() => log.push('nor that')); clearImmediate(i); const r = setTimeout(() => log.push('refreshed'), 3); r.refresh(); try { setTimeout('x'); } catch (e) { log.push(e.code); } await sleep(40); return log; };
routes.throws = async () => { const log = []; process.nextTick(() => log.push('t')); try { await (async () => { throw new TypeError('in async'); })(); } catch (e) { log.push(e.name); } try { await Promise.all([sleep(1), (async () => { await null; null.x; })()]); } catch (e) { log.push(e.message); } return log; };
routes.deferred = async () => { const waiting = []; const mutex = { locked: false, async lock() { while (mutex.locked) await new Promise((r) => waiting.push(r)); mutex.locked = true; }, unlock() { mutex.locked = false; const w = waiting.shift(); if (w) w(); } }; const log = []; await Promise.all(['a', 'b', 'c'].map(async (n) => { await mutex.lock(); log.push(n); await sleep(1); log.push(n + n); mutex.unlock(); })); return log; };
routes.sharedsum = async () => { const n = shared.get('sum') || 0; await Promise.race([sleep(1), sleep(2)]); shared.set('sum', n + 1); await Promise.any([sleep(1), fail(1, 'no')]); return typeof shared.get('sum'); };

class Bus extends EventEmitter { on(name, f) { super.on(name, f); return this; } once(name, f) { return super.once(name, f); } }
routes.superon = async () => { const b = new Bus(); const log = []; b.on('x', (v) => log.push(v)).once('x', (v) => log.push('once ' + v)); b.emit('x', 1); b.emit('x', 2); const f = () => log.push('gone'); b.on('x', f); log.push(b.listeners('x').includes(f), b.listenerCount('x')); b.removeListener('x', f); b.emit('x', 3); return log; };
routes.aliases = async (req) => { const e = new EventEmitter(); const log = []; const { on } = e; on.call(e, 'x', (v) => log.push('call ' + v)); EventEmitter.prototype.once.apply(e, ['x', (v) => log.push('apply ' + v)]); const b = e.on.bind(e, 'x'); b((v) => log.push('bind ' + v)); e.emit('x', 1); e.emit('x', 2); await sleep(1); e.emit('x', 3); return [log, e.listenerCount('x')]; };
routes.bodycall = (req, res) => { let n = 0; const { on } = req; on.call(req, 'data', (c) => { n += c.length; }); on.call(req, 'end', () => { shared.set('bodies', (shared.get('bodies') || 0) + 1); res.end(JSON.stringify([n, typeof shared.get('bodies')])); }); };
routes.endcall = (req, res) => { const before = shared.get('ended') || 0; res.end(JSON.stringify(typeof before), () => shared.set('ended', before + 1)); };
routes.writecall = (req, res) => { res.setHeader('Content-Type', 'text/plain'); res.write('a', () => shared.set('written', (shared.get('written') || 0) + 1)); setTimeout(() => res.end('b'), 20); };

const server = http.createServer((req, res) => {
  const f = routes[req.url.slice(1)];
  if (f === undefined) return res.writeHead(404).end();
  const send = (v) => v !== undefined && res.end(JSON.stringify(v));
  const made = f(req, res);
  if (made && made.then) made.then(send, (e) => res.writeHead(500).end(e.stack));
});
server.listen(process.env.PORT || 3000, () => console.log('listening'));

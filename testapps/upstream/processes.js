'use strict';

const { exec, execFile, execFileSync, execSync, spawn, spawnSync, ChildProcess } = require('child_process');
const dns = require('dns');
const { once } = require('events');
const { promisify } = require('util');

const run = promisify(execFile);
const shell = promisify(exec);

function heard(list, name, emitter, events) {
  for (const e of events) emitter.on(e, (...x) => list.push([`${name} ${e}`, ...x.map((v) => (v instanceof Error ? v.code || v.message : Buffer.isBuffer(v) ? String(v) : v))]));
}

module.exports = {
  async run(at) {
    const { stdout, stderr } = await run('echo', ['hello', at]);
    return [stdout, stderr];
  },
  shell(at, req, res) {
    exec('echo out; echo err >&2; echo $THING', { env: { THING: 'thing', PATH: process.env.PATH } }, (e, stdout, stderr) => res.json([e, stdout, stderr]));
  },
  async fails() {
    const out = [];
    for (const command of ['echo x; exit 3', 'nonsense-command', 'kill -9 $$', 'echo y >&2; false']) {
      try {
        out.push(await shell(command));
      } catch (e) {
        out.push([e.message, e.code, e.killed, e.signal, e.cmd, e.stdout, e.stderr.replace(/.*: /, '')]);
      }
    }
    return out;
  },
  async missing() {
    const list = [];
    const c = spawn('no-such-program', ['a']);
    heard(list, 'child', c, ['spawn', 'error', 'exit', 'close']);
    const e = await new Promise((f) => c.on('error', f));
    const f = await run('no-such-program').catch((e) => e);
    return [c.pid, list[0], e.message, e.syscall, e.path, e.spawnargs, f.code, f.cmd, c.spawnfile];
  },
  async spawn() {
    const list = [];
    const c = spawn('sh', ['-c', 'cat; exit 4']);
    heard(list, 'child', c, ['spawn', 'error', 'exit', 'close']);
    let all = '';
    c.stdout.setEncoding('utf8');
    c.stdout.on('data', (d) => (all += d));
    c.stdin.write('some ');
    c.stdin.end('text');
    await once(c, 'close');
    return [typeof c.pid, list, all, c.exitCode, c.signalCode, c.killed, c.spawnargs, c instanceof ChildProcess, c.stdio.length];
  },
  async pipes(at, req, res) {
    const c = spawn('tr', ['a-z', 'A-Z']);
    c.stdout.pipe(res);
    for (let i = 0; i < 50; i++) if (!c.stdin.write('many words '.repeat(300))) await once(c.stdin, 'drain');
    c.stdin.end();
  },
  async iterated() {
    const c = spawn('seq', ['3']);
    let all = '';
    for await (const chunk of c.stdout) all += chunk;
    return all;
  },
  async killed() {
    const c = spawn('sleep', ['100']);
    const done = c.kill();
    const [code, signal] = await once(c, 'exit');
    return [done, c.killed, code, signal, c.kill()];
  },
  async late() {
    const e = await run('sleep', ['100'], { timeout: 20 }).catch((e) => e);
    const c = new AbortController();
    setTimeout(() => c.abort(), 10);
    const f = await run('sleep', ['100'], { signal: c.signal }).catch((e) => e);
    return [e.killed, e.signal, e.code, f.name, f.code];
  },
  async greedy() {
    const e = await shell('yes', { maxBuffer: 100 }).catch((e) => e);
    return [e.code, e.message, e.stdout.length];
  },
  ignored: async () => {
    const c = spawn('echo', ['x'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [code] = await once(c, 'close');
    return [c.stdin, c.stderr, c.stdout !== null, code];
  },
  waited() {
    const r = spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 2']);
    const s = spawnSync('cat', { input: 'in and out', encoding: 'utf8' });
    const t = spawnSync('no-such-program', ['x']);
    return [r.status, String(r.stdout), String(r.stderr), r.signal, s.stdout, s.output, t.status, t.error.code, t.error.syscall, t.error.spawnargs, Object.keys(r)];
  },
  synchronous() {
    const out = [String(execSync('echo by shell')), execFileSync('echo', ['a', 'b'], { encoding: 'utf8' })];
    try {
      execSync('echo trouble >&2; exit 7', { stdio: 'pipe' });
    } catch (e) {
      out.push([e.message, e.status, String(e.stderr)]);
    }
    return out;
  },
  async looked() {
    const out = [await new Promise((f) => dns.lookup('localhost', { family: 4 }, (e, address, family) => f([e, address, family])))];
    out.push(await dns.promises.lookup('127.0.0.1'));
    out.push(await promisify(dns.lookup)('127.0.0.1'));
    out.push(await dns.promises.lookup('no-such-host.invalid').catch((e) => [e.syscall, e.hostname, e.message === `${e.syscall} ${e.code} ${e.hostname}`]));
    out.push(await require('dns/promises').lookup('localhost', { all: true, family: 4 }));
    return out;
  },
};

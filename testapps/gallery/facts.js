'use strict';

// What a process is told of itself, of time and of files, so that a lie shows.

const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');

const show = (v) => (Object.is(v, -0) ? '-0' : typeof v === 'object' && v !== null ? v.constructor.name : `${typeof v} ${String(v)}`);

const asked = {
  signs: () => [Math.random(), Date.now(), crypto.randomInt(5), performance.now(), process.uptime()].map((x) => Object.is(x, -0)),
  perf: () => performance.now(),
  uptime: () => process.uptime(),
  hrtime: () => process.hrtime().map((n) => String(n).padStart(9, '0')).join(''),
  hrbig: () => process.hrtime.bigint(),
  both: () => {
    const [s, ns] = process.hrtime();
    return process.hrtime.bigint() >= BigInt(s) * 1000000000n + BigInt(ns);
  },
  process: () => `${process.pid} ${process.getuid()} ${process.getgid()} ${performance.timeOrigin}`,
  parent: () => process.ppid,
  mark: () => {
    const m = performance.mark('m');
    return m.startTime === m.startTime;
  },
  measure: () => {
    const m = performance.measure('m');
    return m.duration === m.duration;
  },
  event: () => {
    const e = new Event('e');
    return e.timeStamp === e.timeStamp;
  },
  port: (q) => `${typeof q.socket.remotePort} ${q.socket.remotePort === q.socket.remotePort}`,
  peer: (q) => `${show(q.socket.remoteAddress)} ${q.socket.remoteAddress === q.socket.remoteAddress} ${show(q.socket.remoteFamily)} ${show(q.socket.localAddress)} ${show(q.socket.localPort)}`,
  server: () => show(server.address()),
  bytes: () => show(fs.readFileSync('/etc/hostname')),
  text: () => show(fs.readFileSync('/etc/hostname', 'utf8')),
  hex: () => /^[0-9a-f]*$/.test(fs.readFileSync('/etc/hostname', 'hex')),
  names: () => show(fs.readdirSync('/etc')[0]),
  entries: () => show(fs.readdirSync('/etc', { withFileTypes: true })[0]),
  raw: () => fs.readdirSync('/etc', 'buffer').every(Buffer.isBuffer),
  piece: () => {
    const file = fs.openSync('/etc/hostname');
    return (fs.readSync(file, Buffer.alloc(4), 0, 3, 0) <= 3) + (fs.closeSync(file) ?? '');
  },
  stat: () => show(fs.statSync('/etc/hostname')),
  folder: () => show(fs.mkdirSync(path.join(os.tmpdir(), `facts-${crypto.randomUUID()}`))),
  wrote: () => {
    const file = fs.openSync('/dev/null', 'w');
    return fs.writeSync(file, 'four') + (fs.closeSync(file) ?? 0);
  },
  big: () => typeof fs.statSync('/etc/hostname', { bigint: true }).size,
};

const server = http
  .createServer((q, s) => s.end(String(asked[q.url.slice(1)](q))))
  .listen(process.env.PORT || 3000);

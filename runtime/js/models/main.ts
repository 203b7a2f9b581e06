// Node's core modules as the verifier build has them, and the way in for
// requests. Nothing here reaches a socket, a disk or a clock.
import { Buffer, atob, btoa, isAscii, isUtf8, kMaxLength, kStringMaxLength, SlowBuffer, constants as bufferConstants, shownBytes, transcode } from './buffer';
import EventEmitter from './events';
import Stream from './stream';
import { StringDecoder } from './string_decoder';
import { TextDecoder, TextEncoder } from './encoding';
import * as http from './http';
import { SecureAgent, secureAgent, secureGet, secureRequest } from './client';
import * as net from './net';
import * as crypto from './crypto';
import { path } from './path';
import { punycodeModule } from './punycode';
import querystring from './querystring';
import util from './util';
import process from './process';
import { async_hooks } from './async_hooks';
import { channels, diagnostics_channel } from './diagnostics_channel';
import { console } from './console';
import { os, perf_hooks, performance, timers, tty } from './small';
import { fs } from './fs';
import { Blob, fetch, File, Form, Headers, Request, Response } from './fetch';
import { adapt } from '../shared/adapters';
import { installStreams, webStreams } from '../shared/streams';
import zlib from './zlib';
import { URL, urlModule, URLSearchParams } from './url';
import { AbortController, AbortSignal } from './abort';
import { DOMException } from './domexception';
import { CustomEvent, Event, EventTarget } from './eventtarget';
import { sockets, tls } from './socket';
import { child_process } from './child';
import { dns } from './dns';
import { structuredClone } from './clone';
import { assert, said } from '../shared/assert';
import { Crypto, CryptoKey, SubtleCrypto } from './internal/cryptokey';
import { coded, unsupported } from './internal/errors';
import { constants } from './internal/http2-constants';
import { surface } from './internal/surface';
import { paired } from '../shared/keys';

const https: any = { Agent: SecureAgent, globalAgent: secureAgent, Server: class {}, createServer: () => unsupported('https.createServer'), get: secureGet, request: secureRequest };

paired(crypto, util.promisify.custom);

const modules: Record<string, any> = {
  __proto__: null,
  async_hooks,
  buffer: { Blob, Buffer, File, SlowBuffer, atob, btoa, isAscii, isUtf8, kMaxLength, kStringMaxLength, constants: bufferConstants, transcode },
  child_process,
  console,
  constants: {},
  crypto: { ...crypto },
  diagnostics_channel,
  dns,
  'dns/promises': dns.promises,
  events: EventEmitter,
  fs,
  'fs/promises': fs.promises,
  http: { ...http, dispatch: undefined, listening: undefined, upgrades: undefined, connections: undefined },
  https,
  net: { ...net, ...sockets },
  os,
  path,
  'path/posix': path,
  'path/win32': path.win32,
  perf_hooks,
  process,
  querystring,
  stream: Stream,
  'stream/promises': (Stream as any).promises,
  string_decoder: { StringDecoder },
  timers,
  'timers/promises': timers.promises,
  tls,
  tty,
  util,
  'util/types': util.types,
  zlib,
};
Object.defineProperty(modules.buffer, 'INSPECT_MAX_BYTES', shownBytes);
delete modules.http.dispatch;
delete modules.http.listening;
delete modules.http.upgrades;
delete modules.http.connections;

// Modules that cost time to load and that few applications use.
const late: Record<string, () => any> = {
  __proto__: null as any,
  assert: () => assert,
  'assert/strict': () => load('assert').strict,
  'karousosc:said': () => said,
  punycode: punycodeModule,
  'stream/web': () => webStreams(),
  url: urlModule,
};
modules.sys = util;

// named gives a class that the bundler had to call otherwise its own name: programs can read it.
function named(k: string, f: any): void {
  const own = typeof f === 'function' ? f[util.promisify.custom] : undefined;
  if (typeof own === 'function') util.promisify(f);
  if (typeof f === 'function' && f.name !== k && f.name.replace(/^_|\d+$/g, '') === k) Object.defineProperty(f, 'name', { value: k, configurable: true });
}

// whole adds what a model lacks of Node's module: it can be asked for, as feature
// tests do, and it may be extended, but not called.
function whole(name: string, m: any): any {
  for (const k of Object.keys(m)) named(k, Object.getOwnPropertyDescriptor(m, k)!.value);
  const names = surface[name];
  if (names === undefined) return m;
  for (const k of names.split(' ')) {
    if (k in m) continue;
    Object.defineProperty(m, k, { value: lacking(`${name}.${k}`, k), writable: true, enumerable: true, configurable: true });
  }
  return m;
}

// lacking stands for what has no model.
function lacking(what: string, name: string): Function {
  const f = function () {
    return unsupported(what);
  };
  return Object.defineProperty(f, 'name', { value: name });
}

// Globals of Node 20 without a model.
const lackingGlobals =
  'BroadcastChannel MessageChannel MessagePort MessageEvent Performance PerformanceEntry ' +
  'PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming';

function load(name: string): any {
  const bare = name.startsWith('node:') ? name.slice(5) : name;
  const m = modules[bare];
  if (m !== undefined) {
    if (!complete.has(bare)) {
      complete.add(bare);
      whole(bare, m);
    }
    return m;
  }
  if (late[bare] !== undefined) return keep(bare, late[bare]());
  // Modules that applications load without using them for what is audited.
  if (surface[bare] !== undefined) return keep(bare, { ...plainFields[bare] });
  throw coded(Error, 'MODULE_NOT_FOUND', `Cannot find module '${name}'`);
}

const builtin = Object.freeze(
  `_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough _stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap
   assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises
   module net os path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers timers/promises
   tls trace_events tty url util util/types v8 vm wasi worker_threads zlib`.split(/\s+/),
);
// Those that are only there with the scheme.
const schemed = ['node:sea', 'node:test', 'node:test/reporters'];

const plainFields: Record<string, any> = {
  __proto__: null,
  cluster: { isMaster: true, isPrimary: true, isWorker: false, workers: {}, settings: {} },
  worker_threads: { isMainThread: true, threadId: 0, parentPort: null, workerData: null, resourceLimits: {} },
  module: { builtinModules: builtin, isBuiltin: (name: any) => typeof name === 'string' && (schemed.includes(name) || builtin.includes(name.replace(/^node:/, ''))) },
  http2: { constants, sensitiveHeaders: Symbol('nodejs.http2.sensitiveHeaders') },
};

const complete = new Set<string>();

function keep(name: string, m: any): any {
  complete.add(name);
  return (modules[name] = whole(name, m));
}

const g = globalThis as any;
for (const [name, value] of Object.entries({ Buffer, TextDecoder, TextEncoder, atob, btoa, console, performance, crypto: crypto.webcrypto, Crypto, CryptoKey, SubtleCrypto, global: g, process, URL, URLSearchParams, AbortController, AbortSignal, CustomEvent, DOMException, Event, EventTarget, structuredClone, fetch, Blob, File, FormData: Form, Headers, Request, Response })) {
  named(name, value);
  Object.defineProperty(g, name, { value, writable: true, configurable: true });
}
installStreams(() => zlib);
adapt(Stream);
Object.defineProperty(g, Symbol.toStringTag, { value: 'global', configurable: true });
for (const k of lackingGlobals.split(' ')) if (!(k in g)) Object.defineProperty(g, k, { value: lacking(k, k), writable: true, configurable: true });

g.$models = { require: load, dispatch: http.dispatch, upgrades: http.upgrades, connections: http.connections, listening: http.listening, Buffer, process, channels };

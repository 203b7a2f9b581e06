// What a recorded result of the world outside may look like. Its contents are the
// server's word, but not that a number is text, or that a call which cannot fail did.

import { heardOf } from '../../shared/client';
import { readingOf } from '../../shared/filehandle';
import { reading } from '../../shared/reading';
import { Buffer } from '../buffer';

type Check = (v: any) => string | null;

const isText: (v: any) => boolean = (v) => typeof v === 'string';
const isNumber = (v: any): boolean => typeof v === 'number' && Number.isFinite(v);
const isCount = (v: any): boolean => Number.isSafeInteger(v) && v >= 0;
const isObject = (v: any): boolean => typeof v === 'object' && v !== null && !Array.isArray(v);
const isList = (of: (v: any) => boolean) => (v: any): boolean => Array.isArray(v) && v.every(of);
const isOneOf = (...all: ((v: any) => boolean)[]) => (v: any): boolean => all.some((f) => f(v));

// has: v has these fields, each as it should be, and no others.
const has = (fields: Record<string, (v: any) => boolean>) => (v: any): boolean => isObject(v) && Object.keys(v).every((k) => Object.hasOwn(fields, k)) && Object.keys(fields).every((k) => fields[k](v[k]));
const maybe = (f: (v: any) => boolean) => (v: any): boolean => v === undefined || f(v);

// told checks JSON text.
function told(what: string, f: (v: any) => boolean): Check {
  return (v) => {
    let ok = false;
    try {
      ok = typeof v === 'string' && f(JSON.parse(v));
    } catch {
      // no JSON
    }
    return ok ? null : `not ${what}`;
  };
}

// ---- os and process

const any = (): boolean => true;
const processor = has({ model: isText, speed: isNumber, times: has({ user: isNumber, nice: isNumber, sys: isNumber, idle: isNumber, irq: isNumber }) });
const interfaces = (v: any): boolean => isObject(v) && Object.values(v).every(isList((a) => isObject(a) && isText(a.address) && isText(a.netmask) && isText(a.mac) && typeof a.internal === 'boolean'));
const osTypes: Record<string, (v: any) => boolean> = {
  hostname: isText, release: isText, version: isText, homedir: isText, tmpdir: isText, totalmem: isCount, freemem: isCount, uptime: isNumber, availableParallelism: isCount,
  getPriority: isNumber, loadavg: (v) => isList(isNumber)(v) && v.length === 3, cpus: isList(processor), networkInterfaces: interfaces,
  userInfo: has({ uid: isNumber, gid: isNumber, username: any, homedir: any, shell: any }),
};
export const ofOS = (name: string): Check => told(`a result of os.${name}`, osTypes[name]);
export const memory = told('a use of memory', has({ rss: isCount, heapTotal: isCount, heapUsed: isCount, external: isCount, arrayBuffers: isCount }));
export const cpu = told('a use of the processor', has({ user: isNumber, system: isNumber }));
const used = ['userCPUTime', 'systemCPUTime', 'maxRSS', 'sharedMemorySize', 'unsharedDataSize', 'unsharedStackSize', 'minorPageFault', 'majorPageFault', 'swappedOut', 'fsRead', 'fsWrite', 'ipcSent', 'ipcReceived', 'signalsCount', 'voluntaryContextSwitches', 'involuntaryContextSwitches'];
export const resources = told('a use of resources', has(Object.fromEntries(used.map((k) => [k, isCount]))));
export const groups = told('a list of groups', isList(isCount));
export const active = told('a list of what keeps the event loop going', isList(isText));
export const report = told('a diagnostic report', (v) => typeof v?.header === 'object' && v.header !== null);
export const utilization = told('a use of the event loop', has({ idle: isNumber, active: isNumber, utilization: isNumber }));
export const delay = told('a delay of the event loop', isOneOf(isNumber, (v) => v === null));
// What became of process.kill: nothing, or an error of the platform's.
export const killed = told('what process.kill does', isOneOf((v) => v === null, has({ message: isText, code: isText, errno: isNumber, syscall: isText })));

// What async_hooks numbers.
export const asyncId: Check = (v) => (isCount(v) ? null : 'not the number of a resource');

// Whether text is shown in colours.
export const colored = told('whether there are colours', (v) => typeof v === 'boolean');

// ---- addresses

const isPort = (v: any): boolean => isCount(v) && v <= 65535;
const isFamily = (v: any): boolean => v === 'IPv4' || v === 'IPv6';
const endTypes: Record<string, (v: any) => boolean> = { Address: isText, Family: isFamily, Port: isPort };
// What is told of an address: a server's, or a part of that of one end of a connection, which it has no more when it is closed.
export const ofAddress = (what: string): Check =>
  told('an address', isOneOf((v) => v === null, what === 'address' ? isOneOf(isText, has({ address: isText, family: isFamily, port: isPort })) : endTypes[what.replace(/^remote|^local/, '')]));

// ---- fs

const failure = has({ e: has({ name: isText, message: isText, code: maybe(isText), errno: maybe(isNumber), syscall: maybe(isText), path: maybe(isText), dest: maybe(isText) }) });
const nothing = has({});
const bytes = has({ b: isText });
const bytesUpTo = (n: any) => has({ b: (v) => isText(v) && Buffer.from(v, 'base64').length <= n });
const list = has({ l: isList(isText) });
const given = (f: (v: any) => boolean): ((v: any) => boolean) => has({ v: f });
const statFields = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks', 'atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'];
const stats = has({ t: has(Object.fromEntries(statFields.map((k) => [k, isNumber]))) });
const entries = has({ d: isList((d) => Array.isArray(d) && d.length === 2 && isText(d[0]) && [1, 2, 3].includes(d[1])) });

// encodingOf is what a call of module fs makes text of bytes by, null if it does not.
export function encodingOf(options: any): any {
  const e = typeof options === 'string' ? options : options?.encoding;
  return e === undefined || e === null || e === 'buffer' ? null : e;
}

// Text that bytes are read as is such that they can be made of it.
const isTextIn = (encoding: any) => (v: any): boolean => isText(v) && Buffer.from(v, encoding).toString(encoding) === v;

// A name is text unless bytes are asked for.
const name = (options: any): ((v: any) => boolean) => ((options?.encoding ?? options) === 'buffer' ? bytes : given(isText));
const statOf = (options: any): ((v: any) => boolean) => (options?.throwIfNoEntry === false ? isOneOf(stats, nothing) : stats);
const sizeOf = (data: any, encoding: any): number => (typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.byteLength);

const read = ([, o]: any[]): ((v: any) => boolean) => (encodingOf(o) === null ? bytes : given(isTextIn(encodingOf(o))));
// What is no list fails.
const total = (list: any): number => (Array.isArray(list) ? list.reduce((n: number, b: any) => n + b.byteLength, 0) : 0);

// What comes of a call with such arguments.
const fsTypes: Record<string, (args: any[]) => (v: any) => boolean> = {
  read: (args) => bytesUpTo(reading(args, Buffer.alloc).length), readFile: read,
  stat: ([, o]) => statOf(o), lstat: ([, o]) => statOf(o), fstat: () => stats,
  readdir: ([, o]) => (o?.withFileTypes ? isOneOf(entries, given((v) => Array.isArray(v) && v.length === 0)) : (o?.encoding ?? o) === 'buffer' ? list : given(isList(isText))),
  realpath: ([, o]) => name(o), readlink: ([, o]) => name(o), mkdtemp: ([, o]) => name(o),
  mkdir: ([, o]) => (o?.recursive ? isOneOf(nothing, given(isText)) : nothing), open: () => given(isCount),
  write: ([, data, , encoding]) => given((v) => isCount(v) && v <= sizeOf(data, encoding)), exists: () => given((v) => typeof v === 'boolean'),
  'handle.read': (args) => bytesUpTo(readingOf(args, Buffer.alloc).length), 'handle.readv': ([list]) => bytesUpTo(total(list)), 'handle.readFile': ([o]) => read([, o]), 'handle.stat': () => stats,
  'handle.write': ([data, , encoding]) => given((v) => isCount(v) && v <= sizeOf(data, encoding)), 'handle.writev': ([list]) => given((v) => isCount(v) && v <= total(list)),
};
export const ofFS = (type: string, args: any[]): Check => told(`a result of ${type}`, isOneOf(failure, fsTypes[type.slice(3)]?.(args) ?? nothing));

// What a function throws at once, because of its arguments.
export const ofThrown = told('an error of arguments', has({ name: isText, message: isText, code: (v) => isText(v) && /^ERR_/.test(v) }));

// ---- fetch

const cause = has({ message: isText, errno: maybe(isOneOf(isText, isNumber)), code: maybe(isOneOf(isText, isNumber)), syscall: maybe(isOneOf(isText, isNumber)), hostname: maybe(isText), address: maybe(isText), port: maybe(isOneOf(isText, isNumber)) });
const isHeader = (h: any): boolean => Array.isArray(h) && h.length === 2 && h.every(isText);
const answer = has({ status: (v) => isCount(v) && v >= 200 && v <= 599, statusText: isText, url: isText, redirected: (v) => typeof v === 'boolean', headers: isList(isHeader), body: isText });
const failed = has({ failed: has({ name: isText, message: isText, cause: maybe(cause) }) });
const aborted = has({ failed: has({ aborted: (v) => v === true }) });

// ofFetch: it can only be aborted by a signal that was given.
export const ofFetch = (signal: any): Check => told('an answer', (v) => answer(v) || failed(v) || (signal?.aborted === true && aborted(v)));

// ---- what comes as events

const isFlag = (v: any): boolean => typeof v === 'boolean';
const isPlain = isOneOf(isText, isNumber, isFlag);
const isList2 = (...of: ((v: any) => boolean)[]) => (v: any): boolean => Array.isArray(v) && v.length === of.length && of.every((f, i) => f(v[i]));
const isFailure = (v: any): boolean => has({ name: isText, message: isText, fields: isList(isList2(isText, isPlain)), errors: maybe(isList(isFailure)) })(v);
const isNull = (v: any): boolean => v === null;
const isRaw = (v: any): boolean => isList(isText)(v) && v.length % 2 === 0;
const address = has({ remote: isOneOf(isNull, isList2(isText, isCount, isText)), local: isOneOf(isNull, isList2(isText, isCount)), connecting: isFlag, reused: isFlag, secure: isFlag });

// An event is of a kind, k, which says what else there is of it.
type Kinds = Record<string, Record<string, (v: any) => boolean>>;
const event = (kinds: Kinds) => (v: any): boolean => isObject(v) && isText(v.k) && Object.hasOwn(kinds, v.k) && has({ k: isText, ...kinds[v.k] })(v);

// ofEvents checks an event of a kind, which must be one that the program can notice now.
const ofEvents = (what: string, kinds: Kinds) => (wants: (e: any) => boolean): Check => {
  const known = event(kinds);
  const shape = told(what, known);
  return (v) => shape(v) ?? (wants(JSON.parse(v)) ? null : 'nothing of the kind can happen now');
};

export const ofHTTP = ofEvents('an event of a request', {
  socket: { s: address }, on: { n: (v) => heardOf.includes(v), a: isList(isOneOf(isPlain, isNull)), s: address }, info: { status: isCount, message: isText, raw: isRaw },
  response: { s: address, status: (v) => isCount(v) && v >= 200 && v <= 999, message: isText, version: (v) => /^[0-9]\.[0-9]$/.test(v), raw: isRaw, keep: isFlag },
  data: { b: isText }, end: { raw: maybe(isRaw) }, wrote: { n: isCount }, drain: {}, finish: {}, timeout: {}, aborted: {}, close: {},
  error: { destroyed: isFlag, e: isOneOf(isNull, isFailure) },
});

const isName = isOneOf(isNull, isText);
export const ofNet = ofEvents('an event of a connection', {
  connect: { remote: isOneOf(isNull, isList2(isText, isCount, isText)), local: isOneOf(isNull, isList2(isText, isCount)) },
  secure: { authorized: isFlag, error: isName, protocol: isName, alpn: isName }, lookup: { a: isList(isOneOf(isPlain, isNull)) },
  data: { b: isText }, wrote: { n: isCount }, end: {}, finish: {}, timeout: {}, close: {}, error: { e: isFailure },
});

const isOutput = (v: any): boolean => v === 1 || v === 2;
export const ofChild = ofEvents('an event of a process', {
  spawn: {}, close: {}, overdue: {}, out: { n: isOutput, b: isText }, ended: { n: isOutput }, wrote: { n: isCount },
  exit: { code: isOneOf(isNull, isCount), signal: isName }, failed: { e: isFailure }, error: { e: isFailure }, input: { e: isFailure },
});
export const ofSpawn = told('a process', has({ pid: maybe(isCount), streams: isList2(isFlag, isFlag, isFlag) }));
export const ofKill = told('whether a process was sent a signal', has({ killed: isFlag }));
export const ofWait = told('what came of a process', has({ status: isOneOf(isNull, isNumber), signal: isName, pid: isCount, output: isOneOf(isNull, isList2(isName, isName, isName)), e: maybe(isFailure) }));

// ---- dns

export const ofDNS = told('what was looked up', isOneOf(has({ e: isFailure }), has({ v: Array.isArray })));
export const orders = ['verbatim', 'ipv4first', 'ipv6first'];
export const ofOrder = told('an order of addresses', has({ v: (v) => Array.isArray(v) && v.length === 1 && orders.includes(v[0]) }));

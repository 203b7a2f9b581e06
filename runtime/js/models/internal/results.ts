// What a recorded result of the world outside may look like. Its contents are the
// server's word, but not that a number is text, or that a call which cannot fail did.

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

const osTypes: Record<string, (v: any) => boolean> = {
  hostname: isText, release: isText, version: isText, homedir: isText, tmpdir: isText, totalmem: isCount, freemem: isCount, uptime: isNumber, availableParallelism: isCount,
  getPriority: isNumber, loadavg: isList(isNumber), cpus: isList(isObject), networkInterfaces: isObject, userInfo: isObject,
};
export const ofOS = (name: string): Check => told(`a result of os.${name}`, osTypes[name]);
export const memory = told('a use of memory', has({ rss: isCount, heapTotal: isCount, heapUsed: isCount, external: isCount, arrayBuffers: isCount }));
export const cpu = told('a use of the processor', has({ user: isNumber, system: isNumber }));

// ---- fs

const failure = has({ e: has({ name: isText, message: isText, code: maybe(isText), errno: maybe(isNumber), syscall: maybe(isText), path: maybe(isText), dest: maybe(isText) }) });
const nothing = has({});
const bytes = has({ b: isText });
const given = (f: (v: any) => boolean): ((v: any) => boolean) => has({ v: f });
const statFields = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks', 'atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'];
const stats = has({ t: has(Object.fromEntries(statFields.map((k) => [k, isNumber]))) });
const entries = has({ d: isList((d) => Array.isArray(d) && d.length === 2 && isText(d[0]) && [1, 2, 3].includes(d[1])) });

const fsTypes: Record<string, (v: any) => boolean> = {
  readFile: isOneOf(bytes, given(isText)),
  stat: isOneOf(stats, nothing), lstat: isOneOf(stats, nothing), fstat: stats,
  readdir: isOneOf(given(isList(isText)), entries), realpath: isOneOf(given(isText), bytes), readlink: isOneOf(given(isText), bytes), mkdtemp: isOneOf(given(isText), bytes),
  mkdir: isOneOf(nothing, given(isText)), open: given(isCount), write: given(isCount), exists: given((v) => typeof v === 'boolean'),
};
export const ofFS = (type: string): Check => told(`a result of ${type}`, isOneOf(failure, fsTypes[type.slice(3)] ?? nothing));

// ---- fetch

const cause = has({ message: isText, errno: maybe(isOneOf(isText, isNumber)), code: maybe(isOneOf(isText, isNumber)), syscall: maybe(isOneOf(isText, isNumber)), hostname: maybe(isText), address: maybe(isText), port: maybe(isOneOf(isText, isNumber)) });
const isHeader = (h: any): boolean => Array.isArray(h) && h.length === 2 && h.every(isText);
const answer = has({ status: (v) => isCount(v) && v >= 200 && v <= 599, statusText: isText, url: isText, redirected: (v) => typeof v === 'boolean', headers: isList(isHeader), body: isText });
const failed = has({ failed: has({ name: isText, message: isText, cause: maybe(cause) }) });
const aborted = has({ failed: has({ aborted: (v) => v === true }) });

// ofFetch: it can only be aborted by a signal that was given.
export const ofFetch = (signal: any): Check => told('an answer', (v) => answer(v) || failed(v) || (signal?.aborted === true && aborted(v)));

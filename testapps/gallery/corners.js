'use strict';

// State in the corners of the language and of the platform, each read and changed by the requests that ask for it.

const crypto = require('crypto');
const http = require('http');
const os = require('os');
const { AsyncLocalStorage } = require('async_hooks');
const { EventEmitter } = require('events');
const { PassThrough } = require('stream');
const { StringDecoder } = require('string_decoder');
const querystring = require('querystring');
const util = require('util');

const corners = {};

// grows counts in a property of an object, whichever that is.
const key = ['n'].join('');
const grows = (o) => (Reflect.set(o, key, (Reflect.get(o, key) ?? 0) + 1), Reflect.get(o, key));

http.createServer(async (req, res) => {
  try {
    const [name, n] = req.url.slice(1).split('?');
    res.end(`the ${await corners[name](req, n)}. time`);
  } catch (e) {
    res.end('failed: ' + e.message);
  }
}).listen(process.env.PORT || 3000);

// corner block
{
  let n = 0;
  corners.block = () => ++n;
}

// corner static
corners.static = (() => {
  class Counted {
    static #n;
    static {
      let start = 0;
      Counted.#n = start;
      Counted.next = () => ++start;
    }
    static both() {
      return (Counted.#n++, Counted.next());
    }
  }
  return () => Counted.both();
})();

// corner loop
for (let i = 0; i < 1; i++) corners.loop = () => ++i;

// corner caught
try {
  throw 0;
} catch (n) {
  corners.caught = () => ++n;
}

// corner switch
switch (1) {
  case 1:
    let n = 0;
    corners.switch = () => ++n;
}

// corner parameter
corners.parameter = ((n, f = () => ++n) => f)(0);

// corner rest
corners.rest = ((...n) => () => ++n[0])(0);

// corner pattern
corners.pattern = (({ n }) => () => ++n)({ n: 0 });

// corner getter
corners.getter = (() => {
  let n = 0;
  const o = {
    get next() {
      return ++n;
    },
  };
  return () => o.next;
})();

// corner proxied
corners.proxied = (() => {
  let n = 0;
  const o = new Proxy({}, { get: () => ++n });
  return () => o.any;
})();

// corner tag
corners.tag = (() => {
  const seen = new Map();
  const f = (t) => (seen.set(t, (seen.get(t) ?? 0) + 1), seen.get(t));
  const again = () => f`same`;
  return again;
})();

// corner params
corners.params = (() => {
  const u = new URLSearchParams();
  return () => (u.append('a', '1'), u.getAll('a').length);
})();

// corner url
corners.url = (() => {
  const u = new URL('http://x/');
  return () => ((u.pathname += 'a'), u.pathname.length - 1);
})();

// corner abort
corners.abort = (() => {
  let c = [new AbortController(), new AbortController(), new AbortController()];
  return () => (c.find((x) => !x.signal.aborted).abort(), c.filter((x) => x.signal.aborted).length);
})();

// corner text
corners.text = (() => {
  const d = new TextDecoder();
  let said = '';
  return () => ((said += d.decode(Buffer.from([[0xe2], [0x82], [0xac]][said.length % 3]), { stream: true }) + '.'), said.length);
})();

// corner emitter
corners.emitter = (() => {
  const e = new EventEmitter();
  return () => (e.on('x', () => {}), e.listenerCount('x'));
})();

// corner target
corners.target = (() => {
  const e = new EventTarget();
  let n = 0;
  const tell = () => n++;
  return () => (e.addEventListener('x', () => tell()), (n = 0), e.dispatchEvent(new Event('x')), n);
})();

// corner buffered
corners.buffered = (() => {
  const s = new PassThrough();
  return () => (s.write('x'), s.readableLength + s.writableLength);
})();

// corner local
corners.local = (() => {
  const s = new AsyncLocalStorage();
  const o = { n: 0 };
  return () => s.run(o, () => ++s.getStore().n);
})();

// corner inspect
corners.inspect = () => (util.inspect.defaultOptions.depth = (util.inspect.defaultOptions.depth ?? 2) + 1) - 2;

// corner escape
corners.escape = () => {
  const before = querystring.escape;
  querystring.escape = (s) => before(s) + 'x';
  return querystring.stringify({ a: '' }).length - 2;
};

// corner limit
corners.limit = () => ++Error.stackTraceLimit - 10;

// corner module
corners.module = () => (module.exports.n = (module.exports.n ?? 0) + 1);

// corner listeners
corners.listeners = () => (process.on('SIGUSR2', () => {}), process.listenerCount('SIGUSR2'));

// corner defaults
corners.defaults = () => ++EventEmitter.defaultMaxListeners - 10;

// corner frozen
corners.frozen = (() => {
  const o = Object.freeze({ list: [] });
  return () => o.list.push(1);
})();

// corner array
corners.array = (() => {
  const a = [];
  return () => (a.length += 1);
})();

// corner later
corners.later = (() => {
  const g = (async function* () {
    for (let i = 1; ; i++) yield i;
  })();
  return async () => (await g.next()).value;
})();

// corner chain
corners.chain = (() => {
  let last = Promise.resolve(0);
  return () => (last = last.then((n) => n + 1));
})();

// corner bound
corners.bound = (() => {
  const next = function (o) {
    return ++this.n + o.n;
  }.bind({ n: 0 }, { n: 0 });
  return () => next();
})();

// corner nested
corners.nested = (() => {
  const m = new Map([['a', new Map([['b', new Set()]])]]);
  return () => m.get('a').get('b').add({}).size;
})();

// corner view
corners.view = (() => {
  const v = new DataView(new ArrayBuffer(8));
  return () => (v.setUint16(2, v.getUint16(2) + 1), v.getUint16(2));
})();

// corner shared
corners.shared = (() => {
  const a = new Int32Array(new SharedArrayBuffer(4));
  return () => Atomics.add(a, 0, 1) + 1;
})();

// corner error
corners.error = (() => {
  const e = new Error('0');
  return () => ((e.message = '' + (+e.message + 1)), +e.message);
})();

// corner boxed
corners.boxed = (() => {
  const b = Object(0);
  return () => (b.n = (b.n ?? 0) + 1);
})();

// corner arguments
corners.arguments = (() => {
  const f = function () {
    const all = arguments;
    return () => ++all[0];
  };
  return f(0);
})();

// corner matches
corners.matches = (() => {
  const all = 'aaa'.matchAll(/a/g);
  return () => all.next().value.index + 1;
})();

// corner sorted
corners.sorted = (() => {
  const c = new Intl.Collator();
  c.n = 0;
  return () => ++c.n;
})();

// corner each
for (const o of [{ n: 0 }]) corners.each = () => ++o.n;

// corner named
for (const k in { n: 0 }) {
  let n = 0;
  corners[k + 'amed'] = () => ++n;
}

// corner tried
try {
  let n = 0;
  corners.tried = () => ++n;
} finally {
  corners.ended = 1;
}

// corner destructured
try {
  throw { n: 0 };
} catch ({ n }) {
  corners.destructured = () => ++n;
}

// corner last
try {
} finally {
  let n = 0;
  corners.last = () => ++n;
}

// corner exit
corners.exit = () => (process.exitCode = (process.exitCode ?? 0) + 1);

// corner title
corners.title = () => ((process.title = '' + ((+process.title || 0) + 1)), +process.title);

// corner settled
corners.settled = (() => {
  const p = Promise.resolve({ n: 0 });
  return async () => ++(await p).n;
})();

// corner opened
corners.opened = (() => {
  const open = async () => new Map();
  const p = open();
  return async () => (await p).set({}, 1).size;
})();

// corner rejected
corners.rejected = (() => {
  const p = Promise.reject({ n: 0 });
  p.catch(() => {});
  return () => p.catch((o) => ++o.n);
})();

// corner memory
corners.memory = (() => {
  const m = new SharedArrayBuffer(4);
  return () => ++new Uint8Array(m)[0];
})();

// corner buffer
corners.buffer = (() => {
  const m = new ArrayBuffer(4);
  return () => ++new Uint8Array(m)[0];
})();

// corner compiled
corners.compiled = (() => {
  const r = /1/;
  return () => (r.compile(+r.source + 1), +r.source - 1);
})();

// corner ancestor
corners.ancestor = () => grows(Object.prototype);

// corner lists
corners.lists = () => grows(Array.prototype);

// corner constructor
corners.constructor = () => grows(Array);

// corner math
corners.math = () => grows(Math);

// corner console
corners.console = () => grows(console);

// corner heirs
corners.heirs = () => grows(EventEmitter.prototype);

// corner statics
corners.statics = () => (EventEmitter.n = (EventEmitter.n ?? 0) + 1);

// corner replaced
corners.replaced = () => {
  const before = util.format;
  util.format = (s) => before(s) + 'x';
  return util.format('').length;
};

// corner agent
corners.agent = () => (http.globalAgent.n = (http.globalAgent.n ?? 0) + 1);

// corner codes
corners.codes = () => (http.STATUS_CODES[999] = +(http.STATUS_CODES[999] ?? 0) + 1);

// corner methods
corners.methods = (() => {
  const before = http.METHODS.length;
  return () => http.METHODS.push('X') - before;
})();

// corner argv
corners.argv = () => process.argv.push('x') - 2;

// corner stdout
corners.stdout = () => (process.stdout.n = (process.stdout.n ?? 0) + 1);

// corner made
corners.made = (() => {
  function F() {}
  return () => {
    F.prototype = { n: (F.prototype.n ?? 0) + 1 };
    return new F().n;
  };
})();

// corner born
corners.born = (() => {
  class F {}
  return () => {
    F.prototype.n = (F.prototype.n ?? 0) + 1;
    return new F().n;
  };
})();

// corner freezes
corners.freezes = (() => {
  const o = { n: 0 };
  return () => {
    const before = Object.isFrozen(o);
    Object.freeze(o);
    return before ? 2 : 1;
  };
})();

// corner closed
corners.closed = (() => {
  const o = { n: 0 };
  return () => {
    const before = Object.isExtensible(o);
    Object.preventExtensions(o);
    return before ? 1 : 2;
  };
})();

// corner concealed
corners.concealed = (() => {
  const o = { n: 0 };
  return () => {
    const before = Object.keys(o).length;
    Object.defineProperty(o, 'n', { enumerable: false });
    return before;
  };
})();

// corner called
corners.called = (() => {
  const f = () => {};
  Object.defineProperty(f, 'name', { value: '0', writable: true });
  return () => (f.name = '' + (+f.name + 1));
})();

// corner timer
corners.timer = (() => {
  const t = setTimeout(() => {}, 1e9);
  return () => {
    const before = t.hasRef();
    t.unref();
    return before ? 1 : 2;
  };
})();

// corner json
corners.json = () => grows(JSON);

// corner channel
corners.channel = (() => {
  const { channel } = require('diagnostics_channel');
  return () => (channel('x').subscribe(() => {}), channel('x')._subscribers?.length ?? 1);
})();

// corner within
corners.within = (() => {
  const { AsyncResource } = require('async_hooks');
  const s = new AsyncLocalStorage();
  const r = s.run({ n: 0 }, () => new AsyncResource('x'));
  return () => r.runInAsyncScope(() => ++s.getStore().n);
})();

// corner snapshot
corners.snapshot = (() => {
  const s = new AsyncLocalStorage();
  const within = s.run({ n: 0 }, () => AsyncLocalStorage.snapshot());
  return () => within(() => ++s.getStore().n);
})();

// corner rejects
corners.rejects = (() => {
  let give;
  const p = new Promise((resolve) => (give = resolve));
  let asked = false;
  return async () => {
    if (!asked) give({ n: 0 });
    asked = true;
    return ++(await p).n;
  };
})();

// corner weakly
corners.weakly = (() => {
  const o = { n: 0 };
  const all = new WeakSet();
  const r = new WeakRef(o);
  all.add(o);
  return () => ++r.deref().n;
})();

// corner pending
corners.pending = (() => {
  const t = setInterval(() => {}, 1e9);
  return () => (t.n = (t.n ?? 0) + 1);
})();

// corner server
corners.server = (() => {
  const s = http.createServer();
  return () => (s.timeout += 1);
})();

// corner clone
corners.clone = (() => {
  const s = new (require('stream').Readable)({ read() {} });
  return () => (s.push('x'), s.readableLength);
})();

// corner lineage
corners.lineage = ((o) => () => {
  const n = (Reflect.get(Reflect.getPrototypeOf(o), key) ?? 0) + 1;
  Reflect.setPrototypeOf(o, { [key]: n });
  return n;
})({});

// corner unadorned
corners.unadorned = ((f) => () => grows(f))(() => {});

// corner renamed
corners.renamed = ((f) => () => {
  const named = Reflect.ownKeys(f).includes('name');
  if (Reflect.deleteProperty(f, 'name')) Reflect.set(f, key, 1);
  return named;
})(() => {});

// corner rekeyed
corners.rekeyed = ((o) => () => {
  const [k] = Reflect.ownKeys(o);
  Reflect.deleteProperty(o, k);
  Reflect.set(o, String(Number(k) + 1), 1);
  return k;
})({ 0: 1 });

// corner computed
corners.computed = ((o) => () => {
  const n = Reflect.get(o, key);
  Reflect.defineProperty(o, key, { get: () => n + 1, configurable: true });
  return n;
})({ n: 0 });

// corner fixed
corners.fixed = ((o) => () => {
  const { writable } = Reflect.getOwnPropertyDescriptor(o, key);
  Reflect.defineProperty(o, key, { writable: false });
  return writable;
})({ n: 0 });

// corner keyed
corners.keyed = ((m) => () => grows(m.keys().next().value))(new Map([[{}, 1]]));

// corner hashed
corners.hashed = ((h) => () => h.update('x').copy().digest('hex'))(crypto.createHash('sha256'));

// corner enciphered
corners.enciphered = ((c) => () => c.update('xxxx', 'utf8', 'hex'))(crypto.createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)));

// corner headers
corners.headers = ((h) => () => (h.append('a', '1'), h.get('a').length))(new Headers());

// corner worker
corners.worker = (() => {
  const queue = [];
  let wake;
  (async () => {
    for (let n = 1; ; n++) {
      await new Promise((resolve) => (wake = resolve));
      queue.shift()(n);
    }
  })();
  return () => new Promise((resolve) => (queue.push(resolve), wake()));
})();

// corner walkers
corners.walkers = () => grows(Object.getPrototypeOf(new Map().keys()));

// corner typed
corners.typed = () => grows(Object.getPrototypeOf(Uint8Array.prototype));

// corner generators
corners.generators = () => grows(Object.getPrototypeOf(function* () {}).prototype);

// corner collators
corners.collators = () => grows(Intl.Collator.prototype);

// corner maps
corners.maps = () => grows(Array.prototype.map);

// corner listens
corners.listens = () => grows(http.Server.prototype.listen);

// corner streams
corners.streams = () => grows(require('stream').promises);

// corner signals
corners.signals = () => grows(os.constants.signals);

// corner serves
corners.serves = (req) => (req.socket.server.n = (req.socket.server.n ?? 0) + 1);

const counting = function* () {
  for (let i = 1; ; i++) yield i;
};

// corner goes
corners.goes = ((it) => it.next.bind(it))([{ n: 1 }, { n: 2 }, { n: 3 }].values());
corners.goes = ((next) => () => next().value.n)(corners.goes);

// corner steps
corners.steps = ((next) => () => next().value)(counting().next.bind(counting()));

// corner borrowed
corners.borrowed = ((it, { next }) => () => next.call(it).value)(counting(), Object.getPrototypeOf(counting.prototype));

// corner recalls
corners.recalls = ((m) => {
  const [read, write] = [m.get.bind(m), m.set.bind(m)];
  return () => (write('n', read('n') + 1), read('n'));
})(new Map([['n', 0]]));

// corner pushes
corners.pushes = ((push) => () => push())([].push.bind([], 1));

// corner writes
corners.writes = ((b) => {
  const [read, write] = [b.readUInt8.bind(b), b.writeUInt8.bind(b)];
  return () => (write(read(0) + 1, 0), read(0));
})(Buffer.alloc(4));

class Promised extends Promise {}

// corner awaited
corners.awaited = ((p) => async () => ++(await p).n)(Promised.resolve({ n: 0 }));

// corner promised
corners.promised = (() => {
  let give;
  const p = new Promised((resolve) => (give = resolve));
  return async () => {
    give({ n: 0 });
    return ++(await p).n;
  };
})();

// corner forgotten
corners.forgotten = ((o, k) => () => {
  const there = Object.keys(o).length;
  delete o[k];
  return there;
})(http.STATUS_CODES, String(418));

const levels = ['level', 'level1', 'level2', 'level3'];
const { errno, signals } = os.constants;
const places = [errno, signals, http.STATUS_CODES];
for (const o of places) for (const k of levels) Reflect.set(o, k, 0);
const risen = () => places.reduce((sum, o) => levels.reduce((n, k) => n + Reflect.get(o, k), sum), 0);

// These have a number, by which they do not do the same at each request of a group.

// corner objects?
corners.objects = (_, n) => {
  const before = risen();
  places[n - 1].level = 1;
  return before;
};

// corner keys?
corners.keys = (_, n) => {
  const before = risen();
  errno[`level${n}`] = 1;
  return before;
};

// corner converted?
corners.converted = (_, n) => {
  const before = risen();
  const key = { toString: () => 'level' + (n > 0 ? '' : n) };
  errno[key] = before + 1;
  return before;
};

//karousos:loggable
const dates = { 0: new Date(0) };

// corner dates?
corners.dates = (_, n) => {
  const before = dates[n - 1].level ?? 0;
  const d = new Date(Number(n));
  d.level = 0;
  dates[n] = d;
  d.level = 1;
  return before;
};

'use strict';
const util = require('util');
const { Writable } = require('stream');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code];
  }
};
const options = { all: { type: 'boolean', short: 'a' }, name: { type: 'string', short: 'n', multiple: true }, level: { type: 'string', default: 'low' } };
const parsed = (args, more) => failure(() => {
  const { values, positionals, tokens } = util.parseArgs({ args, options, ...more });
  return [{ ...values }, positionals, tokens, Object.getPrototypeOf(values)];
});

module.exports = {
  args: (s) => [
    parsed(['-a', '-n', s, '--name=' + s, '--level', 'high', s], { allowPositionals: true, tokens: true }),
    parsed(['-anx', '--', s, '-a'], { allowPositionals: true, tokens: true }),
    parsed([s]),
    parsed(s.split(' ').map((w) => '--' + w), { strict: false, tokens: true }),
    parsed(['--no-all', '--no-' + s], { allowNegative: true, strict: false }),
    parsed(['--no-all'], { allowNegative: true, tokens: true }),
    util.parseArgs({ args: [], options: { ['o' + s]: { type: 'string', default: s } } }).values['o' + s],
    Array.isArray(util.parseArgs({ strict: false }).positionals),
  ],
  badArgs: (s) => [
    parsed(['--' + s]), parsed(['--' + s], { allowPositionals: true }), parsed(['--all=' + s]), parsed(['--name']), parsed(['-n', '-' + s + 'x']), parsed(['--name', '--all']), parsed(['--no-name'], { allowNegative: true }),
    parsed(s), parsed([], { strict: s }), parsed([], { tokens: 1 }), parsed([], { options: [s] }), parsed([], { allowNegative: null, allowPositionals: {} }), failure(() => util.parseArgs(null)),
    ...[s, { type: s }, { type: 'boolean', short: s }, { type: 'boolean', multiple: s }, { type: 'string', default: 1 }, { type: 'string', multiple: true, default: [s, 1] }, { type: 'boolean', multiple: true, default: s }].map((o) => parsed([], { options: { [s]: o } })),
  ],
  env: (s) => [util.parseEnv(`A=${s}\n#no\nB = "${s}\\n2" # rest\nexport C='${s}'\n\n D=\`a\nb\`\nE=x # y\nF="open\n G=\nZ=1\nA${s}=ä\n`), util.parseEnv(s), util.parseEnv(`${s}=${s}`), failure(() => util.parseEnv(s.length)), failure(() => util.parseEnv())],
  mime: (s) => {
    const m = new util.MIMEType(` Text/${'Plain'}; Charset="a\\"${s}";b=c ;b=d;e;f="" ;g=${s}`);
    const shown = [String(m), m.type, m.subtype, m.essence, [...m.params], [...m.params.keys()], [...m.params.values()], m.params.get('g'), m.params.has('e'), JSON.stringify({ m, p: m.params })];
    m.type = 'Application';
    m.subtype = 'JSON';
    m.params.set('x', s);
    m.params.delete('b');
    const p = new util.MIMEParams();
    p.set('k' + s.length, s.slice(0, 1) + '"');
    return [shown, String(m), String(p), Object.prototype.toString.call(p), m.params.entries().next().value];
  },
  badMime: (s) => [s, s + '/', '/' + s, 'a/b' + s, 'a b/c'].map((t) => failure(() => String(new util.MIMEType(t)))).concat([
    failure(() => (new util.MIMEType('a/b').type = s)), failure(() => (new util.MIMEType('a/b').subtype = s + ' ')), failure(() => new util.MIMEType()),
    failure(() => new util.MIMEParams().set(s, 'x')), failure(() => new util.MIMEParams().set('x', s + '\n')), failure(() => new util.MIMEType('a/b;c=d').params.get()),
  ]),
  errors: (s) => {
    const m = util.getSystemErrorMap();
    const own = m.delete(-s.length - 1);
    return [m.get(-2), m.size, own, util.getSystemErrorMap().size, util.getSystemErrorName(-1 - s.length), util.getSystemErrorName(-4095), util.getSystemErrorName(-99999), failure(() => util.getSystemErrorName(s)), failure(() => util.getSystemErrorName(s.length)), failure(() => util.getSystemErrorName(-0.5))];
  },
  defaults: (s) => {
    const { depth } = util.inspect.defaultOptions;
    const big = [12345678.5, -1234567890123n];
    util.inspect.defaultOptions.depth = 0;
    util.inspect.defaultOptions = { numericSeparator: true, breakLength: 20 + s.length };
    const shown = [util.inspect({ a: { s } }), util.format('%O %d %s %i %f', { a: { b: s } }, ...big, 98765432.1, 1e7), util.inspect(big), Object.keys(util.inspect.defaultOptions), util.inspect.defaultOptions.breakLength];
    util.inspect.defaultOptions = { depth, numericSeparator: false, breakLength: 80 };
    return [depth, shown, util.inspect({ a: { b: { c: { s } } } }), util.formatWithOptions({ numericSeparator: true }, '%d %s %s', 1234567, 7654321n, s.length * 1000), failure(() => { util.inspect.defaultOptions = null; }), failure(() => { util.inspect.defaultOptions = s; })];
  },
  // What a %s shows by its own text, and what by its fields.
  texts: (s) => [new Date(0), { toString: 5 }, { toString: null, s }, { [Symbol.toPrimitive]: 5 }, { [Symbol.toPrimitive]: () => s }, { toString: 5, [Symbol.toPrimitive]: () => s }, Object.create({ toString: 5 }), Object.create({ [Symbol.toPrimitive]: () => s }), Object.create({ toString: () => s }), Object.create(null), new (class Own extends Date {})(0)].map((x) => failure(() => util.format('%s', x))),
  consoles: async (s) => {
    const { Console } = require('console');
    const written = { out: '', err: '' };
    const sink = (k) => new Writable({ write(chunk, encoding, done) { written[k] += chunk; done(); } });
    const c = new Console({ stdout: sink('out'), stderr: sink('err'), groupIndentation: 3, inspectOptions: { depth: 0 } });
    c.log('%s of %d', s, 1, { s: { s } });
    c.group(s);
    c.info('two\nlines');
    c.group();
    c.error([s]);
    c.groupEnd();
    c.dir({ s }, { compact: false });
    c.groupEnd();
    c.groupEnd();
    c.count();
    c.count(s);
    c.count();
    c.countReset();
    c.count();
    c.assert(s.length, 'no %s', s);
    c.assert(false);
    c.warn();
    const one = Console(sink('out'));
    one.debug(s);
    one.error('as well');
    await null;
    return [written, c instanceof Console, console instanceof Console, {} instanceof Console, [null, s, {}, { stdout: sink('out'), stderr: s }].map((o) => failure(() => new Console(o))), Object.keys(c).length];
  },
  deprecated: (s) => {
    class Old { constructor(a) { this.a = a; } }
    function f(...args) { return [this, new.target !== undefined, ...args]; }
    f.own = s;
    const [g, C] = [util.deprecate(f, 'f is old', 'OLD' + s.length), util.deprecate(Old, 'Old is old')];
    return [g.call(s, 1), g.own, g === f, g.name, g.length, Object.getPrototypeOf(g) === f, new C(s) instanceof Old, new C(s).a, C.prototype === Old.prototype, new g(s).length, failure(() => util.deprecate(f, s, 5)), failure(() => util.deprecate(f, s, null)), failure(() => util.deprecate(undefined, s))];
  },
  style: (s) => [
    util.styleText('red', s, { validateStream: false }), util.styleText(['bold', 'grey'], s), util.styleText('red', s), util.stripVTControlCharacters(`\u001b[31m${s}\u001b[39m`), failure(() => util.stripVTControlCharacters()),
    failure(() => util.styleText(s, s)), failure(() => util.styleText(['red', s], s)), failure(() => util.styleText('red', s.length)), failure(() => util.styleText('red', s, { stream: {} })), failure(() => util.styleText('red', s, { validateStream: s })), util.inspect.colors.cyan,
  ],
  aborted: async (s, req) => {
    const c = new AbortController();
    const order = [];
    const heard = util.aborted(c.signal, req).then((v) => order.push(v.type));
    c.signal.addEventListener('abort', () => order.push('listener ' + s));
    Promise.resolve().then(() => order.push('before'));
    setTimeout(() => {
      c.abort(s);
      Promise.resolve().then(() => order.push(1)).then(() => order.push(2)).then(() => order.push(3)).then(() => order.push(4));
    }, 1);
    await heard;
    await null;
    order.push(await util.aborted(AbortSignal.abort(), {}));
    const failed = (p) => p.catch((e) => [e.name, e.message, e.code]);
    return [order, await failed(util.aborted(undefined, {})), await failed(util.aborted(s, {})), await failed(util.aborted(c.signal)), await failed(util.aborted(c.signal, s)), await failed(util.aborted(null, {}))];
  },
  // What was given instead is shown as Node shows it.
  received: (s) => [s, s.repeat(9), "it's " + s, -0, 1n, null, undefined, Symbol(s), () => {}, function f() {}, { s }, [s], Object.create(null), Object.assign(Object.create(null), { s }), new (class {})(), new (class Own {})()].map((x) => failure(() => util.parseEnv(typeof x === 'string' ? [x] : x)).concat(failure(() => util.getSystemErrorName(x)))),
};

'use strict';
// As much of tap as the suites need. Tests run one after the other, and each is one
// line of TAP, however much it asserts.
const { isDeepStrictEqual, inspect } = require('util');

const queue = []; // of tests to run
let number = 0;

const taken = ['ok', 'notOk', 'equal', 'is', 'isNot', 'not', 'same', 'strictSame', 'throws', 'doesNotThrow', 'pass', 'fail', 'plan', 'end', 'test'];

class Test {
  constructor(title) {
    this.title = title;
    this.failed = [];
    this.left = Infinity;
    this.last = [];
    this.children = [];
    this.over = new Promise((resolve) => (this.finish = resolve));
    for (const name of taken) this[name] = this[name].bind(this);
  }
  assert(ok, message) {
    if (!ok) this.failed.push(String(message || 'failed'));
    if (--this.left === 0) this.finish();
    if (this.left < 0) this.failed.push('more than was planned');
    return ok;
  }
  plan(n) {
    this.left = n;
    if (n === 0) this.finish();
  }
  end() {
    this.finish();
  }
  pass() {
    return this.assert(true);
  }
  fail(m) {
    return this.assert(false, m);
  }
  ok(x, m) {
    return this.assert(x, m || 'not truthy');
  }
  notOk(x, m) {
    return this.assert(!x, m || 'truthy');
  }
  error(x) {
    return this.assert(!x, x && x.message);
  }
  equal(a, b) {
    return this.assert(Object.is(a, b), `${inspect(a)} is not ${inspect(b)}`);
  }
  not(a, b) {
    return this.assert(!Object.is(a, b), `${inspect(a)} twice`);
  }
  same(a, b) {
    return this.assert(isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null, plain)), JSON.parse(JSON.stringify(b ?? null, plain))), `${inspect(a)} is not like ${inspect(b)}`);
  }
  strictSame(a, b) {
    return this.assert(isDeepStrictEqual(a, b), `${inspect(a)} is not like ${inspect(b)}`);
  }
  match(a, b) {
    return this.assert(matches(a, b), `${inspect(a)} does not match ${inspect(b)}`);
  }
  notMatch(a, b) {
    return this.assert(!matches(a, b), `${inspect(a)} matches ${inspect(b)}`);
  }
  type(a, b) {
    return this.assert(typeof b === 'string' ? typeof a === b : a instanceof b, `${inspect(a)} is no ${b}`);
  }
  throws(f, e) {
    try {
      f();
    } catch (x) {
      return this.assert(thrown(x, e), `threw ${inspect(x)}`);
    }
    return this.fail('did not throw');
  }
  doesNotThrow(f) {
    try {
      f();
    } catch (x) {
      return this.fail(`threw ${inspect(x)}`);
    }
    return this.pass();
  }
  async rejects(p, e) {
    try {
      await (typeof p === 'function' ? p() : p);
    } catch (x) {
      return this.assert(thrown(x, e), `rejected by ${inspect(x)}`);
    }
    return this.fail('did not reject');
  }
  async resolves(p) {
    try {
      await (typeof p === 'function' ? p() : p);
    } catch (x) {
      return this.fail(`rejected by ${inspect(x)}`);
    }
    return this.pass();
  }
  teardown(f) {
    this.last.push(f);
  }
  comment() {}
  setTimeout() {}
  test(title, options, body) {
    const t = new Test(title);
    const run = t.run(body || options).then(() => this.assert(t.failed.length === 0, `${title}: ${t.failed[0]}`));
    this.children.push(run);
    return run;
  }
  async run(body) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve(this.failed.push('timed out')), 3000)));
    try {
      const r = body(this);
      if (r && typeof r.then === 'function') await Promise.race([r, late]);
      if (r && typeof r.then === 'function' && this.left === Infinity) this.finish();
      if (this.children.length > 0 && this.left === Infinity) Promise.all(this.children).then(this.finish);
      await Promise.race([this.over, late]);
    } catch (e) {
      this.failed.push((e && e.stack) || e);
    }
    clearTimeout(timer);
    for (const f of this.last) await f();
  }
}
Test.prototype.is = Test.prototype.equal;
Test.prototype.isNot = Test.prototype.not;
Test.prototype.deepEqual = Test.prototype.same;
Test.prototype.sameStrict = Test.prototype.strictSame;

const plain = (k, v) => (typeof v === 'function' ? `function ${v.name}` : v === undefined ? 'undefined' : v);

function matches(a, b) {
  if (b instanceof RegExp) return b.test(String(a));
  if (typeof b === 'string' && typeof a === 'string') return a.includes(b);
  if (typeof b === 'object' && b !== null) return Object(a) === a && Object.keys(b).every((k) => matches(a[k], b[k]));
  return Object.is(a, b);
}

function thrown(x, e) {
  if (e === undefined || typeof e === 'string') return true;
  if (e instanceof RegExp) return e.test(x && x.message);
  if (typeof e === 'function') return x instanceof e;
  return x != null && (e.message === undefined || String(x.message) === e.message || matches(x.message, e.message)) && (e.code === undefined || x.code === e.code);
}

// What is asserted outside of tests is one more, the last.
const root = new Test('outside of tests');
root.test = (title, options, body) => {
  queue.push([title, body || options]);
  return Promise.resolve();
};
setImmediate(drain);

async function drain() {
  for (; queue.length > 0; queue.shift()) {
    const [title, body] = queue[0];
    const t = new Test(title);
    await t.run(body);
    report(t);
  }
  report(root);
}

function report(t) {
  console.log(`${t.failed.length === 0 ? 'ok' : 'not ok'} ${++number} ${t.title.replaceAll('\n', ' ')}`);
  for (const why of t.failed) console.log(`# ${why}`);
}

module.exports = Object.assign(root, { test: root.test, Test });

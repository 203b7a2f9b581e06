'use strict';
// The tests of Promises/A+, on the program's own Promise, with as much of mocha as
// they need. They are run one after the other, and reported as TAP.
const tests = [];
const titles = [];
const before = [];
const group = (title, body) => {
  titles.push(title);
  before.push([]);
  body();
  before.pop();
  titles.pop();
};
globalThis.describe = globalThis.context = group;
globalThis.it = globalThis.specify = (title, body) => tests.push({ title: [...titles, title].join(' / '), body, before: before.flat() });
globalThis.beforeEach = (f) => before[before.length - 1].push(f);
globalThis.afterEach = () => {};
globalThis.adapter = {
  resolved: (v) => Promise.resolve(v),
  rejected: (e) => Promise.reject(e),
  deferred() {
    const d = {};
    d.promise = new Promise((resolve, reject) => Object.assign(d, { resolve, reject }));
    return d;
  },
};
process.on('unhandledRejection', () => {});

require('promises-aplus-tests/lib/tests/2.1.2');
require('promises-aplus-tests/lib/tests/2.1.3');
require('promises-aplus-tests/lib/tests/2.2.1');
require('promises-aplus-tests/lib/tests/2.2.2');
require('promises-aplus-tests/lib/tests/2.2.3');
require('promises-aplus-tests/lib/tests/2.2.4');
require('promises-aplus-tests/lib/tests/2.2.5');
require('promises-aplus-tests/lib/tests/2.2.7');
require('promises-aplus-tests/lib/tests/2.3.1');
require('promises-aplus-tests/lib/tests/2.3.2');
require('promises-aplus-tests/lib/tests/2.3.3');
require('promises-aplus-tests/lib/tests/2.3.4');

const one = (body) =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timed out'), 2000);
    const done = (e) => {
      clearTimeout(timer);
      resolve(e);
    };
    try {
      const r = body.length > 0 ? body(done) : body();
      if (body.length === 0) Promise.resolve(r).then(() => done(), done);
    } catch (e) {
      done(e);
    }
  });

(async () => {
  let n = 0;
  for (const t of tests) {
    let failed;
    for (const f of [...t.before, t.body]) failed = (await one(f)) ?? failed;
    console.log(`${failed === undefined ? 'ok' : 'not ok'} ${++n} ${t.title}`);
  }
})();

'use strict';
const assert = require('assert');
const { ok, strict } = require('node:assert');
const util = require('util');

//karousos:loggable
const list = [1, { n: [2] }];
//karousos:loggable
const record = { a: 1, inner: { list: [1] } };
//karousos:loggable
const map = new Map([['a', { x: 1 }]]);
//karousos:loggable
const set = new Set(['a', 1]);

const failure = (f) => {
  try {
    return [f()];
  } catch (e) {
    return [e.name, e.message, e.code, e.generatedMessage, e.operator, String(e)];
  }
};

module.exports = {
  // What is shared is no different for being watched.
  prototypes: (s) => [[list, Array], [record, Object], [map, Map], [set, Set]].map(([x, c]) => [Object.getPrototypeOf(x) === c.prototype, Reflect.getPrototypeOf(x) === c.prototype, x.__proto__ === c.prototype, c.prototype.isPrototypeOf(x), s]),
  shared: (s) => [
    util.isDeepStrictEqual(list, [1, { n: [2] }]),
    util.isDeepStrictEqual(record, { a: 1, inner: { list: [1] } }),
    util.isDeepStrictEqual(map, new Map([['a', { x: 1 }]])),
    util.isDeepStrictEqual(set, new Set([1, 'a'])),
    failure(() => assert.deepStrictEqual(record, { a: s, inner: { list: [1] } })),
    failure(() => assert.deepEqual(list, [s])),
    failure(() => strict.deepEqual(map, new Map([['a', s]]))),
  ],
  // Comparing reads: these are written at the same time by other requests.
  changed: async (s) => {
    list.push(s);
    await null;
    const before = util.isDeepStrictEqual(list, [1, { n: [2] }, s]);
    list.pop();
    record.inner.list[0] = s;
    await null;
    const other = failure(() => assert.deepStrictEqual(record.inner, { list: ['ab'] }));
    record.inner.list[0] = 1;
    map.set('b', s);
    await null;
    const third = failure(() => assert.deepEqual([...map], [['a', { x: 1 }], ['b', s]]));
    map.delete('b');
    set.add(s);
    await null;
    const last = util.isDeepStrictEqual(set, new Set(['a', 1, s]));
    set.delete(s);
    return [typeof before, other.length > 0, third.length > 0, typeof last];
  },
  falsy: (s) => [
    failure(() => assert(s === 'none')),
    failure(() => assert.ok(s.length > 100 && [')'].includes(s))),
    failure(() => ok(!s || s === "it's")),
    failure(() => strict(/\)/.test(s))),
    failure(() => require('assert')(s === 'direct')),
    failure(() => assert(
      s === 'none' &&
        s !== `some ${s}`,
    )),
    failure(() => assert(s === 'none', 'said ' + s)),
    failure(() => assert(false, undefined)).slice(0, 1),
    failure(() => assert.ok()),
    failure(() => assert(s || true)),
    failure(() => assert((assert(s !== 'none'), s === 'nested'))),
  ],
  messages: (s) => [
    failure(() => assert.strictEqual(s, 'other')),
    failure(() => assert.strictEqual(s, 'other', 'because ' + s)),
    failure(() => assert.strictEqual('a long text: ' + s, 'a long text: other')),
    failure(() => assert.strictEqual({ s }, { s })),
    failure(() => assert.notStrictEqual(s, s)),
    failure(() => assert.equal(s, 1)),
    failure(() => assert.notEqual(s, s)),
    failure(() => assert.equal(s)),
    failure(() => assert.deepStrictEqual([1, 2, 3, 4, 5, 6, s, { s }], [1, 2, 3, 4, 5, 6, 7, { s }])),
    failure(() => assert.deepStrictEqual(new Error(s), new Error('other'))),
    failure(() => assert.notDeepStrictEqual({ s }, { s })),
    failure(() => assert.notDeepEqual([s], [s])),
    failure(() => assert.deepEqual(new Set([s]), new Set([1]))),
    failure(() => assert.fail()),
    failure(() => assert.fail(s)),
    failure(() => assert.ifError(new TypeError(s))),
    failure(() => assert.match(s, /none/)),
    failure(() => assert.doesNotMatch(s, /.*/)),
  ],
  thrown: async (s) => [
    failure(() => assert.throws(() => {})),
    failure(() => assert.throws(() => {}, TypeError, s)),
    failure(() => assert.throws(() => { throw new Error(s); }, /none/)),
    failure(() => assert.throws(() => { throw new Error(s); }, TypeError)),
    failure(() => assert.throws(() => { throw new Error(s); }, { message: 'none', name: 'Error' })),
    failure(() => assert.throws(() => { throw new Error(s); }, { message: s, name: 'Error' })),
    failure(() => assert.throws(() => { throw new Error(s); }, (e) => e.message === 'none')),
    failure(() => assert.doesNotThrow(() => { throw new Error(s); })),
    failure(() => assert.throws(s)),
    await assert.rejects(Promise.resolve(s)).catch((e) => e.message),
    await assert.rejects(async () => { throw new Error(s); }, { message: s }),
    await assert.doesNotReject(Promise.reject(new Error(s))).catch((e) => e.message),
    await assert.rejects(() => s).catch((e) => e.message),
  ],
  equality: (s) => [
    [[NaN], [NaN]], [[0], [-0]], [[s], [s]], [{ a: undefined }, {}], [[1, , 3], [1, undefined, 3]], [new Map([[{ s }, 1]]), new Map([[{ s }, 1]])],
    [new Set([{ s }, 1]), new Set([1, { s }])], [Buffer.from(s), Buffer.from(s)], [new Uint8Array(2), Buffer.alloc(2)], [new Date(1), new Date(1)], [/a/g, /a/], [Object(s), Object(s)],
    [new URL('http://x/' + s.length), new URL('http://x/' + s.length)], [1, '1'], [[1], ['1']], [new Set([1]), new Set(['1'])], [null, undefined], [Object.create(null), {}], [(function () { return arguments; })(s), [s]],
  ].map(([a, b]) => [util.isDeepStrictEqual(a, b), failure(() => assert.deepEqual(a, b)).length]),
};

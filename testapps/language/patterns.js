'use strict';
// Destructuring: defaults, nesting, order of evaluation, targets of all kinds.
const log = () => {
  const list = [];
  const note = (x) => (list.push(x), x);
  note.list = list;
  return note;
};

module.exports = {
  // What cannot be taken apart, in the engine's words, whatever is left over.
  nothing: (s) => {
    const o = { body: s === 'ab' ? null : undefined, s }, out = [], t = (f) => { try { out.push(f()); } catch (e) { out.push(e.name, e.message); } };
    t(() => { const { id, ...rest } = o.body; return rest; }); t(() => { const { ...rest } = o.body; return rest; }); t(() => (({ id, ...rest }) => rest)(o.body)); t(() => (({ id, ...rest }) => rest)(o));
    t(() => { for (const { id, ...rest } of [o.body]) out.push(rest); }); t(() => { const { a: { b, ...c }, ...d } = { a: o.body }; return [b, c, d]; }); t(() => { let id, rest; ({ id, ...rest } = o?.body); return rest; }); t(() => { const { id = 1, ...rest } = o.body ?? { s }; return [id, rest]; });
    t(() => { const { [s]: id, ...rest } = o.body; return rest; }); t(() => { const { s: id, ...rest } = s ? o : o.body; return [id, rest]; });
    return out;
  },
  nestedDefault: (s) => {
    const { d: [e = s] = [] } = {};
    return e;
  },
  nestedDefaults: (s) => {
    const { a: { b: [c = 1, { d = s } = {}] = [] } = {}, ...rest } = { z: s };
    return [c, d, rest];
  },
  parameterDefaults: (s) => (({ a: [b = s, ...c] = [1, 2], d: { e = b } = {} } = {}, [f = e] = []) => [b, c, e, f])(),
  assignmentDefaults: (s) => {
    let a, b, c;
    const o = {};
    ({ a: [o.x = s, ...o.y] = ['p', 'q'], b: { c: b = 2 } = {} } = { b: { c: undefined } });
    [a = s, [c] = [a + 1]] = [];
    return [a, b, c, o];
  },
  emptyPatterns: (s) => {
    const {} = { s };
    const [] = [s];
    const [, , x = s] = [1, 2];
    (({}, []) => {})(1, '');
    return x;
  },
  nullish: () => {
    const { a } = null;
    return a;
  },
  nullishNested: (s) => {
    const { a: { b } } = { a: s.nothing };
    return b;
  },
  parameterNullish: (s) => (({ a }) => a)(s.nothing),
  notIterable: (s) => {
    const [a] = { s };
    return a;
  },
  computed: (s) => {
    const k = 'k' + s;
    const { [k]: a = 'none', ['x' + s]: b, ...c } = { [k]: s, q: 1, ['x' + s]: 2 };
    return [a, b, Object.keys(c)];
  },
  computedOrder: (s) => {
    const n = log();
    const o = { get a() { n('get a'); }, get b() { n('get b'); return 1; } };
    const { [n('a')]: x = n('default a'), [n('b')]: y = n('default b') } = o;
    return [n.list, x, y, s];
  },
  targetOrder: (s) => {
    const n = log();
    const t = { set v(x) { n('set ' + x); } };
    [(n('first'), t).v = n('d1'), (n('second'), t).v] = [undefined, s];
    return n.list;
  },
  swap: (s) => {
    let [a, b, c] = [1, s, 3];
    [a, b, c] = [c, a, b];
    return [a, b, c];
  },
  inFor: (s) => {
    const out = [];
    for (const [k, { v = s, ...w } = {}] of [['a'], ['b', { v: 1, x: 2 }]]) out.push(k, v, w);
    for (const { length, [0]: first = 'none' } of [s, 'xyz', '']) out.push(length, first);
    let o = {};
    for (o.p of [1, s]);
    for ([o.q, o.r = s] of [[1], [2, 3]]) out.push(o.q, o.r);
    for ({ length: o.n } of [s]);
    for (var [c, ...cs] in { hello: 1 }) out.push(c, cs);
    return [out, o];
  },
  inCatch: (s) => {
    try {
      throw { message: s, list: [1, 2], cause: undefined };
    } catch ({ message, list: [, second], cause: { name = 'nobody' } = {} }) {
      return [message, second, name];
    }
  },
  closes: (s) => {
    const n = log();
    const it = { [Symbol.iterator]: () => ({ i: 0, next() { n('next'); return { value: this.i++, done: false }; }, return() { n('return'); return {}; } }) };
    const [a, b] = it;
    try {
      [(() => { throw new Error(s); })().x] = it;
    } catch (e) {
      n(e.message);
    }
    const [] = it;
    return [a, b, n.list];
  },
  namesOfDefaults: () => {
    const { f = () => {}, g: h = function () {}, k = class {} } = {};
    const [l = () => {}] = [];
    let m;
    ({ m = () => {} } = {});
    return [f, h, k, l, m].map((x) => x.name);
  },
  defaultsSeeEarlier: (s) => ((a = s, b = () => a, c = b() + 'c') => { a = 'changed'; return [a, b(), c]; })(),
  defaultScope: (s) => {
    var x = 'outer';
    return ((a = () => x) => { var x = s; return [a(), x]; })();
  },
  argumentsAndDefaults: function (s) {
    return (function (a, b = 2) { a = 'changed'; return [arguments[0], arguments.length, a, b]; })(s);
  },
  objectRest: (s) => {
    const sym = Symbol('sym');
    const { a, ...rest } = Object.create({ inherited: 1 }, { a: { value: s, enumerable: true }, hidden: { value: 2 }, [sym]: { value: 3, enumerable: true }, b: { get: () => s + '!', enumerable: true } });
    return [a, Object.keys(rest), rest[sym], Object.getOwnPropertyDescriptor(rest, 'b').value];
  },
  stringRest: (s) => {
    const [a, ...b] = s;
    const { length, ...c } = s;
    return [a, b, length, c];
  },
  chained: (s) => {
    let a, b, c;
    const r = ([a, b] = { a: c } = Object.assign([s, 1], { a: 'x' }));
    return [a, b, c, r.length];
  },
  deep: (s) => {
    const { a: { b: { c: [, { d: [[e = s]] = [[]] } = {}] = [] } = {} } = {} } = {};
    return e;
  },
  shorthandKeywords: (s) => {
    const { async = s, get = 1, set = 2, of = 3, static: st = 4, let: l = 5, yield: y = 6, await: aw = 7, class: c = 8, new: n = 9 } = {};
    return { async, get, set, of, st, l, y, aw, c, n, if: 1, in: 2, 'quoted key': 3, 1.5: 4, 0x10: 5, 1e3: 6, 1n: 7 };
  },
};

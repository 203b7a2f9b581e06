'use strict';

// Every operation of the language on shared objects, arrays, Maps and Sets, picked by
// the request. Some wait between two looks, so that others come in between.

const http = require('http');

const soon = () => new Promise((resolve) => setImmediate(resolve));

const tag = Symbol('tag');
const seen = new WeakMap();
const marked = new WeakSet();
const double = (x) => 2 * x;
const negate = function (x) {
  return -x;
};

class Point {
  #secret = 1;
  constructor(x, y) {
    this.x = x;
    this.y = y;
    this[tag] = 'p';
  }
  get sum() {
    return this.x + this.y + this.#secret;
  }
  set both(v) {
    this.x = this.y = v;
    this.#secret++;
  }
  static has(o) {
    return #secret in o;
  }
  toString() {
    return `(${this.x}, ${this.y})`;
  }
}

const fresh = () => ({ a: 1, b: { c: [1, 2] }, 2: 'two', 1: 'one', z: null });
const names = ['a', 'b', 'x', '1', '7', 'length', 'toString', 'constructor'];

//karousos:loggable
const state = {
  object: fresh(),
  bare: Object.assign(Object.create(null), { k: 'v' }),
  list: [3, 1, 2],
  map: new Map([['a', 1], [1, 'one']]),
  set: new Set(['a', 2]),
  point: new Point(1, 2),
  frozen: Object.freeze({ inner: [1], fixed: true }),
  get computed() {
    return this.list.length;
  },
  apply: double,
  last: null,
  when: new Date(86400000),
  pattern: /a+/i,
};

const show = (v) =>
  JSON.stringify(v, (k, x) => (x === undefined ? 'undefined' : typeof x === 'function' ? `f ${x.name}` : x instanceof Map ? ['map', ...x] : x instanceof Set ? ['set', ...x] : x));

const operations = {
  // Objects.
  read: (n, k) => state.object[k],
  write: (n, k) => (state.object[k] = n),
  nested: (n) => (state.object.b = { c: [n], d: { e: n } }).d.e++,
  deep: (n) => (state.object.b ? (state.object.b.c[n % 3] = n) : 'none'),
  delete: (n, k) => [delete state.object[k], k in state.object],
  has: (n, k) => [k in state.object, Object.hasOwn(state.object, k), state.object.hasOwnProperty(k)],
  keys: () => Object.keys(state.object),
  entries: () => Object.entries(state.object),
  forIn: () => {
    const out = [];
    for (const k in state.object) out.push(k);
    return out;
  },
  spread: () => ({ ...state.object, more: 1 }),
  rest: () => {
    const { a, ...others } = state.object;
    return [a, others];
  },
  assign: (n) => Object.assign(state.object, { a: n, ['n' + (n % 3)]: n }),
  copy: () => Object.assign({}, state.object),
  define: (n) => Object.defineProperty(state.object, 'a', { value: n, writable: true, enumerable: true, configurable: true }).a,
  describe: (n, k) => Object.getOwnPropertyDescriptor(state.object, k),
  describeAll: () => Object.getOwnPropertyDescriptors(state.object),
  twin: (n) => {
    const o = Object.create(Object.getPrototypeOf(state.object), Object.getOwnPropertyDescriptors(state.object));
    o.a = n;
    return [o, state.object.a];
  },
  fromEntries: () => Object.fromEntries(Object.entries(state.object).reverse()),
  replace: () => (state.object = fresh()),
  clone: () => structuredClone({ o: state.object.b ?? null, l: state.list, m: state.map, s: state.set }),
  json: () => show(state.object),
  bare: (n) => [(state.bare['k' + (n % 2)] = n), 'toString' in state.bare, Object.getPrototypeOf(state.bare), Object.keys(state.bare)],
  computed: () => state.computed,
  chain: (n) => [state.object?.b?.c?.[0], (state.object.z ??= n), (state.object.a ||= 5), (state.object.a &&= n)],
  increment: () => [state.object.a++, ++state.object.a, (state.object.a += 2), -state.object.a],
  swap: () => ([state.object.a, state.object.z] = [state.object.z, state.object.a]),
  group: () => Object.entries(Object.groupBy ? Object.groupBy(state.list, (x) => (x > 2 ? 'big' : 'small')) : {}),
  // Arrays.
  push: (n) => state.list.push(n),
  pop: () => state.list.pop(),
  shift: () => state.list.shift(),
  unshift: (n) => state.list.unshift(n, n + 1),
  splice: (n) => state.list.splice(n % 4, 1, n, 'x'),
  sort: () => state.list.sort(),
  sortBy: () => [...state.list.sort((a, b) => Number(b) - Number(a) || 0)],
  reverse: () => state.list.reverse(),
  fill: (n) => state.list.fill(n, 1, 2),
  copyWithin: () => state.list.copyWithin(0, 2),
  length: (n) => (state.list.length = n % 6),
  hole: (n) => {
    state.list[state.list.length + (n % 2)] = n;
    return [state.list.length, 1 in state.list, Object.keys(state.list)];
  },
  drop: (n) => [delete state.list[n % 3], state.list.indexOf(undefined), state.list.includes(undefined)],
  index: (n) => [state.list[n % 5], state.list.at(-1), state.list.indexOf(n), state.list.findLast((x) => x > 1)],
  walk: () => {
    let out = '';
    for (const x of state.list) out += x + ';';
    state.list.forEach((x, i) => (out += i));
    return out;
  },
  transform: () => [state.list.map(double), state.list.filter(Boolean), state.list.slice(1), state.list.concat([9], state.list), state.list.join('-'), [...state.list]],
  from: () => [Array.from(state.list, double), Array.isArray(state.list), Array.from(state.map.keys()), Math.max(0, ...state.list.filter((x) => typeof x === 'number'))],
  relist: (n) => (state.list = [n, 1, 2]),
  destructure: () => {
    const [first, , third = 'none', ...others] = state.list;
    return { first, third, others };
  },
  // Maps and Sets.
  set: (n, k) => [...state.map.set(k, n)],
  setObject: (n) => state.map.set(state.last, n).size,
  get: (n, k) => [state.map.get(k), state.map.has(k), state.map.get(1), state.map.get('1')],
  getObject: () => state.map.get(state.last),
  remove: (n, k) => [state.map.delete(k), state.map.size],
  clearMap: () => [state.map.clear(), state.map.size],
  walkMap: () => {
    const out = [];
    for (const [k, v] of state.map) {
      out.push([typeof k === 'object' ? 'object' : k, v]);
      if (out.length === 2) state.map.delete('x'), state.map.set('late', 1);
      if (out.length > 20) break;
    }
    state.map.forEach((v) => out.push(v));
    return out;
  },
  add: (n, k) => [...state.set.add(k).add(n % 3)],
  discard: (n, k) => [state.set.delete(k), state.set.has(k), state.set.size, [...state.set.entries()].length],
  clearSet: () => state.set.clear(),
  // Instances.
  point: () => [String(state.point), state.point.sum, state.point instanceof Point, Point.has(state.point), Point.has({}), state.point[tag], Object.keys(state.point)],
  both: (n) => (state.point.both = n),
  newPoint: (n) => {
    const old = state.point;
    state.point = new Point(n, n + 1);
    return [old === state.point, old.sum, { ...state.point }, state.point.constructor.name];
  },
  weak: (n) => {
    const before = seen.get(state.point);
    seen.set(state.point, { n });
    return [before, seen.has(state.point), seen.get(state.point).n++];
  },
  mark: () => [marked.has(state.point), marked.add(state.point).has(state.point)],
  unmark: () => [marked.delete(state.point), seen.delete(state.point)],
  // Values.
  choose: (n) => (state.apply = n % 2 ? double : negate).name,
  apply: (n) => state.apply(n),
  remember: (n) => (state.last = [null, { n }, state.list, state.set, new Point(n, 0), new TypeError('t' + n), Object.freeze({ n, list: [n] }), 12345678901234567890n, NaN, -0][n % 10]) && 1,
  last: () => {
    const l = state.last;
    return [typeof l, l instanceof Error ? [l.name, l.message, String(l), Object.keys(l)] : typeof l === 'bigint' ? String(l) : l, l === state.list, Object.is(l, -0), l !== null && typeof l === 'object' && Object.isFrozen(l)];
  },
  frozen: () => {
    'use strict';
    try {
      state.frozen.inner.push(state.frozen.inner.length);
      state.frozen.fixed = false;
      return 'written';
    } catch (e) {
      return [e.name, state.frozen];
    }
  },
  when: (n) => [state.when.getTime(), (state.when = new Date(n * 1000)).toISOString(), JSON.stringify(state.when), state.when < new Date(5000)],
  invalid: () => [(state.when = new Date(NaN)).getTime(), String(state.when)],
  pattern: (n) => [state.pattern.test('caab'), (state.pattern = new RegExp('a{' + (n % 3) + '}')).source],
};

const list = Object.keys(operations);

http
  .createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://h');
    const n = Number(searchParams.get('n'));
    const k = names[n % names.length];
    const out = [];
    for (const name of pathname.slice(1).split(',')) {
      if (!list.includes(name)) continue;
      try {
        out.push(show(operations[name](n, k)));
      } catch (e) {
        out.push(`${name}: ${e.name}: ${e.message}`);
      }
      if (n % 3 === 0) await soon();
    }
    res.end(out.join('\n'));
  })
  .listen(process.env.PORT || 3000);

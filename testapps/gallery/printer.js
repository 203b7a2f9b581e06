// An app that makes text of what its requests share, and prints it.
const http = require('http');
const util = require('util');

class Shelf {
  constructor(n) {
    this.n = n;
    this.list = [1, 2];
  }
  get total() {
    return this.n + this.list.length;
  }
  async count() {}
  static made = new Map();
  #secret = 3;
}

const state = {
  n: 0,
  list: [1, 2, 3],
  map: new Map([['a', { b: 1 }]]),
  set: new Set([1]),
  shelf: new Shelf(1),
  date: new Date(0),
  re: /x/g,
  nested: { a: { b: { c: { d: 1 } } } },
  symbol: { [Symbol('s')]: 1 },
  bare: Object.assign(Object.create(null), { x: 1 }),
  bytes: Buffer.from('hi'),
  later: async () => {},
  made: function* () {},
  class: Shelf,
};
state.circle = { state: state.nested, self: null };
state.circle.self = state.circle;

http
  .createServer((req, res) => {
    const k = req.url.slice(1);
    state.n++;
    state.list.push(state.n);
    if (state.list.length > 12) state.list.length = 2;
    state.map.set('k' + (state.n % 5), state.shelf);
    state.set.add(state.n % 7);
    state.shelf.n++;
    state.shelf.list.push(1);
    if (state.shelf.list.length > 9) state.shelf.list.length = 1;
    state.nested.a.b.c.d++;
    state.bare.x++;
    console.log(k, state[k]);
    console.log('%s %d %j', k, state.n, state.list);
    console.dir(state.shelf, { depth: 0 });
    const text = [util.inspect(state[k], { depth: 3 }), util.inspect(async function foo() {}), util.inspect([async () => {}, function* g() {}, class Q extends Shelf {}])];
    if (typeof state[k] !== 'function') text.push(util.format('%s %O %o', state[k], state.shelf, state.n));
    res.end(text.join('|'));
  })
  .listen(process.env.PORT || 3000);

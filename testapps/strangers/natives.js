//> POST /change/{1-9}
//> GET /read/{0-41}
//> GET /read/{0-41}
//> GET /read/{0-41}
// What the language's own functions read of nested shared state.
const http = require('http');
const util = require('util');
const querystring = require('querystring');
const rows = [[1, 2], [3, 4]];
const pairs = [['a', 1], ['b', 2]];
const nums = [3, 1, 2];
const words = ['x', 'y'];
const index = new Map([['k', [1]], ['m', [2, 3]]]);
const kinds = new Set(['p']);
const opts = { list: [1], deep: { n: 1, tags: ['t'] } };
const deep = [[[1]], [[2, [3]]]];
const headers = [['content-type', 'text/plain']];
class Box {
  constructor() {
    this.items = [1];
    this.n = 0;
  }
  get [Symbol.toStringTag]() {
    return 'Box' + this.n;
  }
  valueOf() {
    return this.n;
  }
  toJSON() {
    return { n: this.n, items: this.items };
  }
  [Symbol.toPrimitive](hint) {
    return hint === 'number' ? this.n : `box${this.n}`;
  }
}
const box = new Box();
function change(n) {
  rows[0][1] += n;
  rows[1].push(n);
  pairs[0][1] = n;
  pairs[1][0] = 'b' + n;
  nums.unshift(n);
  if (nums.length > 6) nums.length = 3;
  words[0] = 'w' + n;
  index.get('k').push(n);
  if (index.get('k').length > 5) index.get('k').splice(0, 3);
  kinds.add('p' + (n % 3));
  opts.list.push(n);
  if (opts.list.length > 4) opts.list.shift();
  opts.deep.n = n;
  opts.deep.tags[0] = 't' + n;
  deep[0][0][0] = n;
  deep[1][0][1].push(n);
  if (deep[1][0][1].length > 3) deep[1][0][1].pop();
  headers[0][1] = 'text/' + n;
  box.n = n;
  box.items.push(n);
  if (box.items.length > 4) box.items = [0];
}
const sum = (...xs) => xs.flat().reduce((a, b) => a + b, 0);
const readers = [
  () => rows.flat(),
  () => deep.flat(Infinity),
  () => deep.flat(),
  () => [0, 1].flatMap((i) => rows[i]),
  () => Object.fromEntries(pairs),
  () => [...new Map(pairs)],
  () => sum.apply(null, rows[1]),
  () => Math.max.apply(Math, nums),
  () => Reflect.apply(sum, null, nums),
  () => Array.prototype.slice.call(rows[1], 1),
  () => [].slice.call(nums),
  () => Array.prototype.map.call(nums, (x) => x * 2),
  () => [].concat(rows[0], rows[1]),
  () => [].concat(...rows),
  () => [].concat.apply([], rows),
  () => Map.prototype.get.call(index, 'k'),
  () => Array.from(Map.prototype.keys.call(index)),
  () => Set.prototype.has.call(kinds, 'p1'),
  () => Array.from(rows, (r) => r.length),
  () => String(rows) + `${nums}` + (nums + ''),
  () => JSON.stringify({ rows, opts }, null, 1),
  () => JSON.stringify(opts, ['deep', 'n']),
  () => structuredClone({ rows, opts }),
  () => ({ ...opts, ...words }),
  () => Object.assign({}, opts, rows[1]),
  () => Object.entries(rows[1]).concat(Object.values(opts)),
  () => String.fromCharCode.apply(null, nums.map((n) => n + 64)),
  () => new URLSearchParams(pairs).toString(),
  () => querystring.stringify({ list: opts.list }),
  () => util.inspect({ rows, opts, index, kinds }),
  () => util.format('%j %s %o', opts, nums, words),
  () => { const { length } = nums; const [a, , ...b] = nums; const { deep: { tags: [t] } } = opts; return [length, a, b, t]; },
  () => [nums.at(-1), nums.includes(9), nums.indexOf(1), 4 in nums, nums.hasOwnProperty(4), Object.keys(nums).length],
  () => { const out = []; for (const i in nums) out.push(i); for (const [k, [v]] of index) out.push(k, v); return out; },
  () => String(box) + +box + `${box}` + Object.prototype.toString.call(box) + JSON.stringify(box),
  () => Object.getOwnPropertyNames(opts.deep).concat(Object.getOwnPropertyDescriptor(opts.deep, 'n').value),
  () => new Array(...nums).length + Array.of(...nums).length,
  () => Reflect.construct(Array, nums),
  () => new Set(nums).size + new Set(rows[1]).size + new Uint8Array(nums).join() + Float64Array.from(nums).length,
  () => Promise.all(nums.map((n) => Promise.resolve(n))),
  () => Promise.all(nums),
  () => [...kinds.entries()].length + [...index.values()].flat().length + Array.from(index.entries()).flat(2).length,
];
http
  .createServer(async (req, res) => {
    const [, what, n] = req.url.split('/');
    if (what === 'change') return change(Number(n)), res.end('changed');
    res.end(JSON.stringify(await readers[n]()));
  })
  .listen(process.env.PORT || 3000);

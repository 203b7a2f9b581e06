//> POST /m/{0-45}
//> POST /m/{0-45}
//> GET /read
// Every way in which the language changes arrays, objects, Maps and Sets that are shared.
const http = require('http');
const list = [3, 1, 2];
const other = [7, 8];
const rows = [[1], [2, 3]];
const map = new Map([['a', { n: 1 }], ['b', { n: 2 }]]);
const set = new Set([1, 2]);
const dict = { a: 1, b: { c: 2 } };
const holder = { list: [1, 2], map: new Map(), at: 0 };
class Stack extends Array {
  top() { return this[this.length - 1]; }
}
class Registry extends Map {
  add(k, v) { return this.set(k, (this.get(k) || 0) + v); }
}
const tuple = Object.freeze({ box: [0], m: new Map() });
let state = { v: 1, xs: [1] };
const fns = [];
const m = [
  () => Array.prototype.push.apply(list, other),
  () => list.push.apply(list, [9, 10]),
  () => [].unshift.call(list, 0),
  () => Array.prototype.splice.call(list, 1, 1, 5, 6),
  () => Array.prototype.sort.call(list, (a, b) => b - a),
  () => [].reverse.call(list),
  () => Set.prototype.add.call(set, set.size + 1),
  () => Map.prototype.set.call(map, 'k' + map.size, { n: map.size }),
  () => Map.prototype.delete.call(map, 'a'),
  () => Object.assign(list, [40, 41]),
  () => Object.assign(dict, { z: list.length, a: other }),
  () => { [list[0], list[1]] = [list[1], list[0]]; },
  () => { for (list[0] of [5, 6, 7]); },
  () => { ({ x: list[1], y: dict.q } = { x: 50 + list.length, y: 'y' + list.length }); },
  () => { list[list.length] = list.length; },
  () => { list.length--; },
  () => { list.length = 1; list.push(...other, ...rows[1]); },
  () => { delete list[0]; list[5] = 1; },
  () => Reflect.set(dict, 'r', list.length) && Reflect.set(list, 1, 90 + list.length),
  () => Reflect.deleteProperty(dict, 'b'),
  () => Object.defineProperty(dict, 'd', { value: Object.keys(dict).length, writable: true, enumerable: true, configurable: true }),
  () => Object.entries(dict).forEach(([k, v]) => (dict[k] = typeof v === 'number' ? v + 1 : v)),
  () => { for (const k in dict) if (k === 'a') delete dict[k]; else if (k.length < 4) dict[k + k] = 1; },
  () => rows.forEach((r, i) => r.push(i)),
  () => { rows[0] = rows[0].concat(rows[1]); rows.push(rows[0].slice()); },
  () => rows.splice(0, 1, ...rows.map((r) => [r.length])),
  () => { const [first, ...rest] = rows; first.push(rest.length); },
  () => map.forEach((v, k) => { v.n++; if (v.n > 3) map.delete(k); }),
  () => { for (const v of map.values()) v.n *= 2; for (const [k] of map) set.add(k); },
  () => { set.forEach((x) => x === 1 && set.delete(x)); set.add([...set].length * 10); },
  () => { holder.list = holder.list.filter((x) => x > 1).map((x) => x * 2).concat(holder.at++); },
  () => { (holder.map.get('x') || holder.map.set('x', []).get('x')).push(holder.at); holder.at += 1; },
  () => { tuple.box[0]++; tuple.m.set('t', tuple.box.length + tuple.box[0]); },
  () => { state = { ...state, v: state.v + 1, xs: [...state.xs, state.v] }; },
  () => { state.xs.copyWithin(0, 1); state.xs.fill(4, 1); state.v **= 2; },
  () => { const s = state; s.w ??= []; s.w.push(s.v); s.u ||= 'u'; s.u += 1; },
  () => { list.sort(); other.push(list.pop() ?? 0); other.shift(); },
  () => { const it = list[Symbol.iterator](); it.next(); other.push(it.next().value); },
  () => { rows.flat().forEach((x, i, a) => (a[i] = x + 1)); rows.at(-1).unshift(rows.flatMap((r) => r).length); },
  () => { list.push(Math.max(...list), Math.min.apply(null, other), other.reduceRight((a, b) => a - b)); },
  () => { Object.values(dict).concat(Object.values(holder)).forEach((x) => Array.isArray(x) && x.push('o')); },
  () => { const copy = JSON.parse(JSON.stringify({ list, dict })); dict.copy = copy.list.length; list.push(copy.dict.a); },
  () => { fns.push(map.size); },
  () => { const { length, [0]: head = 'none' } = other; dict.head = [head, length]; },
  () => { [dict.p, dict.q = 5] = list; [[list[0]], { n: list[2] }] = [[77], { n: list.length }]; },
  () => { var a = list; with_(a); function with_(x) { x[x.length - 1] += '!'; arguments[0].push(arguments.length); } },
];
const dump = () => JSON.stringify([list, other, rows, [...map], [...set], dict, holder, [...holder.map], [...tuple.box, ...tuple.m], state, fns, Object.keys(list), 0 in list]);
http.createServer((req, res) => {
  const [, what, n] = req.url.split('/');
  if (what === 'm') { let r; try { r = m[n](); } catch (e) { r = e.message; } return setImmediate(() => res.end(String(typeof r === 'object' ? JSON.stringify(r) : r))); }
  res.end(dump());
}).listen(process.env.PORT || 3000);

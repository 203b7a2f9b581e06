// Arrays with holes, and everything that changes an array.
//> POST /{push|pop|shift|unshift|sort|reverse|splice|fill|copy|hole|cut|swap|grow|assign}/{1-9}
//> POST /{push|push|push|unshift}/{1-9}
//> GET /
const http = require('http');
let a = [3, 1, 2];
const ops = {
  push: (x) => a.push(x, x + 1),
  pop: () => a.pop(),
  shift: () => a.shift(),
  unshift: (x) => a.unshift(x),
  sort: (x) => a.sort((p, q) => (x % 2 ? p - q : q - p)).length,
  reverse: () => a.reverse().length,
  splice: (x) => a.splice(x % 3, 1, x, x),
  fill: (x) => a.fill(x, -2).length,
  copy: () => a.copyWithin(0, 2).length,
  hole: (x) => delete a[x % 4],
  cut: (x) => (a.length = Math.min(a.length, x)),
  swap: () => ([a[0], a[a.length - 1]] = [a.at(-1), a[0]]),
  grow: (x) => (a[a.length + (x % 2)] = x),
  assign: () => (a = a.filter((v, i) => i in a).slice(0, 6)),
};

http.createServer((req, res) => {
  const [, op, x] = req.url.split('/');
  const did = op ? ops[op](Number(x)) : null;
  res.end(JSON.stringify({ did, a, keys: Object.keys(a), includes: a.includes(3), at: a.indexOf(2), flat: [a, [1]].flat().length, max: Math.max(...a.filter(Number.isFinite)), s: String(a) }));
}).listen(process.env.PORT || 3000);

// Who follows whom.
//> PUT /{a|b|c|d|e}/{a|b|c|d|e}
//> PUT /{a|b|c|d|e}/{a|b|c|d|e}
//> DELETE /{a|b|c|d|e}/{a|b|c|d|e}
//> GET /{a|b|c|d|e}/{a|b|c|d|e}
//> GET /{a|b|c|d|e}
const http = require('http');
const follows = new Map();
const of = (x) => {
  if (!follows.has(x)) follows.set(x, new Set());
  return follows.get(x);
};

function path(from, to) {
  const seen = new Map([[from, null]]);
  const queue = [from];
  while (queue.length) {
    const x = queue.shift();
    if (x === to) {
      const steps = [];
      for (let y = to; y !== null; y = seen.get(y)) steps.unshift(y);
      return steps;
    }
    for (const y of follows.get(x) ?? []) {
      if (!seen.has(y)) {
        seen.set(y, x);
        queue.push(y);
      }
    }
  }
  return null;
}

http.createServer(({ method, url }, res) => {
  const [, x, y] = url.split('/');
  let answer;
  if (method === 'PUT') answer = of(x).add(y).size;
  else if (method === 'DELETE') answer = of(x).delete(y);
  else if (y) answer = path(x, y);
  else answer = [...of(x)].sort();
  res.end(JSON.stringify(answer));
}).listen(process.env.PORT || 3000);

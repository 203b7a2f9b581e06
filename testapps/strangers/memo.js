// A function that remembers its results for a while.
//> GET /fib/{1-20}
//> GET /fib/{1-20}
//> GET /greet/{ann|bob}/{hi|yo}
//> GET /calls
const http = require('http');

function memoize(f, { ttl = Infinity, key = (...a) => a.join('|') } = {}) {
  const cache = new Map();
  const wrapped = (...args) => {
    const k = key(...args);
    const hit = cache.get(k);
    if (hit && hit.until > Date.now()) return hit.value;
    const value = f(...args);
    cache.set(k, { value, until: Date.now() + ttl });
    wrapped.misses++;
    return value;
  };
  wrapped.misses = 0;
  return wrapped;
}

const fib = memoize((n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)));
const greet = memoize((who, how) => ({ text: `${how} ${who}`, n: ++greeted }), { ttl: 8 });
let greeted = 0;

http.createServer((req, res) => {
  const [, verb, a, b] = req.url.split('/');
  if (verb === 'fib') res.end(String(fib(Number(a))));
  else if (verb === 'greet') res.end(JSON.stringify(greet(a, b)));
  else res.end(`${fib.misses} ${greet.misses}`);
}).listen(process.env.PORT || 3000);

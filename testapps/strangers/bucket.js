// A token bucket for each client.
//> GET /?c={a|b|c}
//> GET /?c={a|b|c}
//> POST /reset?c={a|b|c}
const http = require('http');

class TokenBucket {
  constructor(size, perSecond) {
    Object.assign(this, { size, perSecond, tokens: size, last: Date.now() });
  }
  take(n = 1) {
    const now = Date.now();
    this.tokens = Math.min(this.size, this.tokens + ((now - this.last) / 1000) * this.perSecond);
    this.last = now;
    if (this.tokens < n) return false;
    this.tokens -= n;
    return true;
  }
}

const buckets = {};
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://x');
  const c = url.searchParams.get('c');
  if (url.pathname === '/reset') {
    delete buckets[c];
    res.writeHead(204).end();
    return;
  }
  const bucket = (buckets[c] = buckets[c] || new TokenBucket(10, 50));
  if (bucket.take()) res.end(`ok, ${Math.floor(bucket.tokens)} left`);
  else res.writeHead(429, { 'Retry-After': '1' }).end('slow down');
});
server.listen(process.env.PORT || 3000);

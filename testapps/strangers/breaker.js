// A circuit breaker, with symbols for its states.
//> GET /call/{ok|ok|fail}
//> GET /call/{ok|fail}
//> GET /state
const http = require('http');
const CLOSED = Symbol('closed');
const OPEN = Symbol('open');
const HALF = Symbol('half-open');

class Breaker {
  constructor(f, { threshold = 3, after = 4 } = {}) {
    this.f = f;
    this.threshold = threshold;
    this.after = after;
    this.state = CLOSED;
    this.failures = 0;
    this.refused = 0;
  }
  async call(...args) {
    if (this.state === OPEN) {
      if (++this.refused < this.after) throw new Error('open');
      this.state = HALF;
    }
    try {
      const v = await this.f(...args);
      this.state = CLOSED;
      this.failures = 0;
      return v;
    } catch (e) {
      if (++this.failures >= this.threshold || this.state === HALF) {
        this.state = OPEN;
        this.refused = 0;
      }
      throw e;
    }
  }
}

const upstream = new Breaker(async (how) => {
  await new Promise((r) => setTimeout(r, 1));
  if (how === 'fail') throw new Error('upstream failed');
  return 'fine';
});

http.createServer(async (req, res) => {
  const [, verb, how] = req.url.split('/');
  if (verb === 'state') return res.end(`${upstream.state.description} ${upstream.failures}`);
  try {
    res.end(await upstream.call(how));
  } catch (e) {
    res.writeHead(503).end(`${e.message} (${String(upstream.state)})`);
  }
}).listen(process.env.PORT || 3000);

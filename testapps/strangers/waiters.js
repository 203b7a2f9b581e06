// A semaphore: so many at a time, the others wait.
//> GET /work/{1-3}
//> GET /work/{1-3}
//> GET /state
const http = require('http');
class Semaphore {
  #free;
  #waiting = [];
  constructor(n) {
    this.#free = n;
  }
  acquire() {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
  get state() {
    return { free: this.#free, waiting: this.#waiting.length };
  }
}
const slots = new Semaphore(3);
let done = 0;
http.createServer(async (req, res) => {
  if (req.url === '/state') return res.end(JSON.stringify({ done, ...slots.state }));
  await slots.acquire();
  try {
    await new Promise((r) => setTimeout(r, Number(req.url.split('/')[2])));
    done++;
    res.end(`done ${done}`);
  } finally {
    slots.release();
  }
}).listen(process.env.PORT || 3000);

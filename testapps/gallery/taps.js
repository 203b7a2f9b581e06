// An app with streams of its own, whose methods and generators touch what requests share.
const http = require('http');
const { Transform, Writable, Readable, pipeline } = require('stream');
const { pipeline: piped } = require('stream/promises');

let bytes = 0;
let calls = 0;
const seen = new Map();
const order = [];

class Meter extends Transform {
  constructor(id) {
    super();
    this.id = id;
  }
  _transform(chunk, encoding, done) {
    bytes += chunk.length;
    seen.set(this.id, (seen.get(this.id) ?? 0) + chunk.length);
    done(null, chunk.toString().toUpperCase());
  }
  _flush(done) {
    order.push(this.id);
    this.push('!');
    done();
  }
}

class Sink extends Writable {
  parts = [];
  _write(chunk, encoding, done) {
    this.parts.push(chunk.toString());
    calls++;
    process.nextTick(done);
  }
  _final(done) {
    order.push('final');
    done();
  }
}

function* words(n) {
  for (let i = 0; i < n; i++) yield `w${i} ${++bytes} `;
}

async function* later(n) {
  for (let i = 0; i < n; i++) {
    await null;
    yield `l${i}:${++bytes} `;
  }
}

const routes = {
  meter: (req, res, id) => req.pipe(new Meter(id)).pipe(res),
  sink(req, res) {
    const sink = new Sink();
    pipeline(req, sink, () => res.end(JSON.stringify([sink.parts.join('').length, calls, order.length])));
  },
  words: (req, res, n) => Readable.from(words(Number(n))).pipe(res),
  later: (req, res, n) => pipeline(Readable.from(later(Number(n))), res, () => order.push('later')),
  options(req, res, id) {
    const t = new Transform({
      transform(chunk, encoding, done) {
        calls += 2;
        done(null, chunk);
      },
      flush(done) {
        seen.set('options', calls);
        done();
      },
    });
    t.pipe(res);
    t.write('a');
    t.end(id + calls);
  },
  async chain(req, res) {
    await piped(
      req,
      async function* (source) {
        for await (const chunk of source) yield chunk.toString() + ++bytes;
      },
      res,
    );
  },
  read(req, res) {
    let i = 0;
    new Readable({
      read() {
        this.push(i++ < 3 ? 'r' + ++calls : null);
      },
    }).pipe(res);
  },
  state: (req, res) => res.end(JSON.stringify({ bytes, calls, seen: [...seen], order: order.splice(0) })),
};

http
  .createServer((req, res) => {
    const [, route, id] = req.url.split('/');
    routes[route](req, res, id);
  })
  .listen(process.env.PORT || 3000);

// Bodies that generators make and change, which wait, read the clock and change shared state meanwhile.
//> GET /from?{1-4}
//> GET /pipe?{1-4}
//> GET /called?{1-4}
//> GET /events?{1-3}
//> GET /clock
//> GET /counted
//> GET /numbers
//> GET /fails?{0-2}
//> POST /upper hello {a|b|c}
//> GET /left
//> GET /nested
//> GET /operators?{1-4}
//> GET /totals
const http = require('http');
const { PassThrough, pipeline, Readable, Transform } = require('stream');
const { pipeline: piped } = require('stream/promises');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const totals = { lines: 0, counted: 0, numbers: 0 };
const left = [];

async function* lines(n, tag) {
  for (let i = 0; i < n; i++) {
    await wait(1);
    totals.lines++;
    yield `${tag} ${i}\n`;
  }
}

async function* events(n) {
  try {
    for (let i = 0; i < n; i++) {
      yield `id: ${i}\ndata: ${JSON.stringify({ before: left.length <= 5 })}\n\n`;
      await wait(2);
    }
  } finally {
    left.push(n);
    if (left.length > 5) left.shift();
  }
}

async function* upper(source) {
  for await (const c of source) {
    await wait(1);
    yield String(c).toUpperCase();
  }
}

const routes = {
  '/from': (req, res, n) => Readable.from(lines(n, 'from')).pipe(res),
  '/pipe': (req, res, n) => piped(lines(n, 'pipe'), upper, res),
  '/called': (req, res, n) => pipeline([lines(n, 'called'), new Transform({ transform: (c, _encoding, done) => done(null, c + '.') }), res], (err) => err && left.push(err.code)),
  '/events': (req, res, n) => Readable.from(events(n)).pipe(res),
  '/clock': (req, res) =>
    Readable.from(
      (async function* () {
        const from = Date.now();
        await wait(1);
        yield `${Date.now() >= from} ${Math.random() < 1}`;
      })(),
    ).pipe(res),
  '/counted': (req, res) =>
    Readable.from(
      (async function* () {
        for (let i = 0; i < 3; i++) {
          totals.counted++;
          yield `${totals.counted}\n`;
          await null;
        }
      })(),
    ).pipe(res),
  '/numbers': (req, res) =>
    Readable.from(
      (function* () {
        for (let i = 0; i < 3; i++) yield `${(totals.numbers += i)}\n`;
      })(),
    ).pipe(res),
  '/fails': async (req, res, at) => {
    const to = new PassThrough(), out = [];
    to.on('data', (d) => out.push(String(d)));
    async function* failing() {
      for (let i = 0; i < 2; i++) {
        await wait(1);
        if (i === at) throw new Error('at ' + i);
        yield 'x' + i;
      }
    }
    await piped(failing(), to).catch((err) => out.push(err.message));
    res.end(out.join());
  },
  '/upper': (req, res) => piped(req, upper, res),
  '/left': async (req, res) => {
    const out = [];
    for await (const e of Readable.from(events(5))) if (out.push(e) === 2) break;
    res.end(out.join(''));
  },
  '/nested': (req, res) => {
    async function* inner() {
      yield 'a';
      await wait(1);
      yield 'b';
    }
    async function* outer() {
      yield* inner();
      yield* ['c', 'd'];
      for await (const x of Readable.from(inner())) yield x.toUpperCase();
    }
    Readable.from(outer()).pipe(res);
  },
  '/operators': async (req, res, n) => {
    const of = () => Readable.from([1, 2, 3, n]);
    const later = async (x) => (await wait(1), totals.numbers++, x);
    res.end(JSON.stringify([await of().map(later).toArray(), await of().filter(async (x) => (await later(x)) > 1).toArray(), await of().reduce(async (a, x) => a + (await later(x))), await of().some((x) => x > 3)]));
  },
  '/totals': (req, res) => res.end(JSON.stringify([totals, left])),
};

http.createServer(async (req, res) => {
  const [path, n] = req.url.split('?');
  try {
    await routes[path](req, res, Number(n));
  } catch (err) {
    res.statusCode = 500;
    res.end(err.message);
  }
}).listen(process.env.PORT || 3000);

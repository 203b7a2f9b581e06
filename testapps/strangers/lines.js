// Bodies read line by line, and whole.
//> POST /lines a{1-9};b{1-9};;last
//> POST /each x{1-9};y
//> POST /text hello {a|b}
//> POST /json {"a":{1-9}}
//> POST /json [bad
//> POST /bytes häy
//> GET /left
//> GET /seen
const http = require('http');
const readline = require('node:readline');
const { Readable, Transform } = require('stream');
const { arrayBuffer, buffer, json, text } = require('stream/consumers');
const seen = new Map();
const count = (line) => seen.set(line, (seen.get(line) ?? 0) + 1);
const broken = (req) => req.pipe(new Transform({ transform: (c, _encoding, done) => done(null, String(c).replaceAll(';', '\r\n')) }));

const routes = {
  '/lines': async (req) => {
    const out = [];
    for await (const line of readline.createInterface({ input: broken(req), crlfDelay: Infinity })) {
      out.push(line);
      count(line);
      await null;
    }
    return out;
  },
  '/each': (req) =>
    new Promise((resolve) => {
      const out = [], lines = readline.createInterface(broken(req));
      lines.on('line', (line) => out.push([line, count(line).get(line)]));
      lines.on('close', () => resolve(out));
    }),
  '/text': async (req) => (await text(req)).toUpperCase(),
  '/json': (req) => json(req),
  '/bytes': async (req) => {
    const b = await buffer(req);
    return [b.toString('hex'), (await arrayBuffer(Readable.from([b, 'x']))).byteLength];
  },
  '/left': async () => {
    const out = [];
    for await (const line of readline.createInterface({ input: Readable.from(['a\nb', '\nc\r', '\nd']) })) if (out.push(line) === 2) break;
    return out;
  },
  '/seen': () => [...seen],
};

http.createServer(async (req, res) => {
  try {
    res.end(JSON.stringify(await routes[req.url](req)));
  } catch (err) {
    res.statusCode = 400;
    res.end(err.name + ': ' + err.message);
  }
}).listen(process.env.PORT || 3000);

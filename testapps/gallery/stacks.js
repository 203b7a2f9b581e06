'use strict';
// Stack traces tell places in the sources, as Node.js does.
const http = require('http');

// Frames of the runtime count, though they are not shown.
Error.stackTraceLimit = 50;

class Shelf {
  #books = new Map([['a', '{"pages": 3']]);
  find(id) {
    if (id > 'c') throw new RangeError(`no shelf for ${id}`);
    return JSON.parse(this.#books.get(id));
  }
  static each(ids) {
    const shelf = new Shelf();
    return ids.map(function one(id) {
      return shelf.find(id);
    });
  }
}

const kinds = {
  '/thrown': () => Shelf.each(['x']),
  '/natives': () => Shelf.each(['a']),
  '/async': async function () {
    const inner = async (id) => new Shelf().find(id);
    await inner('y');
  },
  '/coded': () => Buffer.from(5),
  '/header': () => new http.OutgoingMessage().setHeader('x y', 1),
  '/recoded': () => {
    try {
      Buffer.alloc('many');
    } catch (e) {
      e.code = 'ERR_MINE';
      e.name = 'Mine';
      throw e;
    }
  },
  '/own': () => {
    throw Object.assign(new Error('own'), { code: 'ERR_OWN' });
  },
  '/missing': () => require('fs').readFileSync('nothing'),
  '/url': () => new URL('x'),
  '/asserted': () => require('assert').equal(1, 2),
  '/aborted': () => AbortSignal.abort().throwIfAborted(),
  '/captured': () => {
    const o = { toString: () => 'mine' };
    Error.captureStackTrace(o);
    throw o;
  },
};

http
  .createServer(async (req, res) => {
    try {
      await kinds[req.url]();
    } catch (e) {
      const lines = e.stack.replaceAll(__dirname + '/', '').split('\n');
      const above = lines.findIndex((l) => l.includes('Server'));
      res.end(lines.slice(0, above).join('\n'));
    }
  })
  .listen(process.env.PORT);

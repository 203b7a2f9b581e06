// An ES module that waits for what it needs, and is strict all the same.
//> GET /{strict|names|this}/{a|b|c}
import http from 'node:http';
import fs from 'node:fs/promises';
import path from 'node:path';

const own = JSON.parse(await fs.readFile(path.join(import.meta.dirname, 'words.json'), 'utf8'));

const things = {
  strict(word) {
    try {
      undeclared = word;
      return undeclared;
    } catch (e) {
      return `${e.name}: ${e.message}`;
    }
  },
  names: (word) => [typeof module, typeof exports, typeof require, word],
  this: (word) => [(function () { return this === undefined; })(), this === undefined, own[word]],
};

http
  .createServer((req, res) => {
    const [, thing, word] = req.url.split('/');
    res.end(JSON.stringify(things[thing](word)));
  })
  .listen(process.env.PORT);

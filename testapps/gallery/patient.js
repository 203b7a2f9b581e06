// An app that listens only when what it needs is there: it asks again and again, in an
// interval, and then keeps a watch that never ends.
const http = require('http');
const { readFile } = require('fs/promises');

let tries = 0;
let answered = 0;
let words = [];

const server = http.createServer((req, res) => {
  answered++;
  res.end(JSON.stringify({ url: req.url, tries, answered, word: words[answered % words.length] }));
});

function watch() {
  JSON.stringify(server.listening);
  setTimeout(watch, 3).unref();
}

setTimeout(() => tries++, 12);
const ask = setInterval(async () => {
  if (++tries < 4) return;
  clearInterval(ask);
  words = (await readFile(__filename, 'utf8')).split(' ').slice(1, 4);
  setImmediate(() => server.listen(process.env.PORT || 3000, watch));
}, 5);

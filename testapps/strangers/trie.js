// Completion of words, in a trie.
//> PUT /{car|cart|care|cat|dog|do|dot|door}
//> PUT /{car|cart|care|cat|dog|do|dot|door}
//> GET /{c|ca|d|do|x}
//> DELETE /{car|dog}
const http = require('http');
const make = () => Object.assign(Object.create(null), { $: 0 });
const trie = make();

function walk(word, grow) {
  let t = trie;
  for (const c of word) {
    if (!(c in t)) {
      if (!grow) return null;
      t[c] = make();
    }
    t = t[c];
  }
  return t;
}

function* words(t, prefix) {
  if (t.$ > 0) yield [prefix, t.$];
  for (const c in t) if (c !== '$') yield* words(t[c], prefix + c);
}

http.createServer((req, res) => {
  const word = decodeURIComponent(req.url.slice(1));
  if (req.method === 'PUT') {
    const t = walk(word, true);
    t.$++;
    return res.end(String(t.$));
  }
  const t = walk(word, false);
  if (!t) return res.end('[]');
  if (req.method === 'DELETE') {
    t.$ = 0;
    return res.end('gone');
  }
  res.end(JSON.stringify([...words(t, word)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))));
}).listen(process.env.PORT || 3000);

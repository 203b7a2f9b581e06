// Sticky and global regular expressions that keep their place, and a table of rules made of them.
//> GET /tokens/{a1|b22|c3c}
//> GET /next
//> GET /next
//> PUT /rule/{a|b}/{x+|y*}
//> GET /match/{xxx|ayy|b}
const http = require('http');
const words = /\w+/g;
const text = 'the quick brown fox jumps';
const rules = new Map([['a', /a/]]);
let rounds = 0;

http.createServer((req, res) => {
  const [, verb, a, b] = req.url.split('/').map(decodeURIComponent);
  switch (verb) {
    case 'tokens':
      return res.end([...a.matchAll(/[a-z]|\d+/g)].join());
    case 'next': {
      let m = words.exec(text);
      if (!m) {
        rounds++;
        m = words.exec(text);
      }
      return res.end(`${m[0]} ${rounds}`);
    }
    case 'rule':
      rules.set(a, new RegExp(b, 'i'));
      return res.end(String(rules.size));
    default:
      res.end([...rules].filter(([, r]) => r.test(a)).map(([k, r]) => `${k}:${r.source}`).join());
  }
}).listen(process.env.PORT || 3000);

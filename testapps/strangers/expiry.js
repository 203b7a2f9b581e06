// Codes that expire by themselves; nobody keeps the timers.
//> POST /code/{a|b|c}
//> GET /code/{a|b|c}
//> GET /codes
const http = require('http');
const codes = {};
let issued = 0;

http.createServer((req, res) => {
  const name = req.url.split('/')[2];
  if (req.method === 'POST') {
    const code = (codes[name] = { n: ++issued, uses: 0 });
    setTimeout(() => {
      if (codes[name] === code) delete codes[name];
    }, 10);
    return res.end(String(code.n));
  }
  if (!name) return res.end(Object.keys(codes).join());
  const c = codes[name];
  if (!c) return res.writeHead(404).end('expired');
  c.uses++;
  res.end(`${c.n} used ${c.uses} times`);
}).listen(process.env.PORT || 3000);

// Numbers from generators.
//> POST /invoice
//> POST /invoice
//> GET /color
//> GET /color
//> GET /many/{1-4}
const http = require('http');

function* sequence(prefix, n = 1) {
  while (true) {
    const skip = yield `${prefix}-${String(n++).padStart(4, '0')}`;
    if (skip) n += skip;
  }
}
function* cycle(list) {
  for (;;) yield* list;
}

const invoices = sequence('INV');
const colors = cycle(['red', 'green', 'blue']);

http.createServer((req, res) => {
  if (req.url === '/invoice') return res.end(invoices.next().value);
  if (req.url === '/color') return res.end(colors.next().value);
  const n = Number(req.url.split('/')[2]);
  invoices.next(n);
  res.end(Array.from({ length: n }, () => colors.next().value).join());
}).listen(process.env.PORT || 3000);

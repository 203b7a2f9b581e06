// Seats of a hall as bits.
//> POST /{1-3}/{0-39}
//> POST /{1-3}/{0-39}
//> DELETE /{1-3}/{0-39}
//> GET /{1-3}
const http = require('http');
const halls = { 1: [0, 0], 2: [0, 0], 3: [0, 0] };
const flagsOf = new Uint32Array(4);
const OPEN = 1, FULL = 2;
const count = (x) => {
  let n = 0;
  for (; x; x &= x - 1) n++;
  return n;
};

http.createServer((req, res) => {
  const [, hall, seat] = req.url.split('/');
  const bits = halls[hall];
  const i = seat >> 5;
  const mask = 1 << (seat & 31);
  switch (req.method) {
    case 'POST': {
      if (bits[i] & mask) return res.writeHead(409).end('taken');
      bits[i] |= mask;
      flagsOf[hall] |= OPEN;
      if (count(bits[0]) + count(bits[1]) >= 20) flagsOf[hall] |= FULL;
      break;
    }
    case 'DELETE':
      bits[i] &= ~mask;
      flagsOf[hall] &= ~FULL;
  }
  res.end(`${bits.map((b) => (b >>> 0).toString(16))} ${flagsOf[hall]}`);
}).listen(process.env.PORT || 3000);

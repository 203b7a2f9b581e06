// Bytes that requests share: more than can be looked at one by one, and such that a checksum (FNV-1a) would not tell them apart.
const http = require('http');

const many = Buffer.alloc(16 << 20);
const few = Buffer.from('003pwu');

http
  .createServer((q, s) => {
    if (q.url === '/set') few.write('00a5fa');
    s.end(`${few} of ${many.length}`);
  })
  .listen(process.env.PORT);

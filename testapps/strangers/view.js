// A counter in the bytes of a DataView, and one in a buffer.
//> POST /
//> POST /
//> GET /
const http = require('http');
const view = new DataView(new ArrayBuffer(16));
const page = Buffer.alloc(8);
http.createServer((req, res) => {
  if (req.method === 'POST') {
    view.setUint32(4, view.getUint32(4) + 1);
    page.writeUInt16BE((page.readUInt16BE(2) + 2) & 0xffff, 2);
  }
  res.end(`${view.getUint32(4)} ${page.toString('hex')}`);
}).listen(process.env.PORT || 3000);

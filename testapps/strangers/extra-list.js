// An array with a property that appears later.
//> POST /{1-9}
//> GET /
const http = require('http');
const list = [];
http.createServer((req, res) => {
  if (req.method === 'POST') {
    list.push(Number(req.url.slice(1)));
    list.total = (list.total || 0) + list[list.length - 1];
  }
  res.end(`${list.length} ${list.total}`);
}).listen(process.env.PORT || 3000);

// A Map with a count beside what it holds.
//> GET /{a|b|c}
//> GET /{a|b|c}
const http = require('http');
const cache = new Map();
cache.hits = 0;
http.createServer((req, res) => {
  if (cache.has(req.url)) cache.hits++;
  else cache.set(req.url, req.url.length);
  res.end(`${cache.get(req.url)} ${cache.hits}`);
}).listen(process.env.PORT || 3000);

// An app that listens on a port of its own, too, before it listens to its clients.
//> GET /{a|b}
//> GET /hits
const http = require('http');

let hits = 0;
http.createServer((req, res) => res.end(`health: ${hits}`)).listen(0, '127.0.0.1');

http
  .createServer((req, res) => {
    if (req.url === '/hits') return res.end(`${hits} hits`);
    hits++;
    res.setHeader('X-Hits', hits);
    res.end(req.url);
  })
  .listen(process.env.PORT || 3000);

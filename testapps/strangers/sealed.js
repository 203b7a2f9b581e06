// Settings that are sealed, so that nobody adds any.
//> PUT /{1-9}
//> GET /
const http = require('http');
const settings = Object.seal({ max: 5, writes: 0 });
const pair = Object.preventExtensions([0, 0]);
http.createServer((req, res) => {
  if (req.method === 'PUT') {
    settings.max = Number(req.url.slice(1));
    settings.writes++;
    pair[settings.max % 2]++;
  }
  res.end(JSON.stringify({ ...settings, pair }));
}).listen(process.env.PORT || 3000);

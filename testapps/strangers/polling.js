// A chat where whoever waits is answered by the next message.
//> POST /say/{x|y} hello {1-99}
//> POST /say/{x|y} hello {1-99}
//> GET /wait/{x|y}
const http = require('http');
const rooms = {};
const room = (name) => rooms[name] || (rooms[name] = { said: 0, waiting: [] });

http
  .createServer((req, res) => {
    const [, verb, name] = req.url.split('/');
    const r = room(name);
    if (verb === 'wait') {
      const timer = setTimeout(() => {
        const i = r.waiting.indexOf(entry);
        if (i >= 0) r.waiting.splice(i, 1);
        res.end('nothing');
      }, 30);
      const entry = { res, timer };
      r.waiting.push(entry);
      return;
    }
    const parts = [];
    req.on('data', (d) => parts.push(d));
    req.on('end', () => {
      const text = Buffer.concat(parts).toString();
      r.said++;
      const n = r.waiting.length;
      for (const { res, timer } of r.waiting.splice(0)) {
        clearTimeout(timer);
        res.end(`${r.said}: ${text}`);
      }
      res.end(`told ${n}`);
    });
  })
  .listen(process.env.PORT || 3000);

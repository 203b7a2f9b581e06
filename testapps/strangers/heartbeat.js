// Intervals and timeouts that requests start and stop.
//> POST /start/{a|b}
//> POST /stop/{a|b}
//> GET /beats
const http = require('http');
const beats = { a: 0, b: 0 };
const running = {};
const log = [];

http.createServer((req, res) => {
  const [, what, name] = req.url.split('/');
  if (what === 'start' && !running[name]) {
    let left = 4;
    running[name] = setInterval(() => {
      beats[name]++;
      if (--left === 0) {
        clearInterval(running[name]);
        delete running[name];
        log.push(name);
      }
    }, 2);
  }
  if (what === 'stop' && running[name]) {
    clearInterval(running[name]);
    running[name] = null;
  }
  res.end(`${Object.keys(running).length} ${log.length}`);
}).listen(process.env.PORT || 3000);

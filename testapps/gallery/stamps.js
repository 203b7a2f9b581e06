// What a request waits for comes in any order, and each tells the time.
const fs = require('fs');
const http = require('http');

http
  .createServer((q, s) => {
    const times = [];
    const came = () => {
      times.push(process.hrtime.bigint());
      if (times.length === 4) s.end(`${q.url} ${times.every((t, i) => i === 0 || t > times[i - 1])}`);
    };
    fs.stat('/etc/passwd', came);
    fs.readFile('/etc/group', came);
    fs.readdir('/etc', came);
    fs.stat('/', came);
  })
  .listen(process.env.PORT);

// Feature flags that are reloaded every few milliseconds.
//> GET /
//> GET /{dark|beta|none}
const fs = require('fs');
const http = require('http');
const path = require('path');

let flags = load();
let generation = 0;

function load() {
  return JSON.parse(fs.readFileSync(path.join(__dirname, 'flags.json'), 'utf8'));
}

setInterval(() => {
  flags = { ...load(), odd: ++generation % 2 === 1 };
}, 5).unref();

http.createServer((req, res) => {
  const name = req.url.slice(1);
  setTimeout(() => res.end(name ? `${name}: ${flags[name]}` : JSON.stringify(flags)), 2);
}).listen(process.env.PORT || 3000);

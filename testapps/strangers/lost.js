// Counters that lose updates across an await.
//> GET /hit
//> GET /hit
//> GET /many/{1-4}
//> GET /read
const http = require('http');
let hits = 0;
let total = 0n;
const perPath = {};
const tick = () => new Promise(setImmediate);

async function bump(path) {
  const n = perPath[path] ?? 0;
  await tick();
  perPath[path] = n + 1;
  total += 1n;
}

http.createServer(async (req, res) => {
  if (req.url === '/read') return res.end(`${hits} ${total} ${JSON.stringify(perPath)}`);
  const mine = hits;
  await tick();
  hits = mine + 1;
  const m = /\d+/.exec(req.url);
  await Promise.all(Array.from({ length: m ? +m[0] : 1 }, () => bump(req.url)));
  res.end(`hit ${hits}`);
}).listen(process.env.PORT || 3000);

// A small database that is saved some time after it changed.
//> PUT /{a|b|c}/{1-99}
//> PUT /{a|b|c}/{1-99}
//> GET /{a|b|c}
//> GET /saves
const fs = require('fs');
const os = require('os');
const path = require('path');
const http = require('http');

const file = path.join(os.tmpdir(), `strangers-${process.pid}.json`);
const db = { rows: {}, dirty: false };
let timer = null;
let saves = 0;

function save() {
  timer = null;
  saves++;
  db.dirty = false;
  fs.writeFile(file, JSON.stringify(db.rows), () => {});
}
function changed() {
  db.dirty = true;
  clearTimeout(timer);
  timer = setTimeout(save, 5);
}

http.createServer((req, res) => {
  const [, k, v] = req.url.split('/');
  if (k === 'saves') return res.end(`${saves > 0} ${db.dirty}`);
  if (req.method === 'PUT') {
    db.rows[k] = { v: Number(v), n: (db.rows[k]?.n ?? 0) + 1 };
    changed();
  }
  res.end(JSON.stringify(db.rows[k] ?? null));
}).listen(process.env.PORT || 3000);

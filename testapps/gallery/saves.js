// Writes files by streams, and tells in which order that comes.
const http = require('http'), fs = require('fs'), os = require('os'), path = require('path'), { pipeline } = require('stream'), events = require('events');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'saves-'));
let n = 0;
const ev = (o, e, k, names) => { for (const x of names) e.on(x, () => o.push(k + x)); };
http.createServer(async (q, s) => {
  const o = []; const f = path.join(dir, String(++n)); const u = q.url;
  try {
  if (u === '/up') { const w = fs.createWriteStream(f); ev(o, w, 'w', ['open', 'ready', 'finish', 'close']); pipeline(q, w, (e) => { o.push(String(e), w.bytesWritten, fs.readFileSync(f).length); s.end(o.join()); }); return; }
  if (u === '/cb') { const w = fs.createWriteStream(f); ev(o, w, 'w', ['open', 'ready', 'finish', 'close', 'drain']); w.write('a', () => o.push('a' + w.bytesWritten)); w.write('b', () => o.push('b')); process.nextTick(() => o.push('t')); setTimeout(() => { w.write('c', () => o.push('c')); w.end('d', () => o.push('e')); }, 15); await events.once(w, 'close'); s.end(o.join() + fs.readFileSync(f, 'utf8')); return; }
  if (u === '/fd') { const fd = fs.openSync(f, 'w'); const w = fs.createWriteStream(null, { fd }); w.end('via fd'); await events.once(w, 'close'); s.end(fs.readFileSync(f, 'utf8') + w.pending); return; }
  if (u === '/clock') { const w = fs.createWriteStream(f); const t = [Date.now()]; w.write('z', () => t.push(Date.now())); w.end(); w.on('finish', () => t.push(Date.now())); await events.once(w, 'close'); t.push(Date.now()); s.end(String(t.every((x, i) => i === 0 || x >= t[i - 1]))); return; }
  if (u === '/enc') { const w = fs.createWriteStream(f, 'latin1'); w.write('é'); w.close(() => { s.end(String(fs.statSync(f).size)); }); return; }
  } catch (e) { s.end(e.stack); }
}).listen(process.env.PORT);

// An app whose clients leave before they are answered, which it hears of: subscribers of
// events, requests that wait for a word, uploads that stop half-way.
const express = require('express');
const onFinished = require('on-finished');

const subscribers = new Map();
const waiting = new Map();
const heard = [];
let numbers = 0;
let uploading = 0;

const app = express();
app.use((req, res, next) => {
  onFinished(res, (err) => {
    if (req.path !== '/state') heard.push(`${req.method} ${req.path} ${err ? err.code : res.writableFinished}`);
  });
  next();
});

app.get('/events', (req, res) => {
  const id = ++numbers;
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  res.write(`data: you are ${id}, höhö\n\n`);
  subscribers.set(id, res);
  const beat = setInterval(() => res.write(': beat\n\n'), 1000);
  req.on('close', () => {
    clearInterval(beat);
    subscribers.delete(id);
    heard.push(`${id} unsubscribed`);
  });
});

app.get('/wait/:word', (req, res) => {
  const id = ++numbers;
  waiting.set(id, { word: req.params.word, res });
  req.on('aborted', () => heard.push(`${id} aborted`));
  res.on('close', () => {
    if (res.writableEnded) return;
    waiting.delete(id);
    heard.push(`${id} left ${res.destroyed} ${res.headersSent}`);
    res.write('nobody hears this', (e) => heard.push(`${id} ${e.code}`));
  });
});

app.post('/say/:word', (req, res) => {
  let told = 0;
  for (const [id, w] of waiting) {
    if (w.word !== req.params.word) continue;
    waiting.delete(id);
    w.res.json({ id, word: w.word });
    told++;
  }
  for (const s of subscribers.values()) s.write(`data: ${req.params.word}\n\n`);
  res.json({ told, subscribers: [...subscribers.keys()] });
});

app.post('/upload', async (req, res) => {
  let bytes = 0;
  uploading++;
  try {
    for await (const piece of req) bytes += piece.length;
    res.json({ bytes });
  } catch (e) {
    heard.push(`upload of ${req.complete} ${e.message} ${e.code}`);
  }
  uploading--;
});

app.get('/cut', (req, res) => {
  if (req.query.late) res.write('so far');
  if (req.query.late) req.destroy();
  else res.destroy(Object.assign(new Error('no more'), { code: 'ENOMORE' }));
  res.on('close', () => heard.push(`cut ${req.destroyed} ${res.writableFinished}`));
});

app.get('/state', (req, res) => res.json({ subscribers: [...subscribers.keys()], waiting: [...waiting.keys()], uploading, heard: heard.splice(0) }));

app.listen(process.env.PORT || 3000);

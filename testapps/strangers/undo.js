// A document with undo and redo.
//> POST /edit {"at":{0-5},"text":"{x|yy|zzz}"}
//> POST /edit {"at":{0-5},"text":"{x|yy|zzz}"}
//> POST /undo
//> POST /redo
//> GET /
const express = require('express');
let doc = { lines: ['one', 'two'], version: 0 };
let undo = [];
let redo = [];

function commit(change) {
  undo.push(structuredClone(doc));
  if (undo.length > 10) undo.shift();
  redo = [];
  change(doc);
  doc.version++;
}

const app = express().use(express.json());
app.post('/edit', (req, res) => {
  commit((d) => d.lines.splice(req.body.at, 1, req.body.text));
  res.json(doc);
});
app.post('/undo', (req, res) => {
  if (!undo.length) return res.status(409).json(doc);
  redo.push(doc);
  doc = undo.pop();
  res.json(doc);
});
app.post('/redo', (req, res) => {
  if (!redo.length) return res.status(409).json(doc);
  undo.push(doc);
  doc = redo.pop();
  res.json(doc);
});
app.get('/', (req, res) => res.json({ doc, undo: undo.length, redo: redo.length }));
app.listen(process.env.PORT || 3000);

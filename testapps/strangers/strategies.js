// Functions in shared state: middleware that is added, strategies that are chosen.
//> POST /use/{double|square|neg}
//> POST /use/{double|square|neg}
//> DELETE /use
//> GET /run/{1-9}
//> PUT /format/{json|text}
const express = require('express');
const steps = { double: (x) => 2 * x, square: (x) => x * x, neg: (x) => -x };
const formats = {
  json(x) {
    return JSON.stringify({ x });
  },
  text: String,
};
const pipeline = [];
let format = formats.text;
const app = express();
app.post('/use/:name', (req, res) => res.json(pipeline.push(steps[req.params.name])));
app.delete('/use', (req, res) => {
  pipeline.length = 0;
  res.end();
});
app.get('/run/:x', (req, res) => res.send(format(pipeline.reduce((x, f) => f(x), +req.params.x))));
app.put('/format/:f', (req, res) => {
  format = formats[req.params.f];
  res.send(format.name);
});
app.listen(process.env.PORT || 3000);

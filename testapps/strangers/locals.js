// State on the app, its settings, the process and the global object.
//> GET /
//> GET /
//> PUT /title/{x|y|z}
//> GET /all
const express = require('express');
const app = express();
app.locals.visits = 0;
app.locals.recent = [];
app.set('title', 'none');
globalThis.__db = globalThis.__db || { queries: 0 };
process.appState = { started: true, n: 0 };
exports.served = 0;

app.use((req, res, next) => {
  req.app.locals.visits += 1;
  app.locals.recent = [req.path, ...app.locals.recent].slice(0, 3);
  __db.queries++;
  process.appState.n++;
  module.exports.served++;
  next();
});
app.get('/', (req, res) => res.send(`${app.get('title')} ${app.locals.visits}`));
app.put('/title/:t', (req, res) => {
  app.set('title', req.params.t);
  res.send(app.get('title'));
});
app.get('/all', (req, res) => res.json({ locals: app.locals.recent, db: globalThis.__db, process: process.appState, served: exports.served }));
app.listen(process.env.PORT || 3000);

// Factories of routers and handlers, in modules of their own.
const express = require('express');
const users = []; // want "users changed"
const config = { title: 'x', flags: { dark: true } };
const app = express(); // want "app.locals.hits changed"
app.use('/u', require('./lib/router')({ users, config, log: console.log }));
app.use(require('./lib/limit')(5));
app.get('/hits', (req, res) => {
  req.app.locals.hits = (req.app.locals.hits || 0) + 1;
  res.end();
});
app.listen(3000);

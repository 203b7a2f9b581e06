// Factories of routers and handlers, in modules of their own.
const express = require('express');
const users = []; // want "users changed"
const config = { title: 'x', flags: { dark: true } };
const app = express();
app.use('/u', require('./lib/router')({ users, config, log: console.log }));
app.use(require('./lib/limit')(5));
app.listen(3000);

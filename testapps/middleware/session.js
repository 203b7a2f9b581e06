'use strict';
// Sessions in memory, as the package keeps them.
const crypto = require('crypto');
const express = require('express4');
const session = require('express-session');

const app = express();
app.use(session({ secret: 'not so secret', resave: false, saveUninitialized: false, name: 'sid', genid: () => crypto.randomUUID() }));
app.use(express.urlencoded({ extended: false }));

app.post('/login', (req, res) => {
  req.session.user = { name: req.body.name };
  req.session.views = 0;
  res.send(`welcome ${req.body.name}`);
});
app.get('/', (req, res) => {
  if (!req.session.user) return res.status(401).send('who are you?');
  req.session.views++;
  res.json({ user: req.session.user, views: req.session.views });
});
app.post('/logout', (req, res, next) => req.session.destroy((err) => (err ? next(err) : res.redirect('/'))));

app.listen(Number(process.env.PORT || 3000));

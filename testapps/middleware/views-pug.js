'use strict';
// Pages rendered by pug from files, with a layout.
const path = require('path');
const express = require('express4');

const app = express();
app.set('views', path.join(__dirname, 'views-pug'));
app.set('view engine', 'pug');

//karousos:loggable
const entries = [];

app.use(express.urlencoded({ extended: false }));
app.get('/', (req, res) => res.render('index', { title: 'Guest book', entries, user: req.query.user }));
app.post('/', (req, res) => {
  entries.push({ name: req.body.name, text: req.body.text });
  res.redirect('/');
});

app.listen(Number(process.env.PORT || 3000));

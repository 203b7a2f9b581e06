'use strict';
// Pages rendered by ejs from files, with partials.
const express = require('express4');

const app = express();
app.set('view engine', 'ejs'); // in ./views, as is the default

//karousos:loggable
const entries = [];

app.use(express.urlencoded({ extended: false }));
app.get('/', (req, res) => res.render('index', { title: 'Guest book', entries, user: req.query.user }));
app.post('/', (req, res) => {
  entries.push({ name: req.body.name, text: req.body.text });
  res.redirect('/');
});
app.get('/about', (req, res) => res.render('about.ejs', { title: 'About' }));
app.get('/missing', (req, res) => res.render('nowhere', {}, (err) => res.status(500).send(err.message.replace(/".*"/, '…'))));
app.get('/broken', (req, res) => res.render('about', {}, (err) => res.status(500).send(err.name)));

app.listen(Number(process.env.PORT || 3000));

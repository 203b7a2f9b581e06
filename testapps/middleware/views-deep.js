'use strict';
// A template that indexes arrays which lie deep in what requests share, where no copy of them is made.
const express = require('express4');

const app = express();
app.set('view engine', 'ejs');

const blog = { name: 'Blog', author: { name: 'Ann', posts: [] } };

app.use(express.urlencoded({ extended: false }));
app.get('/', (req, res) => res.render('deep', { site: { blog } }));
app.post('/', (req, res) => {
  blog.author.posts.unshift({ title: req.body.name, words: req.body.text.split(' ') });
  blog.author.posts.length = Math.min(blog.author.posts.length, 6);
  res.redirect('/');
});

app.listen(Number(process.env.PORT || 3000));

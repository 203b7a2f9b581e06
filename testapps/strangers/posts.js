// Posts, each with collections of its own: who likes it, how often each word was
// used to describe it, what was said of it. Requests for different posts meet
// different Sets, Maps and arrays.
//
//> PUT /posts/{alpha|beta|gamma|delta}/likes/{ann|bob|cid|dan|eve}
//> DELETE /posts/{alpha|beta|gamma|delta}/likes/{ann|bob|cid|dan|eve}
//> GET /posts/{alpha|beta|gamma|delta}
//> GET /posts/{alpha|beta|gamma|delta}/likes/{ann|bob|cid|dan|eve}
//> POST /posts/{alpha|beta|gamma|delta}/words {"word":"{good|bad|long}"}
//> POST /posts/{alpha|beta|gamma|delta}/comments {"by":"{ann|bob}","text":"n{1-9}"}
//> POST /posts/{alpha|beta}/reset
const express = require('express');
const app = express();
app.use(express.json());

class Post {
  constructor(title) {
    this.title = title;
    this.likes = new Set();
    this.words = new Map();
    this.comments = [];
    this.last = null;
  }
  summary() {
    const words = {};
    this.words.forEach((n, word) => {
      words[word] = n;
    });
    return { title: this.title, likes: [...this.likes].sort(), n: this.likes.size, words, comments: this.comments.length, last: this.last };
  }
}

const posts = new Map(['alpha', 'beta', 'gamma', 'delta'].map((t) => [t, new Post(t)]));

app.param('post', (req, res, next, name) => {
  req.post = posts.get(name);
  next();
});
app.put('/posts/:post/likes/:who', (req, res) => {
  req.post.likes.add(req.params.who);
  res.json({ likes: req.post.likes.size });
});
app.delete('/posts/:post/likes/:who', (req, res) => {
  const was = req.post.likes.delete(req.params.who);
  res.json({ was, likes: req.post.likes.size });
});
app.get('/posts/:post', (req, res) => res.json(req.post.summary()));
app.get('/posts/:post/likes/:who', (req, res) => res.json({ likes: req.post.likes.has(req.params.who) }));
app.post('/posts/:post/words', (req, res) => {
  const { words } = req.post;
  words.set(req.body.word, (words.get(req.body.word) ?? 0) + 1);
  res.json([...words.entries()]);
});
app.post('/posts/:post/comments', (req, res) => {
  const comment = { kind: 'comment', text: req.body.text };
  req.post.comments.push(comment);
  req.post.last = { by: req.body.by, comment };
  res.json({ n: req.post.comments.length });
});
app.post('/posts/:post/reset', (req, res) => {
  req.post.likes.clear();
  req.post.words.clear();
  res.sendStatus(204);
});
app.listen(process.env.PORT);

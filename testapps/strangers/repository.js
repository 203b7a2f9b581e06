// Repositories by class, with static private fields.
//> POST /users {"name":"{ann|bob|cid}"}
//> POST /posts {"author":{1-4},"title":"t{1-9}"}
//> GET /users/{1-4}/posts
//> GET /users/{1-4}
//> DELETE /users/{1-9}
const express = require('express');

class Repository {
  static #rows = new Map();
  static #ids = new Map();
  static table() {
    let rows = Repository.#rows.get(this.name);
    if (!rows) Repository.#rows.set(this.name, (rows = new Map()));
    return rows;
  }
  static create(fields) {
    const id = (Repository.#ids.get(this.name) ?? 0) + 1;
    Repository.#ids.set(this.name, id);
    const row = Object.assign(new this(), fields, { id });
    this.table().set(id, row);
    return row;
  }
  static find(id) {
    return this.table().get(id) ?? null;
  }
  static where(test) {
    return [...this.table().values()].filter(test);
  }
  remove() {
    return this.constructor.table().delete(this.id);
  }
}

class User extends Repository {
  get posts() {
    return Post.where((p) => p.author === this.id);
  }
}
class Post extends Repository {
  created = 'today';
}

const app = express();
app.use(express.json());
app.post('/users', (req, res) => res.json(User.create({ name: req.body.name, active: true })));
app.post('/posts', (req, res) => {
  if (!User.find(req.body.author)) return res.status(422).end('no such author');
  res.json(Post.create(req.body));
});
app.get('/users/:id', (req, res) => res.json(User.find(+req.params.id)));
app.get('/users/:id/posts', (req, res) => res.json(User.find(+req.params.id)?.posts ?? []));
app.delete('/users/:id', (req, res) => res.json(User.find(+req.params.id)?.remove() ?? false));
app.listen(process.env.PORT || 3000);

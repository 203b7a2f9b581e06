// Carts of instances, with private fields and getters.
//> POST /carts/{a|b|c}/items {"sku":"{tea|jam|bun}","price":{1-9},"n":{1-3}}
//> POST /carts/{a|b|c}/items {"sku":"{tea|jam|bun}","price":{1-9},"n":{1-3}}
//> DELETE /carts/{a|b|c}/items/{tea|jam}
//> GET /carts/{a|b|c}
//> POST /carts/{a|b|c}/checkout
const express = require('express');

class Item {
  constructor({ sku, price }) {
    this.sku = sku;
    this.price = price;
    this.n = 0;
  }
  get total() {
    return this.n * this.price;
  }
}

class Cart {
  #items = new Map();
  #closed = false;
  static count = 0;
  constructor(owner) {
    this.owner = owner;
    this.id = ++Cart.count;
  }
  add(sku, price, n) {
    if (this.#closed) throw new RangeError('the cart is closed');
    let item = this.#items.get(sku);
    if (!item) this.#items.set(sku, (item = new Item({ sku, price })));
    item.n += n;
    return item;
  }
  remove(sku) {
    return this.#items.delete(sku);
  }
  get total() {
    let sum = 0;
    for (const item of this.#items.values()) sum += item.total;
    return sum;
  }
  close() {
    this.#closed = true;
    return this;
  }
  toJSON() {
    return { id: this.id, owner: this.owner, items: [...this.#items.values()], total: this.total, closed: this.#closed };
  }
}

const carts = new Map();
const app = express();
app.use(express.json());
app.param('cart', (req, res, next, name) => {
  req.cart = carts.get(name);
  if (!req.cart) carts.set(name, (req.cart = new Cart(name)));
  next();
});
app.post('/carts/:cart/items', (req, res) => {
  const { sku, price, n } = req.body;
  res.status(201).json(req.cart.add(sku, price, n));
});
app.delete('/carts/:cart/items/:sku', (req, res) => res.json(req.cart.remove(req.params.sku)));
app.get('/carts/:cart', (req, res) => res.json(req.cart));
app.post('/carts/:cart/checkout', (req, res) => {
  carts.delete(req.params.cart);
  res.json(req.cart.close());
});
app.use((err, req, res, next) => res.status(400).json({ error: err.message, kind: err.name }));
app.listen(process.env.PORT || 3000);

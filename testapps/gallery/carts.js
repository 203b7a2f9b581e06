'use strict';

// Shopping carts: instances of classes in shared state, with private fields,
// accessors, inheritance, and a constructor function of the old kind.

const express = require('express');

const soon = () => new Promise((resolve) => setImmediate(resolve));

class Item {
  #cents;
  constructor(sku, cents) {
    this.sku = sku;
    this.#cents = cents;
    this.count = 1;
  }
  get price() {
    return (this.#cents * this.count) / 100;
  }
  discount(percent) {
    this.#cents = Math.round((this.#cents * (100 - percent)) / 100);
  }
  toJSON() {
    return { sku: this.sku, count: this.count, price: this.price };
  }
}

class Gift extends Item {
  note = '';
  get price() {
    return 0;
  }
  toJSON() {
    return { ...super.toJSON(), note: this.note };
  }
}

class Cart {
  #coupons = new Set();
  items = [];
  constructor(owner) {
    this.owner = owner;
  }
  get total() {
    return this.items.reduce((sum, item) => sum + item.price, 0);
  }
  set note(text) {
    for (const item of this.items) if (item instanceof Gift) item.note = text;
  }
  find(sku) {
    return this.items.find((item) => item.sku === sku);
  }
  add(sku, cents) {
    const known = this.find(sku);
    if (known) known.count++;
    else this.items.push(cents === 0 ? new Gift(sku, 0) : new Item(sku, cents));
    this.changed = (this.changed ?? 0) + 1;
    return this;
  }
  redeem(code) {
    if (this.#coupons.has(code)) return false;
    this.#coupons.add(code);
    for (const item of this.items) item.discount(10);
    return true;
  }
  static merge(a, b) {
    for (const item of b.items) if (!a.find(item.sku)) a.items.push(item);
    return a;
  }
}

// As they were written before there were classes.
function Receipt(number, cart) {
  this.number = number;
  this.owner = cart.owner;
  this.total = cart.total;
}
Receipt.prototype.text = function () {
  return `${this.number}: ${this.owner} paid ${this.total.toFixed(2)}`;
};

class OutOfStock extends Error {
  constructor(sku) {
    super(`no ${sku} left`);
    this.name = 'OutOfStock';
    this.sku = sku;
  }
}

const carts = new Map();
const receipts = [];
const stock = { apple: 30, pear: 20, plum: 10 };
let lastProblem = null;

const app = express();
app.use(express.json());

function cartOf(owner) {
  let cart = carts.get(owner);
  if (cart === undefined) carts.set(owner, (cart = new Cart(owner)));
  return cart;
}

app.post('/carts/:owner/items', async (req, res) => {
  const { sku, cents } = req.body;
  const cart = cartOf(req.params.owner);
  await soon();
  if (stock[sku] === 0) {
    lastProblem = new OutOfStock(sku);
    return res.status(409).json({ error: lastProblem.message });
  }
  if (sku in stock) stock[sku]--;
  cart.add(sku, cents);
  res.json({ cart, total: cart.total });
});

app.post('/carts/:owner/coupon', (req, res) => {
  const cart = carts.get(req.params.owner);
  res.json({ known: cart instanceof Cart, redeemed: cart?.redeem(req.body.code), total: cart?.total });
});

app.put('/carts/:owner/note', (req, res) => {
  const cart = cartOf(req.params.owner);
  cart.note = req.body.note;
  res.json(cart);
});

app.post('/carts/:owner/merge/:other', (req, res) => {
  const other = carts.get(req.params.other);
  if (other === undefined) return res.sendStatus(404);
  const cart = cartOf(req.params.owner);
  if (cart !== other) {
    Cart.merge(cart, other);
    carts.delete(req.params.other);
  }
  res.json({ items: cart.items.length, keys: Object.keys(cart) });
});

app.post('/carts/:owner/checkout', async (req, res) => {
  const cart = carts.get(req.params.owner);
  if (cart === undefined) return res.sendStatus(404);
  await soon();
  const receipt = new Receipt(receipts.length + 1, cart);
  receipts.push(receipt);
  carts.delete(req.params.owner);
  res.send(receipt.text());
});

app.get('/carts/:owner', (req, res) => {
  const cart = carts.get(req.params.owner);
  res.json(cart ? { ...cart, total: cart.total, kinds: cart.items.map((item) => item.constructor.name) } : null);
});

app.get('/receipts/:n', (req, res) => {
  const receipt = receipts[req.params.n - 1];
  res.json(receipt ? { text: receipt.text(), whole: receipt, is: receipt instanceof Receipt } : null);
});

app.get('/problem', (req, res) => {
  if (lastProblem === null) return res.json(null);
  res.json({ is: lastProblem instanceof OutOfStock && lastProblem instanceof Error, text: String(lastProblem), sku: lastProblem.sku, whole: lastProblem });
});

app.listen(process.env.PORT || 3000);

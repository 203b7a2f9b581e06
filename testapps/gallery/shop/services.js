'use strict';
const { Repository, ProductRepository } = require('./repositories');

class CatalogService {
  constructor(repository) {
    this.repository = repository;
    this.seen = {};
  }

  find(id) {
    this.seen[id] = (this.seen[id] || 0) + 1;
    return this.repository.get(id);
  }

  list() {
    return this.repository.all().map(({ id, price }) => ({ id, price, seen: this.seen[id] || 0 }));
  }

  // Loses updates if others reprice meanwhile.
  reprice(id, price) {
    const product = this.find(id);
    if (!product) return { error: 'no such product' };
    const before = product.price;
    this.repository.save({ ...product, price });
    return { id, before, after: this.repository.get(id).price, writes: this.repository.writes };
  }
}

class CartService {
  #opened = 0;
  open = [];

  constructor(catalog) {
    this.catalog = catalog;
    this.carts = new Repository([]);
  }

  create(owner) {
    this.#opened += 1;
    const cart = { id: 'c' + this.#opened, owner, lines: [], total: 0 };
    this.open.push(cart.id);
    return this.carts.save(cart);
  }

  async add(id, productId, count) {
    const cart = this.carts.get(id);
    const product = this.catalog.find(productId);
    if (!cart || !product) return null;
    const { stock } = product;
    if (stock < count) return { ...cart, refused: stock };
    await new Promise((resolve) => setImmediate(resolve));
    product.stock = stock - count;
    cart.lines.push({ productId, count });
    cart.total += count * product.price;
    return cart;
  }

  close(id) {
    const at = this.open.indexOf(id);
    if (at < 0) return null;
    this.open.splice(at, 1);
    return { id, left: this.open.length, lookups: ProductRepository.lookups };
  }
}

module.exports = { CatalogService, CartService };

'use strict';
const { Router } = require('express');

module.exports = class CartController {
  requests = 0;

  constructor({ carts, catalog }) {
    this.carts = carts;
    this.catalog = catalog;
    this.create = this.create.bind(this);
  }

  routes() {
    const router = Router();
    router.post('/', this.create);
    router.post('/:id/lines', (req, res, next) => this.add(req, res).catch(next));
    router.delete('/:id', (req, res) => res.json(this.carts.close(req.params.id)));
    return router;
  }

  create(req, res) {
    this.requests++;
    res.status(201).json({ ...this.carts.create(String(req.body.owner)), requests: this.requests });
  }

  async add(req, res) {
    this.requests++;
    const cart = await this.carts.add(req.params.id, req.body.product, req.body.count);
    if (cart === null) return res.status(404).json({ requests: this.requests });
    res.json(cart);
  }
};

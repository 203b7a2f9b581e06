'use strict';

// Controllers, services and repositories as classes: what requests share are the
// fields of instances that load time makes.

const express = require('express');
const { ProductRepository } = require('./repositories');
const { CatalogService, CartService } = require('./services');
const CartController = require('./controller');
const metrics = require('./metrics');

const products = new ProductRepository([
  { id: 'p1', name: 'Pen', stock: 30, price: 3 },
  { id: 'p2', name: 'Ink', stock: 8, price: 11 },
  { id: 'p3', name: 'Pad', stock: 100, price: 5 },
]);
const catalog = new CatalogService(products);
const carts = new CartService(catalog);
const controller = new CartController({ carts, catalog });

const app = express();
app.use(express.json());
app.use((req, res, next) => {
  metrics.hit(req.method);
  next();
});
app.use('/carts', controller.routes());
app.get('/products', (req, res) => res.json(catalog.list()));
app.get('/products/:id', (req, res) => res.json(catalog.find(req.params.id) ?? null));
app.put('/products/:id/price', (req, res) => res.json(catalog.reprice(req.params.id, req.body.price)));
app.get('/metrics', (req, res) => res.json(metrics.report()));
app.listen(process.env.PORT || 3000, () => console.log('the shop is open'));

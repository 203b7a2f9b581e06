// Orders that are in one of several states, each a class.
//> POST /orders
//> POST /orders
//> POST /orders/{1-9}/{pay|ship|cancel}
//> POST /orders/{1-9}/{pay|ship|cancel}
//> GET /orders/{1-9}
const express = require('express');

class State {
  constructor(order) {
    this.order = order;
    this.entered = State.clock++;
  }
  static clock = 0;
  pay() {
    throw new Error(`cannot pay when ${this.name}`);
  }
  ship() {
    throw new Error(`cannot ship when ${this.name}`);
  }
  cancel() {
    this.order.become(Cancelled);
  }
  get name() {
    return this.constructor.name.toLowerCase();
  }
}
class Fresh extends State {
  pay() {
    this.order.become(Paid);
  }
}
class Paid extends State {
  ship() {
    this.order.become(Shipped);
  }
}
class Shipped extends State {
  cancel() {
    throw new Error('too late');
  }
}
class Cancelled extends State {
  cancel() {}
}
class Order {
  trail = [];
  constructor(id) {
    this.id = id;
    this.become(Fresh);
  }
  become(S) {
    this.state = new S(this);
    this.trail.push(this.state.name);
  }
}

const orders = [];
const app = express();
app.post('/orders', (req, res) => {
  orders.push(new Order(orders.length + 1));
  res.json({ id: orders.length });
});
app.all('/orders/:id/:verb?', (req, res) => {
  const o = orders[req.params.id - 1];
  if (!o) return res.sendStatus(404);
  try {
    if (req.params.verb) o.state[req.params.verb]();
    res.json({ id: o.id, state: o.state.name, entered: o.state.entered, trail: o.trail });
  } catch (e) {
    res.status(409).json({ error: e.message });
  }
});
app.listen(process.env.PORT || 3000);

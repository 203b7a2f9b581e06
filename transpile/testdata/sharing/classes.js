const express = require('express');

class Repo {
  #rows = new Map(); // want "this.#rows of Repo changed"
  #next = 1;
  columns = ['id', 'name'];
  constructor(name) {
    this.name = name;
    this.created = 0;
  }
  insert(row) {
    const id = this.#next++;
    this.#rows.set(id, row);
    return id;
  }
  get(id) {
    return this.#rows.get(id);
  }
}

class Ticket { // want "Ticket.#next changed"
  static #next;
  static {
    this.#next = 1;
  }
  constructor() {
    this.number = Ticket.#next++;
  }
}

class Service { // want "Service.calls changed"
  static calls = 0;
  static cache = new Map(); // want "Service.cache changed"
  hits = 0;
  history = []; // want "this.history of Service changed"
  constructor(repo, audit) {
    this.repo = repo;
    this.audit = audit;
  }
  find(id) {
    Service.calls++;
    this.hits++;
    this.history.push(id);
    this.audit.last = id;
    if (!Service.cache.has(id)) Service.cache.set(id, this.repo.get(id));
    return Service.cache.get(id);
  }
  add(row) {
    row.ticket = new Ticket().number;
    return this.repo.insert(row);
  }
}

class Money {
  constructor(cents) {
    this.cents = cents;
  }
  plus(m) {
    return new Money(this.cents + m.cents);
  }
}

const audit = { last: null }; // want "audit changed"
const zero = new Money(0);
const service = new Service(new Repo('users'), audit); // want "service changed" "new Repo changed"

function Legacy() {
  this.list = []; // want "this.list changed"
  this.total = 0;
}
Legacy.prototype.push = function (x) {
  this.list.push(x);
  this.total += x;
};
const legacy = new Legacy(); // want "legacy changed"

const app = express();
app.get('/:id', (req, res) => {
  legacy.push(1);
  res.json(service.find(service.add(zero.plus(new Money(2)))));
});
app.listen(3000);

'use strict';
// Services that a container makes when they are first asked for. Its `get` is no other get's.
const http = require('http');

class Container {
  #factories = new Map();
  #made = Object.create(null); // want "this.#made of Container changed"

  register(name, factory) {
    this.#factories.set(name, factory);
  }

  get(name) {
    if (!(name in this.#made)) this.#made[name] = this.#factories.get(name)(this);
    return this.#made[name];
  }
}

class Limiter {
  #buckets = new Map();

  take(key) {
    const bucket = this.#buckets.get(key) ?? { tokens: 5 };
    this.#buckets.set(key, bucket);
    bucket.tokens -= 1;
    return bucket.tokens > 0;
  }
}

class Log {
  #entries = [];

  push(what, o) {
    this.#entries.push(what + o.id);
  }
}

class Orders {
  orders = new Map();

  constructor(log) {
    this.log = log;
  }

  pay(id) {
    const o = this.orders.get(id);
    o.status = 2;
    o.history.push({ to: o.status });
    this.log.push('paid', o);
    return o;
  }
}

const container = new Container();
container.register('log', () => new Log());
container.register('limiter', () => new Limiter());
container.register('orders', (c) => new Orders(c.get('log')));

const routes = [[/^\/pay\/(\d+)$/, (ctx, [, id]) => (ctx.body = container.get('orders').pay(id))]];
http.createServer((req, res) => {
  if (!container.get('limiter').take(req.get('x-client') || 'nobody')) return res.end('slower');
  for (const [re, handle] of routes) {
    const m = re.exec(req.path);
    if (m) handle(req, m);
  }
});

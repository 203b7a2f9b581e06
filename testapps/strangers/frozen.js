// Orders that nobody may change once they are paid, and things whose properties are constant.
//> PUT /{a|b} {"n":{1-9}}
//> POST /{a|b}/pay
//> POST /{a|b}/constant
//> GET /{a|b}
const http = require('http');
const orders = new Map();

function change(order, n) {
  order.n = n;
  order.changes++;
  order.lines.push(n);
  order.note = 'changed';
}

http
  .createServer((req, res) => {
    const [, id, what] = req.url.split('/');
    const order = orders.get(id) ?? { n: 0, changes: 0, lines: [], of: { name: id } };
    orders.set(id, order);
    if (what === 'pay') Object.freeze(order);
    if (what === 'constant') {
      orders.set(id, { n: 1, changes: 0, lines: [], of: { name: id } });
      Object.defineProperty(orders.get(id), 'n', { writable: false });
      Object.defineProperty(orders.get(id), 'changes', { enumerable: false });
    }
    let body = '';
    req.on('data', (chunk) => (body += chunk));
    req.on('end', () => {
      if (body !== '') change(order, JSON.parse(body).n);
      order.of.name += '.';
      if (order.of.name.length > 8) orders.delete(id);
      res.end(JSON.stringify([order, order.changes, Object.isFrozen(order), Object.getOwnPropertyDescriptor(order, 'n')]));
    });
  })
  .listen(process.env.PORT || 3000);

// Classes with symbols that the language asks for, and statics that are inherited.
//> POST /{stack|list|money}/{1-9}
//> POST /{stack|list|money}/{1-9}
//> DELETE /stack
//> GET /
const http = require('http');

class Base {
  static made = 0;
  static create(...args) {
    this.made++;
    return new this(...args);
  }
}
class Stack extends Base {
  #items = [];
  push(x) {
    this.#items.push(x);
    return this;
  }
  pop() {
    return this.#items.pop();
  }
  get [Symbol.toStringTag]() {
    return `Stack of ${this.#items.length}`;
  }
  *[Symbol.iterator]() {
    for (let i = this.#items.length - 1; i >= 0; i--) yield this.#items[i];
  }
  static [Symbol.hasInstance](x) {
    return typeof x === 'object' && x !== null && #items in x;
  }
}
class Money extends Base {
  constructor(cents) {
    super();
    this.cents = cents;
  }
  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? `$${this.cents / 100}` : this.cents;
  }
}
const stack = Stack.create();
let money = Money.create(0);
const list = { length: 0, [Symbol.isConcatSpreadable]: true };

http.createServer((req, res) => {
  const [, what, x] = req.url.split('/');
  if (what === 'stack') req.method === 'DELETE' ? stack.pop() : stack.push(x);
  if (what === 'list') Array.prototype.push.call(list, x);
  if (what === 'money') money = Money.create(money + Number(x));
  res.end(`${Object.prototype.toString.call(stack)} ${[...stack].slice(0, 3)} ${stack instanceof Stack} ${money} ${money * 2} ${[].concat(list).length} ${Base.made} ${Money.made} ${Object.hasOwn(Money, 'made')}`);
}).listen(process.env.PORT || 3000);

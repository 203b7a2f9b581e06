// Modules that are nothing but closures.
//> POST /{red|blue}/inc
//> POST /{red|blue}/inc
//> POST /{red|blue}/reset
//> GET /{red|blue}
//> GET /history
const http = require('http');

const createCounter = (name, notify) => {
  let value = 0;
  let listeners = [];
  return {
    inc: (by = 1) => {
      value += by;
      listeners.forEach((l) => l(value));
      notify(`${name}=${value}`);
      return value;
    },
    reset: () => ((value = 0), (listeners = [])),
    watch: (f) => void listeners.push(f),
    value: () => value,
  };
};

const history = (() => {
  const items = [];
  return { add: (x) => items.push(x) > 20 && items.shift(), all: () => items.slice() };
})();

const counters = ['red', 'blue'].reduce((all, name) => ({ ...all, [name]: createCounter(name, history.add) }), {});
let highest = 0;
counters.red.watch((v) => (highest = Math.max(highest, v)));

http.createServer((req, res) => {
  const [, name, verb] = req.url.split('/');
  if (name === 'history') return res.end(history.all().join(' '));
  const c = counters[name];
  if (verb === 'inc') c.inc();
  else if (verb === 'reset') c.reset();
  res.end(`${c.value()} ${highest}`);
}).listen(process.env.PORT || 3000);

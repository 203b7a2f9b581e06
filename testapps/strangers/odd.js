// Odd values and odd keys.
//> PUT /v/{nan|zero|minus|undef|null|big|inf|long|uni|date|re}
//> PUT /v/{nan|zero|minus|undef|null|big|inf|long|uni|date|re}
//> PUT /k/{nan|zero|minus|undef|null|big|inf|obj|bool|date}
//> DELETE /k/{nan|zero|minus|undef|null|big|obj}
//> GET /
const http = require('http');
const { inspect } = require('util');
const key = { an: 'object' };
const values = {
  nan: NaN, zero: 0, minus: -0, undef: undefined, null: null, big: 2n ** 70n, inf: -Infinity, obj: key, bool: true,
  long: 'x'.repeat(2000), uni: 'é日🌍\ud800', get date() { return new Date(86400000); }, re: /a+/gi,
};
const slots = { first: 1 };
const map = new Map();
const set = new Set();
let n = 0;

http.createServer((req, res) => {
  const [, what, name] = req.url.split('/');
  if (what === 'v') {
    slots[name] = values[name];
    slots.last = values[name];
  }
  if (what === 'k' && req.method === 'PUT') {
    map.set(values[name], ++n);
    set.add(values[name]);
  }
  if (what === 'k' && req.method === 'DELETE') {
    map.delete(values[name]);
    set.delete(values[name]);
  }
  const size = typeof slots.last === 'string' ? slots.last.length : 0;
  res.end(`${inspect({ ...slots, long: 0, last: size || slots.last })} ${map.size} ${set.size} ${[map.get(NaN), map.get(0), map.get(key), map.get(undefined)]} ${Object.is(slots.last, -0)}`);
}).listen(process.env.PORT || 3000);

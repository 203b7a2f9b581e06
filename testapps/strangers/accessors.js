// Getters, setters and hidden properties.
//> PUT /celsius/{-9-40}
//> PUT /fahrenheit/{10-99}
//> PUT /limit/{1-50}
//> GET /
const express = require('express');

const thermostat = {
  _c: 20,
  changes: 0,
  get celsius() {
    return this._c;
  },
  set celsius(v) {
    if (v > this.limit) throw new RangeError(`above ${this.limit}`);
    this._c = v;
    this.changes++;
  },
  get fahrenheit() {
    return this._c * 1.8 + 32;
  },
  set fahrenheit(v) {
    this.celsius = (v - 32) / 1.8;
  },
};
Object.defineProperty(thermostat, 'limit', { value: 30, writable: true, enumerable: false });
let peak = -Infinity;
Object.defineProperty(thermostat, 'peak', { get: () => peak, set: (v) => (peak = Math.max(peak, v)), enumerable: true });

const app = express();
app.put('/:field/:value', (req, res) => {
  try {
    thermostat[req.params.field] = Number(req.params.value);
    thermostat.peak = thermostat.celsius;
    res.json(thermostat);
  } catch (e) {
    res.status(422).send(e.message);
  }
});
app.get('/', (req, res) => res.json({ ...thermostat, limit: thermostat.limit }));
app.listen(process.env.PORT || 3000);

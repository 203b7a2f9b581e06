'use strict';

//karousos:loggable
const items = new Map([
  ['i1', { id: 'i1', name: 'Lamp', price: 30, tags: ['home'], stock: { count: 5, reserved: 0 } }],
  ['i2', { id: 'i2', name: 'Desk', price: 120, tags: ['home', 'office'], stock: { count: 2, reserved: 0 } }],
]);

module.exports = items;

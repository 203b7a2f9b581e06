const { EventEmitter } = require('events');

const e = new EventEmitter();
exports.next = () => e.on('x', () => {}).listenerCount('x');

exports.users = []; // want "exports.users changed"
exports.names = {}; // want "exports.names changed"
exports.limits = { max: 3 };
exports.counter = 0; // want "exports.counter changed"
module.exports.add = (x) => {
  if (exports.users.length > exports.limits.max) exports.users.shift();
  exports.users.push(x);
};

// Loaded when a request asks for it.
module.exports = { cm: 1, m: 100 };

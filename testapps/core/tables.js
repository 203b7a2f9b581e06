'use strict';
const { STATUS_CODES } = require('http');

module.exports = {
  // A table of the platform's that requests change.
  statusCodes: (s, req, res) => {
    const before = STATUS_CODES[299];
    STATUS_CODES[299] = 'Odd ' + s.length;
    res.statusCode = 299;
    return [typeof before, STATUS_CODES[200], s];
  },
};

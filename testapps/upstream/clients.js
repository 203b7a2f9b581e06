'use strict';

// With well-known packages, as they are.
require('./app')(require('./packages'));

'use strict';
require('./node_modules/pino/test/basic.test');

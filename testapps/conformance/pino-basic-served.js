'use strict';
require('./served').serve(() => require('./pino-basic'));

'use strict';
require('./served').serve(() => require('./strings'));

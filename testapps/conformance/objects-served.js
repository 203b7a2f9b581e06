'use strict';
require('./served').serve(() => require('./objects'));

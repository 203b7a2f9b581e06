'use strict';
require('./served').serve(() => require('./qs'));

'use strict';
require('./served').serve(() => require('./types'));

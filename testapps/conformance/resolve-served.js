'use strict';
require('./served').serve(() => require('./resolve'));

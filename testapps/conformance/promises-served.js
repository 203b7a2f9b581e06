'use strict';
require('./served').serve(() => require('./promises'));

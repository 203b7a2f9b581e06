'use strict';
require('./served').serve(() => require('./data'));

'use strict';
require('./served').serve(() => require('./iterators'));

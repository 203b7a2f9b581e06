'use strict';
require('./served').serve(() => require('./streams'));

'use strict';
require('./served').serve(() => require('./arrays'));

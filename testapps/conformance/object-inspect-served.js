'use strict';
require('./served').serve(() => require('./object-inspect'));

'use strict';

// By processes that it starts.
require('./app')(require('./processes'));

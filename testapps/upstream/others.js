'use strict';

// With packages that build more on top.
require('./app')(require('./more'));

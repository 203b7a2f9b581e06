'use strict';

require('./app')(require('./plain'));

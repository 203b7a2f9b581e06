'use strict';
require('./node_modules/split2/test');
require('./node_modules/@ljharb/through/test/auto-destroy');
require('./node_modules/@ljharb/through/test/buffering');
require('./node_modules/@ljharb/through/test/end');
require('./node_modules/@ljharb/resumer/test/resume');
require('./node_modules/@ljharb/resumer/test/through');

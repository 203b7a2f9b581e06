'use strict';
require('qs/test/parse');
require('qs/test/stringify');
require('qs/test/utils');

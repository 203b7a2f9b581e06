'use strict';
require('./served').serve(() => require('./find-my-way'));

'use strict';
const express = require('express5');
require('./app')(express).listen(process.env.PORT || 3000);

'use strict';
const express = require('express4');
require('./app')(express).listen(process.env.PORT || 3000);

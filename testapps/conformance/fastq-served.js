'use strict';
require('./served').serve(() => require('./fastq'));

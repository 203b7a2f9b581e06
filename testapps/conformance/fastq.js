'use strict';
require('fastq/test/test');
require('fastq/test/promise');

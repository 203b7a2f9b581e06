'use strict';
require('./served').serve(() => require('./functions'));

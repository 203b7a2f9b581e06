'use strict';
require('./node_modules/resolve/test/faulty_basedir');
require('./node_modules/resolve/test/mock');
require('./node_modules/resolve/test/mock_sync');
require('./node_modules/resolve/test/node-modules-paths');
require('./node_modules/resolve/test/nonstring');

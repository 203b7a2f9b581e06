'use strict';

// By connections of its own, with a server that answers each line with that line in capitals.
require('./app')(require('./sockets'));

'use strict';

// State of modules that only a request loads.

const http = require('http');

const corners = {};

// corner closure
corners.closure = () => require('./lazies/closure').next();

// corner date
corners.date = () => require('./lazies/date').next();

// corner pattern
corners.pattern = () => require('./lazies/pattern').next();

// corner generator
corners.generator = () => require('./lazies/generator').next();

// corner statics
corners.statics = () => require('./lazies/statics').next();

// corner emitter
corners.emitter = () => require('./lazies/emitter').next();

// corner bound
corners.bound = () => require('./lazies/bound').next();

// corner list
corners.list = () => require('./lazies/list').list.push({});

http.createServer((req, res) => res.end(`the ${corners[req.url.slice(1)]()}. time`)).listen(process.env.PORT || 3000);

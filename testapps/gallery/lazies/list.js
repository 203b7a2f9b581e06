exports.list = [];

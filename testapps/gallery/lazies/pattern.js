const r = /./g;
exports.next = () => (r.exec('abcdef'), r.lastIndex);

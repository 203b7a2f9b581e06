const d = new Date(0);
exports.next = () => d.setTime(d.getTime() + 1);

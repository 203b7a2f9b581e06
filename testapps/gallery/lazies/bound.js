exports.next = [].push.bind([], 1);

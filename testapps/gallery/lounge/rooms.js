'use strict';

function createRoom(name) {
  const messages = [];
  let polls = 0;
  return {
    name,
    say(who, text) {
      messages.push({ who, text, n: messages.length + 1 });
      if (messages.length > 20) messages.shift();
      return messages.length;
    },
    since(n) {
      polls++;
      return messages.filter((m) => m.n > n);
    },
    polled: () => polls,
  };
}

exports.rooms = {};
for (const name of ['hall', 'bar', 'garden']) exports.rooms[name] = createRoom(name);

module.exports.enter = (name) => exports.rooms[name] || exports.rooms.hall;

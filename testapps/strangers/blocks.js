// Variables of blocks, loops and default arguments that functions keep.
//> POST /{red|green|blue}
//> POST /{red|green|blue}
//> GET /block
//> GET /block
//> GET /default
//> GET /static
const http = require('http');
const handlers = {};

for (const [i, color] of ['red', 'green', 'blue'].entries()) {
  let n = i * 100;
  handlers['/' + color] = () => `${color} ${++n}`;
}
{
  let calls = 0;
  const log = [];
  handlers['/block'] = () => {
    calls += 1;
    if (log.push(calls) > 3) log.shift();
    return `${calls}: ${log}`;
  };
}
handlers['/default'] = function next(start = (() => 7)(), state = (next.state ??= { n: start })) {
  return String(state.n++);
};
class Stat {
  static count;
  static {
    let total = 10;
    Stat.bump = () => `${++total} ${(Stat.count = (Stat.count ?? 0) + 1)}`;
  }
}
switch (typeof handlers) {
  case 'object':
    let used = 0;
    handlers['/static'] = () => `${Stat.bump()} ${++used}`;
}

http.createServer((req, res) => res.end(handlers[req.url]())).listen(process.env.PORT || 3000);

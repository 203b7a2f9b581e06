// Tells in which order the callbacks of writes come among ticks, promises and timers.
const http = require('http');
const cases = {
  one: (q, s, l) => { s.write('a', l('w1')); process.nextTick(l('t')); },
  before: (q, s, l) => { process.nextTick(l('t0')); s.write('a', l('w1')); process.nextTick(l('t1')); },
  two: (q, s, l) => { s.write('a', l('w1')); process.nextTick(l('t')); s.write('b', l('w2')); process.nextTick(l('u')); },
  nested: (q, s, l) => { s.write('a', () => { l('w1')(); process.nextTick(l('x')); s.write('b', l('w2')); process.nextTick(l('y')); Promise.resolve().then(l('p')); }); process.nextTick(() => { l('t')(); process.nextTick(() => { l('tt')(); process.nextTick(l('ttt')); }); }); },
  inTick: (q, s, l) => { process.nextTick(() => { s.write('a', l('w1')); process.nextTick(l('t')); Promise.resolve().then(l('p')); }); },
  promise: (q, s, l) => { Promise.resolve().then(() => { l('p')(); s.write('a', l('w')); Promise.resolve().then(l('p2')); process.nextTick(l('t')); }); },
  end: (q, s, l, fin) => { s.on('finish', l('fin')); s.on('close', l('close')); s.write('a', l('w')); process.nextTick(l('t')); s.end('b', l('e')); process.nextTick(l('u')); setTimeout(fin, 10); },
  endonly: (q, s, l, fin) => { s.on('finish', l('fin')); s.on('close', l('close')); process.nextTick(l('t')); s.end('b', l('e')); process.nextTick(l('u')); Promise.resolve().then(l('p')); setTimeout(fin, 10); },
  length: (q, s, l) => { s.setHeader('Content-Length', 10); s.write('a', l('w1')); process.nextTick(l('t')); s.write('b', l('w2')); },
  flush: (q, s, l) => { s.flushHeaders(); s.write('a', l('w1')); process.nextTick(l('t')); },
  empty: (q, s, l) => { s.write('', l('w1')); process.nextTick(l('t')); },
  head: (q, s, l) => { s.write('x', l('w1')); process.nextTick(l('t')); process.nextTick(l('u')); },
  timer: (q, s, l) => { setTimeout(() => { s.write('x', l('w1')); process.nextTick(l('t')); process.nextTick(l('u')); Promise.resolve().then(l('p')); setImmediate(l('i')); }, 2); },
  second: (q, s, l) => { s.write('1', l('w1')); setTimeout(() => { s.write('x', l('w2')); process.nextTick(l('t')); process.nextTick(l('u')); Promise.resolve().then(l('p')); setImmediate(l('i')); }, 2); },
  corked: (q, s, l) => { s.cork(); s.write('x', l('w1')); s.write('y', l('w2')); process.nextTick(() => { l('t')(); s.uncork(); l('un')(); process.nextTick(l('v')); }); },
};
// How a body comes is the network's affair.
cases.body = (q, s, l) => {
  q.on('data', l('data')).on('end', l('end'));
  process.nextTick(l('t'));
  Promise.resolve().then(l('p'));
  setImmediate(l('i'));
};

let last = {};
http.createServer((q, s) => {
  const n = q.url.slice(1);
  if (n === 'get') return void setTimeout(() => s.end(JSON.stringify(last)), 30);
  const o = []; const l = (x) => () => { o.push(x); };
  cases[n](q, s, l, () => { last = { [n]: o.join() }; });
  if (n === 'length') setTimeout(() => s.end(o.join().padEnd(8).slice(0, 8)), 15); else if (!n.startsWith('end')) setTimeout(() => { s.end('\n' + n + ' ' + o.join()); }, 15);
}).listen(process.env.PORT);

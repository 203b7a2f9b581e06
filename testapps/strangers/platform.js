// State in objects of the platform: parameters, hashes, buffers, emitters, the environment.
//> POST /param/{a|b}/{1-9}
//> POST /param/{a|b}/{1-9}
//> POST /hash/{x|y}
//> POST /env/{p|q}
//> POST /listen
//> POST /fire
//> GET /
const http = require('http');
const crypto = require('crypto');
const { EventEmitter } = require('events');

const params = new URLSearchParams('v=1');
const url = new URL('http://h/p?n=0');
const hash = crypto.createHash('sha1');
const bus = new EventEmitter();
let heard = 0;

http.createServer((req, res) => {
  const [, what, k, v] = req.url.split('/');
  switch (what) {
    case 'param':
      params.append(k, v);
      url.searchParams.set('n', params.size);
      if (params.size > 6) params.delete(k);
      break;
    case 'hash':
      hash.update(k);
      return res.end(hash.copy().digest('hex'));
    case 'env':
      process.env.STRANGER = (process.env.STRANGER || '') + k;
      if (process.env.STRANGER.length > 4) delete process.env.STRANGER;
      break;
    case 'listen':
      bus.once('fire', () => heard++);
      break;
    case 'fire':
      bus.emit('fire');
  }
  res.end(`${params} ${url.href} ${process.env.STRANGER} ${heard} ${bus.listenerCount('fire')}`);
}).listen(process.env.PORT || 3000);

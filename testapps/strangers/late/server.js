// A module that is loaded when it is first asked for, and data that is loaded with require.
//> GET /heavy/{1-5}
//> GET /heavy/{1-5}
//> PUT /data/{a|b}/{1-9}
//> GET /data
const http = require('http');
const data = require('./data.json');

http.createServer((req, res) => {
  const [, what, k, v] = req.url.split('/');
  if (what === 'heavy') {
    const { work, stats } = require('./heavy');
    return res.end(`${work(Number(k))} ${stats.calls}`);
  }
  if (req.method === 'PUT') {
    data.values[k] = Number(v);
    data.changes++;
  }
  res.end(JSON.stringify(data));
}).listen(process.env.PORT || 3000);

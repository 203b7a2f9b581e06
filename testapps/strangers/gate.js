// A gate that opens once, with a promise for those who wait; and what is loaded once, when first asked for.
//> GET /pass
//> GET /pass
//> POST /open
//> GET /config
const http = require('http');
let open;
let opened = 0;
const gate = new Promise((resolve) => (open = resolve));
let config = null;
const load = () => new Promise((resolve) => setTimeout(() => resolve({ at: ++opened }), 1));

http.createServer(async (req, res) => {
  switch (req.url) {
    case '/open':
      open(`opened by ${req.headers.host ? 'someone' : 'nobody'}`);
      return res.end(String(++opened));
    case '/config':
      config = config || load();
      return res.end(JSON.stringify(await config));
  }
  const first = await Promise.race([gate, new Promise((r) => setTimeout(r, 3, 'closed'))]);
  res.end(first);
}).listen(process.env.PORT || 3000);

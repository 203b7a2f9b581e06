// A tree of folders, with links to the parents.
//> PUT /{a|b}/{c|d}/{e|f}?size={1-9}
//> PUT /{a|b}/{c|d}?size={1-9}
//> DELETE /{a|b}/{c|d}
//> GET /
//> GET /{a|b}
const http = require('http');

const node = (name, parent) => ({ name, parent, size: 0, children: [] });
const root = node('', null);

function find(path, make) {
  let n = root;
  for (const part of path.split('/').filter(Boolean)) {
    let c = n.children.find((x) => x.name === part);
    if (!c) {
      if (!make) return null;
      n.children.push((c = node(part, n)));
    }
    n = c;
  }
  return n;
}

function resize(n, by) {
  for (; n; n = n.parent) n.size += by;
}

const show = (n) => ({ name: n.name, size: n.size, children: n.children.map(show) });
const depth = (n) => (n.parent ? 1 + depth(n.parent) : 0);

http.createServer((req, res) => {
  const [path, query] = req.url.split('?');
  const n = find(path, req.method === 'PUT');
  if (!n) return res.writeHead(404).end();
  if (req.method === 'PUT') resize(n, Number(new URLSearchParams(query).get('size')));
  if (req.method === 'DELETE' && n.parent) {
    n.parent.children = n.parent.children.filter((x) => x !== n);
    resize(n.parent, -n.size);
    n.parent = null;
  }
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ depth: depth(n), ...show(n) }));
}).listen(process.env.PORT || 3000);

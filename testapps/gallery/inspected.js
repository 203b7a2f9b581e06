// Shows values as text, which differ from request to request but not in kind.
const http = require('http'), util = require('util');
http.createServer((q, s) => { const n = Number(q.url.slice(1)); const o = { n, list: [n, 'a' + n], m: new Map([[n, { x: n }]]), d: new Date(n * 1e6), e: n % 2 ? 1 : 2, nested: { a: { b: n } } };
  s.end([util.inspect(o), util.format('%s %j %d', o.list, o, n), util.types.isDate(o.d), util.types.isMap(o), util.types.isRegExp(n), util.isDeepStrictEqual(o, { ...o }), util.types.isBoxedPrimitive(Object(n)), util.types.isTypedArray(Buffer.alloc(1))].join('\n')); }).listen(process.env.PORT);

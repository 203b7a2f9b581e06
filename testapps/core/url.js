'use strict';
const url = require('url');
const util = require('util');

const all = (u) => ({ href: u.href, origin: u.origin, protocol: u.protocol, username: u.username, password: u.password, host: u.host, hostname: u.hostname, port: u.port, pathname: u.pathname, search: u.search, hash: u.hash, list: [...u.searchParams] });
const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return { name: e.name, message: e.message, code: e.code, input: e.input, base: e.base };
  }
};
// Inputs from a generator of our own, so that all runs have the same.
const pieces = ['http', 'https:', 'file:', 'mailto:', 'x-y:', ':', '/', '//', '\\', '?', '#', '@', '.', '..', '%2e', 'a', 'B', 'ä', '🍀', 'xn--4ca', 'xn--zz', '127.1', '0x7f', '[::1]', '[1:2::3.4.5.6]', ':80', ':443', ':99999', ' ', '\t', '%zz', '%c3%a4', 'user', 'pa ss', '=', '&', '+', 'c:', '|', '<', 'straße', '例え', '..%2f', '\u0000', 'ß', '.', 'com'];
const generate = (seed, n) => {
  let x = seed;
  const next = (m) => (x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff) % m;
  return Array.from({ length: n }, () => Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join(''));
};
const seedOf = (s) => [...s].reduce((a, c) => (a * 31 + c.codePointAt(0)) & 0x7fffffff, 7);

module.exports = {
  parts: (s) => all(new URL('https://us%20er:pä@Example.COM:8080/a/../b c/' + encodeURIComponent(s) + '?q=' + s + '&q=2#frag ' + s)),
  relative: (s) => ['x', '../y?z', '//other/p', '?only', '#h', s].map((r) => failure(() => new URL(r, 'http://base.org/a/b/c?q#h').href)),
  invalid: (s) => [failure(() => new URL(s)), failure(() => new URL('/x', s)), failure(() => new URL()), URL.canParse(s), URL.canParse('http://' + encodeURIComponent(s))],
  generated: (s) => generate(seedOf(s), 150).map((u) => failure(() => all(new URL(u)))),
  withbase: (s) => generate(seedOf(s) + 1, 100).map((u) => failure(() => new URL(u, 'http://h.org/p/q?r#s').href)),
  setters: (s) => {
    const names = ['protocol', 'username', 'password', 'host', 'hostname', 'pathname', 'search', 'hash', 'href'];
    return generate(seedOf(s) + 2, 60).map((v, i) => failure(() => {
      const u = new URL(i % 3 === 0 ? 'mailto:a@b' : 'https://u:p@h.org:81/x?y=1#z');
      u[names[i % names.length]] = v;
      return [u.href, u.searchParams.toString()];
    }));
  },
  parsed: (s) => [String(URL.parse(s)), String(URL.parse('/' + s, 'http://base.org')), URL.parse('x', s), failure(() => URL.parse())],
  opaque: (s) => ['data:of ' + s.length + '   ?q#h', 'data:x  #h', 'mailto:a  ?q'].map((u) => {
    const search = new URL(u);
    search.searchParams.delete('q');
    const hash = new URL(u);
    hash.hash = '';
    return [search.href, search.pathname, hash.href, hash.pathname];
  }),
  params: (s) => {
    const own = new URLSearchParams('a=' + s);
    own[Symbol.iterator] = function* () {
      yield ['own', s];
    };
    return [String(new URLSearchParams(own)), String(new URLSearchParams({ ['\ud800']: '1', x: s, ['\udc00']: '2' })), String(new URLSearchParams(new URLSearchParams('b=' + s)))];
  },
  ports: (s) => ['8', '', '443', '99999', '80x', String(s.length)].map((v) => {
    const u = new URL('https://h.org:81/x');
    u.port = v;
    return u.href;
  }),
  notUrls: (s) => {
    const names = ['href', 'origin', 'protocol', 'port', 'search', 'searchParams', 'hash'];
    const u = URL.parse('http://h.org/?' + s);
    const listed = [];
    for (const k in u) listed.push(k);
    return [
      names.map((k) => failure(() => URL.prototype[k])), names.map((k) => failure(() => { URL.prototype[k] = s; })), failure(() => URL.prototype.toString()), failure(() => URL.prototype.toJSON.call({})), names.map((k) => Object.getOwnPropertyDescriptor(URL.prototype, k).get.name),
      u.search, URL.parse(s), failure(() => URL.parse()), URL.parse('x', 'http://' + s.length), failure(() => URL.canParse()), failure(() => URL.revokeObjectURL()), URL.revokeObjectURL(s), URL.length, listed, Object.keys(URL),
    ];
  },
  notParams: (s) => {
    const p = new URLSearchParams([[s, 'v'], ['k', s]]);
    const methods = ['append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'forEach', 'entries', 'keys', 'values', 'toString'];
    const { get } = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size');
    const it = p.entries();
    const left = [util.inspect(it), it.next(), util.inspect(it), util.inspect(p.keys()), util.inspect(p.values(), { depth: -1 })];
    const listed = [];
    for (const k in p) listed.push(k);
    const visited = [];
    p.forEach((v, k, q) => { visited.push(k); if (visited.length === 1) q.delete(s); });
    return [
      methods.map((k) => failure(() => p[k].call({ s }))), methods.map((k) => failure(() => { new URLSearchParams(s)[k](); return k; })), failure(() => get.call(s)), failure(() => p.forEach(s)), failure(() => it.next.call(p)), left, listed, visited, p.has('k', undefined), p.has('k', s), p.delete('k', undefined), p.size,
      [Symbol(s), [[s]], [s], [null], [[s, 1, 2]], { [Symbol.iterator]: s }, { [Symbol(s)]: 1 }, [new Set([s, 2])], { '\ud800': 1, '\ud801': 2, s }, () => s].map((x) => failure(() => String(new URLSearchParams(x)))),
      util.inspect(new URLSearchParams({ a: s.repeat(30), b: s.repeat(30) })), util.inspect(new (class Own extends URLSearchParams {})('a=' + s)), util.inspect([[p]], { depth: 0 }), Object.prototype.toString.call(it), it[Symbol.iterator]() === it,
    ];
  },
  oldQuery: (s) => [url.parse('/p?a=' + encodeURIComponent(s) + '&b', true), url.parse('/p', true), url.parse('//h/p?' + s), url.parse(s)].map((u) => [u.search, u.query, u.query && typeof u.query === 'object' && Object.getPrototypeOf(u.query) === null, u.path, u.href, util.inspect(u).length]),
  params: (s) => {
    const p = new URLSearchParams('a=1&b=2&a=3&c=' + s);
    p.append('ä', s);
    p.set('b', s);
    p.delete('c');
    const out = [p.toString(), p.get('a'), p.getAll('a'), p.has('zz'), p.has('a', '3'), p.size, [...p.keys()], [...p.values()]];
    p.sort();
    p.forEach((v, k) => out.push(k + v));
    return [out, p + '', new URLSearchParams({ x: s, y: 2 }).toString(), new URLSearchParams([['k', s]]).toString(), new URLSearchParams(new Map([['m', s]])).toString(), new URLSearchParams('?' + s).toString()];
  },
  badparams: () => [failure(() => new URLSearchParams([1])), failure(() => new URLSearchParams([[1]])), failure(() => new URLSearchParams().append('x')), failure(() => new URLSearchParams(5).toString())],
  linked: (s) => {
    const u = new URL('http://a/?x=1');
    const p = u.searchParams;
    p.append('y', s);
    const one = u.href;
    u.search = '?z=' + s;
    const two = [...p];
    u.href = 'http://b/?w=2';
    return [one, two, [...p], u.searchParams === p, JSON.stringify({ u }), String(u)];
  },
  domains: (s) => ['español.com', '中文.com', 'xn--fiq228c.com', 'A.b', 'faß.de', 'a..b', s].map((d) => [url.domainToASCII(d), url.domainToUnicode(d)]),
  files: (s) => [url.fileURLToPath('file:///a/b%20c'), url.pathToFileURL('/x y/#' + s + '?%').href, failure(() => url.fileURLToPath('http://x/y')), { ...url.urlToHttpOptions(new URL('http://u:p@h:8/p?q#f')) }],
  format: (s) => [url.format(new URL('http://ü:p@例え.jp/?a#b'), { unicode: true, auth: false, fragment: false, search: false }), url.format({ protocol: 'http', host: 'x.y', pathname: '/' + s, query: { a: 1 } }), url.resolve('/one/two', '../' + s)],
  old: (s) => url.parse('http://user@host.com:80/p/a?q=' + encodeURIComponent(s) + '#h', true),
  inspect: () => util.inspect(new URL('http://a/b?c=1')) + util.inspect(new URLSearchParams('a=1&b')) + util.inspect(new URLSearchParams()),
};

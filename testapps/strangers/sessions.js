// Sessions in memory, with a cookie, and a sweep when there are many.
//> POST /login {"user":"{ann|bob|eve}"}
//> GET /me
//> GET /me
//> POST /note {"text":"note {1-9}"}
//> POST /logout
const http = require('http');
const { randomBytes } = require('crypto');

const sessions = new Map();
const MAX = 12;

function sessionOf(req) {
  const m = /sid=([0-9a-f]+)/.exec(req.headers.cookie || '');
  return m && sessions.get(m[1]);
}

function begin(user) {
  const sid = randomBytes(8).toString('hex');
  sessions.set(sid, { sid, user, since: new Date(), hits: 0, notes: [] });
  if (sessions.size > MAX) {
    const [oldest] = [...sessions.values()].sort((a, b) => a.since - b.since || (a.sid < b.sid ? -1 : 1));
    sessions.delete(oldest.sid);
  }
  return sid;
}

function body(req) {
  return new Promise((resolve, reject) => {
    let s = '';
    req.setEncoding('utf8').on('data', (c) => (s += c)).on('end', () => resolve(s ? JSON.parse(s) : {})).on('error', reject);
  });
}

http.createServer(async (req, res) => {
  const send = (status, x, headers = {}) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    res.end(JSON.stringify(x));
  };
  const b = req.method === 'POST' ? await body(req) : null;
  if (req.url === '/login') {
    const sid = begin(b.user);
    return send(201, { user: b.user, open: sessions.size }, { 'Set-Cookie': `sid=${sid}; HttpOnly` });
  }
  const s = sessionOf(req);
  if (!s) return send(401, { error: 'log in first' });
  s.hits++;
  if (req.url === '/note') s.notes.push(b.text);
  if (req.url === '/logout') sessions.delete(s.sid);
  const { sid, since, ...rest } = s;
  send(200, { ...rest, young: Date.now() - since < 1e9 });
}).listen(process.env.PORT || 3000);

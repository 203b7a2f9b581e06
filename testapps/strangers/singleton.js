// Instances that are made by the class itself, a registry by name, and arguments that are kept.
//> POST /{mail|sms}/{1-9}
//> POST /{mail|sms}/{1-9}
//> GET /kept/{1-9}
//> GET /
const http = require('http');

class Sender {
  static instances = Object.create(null);
  static for(kind) {
    return Sender.instances[kind] || new Sender(kind);
  }
  constructor(kind) {
    if (new.target.instances[kind]) return new.target.instances[kind];
    new.target.instances[kind] = this;
    this.kind = kind;
    this.sent = [];
  }
  send(n) {
    if (this.sent.unshift(n) > 4) this.sent.length = 4;
    return this;
  }
}
function remember() {
  return remember.kept.push(arguments[0], ...[].slice.call(arguments, 1));
}
remember.kept = [];
const register = (function () {
  const args = arguments;
  return { set: (v) => (args[0] = v), get: () => args[0] };
})('none');

http.createServer((req, res) => {
  const [, kind, n] = req.url.split('/');
  if (kind === 'kept') {
    register.set(n);
    return res.end(`${remember(n, kind)} ${register.get()}`);
  }
  if (kind) new Sender(kind).send(Number(n));
  res.end(`${Object.values(Sender.instances).map((s) => `${s.kind}:${s.sent}`)} ${register.get()} ${new Sender('mail') === Sender.for('mail')}`);
}).listen(process.env.PORT || 3000);

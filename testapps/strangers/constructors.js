'use strict';
// Node's classes as programs used them before there were classes: called without new, and
// by constructors of others that inherit from them.
//> GET /hello/{ann|bob}
//> GET /kinds
//> POST /hello/{ann|bob}
const http = require('http');
const https = require('https');
const net = require('net');
const { PassThrough } = require('stream');
const tls = require('tls');
const { EventEmitter } = require('events');
const { inherits } = require('util');

function Request(socket) {
  http.IncomingMessage.call(this, socket);
  this.seen = 0;
}
inherits(Request, http.IncomingMessage);
Request.prototype.parts = function () { this.seen++; return this.url.split('/').slice(1); };

function Response() {
  http.ServerResponse.apply(this, arguments);
}
inherits(Response, http.ServerResponse);
Response.prototype.json = function (x) { this.setHeader('Content-Type', 'application/json'); this.end(JSON.stringify(x)); };

function App(listener) {
  if (!(this instanceof App)) return new App(listener);
  http.Server.call(this, { IncomingMessage: Request, ServerResponse: Response }, listener);
  this.greeted = {};
}
inherits(App, http.Server);

function Connections() { net.Server.call(this); this.kind = 'connections'; }
inherits(Connections, net.Server);

function Pool(options) { http.Agent.call(this, options); this.kind = 'pool'; }
inherits(Pool, http.Agent);

const kinds = () => [
  http.Server(() => {}).listenerCount('request'), http.Server() instanceof http.Server, http.Server().constructor === http.Server,
  new Connections() instanceof net.Server, new Connections().kind, net.Server() instanceof EventEmitter,
  http.Agent({ keepAlive: true }).keepAlive, new Pool({ maxSockets: 3 }).maxSockets, https.Agent() instanceof http.Agent,
  net.Socket() instanceof net.Socket, net.Socket().readyState, Object.getPrototypeOf(http.Server) === net.Server,
  Object.getPrototypeOf(http.ServerResponse) === http.OutgoingMessage, http.IncomingMessage.name, net.Socket.name,
  new tls.TLSSocket(new PassThrough())._handle._parentWrap.constructor.name,
];

const app = App((req, res) => {
  const [what, name] = req.parts();
  if (what === 'kinds') return res.json([kinds(), req instanceof http.IncomingMessage, res.constructor === Response]);
  if (req.method === 'POST') app.greeted[name] = (app.greeted[name] || 0) + req.seen;
  res.statusCode = app.greeted[name] ? 200 : 404;
  res.json({ name, greeted: app.greeted[name] || 0 });
});
app.listen(process.env.PORT);

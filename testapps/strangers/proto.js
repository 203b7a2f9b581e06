// State in prototypes and in functions, the old way.
//> POST /visit/{ann|bob}
//> POST /visit/{ann|bob}
//> GET /total
//> GET /of/{ann|bob}
var http = require('http');

function Visitor(name) {
  this.name = name;
  Visitor.made = (Visitor.made || 0) + 1;
}
Visitor.prototype.total = 0;
Visitor.prototype.names = [];
Visitor.all = {};
Visitor.prototype.visit = function () {
  this.visits = (this.visits || 0) + 1;
  Visitor.prototype.total++;
  this.names.push(this.name);
  if (this.names.length > 5) this.names.shift();
  return this;
};
Visitor.of = function (name) {
  return Visitor.all[name] || (Visitor.all[name] = new Visitor(name));
};

http.createServer(function (req, res) {
  var parts = req.url.split('/');
  if (parts[1] === 'visit') Visitor.of(parts[2]).visit();
  if (parts[1] === 'total') return res.end(Visitor.prototype.total + ' ' + Visitor.made + ' ' + Visitor.prototype.names);
  var v = Visitor.of(parts[2]);
  res.end(v.name + ' ' + (v.visits || 0) + ' of ' + v.total);
}).listen(process.env.PORT || 3000);

// Functions that are not strict.
module.exports = {
  mapped: function (s) { function f(a, b) { arguments[0] = s; b = 'b2'; delete arguments[1]; arguments[1] = 'again'; return [a, b, arguments[0], arguments[1], arguments.length]; } return [f(1, 2), f(), f(1, 2, 3)]; },
  unmapped: function (s) { function f(a, b) { 'use strict'; arguments[0] = s; return [a, arguments[0]]; } function g(a, ...r) { arguments[0] = s; return [a, r]; } function h(a = 1) { arguments[0] = s; return a; } return [f(1), g(1, 2), h(2)]; },
  thisValue: function (s) { function f() { return this === globalThis; } function g() { return typeof this; } return [f(), g.call(s), g.call(5), g.call(null), [1].map(g)[0], (() => this === module.exports)()]; },
  callee: function (s) { return (function (n) { return n ? arguments.callee(n - 1) + s : ''; })(2); },
  octal: function (s) { return [010, '\101', 0o10, 0b11, 08, s]; },
  blockFunctions: function (s) { var out = [typeof f]; { function f() { return 1; } out.push(f()); } out.push(typeof f); if (s) { function g() { return 'g'; } } out.push(typeof g); try { throw 1; } catch (e) { function h() { return 'h'; } } out.push(h()); for (var i = 0; i < 1; i++) { function k() { return i; } } out.push(k()); return out; },
  redeclared: function (s) { var out = []; { out.push(f()); function f() { return 1; } function g() { return 'g'; } function f() { return s; } out.push(f(), g()); } if (s) { function f() { return 3; } function f() { return 4; } } return [out, f()]; },
  duplicates: function (s) { function f(a, a) { return a; } var x = 1; var x; function x() {} return [f(1, s), x, { a: 1, a: 2 }.a]; },
  silent: function (s) { var o = Object.freeze({ a: 1 }); o.a = 2; o.b = 3; s.x = 1; s.length = 9; undefined = 1; NaN = 2; delete o.a; delete Object.prototype; (function f() { f = 1; })(); return [o, s.length, typeof undefined]; },
  globals: function (s) { implicit = s; return [implicit, globalThis.implicit, typeof implicit]; },
  names: function (s) { var let_ = 1, yield = 2, static = 3, implements = 4, async = 5, of = 6, get = 7, await = 8, let = 9; return [let_, yield, static, implements, async, of, get, await, let]; },
  deleteNames: function (s) { var x = 1; return [delete x, x, delete s, typeof nothing]; },
  varInLoops: function (s) { for (var i = 0, fs = []; i < 3; i++) { var j = i; fs.push(function () { return [i, j]; }); } return fs.map(function (f) { return f(); }); },
  labelledFunction: function (s) { l: function f() { return s; } return f(); },
  comments: function (s) { var x = 1; <!-- html
x++;
--> html
return [x, s /* a */ /* b
*/ ]; },
  asi: function (s) { var a = 1
var b = a
;[1].forEach(function (x) { b += x })
a
++
b
var f = function () { return
s }
return [a, b, f()] },
  // What a template engine has ready for asynchronous templates does not run in others.
  idleAsynchronous: function (s) { return new Function('s', 'function up(x) { return x.toUpperCase(); }\nasync function later(f) { return await f(); }\nasync function latest(f) { return await later(f); }\nreturn up(s);')(s); },
  functionConstructor: function (s) { return [new Function('a', 'b', 'return a + b')(1, 2), Function('return 7')()]; },
  withCallerProps: function (s) { function f() {} return [f.caller === null, f.arguments === null, Object.getOwnPropertyNames(f).sort()]; },
  evalShadow: function (s) { var arguments = s; return arguments; },
  argumentsParameter: function (arguments) { return arguments; },
  undefinedShadow: function (s) { return (function (undefined) { return undefined; })(s); },
  conditionalFunction: function (s) { if (s) function f() { return 'one'; } return typeof f; },
  regexOrDivision: function (s) { var a = 8, g = 2, i = 1; var x = a / g / i, y = a /g/ i; var z = [1] / 1; return [x, y, z, /=/.test('='), s.length / 2 / 1, +/\d/.exec('7')[0], (function () {} / 1), a++ / 2]; },
};

//// if and else
function f(n) {
  if (n > 2) return 'big';
  else if (n > 1) { return 'two'; }
  else return 'small';
}
print(f(1), f(2), f(3));
if (f(0) === 'big') print('no'); else if (1) if (0) print('a'); else print('dangling');
if (1) { if (0) print('x'); } else print('wrong else');

//// for loops
for (var i = 0, j = 10; i < j; i += 3, j--) print(i, j);
for (let k = 0; k < 3; k++) { if (k === 1) continue; print(k); }
let n = 0;
for (;;) if (++n > 4) break;
print(n);
for (var q = 0; q < 2; q++);
print(q);
for (var z = ('a' in { a: 1 }) ? 1 : 2; z < 3; z++) print(z);
for (const f = () => ('x' in {}); ;) { print(f()); break; }

//// while and do
let a = 3;
while (a--) print(a);
do print('once', a); while (false);
do { a++; if (a == 2) continue; } while (a < 4);
print(a);

//// closures in loops
const fs = [];
for (let i = 0; i < 3; i++) { fs.push(() => i, (v) => { i = v; }); }
print(fs.filter((_, i) => i % 2 === 0).map((f) => f()));
fs[1](10);
print(fs[0](), fs[2]());
const gs = [];
for (var v = 0; v < 3; v++) gs.push(() => v);
print(gs.map((g) => g()));
const hs = [];
for (const k in { a: 1, b: 2 }) hs.push(() => k);
for (const [x, y] of [[1, 2], [3, 4]]) hs.push(() => x + y);
print(hs.map((h) => h()));

//// for in and of
const o = Object.create({ inherited: 1 }, { hidden: { value: 1 } });
o.b = 1; o.a = 2; o[1] = 3;
for (const k in o) print(k);
for (var k in 'ab') print(k);
print(k);
const target = {};
for (target.x in { p: 1, q: 2 }) print(target.x);
for (target['y' + 1] of [5, 6]) print(target);
for ([target.a, target.b = 'd'] of [[1, 2], [3]]) print(target);
for (let { length } of ['aa', 'b']) print(length);
for (const c of 'a\u{1F600}b') print(c);
for (const [k, v] of new Map([[1, 'x'], [2, 'y']])) print(k, v);
for (const k in null) print('never');
try { for (const k of undefined) print('never'); } catch (e) { print(e.name, e.message); }

//// iterator closing
function it(name) {
  let i = 0;
  return { [Symbol.iterator]() { return this; }, next() { print(name, 'next'); return { value: i++, done: i > 5 }; }, return(v) { print(name, 'return'); return { value: v, done: true }; } };
}
for (const x of it('a')) { if (x == 1) break; }
outer: for (const x of it('b')) for (const y of it('c')) { if (y == 1) continue outer; if (x == 1) break outer; }
try { for (const x of it('d')) throw new Error('t'); } catch (e) { print(e.message); }
(function () { for (const x of it('e')) return x; })();
const [p, q] = it('f');
print(p, q);

//// labels
a: for (let i = 0; i < 3; i++) {
  b: for (let j = 0; j < 3; j++) {
    if (j === 1) continue a;
    if (i === 2) break a;
    print(i, j);
    switch (j) { case 0: continue b; }
  }
}
blk: { print('in'); if (1) break blk; print('never'); }
x: y: for (;;) { for (;;) { break x; } }
lab: if (true) { break lab; }
l1: l2: for (var i = 0; i < 2; i++) { for (;;) continue l2; }
print('end', i);

//// switch
function s(x) {
  const out = [];
  switch (x) {
    case 1: out.push('one');
    case 2: out.push('two'); break;
    default: out.push('def');
    case f(3): out.push('three'); { let y = 1; out.push(y); }
    case 4: { break; }
    case 'n': let z = 5; out.push(z); function inner() { return z; } out.push(inner());
  }
  return out;
}
function f(v) { print('test', v); return v; }
print(s(1), s(2), s(3), s(4), s(5), s('n'));
switch (1) {}
switch (f(9)) { default: print('only'); }
switch (NaN) { case NaN: print('no'); break; default: print('nan'); }

//// exceptions
function f(n) {
  try {
    print('try', n);
    if (n === 1) throw new TypeError('one');
    if (n === 2) return 'returned';
    return 'end';
  } catch ({ name, message: [first, ...rest] }) {
    print(name, first, rest.join(''));
    return 'caught';
  } finally {
    print('finally', n);
    if (n === 3) return 'overridden';
  }
}
print(f(1), f(2), f(3), f(4));
try { try { throw 1; } finally { print('f'); } } catch (e) { print(e); }
try { throw undefined; } catch { print('no binding'); }
for (const i of [1, 2, 3]) { try { if (i === 2) continue; print(i); } finally { print('fin', i); } }
lbl: try { break lbl; } finally { print('after break'); }
var e = 'outer';
try { throw 'inner'; } catch (e) { var e = 'assigned'; print(e); }
print(e);
try { null.x; } catch (e) { print(e.name, e.message); }
try { undefined.foo.bar; } catch (e) { print(e.message); }
try { let o = {}; o.a.b.c; } catch (e) { print(e.message); }
try { let o = { f: 1 }; o.f(); } catch (e) { print(e.message); }
try { let o = {}; o['g'](); } catch (e) { print(e.message); }
try { new (class { constructor() { this.x.y; } })(); } catch (e) { print(e.message); }
try { undefinedName; } catch (e) { print(e.message); }
try { const c = 1; c = 2; } catch (e) { print(e.message); }
try { (void 0)(); } catch (e) { print(e.name); }
try { [].reduce((a) => a); } catch (e) { print(e.message); }

//// hoisting
print(typeof hoisted, typeof v, hoisted());
var v = 1;
function hoisted() { return 'first'; }
function hoisted() { return 'second'; }
{
  print(inBlock());
  function inBlock() { return 'block'; }
}
print(typeof inBlock, inBlock());
if (true) { function cond() { return 'c'; } }
print(cond());
(function () { print(typeof g); if (1) { function g() {} } print(typeof g); })();
(function () { 'use strict'; { function h() {} } print(typeof h); })();
try { tdz; let tdz = 1; } catch (e) { print(e.name); }
try { print(typeof tdz2); let tdz2; } catch (e) { print(e.name); }
let undef; print(undef);
var v; print(v);
switch (1) { case 0: function sw() {} }
print(typeof sw);

//// empty and blocks
;
{}
{ ; }
{ let a = 1; { let a = 2; print(a); } print(a); }
if (0); else print('else');
debugger;
'not a directive';
print('done');

//// directives
function strict() { 'use strict'; return this === undefined; }
function sloppy() { ('use strict'); return typeof this; }
function late() { var a; 'use strict'; return typeof this; }
print(strict(), sloppy(), late());
function octal() { return 010 + 0o10; }
print(octal());
(function () { 'use strict'; try { undeclared = 1; } catch (e) { print(e.name); } })();
(function () { undeclared = 1; print(undeclared); delete globalThis.undeclared; })();
(function (a) { arguments[0] = 2; print(a); })(1);
(function (a) { 'use strict'; arguments[0] = 2; print(a); })(1);
(function (a, b) { a = 5; print(arguments[0], arguments.length, arguments[1]); })(1);
(function (a, b = 2) { a = 5; print(arguments[0], arguments.length); })(1);

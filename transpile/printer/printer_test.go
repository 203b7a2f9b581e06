package printer_test

import (
	"strings"
	"testing"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/syntax"
)

func reprint(t testing.TB, src string) string {
	t.Helper()
	prog, err := syntax.Parse(src)
	if err != nil {
		t.Fatalf("parse %s: %v", head(src), err)
	}
	p := printer.New(src, nil)
	p.Program(prog)
	return string(p.Bytes())
}

func head(s string) string { return s[:min(len(s), 200)] }

// squash makes layout irrelevant.
func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestPrint(t *testing.T) {
	for _, c := range [][2]string{ // want "" means the same as the source
		// Statement heads
		{"({}).x;", ""},
		{"({}.x);", "({}).x;"},
		{"(function () {})();", "(function () {})();"},
		{"!function () {}();", ""},
		{"(class {}).name;", ""},
		{"({ a } = b);", ""},
		{"({ a } = b), c;", ""},
		{"x = { a } = b;", "x = ({ a } = b);"},
		{"f({ a: 1 }.a, [b] = c);", "f({ a: 1 }.a, ([b] = c));"}, // which V8 misreads without
		{"(() => ({}));", "() => ({});"},
		{"() => ({}).x;", ""},
		{"() => ({ a } = b);", ""},
		{"() => { };", "() => {};"},
		{"(let)[0] = 1;", "(let[0] = 1);"},
		{"(async function () {});", ""},
		{"'use strict'; 'b'; x;", ""},
		{"('use strict'); x;", ""},
		{"function f() { ('use strict'); }", ""},

		// Operators
		{"a + b + c;", ""},
		{"a + (b + c);", ""},
		{"(a + b) * c;", ""},
		{"a - -b;", ""},
		{"a - --b;", ""},
		{"- -a;", ""},
		{"+ +a; - --a; + ++a; - +a; !-a;", "+ +a; - --a; + ++a; -+a; !-a;"},
		{"a-- - --b;", ""},
		{"(-a) ** b;", ""},
		{"a ** b ** c;", ""},
		{"(a ** b) ** c;", ""},
		{"a ** -b;", ""},
		{"(await1, b) ? c : d;", ""},
		{"(a ? b : c) ? d : e;", ""},
		{"a ? b : c ? d : e;", ""},
		{"a ? (b, c) : (d, e);", ""},
		{"a = b ? c : d;", ""},
		{"(a = b) ? c : d;", ""},
		{"(a ?? b) || c;", ""},
		{"a ?? (b || c);", ""},
		{"a ?? b ?? c;", ""},
		{"(a && b) ?? c;", ""},
		{"a || b && c;", ""},
		{"(a || b) && c;", ""},
		{"a && (b && c);", ""},
		{"a in b in c;", ""},
		{"a < b < c;", ""},
		{"a < (b < c);", ""},
		{"a < b < c < d;", ""},
		{"a < (b) < c;", "a < b < c;"},
		{"a < ((b) < c);", "a < (b < c);"},
		{"a < (b < c) < d;", ""},
		{"a < (b < c < d);", ""},
		{"a < (b < (c < d));", ""},
		{"a < (b + d) * e < c;", ""},
		{"a < f('(') < c;", ""},
		{"a < (f(')') < c);", ""},
		{"a < f(/[)]/) < c;", ""},
		{"a < (/[)]/ < c);", ""},
		{"a < (`)${')'}` < c);", ""},
		{"a < (f()`)` < c);", ""},
		{"a instanceof b in c > d;", ""},
		{"a <= ( /* ( */ b < c);", "a <= (b < c);"},
		{"a << b >> c >>> d;", ""},
		{"a == b === c != d !== e;", ""},
		{"a | b ^ c & d;", ""},
		{"(a | b) & c;", ""},
		{"typeof void delete a.b;", ""},
		{"typeof (a + b);", ""},
		{"(a, b);", "a, b;"},
		{"f((a, b), c);", ""},
		{"a += b -= c **= d;", ""},
		{"a &&= b; a ||= b; a ??= b; a >>>= b;", ""},
		{"a < !--b;", ""},
		{"a-- > b;", ""},
		{"a / /b/g / c;", ""},
		{"(yield1);", "yield1;"},
		{"class A { #x; static t(o) { return #x in o; } }", ""},

		// Members, calls, new
		{"new (f())();", ""},
		{"new (f().x)();", "new (f()).x();"},
		{"new (f`x`)();", "new f`x`();"},
		{"new (f()`x`)();", "new (f())`x`();"},
		{"new f();", ""},
		{"new f;", "new f();"},
		{"new f.x(1);", ""},
		{"new f[g()](1);", ""},
		{"new new f();", "new new f()();"},
		{"new new f()();", ""},
		{"new (new f().x)();", "new new f().x();"},
		{"new f().x;", ""},
		{"new (a ? b : c)();", ""},
		{"new (a?.b)();", ""},
		{"new function () {}();", ""},
		{"new (import1('x'))();", ""},
		{"(a, b.c)();", ""},
		{"(a.b)();", "a.b();"},
		{"(a?.b)();", ""},
		{"(a?.b).c;", ""},
		{"a?.b.c(1)?.[d]?.(e);", ""},
		{"class A { #b; f(a) { return a?.#b.c + a.#b; } }", ""},
		{"delete a?.b;", ""},
		{"(1).x; 1.5.x; 1..x; 0x10.x;", "(1).x; (1.5).x; (1.).x; (0x10).x;"},
		{"'a'.x; /a/.x; [].x; `a`.x;", ""},
		{"a.if.class.\\u0061;", "a.if.class.a;"},
		{"(function () {}).x;", ""},
		{"x = function () {}();", ""},
		{"(() => 1)();", ""},
		{"(a => a)`x`;", "((a) => a)`x`;"},
		{"f(...a, b, ...c);", ""},
		{"a[b, c];", ""},
		{"import('x').then(y);", ""},

		// Literals
		{"['a', , 'b', , ];", "['a', , 'b', ,];"},
		{"[, ];", "[,];"},
		{"[];", ""},
		{"'\\x41\\u{41}\\0\\101\\\n';", "'\\x41\\u{41}\\0\\101\\\n';"},
		{"0x1F + 0b1 + 0o7 + 010 + 1e3 + .5 + 5. + 1_000 + 10n;", ""},
		{"/[/\\]]\\/(/gi.test(x);", ""},
		{"/a/ instanceof b;", ""},
		{"/a/g instanceof b;", ""},
		{"x = /=/;", ""},
		{"`a${b}c${`d${e}`}\\u0041`;", ""},
		{"a.b`x${(c, d)}`;", "a.b`x${c, d}`;"},
		{"`\n`;", "`\n`;"},
		{"true, false, null, this;", ""},

		// Objects and classes
		{"x = { a, 'b': 1, [c]: 2, 3: 4 };", ""},
		{"x = { __proto__: a, '__proto__': b };", "x = { __proto__: a, '__proto__': b };"},
		{"x = { ['__proto__']: a };", ""},
		{"x = { get a() { return 1; }, set a(v) {}, get: 1, set: 2, get() {}, async() {} };", ""},
		{"x = { *a() {}, async b() {}, 'c'() {}, [d]() {}, 5() {} };", ""},
		{"x = { ...a, b };", ""},
		{"x = { get, set, async, static: 1, await: 2 };", ""},
		{"x = { a: (b, c), d: e = f };", ""},
		{"class A extends B.C { constructor() { super(); super.x(); super[y]; } static f() {} get a() {} set a(v) {} static get b() {} *g() {} async h() {} [i]() {} 'j'() {} }", ""},
		{"class A extends (a, b) {}", ""},
		{"class A extends f() {}", ""},
		{"class A extends (a || b) {}", ""},
		{"class A { a; b = 1; static c = d; 'e' = 1; [f] = (1, 2); static { g(); } #h = 1; }", ""},
		{"x = class {};", ""},
		{"x = class A {};", ""},
		{"function f() { return new.target; }", ""},

		// Functions and patterns
		{"function f(a, b = 1, { c, d: e = 2, ...g } = {}, [h, , i = 3, ...j], ...k) {}", "function f(a, b = 1, { c, d: e = 2, ...g } = {}, [h, , i = 3, ...j], ...k) {}"},
		{"function* f() { yield; yield a; yield* b; x = yield y; yield (a, b); (yield a) + 1; f(yield); }", ""},
		{"async function f() { await a; (await a) ** 2; -(await a); await (a, b); for (const x of y) await x; }",
			"async function f() { await a; (await a) ** 2; -await a; await (a, b); for (const x of y) await x; }"},
		{"x = async (a) => await a; y = async a => a; z = async () => {};", "x = async (a) => await a; y = async (a) => a; z = async () => {};"},
		{"x = a => b => c;", "x = (a) => (b) => c;"},
		{"x = (a => b) || c;", "x = ((a) => b) || c;"},
		{"x = (a, b = 1, ...c) => (d, e);", ""},
		{"[a.b, c[d], [e] = f, ...g.h] = i;", ""},
		{"[a, , ] = b;", "[a, ,] = b;"},
		{"({ a: b.c, [d]: e = 1, f, g = 2, ...h } = i);", ""},
		{"var { a } = b, [c] = d, e, f = 1;", ""},
		{"let [a = (1, 2)] = b;", ""},
		{"(x) = function () {};", ""},
		{"(x) = 1;", "x = 1;"},
		{"x = (function () {});", "x = function () {};"},
		{"x = (0, function () {});", ""},

		// Statements
		{"if (a) b; else c;", ""},
		{"if (a) { if (b) c; } else d;", ""},
		{"if (a) { b; } else if (c) { d; } else { e; }", ""},
		{"if (a) for (;;) if (b) c; else d;", "if (a) { for (;;) { if (b) c; else d; } }"},
		{"if (a) { for (;;) if (b) c; } else d;", "if (a) { for (;;) { if (b) c; } } else d;"},
		{"if (a) function f() {}", "if (a) { function f() {} }"},
		{"if (a) ; else b;", "if (a); else b;"},
		{"for (var i = 0, j = 1; i < j; i++, j--) k;", ""},
		{"for (let i = 0; ;) {}", "for (let i = 0;;) {}"},
		{"for (;;) ;", "for (;;);"},
		{"for (a of b) c;", ""},
		{"for (const [a, b] of c) d;", ""},
		{"for (let { a } in b) c;", ""},
		{"for (var a in b, c) d;", ""},
		{"for (var a of (b, c)) d;", ""},
		{"for (a.b in c) d;", ""},
		{"for ([a, b] of c) d;", ""},
		{"for ((async) of b) c;", ""},
		{"for (var i = ('a' in b); i; ) c;", "for (var i = ('a' in b); i;) c;"},
		{"for (var i = () => { return 'a' in b; }; i; ) c;", "for (var i = () => { return 'a' in b; }; i;) c;"},
		{"for (('a' in b) ? c : d; ;) e;", "for (('a' in b) ? c : d;;) e;"},
		{"for (x = [('a' in b)]; ;) e;", "for (x = [('a' in b)];;) e;"},
		{"while (a) b;", ""},
		{"do a; while (b);", ""},
		{"do { a; } while (b);", ""},
		{"do a; while (b) c;", "do a; while (b); c;"},
		{"a: for (;;) { b: { break b; } continue a; }", ""},
		{"a: b: for (;;) break a;", ""},
		{"switch (a) { case 1: case 2: b; break; default: { c; } case 3: }", ""},
		{"try { a; } catch { b; } finally { c; }", ""},
		{"try { a; } catch ({ b, c: [d] }) { e; }", ""},
		{"throw a, b;", ""},
		{"with (a) b;", "with (a) b;"},
		{"debugger; ;", ""},
		{"{ let a = 1; const b = 2; function c() {} class D {} }", ""},
		{"function f() { return; return a, b; return\na; }", "function f() { return; return a, b; return; a; }"},
		{"var \u00e9 = '\u00e9\u2028', \\u{61}b = \u00e9;", "var \u00e9 = '\u00e9\u2028', ab = \u00e9;"},
	} {
		src, want := c[0], c[1]
		if want == "" {
			want = src
		}
		got := reprint(t, src)
		if squashBlocks(got) != squashBlocks(want) {
			t.Errorf("%s\n got %s\nwant %s", src, squash(got), want)
		}
		if again := reprint(t, got); again != got {
			t.Errorf("%s: printing is no fixed point:\n%s\n%s", src, got, again)
		}
	}
}

// squashBlocks drops the white space that the printer is free to choose.
func squashBlocks(s string) string {
	s = squash(s)
	for _, r := range [][2]string{{"{ ", "{"}, {" }", "}"}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

// Mappings lead from each printed name back to the same name in the source.
func TestMappings(t *testing.T) {
	src := "var total = 0;\nfunction add(n) {\n  return total += n.value;\n}\nthrow new add(total);"
	prog, err := syntax.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	p := printer.New(src, nil)
	p.Program(prog)
	out := string(p.Bytes())
	last := -1
	for _, m := range p.Mappings() {
		if m.Gen <= last {
			t.Errorf("mapping %v comes after %d", m, last)
		}
		last = m.Gen
		if out[m.Gen] != src[m.Src] {
			t.Errorf("mapping %v: %q was printed for %q", m, out[m.Gen:], src[m.Src:])
		}
	}
	for _, name := range []string{"total += ", "n.value", "value;", "new add", "add(total)"} {
		at := strings.LastIndex(out, name)
		found := false
		for _, m := range p.Mappings() {
			found = found || m.Gen == at && strings.HasPrefix(src[m.Src:], name)
		}
		if !found {
			t.Errorf("no mapping for %q in\n%s", name, out)
		}
	}
}

// marks is a hook that shows where each hook is asked.
type marks struct{}

func (marks) Expr(p *printer.Printer, e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		if e.Name == "boxed" {
			p.Raw("boxed$.v")
			return true
		}
	case *ast.DotExpression:
		p.Raw("get(")
		p.Sub(e.Left)
		p.Raw(", '" + e.Identifier.Name.String() + "')")
		return true
	}
	return false
}
func (marks) Stmt(p *printer.Printer, s ast.Statement) bool { return false }
func (marks) Target(p *printer.Printer, e ast.Expression, declared bool) bool {
	if id, ok := e.(*ast.Identifier); ok && id.Name == "boxed" && !declared {
		p.Raw("boxed$.v")
		return true
	}
	return false
}
func (marks) Short(p *printer.Printer, s *ast.PropertyShort, pattern, declared bool) bool {
	if s.Name.Name == "boxed" && !declared {
		p.Raw("boxed: boxed$.v")
		return true
	}
	return false
}
func (marks) MarkStmt(p *printer.Printer, side printer.Side, n ast.Node) {
	if side != printer.SideElse {
		p.Raw("m();")
	}
}
func (marks) MarkExpr(p *printer.Printer, side printer.Side, n ast.Node) bool {
	if side == printer.SideCondElse {
		return false
	}
	p.Raw("m()")
	return true
}

func TestHooks(t *testing.T) {
	for _, c := range [][2]string{
		{"x = boxed;", "x = boxed$.v;"},
		{"boxed = 1;", "boxed$.v = 1;"},
		{"boxed++; --boxed; boxed += boxed;", "boxed$.v++; --boxed$.v; boxed$.v += boxed$.v;"},
		{"[boxed, x = boxed] = a;", "[boxed$.v, x = (m(), boxed$.v)] = a;"},
		{"({ boxed, a: boxed, boxed = 1 } = { boxed });", "({ boxed: boxed$.v, a: boxed$.v, boxed: boxed$.v = (m(), 1) } = { boxed: boxed$.v });"},
		{"for (boxed of a) b;", "for (boxed$.v of a) { m(); b; }"},
		{"f(a.b); a.b(c); a.b.c(); a.b = 1; a.b.c++;", "f(get(a, 'b')); a.b(c); get(a, 'b').c(); a.b = 1; get(a, 'b').c++;"},
		{"delete a.b; delete a.b.c; a.b`x`;", "delete a.b; delete get(a, 'b').c; a.b`x`;"},
		{"new a.b(); new a.b.c(); new (a().b)();", "new (get(a, 'b'))(); new (get(get(a, 'b'), 'c'))(); new (get(a(), 'b'))();"},
		{"function f() { 'use strict'; a; }", "function f() { 'use strict'; m(); a; }"},
		{"function f() {}", "function f() { m(); }"},
		{"x = () => a; y = () => ({}); z = { get a() {}, b() {} };", "x = () => (m(), a); y = () => (m(), {}); z = { get a() { m(); }, b() { m(); } };"},
		{"if (a) b; else c;", "if (a) { m(); b; } else { c; }"},
		{"if (a) b; else if (c) d;", "if (a) { m(); b; } else if (c) { m(); d; }"},
		{"x = a && b || c ? d : e;", "x = a && (m(), b) || (m(), c) ? (m(), d) : e;"},
		{"a ||= b; a ??= function () {};", "a ||= (m(), b); a ??= function () { m(); };"},
		{"while (a); do b; while (c);", "while (a) { m(); } do { m(); b; } while (c);"},
		{"switch (a) { case 1: default: b; }", "switch (a) { case 1: m(); default: m(); b; }"},
		{"try { a; } catch (e) { b; }", "try { a; } catch (e) { m(); b; }"},
		{"function f(a = 1, b = () => c) {}", "function f(a = (m(), 1), b = () => (m(), c)) { m(); }"},
		{"for (x = a && ('b' in c);;) d;", "for (x = a && (m(), 'b' in c);;) { m(); d; }"},
	} {
		prog, err := syntax.Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		p := printer.New(c[0], marks{})
		p.Program(prog)
		if got := string(p.Bytes()); squashBlocks(got) != squashBlocks(c[1]) {
			t.Errorf("%s\n got %s\nwant %s", c[0], squash(got), c[1])
		}
	}
}

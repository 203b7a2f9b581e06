package program

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/internal/nodetest"
	"karousosc/transpile/printer"
)

func parse(t testing.TB, src string, opts ...Option) *Program {
	t.Helper()
	p, err := Parse(src, opts...)
	if err != nil {
		t.Fatalf("%s: %v", src[:min(len(src), 200)], err)
	}
	return p
}

func bundleOrigin(text string) Option {
	find := nodetest.Origin(text)
	return WithOrigin(func(offset int) (Position, bool) {
		file := find(offset)
		return Position{file, 1, offset}, file != ""
	})
}

// renamer gives every variable a name of its own. A program that still does the
// same was resolved rightly.
type renamer struct {
	p     *Program
	names map[*Binding]string
	all   int
}

func (r *renamer) name(id *ast.Identifier) (string, bool) {
	b := r.p.Binding(id)
	if b == nil {
		return "", false
	}
	switch b.Kind {
	case Function, Class, FuncName, Arguments:
		return "", false
	}
	if b.blockFunc {
		return "", false
	}
	// A body's var takes over the value of the parameter of its name.
	if s := b.Scope; s.vars && !s.params && s.Parent != nil && s.Parent.byName[b.Name] != nil && s.Parent.params {
		return "", false
	}
	if b.Kind == Param {
		for _, ref := range r.p.refs {
			if o := ref.Binding; o != nil && o.Name == b.Name && o.Scope.Parent == b.Scope && o.Scope.vars {
				return "", false
			}
		}
	}
	if r.names[b] == "" {
		r.all++
		r.names[b] = fmt.Sprintf("%s$r%d", b.Name, r.all)
	}
	return r.names[b], true
}

func (r *renamer) Expr(p *printer.Printer, e ast.Expression) bool {
	return r.Target(p, e, false)
}
func (r *renamer) Stmt(p *printer.Printer, s ast.Statement) bool { return false }
func (r *renamer) Target(p *printer.Printer, e ast.Expression, declared bool) bool {
	if id, ok := e.(*ast.Identifier); ok {
		if n, ok := r.name(id); ok {
			p.Raw(n)
			return true
		}
	}
	return false
}
func (r *renamer) Short(p *printer.Printer, s *ast.PropertyShort, pattern, declared bool) bool {
	n, ok := r.name(&s.Name)
	if ok {
		p.Raw("[\"" + s.Name.Name.String() + "\"]: " + n)
	}
	return ok
}

var renamed = regexp.MustCompile(`\$r\d+`)

func TestScopesByRenaming(t *testing.T) {
	programs := nodetest.Corpus(t)
	var texts []string
	for _, c := range programs {
		text := nodetest.Lower(t, c.Text)
		p := parse(t, text)
		r := &renamer{p: p, names: map[*Binding]string{}}
		pr := printer.New(text, r)
		pr.Program(p.AST)
		texts = append(texts, text, string(pr.Bytes()))
	}
	out := nodetest.Run(t, texts)
	for i, c := range programs {
		plain, got := out[2*i], renamed.ReplaceAllString(out[2*i+1], "")
		if strings.Join(strings.Fields(plain), " ") != strings.Join(strings.Fields(got), " ") {
			t.Errorf("%s: renamed program differs\nplain:\n%s\nrenamed:\n%s\n%s", c.Name, plain, got, texts[2*i+1])
		}
	}
}

func TestRefusals(t *testing.T) {
	origin := WithOrigin(func(offset int) (Position, bool) {
		return Position{"src/app.js", 1, offset + 1}, true
	})
	dep := WithOrigin(func(offset int) (Position, bool) {
		return Position{"node_modules/dep/index.js", 1, offset + 1}, true
	})
	for _, c := range []struct {
		src, app, dep string // the error where it stands in the app, and in a dependency
	}{
		{"eval('1');", "src/app.js:1:1: direct eval", ""},
		{"x = eval(y);", "src/app.js:1:5: direct eval", ""},
		{"Array.prototype.map = f;", "src/app.js:1:1: changes the built-in Array.prototype, which both builds rely on; use a function of your own instead", ""},
		{"String.prototype['shout'] = f;", "src/app.js:1:1: changes the built-in String.prototype", ""},
		{"Object.defineProperty(String.prototype, 'trim', {});", "src/app.js:1:23: changes the built-in String.prototype", ""},
		{"Math.random = () => 4;", "src/app.js:1:1: changes the built-in Math", ""},
		{"Promise = f;", "src/app.js:1:1: changes the built-in Promise", ""},
		{"global.Promise = f;", "src/app.js:1:1: changes the built-in Promise", ""},
		{"globalThis.settings = f; Error.stackTraceLimit = 50; Errors.prototype.x = 1;", "", ""},
		{"function f(Math) { Math.random = 1; } class Map {} Map.prototype.x = 1;", "", ""},
		{"with (a) b;", "src/app.js:1:1: `with`", "`with`"},
		{"new Function('return this')();", "", ""},
		{"Function('return this')();", "", ""},
		{"Function(`a`, 'b')();", "", ""},
		{"f(new Function('a', code));", "src/app.js:1:3: Function of computed text", ""},
		{"Function(code);", "src/app.js:1:1: Function of computed text", ""},
		{"(0, eval)(code);", "src/app.js:1:2: eval of computed text", ""},
		{"(0, eval)('this');", "", ""},
		{"function f(Function) { return Function(code); }", "", ""},
		{"a b", "src/app.js:1:3: Unexpected identifier", "Unexpected"},
		{"const { a } = __karousos_loggable(b);", "src/app.js:1:7: a destructuring declaration", ""},
		{"[a] = __karousos_loggable(b);", "src/app.js:1:7: a destructuring assignment", ""},
		{"for (let a = __karousos_loggable(0); ; ) {}", "src/app.js:1:14: a variable in the head of a loop", ""},
		{"var f = __karousos_loggable;", "src/app.js:1:9: loggable must be called", ""},
		{"f(__karousos_loggable());", "src/app.js:1:3: loggable takes one value", ""},
		{"f(__karousos_loggable(...a));", "src/app.js:1:3: loggable takes one value", ""},
		{"function f(x) { var x = __karousos_loggable(1); }", "x cannot be made loggable", ""},
		{"function f() { var x = __karousos_loggable(1); for (var x of y) ; }", "x cannot be declared again", ""},
		{"function f() { var x = __karousos_loggable(1); var { x } = y; }", "x cannot be declared again", ""},
		{"function f() { var x = __karousos_loggable(1); for (var x = 0; ; ) ; }", "x cannot be declared again", ""},
		{"function f() { var x = __karousos_loggable(1); { function x() {} } }", "a function in a block has the same name", ""},
		{"function f() { var x; x += __karousos_loggable(1); }", "loggable cannot be combined with +=", ""},
	} {
		_, err := Parse(c.src, origin)
		if c.app == "" && err != nil || c.app != "" && (err == nil || !strings.Contains(err.Error(), c.app)) {
			t.Errorf("%s: got error %v, want %q", c.src, err, c.app)
		}
		if strings.Contains(c.src, "loggable") {
			continue
		}
		p, err := Parse(c.src, dep)
		if c.dep == "" && err != nil || c.dep != "" && (err == nil || !strings.Contains(err.Error(), c.dep)) {
			t.Errorf("%s in a dependency: got error %v, want %q", c.src, err, c.dep)
		}
		if warn := c.app != "" && c.dep == ""; p != nil && warn != (len(p.Warnings) == 1) {
			t.Errorf("%s in a dependency: got warnings %v", c.src, p.Warnings)
		}
	}
}

func TestFunctions(t *testing.T) {
	src := `
function a() { return function inner() {}; }
const b = () => 1, { c = function () {} } = {};
x.y = function () {}; let e; e = class { m() {} static get n() { return 1; } static { f(); } };
class D extends e { constructor() { super(); } *g() {} async ['h' + 1]() {} }
f(function () {}, { p: function () {}, q() { 'use strict'; for (;;) arguments; }, get r() { return () => this; } });
`
	p := parse(t, src)
	var got []string
	for i, f := range p.Funcs {
		if f.ID != i {
			t.Errorf("function %d has ID %d", i, f.ID)
		}
		if i > 0 && f.Offset <= p.Funcs[i-1].Offset && i > 1 {
			t.Errorf("function %d is out of order", i)
		}
		s := f.Name
		for _, flag := range []struct {
			on   bool
			name string
		}{{f.Strict, "strict"}, {f.Generator, "gen"}, {f.Async, "async"}, {f.Arrow, "arrow"}, {f.Method, "method"}, {f.Ctor, "ctor"}, {f.Loop, "loop"}, {f.This, "this"}, {f.Arguments, "args"}} {
			if flag.on {
				s += " " + flag.name
			}
		}
		got = append(got, s)
	}
	want := []string{"program", "a", "inner", "b arrow", "c", "y", "m strict method", "get n strict method", " static block strict",
		"D strict method ctor this", "D.g strict gen method", "D.[…] strict async method",
		"", "p", "q strict method loop args", "get r method this", " arrow this"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, b := range p.Branches {
		if b.ID != i {
			t.Errorf("branch %d has ID %d", i, b.ID)
		}
	}
}

func TestDeterministic(t *testing.T) {
	text := nodetest.Bundle(t, "motd", "server.js", "express")
	describe := func() string {
		p := parse(t, text, bundleOrigin(text))
		var b strings.Builder
		for _, f := range p.Funcs {
			fmt.Fprintln(&b, f.ID, f.Name, f.Offset, f.Pure)
		}
		for _, br := range p.Branches {
			fmt.Fprintln(&b, br.ID, br.Side, br.Offset)
		}
		return b.String()
	}
	if describe() != describe() {
		t.Error("two parses of one bundle differ")
	}
}

// The kinds of rewriting that both builds share.
type common struct{ *Common }

func (c common) MarkStmt(p *printer.Printer, side printer.Side, n ast.Node) {
	if side == printer.SideFunc {
		p.Raw(c.Hoisted(n))
	}
}
func (c common) MarkExpr(p *printer.Printer, side printer.Side, n ast.Node) bool { return false }

func emitCommon(t testing.TB, src string, opts ...Option) string {
	p := parse(t, src, opts...)
	c := common{&Common{P: p, K: "$k", Registrations: true}}
	pr := printer.New(src, c)
	pr.Raw(c.Hoisted(nil))
	pr.Program(p.AST)
	return string(pr.Bytes())
}

func squash(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for _, r := range [][2]string{{"{ ", "{"}, {" }", "}"}, {"; ", ";"}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

func TestCommon(t *testing.T) {
	const L = Annotation
	for _, c := range [][2]string{
		// Annotations
		{"const m = " + L + "(new Map());", "const m = $k.loggable(new Map());"},
		{"var m = " + L + "(new Map());", "var m = $k.loggable(new Map());"},
		{"function f() { let m = " + L + "(0), n; m++; return m; }", "function f() { let m$ = $k.box(0), n; m$.v++; return m$.v; }"},
		{"let n = " + L + "(0); n = 1;", "let n$ = $k.box(0); n$.v = 1;"},
		{"f(" + L + "([]));", "f($k.loggable([]));"},
		{"x = { a: " + L + "([]) }; y.z = " + L + "({});", "x = { a: $k.loggable([]) }; y.z = $k.loggable({});"},
		{"function f() { var a = 1, m = " + L + "(2), b = 3; return m; }",
			"function f() { var m$ = $k.box(void 0); { var a = 1; m$.v = (2); var b = 3; } return m$.v; }"},
		{"var m, init = () => { m = " + L + "(0); }; m++;", "var m$ = $k.box(void 0); {; var init = () => { m$.v = (0); }; } m$.v++;"},
		{"function f() { let m; m = " + L + "(0); }", "function f() { let m$ = $k.box(void 0); m$.v = (0); }"},
		{"function f() { let m = g; m = " + L + "(0); }", "function f() { let m$ = $k.box(g); m$.v = (0); }"},

		// References of every form
		{"let m = " + L + "(0); x = { m, m: m }; ({ m, a: m = 1, ...m } = x); [m, ...m] = m; m = 1;",
			"let m$ = $k.box(0); x = { m: m$.v, m: m$.v }; ({ m: m$.v, a: m$.v = 1, ...m$.v } = x); [m$.v, ...m$.v] = m$.v; m$.v = 1;"},
		{"let m = " + L + "(0); m = 1; m(1); m`x`; new m(); typeof m; m.p(); m?.(); delete m.p;",
			"let m$ = $k.box(0); m$.v = 1; (0, m$.v)(1); (0, m$.v)`x`; new (m$.v)(); typeof m$.v; m$.v.p(); m$.v?.(); delete m$.v.p;"},
		{"function f() { let m = " + L + "(0); delete m; for (m of x) ; for (m in m) ; }", "function f() { let m$ = $k.box(0); false; for (m$.v of x) {} for (m$.v in m$.v) {} }"},
		{"let m = " + L + "(0); m = function () {}; m ??= () => {}; [m = class {}] = x; (m) = function () {};",
			`let m$ = $k.box(0); m$.v = ({ m: function () {} })["m"]; m$.v ??= ({ m: () => {} })["m"]; [m$.v = ({ m: class {} })["m"]] = x; (m$.v) = function () {};`},
		{"let m = " + L + "(0); m = 1; { let m = 2; m; } function g(m) { m; } () => m;", "let m$ = $k.box(0); m$.v = 1; { let m = 2; m; } function g(m) { m; } () => m$.v;"},
		{"let m = " + L + "(0), m$; m = 1; { let m = " + L + "(1); m = m; }", "let m$1 = $k.box(0), m$; m$1.v = 1; { let m$2 = $k.box(1); m$2.v = m$2.v; }"},
		{"let m = " + L + "(0), m$7; m = 1;", "let m$1 = $k.box(0), m$7; m$1.v = 1;"}, // m$ with a number is taken
		{"function f(a) { a = m; var m = " + L + "(0); m; } m;", "function f(a) { var m$ = $k.box(void 0); a = m$.v; m$.v = (0); m$.v; } m;"},

		// Registrations
		{"a.b.on('x', f, ...g); a.once(); a['on'](f); super_.on;", `$k.on(a.b, "on", "a.b.on", 'x', f, ...g); $k.on(a, "once", "a.once"); a['on'](f); super_.on;`},
		{"class A extends B { m() { super.on(1); this.addListener(2); } }", `class A extends B { m() { $k.reg("(intermediate value).on", super.on, this, 1); $k.on(this, "addListener", "this.addListener", 2); } }`},
		{"a.on.call(b, 'x', f); on.apply(b, g); a.b.once.bind(c); a.on(1).call(2); f.call(on);", `$k.regCall(a.on, b, 'x', f); $k.regApply(on, b, g); $k.regBind(a.b.once, c); $k.on(a, "on", "a.on", 1).call(2); f.call(on);`},
		{"a.end('x', f); a.end('x'); this.write(g()); a().close(() => 1); a.end(); super_.end(1);", `$k.give(a, "end", "a.end", 'x', f); a.end('x'); $k.give(this, "write", "this.write", g()); $k.give(a(), "close", "a(...).close", () => 1); a.end(); super_.end(1);`},
		{"new Promise(f).then(g); new Promise; new (class extends Promise {})(f);", "$k.np(f).then(g); $k.np(); new class extends Promise {}(f);"},
		{"new Promise(f);", "$k.np(f);"},
		{"function f(Promise) { new Promise(1); }", "function f(Promise) { new Promise(1); }"},
	} {
		src, want := c[0], c[1]
		got := emitCommon(t, src)
		if squash(got) != squash(want) {
			t.Errorf("%s\n got %s\nwant %s", src, squash(got), squash(want))
		}
		parse(t, got)
	}
	dep := WithOrigin(func(int) (Position, bool) { return Position{"/a/node_modules/d/i.js", 3, 4}, true })
	got := emitCommon(t, "x = (0, eval)(code); y = new Function(code);", dep)
	if squash(got) != squash(`x = (function () { throw new EvalError("/a/node_modules/d/i.js:3:4: eval of computed text cannot be audited"); })(); y = new Function(code);`) {
		t.Errorf("got %s", got)
	}
}

package serverbuild

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

func emit(t testing.TB, src string, opts Options, po ...program.Option) string {
	t.Helper()
	prog, err := program.Parse(src, po...)
	if err != nil {
		t.Fatalf("%s: %v", src[:min(len(src), 300)], err)
	}
	text, _, err := Emit(prog, opts)
	if err != nil {
		t.Fatalf("%s: %v", src[:min(len(src), 300)], err)
	}
	return text
}

var mark = regexp.MustCompile(`\$d = \(\$d << 5\) - \$d \+ \d+ \| 0`)

func squash(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for _, r := range [][2]string{{"{ ", "{"}, {" }", "}"}, {"; ", ";"}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

func TestMarks(t *testing.T) {
	for _, c := range [][2]string{ // M stands for a mark
		{"function f() { 'use strict'; return 1; }", "function f() { 'use strict'; M; return 1; }"},
		{"var f = () => a, g = (x) => { y; }, h = () => ({});", "var f = () => (M, a), g = (x) => { M; y; }, h = () => (M, {});"},
		{"x = { get a() { return 1; }, b() {}, *c() { yield 1; } };", "x = { get a() { M; return 1; }, b() { M; }, *c() { M; yield 1; } };"},
		{"class A extends B { constructor() { super(); } static m() {} }", "class A extends B { constructor() { M; super(); } static m() { M; } }"},
		{"if (a) b; else c;", "if (a) { M; b; } else { c; }"},
		{"if (a) b; else if (c) d;", "if (a) { M; b; } else if (c) { M; d; }"},
		{"if (a) ; else b;", "if (a) { M; } else { b; }"},
		{"for (;;) a; while (b) c; do d; while (e); for (f in g) h; for (i of j) k;",
			"for (;;) { M; a; } while (b) { M; c; } do { M; d; } while (e); for (f in g) { M; h; } for (i of j) { M; k; }"},
		{"switch (a) { case b: c; default: d; }", "switch (a) { case b: M; c; default: M; d; }"},
		{"try { a; } catch (e) { b; } finally { c; }", "try { a; } catch (e) { M; b; } finally { c; }"},
		{"x = a ? b : c;", "x = a ? (M, b) : c;"},
		{"x = a && b || c;", "x = a && (M, b) || (M, c);"},
		{"a ||= b; a &&= function () {};", "a ||= (M, b); a &&= function () { M; };"},
		{"function f(a = 1, { b = 2, c = () => 3 } = {}, [d = class {}] = []) {}", "function f(a = (M, 1), { b = (M, 2), c = () => (M, 3) } = (M, {}), [d = class {}] = (M, [])) { M; }"},
		{"({ a = 1 } = b); [c = 2] = d;", "({ a = (M, 1) } = b); [c = (M, 2)] = d;"},
		{"(a && b.c)(); delete (a ? b.c : d);", "(a && (M, b.c))(); delete (a ? (M, b.c) : d);"},
		{"a.on('x', () => b); new Promise(f);", "$k.on(a, \"on\", \"a.on\", 'x', () => (M, b)); $k.np(f);"},
		// A pure function stays out of the digest.
		{"function f(s) { for (var i = 0; i < 3; i++) if (s === i) return a(i); return s ? 1 : 2; } function a(x) { return x && 1; } function g() {}",
			"function f(s) { for (var i = 0; i < 3; i++) { if (s === i) { return a(i); } } return s ? 1 : 2; } function a(x) { return x && 1; } function g() { M; }"},
		// Names that the program uses itself.
		{"var $d, $k = () => 1; a.on();", "var $d, $k = () => ($d1 = ($d1 << 5) - $d1 + 821347078 | 0, 1); $k1.on(a, \"on\", \"a.on\");"},
	} {
		got := mark.ReplaceAllString(emit(t, c[0], Options{}), "M")
		if squash(got) != squash(c[1]) {
			t.Errorf("%s\n got %s\nwant %s", c[0], squash(got), squash(c[1]))
		}
	}
}

func TestMarksAreDistinct(t *testing.T) {
	text := emit(t, "function f(a) { if (a) b; for (;;) c; } function g() { a ? b : c && d; }", Options{})
	seen := map[string]bool{}
	for _, m := range mark.FindAllString(text, -1) {
		if seen[m] {
			t.Errorf("%s occurs twice in\n%s", m, text)
		}
		seen[m] = true
	}
	if len(seen) != 6 {
		t.Errorf("got %d marks in\n%s", len(seen), text)
	}
}

func TestSites(t *testing.T) {
	for _, c := range [][2]string{
		// Reads
		{"x = a[i];", "x = ($v = ($t1 = a)[($t2 = i)], $t1[$T] === void 0 ? $v : $k.gi($t1, $t2, $v));"}, // globals may be getters
		{"(a, i) => { x = a[i]; };", "(a, i) => { x = ($v = a[i], a[$T] === void 0 ? $v : $k.gi(a, i, $v)); var $v; };"},
		{"const a = [], i = 0; x = a[i];", "const a = [], i = 0; x = ($v = a[i], a[$T] === void 0 ? $v : $k.gi(a, i, $v));"},
		{"const a = []; x = a[f()]; y = a.b[0];", "const a = []; x = ($v = a[($t1 = f())], a[$T] === void 0 ? $v : $k.gi(a, $t1, $v)); y = ($v = ($t1 = a.b)[0], $t1[$T] === void 0 ? $v : $k.gi($t1, 0, $v));"},
		{"const a = []; x = a.length; y = a['length']; z = a['b'];", "const a = []; x = ($v = a.length, a[$T] === void 0 ? $v : $k.len(a, $v)); y = ($v = a.length, a[$T] === void 0 ? $v : $k.len(a, $v)); z = a['b'];"},
		{"const a = []; x = a[0][1];", "const a = []; x = ($v = ($t1 = ($v = a[0], a[$T] === void 0 ? $v : $k.gi(a, 0, $v)))[1], $t1[$T] === void 0 ? $v : $k.gi($t1, 1, $v));"},
		{"function f() { return arguments[0] + arguments.length + 'abc'.length + f.length + `a`[0]; }", "function f() { return arguments[0] + arguments.length + 'abc'.length + ($v = f.length, f[$T] === void 0 ? $v : $k.len(f, $v)) + `a`[0]; var $v; }"},
		// A captured variable that somebody else writes may change under our feet.
		{"function f() { var i = 0; a.p(() => i++); return x[i]; }", "function f() { var i = 0; a.p(() => { return i++; }); return ($v = ($t1 = x)[($t2 = i)], $t1[$T] === void 0 ? $v : $k.gi($t1, $t2, $v)); var $v, $t1, $t2; }"},
		{"function f(a) { var i = 0; return a[i++]; }", "function f(a) { var i = 0; return ($v = a[($t1 = i++)], a[$T] === void 0 ? $v : $k.gi(a, $t1, $v)); var $v, $t1; }"},
		{"function f(a, i) { a[i] = i++; }", "function f(a, i) { (($t1 = i), ($t2 = i++), (a == null || a[$T] === void 0 ? a[$t1] = $t2 : $k.si(a, $t1, $t2))); var $t1, $t2; }"},
		// Parameters' defaults have no room for temporaries.
		{"function f(a, b = a[0]) {}", `function f(a, b = $at(a, 0).v) {}`},

		// Writes
		{"const a = []; a[0] = 1;", "const a = []; (a == null || a[$T] === void 0 ? a[0] = 1 : $k.si(a, 0, 1));"},
		{"'use strict'; const a = []; a[0] = 1;", "'use strict'; const a = []; (a == null || a[$T] === void 0 ? a[0] = 1 : $k.si(a, 0, 1, 1));"},
		{"const a = []; a[0] = f(); a.length = 0; a.b = 1;", "const a = []; (($t1 = f()), (a == null || a[$T] === void 0 ? a[0] = $t1 : $k.si(a, 0, $t1))); (a == null || a[$T] === void 0 ? a.length = 0 : $k.si(a, \"length\", 0)); a.b = 1;"},
		{"const a = []; a[0] = function () {};", "const a = []; (($t1 = (0, function () {})), (a == null || a[$T] === void 0 ? a[0] = $t1 : $k.si(a, 0, $t1)));"},
		{"const a = []; a[0] += 2;", "const a = []; ($t1 = ($v = a[0], a[$T] === void 0 ? $v : $k.gi(a, 0, $v)) + 2, (a == null || a[$T] === void 0 ? a[0] = $t1 : $k.si(a, 0, $t1)));"},
		{"const a = []; x = a[0]++;", "const a = []; x = ($t1 = ($v = a[0], a[$T] === void 0 ? $v : $k.gi(a, 0, $v)), $t2 = $t1++, (a == null || a[$T] === void 0 ? a[0] = $t1 : $k.si(a, 0, $t1)), $t2);"},
		{"const a = []; --a[0];", "const a = []; ($t1 = ($v = a[0], a[$T] === void 0 ? $v : $k.gi(a, 0, $v)), --$t1, (a == null || a[$T] === void 0 ? a[0] = $t1 : $k.si(a, 0, $t1)));"},
		{"[a[0], b.length] = c; for (a[1] of d) ; ({ x: a[2] = 3 } = e);", "[$at(a, 0).v, $at(b, \"length\").v] = c; for ($at(a, 1).v of d) {} ({ x: $at(a, 2).v = 3 } = e);"},
		{"'use strict'; [a[0]] = b;", "'use strict'; [$ats(a, 0).v] = b;"},
		{"a[0] ||= b;", "$at(a, 0).v ||= b;"},

		// Questions
		{"x = k in o; delete o.p; delete o[k]; delete x;", `x = $k.has(k, o); $k.del(o, "p", 0); $k.del(o, k, 0); delete x;`},
		{"'use strict'; delete o.p;", `'use strict'; $k.del(o, "p", 1);`},
		{"for (var k in o, p) ;", "for (var k in $k.fi((o, p))) {}"},
		{"for (const x of a) [...a, ...b]; const [c] = a;", "for (const x of a) { [...a, ...b]; } const [c] = a;"},

		// What natives borrow or are given
		{"f.call(x, 1); f.apply(x, y); a.b.apply(null, y);", `$k.bc("f.call", f, x, 1); $k.ba("f.apply", f, x, y); $k.ba("a.b.apply", a.b, null, y);`},
		{"function g() { f.call(this, x); f.apply(null, arguments); f.apply(this, [x]); }", "function g() { f.call(this, x); f.apply(null, arguments); f.apply(this, [x]); }"},
		{"new Map(x); new Map(); new Set(x);", "new Map($k.pairs(x)); new Map(); new Set(x);"},
		{"const { length, a } = x; ({ b, 0: c } = x); const { d } = x;", "const { [$k.el]: {} = 0, length, a } = x; ({ [$k.el]: {} = 0, b, 0: c } = x); const { d } = x;"},

		// Calls keep this
		{"const o = {}; o.p[1](2);", "const o = {}; (($t1 = o.p), $t1 == null || $t1[$T] === void 0 || $k.gi($t1, 1, $t1[1]), $k.mc(\"o.p[1]\", $t1, $t1[1], 2));"},
		{"const o = {}, k = 1; o[k](2); o.m(3); o['m'](4);", "const o = {}, k = 1; (o == null || o[$T] === void 0 || $k.gi(o, k, o[k]), o[k](2)); o.m(3); o['m'](4);"},
		{"const a = []; f.g[0](a[1]);", "const a = []; (($t1 = f.g), $t1 == null || $t1[$T] === void 0 || $k.gi($t1, 0, $t1[0]), $k.mc(\"f.g[0]\", $t1, $t1[0], ($v = a[1], a[$T] === void 0 ? $v : $k.gi(a, 1, $v))));"},
		{"new a[0](1); class A extends B { m() { return super[0] + super.length; } }", "new (($v = ($t1 = a)[0], $t1[$T] === void 0 ? $v : $k.gi($t1, 0, $v)))(1); class A extends B { m() { return super[0] + super.length; } }"},
	} {
		src := c[0] + " __karousos_loggable(0);"
		got := squash(emit(t, src, Options{NoMarks: true}))
		got, _, _ = strings.Cut(got, ";$k.loggable(0)")
		got, _, _ = strings.Cut(got, " $k.loggable(0)")
		want := strings.TrimSuffix(squash(c[1]), ";")
		if strings.TrimSuffix(got, ";") != want {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, want)
		}
	}
	// Without annotations there is nothing to look for.
	if got := squash(emit(t, "x = a[i] + a.length; k in o; delete o.p;", Options{NoMarks: true})); got != "x = a[i] + a.length;k in o;delete o.p;" {
		t.Errorf("without annotations: %s", got)
	}
}

func TestNotLowered(t *testing.T) {
	for _, src := range []string{"a?.b;", "class A { b = 1; }"} {
		prog, err := program.Parse(src + "__karousos_loggable(0);")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Emit(prog, Options{}); err == nil || !strings.Contains(err.Error(), "lowered") {
			t.Errorf("%s: got error %v", src, err)
		}
	}
}

// stub is a runtime that does nothing but what the language does. With all, every
// object claims to be tracked.
func stub(all bool) string {
	s := `var $k = (() => {
  const T = Symbol('tracked');
  return { T, start(s) { if (s.get() !== 0) print('digest'); }, run(f) { f.call(globalThis); },
    on(o, m, t, ...a) { return o[m](...a); }, reg: (t, f, o, ...a) => Reflect.apply(f, o, a), regCall: (f, ...a) => f.call(...a), regApply: (f, ...a) => f.apply(...a), regBind: (f, ...a) => f.bind(...a), give: (o, m, t, ...a) => { if (typeof o[m] !== 'function') throw new TypeError(t + ' is not a function'); return o[m](...a); }, np(...a) { return new Promise(...a); }, ctor: (x) => x.constructor, loggable: (x) => x, box: (v) => ({ v }),
    bc: (t, f, ...a) => f.call(...a), ba: (t, f, ...a) => f.apply(...a), pairs: (x) => x, el: Symbol('elements'),
    gi: (o, k, v) => v, len: (o, v) => v, si(o, k, v, strict) { return strict ? (function () { 'use strict'; return o[k] = v; })() : o[k] = v; }, has: (k, o) => k in o, fi: (o) => o, it(x, text) { if (x == null) throw new TypeError((text || x) + ' is not iterable'); return x; }, sp: (x) => x, mc: (text, o, f, ...args) => f.apply(o, args),
    del(o, k, strict) { return strict ? (function () { 'use strict'; return delete o[k]; })() : delete o[k]; } };
})();
`
	if all {
		s += "Object.defineProperty(Object.prototype, $k.T, { value: 1 });\n"
	}
	return s
}

func wrap(t testing.TB, src string, opts Options, all bool) string {
	prog, err := program.Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	text, _, err := Emit(prog, opts)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return Head(prog) + stub(all) + Prologue(prog, "abc") + text + Epilogue()
}

// differences runs programs plain and as emitted in several ways.
func differences(t testing.TB, programs []nodetest.Program) (bad []string) {
	const annotate = "\n__karousos_loggable(0);\n"
	var texts []string
	for _, p := range programs {
		texts = append(texts, p.Text, wrap(t, p.Text, Options{}, false), wrap(t, p.Text+annotate, Options{}, false), wrap(t, p.Text+annotate, Options{}, true))
	}
	out := nodetest.Run(t, texts)
	for i, p := range programs {
		for j, how := range []string{"with marks", "with sites", "with all objects tracked"} {
			if plain, got := out[4*i], out[4*i+j+1]; plain != got {
				bad = append(bad, p.Name+" "+how+" differs\nplain:\n"+plain+"\nemitted:\n"+got+"\n"+texts[4*i+j+1])
			}
		}
	}
	return bad
}

func TestBehaviour(t *testing.T) {
	var programs []nodetest.Program
	for _, p := range nodetest.Corpus(t) {
		programs = append(programs, nodetest.Program{Name: p.Name, Text: nodetest.Lower(t, p.Text)})
	}
	for _, d := range differences(t, programs) {
		t.Error(d)
	}
	t.Logf("%d programs", len(programs))
}

// Variables that live in boxes behave like variables.
func TestBoxedBehaviour(t *testing.T) {
	var texts, names []string
	declaration := regexp.MustCompile(`(?m)\b(let|var) ([a-z]\w*) = ([^,;=\n]*);`)
	for _, c := range nodetest.Corpus(t) {
		text := nodetest.Lower(t, c.Text)
		boxed := declaration.ReplaceAllString(text, "$1 $2 = __karousos_loggable($3);")
		prog, err := program.Parse(boxed)
		if err != nil {
			continue // a loop's head, a second declaration…
		}
		if !prog.Annotated() {
			continue
		}
		emitted, _, err := Emit(prog, Options{})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, c.Name)
		texts = append(texts, text, Head(prog)+stub(false)+Prologue(prog, "abc")+emitted+Epilogue())
	}
	if len(names) < 10 {
		t.Fatalf("only %d programs have variables to box", len(names))
	}
	out := nodetest.Run(t, texts)
	for i, name := range names {
		plain, got := out[2*i], out[2*i+1]
		if plain != got && unboxed.ReplaceAllString(got, "$1") != plain {
			t.Errorf("%s differs\nplain:\n%s\nboxed:\n%s\n%s", name, plain, got, texts[2*i+1])
		}
	}
	t.Logf("%d programs", len(names))
}

// unboxed undoes what boxes show in error messages.
var unboxed = regexp.MustCompile(`\b(\w+)\$\.v\b`)

func TestWholeFile(t *testing.T) {
	prog, err := program.Parse("'use strict'; const m = __karousos_loggable(new Map()); exports.x = m; var $d = 1;")
	if err != nil {
		t.Fatal(err)
	}
	text, maps, err := Emit(prog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := Head(prog) + "var $k=RUNTIME;\n" + Prologue(prog, "ab12") + text + Epilogue()
	for _, want := range []string{"var $d1=0;\n", `$k.start({buildId:"ab12",get:function(){return $d1},set:function(v){$d1=v}});`,
		"$k.run(function(exports,require,module,__filename,__dirname,process){'use strict';", "$k.loggable(new Map())"} {
		if !strings.Contains(file, want) {
			t.Errorf("%q is not in\n%s", want, file)
		}
	}
	if _, err := syntax.Parse(file); err != nil {
		t.Error(err)
	}
	for _, m := range maps {
		if m.Gen >= len(text) || m.Src >= len(prog.Text) {
			t.Errorf("mapping %v is outside", m)
		}
	}
}

// Whole apps come out as text that Node accepts, and the same each time.
func TestBundles(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	for _, app := range []string{"motd", "motd-express5"} {
		t.Run(app, func(t *testing.T) {
			text := nodetest.Bundle(t, app, "server.js", "express") + "\n__karousos_loggable(0);\n"
			find := nodetest.Origin(text)
			origin := program.WithOrigin(func(o int) (program.Position, bool) { return program.Position{File: find(o)}, true })
			one := emit(t, text, Options{}, origin)
			if two := emit(t, text, Options{}, origin); one != two {
				t.Error("two emissions differ")
			}
			cmd := exec.Command(node, "--check", "-")
			cmd.Stdin = strings.NewReader("(function(){" + one + "\n});")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("node: %v\n%s", err, out)
			}
			t.Logf("%d bytes became %d", len(text), len(one))
		})
	}
}

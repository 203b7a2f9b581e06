package annotation

import (
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const dir = "//karousos:loggable\n"

// rewritten checks that code becomes want. In both, @ stands for a directive with
// its line end, and in want L( is short for the call of the marker.
func rewritten(t *testing.T, file, code, want string) {
	t.Helper()
	t.Run(code, func(t *testing.T) {
		t.Helper()
		r, err := Rewrite(file, strings.ReplaceAll(code, "@", dir))
		if err != nil {
			t.Fatal(err)
		}
		want = strings.ReplaceAll(strings.ReplaceAll(want, "@", dir), "L(", Marker+"(")
		if r.Text != want {
			t.Errorf("\ngot  %q\nwant %q", r.Text, want)
		}
	})
}

func TestDeclarations(t *testing.T) {
	js := func(code, want string) { t.Helper(); rewritten(t, "a.js", code, want) }
	js("@const a = new Map();", "@const a = L(new Map());")
	js("@const a = new Map()", "@const a = L(new Map())")
	js("@const a=1", "@const a=L(1)")
	js("@let a;", "@let a = L(void 0);")
	js("@let a", "@let a = L(void 0)")
	js("@let a\na = 3", "@let a = L(void 0)\na = 3")
	js("@let xa = 1, a = xa", "@let xa = L(1), a = L(xa)")
	js("@var a, b = 1, c", "@var a = L(void 0), b = L(1), c = L(void 0)")
	js("@var a = f(1, 2), b = [1, 2], c = {d: 1, e};", "@var a = L(f(1, 2)), b = L([1, 2]), c = L({d: 1, e});")
	js("@export const a = 1;", "@export const a = L(1);")
	js("@export let a", "@export let a = L(void 0)")
	js("@let a = 1; export { a }", "@let a = L(1); export { a }")
	js("@export // why\n /* and */ const /* what */ a /* is */ = /* it */ 1 // end\n;", "@export // why\n /* and */ const /* what */ a /* is */ = /* it */ L(1) // end\n;")
	js("@// a comment between\n\nconst a = 1", "@// a comment between\n\nconst a = L(1)")
	js("@const a = {\n  b: 1,\n};\nfoo()", "@const a = L({\n  b: 1,\n});\nfoo()")
	js("foo(); @const a = 1", "foo(); @const a = L(1)")
	js("function f() { @let n = 0; return () => n++ }", "function f() { @let n = L(0); return () => n++ }")
	js("@let a = () => { @let b = 1; return b }", "@let a = L(() => { @let b = L(1); return b })")
	js("@const a = 1\n@const b = 2", "@const a = L(1)\n@const b = L(2)")
	js("#!/usr/bin/env node\n@const a = 1", "#!/usr/bin/env node\n@const a = L(1)")
	js("\ufeff@const a = 1", "\ufeff@const a = L(1)")
	js("'use strict'\r\n//karousos:loggable\r\nconst a = 1\r\nb()\r\n", "'use strict'\r\n//karousos:loggable\r\nconst a = L(1)\r\nb()\r\n")
	js("//karousos:loggable // shared by all requests\nconst a = 1", "//karousos:loggable // shared by all requests\nconst a = L(1)")
	js("@const a = await b()", "@const a = L(await b())")
	js("function* f() { @const a = yield 1, b = yield }", "function* f() { @const a = L(yield 1), b = L(yield) }")
	js("@const enum_ = 1", "@const enum_ = L(1)")
	js("@var let_ = 1, async = 2, of = 3", "@var let_ = L(1), async = L(2), of = L(3)")
	js("@const café = 1, $ = 2, _ = 3, 名 = 4", "@const café = L(1), $ = L(2), _ = L(3), 名 = L(4)")
}

// A declaration ends where the language says, also where nobody wrote a semicolon.
func TestWithoutSemicolons(t *testing.T) {
	js := func(code, want string) { t.Helper(); rewritten(t, "a.js", code, want) }
	js("@const a = b\nconst c = d", "@const a = L(b)\nconst c = d")
	js("@const a = b\n++c", "@const a = L(b)\n++c")
	js("@const a = b\n(c)", "@const a = L(b\n(c))")
	js("@const a = () => {}\n(c)", "@const a = L(() => {});\n(c)")
	js("@const a = b\n[c]", "@const a = L(b\n[c])")
	js("@const a = b\n`c`", "@const a = L(b\n`c`)")
	js("@const a = b\n  .c()\n  // why\n  .d()\ne()", "@const a = L(b\n  .c()\n  // why\n  .d())\ne()")
	js("@const a = b\n  || c\n  , d\n  = e", "@const a = L(b\n  || c)\n  , d\n  = L(e)")
	js("@const a = b\n/c/g\nd", "@const a = L(b\n/c/g)\nd")
	js("@let a\nlet b = 1", "@let a = L(void 0)\nlet b = 1")
	js("@let a\n, b = 1", "@let a = L(void 0)\n, b = L(1)")
	js("@let a\n= 1\nb = 2", "@let a\n= L(1)\nb = 2")
	js("{ @let a = 1 }", "{ @let a = L(1) }")
	js("{ @let a }", "{ @let a = L(void 0) }")
}

// Everything that may be an initial value, before another declarator.
func TestInitialisers(t *testing.T) {
	for _, e := range []string{
		"a ? b : c", "x => y", "(x, y) => ({x, y})", "async x => await x", "() => { return 1, 2 }", "function () { return [1, 2] }",
		"function* f(a, b) { yield 1, 2 }", "class A extends B { c = 1; d() {} static { e, f } }", "a = b", "(a, b)", "a += b",
		"a ?? b", "a?.b", "a?.[b, c]", "new A", "new A(b, c)", "a`b${c, d}e${`f${g}`}`", "`}`", "`,;`", "`${'`'}`", `'a,\';b'`, `"a,\";b"`,
		"/[,;/]/g", `/a\/,/`, "a / b / c", "a++ / 2 / b", "(a) / b", "typeof /,/", "typeof a / b", "[...a, b]", "{...a, b}",
		"{'a,b': 1, [c]: 2, get d() { return 1 }}", "1_000", "0x1f", "1e3", "1n", ".5", "-a", "!a", "void 0", "delete a.b", "a in b",
		"a instanceof b", "this", "null", "import.meta.url", "import('a')", "await a", "a => b => c", "async function () {}", "a || b && c",
		"a ** b", "'ü😀'", "ü", "{}", "[]", "a < b", "(function () {})()", "(0, a.b)()", "new (a())()", "a?.b[c, d]",
		"await Promise.all([\n  a,\n  b,\n])", "new Map([\n  ['a', {b: 1}], // x\n  ['c', /[\"']/],\n])",
	} {
		rewritten(t, "a.mjs", "@let v = "+e+", w = 1;", "@let v = L("+e+"), w = L(1);")
		rewritten(t, "a.mjs", "@let v = "+e+"\nw = 1", "@let v = L("+e+")\nw = 1")
		rewritten(t, "a.mts", "@let v: A<B, C>= "+e+" // ,\n;", "@let v: A<B, C>= L("+e+") // ,\n;")
	}
}

func TestTypeScript(t *testing.T) {
	ts := func(code, want string) { t.Helper(); rewritten(t, "a.ts", code, want) }
	ts("@const motd: Map<string, Entry> = new Map();", "@const motd: Map<string, Entry> = L(new Map());")
	ts("@const motd = new Map<string, Entry>(), b = 1", "@const motd = L(new Map<string, Entry>()), b = L(1)")
	ts("@let a: number, b: Map<string, () => void>, c: string = 'x'", "@let a: number = L(void 0), b: Map<string, () => void> = L(void 0), c: string = L('x')")
	ts("@let a: number", "@let a: number = L(void 0)")
	ts("@let a: number\nlet b = 1", "@let a: number = L(void 0)\nlet b = 1")
	ts("@let a: { b: number; c?: string }\nb = 1", "@let a: { b: number; c?: string } = L(void 0)\nb = 1")
	ts("@let a:\n  | 'x,y'\n  | 'z'\nb()", "@let a:\n  | 'x,y'\n  | 'z' = L(void 0)\nb()")
	ts("@let f: <T = A>(x: T, y?: B<T>) => x is C = g", "@let f: <T = A>(x: T, y?: B<T>) => x is C = L(g)")
	ts("@let f: (x: A) => B<C, D>= g, h = 1", "@let f: (x: A) => B<C, D>= L(g), h = L(1)")
	ts("@let a: A<B<C>>= g", "@let a: A<B<C>>= L(g)")
	ts("@const a = <T,>(x: T): A<T, B> => x, c = 1", "@const a = L(<T,>(x: T): A<T, B> => x), c = L(1)")
	ts("@const a = (x: B): C => ({ d: x }), e = f", "@const a = L((x: B): C => ({ d: x })), e = L(f)")
	ts("@const a = {} as Record<string, B>, c = 1", "@const a = L({} as Record<string, B>), c = L(1)")
	ts("@const a = [] satisfies B[] as const\nc()", "@const a = L([] satisfies B[] as const)\nc()")
	ts("@const a = b!, c = d!.e", "@const a = L(b!), c = L(d!.e)")
	ts("@let a = <Map<A, B>>b, c", "@let a = L(<Map<A, B>>b), c = L(void 0)")
	ts("@export const a: typeof import('b')['c'] = d", "@export const a: typeof import('b')['c'] = L(d)")
	ts("@const a: `x${string},` = 'x,'", "@const a: `x${string},` = L('x,')")
	ts("import type { B } from './b';\n@const a: B = f()\nclass C { constructor(private readonly e: F) {} }", "import type { B } from './b';\n@const a: B = L(f())\nclass C { constructor(private readonly e: F) {} }")
	rewritten(t, "a.tsx", "@const a = <p>don't, {b}; //karousos:loggable</p>, c: D = <i/>;", "@const a = L(<p>don't, {b}; //karousos:loggable</p>), c: D = L(<i/>);")
}

// The same words where they are no directive.
func TestNoDirective(t *testing.T) {
	for _, code := range []string{
		"const a = '//karousos:loggable'\nconst b = 1",
		"const a = `\n//karousos:loggable\nconst b = 1`",
		"const a = /[//karousos:loggable]/",
		"/*\n//karousos:loggable\n*/\nconst b = 1",
		"// see //karousos:loggable\nconst b = 1",
		"// karousos:loggable\nconst b = 1",
		"/** //karousos:nonsense */ const b = 1",
		"const a = \"\\\n//karousos:nonsense\"",
		"const a = 1",
		"const a = ; //karousos:loggable", // does not parse: the bundler's to report
	} {
		rewritten(t, "a.js", code, code)
	}
	rewritten(t, "a.jsx", "const a = <p>\n//karousos:loggable\n</p>", "const a = <p>\n//karousos:loggable\n</p>")
	rewritten(t, "a.json", "{} //karousos:loggable", "{} //karousos:loggable")
	// Code inside of a template is code.
	rewritten(t, "a.js", "x(`${() => { @let a = 1 }}`)", "x(`${() => { @let a = L(1) }}`)")
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"a()\n  //karousos:logable\nconst b = 1", "a.js:2:3: unknown directive //karousos:logable; the one that JavaScript knows is //karousos:loggable"},
		{"//karousos:\nconst b = 1", "a.js:1:1: unknown directive //karousos:;"},
		{"'😀'; //karousos:x", "a.js:1:7: unknown directive"},
		{"//karousos:loggable all\nconst b = 1", `a.js:1:1: //karousos:loggable takes no arguments, found "all"`},
		{"@foo()", "a.js:1:1: //karousos:loggable must stand on the line before a let, var or const declaration; move it there, or import"},
		{"const b = 1 @", "a.js:1:13: //karousos:loggable must stand on the line before"},
		{"@import a from 'a'", "must stand on the line before"},
		{"@function f() {}", "must stand on the line before"},
		{"@export default 1", "must stand on the line before"},
		{"@for (let i = 0;;) {}", "must stand on the line before"},
		{"class A { @static a = 1 }", "must stand on the line before"},
		{"@var let_; @", "must stand on the line before"},
		{"@const { a } = b", "a.js:1:1: //karousos:loggable before a destructuring declaration"},
		{"@let a = 1, [b] = c", "a.js:1:1: //karousos:loggable before a destructuring declaration"},
		{"@@const a = 1", "a.js:2:1: this declaration already has a directive"},
	} {
		_, err := Rewrite("a.js", strings.ReplaceAll(c.code, "@", dir))
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.code, err, c.want)
		}
	}
	if _, err := Rewrite("a.ts", dir+"const enum A { B }"); err == nil || !strings.Contains(err.Error(), "before an enum") {
		t.Error(err)
	}
	if _, err := Rewrite("a.ts", dir+"declare const a: B"); err == nil {
		t.Error("declare const was accepted")
	}
}

func TestAnnotationsAndInsertions(t *testing.T) {
	r, err := Rewrite("lib/a.ts", "let z\n  //karousos:loggable\n  export let /*😀*/ a = 1, b: C\n"+dir+"var d = 2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.Annotations {
		got = append(got, a.Kind+" "+a.Name+" "+a.Position.String())
	}
	if s := strings.Join(got, "; "); s != "let a lib/a.ts:3:21; let b lib/a.ts:3:28; var d lib/a.ts:5:5" {
		t.Error(s)
	}
	want := []Insertion{{2, 24, 20}, {2, 25, 1}, {2, 31, 30}, {4, 8, 20}, {4, 9, 1}}
	if len(r.Insertions) != len(want) {
		t.Fatalf("got %v", r.Insertions)
	}
	for i := range want {
		if r.Insertions[i] != want[i] {
			t.Errorf("insertion %d: got %v, want %v", i, r.Insertions[i], want[i])
		}
	}
}

// Whatever is put together from pieces of programs: either it is refused, or
// what comes out is a program with the same lines.
func TestOnlyEverWraps(t *testing.T) {
	pieces := []string{"let a", "const b", "var c", "a", "b", "=", "=", ",", ";", "\n", "\n", "(", ")", "{", "}", "[", "]", "=>", "1", "'x,'", "`y${", "}`",
		"/", "/z,/", "<", ">", ": A", "?", ":", " + ", "++", ".d", "//karousos:loggable\n", "//karousos:loggable\n", "function () ", "async ", "await ", "new ", "as ", "!", "export "}
	rapid.Check(t, func(t *rapid.T) {
		code := dir + "let a" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 14).Draw(t, "pieces"), "")
		for _, file := range []string{"a.js", "a.ts"} {
			r, err := Rewrite(file, code)
			if err != nil || r.Text == code {
				continue
			}
			p := &rewriter{file: file}
			p.loader, _ = LoaderFor(file)
			if _, ok := p.print(code); !ok {
				t.Fatalf("a file that does not parse was rewritten: %q", code)
			}
			if _, ok := p.print(r.Text); !ok {
				t.Fatalf("%q became %q, which does not parse", code, r.Text)
			}
			if strings.Count(r.Text, "\n") != strings.Count(code, "\n") {
				t.Fatalf("lines moved: %q became %q", code, r.Text)
			}
		}
	})
}

func TestRealFile(t *testing.T) {
	src, err := os.ReadFile("../../testapps/motd/server.js")
	if err != nil {
		t.Skip(err)
	}
	r, err := Rewrite("server.js", string(src))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Text, "const motd = __karousos_loggable(new Map());") {
		t.Error(r.Text)
	}
}

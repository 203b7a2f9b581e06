package transpile

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"karousosc/transpile/bundle"
	"karousosc/transpile/program"
)

// parsed is the program of an app of some files, whose entry is main.js.
func parsed(t *testing.T, files map[string]string) *program.Program {
	t.Helper()
	return parsedFrom(t, files, "main.js")
}

func parsedFrom(t *testing.T, files map[string]string, entry string) *program.Program {
	t.Helper()
	files["package.json"] = fmt.Sprintf(`{"main": %q}`, entry)
	app, err := bundle.OpenApp(writeApp(t, files), "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.First(app)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := program.Parse(b.Text, program.WithOrigin(func(o int) (program.Position, bool) {
		p, ok := b.Position(o)
		return program.Position(p), ok
	}))
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// foundIn lists what is found to be shared in a program.
func foundIn(p *program.Program) string {
	f := &inferred{}
	f.find(p)
	var out []string
	for _, x := range f.list {
		text := x.Position.String() + " " + x.Name + " is " + x.How
		if !x.Tracked {
			text += " untracked"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestInferred(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"assigned", "let n = 0;\nexports.f = () => { n = 1 }", "main.js:1:5 n is assigned"},
		{"counted", "let n = 0;\nexports.f = function () { return n++ }", "main.js:1:5 n is assigned"},
		{"filled later", "var a, b;\nb = 1; exports.f = () => a ??= 1", "main.js:1:5 a is assigned"},
		{"map", "const m = new Map();\nexports.f = () => m.set(1, 2)", "main.js:1:7 m is changed"},
		{"array", "const m = [];\nexports.f = () => { if (m[0]) m.push(1) }", "main.js:1:7 m is changed"},
		{"object", "const m = { n: 0 }, k = {};\nexports.f = () => { m.n++; delete k[m] }", "main.js:1:7 m is changed, main.js:1:21 k is changed"},
		{"made by a call", "const m = Object.create(null), k = Array.from('ab'), v = Object.keys({});\nexports.f = (x) => { m[x] = 1; k.sort(); v.sort() }", "main.js:1:7 m is changed, main.js:1:32 k is changed, main.js:1:54 v is changed"},
		{"deep", "const m = { a: { b: [] } };\nexports.f = () => { m.a['b'].push(1) }", "main.js:1:21 m.a.b is changed"},
		{"in a method", "const m = new Set();\nexports.A = class { async f() { async function g() { m.add(1) } } }", "main.js:1:7 m is changed"},
		{"at load time", "let n = 0; n = 1; const m = new Map(); m.set(1, 2); n++", ""},
		{"only read", "let n = 0; const m = new Map(); exports.f = () => m.get(n)", ""},
		{"local", "require('http').createServer(() => { let n = 0; n++; const m = []; m.push(1); return () => n++ })", ""},
		{"what Array.from calls", "const m = new Map(Array.from([1], (x) => [x, {}]));\nexports.f = async (l) => l.map((x) => m.get(x)); exports.g = () => {}; exports.h = () => {}", ""},
		{"shadowed", "let n = 0; exports.f = (n) => { n++ }", ""},
		{"no container", "const app = require('events'); exports.f = () => { app.set(1) }", ""},
		{"an object's own methods", "const m = { set() {}, a: [] };\nexports.f = () => m.set(1)", ""},
		{"undeclared", "exports.f = () => { n = 1 }", "main.js:1:21 globalThis.n is changed"},
		{"undeclared in strict code", "'use strict';\nexports.f = () => { n = 1 }", ""},
		{"made for strict code", "'use strict';\nglobalThis.n = 0;\nexports.f = () => { n = 1 }", "main.js:2:1 globalThis.n is changed"},
		{"annotated", "//karousos:loggable\nlet n = 0, m = new Map();\nexports.f = () => { n++; m.set(1, 2) }", ""},
		{"by call", "import { loggable } from 'karousos'; let n = loggable(0);\nexport const f = () => { n++ }", ""},
		{"in a lazy module", "exports.f = () => import('./late.mjs')", "late.mjs:1:5 n is assigned"},
		{"not by itself", "let { n } = require('p');\nlet [m] = [1]; exports.f = () => { n = 1; m = 2 }", "main.js:1:7 n is assigned untracked, main.js:2:6 m is assigned untracked"},
		{"annotated, made by a call", "//karousos:loggable\nconst m = Object.create(null);\nexports.f = (x) => { m[x] = 1 }", ""},
		{"fields that a package keeps", "require('quick-lru')", "node_modules/quick-lru/index.js:1:55 this.cache is changed"},
		{"variables that a package keeps", "require('memory-cache')", "node_modules/memory-cache/index.js:1:5 _size is assigned, node_modules/memory-cache/index.js:1:25 _cache is changed"},
		{"a generator's numbers", "function* count() { let n = 0; while (true) yield n++ }\nconst ids = count(), all = [...count()]; exports.f = () => ids.next().value; exports.g = () => { all.push(all.next, ...count()); for (const n of count()) return n }", "main.js:2:7 ids is advanced untracked, main.js:2:22 all is changed"},
		{"sorted where it is made", "const m = new Map(), all = [...m.keys()].map(String);\nfunction f() { const l = Object.keys(m); l.reverse(); return [...m.values()].map(String).sort().concat(l) }\nf(); exports.f = () => { f(); all.sort() }", "main.js:1:22 all is changed"},
		{"under a key", "const m = {}, K = Symbol();\nm[K] = { n: 0 }; exports.f = () => { m[K].n++ }", "main.js:2:8 m[K] is changed"},
		{"turns in a round", "const hosts = ['a', 'b'][Symbol.iterator](), names = new Map([[1, { n: 0 }]]).values();\nexports.f = () => { for (const x of names) { x.n++; break } }; exports.g = () => new Set().values().next()", "main.js:1:46 names is advanced untracked, main.js:1:63 part of names is changed"},
		{"packages are left alone", "require('p')", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := foundIn(parsed(t, map[string]string{
				"main.js":                 c.code,
				"late.mjs":                "let n = 0; export const f = () => { n++ };\n//karousos:loggable\nlet m = 0; export const g = () => { m++ }",
				"node_modules/p/index.js": "let n = 0; exports.f = () => { n++ }",

				"node_modules/quick-lru/index.js":    "module.exports = class { constructor() { this.cache = new Map(); this.max = {} } clear() { this.cache = new Map() } }",
				"node_modules/memory-cache/index.js": "var _size = 0, _cache = {}; var other = {}; exports.put = (k) => { _size++; _cache[k] = other[k] = 1 }",
			}))
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFoundInCorpus: in the programs of testdata/sharing, exactly what the comments
// `// want "name how" …` expect is found in their lines.
func TestFoundInCorpus(t *testing.T) {
	const corpus = "testdata/sharing"
	files := map[string]string{"node_modules/express/index.js": "module.exports = function () { return { locals: {} } }; module.exports.Router = () => ({ stack: [] })"}
	want := map[string]int{}
	expect := regexp.MustCompile(`"([^"]*)"`)
	var entries []string
	err := fs.WalkDir(os.DirFS(corpus), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(corpus, name))
		files[name] = string(text)
		if path.Dir(name) == "." {
			entries = append(entries, name)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if _, comment, ok := strings.Cut(line, "// want "); ok {
				for _, m := range expect.FindAllStringSubmatch(comment, -1) {
					want[fmt.Sprintf("%s:%d: %s", name, i+1, m[1])]++
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, entry := range entries {
		f := &inferred{}
		f.find(parsedFrom(t, files, entry))
		for _, x := range f.list {
			got[fmt.Sprintf("%s:%d: %s %s", x.Position.File, x.Position.Line, x.Name, x.How)]++
		}
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: found %d times, not %d", k, got[k], n)
		}
	}
	for k := range got {
		if want[k] == 0 {
			t.Errorf("%s: found, but not expected", k)
		}
	}
}

// A module of Node.js is known for what it is behind the bundle's own require, so
// that scanning a URL is not told apart by its length.
func TestPureThroughGuard(t *testing.T) {
	const scan = "var parse = require('url').parse; exports.scan = function scan(s) { if (typeof s !== 'string') return parse(s); for (let i = 0; i < s.length; i++) if (s.charCodeAt(i) === 63) return s; return parse(s); }"
	for text, want := range map[string]bool{scan: true, "require = null;" + scan: false} {
		p := parsed(t, map[string]string{"main.js": "require('p')", "node_modules/p/index.js": text})
		for _, f := range p.Funcs {
			if f.Name == "scan" && f.Pure != want {
				t.Errorf("%s: pure is %v", text, f.Pure)
			}
		}
	}
}

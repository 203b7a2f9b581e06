package bundle

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type files map[string]string

// app writes an app into a folder of its own; package.json is made up if missing.
func app(t *testing.T, fs files) string {
	t.Helper()
	dir := t.TempDir()
	if _, ok := fs["package.json"]; !ok {
		fs["package.json"] = `{"name": "app", "main": "main.js"}`
	}
	for name, text := range fs {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func first(t *testing.T, fs files) *Bundle {
	t.Helper()
	a, err := OpenApp(app(t, fs), "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := First(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// node runs a script and returns what it printed.
func node(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("node", file).CombinedOutput()
	if err != nil {
		t.Logf("node: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// runs checks that the bundle of an app, and its plain bundle, print what the app
// prints when Node.js runs it from its folder.
func runs(t *testing.T, name string, fs files, want string) {
	t.Run(name, func(t *testing.T) {
		dir := app(t, fs)
		a, err := OpenApp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(a.Entry, ".ts") && !strings.Contains(want, "karousosc") {
			if got := node(t, filepath.Join(dir, a.Entry)); got != want {
				t.Errorf("Node.js itself prints %q, want %q", got, want)
			}
		}
		for _, plain := range []bool{false, true} {
			b, err := bundle(a, plain)
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(t.TempDir(), "index.js")
			text := "function __karousos_loggable(x) { console.log('loggable'); return x; }\n" + b.Text
			if plain {
				text = b.Text
			}
			if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(node(t, script), filepath.Dir(script), dir); got != want && !(plain && strings.Contains(want, "karousosc")) {
				t.Errorf("plain %v: got\n%s\nwant\n%s", plain, got, want)
			}
		}
	})
}

func TestBehaviour(t *testing.T) {
	runs(t, "main module", files{
		"main.js":  "'use strict';\nconst other = require('./other');\nif (require.main === module) console.log('main', other.isMain, require.main !== undefined)",
		"other.js": "exports.isMain = require.main === module",
	}, "main false true")
	runs(t, "modules keep their strictness", files{
		"main.js":   "'use strict';\nconsole.log((function () { return this === undefined })(), require('./sloppy')())",
		"sloppy.js": "module.exports = function () { undeclared = 1; return this === undefined }",
	}, "true false")
	runs(t, "json, folders, extensions", files{
		"main.js":      "console.log(require('./data').a, require('./lib').b, require('pkg').c, require('pkg/sub'))",
		"data.json":    `{"a": 1}`,
		"lib/index.js": "exports.b = 2",
		"node_modules/pkg/package.json": `{"main": "./cjs.js", "module": "./esm.js", "browser": "./browser.js",
			"exports": {".": {"module": "./esm.js", "browser": "./browser.js", "import": "./esm.js", "default": "./cjs.js"}, "./sub": "./sub.js"}}`,
		"node_modules/pkg/cjs.js": "exports.c = 3",
		"node_modules/pkg/esm.js": "export const c = 'wrong'",
		"node_modules/pkg/sub.js": "module.exports = 4",
	}, "1 2 3 4")
	runs(t, "es modules", files{
		"package.json": `{"type": "module", "main": "main.js"}`,
		"main.js": `import fs, { existsSync } from 'node:fs'; import * as path from 'path'; import { a, inc } from './a.js'; import cjs from './c.cjs';
import { fileURLToPath } from 'url';
inc(); console.log(a, typeof fs.readFileSync, existsSync === fs.existsSync, path.join('x', 'y'), cjs.d, fileURLToPath(import.meta.url) === import.meta.filename, import.meta.dirname === path.dirname(import.meta.filename));
const { default: late } = await0(); function await0() { return { default: 1 } }
import('./late.js').then(m => console.log(m.default, late))`,
		"a.js":    "export let a = 1; export function inc() { a++ }",
		"c.cjs":   "exports.d = this === exports",
		"late.js": "export default 'late'",
	}, "2 function true x/y true true true\nlate 1")
	runs(t, "typescript", files{
		"package.json": `{"main": "src/main.ts"}`,
		"src/main.ts":  "import { E, f } from './f';\nenum X { A = 2 }\nconst x: E = { n: X.A };\nclass C { #p = f(x); constructor(private q: number) {} get r() { return this.#p + this.q } }\nconsole.log(new C(3).r)",
		"src/f.ts":     "export interface E { n: number }\nexport function f(e: E): number { return e?.n ?? 0 }",
	}, "5")
	runs(t, "optional modules that are missing", files{
		"main.js": "try { require('not-installed') } catch (e) { console.log(e.code) }",
	}, "MODULE_NOT_FOUND")
	runs(t, "core modules under both names", files{
		"main.js": "console.log(require('node:path') === require('path'), require('node:fs').promises === require('fs/promises'), require.resolve('path'))",
	}, "true true path")
	runs(t, "a package named as a core module", files{
		"main.js":                            "console.log(require('punycode/').mine)",
		"node_modules/punycode/package.json": `{"main": "p.js"}`,
		"node_modules/punycode/p.js":         "exports.mine = 1",
	}, "1")
	runs(t, "glob", files{
		"main.js":    "const n = process.argv.length > 1 ? 'en' : 'de'; console.log(require('./lang/' + n), require(`./lang/${n}.js`))",
		"lang/en.js": "module.exports = 'hello'",
		"lang/de.js": "module.exports = 'hallo'",
	}, "hello hello")
	runs(t, "computed in a package", files{
		"main.js":                 "const p = require('p'); try { p('./x') } catch (e) { console.log(e.code) } console.log(p('path').sep)",
		"node_modules/p/index.js": "module.exports = function (n) { return require(n) }",
	}, "MODULE_NOT_FOUND\n/")
	runs(t, "a pattern that no file of the package fits", files{
		"main.js":                 "console.log(require('p'))",
		"node_modules/p/index.js": "const built = [];\nfor (const b of ['Release', 'Debug']) { try { built.push(require('./build/' + b + '/addon')) } catch (e) { built.push(e.code) } }\nmodule.exports = built.join()",
	}, "MODULE_NOT_FOUND,MODULE_NOT_FOUND")
	runs(t, "optional packages of a package", files{
		"main.js":                 "const p = require('p'); try { p.driver('x') } catch (e) { console.log(e.code) } console.log(p.driver('y'))",
		"node_modules/p/index.js": "exports.driver = function (n) { if (n === 'x') return require('not-installed'); return require('q') }",
		"node_modules/q/index.js": "module.exports = 'q'",
	}, "MODULE_NOT_FOUND\nq")
	runs(t, "a package that was bundled before", files{
		"main.js":                 "console.log(new (require('p').A)().m({ a: 1, b: 2 }))",
		"node_modules/p/index.js": "var __objRest = (source, exclude) => {\n  var target = {};\n  for (var prop in source) if (exclude.indexOf(prop) < 0) target[prop] = source[prop];\n  return target;\n};\nclass A { m(x) { return A.name + __objRest(x, ['a']).b; } }\nexports.A = A;",
	}, "A2")
	runs(t, "worker threads in a package", files{
		"main.js":                 "const p = require('p'); console.log(p.main); p.start()",
		"node_modules/p/index.js": "const w = require('node:worker_threads'); exports.main = w.isMainThread; exports.start = function () { try { new w.Worker('x') } catch (e) { console.log(e.message) } }",
	}, "true\nkarousosc: code in worker threads is not audited")
	runs(t, "a module of newer versions of Node.js in a package", files{
		"main.js":                 "const p = require('p'); console.log(p(), p())",
		"node_modules/p/index.js": "module.exports = () => { try { return require('node:sqlite') } catch (e) { return e.code + ': ' + e.message } }",
	}, "ERR_UNKNOWN_BUILTIN_MODULE: No such built-in module: node:sqlite ERR_UNKNOWN_BUILTIN_MODULE: No such built-in module: node:sqlite")
	runs(t, "lines of a stream", files{
		"main.js": `import { createInterface } from 'node:readline'; import { text, json, buffer } from 'stream/consumers'; import { Readable } from 'stream';
const list = [];
for await (const line of createInterface({ input: Readable.from(['a\nb', '\r', '\n\nc\rd', 'e\u2028f']) })) list.push(line);
console.log(list, await text(Readable.from([Buffer.from([0xc3]), Buffer.from([0xa4]), 'x'])), await json(Readable.from(['[1,', '2]'])), (await buffer(Readable.from(['ä', Buffer.from('b')]))).length);
try { createInterface() } catch (e) { console.log(e.message) }`, "package.json": `{"type":"module","main":"main.js"}`,
	}, "[ 'a', 'b', '', 'c', 'de\u2028f' ] äx [ 1, 2 ] 3\nCannot read properties of undefined (reading 'on')")
	runs(t, "hashbang", files{"main.js": "#!/usr/bin/env node\n'use strict'\nif (require.main === module) console.log((() => this === module.exports)())"}, "true")
}

func TestBrowserFieldOfDepdOnly(t *testing.T) {
	fs := files{"main.js": "require('depd'); require('debug')"}
	for _, p := range []string{"depd", "debug"} {
		fs["node_modules/"+p+"/package.json"] = `{"main": "node.js", "browser": "lib/browser.js"}`
		fs["node_modules/"+p+"/node.js"], fs["node_modules/"+p+"/lib/browser.js"] = "", ""
	}
	want := []string{"main.js", "node_modules/debug/node.js", "node_modules/depd/lib/browser.js"}
	if b := first(t, fs); !slices.Equal(b.Files, want) {
		t.Errorf("got %v, want %v", b.Files, want)
	}
}

func TestLoggableIsCalled(t *testing.T) {
	marked := func(name string, fs files, want string) {
		t.Run(name, func(t *testing.T) {
			b := first(t, fs)
			if got := strings.Count(b.Text, "= __karousos_loggable("); got != 1 {
				t.Errorf("%d marked declarations in\n%s", got, b.Text[len(guard("main.js")):])
			}
			if len(b.Annotations) != 1 || b.Annotations[0].Kind+" "+b.Annotations[0].Name+" "+b.Annotations[0].Position.String() != want {
				t.Errorf("annotations %+v, want %s", b.Annotations, want)
			}
		})
	}
	marked("directive", files{"main.js": "'use strict';\n//karousos:loggable\nconst m = new Map()"}, "const m main.js:3:7")
	marked("directive in an ES module", files{"main.js": "import 'fs';\n//karousos:loggable\nexport let n = 1"}, "let n main.js:3:12")
	marked("directive in TypeScript", files{"package.json": `{"main": "m.ts"}`, "m.ts": "//karousos:loggable\nconst m: Map<string, A> = new Map()"}, "const m m.ts:2:7")
	marked("import", files{"main.js": "import { loggable } from 'karousos';\nlet n = loggable(1); n++"}, "call n main.js:2:9")
	marked("import under another name", files{"main.js": "import { loggable as l } from 'karousos';\nexport let n = l(1); n++"}, "call n main.js:2:16")
	marked("import of all", files{"main.js": "import * as k from 'karousos';\nlet n = k.loggable(1); n++"}, "call n main.js:2:11")
	marked("import in a lazy module", files{"main.js": "import('./a.mjs')", "a.mjs": "import { loggable } from 'karousos';\nexport const n = loggable(1);"}, "call n a.mjs:2:18")

	for code, want := range map[string]string{
		"//karousos:loggable\nconst m = new Map(), k = 1":         "const m = __karousos_loggable(/* @__PURE__ */ new Map()), k = __karousos_loggable(1);",
		"//karousos:loggable\nlet m = 1":                          "var m = __karousos_loggable(1);",
		"const { loggable } = 1; const n = __karousos_loggable()": "var n = __karousos_loggable();",
		"import 'fs';\n//karousos:loggable\nexport const é = 1":   "const é = __karousos_loggable(1);",
	} {
		if b := first(t, files{"main.js": code}); !strings.Contains(b.Text, want) {
			t.Errorf("%q is not in\n%s", want, b.Text[len(guard("main.js")):])
		}
	}

	// By require it is a function like any other; its argument is marked when it runs.
	b := first(t, files{"main.js": "const { loggable } = require('karousos');\nconst n = loggable(new Map())"})
	if !strings.Contains(b.Text, "return __karousos_loggable(x)") || strings.Contains(b.Text, imported) {
		t.Error(b.Text[len(guard("main.js")):])
	}
}

func TestBuildsAreEqual(t *testing.T) {
	fs := files{"main.js": "import './a/x.js'; import { b } from './b.ts'; import fs from 'fs';\n//karousos:loggable\nlet m = b", "b.ts": "//karousos:loggable\nexport const b: A = 1"}
	for _, c := range "abcdefgh" {
		fs["a/"+string(c)+".js"] = "//karousos:loggable\nlet q = 1; require(String(q)); exports.q = q"
		fs["node_modules/"+string(c)+"/index.js"] = "require(process.env.X); require('cluster')"
		fs["a/x.js"] += "import './" + string(c) + ".js'; import '" + string(c) + "';"
	}
	for i := range fs {
		if strings.HasPrefix(i, "a/") && i != "a/x.js" {
			fs[i] = "//karousos:loggable\nlet q = 1; exports.q = q"
		}
	}
	one := first(t, fs)
	for range 5 {
		two := first(t, fs) // in another folder
		if one.Text != two.Text || string(one.Map.Encode()) != string(two.Map.Encode()) {
			t.Fatal("texts or maps differ")
		}
		if !slices.Equal(one.Annotations, two.Annotations) || !slices.Equal(one.Warnings, two.Warnings) || !slices.Equal(one.Files, two.Files) {
			t.Fatal("annotations, warnings or files differ")
		}
	}
	if len(one.Annotations) != 10 || len(one.Warnings) != 16 {
		t.Errorf("%d annotations, %d warnings", len(one.Annotations), len(one.Warnings))
	}
	if strings.Contains(one.Text, one.Dir) {
		t.Error("the bundle holds the path of the folder that it was built in")
	}
}

// Each name that begins with MARK is at the place that the map tells, whatever
// was inserted before it.
func TestPositions(t *testing.T) {
	fs := files{
		"main.js":  "'use strict';\nif (require.main === module) MARK1.a();\n//karousos:loggable\nvar a = new Map(), b = MARK2, c, d = [MARK3, '😀', MARK4]; MARK5(async () => { await MARK6.x })\nrequire('./ts.ts'); require('./late')",
		"ts.ts":    "import { loggable } from 'karousos';\n  export let é: Map<string, X> = loggable(MARK7), q = MARK8!; import x = require('./d/e.json'); MARK9(x)\n",
		"d/e.json": "1",
		"late.js":  "//karousos:loggable\nconst z = MARK10, y = MARK11; MARK12()",
	}
	b := first(t, fs)
	for _, call := range []string{"MARK1.", "MARK2", "MARK3", "MARK4", "MARK5", "MARK6", "MARK7", "MARK8", "MARK9", "MARK10", "MARK11", "MARK12"} {
		name := call
		at := strings.Index(b.Text, name)
		if at < 0 || strings.Count(b.Text, name) != 1 {
			t.Fatalf("%s: not in the bundle once", name)
		}
		got, ok := b.Position(at)
		if !ok {
			t.Fatalf("%s: no position", name)
		}
		l := NewLines(fs[got.File])
		if off := l.Offset(got.Line-1, got.Column-1); !strings.HasPrefix(fs[got.File][off:], name) {
			t.Errorf("%s: %v is %q", name, got, fs[got.File][off:])
		}
	}
	for i, s := range b.Map.Sources {
		if fs[s] != "" && b.Map.Contents[i] != fs[s] {
			t.Errorf("the map's text of %s is not the original one", s)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		fs   files
		want []string
	}{
		{"syntax", files{"main.js": "a(;\n"}, []string{"main.js:1:3: Unexpected \";\""}},
		{"syntax in an import", files{"main.js": "require('./b')", "b.ts": "let 😀"}, []string{"b.ts:1:5: "}},
		{"missing package", files{"main.js": "\n  const e = require('express')"}, []string{`main.js:2:21: Could not resolve "express"; install the app's packages first`}},
		{"missing file", files{"main.js": "import './no'"}, []string{`main.js:1:8: Could not resolve "./no"`}},
		{"misspelt file", files{"main.js": "import './no'"}, []string{`main.js:1:8: Could not resolve "./no"; there is no such file: look at its name, letter by letter, and its extension`}},
		{"alias", files{"main.ts": "import '@app/x'", "package.json": `{"main": "main.ts"}`}, []string{`main.ts:1:8: Could not resolve "@app/x"; install the app's packages first (npm ci in its folder), or say in tsconfig.json's paths`}},
		{"with", files{"main.js": "\nwith (a) b()"}, []string{"main.js:2:1: with cannot be audited, because only run time shows which names it means; write out the object's properties"}},
		{"picture", files{"main.js": "import x from './a.svg'", "a.svg": ""}, []string{"main.js:1:15: a.svg is no program; read it by fs"}},
		{"elements", files{"main.js": "let a = <b>x</b>"}, []string{"main.js:1:9: JSX in a file that is named as if there were none; name it .jsx or .tsx"}},
		{"new.target", files{"main.js": "let f = () => new.target"}, []string{`main.js:1:15: Cannot use "new.target" here`}},
		{"directive", files{"main.js": "'x'\n//karousos:log\nlet a"}, []string{"main.js:2:1: unknown directive //karousos:log"}},
		{"all at once", files{"main.js": "require('./a'), require('./b'), require('./c')", "a.js": "//karousos:log\nlet a", "b.js": "+", "c.js": "require(x)"},
			[]string{"a.js:1:1: unknown directive", "b.js:1:2: Unexpected end of file", "c.js:1:1: the module's name"}},
		{"workers", files{"main.js": "const w = require('worker_threads')"}, []string{`main.js:1:19: module "worker_threads": code in worker threads is not audited; do the work in the server's own thread`}},
		{"cluster", files{"main.js": "import c from 'node:cluster'"}, []string{`main.js:1:15: module "cluster": an audited server is one process`}},
		{"unknown core module", files{"main.js": "import 'node:nope'"}, []string{`main.js:1:8: Node.js has no module "node:nope"`}},
		{"addon", files{"main.js": "require('p')", "node_modules/p/index.js": "module.exports = require('./a.node')", "node_modules/p/a.node": "ELF"},
			[]string{"node_modules/p/index.js:1:26: a native addon cannot be audited"}},
		{"addon of a package", files{"main.js": "let a = require('p')", "node_modules/p/index.js": "require('bindings')('p')", "node_modules/p/package.json": `{"dependencies": {"bindings": "1"}}`, "node_modules/bindings/index.js": ""},
			[]string{"main.js:1:17: package p is a native addon, which cannot be audited; use one that is written in JavaScript"}},
		{"computed", files{"main.js": "let é = process.env.X; require(é + 'x'); import(é)"}, []string{"main.js:1:24: the module's name is computed", "main.js:1:42: the module's name is computed"}},
		{"eval", files{"main.js": "eval(process.env.X)"}, []string{"main.js:1:1: eval runs code that was never instrumented"}},
		{"beside what waits outside of functions", files{"main.mjs": "await x; import './no.js'", "package.json": `{"main": "main.mjs"}`}, []string{`main.mjs:1:17: Could not resolve "./no.js"`}},
		{"required though it waits", files{"main.js": "require('./a.mjs')", "a.mjs": "\nawait 1"}, []string{"main.js requires a.mjs, which waits outside of functions, or imports what does; import it instead"}},
		{"decorators' metadata", files{"main.ts": "// @no\nimport './lib/a'", "lib/a.ts": "const s = '@x';\n  @dec class A { constructor(b: B) {} }\nfunction dec(x: any) {}\nclass B {}",
			"tsconfig.json":      "{\"extends\": \"./tsconfig.base\", // \"emitDecoratorMetadata\": false\n}",
			"tsconfig.base.json": `{"compilerOptions": {"experimentalDecorators": true, "emitDecoratorMetadata": true}}`,
			"package.json":       `{"main": "main.ts"}`}, []string{"lib/a.ts:2:3: emitDecoratorMetadata"}},
		{"pattern without files", files{"main.js": "require('./routes/' + process.argv[2])"}, []string{"main.js:1:9: the module's name is computed, so it cannot be part of the build; name it by a string literal"}},
		{"vm", files{"main.js": "require('node:vm')"}, []string{`main.js:1:9: module "vm": code that it makes is never instrumented`}},
		{"http2", files{"main.js": "import 'http2'"}, []string{`main.js:1:8: module "http2": requests by HTTP/2 are not recorded; serve HTTP/1.1, and put what speaks HTTP/2 in front`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := OpenApp(app(t, c.fs), "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = First(a)
			var errs Errors
			if !errors.As(err, &errs) {
				t.Fatalf("got %v", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got %v\nwant %s", err, w)
				}
			}
		})
	}
}

// Metadata that nothing would be told of is no error.
func TestNoMetadata(t *testing.T) {
	for _, fs := range []files{
		{"main.ts": "class A {} // @dec", "tsconfig.json": `{"compilerOptions": {"emitDecoratorMetadata": true}}`, "package.json": `{"main": "main.ts"}`},
		{"main.ts": "@dec class A {}\nfunction dec(x: any) {}", "tsconfig.json": `{"compilerOptions": {"experimentalDecorators": true, "emitDecoratorMetadata": false}}`, "package.json": `{"main": "main.ts"}`},
	} {
		first(t, fs)
	}
}

func TestOpenApp(t *testing.T) {
	entry := func(want, flag string, fs files) {
		t.Helper()
		a, err := OpenApp(app(t, fs), flag)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = a.Entry
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	x := func(pkg string, names ...string) files {
		fs := files{"package.json": pkg}
		for _, n := range names {
			fs[n] = ""
		}
		return fs
	}
	entry("b.js", "", x(`{"main": "./b.js"}`, "b.js", "index.js"))
	entry("b.js", "", x(`{"main": "b"}`, "b.js", "index.js"))
	entry("lib/index.js", "", x(`{"main": "lib"}`, "lib/index.js"))
	entry("src/a.ts", "", x(`{"main": "src/a"}`, "src/a.ts"))
	entry("c.js", "b.js/../c.js", x(`{"main": "b.js"}`, "c.js", "b.js"))
	entry("c.js", "./c", x(`{"main": "b.js"}`, "c.js", "b.js"))
	entry("s.js", "", x(`{"main": "gone.js", "scripts": {"start": "NODE_ENV=production node --enable-source-maps -r dotenv/config s.js --port 1"}}`, "s.js"))
	entry("s.ts", "", x(`{"scripts": {"start": "tsx s.ts"}}`, "s.ts", "index.js"))
	entry("index.js", "", x(`{"scripts": {"start": "node a.js & node b.js"}}`, "a.js", "b.js", "index.js"))
	entry("index.js", "", x(`{}`, "index.js"))
	entry("index.js", "", x("\ufeff{}", "index.js"))
	entry("package.json's main is gone.js, which does not exist, there is no index.js; name it with --entry FILE", "", x(`{"main": "gone.js"}`))
	entry("there is no entry file z.js", "z.js", x(`{}`, "index.js"))
	entry("package.json:2:12: invalid character", "", x("{\n  \"main\": nope}"))
	entry("package.json: json: cannot unmarshal", "", x(`{"main": 1}`))

	dir := t.TempDir()
	if _, err := OpenApp(dir, ""); err == nil || !strings.Contains(err.Error(), "there is no package.json; name the app's folder") {
		t.Error(err)
	}
	if _, err := OpenApp(filepath.Join(dir, "no"), ""); err == nil || !strings.Contains(err.Error(), "there is no such folder") {
		t.Error(err)
	}
	file := filepath.Join(dir, "f.js")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenApp(file, ""); err == nil || !strings.Contains(err.Error(), "is a file; name the app's folder") {
		t.Error(err)
	}
}

// What the bundler refuses, because it makes variables of constants, Node.js throws at.
func TestConstants(t *testing.T) {
	runs(t, "assigned to", files{"main.js": `'use strict';
const shared = [1]; const é = 1, { c } = require('./b'), t = (f) => { try { console.log(f()); } catch (e) { console.log(e.message); } };
t(() => { é = console.log('made'); }); t(() => { [c] = [1]; }); t(() => { ({ c } = {}); }); t(() => { ({ c = 1 } = {}); }); t(() => { for (c of [1]); });
t(() => { for (const i = 0; i < 2; i++); }); t(() => { é ||= 2; return 'kept'; }); t(() => { class K { static m() { K = 1; } } K.m(); });
t(() => { shared = 2; })
shared[0]++
if (c) t(() => {
  c
  c = 2
})
module.exports = c; if (shared[0] === 2 && require.main === module) console.log('main');`, "b.js": "const c = 2; exports.c = c; exports.f = () => { c = 3; };"},
		"made"+strings.Repeat("\nAssignment to constant variable.", 6)+"\nkept"+strings.Repeat("\nAssignment to constant variable.", 3)+"\nmain")
	runs(t, "imported", files{"main.mjs": `import d, { x } from './b.mjs'; import * as ns from './b.mjs';
const t = (f) => { try { console.log(f()); } catch (e) { console.log(e.name); } };
t(() => { x = 1; }); t(() => { d++; }); t(() => { ns = 1; }); t(() => { [...x] = []; }); t(() => [x, ns.x].join());`,
		"b.mjs": "export let x = 5; export default 3;", "package.json": `{"main": "main.mjs"}`}, strings.Repeat("TypeError\n", 4)+"5,5")
	b := first(t, files{"main.js": "require('p');\n  const é = 1; é = 2; ({ é } = 3)", "node_modules/p/index.js": "const c = 1; c = 2"})
	var said []string
	for _, w := range b.Warnings {
		said = append(said, w.String())
	}
	if want := []string{"main.js:2:16: é cannot be assigned to; if this runs, it throws a TypeError", "main.js:2:26: é cannot be assigned to; if this runs, it throws a TypeError"}; !slices.Equal(said, want) {
		t.Errorf("warnings %q, want %q", said, want)
	}
	for _, at := range []string{"é = 2", "é } = 3"} { // places are those of the file as it is
		i := strings.LastIndex(b.Text, "é = ")
		if at != "é = 2" {
			i = strings.LastIndex(b.Text, "3)")
		}
		if pos, ok := b.Position(i); !ok || pos.Line != 2 || pos.File != "main.js" {
			t.Errorf("%s is at %v", at, pos)
		}
	}
}

// Packages that ask for a native addon often do without it.
func TestAddonsOfPackages(t *testing.T) {
	b := first(t, files{"main.js": "require('q')", "node_modules/q/index.js": "try { require('p') } catch {}", "node_modules/p/index.js": "require('bindings')('p')", "node_modules/bindings/index.js": ""})
	if len(b.Warnings) != 1 || b.Warnings[0].String() != "node_modules/p/index.js: loads a native addon (by bindings), which cannot be audited; if this runs, it throws" {
		t.Errorf("warnings %q", b.Warnings)
	}
}

// Arrow functions stay what they are: as functions they could have neither a this that
// super has yet to make nor a super.
func TestThisAfterSuper(t *testing.T) {
	runs(t, "super in an arrow function", files{"main.js": "class A { m(x) { return x + 1; } get g() { return 5; } }\nclass B extends A { m(x) { return [x].map((y) => super.m(y) + super.g)[0]; } async n() { return (await 1, () => super.m(2))(); } }\nclass C extends A { constructor() { const go = () => super(); go(); } }\nconsole.log(new B().m(1), new C().g); new B().n().then(console.log);"}, "7 5\n3")
	runs(t, "before and after", files{"main.js": `class A { constructor(x) { this.x = x; } }
class B extends A {
  constructor(c) { const o = { a: 1 }; const f = () => { this.y = c; return arguments.length; }; super(
    o); console.log(f(), this.y, this.x.a); }
}
class C extends A {
  z = 5;
  constructor(c) { if (c) super(c); else super(() => this.z); this.f = () => this.z + 1;
    class D extends A { constructor() { const g = () => this.x; super(7); this.g = g; } }
    this.d = new D().g(); }
}
new B(2);
console.log(new C(2).f(), new C(2).d, new C(0).x());
console.log(new (class extends A { constructor() { let n = 0; const v = super(3) === this; this.h = async () => this.x + n; console.log(v); } })().h() instanceof Promise);`},
		"1 2 1\n6 7 5\ntrue\ntrue")
}

// A package that another asks for by a computed name is there, if the app depends on
// it and speaks of it.
func TestByName(t *testing.T) {
	fs := func(pkg string) files {
		return files{
			"package.json": `{"name": "a", "main": "main.js", "dependencies": {"loader": "1", "paint": "1", "unspoken": "1", "gone": "1"}}`,
			"main.js":      "'use strict'; const load = require('loader'); try { load.set('view engine', '" + pkg + "'); console.log(load('" + pkg + "'), require.main === module); } catch (e) { console.log('karousosc', e.message) }",
			"views/a.gone": "", "node_modules/loader/index.js": "module.exports = (name) => require(name).what; module.exports.set = () => {};",
			"node_modules/paint/index.js": "exports.what = 'paint'", "node_modules/paint/package.json": "{}",
			"node_modules/unspoken/index.js": "exports.what = 'unspoken'", "node_modules/unspoken/package.json": "{}",
			"node_modules/loader/package.json": "{}",
		}
	}
	b := first(t, fs("paint"))
	script := filepath.Join(t.TempDir(), "index.js")
	if err := os.WriteFile(script, []byte(b.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := node(t, script); got != "paint true" {
		t.Error(got)
	}
	if strings.Contains(b.Text, "what = 'unspoken'") {
		t.Error("a package that nobody speaks of is in the bundle")
	}
	b = first(t, files{
		"package.json":              `{"name": "a", "main": "main.js", "dependencies": {"orm": "1", "driver": "1", "compiler": "1", "tool": "1"}}`,
		"main.js":                   "const open = require('orm'); require('tool'); console.log('before'); console.log(open('driver'), require.main === module);",
		"node_modules/orm/index.js": "module.exports = (name) => require(name).what;", "node_modules/orm/package.json": `{"peerDependenciesMeta": {"driver": {"optional": true}, "other": {"optional": true}}}`,
		"node_modules/driver/index.js": "console.log('driver loads'); exports.what = 'driven'", "node_modules/driver/package.json": "{}",
		"node_modules/tool/index.js": "", "node_modules/tool/package.json": `{"peerDependenciesMeta": {"compiler": {"optional": true}}}`,
		"node_modules/compiler/index.js": "exports.what = 'unspoken'", "node_modules/compiler/package.json": "{}",
	})
	if err := os.WriteFile(script, []byte(b.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := node(t, script); got != "before\ndriver loads\ndriven true" {
		t.Error(got)
	}
	if strings.Contains(b.Text, "what = 'unspoken'") {
		t.Error("a peer that nobody asks for by name is in the bundle")
	}
}

// Names of functions and classes are those of the source, whatever the bundler has
// to call them, and hardly any has to be put right at run time.
func TestNames(t *testing.T) {
	const main = `class A { static make() { return new A(); } x = 1; }
class E extends Error { static n = E.name; constructor() { super('x'); this.name = this.constructor.name; } }
const f = function scan(n) { return n ? scan(n - 1) : scan.name; };
const g = () => 1, { h = () => 2 } = {};
function scan() { function scan() {} return scan.name; }
const o = { m() {}, async k() {}, q: async () => 1, r: function () {}, ['s' + 1]: () => 1, t: function u() { return u.name; } };
const B = class { static #p = 1; static q() { return B.#p; } };
const C = class Inner { static y = Inner; };
async function asy() {} async function* gen() {}
let late; late = () => {}; var twice = function twice(twice) { return twice; };
(function now() { console.log(now.name); })();
const made = []; for (const i of [1, 2]) made.push(function each() { return each.name + i; });
console.log(A.name, new A().constructor.name, new E().name, E.n, f.name, f(2), g.name, h.name, scan(), scan.name, o.m.name, o.k.name, o.q.name, o.r.name, o.s1.name, o.t(), B.name, B.q(), C.name, asy.name, gen.name, late.name, twice.name, twice(3), made[1]());
require('./other.js');`
	const other = "class A { static z = A; }\nfunction scan() {}\nconsole.log(A.name, scan.name, (() => {}).name === '');"
	runs(t, "names", files{"main.js": main, "other.js": other}, "now\nA A E E scan scan g h scan scan m k q r s1 u B 1 Inner asy gen late twice 3 each2\nA scan true")
	runs(t, "a class that speaks of itself, in a script of a module that awaits", files{"main.mjs": "import C from './c.js';\nimport './d.js';\nconst c = await new C();\nconsole.log(C.name, new C(c) === c, new C(1).of());",
		"c.js": "class Late { static get N() { return N; } constructor(c) { if (c instanceof Late) return c; } of() { const o = { Late }; return o.Late === Late; } }\nmodule.exports = Late;\nconst N = 1;",
		"d.js": "class Late { static self() { return Late; } }\nmodule.exports = Late;", "package.json": `{"main": "main.mjs"}`}, "Late true true")
	b := first(t, files{"main.js": "exports.a = function a() { return a; }; var b = function b() { return b; }; exports.c = [function d() {}, () => b]; function b2() {} exports.b2 = b2;"})
	if n := strings.Count(b.Text, "__name("); n != 0 {
		t.Errorf("%d names are put right for nothing in\n%s", n, b.Text)
	}
}

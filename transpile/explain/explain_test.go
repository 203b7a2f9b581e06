package explain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
)

func explained(t *testing.T, files map[string]string) *Explanation {
	t.Helper()
	p, annotations := parsed(t, files)
	return Of(p, annotations)
}

func parsed(t *testing.T, files map[string]string) (*program.Program, []manifest.Annotation) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	app, err := bundle.OpenApp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.First(app)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Parse(b.Text, program.WithOrigin(func(o int) (program.Position, bool) {
		pos, ok := b.Position(o)
		return program.Position(pos), ok
	}))
	if err != nil {
		t.Fatal(err)
	}
	return p, b.Annotations
}

func TestRecorded(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"x = Date.now()", "time Date.now 1:5"},
		{"x = new Date()", "time new Date() 1:5"},
		{"x = new Date(0)", ""},
		{"x = Date()", "time Date() 1:5"},
		{"x = Date.UTC(0)", ""},
		{"const now = Date.now; x = now()", "time Date.now 1:13, time Date.now 1:27"},
		{"function f(Date) { return Date.now() } f()", ""},
		{"x = globalThis.performance.now()", "time performance.now 1:5"},
		{"x = Math.random() + Math.max(1, 2)", "random Math.random 1:5"},
		{"x = process.env.PORT", "environment process.env 1:5"},
		{"const c = require('node:crypto'); x = c.randomBytes(4)", "random crypto.randomBytes 1:39"},
		{"const { randomUUID: id, createHash } = require('crypto'); x = [id(), createHash('md5')]", "random crypto.randomUUID 1:64"},
		{"let c = require('crypto'); c = {}; x = c.randomBytes(4)", ""},
		{"x = require('os').hostname()", "machine os.hostname 1:5"},
		{"try { x() } catch (e) { x = e.stack; e.stack = 1 }", "stack trace .stack 1:31"},
		{"fetch('http://a')", "outside fetch 1:1"},
		{"require('https').get('https://a')", "outside https.get 1:1"},
		{"x = require('zlib').gzipSync('a')", "compressed bytes zlib.gzipSync 1:5"},
	} {
		var got []string
		for _, r := range explained(t, map[string]string{"package.json": `{"main": "main.js"}`, "main.js": c.code}).Recorded {
			if r.File != "main.js" {
				t.Errorf("%s: %+v", c.code, r)
			}
			got = append(got, fmt.Sprintf("%s %s %d:%d", r.Kind, r.Code, r.Line, r.Column))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.code, s, c.want)
		}
	}
}

func TestPage(t *testing.T) {
	e := explained(t, map[string]string{
		"package.json":               `{"main": "main.mjs"}`,
		"main.mjs":                   "import { randomBytes } from 'crypto';\nimport look from '@s/p';\n//karousos:loggable\nconst shared = new Map();\nexport const f = (s) => (s ? look(s) : shared.set(1, randomBytes(1)));\n",
		"node_modules/@s/p/index.js": "module.exports = function scan(s) { if (typeof s !== 'string') return 0; let n = 0; for (let i = 0; i < s.length; i++) n += s.charCodeAt(i); return n; };\nmodule.exports.at = Date.now();",
	})
	var page strings.Builder
	e.Text(&page, func(p manifest.Position) string { return "/app/" + p.String() })
	lines := map[string]bool{}
	for _, l := range strings.Split(page.String(), "\n") {
		lines[strings.Join(strings.Fields(l), " ")] = true
	}
	for _, want := range []string{
		"(the app) 1 functions 1 branches", "@s/p 2 functions 1 branches 1 pure", "const shared /app/main.mjs:4:7",
		"scan /app/node_modules/@s/p/index.js:1:18", "random crypto.randomBytes /app/main.mjs:5:54", "time Date.now /app/node_modules/@s/p/index.js:2:21",
	} {
		if !lines[want] {
			t.Errorf("no line %q in\n%s", want, &page)
		}
	}
	text, err := json.Marshal(e)
	if err != nil || !strings.Contains(string(text), `"pure":[{"name":"scan","file":"node_modules/@s/p/index.js","line":1,"column":18}]`) {
		t.Errorf("%v %s", err, text)
	}
}

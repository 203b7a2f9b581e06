// Package nodetest runs small programs in Node, for tests that compare a program
// with what an emitter made of it.
//
// The corpus is a set of small programs, grouped by topic in corpus/*.js. A line
// `//// name` begins each; it prints with print(…). Together they use every
// statement and expression form of the language that the bundler leaves.
package nodetest

import (
	"bytes"
	"embed"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

//go:embed corpus/*.js
var corpus embed.FS

// Program is one program of the corpus.
type Program struct{ Name, Text string }

// Corpus lists the programs.
func Corpus(t testing.TB) []Program {
	t.Helper()
	files, err := corpus.ReadDir("corpus")
	if err != nil {
		t.Fatal(err)
	}
	var out []Program
	for _, f := range files {
		text, err := corpus.ReadFile(path.Join("corpus", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split("\n"+string(text), "\n//// ") {
			if i == 0 {
				continue
			}
			name, body, _ := strings.Cut(part, "\n")
			out = append(out, Program{strings.TrimSuffix(f.Name(), ".js") + "/" + name, body + "\n"})
		}
	}
	return out
}

// runner runs each program in a realm of its own, one after the other, and
// reports what each printed. A program has ended when nothing is left to run.
const runner = `
const vm = require('vm'), util = require('util');
const programs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const results = [];
let n = 0, lines;
const show = (v) => typeof v === 'string' ? v : util.inspect(v, { depth: 6, breakLength: Infinity, showHidden: false });
process.on('unhandledRejection', (e) => lines.push('unhandled ' + e));
process.on('uncaughtException', (e) => lines.push('uncaught ' + e));
function next() {
  if (n > 0) results.push(lines.join('\n'));
  if (n === programs.length) {
    process.removeListener('beforeExit', next);
    process.stdout.write(JSON.stringify(results));
    return;
  }
  const mine = lines = [];
  const text = programs[n++];
  const context = vm.createContext({ print: (...a) => { mine.push(a.map(show).join(' ')); }, setTimeout, setImmediate, clearTimeout, performance });
  setImmediate(() => {
    try { new vm.Script(text, { filename: 'p.js' }).runInContext(context, { timeout: 5000 }); }
    catch (e) { mine.push('threw ' + (e && e.name) + ': ' + (e && e.message)); }
  });
}
process.on('beforeExit', next);
`

// Run runs programs in Node and returns what each printed. It skips the test
// where there is no Node.
func Run(t testing.TB, programs []string) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	in, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", runner)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, text)
	}
	var out []string
	if err := json.Unmarshal(text, &out); err != nil || len(out) != len(programs) {
		t.Fatalf("node printed %q: %v", text, err)
	}
	return out
}

// Root is the module's folder.
func Root(t testing.TB) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("no caller")
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// lower is what the first bundling pass switches off, so that tests meet the same
// forms. Arrow functions and ** stay: esbuild v0.28.2 makes `super` in an arrow a
// syntax error, and turns the ** of BigInts into Math.pow, which throws.
var lower = map[string]bool{
	"async-await": false, "async-generator": false, "for-await": false,
	"class-field": false, "class-private-accessor": false, "class-private-brand-check": false,
	"class-private-field": false, "class-private-method": false, "class-private-static-accessor": false,
	"class-private-static-field": false, "class-private-static-method": false, "class-static-blocks": false,
	"class-static-field": false, "decorators": false, "object-rest-spread": false, "optional-chain": false,
	"nullish-coalescing": false, "logical-assignment": false,
	"optional-catch-binding": false, "using": false, "import-meta": false, "dynamic-import": false,
}

// Lower lowers one program as the bundler does.
func Lower(t testing.TB, text string) string {
	t.Helper()
	r := api.Transform(text, api.TransformOptions{Supported: lower, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent})
	if len(r.Errors) > 0 {
		t.Fatalf("esbuild: %s\n%s", r.Errors[0].Text, text)
	}
	return string(r.Code)
}

// Bundle bundles testapps/APP's file entry with its dependencies, or skips the
// test when they are not installed. deps names a package that must be there.
func Bundle(t testing.TB, app, entry, dep string) string {
	t.Helper()
	dir := filepath.Join(Root(t), "testapps", app)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", dep)); err != nil {
		t.Skipf("testapps/%s has no %s; run npm ci there", app, dep)
	}
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, entry)}, AbsWorkingDir: dir, Bundle: true,
		Format: api.FormatCommonJS, Platform: api.PlatformNode, Supported: lower, Charset: api.CharsetUTF8,
		MainFields: []string{"browser", "module", "main"}, LogLevel: api.LogLevelSilent, LegalComments: api.LegalCommentsNone,
	})
	if len(r.Errors) > 0 {
		t.Fatalf("esbuild: %s", r.Errors[0].Text)
	}
	return string(r.OutputFiles[0].Contents)
}

// Origin finds the file that a place of a bundle comes from, by the comments that
// esbuild leaves. It stands in for a source map.
func Origin(bundle string) func(offset int) string {
	type part struct {
		at   int
		file string
	}
	var parts []part
	at := 0
	for line := range strings.Lines(bundle) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "// ") && strings.Contains(s, ".") && !strings.Contains(s[3:], " ") {
			parts = append(parts, part{at, s[3:]})
		}
		at += len(line)
	}
	return func(offset int) string {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].at > offset })
		if i == 0 {
			return ""
		}
		return parts[i-1].file
	}
}

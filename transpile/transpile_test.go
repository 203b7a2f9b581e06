package transpile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	js "karousosc/runtime/js"
	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
)

// smallRuntime is enough of a runtime for a server build to run by itself.
var smallRuntime = map[string]string{
	js.Server: `var $k = { T: Symbol('tracked'), start: function (s) { s.set(0); $k.id = s.buildId; },
  run: function (f) { f.call(exports, exports, require, module, __filename, __dirname + '/app', process); },
  loggable: function (x) { return x; }, def: function (x) { return x; }, defs: function () {}, box: function (v) { return { v: v }; }, inferredBox: function (v) { return { v: v }; }, np: function (f) { return new Promise(f); },
  it: function (x) { return x; }, el: Symbol('elements'), pairs: function (x) { return x; },
  bc: function (t, f, o) { return f.call.apply(f, [].slice.call(arguments, 2)); }, ba: function (t, f, o, l) { return f.apply(o, l); },
  on: function (o, m) { return o[m].apply(o, [].slice.call(arguments, 3)); } };`,
	js.FlushWorker: "// flush\n", js.Verifier: "// verifier\n", js.Models: "exports.x = function (a, b) { return a + b; };\n",
}

func small(t *testing.T) {
	runtimeFile = func(name string) (string, error) { return smallRuntime[name], nil }
	t.Cleanup(func() { runtimeFile = js.File })
}

// written is when the files of all apps were: times are part of a build.
var written = time.Unix(1_600_000_000, 0)

func writeApp(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var tiny = map[string]string{
	"package.json": `{"name": "tiny", "main": "main.ts", "type": "module"}`,
	"main.ts":      "import { run } from './lib.js';\nlet forgotten = 0;\nexport const f = () => forgotten++;\nprocess.once('SIGUSR2', f);\nrun(() => { f(); return process.argv.slice(2).join() });\n",
	"lib.ts": `//karousos:loggable
const seen: Map<string, number> = new Map();

export async function run(what: () => string): Promise<void> {
  seen.set('runs', (seen.get('runs') ?? 0) + 1);
  console.log(what(), seen.get('runs'));
  if (what() === 'fail') {
    throw new Error('thrown on purpose');
  }
}
`,
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestBuild(t *testing.T) {
	small(t)
	out := filepath.Join(t.TempDir(), "deep", "dist")
	var steps []string
	res, err := Build(context.Background(), Options{App: writeApp(t, tiny), Out: out, Progress: func(s string) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range buildFiles {
		if read(t, out, name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(out)); err != nil || len(entries) != 1 {
		t.Errorf("left over beside the build: %v, %v", entries, err)
	}
	m, err := manifest.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if m.App != "tiny" || m.Entry != "main.ts" || len(m.Annotations) != 1 || m.Annotations[0].Position.String() != "lib.ts:2:7" {
		t.Errorf("%+v", m)
	}
	named := false
	for _, f := range m.Functions {
		named = named || f.Name == "run" && f.Position.File == "lib.ts" && f.Position.Line == 4
	}
	if !named {
		t.Error("function run of lib.ts:4 is not in the manifest")
	}
	if len(res.Warnings) != 0 || len(res.Shared) != 1 || res.Shared[0].Name != "forgotten" || !res.Shared[0].Tracked || res.Shared[0].Position.String() != "main.ts:2:5" {
		t.Errorf("shared %v, warnings %v", res.Shared, res.Warnings)
	}
	if res.Files != 2 || res.Server == 0 || res.Verifier == 0 || len(steps) < 4 {
		t.Errorf("%+v, steps %v", res, steps)
	}
	if s := read(t, out, ServerIndex); !strings.Contains(s, m.BuildID) || !strings.HasSuffix(s, "\n//# sourceMappingURL=index.js.map\n") {
		t.Error("the server's program does not know its build id or its map")
	}
}

// The server build runs, and what it throws is found in the sources.
func TestServerBuildRuns(t *testing.T) {
	small(t)
	for _, minify := range []bool{false, true} {
		out := filepath.Join(t.TempDir(), "dist")
		if _, err := Build(context.Background(), Options{App: writeApp(t, tiny), Out: out, Minify: minify}); err != nil {
			t.Fatal(err)
		}
		run := func(args ...string) string {
			text, _ := exec.Command("node", append([]string{"--enable-source-maps", filepath.Join(out, "server", "index.js")}, args...)...).CombinedOutput()
			return string(text)
		}
		if got := run("a", "b"); got != "a,b 1\n" {
			t.Errorf("minify %v: %q", minify, got)
		}
		if got := run("fail"); !strings.Contains(got, "lib.ts:8:11") {
			t.Errorf("minify %v: no original position in\n%s", minify, got)
		}
	}
}

// Every call of a name in the verifier's program is where its map says.
func TestVerifierMap(t *testing.T) {
	small(t)
	out := filepath.Join(t.TempDir(), "dist")
	if _, err := Build(context.Background(), Options{App: writeApp(t, tiny), Out: out}); err != nil {
		t.Fatal(err)
	}
	text := read(t, out, VerifierProgram)
	m, err := bundle.ParseMap([]byte(read(t, out, VerifierMap)))
	if err != nil {
		t.Fatal(err)
	}
	lines := bundle.NewLines(text)
	for code, want := range map[string]string{"console.log": "lib.ts:6", "\"thrown on purpose\"": "lib.ts:8", "process.argv": "main.ts:5"} {
		at := strings.Index(text, code)
		p, ok := m.Position(lines.LineCol(at))
		if at < 0 || !ok || !strings.HasPrefix(p.String(), want+":") {
			t.Errorf("%s: at %v, want line %s", code, p, want)
		}
	}
	for i, s := range m.Sources {
		if s == "lib.ts" && m.Contents[i] != tiny["lib.ts"] {
			t.Error("the map does not hold the text of lib.ts")
		}
	}
}

func TestSameAppSameBytes(t *testing.T) {
	small(t)
	var first map[string]string
	for i := range 3 {
		out := filepath.Join(t.TempDir(), "dist")
		if _, err := Build(context.Background(), Options{App: writeApp(t, tiny), Out: out}); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, name := range buildFiles {
			got[name] = read(t, out, name)
		}
		if i == 0 {
			first = got
		}
		for name := range got {
			if got[name] != first[name] {
				t.Errorf("%s differs between builds", name)
			}
		}
	}
}

// The build id changes with whatever changes behaviour, and with nothing else.
func TestBuildID(t *testing.T) {
	small(t)
	id := func(o Options, change func(map[string]string)) string {
		app := map[string]string{}
		for k, v := range tiny {
			app[k] = v
		}
		if change != nil {
			change(app)
		}
		o.App, o.Out = writeApp(t, app), filepath.Join(t.TempDir(), "dist")
		res, err := Build(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return res.Manifest.BuildID
	}
	base := id(Options{}, nil)
	if id(Options{}, func(f map[string]string) { f[".git/x"] = "x" }) != base || id(Options{Capture: []string{"!x"}}, func(f map[string]string) { f["x"] = "x" }) != base {
		t.Error("a file that does not go in changed the id")
	}
	if id(Options{}, func(f map[string]string) { f["views/a.html"] = "x" }) == base {
		t.Error("a file that the app may read did not change the id")
	}
	if id(Options{}, func(f map[string]string) { f["lib.ts"] += "console.log(1);" }) == base {
		t.Error("code did not change the id")
	}
	if id(Options{Minify: true}, nil) == base {
		t.Error("options did not change the id")
	}
	for _, name := range []string{js.Server, js.FlushWorker, js.Verifier, js.Models} {
		old := smallRuntime[name]
		smallRuntime[name] += "exports.y = 1;"
		if id(Options{}, nil) == base {
			t.Errorf("%s did not change the id", name)
		}
		smallRuntime[name] = old
	}
}

func TestBuildErrors(t *testing.T) {
	small(t)
	out := filepath.Join(t.TempDir(), "dist")
	build := func(change map[string]string) error {
		app := map[string]string{}
		for k, v := range tiny {
			app[k] = v
		}
		for k, v := range change {
			app[k] = v
		}
		_, err := Build(context.Background(), Options{App: writeApp(t, app), Out: out})
		return err
	}
	var errs bundle.Errors
	if err := build(map[string]string{"lib.ts": "export const run = ;"}); !errors.As(err, &errs) || !strings.HasPrefix(err.Error(), "lib.ts:1:20: ") {
		t.Error(err)
	}
	var problems program.Problems
	if err := build(map[string]string{"lib.ts": "export function run(f) { new Function(f + '')() }"}); !errors.As(err, &problems) || !strings.HasPrefix(err.Error(), "lib.ts:1:") {
		t.Error(err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed build left files")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, Options{App: writeApp(t, tiny), Out: out}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	runtimeFile = func(string) (string, error) { return "", errors.New("not generated") }
	if err := build(nil); err == nil || !strings.Contains(err.Error(), "not generated") {
		t.Error(err)
	}
}

// A build replaces a build and nothing else.
func TestReplace(t *testing.T) {
	small(t)
	app, out := writeApp(t, tiny), filepath.Join(t.TempDir(), "dist")
	build := func() error {
		_, err := Build(context.Background(), Options{App: app, Out: out})
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := build(); err != nil {
			t.Fatal(err)
		}
	}
	upload := filepath.Join(out, "server", "app", "upload")
	if err := os.WriteFile(upload, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := build(); err == nil || !strings.Contains(err.Error(), "holds server/app/upload, which is not part of a build") {
		t.Error(err)
	}
	if err := os.Remove(upload); err != nil {
		t.Fatal(err)
	}
	advice := filepath.Join(out, "server", "advice")
	if err := os.Mkdir(advice, 0o755); err != nil {
		t.Fatal(err)
	}
	before := read(t, out, ServerIndex)
	if err := build(); err == nil || !strings.Contains(err.Error(), "holds server/advice, which is not part of a build; move it away") {
		t.Error(err)
	}
	if read(t, out, ServerIndex) != before {
		t.Error("a refused build changed files")
	}
	if err := os.RemoveAll(out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := build(); err == nil || !strings.Contains(err.Error(), "is no folder") {
		t.Error(err)
	}
}

// The app finds its files from any of its modules, wherever the build lies, and
// whatever the times of its files were made into meanwhile.
func TestCapturedFiles(t *testing.T) {
	small(t)
	out := filepath.Join(t.TempDir(), "dist")
	app := writeApp(t, map[string]string{
		"package.json":                 `{"name": "a", "main": "src/main.mjs"}`,
		"src/main.mjs":                 "import fs from 'fs'; import { join, dirname } from 'path'; import { fileURLToPath } from 'url'; import c from './more/c.cjs'; import p from 'p';\nconst __dirname = dirname(fileURLToPath(import.meta.url));\nconst rd = (f) => fs.readFileSync(f, 'utf8');\nconsole.log(rd(join(__dirname, '..', 'views/a b.txt')), rd(new URL('../views/a%20b.txt', import.meta.url)), rd(import.meta.dirname + '/main.mjs').length, c, p, fs.statSync(c.file ?? c).mtimeMs)",
		"src/more/c.cjs":               "const { __dirname: d } = { __dirname }; module.exports = __filename.slice(d.length) === '/c.cjs' ? require('path').join(__dirname, '../../views/a b.txt') : 'wrong'",
		"views/a b.txt":                "text",
		"node_modules/p/package.json":  `{"name": "p", "main": "lib/i.js"}`,
		"node_modules/p/lib/i.js":      "module.exports = require('path').basename(require('path').dirname(__dirname))",
		"node_modules/p/lib/other.txt": "x",
	})
	res, err := Build(context.Background(), Options{App: app, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(res.Captured.Names(), " "); got != "node_modules/p/lib/other.txt node_modules/p/package.json package.json src/main.mjs src/more/c.cjs views/a b.txt" {
		t.Error(got)
	}
	cmd := exec.Command("node", filepath.Join(out, "server", "index.js"))
	cmd.Dir = t.TempDir()
	text, _ := cmd.CombinedOutput()
	root := filepath.Join(out, "server", "app")
	length := len(read(t, app, "src/main.mjs"))
	if want := fmt.Sprintf("text text %d %s/views/a b.txt p 1600000000000\n", length, root); string(text) != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

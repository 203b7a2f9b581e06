package bundle

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestModuleObjects(t *testing.T) {
	asNode(t, files{
		"main.js": `console.log(require.main === module, module.id, module.filename === __filename, module.path === __dirname, module.parent, require('./other'));
console.log(require.main.filename === __filename, module.exports === exports, Array.isArray(module.paths), module.loaded);`,
		"other.js": "module.exports = [require.main === module, !!module.parent, module.parent === require.main, module.id === __filename, module.filename === __filename]",
	}, "true . true true null [ false, true, true, true, true ]\ntrue true true false")
	asNode(t, files{
		"package.json": esm,
		"main.js":      "import other from './other.cjs'; console.log(other)",
		"other.cjs":    "module.exports = [require.main, module.parent, module.filename === __filename]",
	}, "[ undefined, undefined, true ]")
}

// TestFolders: what of packages is read at run time.
func TestFolders(t *testing.T) {
	b := first(t, files{
		"main.js": `require('reads'); require('silent'); require('@s/looks');
exports.css = require('path').join(__dirname, 'node_modules', 'styles', 'dist');
exports.js = __dirname + '/node_modules/@s/scripts/js/a.js'; exports.none = 'node_modules/not-there/dist';`,
		"node_modules/reads/index.js":         "exports.page = __dirname + '/page.html'",
		"node_modules/silent/index.js":        "exports.n = 1",
		"node_modules/@s/looks/index.js":      "exports.at = require.resolve('looked-at/package.json')",
		"node_modules/looked-at/package.json": "{}",
		"node_modules/styles/dist/a.css":      "",
		"node_modules/@s/scripts/js/a.js":     "",
	})
	var got []string
	for _, f := range b.Folders {
		as := f.As
		if f.Asked {
			as += " (asked)"
		}
		if f.Path != filepath.Join(b.Dir, f.As) {
			t.Errorf("%s is said to be at %s", f.As, f.Path)
		}
		got = append(got, as)
	}
	want := []string{"node_modules/@s/scripts/js/a.js (asked)", "node_modules/looked-at", "node_modules/reads", "node_modules/styles/dist (asked)"}
	if !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
}

// TestWorkspace: packages that lie outside of the app's folder.
func TestWorkspace(t *testing.T) {
	root := app(t, files{
		"node_modules/hoisted/index.js":  "exports.at = __dirname; exports.name = module.filename",
		"packages/lib/package.json":      `{"name": "lib"}`,
		"packages/lib/src/index.js":      "exports.at = __dirname",
		"packages/api/package.json":      `{"main": "main.js"}`,
		"packages/api/main.js":           "console.log(require('hoisted'), require('lib/src'), require.resolve('hoisted'))",
		"packages/api/node_modules/x/.a": "",
	})
	if err := os.Symlink(filepath.Join(root, "packages/lib"), filepath.Join(root, "node_modules/lib")); err != nil {
		t.Fatal(err)
	}
	a, err := OpenApp(filepath.Join(root, "packages/api"), "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := First(a)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range b.Folders {
		rel, _ := filepath.Rel(a.Dir, f.Path)
		got = append(got, rel+" as "+f.As)
	}
	want := []string{"../lib as node_modules/.linked/lib", "../../node_modules/hoisted as node_modules/hoisted"}
	if !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "index.js")
	if err := os.WriteFile(script, []byte(b.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	at := "{\n  at: '" + dir + "/node_modules/hoisted',\n  name: '" + dir + "/node_modules/hoisted/index.js'\n} { at: '" + dir + "/node_modules/.linked/lib/src' } " + dir + "/node_modules/hoisted/index.js"
	if got := node(t, script); got != at {
		t.Errorf("the bundle prints\n%s\nwant\n%s", got, at)
	}
}

// TestMappedPackage: __dirname is of the file that runs, and not of the source that it was made of.
func TestMappedPackage(t *testing.T) {
	const sources = `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIi4uL3NyYy9kZWVwL2EudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQUEifQ==`
	asNode(t, files{
		"main.js":                     "console.log(require('p').at, __dirname)\n" + sources,
		"node_modules/p/js/main.js":   "exports.at = __dirname\n" + sources,
		"node_modules/p/package.json": `{"main": "js/main.js"}`,
	}, "DIR/node_modules/p/js DIR")
}

package capture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var ordinary = map[string]string{
	"package.json": "{}", "server.js": "1", "views/a.ejs": "<%= a %>", "views/deep/b.ejs": "b", "public/x.bin": "\x00\xff", ".env": "A=1",
	"node_modules/p/index.js": "1", "lib/node_modules/q/x.json": "{}", ".git/config": "x", "old/manifest.json": "{}", "old/server/index.js": "", "old/verifier/program.js": "",
	"out/server/x": "x", "advice/1.kadv": "x", "advice/notes": "x", "today.ktrace": "x", "dist/page.html": "<p>",
}

func capture(t *testing.T, dir string, o Options) *Set {
	t.Helper()
	s, err := Capture(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsTaken(t *testing.T) {
	dir := folder(t, ordinary)
	own := []string{".env", "dist/page.html", "package.json", "public/x.bin", "server.js", "views/a.ejs", "views/deep/b.ejs"}
	for _, c := range []struct {
		patterns []string
		want     []string
	}{
		{nil, own},
		{[]string{"!views"}, []string{".env", "dist/page.html", "package.json", "public/x.bin", "server.js"}},
		{[]string{"!**/*.ejs", "views/a.ejs"}, []string{".env", "dist/page.html", "package.json", "public/x.bin", "server.js", "views/a.ejs"}},
		{[]string{"views/", "./public/**"}, []string{"public/x.bin", "views/a.ejs", "views/deep/b.ejs"}},
		{[]string{"*.{json,js}", "!package.json"}, []string{"server.js"}},
		{[]string{"!**"}, []string{}},
	} {
		if got := capture(t, dir, Options{Patterns: c.patterns, Skip: []string{filepath.Join(dir, "out")}}).Names(); !slices.Equal(got, c.want) {
			t.Errorf("%q takes %q, want %q", c.patterns, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	dir := folder(t, map[string]string{"a.bin": "\x00\xff", "run.sh": "x"})
	at := time.Unix(1_700_000_000, 123_600_000)
	os.Chtimes(filepath.Join(dir, "a.bin"), at, at)
	os.Chtimes(filepath.Join(dir, "run.sh"), at, at)
	os.Chmod(filepath.Join(dir, "run.sh"), 0o777)
	s := capture(t, dir, Options{})
	text, err := s.Table()
	const want = `{"files":{"a.bin":{"data":"AP8=","size":2,"mtimeMs":1700000000124,"mode":33188},"run.sh":{"data":"eA==","size":1,"mtimeMs":1700000000124,"mode":33261}}}` + "\n"
	if err != nil || string(text) != want {
		t.Errorf("%v %s", err, text)
	}
	text, err = s.Times()
	if err != nil || string(text) != `{"files":{"a.bin":{"size":2,"mtimeMs":1700000000124},"run.sh":{"size":1,"mtimeMs":1700000000124}}}`+"\n" {
		t.Errorf("%v %s", err, text)
	}
	if !json.Valid(text) || s.Bytes != 3 {
		t.Error(s.Bytes)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1000")
	if got := capture(t, dir, Options{}).Files["a.bin"].MtimeMS; got != 1_000_000 {
		t.Error(got)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if _, err := Capture(dir, Options{}); err == nil || !strings.Contains(err.Error(), `SOURCE_DATE_EPOCH is "yesterday"`) {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	dir := folder(t, map[string]string{"big": strings.Repeat("x", 2<<20), "small": "x"})
	if _, err := Capture(dir, Options{Limit: 1 << 20}); err == nil || !strings.HasPrefix(err.Error(), "the app's folder holds 2 files of 2.0 MiB, more than the 20000 files of 1.0 MiB that a build takes; the largest are big (2.0 MiB), small (0.0 MiB); leave out") {
		t.Error(err)
	}
	if got := capture(t, dir, Options{Limit: 1 << 20, Patterns: []string{"!big"}}).Names(); len(got) != 1 {
		t.Error(got)
	}
	if _, err := Capture(dir, Options{Patterns: []string{"!a[b"}}); err == nil || err.Error() != `--files "!a[b" is no pattern` {
		t.Error(err)
	}
}

// A link may lead anywhere; it is named, not followed.
func TestLinks(t *testing.T) {
	dir := folder(t, map[string]string{"a": "x"})
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "l")); err != nil {
		t.Fatal(err)
	}
	s := capture(t, dir, Options{})
	if !slices.Equal(s.Names(), []string{"a"}) || !slices.Equal(s.Links, []string{"l"}) {
		t.Error(s.Names(), s.Links)
	}
}

// TestFolders: what is taken of packages.
func TestFolders(t *testing.T) {
	dir := folder(t, map[string]string{
		"server.js": "1", "node_modules/p/a.css": "aaaa", "node_modules/p/a.css.map": "{}", "node_modules/p/node_modules/q/x": "1", "node_modules/r/r.css": "r",
	})
	at := func(name string) string { return filepath.Join(dir, "node_modules", filepath.FromSlash(name)) }
	mapped := func(path string) bool { return filepath.Ext(path) == ".map" }
	p := Folder{Path: at("p"), As: "node_modules/p", Leave: mapped}
	for _, c := range []struct {
		folders  []Folder
		patterns []string
		want     []string
	}{
		{[]Folder{p}, nil, []string{"node_modules/p/a.css", "server.js"}},
		{[]Folder{{Path: at("p"), As: "node_modules/p"}}, nil, []string{"node_modules/p/a.css", "node_modules/p/a.css.map", "server.js"}},
		{[]Folder{{Path: at("r/r.css"), As: "node_modules/s/r.css"}}, nil, []string{"node_modules/s/r.css", "server.js"}},
		{[]Folder{p}, []string{"server.js"}, []string{"node_modules/p/a.css", "server.js"}},
		{[]Folder{p}, []string{"!node_modules/p"}, []string{"server.js"}},
	} {
		if got := capture(t, dir, Options{Folders: c.folders, Patterns: c.patterns}).Names(); !slices.Equal(got, c.want) {
			t.Errorf("%v %q takes %q, want %q", c.folders, c.patterns, got, c.want)
		}
	}

	p.Limit = 3
	s := capture(t, dir, Options{Folders: []Folder{p}})
	if want := []Left{{"node_modules/p", 4}}; !slices.Equal(s.Left, want) || !slices.Equal(s.Names(), []string{"server.js"}) {
		t.Errorf("takes %q and leaves %v", s.Names(), s.Left)
	}
	p.Limit = 4
	if s := capture(t, dir, Options{Folders: []Folder{p}}); len(s.Left) != 0 {
		t.Errorf("leaves %v", s.Left)
	}
}

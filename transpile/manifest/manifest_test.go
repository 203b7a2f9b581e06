package manifest

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func sample() *Manifest {
	return &Manifest{
		Version: Version, BuildID: BuildID([]byte("a")), App: "motd", Entry: "server.js",
		CoreModules: []string{"http"},
		Annotations: []Annotation{{Name: "motd", Kind: "const", Position: Position{"server.js", 9, 7}}},
		Functions:   []Function{{ID: 0, Name: ""}, {ID: 1, Name: "f", Position: Position{"server.js", 1, 1}}},
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	m := sample()
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%+v, %v", got, err)
	}
	empty := &Manifest{Version: Version, BuildID: BuildID(), Entry: "a.js"}
	text, err := empty.Encode()
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no build here (there is no manifest.json); make one with `karousosc build") {
		t.Error(err)
	}
	good, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	id := sample().BuildID
	for _, c := range []struct{ from, to, want string }{
		{`{`, `[`, "not a manifest"},
		{`"version": 1`, `"version": 2, "new": 1`, "manifest version 2, this karousosc reads version 1; build the app again"},
		{`"version": 1`, `"version": 1, "new": 1`, `unknown field "new"`},
		{"\n}\n", "\n} x", "not a manifest"},
		{"\n}\n", "\n} {}", "not a manifest"},
		{id, id[1:], "is no SHA-256"},
		{id, strings.ToUpper(id), "is no SHA-256"},
		{`"kind": "const"`, `"kind": "class"`, `unknown kind "class"`},
		{`"id": 1`, `"id": 2`, "function 1 has id 2"},
		{`"line": 9`, `"line": -9`, "annotation 0: bad position"},
		{`"column": 7`, `"column": 0`, "annotation 0: bad position"},
		{`"file": "server.js"`, `"file": ""`, "annotation 0: bad position"},
		{`"line": 1,`, `"line": 0,`, "function 1: bad position"},
		{`"server.js",`, `"",`, "no entry file"},
	} {
		text := strings.Replace(string(good), c.from, c.to, 1)
		if text == string(good) {
			t.Fatalf("%s is not in the manifest", c.from)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, FileName)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: got %v, want %s", c.to, err, c.want)
		}
	}
}

func TestFilesThatAreNoManifest(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a folder: %v", err)
	}
	m := sample()
	m.Version++
	if err := m.Save(t.TempDir()); err == nil || !strings.Contains(err.Error(), "want") {
		t.Errorf("another version: %v", err)
	}
}

func TestPositionText(t *testing.T) {
	for want, p := range map[string]Position{"a.js": {File: "a.js"}, "a.js:3:4": {"a.js", 3, 4}} {
		if p.String() != want {
			t.Errorf("%s, want %s", p, want)
		}
	}
}

func TestBuildIDTellsPartsApart(t *testing.T) {
	if BuildID([]byte("ab"), []byte("c")) == BuildID([]byte("a"), []byte("bc")) {
		t.Error("different parts, equal ids")
	}
}

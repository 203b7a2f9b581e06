package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const adviceLines = `{"life":"life-1700000000000-1.kadv","version":1,"build":"c0ffee"}
{"request":1,"rid":1}
{"location":0,"obj":-1,"key":"k"}
{"write":0,"req":1,"act":0,"op":1,"loc":0,"prev":-1,"value":"\ud800"}
{"end":true}
{"life":"life-1700000000001-2.kadv","version":1,"build":"c0ffee"}
{"request":1,"rid":2}
`

func TestAdviceCommands(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("in.jsonl"), []byte(adviceLines), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"advice"}, args...), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}

	if code, _, stderr := command("import", at("in.jsonl"), "-o", at("advice")); code != exitAccept {
		t.Fatalf("import: %d, %s", code, stderr)
	}
	code, stdout, stderr := command("export", at("advice"))
	if code != exitAccept || stdout != adviceLines {
		t.Errorf("export: %d\n%s", code, stdout)
	}
	if want := "karousosc: incomplete: life-1700000000001-2.kadv: the life has no end"; !strings.HasPrefix(stderr, want) {
		t.Errorf("export says %q, want %q", stderr, want)
	}
	if code, _, _ := command("export", at("advice"), "-o", at("out.jsonl")); code != exitAccept {
		t.Errorf("export to a file: %d", code)
	}
	if out, err := os.ReadFile(at("out.jsonl")); err != nil || string(out) != adviceLines {
		t.Errorf("the file: %v\n%s", err, out)
	}

	for _, c := range []struct {
		want string
		args []string
	}{
		{"exists; it is not overwritten", []string{"export", at("advice"), "-o", at("out.jsonl")}},
		{"exists; it is not overwritten", []string{"import", at("in.jsonl"), "-o", at("advice")}},
		{"holds no advice", []string{"export", dir}},
		{"no such file", []string{"export", at("missing")}},
		{"no such file", []string{"import", at("missing"), "-o", at("new")}},
		{"say where", []string{"import", at("in.jsonl")}},
	} {
		if code, _, stderr := command(c.args...); code != exitCannot || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d, %q", c.args, code, stderr)
		}
	}
	if _, err := os.Stat(at("advice/life-1700000000000-1.kadv")); err != nil {
		t.Errorf("a refused import took away what was there: %v", err)
	}
}

func TestFailedImportLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, []byte(adviceLines+"{\"nonsense\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "advice")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"advice", "import", in, "-o", out}, &stdout, &stderr); code != exitCannot || !strings.Contains(stderr.String(), `line 8: "nonsense" is no record`) {
		t.Errorf("%d, %q", code, stderr.String())
	}
	if left, _ := os.ReadDir(out); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

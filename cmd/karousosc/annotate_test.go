package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnnotate(t *testing.T) {
	const source = "const seen = new Map(), fixed = new Map();\nlet n = 0;\nexports.f = function count(k) { n++; seen.set(k, fixed.get(k)) };\n"
	dir := writeFiles(t, map[string]string{"package.json": `{"main": "main.js"}`, "main.js": source})
	annotate := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(append([]string{"annotate", dir}, args...), &out, &errs)
		return code, out.String(), errs.String()
	}
	code, out, _ := annotate()
	for _, want := range []string{"main.js:1:7: seen is changed", "main.js:2:5: n is assigned", "main.js:3:33 in count"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit status %d, no %q in\n%s", code, want, out)
		}
	}
	if strings.Contains(out, "fixed") {
		t.Errorf("what nobody changes is said to be shared:\n%s", out)
	}
	code, out, _ = annotate("n", "--json")
	var report struct {
		Found []struct {
			Name   string
			Writes []struct{ Function string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || len(report.Found) != 1 || report.Found[0].Name != "n" || report.Found[0].Writes[0].Function != "count" {
		t.Errorf("exit status %d, %v in\n%s", code, err, out)
	}
	if code, _, errs := annotate("m"); code != 2 || !strings.Contains(errs, "no variable m") {
		t.Errorf("exit status %d and %s for a variable that is not there", code, errs)
	}
	// seen shares its line with a variable that is not shared.
	code, _, errs := annotate("--write")
	if code != 2 || !strings.Contains(errs, "seen is not declared") {
		t.Errorf("exit status %d and %s", code, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.js"))
	if want := strings.Replace(source, "let n", "//karousos:loggable\nlet n", 1); err != nil || string(text) != want {
		t.Errorf("got %s and %v, want %s", text, err, want)
	}
	if code, out, _ = annotate("--write", "n"); code != 2 {
		t.Errorf("declared twice: exit status %d, %s", code, out)
	}
}

// What its author would call an object is where it is made, and of packages it is said that nobody follows them.
func TestAnnotateNamesParts(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"package.json":                      `{"main": "main.js", "dependencies": {"counted": "1.0.0", "unused": "1.0.0"}}`,
		"node_modules/counted/index.js":     "let n = 0;\nmodule.exports = () => ++n;\n",
		"node_modules/counted/package.json": `{"name": "counted", "version": "1.0.0"}`,
		"main.js":                           "const count = require('counted');\nconst limits = Object.seal({ max: 1 });\nconst halls = { 1: [0], 2: [0] };\nexports.f = (k) => { limits.max = count(); halls[k][0]++; };\n",
	})
	var out, errs bytes.Buffer
	if code := run([]string{"annotate", dir}, &out, &errs); code != 0 {
		t.Fatalf("exit status %d: %s", code, errs.String())
	}
	for _, want := range []string{"main.js:2:28: part of limits is changed", "part of halls is changed", "not followed: what is kept by package counted."} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not once: %q in\n%s", want, out.String())
		}
	}
}

package verifierbuild_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/internal/nodetest"
)

// runtimeText is the multivalue runtime alone, as a script.
var runtimeText = sync.OnceValues(func() (string, []string) {
	dir, err := filepath.Abs("../../runtime/js/verifier")
	if err != nil {
		return "", []string{err.Error()}
	}
	r := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: "import * as mv from './mv'; import { watched } from './mv-touch'; globalThis.__mv = mv; globalThis.__watched = watched;", ResolveDir: dir, Loader: api.LoaderTS},
		Bundle: true, Format: api.FormatESModule, Platform: api.PlatformNeutral, Target: api.ES2022, Banner: map[string]string{"js": `"use strict";`}, LogLevel: api.LogLevelSilent,
	})
	var errs []string
	for _, e := range r.Errors {
		errs = append(errs, e.Text)
	}
	if errs != nil {
		return "", errs
	}
	return string(r.OutputFiles[0].Contents), nil
})

func runtime(t testing.TB) string {
	t.Helper()
	text, errs := runtimeText()
	if errs != nil {
		t.Fatal(errs)
	}
	return text
}

// fixture is a function of one value, and the inputs to run it with.
type fixture struct {
	Name    string   `json:"name"`
	Plain   string   `json:"plain"`
	Emitted string   `json:"emitted"`
	Inputs  []string `json:"inputs"`
}

type report struct {
	Name     string   `json:"name"`
	Wrong    []string `json:"wrong"`
	Diverged []string `json:"diverged"`
	Runs     int      `json:"runs"`
}

// defaultInputs are short strings: two alike in length, one longer, one empty.
var defaultInputs = []string{`"a1"`, `"b2"`, `"c3,d"`, `""`}

// fixtures reads testdata/fixtures: `//// name` begins one; `//// name | [inputs]`
// gives it inputs of its own, `//// name | 1, 2, "x"`.
func fixtures(t testing.TB) []fixture {
	t.Helper()
	files, err := filepath.Glob("testdata/fixtures/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var out []fixture
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split("\n"+string(text), "\n//// ") {
			if i == 0 {
				continue
			}
			head, body, _ := strings.Cut(part, "\n")
			name, inputs, own := strings.Cut(head, " | ")
			fx := fixture{Name: strings.TrimSuffix(filepath.Base(f), ".js") + "/" + name, Plain: body, Inputs: defaultInputs}
			if own {
				fx.Inputs = splitInputs(inputs)
			}
			out = append(out, fx)
		}
	}
	return out
}

// splitInputs separates expressions by ` ; `.
func splitInputs(s string) []string {
	var out []string
	for _, x := range strings.Split(s, " ; ") {
		out = append(out, strings.TrimSpace(x))
	}
	return out
}

// node runs a script of testdata with input as JSON, and reads its output as JSON.
func node(t testing.TB, script string, input, output any) {
	t.Helper()
	exe, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, script)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(stdout, output)
	}
	if err != nil {
		t.Fatalf("node %s: %v\n%s", script, err, stderr.String())
	}
}

func runFixtures(t testing.TB, list []fixture) []report {
	t.Helper()
	for i := range list {
		list[i].Plain = strings.TrimSuffix(strings.TrimSpace(nodetest.Lower(t, "exports.f = "+strings.TrimSpace(list[i].Plain))), ";")
		list[i].Emitted = emit(t, list[i].Plain)
		list[i].Plain = "(function(){ const exports = {}; " + list[i].Plain + "; return exports.f; })()"
	}
	var out []report
	node(t, "testdata/harness.js", map[string]any{"runtime": runtime(t), "fixtures": list}, &out)
	return out
}

// A fixture gives in lockstep what it gives lane by lane, or it diverges; with one
// lane, and with lanes that are equal, it never diverges.
func TestFixtures(t *testing.T) {
	list := fixtures(t)
	emitted := map[string]string{}
	runs, diverged := 0, 0
	reports := runFixtures(t, list)
	for _, fx := range list {
		emitted[fx.Name] = fx.Emitted
	}
	for _, r := range reports {
		runs += r.Runs
		diverged += len(r.Diverged)
		for i, w := range r.Wrong {
			if i == 3 {
				t.Errorf("%s: and %d more", r.Name, len(r.Wrong)-3)
				break
			}
			t.Errorf("%s: %s", r.Name, w)
		}
		if len(r.Wrong) > 0 {
			t.Logf("%s", emitted[r.Name])
		}
		if testing.Verbose() && len(r.Diverged) > 0 {
			t.Logf("%s: %d of %d runs diverged: %s", r.Name, len(r.Diverged), r.Runs, r.Diverged[0])
		}
	}
	t.Logf("%d fixtures, %d runs, %d diverged", len(reports), runs, diverged)
}

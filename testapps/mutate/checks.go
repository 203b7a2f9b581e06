package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Check is a place in the verifier that can be switched off.
type Check struct {
	Number int
	File   string // from the module's folder
	Line   int
	Func   string // the function that it is in; for JavaScript, with the source file
	Kind   string
	Rule   string // as the source names it, "" if it names none there
	What   string // the condition or call
}

// Name tells checks apart.
func (c *Check) Name() string {
	rule := c.Rule
	if rule == "" {
		rule = "-"
	}
	return fmt.Sprintf("%s:%d %s [%s] %s: %s", c.File, c.Line, c.Func, c.Kind, rule, c.What)
}

// folders hold the checks that are written in Go.
var folders = []string{
	"verifier/order", "verifier/reexec", "verifier/verdict", "verifier/advice", "verifier/advice/record", "verifier/advice/v1", "verifier/trace", "verifier/trace/signed",
	"verifier/engine",
	"runtime/collector", "cmd/karousosc",
}

// scripts hold those that are written in JavaScript.
var scripts = []string{"runtime/js/dist/verifier.js", "runtime/js/dist/models.js"}

// printers are the files that check nothing that an audit depends on: they explain, turn formats into others, and keep
// the engine's processes.
var printers = map[string]bool{
	"verifier/order/explain.go": true, "verifier/verdict/text.go": true, "verifier/verdict/sources.go": true,
	"verifier/advice/jsonlines.go": true, "verifier/advice/jsontext.go": true, "verifier/advice/record/json.go": true,
	"verifier/trace/har.go": true, "verifier/trace/jsonl.go": true,
	"verifier/engine/engine.go": true, "verifier/engine/errors.go": true, "verifier/engine/pipe_linux.go": true,
}

// writers are the files that write what the verifier reads. Of their checks only those are tried that refuse for a reason
// of their own.
var writers = map[string]bool{
	"verifier/advice/v1/encode.go": true, "verifier/trace/save.go": true, "verifier/trace/writer.go": true, "verifier/trace/signed/signer.go": true,
	"verifier/reexec/json.go": true,
}

// Instrumented is the verifier with all its checks, each of which can be switched off.
type Instrumented struct {
	Checks []Check
	Texts  map[string]string // of the files that differ
}

// hooks tell the Go program what the JavaScript program needs.
var hooks = []struct{ file, old, new string }{
	{"verifier/reexec/result.go", "\tp := &scanner{s: text}\n", "\tswitched_.Note(text)\n"},
	{"verifier/engine/engine.go", "\tfor i, s := range cfg.Scripts {\n", "\t\ts.Source = switched_.Script(s.Source)\n"},
}

// Instrument finds all checks.
func Instrument(root string) (*Instrumented, error) {
	in := &Instrumented{Texts: map[string]string{}}
	add := func(name string, of func(root, name string, first int) ([]Check, string, error)) error {
		checks, text, err := of(root, name, len(in.Checks))
		if err == nil && len(checks) > 0 {
			in.Checks = append(in.Checks, checks...)
			in.Texts[name] = text
		}
		return err
	}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			name = folder + "/" + filepath.Base(name)
			if strings.HasSuffix(name, "_test.go") || printers[name] {
				continue
			}
			if err := add(name, inGo); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range scripts {
		if err := add(name, inJavaScript); err != nil {
			return nil, err
		}
	}
	for _, h := range hooks {
		text, ok := in.Texts[h.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(root, h.file))
			if err != nil {
				return nil, err
			}
			text = strings.Replace(string(b), "\n\n", imported+"\n\n", 1)
			if i := strings.Index(string(b), "\npackage "); i >= 0 {
				i++
				end := i + strings.IndexByte(string(b[i:]), '\n')
				text = string(b[:end]) + imported + string(b[end:])
			}
		}
		if strings.Count(text, h.old) != 1 {
			return nil, fmt.Errorf("%s: %q is there %d times", h.file, h.old, strings.Count(text, h.old))
		}
		in.Texts[h.file] = strings.Replace(text, h.old, h.old+h.new, 1)
	}
	return in, nil
}

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A suite is a checkout, or SpiderMonkey's copy, which has what a test includes in a
// file shell.js beside it or above it.
type suite struct {
	root    string // of the tests
	harness string // folder of the files that tests include; "" for SpiderMonkey's copy
}

// A test is one file.
type test struct {
	name    string // relative to the suite
	text    string
	prelude string // what it includes
	strict  bool
	async   bool   // it says by $DONE when it is done
	why     string // it is left out
}

func open(dir string) (*suite, error) {
	if dir == "" {
		return nil, fmt.Errorf("say by -dir where the suite is")
	}
	if harness := filepath.Join(dir, "harness"); exists(filepath.Join(harness, "assert.js")) {
		return &suite{root: filepath.Join(dir, "test"), harness: harness}, nil
	}
	if !exists(filepath.Join(dir, "shell.js")) {
		return nil, fmt.Errorf("%s has neither harness/assert.js nor shell.js: it is no copy of test262", dir)
	}
	return &suite{root: dir}, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// left are what no build is made of, or what says something else in a build by design.
var left = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\beval\b`), "eval"},
	{regexp.MustCompile(`\b\w*Function\s*\(|\bFunction\.call\(`), "makes code at run time"},
	{regexp.MustCompile(`\bwith\s*\(`), "with"},
	{regexp.MustCompile(`\$262|createRealm|detachArrayBuffer|SharedArrayBuffer|Atomics|FinalizationRegistry`), "needs a host of its own, threads, or a garbage collector"},
	{regexp.MustCompile(`\bimport\b`), "modules"},
	{regexp.MustCompile(`nativeFunctionMatcher|\.toString\(\)\s*===?\s*["'\x60]function|Function\.prototype\.toString`), "the text of functions"},
}

var (
	front    = regexp.MustCompile(`(?s)/\*---\r?\n(.*?)---\*/`)
	flags    = regexp.MustCompile(`(?m)^flags:\s*\[(.*?)\]`)
	includes = regexp.MustCompile(`(?m)^includes:\s*\[(.*?)\]`)
	included = regexp.MustCompile(`(?m)^includes:\s*\r?\n((?:\s+-.*\n)+)`)
)

// find reads all tests in the folders.
func (s *suite) find(folders []string) (tests, out []test, err error) {
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(s.root, folder), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".js" || strings.Contains(d.Name(), "_FIXTURE") || d.Name() == "shell.js" || d.Name() == "browser.js" {
				return err
			}
			t, err := s.read(file)
			switch {
			case err != nil:
				return err
			case t.why != "":
				out = append(out, t)
			default:
				tests = append(tests, t)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if len(tests) == 0 {
		return nil, nil, fmt.Errorf("no tests in %s of %s", strings.Join(folders, ", "), s.root)
	}
	return tests, out, nil
}

func (s *suite) read(file string) (test, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return test{}, err
	}
	name, err := filepath.Rel(s.root, file)
	if err != nil {
		return test{}, err
	}
	t := test{name: name, text: string(b)}
	head := ""
	if m := front.FindStringSubmatch(t.text); m != nil {
		head = m[1]
	}
	code := front.ReplaceAllString(t.text, "")
	flagged := " " + strings.ReplaceAll(first(flags, head), ",", " ") + " "
	t.strict = strings.Contains(flagged, " onlyStrict ") || strings.HasPrefix(strings.TrimSpace(code), "'use strict'")
	t.async = strings.Contains(flagged, " async ")
	switch {
	case strings.Contains(head, "negative:"):
		t.why = "must not be a program"
	case strings.Contains(flagged, " module ") || strings.Contains(flagged, " raw "):
		t.why = "modules"
	default:
		for _, l := range left {
			if l.pattern.MatchString(code) {
				t.why = l.why
				return t, nil
			}
		}
	}
	t.prelude, err = s.prelude(file, head)
	return t, err
}

func first(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// prelude is what a test includes.
func (s *suite) prelude(file, head string) (string, error) {
	var files []string
	if s.harness != "" {
		names := []string{"assert.js", "sta.js"}
		names = append(names, strings.Split(first(includes, head), ",")...)
		names = append(names, strings.Split(first(included, head), "\n")...)
		for _, name := range names {
			if name = strings.TrimLeft(strings.TrimSpace(name), "- "); name != "" {
				files = append(files, filepath.Join(s.harness, name))
			}
		}
	} else {
		for dir := filepath.Dir(file); len(dir) >= len(s.root); dir = filepath.Dir(dir) {
			if shell := filepath.Join(dir, "shell.js"); exists(shell) {
				files = append([]string{shell}, files...)
			}
		}
	}
	var b strings.Builder
	if s.harness == "" {
		b.WriteString("function reportCompare() {}\n")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		// What follows is for SpiderMonkey's shell.
		part, _, _ := strings.Cut(string(text), "// file: test262-host.js")
		b.WriteString(part + "\n")
	}
	return b.String(), nil
}

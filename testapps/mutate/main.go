// Command mutate removes each check of the verifier in turn and shows which tests
// notice: a check that no test misses protects nothing, or the tests do not.
//
// A check is a place that rejects. In Go that is whatever names a rule or refuses to
// decode (its condition becomes false), or an edge of G (it is left out); in the
// verifier's runtime, a complaint, what is said of an impossible result, or a comparison
// with the advice (it holds). They are found in the sources, so that none is forgotten. Nothing is
// written into the source tree: the changed files reach the compiler as an overlay.
//
// A package's own tests come first. Then what the whole program's tests did not accept is judged again without the check:
// they are run once, and their evidence is kept.
//
//	go run ./testapps/mutate            all of them (an hour or so)
//	go run ./testapps/mutate -run order those whose name matches
//	go run ./testapps/mutate -kept DIR  keep the evidence there, or use what is there
//	go run ./testapps/mutate -list
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"karousosc/testapps/scenario"
)

func main() {
	pattern := flag.String("run", "", "only checks whose name matches this expression")
	list := flag.Bool("list", false, "list the checks and stop")
	kept := flag.String("kept", "", "where the evidence is, or is to be, that the tests do not accept")
	flag.Parse()
	root, err := scenario.Root()
	if err == nil {
		err = run(root, *pattern, *kept, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root, pattern, kept string, list bool) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	all, err := Checks(root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "karousosc-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if kept == "" {
		kept = filepath.Join(dir, "kept")
	} else if kept, err = filepath.Abs(kept); err != nil {
		return err
	}
	var j *jury
	unnoticed := 0
	for i, c := range all {
		if !match.MatchString(c.Name()) {
			continue
		}
		if list {
			fmt.Println(c.Name())
			continue
		}
		if j == nil {
			if j, err = assemble(root, kept, dir); err != nil {
				return err
			}
		}
		noticed, err := j.try(i, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name(), err)
		}
		if why := c.redundant(); len(noticed) == 0 && why != "" {
			fmt.Printf("redundant    %s: %s\n", c.Name(), why)
			continue
		}
		if len(noticed) == 0 {
			unnoticed++
			fmt.Printf("NOT NOTICED  %s\n", c.Name())
			continue
		}
		more := ""
		if len(noticed) > 3 {
			more = fmt.Sprintf(" and %d more", len(noticed)-3)
			noticed = noticed[:3]
		}
		fmt.Printf("%s: %s%s\n", c.Name(), strings.Join(noticed, ", "), more)
	}
	if unnoticed > 0 {
		return fmt.Errorf("%d checks can be removed without any test noticing", unnoticed)
	}
	return nil
}

// suites are the tests to run without a check, by the folder of its file.
var suites = map[string]string{
	"verifier/order":        "./verifier/order",
	"verifier/reexec":       "./verifier/reexec",
	"verifier/verdict":      "./verifier/verdict",
	"verifier/advice/v1":    "./verifier/advice/...",
	"verifier/trace":        "./verifier/trace/...",
	"verifier/trace/signed": "./verifier/trace/...",
}

// attacks are the tests whose evidence is kept.
const attacks = "Attack|Forged|Figure5|Cycle|Recorded|Divergence|Tags|Together|Hidden|TwoLives|AnotherBuild|Damaged|Huge|Unauditable|Unsupported|Outside|Local"

// try returns tests that fail without the check.
func (j *jury) try(n int, c Check) ([]string, error) {
	if strings.HasSuffix(c.File, ".js") {
		noticed, err := j.withoutInJavaScript(c)
		if err != nil || len(noticed) > 0 {
			return noticed, err
		}
		overlay, err := j.overlay(n, c)
		if err != nil {
			return nil, err
		}
		return j.run(overlay, "./testapps/enumerate")
	}
	overlay, err := j.overlay(n, c)
	if err != nil {
		return nil, err
	}
	noticed, err := j.run(overlay, suites[filepath.Dir(c.File)])
	if err != nil || len(noticed) > 0 {
		return noticed, err
	}
	return j.withoutInGo(c, overlay)
}

// overlay makes the compiler see the file without the check.
func (j *jury) overlay(n int, c Check) (string, error) {
	file := filepath.Join(j.dir, fmt.Sprintf("%d%s", n, filepath.Ext(c.File)))
	if err := os.WriteFile(file, []byte(c.Without), 0o600); err != nil {
		return "", err
	}
	overlay := filepath.Join(j.dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(j.root, c.File): file}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// run returns the tests of a package that fail.
func (j *jury) run(overlay, tests string) ([]string, error) {
	// The tests may build the program themselves: the overlay must reach that, too.
	cmd := exec.Command("go", "test", "-count=1", "-timeout", "10m", tests)
	cmd.Dir = j.root
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -overlay="+overlay)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	var noticed []string
	for _, m := range failed.FindAllStringSubmatch(string(out), -1) {
		if !slices.Contains(noticed, m[1]) {
			noticed = append(noticed, m[1])
		}
	}
	if len(noticed) == 0 {
		return nil, fmt.Errorf("the tests did not run:\n%s", out)
	}
	return noticed, nil
}

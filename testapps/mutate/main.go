// Command mutate removes each check of the verifier in turn and shows which tests
// notice: a check that no test misses protects nothing, or the tests do not.
//
// A check is a place that rejects. In Go that is whatever names a rule or refuses to
// decode (its condition becomes false), or an edge of G (it is left out); in the
// verifier's runtime, a complaint, what is said of an impossible result, or a comparison
// with the advice (it holds). They are found in the sources, so that none is forgotten. Nothing is
// written into the source tree: the changed files reach the compiler as an overlay.
//
//	go run ./testapps/mutate            all of them (an hour or so)
//	go run ./testapps/mutate -run order those whose name matches
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
	flag.Parse()
	root, err := scenario.Root()
	if err == nil {
		err = run(root, *pattern, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root, pattern string, list bool) error {
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
	unnoticed := 0
	for i, c := range all {
		if !match.MatchString(c.Name()) {
			continue
		}
		if list {
			fmt.Println(c.Name())
			continue
		}
		noticed, err := try(root, dir, i, c)
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

// suites are the tests to run without a check, by the folder of its file: quick ones first.
var suites = map[string][][]string{
	"verifier/order":        {{"./verifier/order"}, {"./testapps/enumerate"}},
	"verifier/reexec":       {{"./verifier/reexec"}, {"./testapps/e2e", "-run", attacks}},
	"verifier/verdict":      {{"./verifier/verdict"}, {"./testapps/e2e", "-run", attacks}},
	"verifier/advice/v1":    {{"./verifier/advice/..."}},
	"verifier/trace":        {{"./verifier/trace/..."}},
	"verifier/trace/signed": {{"./verifier/trace/..."}},
	"runtime/js/dist":       {{"./testapps/e2e", "-run", attacks}, {"./testapps/enumerate"}},
}

const attacks = "Attack|Forged|Figure5|Cycle|Recorded|Divergence|Tags|Together|TwoLives|AnotherBuild|Damaged|Huge|Unauditable"

// try returns the tests that fail without the check.
func try(root, dir string, n int, c Check) ([]string, error) {
	file := filepath.Join(dir, fmt.Sprintf("%d%s", n, filepath.Ext(c.File)))
	if err := os.WriteFile(file, []byte(c.Without), 0o600); err != nil {
		return nil, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, c.File): file}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	failed := regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	for _, s := range suites[filepath.Dir(c.File)] {
		// The tests build the program themselves: the overlay must reach that, too.
		cmd := exec.Command("go", append([]string{"test", "-count=1", "-timeout", "10m"}, s...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -overlay="+overlay)
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
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
	return nil, nil
}

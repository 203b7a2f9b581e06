// Command mutate switches each check of the verifier off in turn and shows which tests notice: a check that no test misses
// protects nothing, or the tests do not.
//
// A check is a condition about something that is refused (or each side of it, where there are several, and the bound of
// a comparison); a condition under which something is not looked at; an edge of G; a call that complains; and what
// functions answer that say yes or no. They are found in the sources, so that none is forgotten: in those of the
// verifier's packages, and in the verifier's runtime and models, as they are embedded.
//
// All of them are compiled once, into test binaries and a program in which the environment says which one is off. Such
// a program is first run with none off, and notes for each test which checks decided something (the others could be
// gone: no test would see it). Then each check is off in turn, and the tests for which it decided are run: its package's
// own tests, and what tests of the whole program did not accept, which is judged again from the evidence that was kept.
// Nothing is written into the source tree: the changed files reach the compiler as an overlay.
//
//	go run ./testapps/mutate            all of them (an hour or so)
//	go run ./testapps/mutate -run order those whose name matches
//	go run ./testapps/mutate -kept DIR  keep the evidence there, or use what is there
//	go run ./testapps/mutate -tests X   only with evidence of tests whose name matches
//	go run ./testapps/mutate -list
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"karousosc/testapps/scenario"
)

func main() {
	pattern := flag.String("run", "", "only checks whose name matches this expression")
	list := flag.Bool("list", false, "list the checks and stop")
	kept := flag.String("kept", "", "where the evidence is, or is to be, that the tests do not accept")
	tests := flag.String("tests", "", "only evidence of tests whose name matches this expression")
	flag.Parse()
	root, err := scenario.Root()
	if err == nil {
		err = run(root, *pattern, *tests, *kept, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root, pattern, tests, kept string, list bool) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	of, err := regexp.Compile(tests)
	if err != nil {
		return err
	}
	in, err := Instrument(root)
	if err != nil {
		return err
	}
	if list {
		for _, c := range in.Checks {
			if match.MatchString(c.Name()) {
				fmt.Println(c.Name())
			}
		}
		return nil
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
	ctx := context.Background()
	j, err := assemble(ctx, root, kept, dir, in, match, of)
	if err != nil {
		return err
	}
	tried, unnoticed := 0, 0
	missed := func(how string, c *Check) {
		if why := equivalent(c); why != "" {
			fmt.Printf("equivalent   %s: %s\n", c.Name(), why)
			return
		}
		unnoticed++
		fmt.Printf("%s  %s\n", how, c.Name())
	}
	var fired []*Check
	for i := range in.Checks {
		c := &in.Checks[i]
		if !match.MatchString(c.Name()) {
			continue
		}
		if tried++; j.fired[c.Number] {
			fired = append(fired, c)
			continue
		}
		missed("NEVER FIRED", c)
	}
	for _, c := range fired {
		if noticed := j.try(ctx, c); noticed != "" {
			fmt.Printf("noticed      %s: by %s\n", c.Name(), noticed)
			continue
		}
		missed("NOT NOTICED", c)
	}
	fmt.Printf("%d checks were switched off, %d of them without any test noticing\n", tried, unnoticed)
	if unnoticed > 0 {
		return fmt.Errorf("%d checks can be removed without any test noticing", unnoticed)
	}
	return nil
}

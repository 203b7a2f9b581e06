// Command test262 runs tests of the language's own conformance suite (github.com/tc39/test262, or the copy that lies in
// SpiderMonkey's sources as js/src/tests/test262) as an app: with plain Node.js, as a server build, and re-executed, each
// test in several equal lanes. It says which tests do not have the same outcome everywhere; whether
// they pass does not matter. The suite is no part of this project: say where it is.
//
//	go run ./testapps/test262 -dir DIR language/statements/class built-ins/Promise
//	go run ./testapps/test262 -dir DIR -list language
//
// Exit status: 0 no differences, 1 differences, 2 could not be done.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"karousosc/testapps/scenario"
)

func main() {
	dir := flag.String("dir", "", "the suite")
	batch := flag.Int("batch", 200, "tests of one app")
	lanes := flag.Int("lanes", 3, "how often each test is asked for")
	list := flag.Bool("list", false, "list the tests that would run, and those that would not with the reason, and stop")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	differences, err := run(ctx, *dir, flag.Args(), *batch, *lanes, *list)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "test262:", err)
		os.Exit(2)
	case differences > 0:
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, folders []string, batch, lanes int, list bool) (differences int, err error) {
	s, err := open(dir)
	if err != nil {
		return 0, err
	}
	tests, left, err := s.find(folders)
	if err != nil {
		return 0, err
	}
	if list {
		for _, t := range tests {
			fmt.Println(t.name)
		}
		for _, t := range left {
			fmt.Printf("%s: left out: %s\n", t.name, t.why)
		}
		return 0, nil
	}
	work, err := os.MkdirTemp("", "test262-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	kit, err := scenario.FromSource(work)
	if err != nil {
		return 0, err
	}
	j := &judge{kit: kit, work: work, lanes: lanes}
	for chunk := range slices.Chunk(tests, batch) {
		if err := j.batch(ctx, chunk); err != nil {
			return j.differences, err
		}
		fmt.Fprintf(os.Stderr, "%d tests, %d passed, %d differ\n", j.ran, j.passed, j.differences)
	}
	fmt.Printf("%d tests ran (%d passed plain), %d were left out, %d differ\n", j.ran, j.passed, len(left), j.differences)
	return j.differences, nil
}

package enumerate

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"karousosc/testapps/scenario"
	"karousosc/verifier/engine"
)

var (
	kit  *scenario.Kit
	dist string
)

func TestMain(m *testing.M) {
	engine.MaybeWorker()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "karousosc-enumerate-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	dist = filepath.Join(dir, "dist")
	if kit, err = scenario.FromSource(dir); err == nil {
		_, err = kit.Build(context.Background(), "app", dist)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

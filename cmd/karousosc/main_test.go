package main

import (
	"os"
	"testing"

	"karousosc/verifier/engine"
)

// Engines are this very program, so the tests' program has to be able to be
// one. It is also karousosc itself when asked to be, so that tests can run
// commands in processes of their own and send them signals.
func TestMain(m *testing.M) {
	engine.MaybeWorker()
	if os.Getenv("KAROUSOSC_TEST_AS_COMMAND") != "" {
		main()
	}
	os.Exit(m.Run())
}

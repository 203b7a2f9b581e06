package main

import (
	"os"
	"testing"

	"karousosc/verifier/engine"
)

// Engines are this very program, so the tests' program has to be able to be one.
func TestMain(m *testing.M) {
	engine.MaybeWorker()
	os.Exit(m.Run())
}

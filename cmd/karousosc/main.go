// Command karousosc builds event-driven web applications so that a principal
// can audit what an untrusted server did with them: it makes the two builds of
// an app, records the trusted trace, and verifies trace against advice.
//
// This package holds flags and printing only; the work is in transpile,
// runtime/collector and verifier.
package main

import (
	"os"

	"karousosc/verifier/engine"
)

func main() {
	// A process that was started as a JavaScript engine is nothing else.
	engine.MaybeWorker()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Package e2e tests karousosc as its users meet it: real apps on real packages,
// built, served by node, driven over many connections and audited by the command.
//
// Honest runs must be accepted, whatever requests overlapped; every lie of the
// attack families must be rejected, and by the rule that is meant for it; what
// cannot be audited must be told apart from both.
//
// The tests are in three files: honest_test.go, attacks_test.go and
// operation_test.go (processes that die, ports, missing files).
package e2e

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes are a contract: scripts tell an accepted audit from a rejected
// one, and both from an audit that could not be made.
const (
	exitAccept = 0
	exitReject = 1
	exitCannot = 2
)

// exitError carries an exit code out of a command. A nil err means that the
// command has already printed what there is to say (a verdict, for example).
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// cannot is the error of something that could not be done: bad usage, an
// unreadable file, a port in use. It exits with status 2.
func cannot(format string, args ...any) error {
	return &exitError{code: exitCannot, err: fmt.Errorf(format, args...)}
}

// run executes one command line and returns the exit code. Every error that
// carries no code of its own exits with 2, because 1 must only ever mean that
// an audit was made and failed.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitAccept
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		exit = &exitError{code: exitCannot, err: err}
	}
	if exit.err != nil {
		fmt.Fprintf(stderr, "karousosc: %v\n", exit.err)
	}
	return exit.code
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "karousosc",
		Short: "Audit what an untrusted server did with your web application",
		Long: `karousosc audits event-driven web applications (Node.js) that run on a server
you do not trust.

It makes two builds of an app: one that the server runs, which writes advice
while it answers, and one that the verifier runs. A collector that you trust
stands before the server and records the trace of requests and responses.
From trace and advice the verifier decides whether some legal execution of
your program yields exactly these responses.

Exit status: 0 done or accepted, 1 audit rejected, 2 could not be done.`,
		Example: `  karousosc collect --listen 127.0.0.1:8080 --upstream http://127.0.0.1:3000 --trace today.ktrace
  karousosc trace export today.ktrace > today.jsonl`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.AddCommand(
		newAdviceCommand(),
		newAnnotateCommand(),
		newBuildCommand(),
		newCollectCommand(),
		newDemoCommand(),
		newReplayCommand(),
		newServeCommand(),
		newTraceCommand(),
		newVerifyCommand(),
	)
	return root
}

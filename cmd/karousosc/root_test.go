package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func runHere(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string // in stdout or stderr
	}{
		{[]string{}, 0, "karousosc audits"},
		{[]string{"--help"}, 0, "Exit status:"},
		{[]string{"dance"}, 2, `unknown command "dance"`},
		{[]string{"collect"}, 2, "required flag"},
		{[]string{"collect", "--frequency", "1"}, 2, "unknown flag"},
		{[]string{"collect", "surplus", "--upstream", "http://x", "--trace", "y"}, 2, "unknown command"},
		{[]string{"trace", "dance"}, 2, "unknown command"},
		{[]string{"trace", "export"}, 2, "arg(s)"},
	} {
		code, stdout, stderr := runHere(c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
		if code != 0 && (strings.Contains(stderr, "Usage:") || stdout != "") {
			t.Errorf("%v: an error prints more than the error:\n%s%s", c.args, stdout, stderr)
		}
	}
}

// Every command explains itself and shows how it is used.
func TestCommandsAreDocumented(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if !c.Hidden && (c.Short == "" || c.Long == "" || c.Example == "") {
			t.Errorf("%s lacks Short, Long or Example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRootCommand())
}

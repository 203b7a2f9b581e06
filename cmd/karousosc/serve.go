package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"karousosc/transpile"
	"karousosc/transpile/manifest"
)

func newServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve DIST [-- ARG...]",
		Short: "Run the server's build with Node.js",
		Long: `Serve runs node DIST/server/index.js ARG... in its own place: environment, signals,
output and exit status are those of the app.

The server writes its advice into the folder that KAROUSOS_ADVICE names (./advice if it
is not set). Requests must come through karousosc collect; one that does not
is answered 421, because it could not be audited.

Exit status: that of the app, or 2 if it could not be started.`,
		Example: `  karousosc serve dist
  PORT=3000 KAROUSOS_ADVICE=/var/lib/app/advice karousosc serve dist -- --verbose`,
		Args: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); len(args) == 0 || n == 0 || n < 0 && len(args) > 1 || n > 1 {
				return errors.New("serve takes one folder, made by karousosc build; what is meant for the app comes after --")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			// Without a manifest, some other index.js would run unaudited.
			if _, err := manifest.Load(args[0]); err != nil {
				return cannot("%w", err)
			}
			index := filepath.Join(args[0], filepath.FromSlash(transpile.ServerIndex))
			if _, err := os.Stat(index); err != nil {
				return cannot("the server's build is incomplete: %w", err)
			}
			node, err := exec.LookPath("node")
			if err != nil {
				return cannot("serve runs the app with Node.js (20 or newer), and there is no `node` in PATH")
			}
			// Node.js takes this process over, so nothing is lost on the way.
			err = syscall.Exec(node, append([]string{"node", index}, args[1:]...), os.Environ())
			return cannot("cannot run %s: %w", node, err)
		},
	}
}

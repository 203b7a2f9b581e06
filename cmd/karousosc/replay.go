package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"karousosc/testapps/replay"
)

// newReplayCommand is for the demo and the benchmarks, which measure it.
func newReplayCommand() *cobra.Command {
	var file, engine string
	cmd := &cobra.Command{
		Use:    "replay PROGRAM --trace FILE",
		Short:  "Run an unmodified app again from a trace, one request after another",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			r, err := replay.Run(ctx, replay.Engine(engine), args[0], file)
			if err != nil {
				return cannot("%w", err)
			}
			if err := json.NewEncoder(cmd.OutOrStdout()).Encode(r); err != nil {
				return cannot("%w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "trace", "", "the trace `file`")
	cmd.Flags().StringVar(&engine, "engine", string(replay.V8), "what runs it: v8 or node")
	cmd.MarkFlagRequired("trace")
	return cmd
}

package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"karousosc/verifier/trace"
)

func newTraceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Convert traces to and from JSON Lines and HAR; check signed ones",
		Long: `Traces are compact binary files. These commands turn them into JSON Lines, which
other programs and people can read and change, or into HTTP Archives (HAR),
which browsers can show, and back. Nothing is lost either way.

Keygen and verify-log are for traces that are handed to others: the collector
signs what it writes (collect --key), and verify-log checks that nobody changed it.`,
		Example: `  karousosc trace export today.ktrace | grep '"status":500'
  karousosc trace import changed.jsonl changed.ktrace`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTraceExportCommand(), newTraceImportCommand(), newTraceKeygenCommand(), newTraceVerifyLogCommand())
	return cmd
}

func newTraceExportCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export TRACE [FILE]",
		Short: "Write a trace as JSON Lines or HAR",
		Long: `Export writes a trace as JSON Lines (one event per line, in the collector's order)
or as an HTTP Archive, to FILE or to standard output.`,
		Example: `  karousosc trace export today.ktrace
  karousosc trace export --format har today.ktrace today.har`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			export := map[string]func(io.Writer, *trace.Trace) error{"jsonl": trace.ExportJSONL, "har": trace.ExportHAR}[format]
			if export == nil {
				return cannot("unknown format %q; it is jsonl or har", format)
			}
			t, err := trace.Load(args[0], trace.Limits{})
			if err != nil {
				return cannot("%w", err)
			}
			if len(args) == 1 {
				if err := export(cmd.OutOrStdout(), t); err != nil {
					return cannot("cannot export: %w", err)
				}
				return nil
			}
			f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if errors.Is(err, os.ErrExist) {
				return cannot("%s exists; it is not overwritten", args[1])
			}
			if err != nil {
				return cannot("%w", err)
			}
			err = export(f, t)
			if e := f.Close(); err == nil {
				err = e
			}
			if err != nil {
				os.Remove(args[1])
				return cannot("cannot export: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "`format` to write: jsonl or har")
	return cmd
}

func newTraceImportCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "import FILE TRACE",
		Short: "Make a trace from JSON Lines or HAR",
		Long: `Import reads what export writes (from FILE, or from standard input if FILE is -)
and writes a new trace. An HTTP Archive from elsewhere is ordered by its times.`,
		Example: `  karousosc trace import today.jsonl today.ktrace
  karousosc trace import --format har browser.har browser.ktrace`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			read := map[string]func(string, io.Reader, trace.Limits) (*trace.Trace, error){"jsonl": trace.ImportJSONL, "har": trace.ImportHAR}[format]
			if read == nil {
				return cannot("unknown format %q; it is jsonl or har", format)
			}
			in := cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return cannot("%w", err)
				}
				defer f.Close()
				in = f
			}
			t, err := read(args[0], bufio.NewReader(in), trace.Limits{})
			if err != nil {
				return cannot("%w", err)
			}
			err = trace.Save(args[1], t)
			if errors.Is(err, os.ErrExist) {
				return cannot("%s exists; it is not overwritten", args[1])
			}
			if err != nil {
				return cannot("cannot write the trace: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "`format` to read: jsonl or har")
	return cmd
}

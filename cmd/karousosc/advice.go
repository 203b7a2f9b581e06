package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"karousosc/verifier/advice"
)

func newAdviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "advice",
		Short: "Convert advice to and from JSON Lines",
		Long: `Advice is what the audited server reports about its own execution: a directory
with one compact binary file for each start of the server. These commands turn
it into JSON Lines, which people and other programs can read and change, and
back. Nothing is lost either way.`,
		Example: `  karousosc advice export advice | grep '"req":17'
  karousosc advice import changed.jsonl -o forged`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAdviceExportCommand(), newAdviceImportCommand())
	return cmd
}

func newAdviceExportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write advice as JSON Lines",
		Long: `Export writes one line per record, life after life, to standard output or to a
file. A life that ends early (the server was killed) is exported as far as it
goes, and a note on standard error says what is missing.

A line names its record first: request, tag, activation, location, write, read,
object, of (the fields of an object), nd (a recorded result), chunks,
unauditable, env, incomplete or end. verifier/advice/v1/FORMAT.md explains them.`,
		Example: `  karousosc advice export advice
  karousosc advice export advice -o advice.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			export := func(w io.Writer) error {
				notes, err := advice.Export(args[0], w, advice.Limits{})
				for _, n := range notes {
					fmt.Fprintln(cmd.ErrOrStderr(), "karousosc: incomplete:", n)
				}
				return err
			}
			if output == "" {
				if err := export(cmd.OutOrStdout()); err != nil {
					return cannot("cannot export: %w", err)
				}
				return nil
			}
			f, err := create(output)
			if err != nil {
				return err
			}
			err = export(f)
			if e := f.Close(); err == nil {
				err = e
			}
			if err != nil {
				os.Remove(output)
				return cannot("cannot export: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, which must not exist yet")
	return cmd
}

func newAdviceImportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "import FILE -o DIR",
		Short: "Make advice from JSON Lines",
		Long: `Import reads what export writes (from FILE, or from standard input if FILE is -)
and writes a directory of advice.

Lines may be changed, moved, copied and removed in between. Numbers of requests,
activations, locations, writes and objects are labels that an earlier line has
to define; a label that is defined again means the newer record from there on.`,
		Example: `  karousosc advice import advice.jsonl -o advice2
  karousosc advice export advice | sed 's/"value":1}/"value":2}/' | karousosc advice import - -o forged`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return cannot("say where to write the advice: -o DIR")
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
			if err := os.MkdirAll(output, 0o700); err != nil {
				return cannot("%w", err)
			}
			// A failed import leaves nothing that looks like advice.
			var made []string
			err := advice.Import(args[0], in, advice.Limits{}, func(name string) (io.WriteCloser, error) {
				path := filepath.Join(output, name)
				f, err := create(path)
				if err == nil {
					made = append(made, path)
				}
				return f, err
			})
			if err != nil {
				for _, path := range made {
					os.Remove(path)
				}
				return cannot("cannot import: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the advice to directory `DIR`")
	return cmd
}

// create makes a new file; it never overwrites one.
func create(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, cannot("%s exists; it is not overwritten", path)
	}
	if err != nil {
		return nil, cannot("%w", err)
	}
	return f, nil
}

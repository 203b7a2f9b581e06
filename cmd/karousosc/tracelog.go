package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"

	"karousosc/verifier/trace/signed"
)

func newTraceKeygenCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "keygen FILE",
		Short: "Make a key pair to sign traces with",
		Long: `Keygen writes a private key, for collect --key, to FILE, and the public one, which
verify-log and others need, to FILE.pub.`,
		Example: `  karousosc trace keygen mine --name example.org`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			private, public, err := signed.GenerateKey(name)
			if err != nil {
				return cannot("%q cannot name a key: it is empty, or has spaces or a plus sign", name)
			}
			for _, f := range []struct {
				name, text string
				mode       os.FileMode
			}{{args[0], private, 0o600}, {args[0] + ".pub", public, 0o644}} {
				if err := writeNew(f.name, f.text+"\n", f.mode); err != nil {
					return cannot("%w", err)
				}
			}
			fmt.Fprintln(cmd.OutOrStdout(), public)
			return nil
		},
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "collector"
	}
	cmd.Flags().StringVar(&name, "name", host, "the key's `name`, which every signature shows")
	return cmd
}

func writeNew(name, text string, mode os.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists; it is not overwritten", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func newTraceVerifyLogCommand() *cobra.Command {
	var keyFile, contains string
	cmd := &cobra.Command{
		Use:   "verify-log TRACE --key FILE",
		Short: "Check that a trace is what the collector signed",
		Long: `Verify-log compares a trace with the signed checkpoints beside it (TRACE.checkpoints):
every byte before the last checkpoint is covered by its signature. It says what is
not covered: bytes after the last checkpoint, with the requests that they tell of;
what a collector found unsigned when it went on after another was killed; and
whether the end of a session may be missing.

That nobody removed the newest checkpoints together with what they cover, only a
checkpoint from elsewhere can show (the collector prints its last one): --contains.

Exit status: 0 every byte is signed; 1 trace or checkpoints were changed, or the
key is another one; 2 some bytes are not signed, or nothing could be said.`,
		Example: `  karousosc trace verify-log today.ktrace --key mine.pub
  karousosc trace verify-log today.ktrace --key mine.pub --contains last-checkpoint.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := verifyLog(args[0], keyFile, contains)
			var changed *signed.Tampered
			switch {
			case errors.As(err, &changed):
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", filepath.Base(args[0]), changed.Reason)
				return &exitError{code: exitReject}
			case err != nil:
				return cannot("%w", err)
			}
			fmt.Fprint(cmd.OutOrStdout(), r.Text())
			if !r.Whole() {
				return &exitError{code: exitCannot}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&keyFile, "key", "", "public key `file` of the collector")
	cmd.Flags().StringVar(&contains, "contains", "", "`file` with a checkpoint that the trace must contain")
	cmd.MarkFlagRequired("key")
	return cmd
}

func verifyLog(file, keyFile, contains string) (*signed.Report, error) {
	key, err := publicKey(keyFile)
	if err != nil {
		return nil, err
	}
	known := ""
	if contains != "" {
		text, err := os.ReadFile(contains)
		if err != nil {
			return nil, err
		}
		known = string(text)
	}
	return signed.Verify(file, key, known)
}

func publicKey(file string) (note.Verifier, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := signed.ParsePublic(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}

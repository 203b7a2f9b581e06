package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"karousosc/runtime/collector"
	"karousosc/verifier/trace"
	"karousosc/verifier/trace/signed"
)

func newCollectCommand() *cobra.Command {
	var listen, upstream, file, keyFile string
	var resume, durable bool
	var maxBody int64
	var grace time.Duration
	cmd := &cobra.Command{
		Use:   "collect --listen ADDR --upstream URL --trace FILE",
		Short: "Record the trace: a proxy between the clients and the server",
		Long: `Collect runs the trusted recorder. It stands between the clients and the server
under audit, forwards every request with a Karousos-Request-Id header, and
records requests and responses in a trace file until it is stopped with ^C or
SIGTERM.

Bodies are streamed. What cannot be audited (an upgraded connection such as a
WebSocket, a body over the limit) is passed on all the same, and listed in the
trace and at the end. If the trace cannot be written any more, the collector
stops, because what is not recorded cannot be audited.

Should the collector be killed, all but its last 0.2 seconds are in the file.

With --key, the trace can be handed to others: the collector signs a checkpoint
of it every second and at its end, in TRACE.checkpoints (see "karousosc trace
verify-log"), and completes a response only when the file has the record of it.
So a collector that was killed loses nothing that a client had got whole; with
--durable, a machine that loses power does not either.`,
		Example: `  karousosc collect --listen 127.0.0.1:8080 --upstream http://127.0.0.1:3000 --trace today.ktrace
  karousosc collect --listen :8080 --upstream http://127.0.0.1:3000 --trace today.ktrace --append
  karousosc trace keygen mine && karousosc collect --key mine --listen :8080 --upstream http://127.0.0.1:3000 --trace today.ktrace`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			// The port first: a collector that cannot run should not leave a trace.
			l, err := net.Listen("tcp", listen)
			if errors.Is(err, syscall.EADDRINUSE) {
				return cannot("%s is already in use; is another collector or server running there?", listen)
			}
			if err != nil {
				return cannot("cannot listen on %s: %w", listen, err)
			}
			defer l.Close()
			open := trace.Create
			if resume {
				open = trace.Append
			}
			signer, err := newSigner(file, keyFile)
			if err != nil {
				return cannot("%w", err)
			}
			opt := trace.Options{Sync: durable}
			if signer != nil {
				opt.Witness = signer
			}
			w, err := open(file, opt)
			if errors.Is(err, os.ErrExist) {
				return cannot("%s exists; name another file, or give --append to go on with it", file)
			}
			if err != nil {
				return cannot("cannot write the trace: %w", err)
			}
			c, err := collector.New(collector.Options{Upstream: upstream, Trace: w, MaxBody: maxBody, Commit: signer != nil || durable,
				Log: log.New(cmd.ErrOrStderr(), "karousosc collect: ", 0)})
			if err != nil {
				w.Close()
				if !resume {
					os.Remove(file)
				}
				return cannot("%w", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "collecting on http://%s for %s into %s\n", l.Addr(), upstream, file)
			err = collect(ctx, cancel, c, l, w, grace, cmd.OutOrStdout())
			if signer != nil && err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "the last checkpoint; keep it elsewhere, and nobody can cut the trace:\n%s", signer.Last())
			}
			return err
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "`address` to serve clients on; port 0 takes a free one")
	cmd.Flags().StringVar(&upstream, "upstream", "", "`URL` of the server, e.g. http://127.0.0.1:3000")
	cmd.Flags().StringVar(&file, "trace", "", "`file` to record in")
	cmd.Flags().StringVar(&keyFile, "key", "", "private key `file` to sign checkpoints with (see trace keygen)")
	cmd.Flags().BoolVar(&durable, "durable", false, "complete a response only when the disk has the record of it")
	cmd.Flags().BoolVar(&resume, "append", false, "go on with an existing trace")
	cmd.Flags().Int64Var(&maxBody, "max-body", collector.DefaultMaxBody, "`bytes` of one body to record; larger ones are forwarded, but cannot be audited")
	cmd.Flags().DurationVar(&grace, "grace", 5*time.Second, "how long requests under way may take when the collector is stopped")
	cmd.MarkFlagRequired("upstream")
	cmd.MarkFlagRequired("trace")
	return cmd
}

// newSigner is nil if the trace is not to be signed. One that was signed must be
// signed to its end.
func newSigner(file, keyFile string) (*signed.Signer, error) {
	if keyFile == "" {
		if _, err := os.Stat(file + signed.Extension); err == nil {
			return nil, fmt.Errorf("%s is signed; give --key to go on with it", file)
		}
		return nil, nil
	}
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	key, err := signed.ParseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keyFile, err)
	}
	return signed.NewSigner(file, key)
}

// collect runs until it is told to stop, or cannot go on.
func collect(ctx context.Context, cancel func(), c *collector.Collector, l net.Listener, w *trace.Writer, grace time.Duration, out io.Writer) error {
	served := make(chan error, 1)
	go func() { served <- c.Serve(l) }()
	var failure error
	select {
	case <-ctx.Done():
	case <-w.Failed():
		failure = cannot("cannot write the trace any more: %w", w.Err())
	case err := <-served:
		failure = cannot("cannot serve any more: %w", err)
	}
	cancel() // from here on a second ^C ends the process at once
	wait, done := context.WithTimeout(context.Background(), grace)
	defer done()
	c.Close(wait)
	if err := w.Close(); err != nil && failure == nil {
		failure = cannot("cannot write the trace: %w", err)
	}
	s := c.Stats()
	fmt.Fprintf(out, "collected %d requests, %d of them aborted, %d not auditable\n", s.Requests, s.Aborted, s.Unaudited)
	for _, r := range s.Remarks {
		fmt.Fprintf(out, "  not auditable: request %d, %s %s: %s\n", r.RID, r.Method, r.Target, r.Note)
	}
	return failure
}

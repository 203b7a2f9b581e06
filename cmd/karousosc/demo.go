package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"karousosc/testapps/forge"
	"karousosc/testapps/load"
	"karousosc/testapps/replay"
	"karousosc/testapps/scenario"
	"karousosc/verifier/verdict"
)

func newDemoCommand() *cobra.Command {
	d := demo{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole story on a small app: build, serve, audit, forge, audit again",
		Long: `Demo builds an app, runs its server build behind a collector, sends it requests
and audits what it did. Then it lies, on copies: it changes one byte of one
response, and it lets one request have read an older message than the newest one
that was set and acknowledged before, with the response to match. Both must be
rejected, and it says why.

APP is one of the message-of-the-day apps in testapps, on which any number of
requests set and get messages at the same time.

Exit status: 0 if the honest run was accepted and both lies were rejected,
1 if not, 2 if something could not be run.`,
		Example: `  karousosc demo
  karousosc demo --app testapps/motd-express5 --requests 5000 --connections 60
  karousosc demo --keep /tmp/story && karousosc trace export /tmp/story/honest/trace.ktrace | less`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			d.out = cmd.OutOrStdout()
			if asJSON {
				d.out = io.Discard
			}
			err := d.run(ctx)
			if ctx.Err() != nil {
				return cannot("interrupted")
			}
			var failed *demoFailure
			if err != nil && !errors.As(err, &failed) {
				return cannot("%w", err)
			}
			if asJSON {
				d.Story.OK = failed == nil
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				e.SetEscapeHTML(false)
				if err := e.Encode(&d.Story); err != nil {
					return cannot("%w", err)
				}
			}
			if failed != nil {
				return &exitError{code: exitReject, err: err}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.app, "app", "testapps/motd", "the `folder` of the app")
	f.IntVar(&d.requests, "requests", 600, "how many requests to send")
	f.IntVar(&d.connections, "connections", 30, "over how many connections")
	f.StringVar(&d.keep, "keep", "", "leave builds, traces and advice in this `folder`, which must not exist yet")
	f.BoolVar(&asJSON, "json", false, "print all results as JSON instead of telling the story")
	return cmd
}

// demo is one telling of the story.
type demo struct {
	app                   string
	requests, connections int
	keep                  string

	out   io.Writer
	kit   *scenario.Kit
	Story demoStory
}

// demoStory is what --json prints.
type demoStory struct {
	OK          bool             `json:"ok"`
	App         string           `json:"app"`
	BuildID     string           `json:"buildId"`
	Requests    int              `json:"requests"`
	Connections int              `json:"connections"`
	Groups      int              `json:"groups"`
	Widest      int              `json:"widest"`
	AdviceBytes int64            `json:"adviceBytes"`
	ServerCPU   float64          `json:"serverCpuSeconds"`
	VerifierCPU float64          `json:"verifierCpuSeconds"`
	ReplayCPU   float64          `json:"replayCpuSeconds"`
	Honest      *verdict.Verdict `json:"honest"`
	Forged      *verdict.Verdict `json:"forgedByte"`
	Stale       *verdict.Verdict `json:"staleRead"`
}

// demoFailure says that the audit did not come out as it must.
type demoFailure struct{ text string }

func (e *demoFailure) Error() string { return e.text }

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// quote prints what another command would have printed.
func (d *demo) quote(text string) {
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		d.say("   | %s", line)
	}
}

func (d *demo) run(ctx context.Context) error {
	switch {
	case d.requests < 20:
		return errors.New("--requests must be at least 20, or there is no older message to read")
	case d.connections < 1:
		return errors.New("--connections must be at least 1")
	}
	if info, err := os.Stat(d.app); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no app in %s: run the demo in karousosc's own source folder, or name one with --app", d.app)
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	d.kit = &scenario.Kit{Exe: exe}
	dir := d.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "karousosc-demo-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	d.Story.App, d.Story.Requests, d.Story.Connections = d.app, d.requests, d.connections

	if err := scenario.Install(ctx, d.app); err != nil {
		return err
	}
	dist := filepath.Join(dir, "dist")
	b, err := d.kit.Build(ctx, d.app, dist)
	if err != nil {
		return err
	}
	d.Story.BuildID = b.Manifest.BuildID
	d.say("1. Built %s: %d functions, %s; %.1f s of CPU", d.app, len(b.Manifest.Functions), declared(b), b.CPU.Seconds())

	honest, err := d.serve(ctx, dist, filepath.Join(dir, "honest"))
	if err != nil {
		return err
	}
	if err := d.auditHonest(ctx, honest.Evidence); err != nil {
		return err
	}
	if err := d.auditForgedByte(ctx, honest.Evidence, filepath.Join(dir, "forged-byte")); err != nil {
		return err
	}
	if err := d.auditStaleRead(ctx, honest.Evidence, filepath.Join(dir, "stale-read")); err != nil {
		return err
	}
	d.say("\nThe honest run was accepted, and both lies were found.")
	if d.keep != "" {
		d.say("Everything lies in %s.", d.keep)
	}
	return nil
}

func declared(b *scenario.Build) string {
	var names []string
	for _, a := range b.Manifest.Annotations {
		names = append(names, fmt.Sprintf("%s at %s is shared by requests", a.Name, a.Position))
	}
	if len(names) == 0 {
		return "nothing is shared by requests"
	}
	return strings.Join(names, ", ")
}

func (d *demo) serve(ctx context.Context, dist, dir string) (*scenario.Recording, error) {
	// So few dates that messages are overwritten while others read them.
	requests := load.Motd{Requests: d.requests, Writes: 50, Keys: max(5, d.requests/20), Seed: 1}.Build()
	var sent *load.Result
	r, err := d.kit.Record(ctx, dist, dir, func(ctx context.Context, addr string) (err error) {
		sent, err = load.Run(ctx, requests, load.Options{Addr: addr, Connections: d.connections})
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Story.ServerCPU, d.Story.AdviceBytes = r.Server.Work().Seconds(), r.AdviceBytes()
	d.say("2. Served %d requests over %d connections in %.2f s; the collector wrote the trace, the server %s of advice",
		sent.Requests, d.connections, sent.Elapsed.Seconds(), bytesOf(d.Story.AdviceBytes))
	return r, nil
}

func (d *demo) auditHonest(ctx context.Context, e scenario.Evidence) error {
	// One worker, because plain re-execution has one as well.
	a, err := d.kit.Verify(ctx, e, "--workers", "1")
	if err != nil {
		return err
	}
	d.Story.Honest = &a.Verdict
	if a.Outcome != verdict.Accept {
		d.say("3. Audited: NOT ACCEPTED, although nothing was forged")
		d.quote(a.Text())
		return &demoFailure{"the honest run was not accepted"}
	}
	program := filepath.Join(filepath.Dir(e.Dist), "plain.json")
	if err := replay.Prepare(d.app, "", program); err != nil {
		return err
	}
	again, err := replay.Process(ctx, d.kit.Exe, replay.V8, program, e.Trace)
	if err != nil {
		return err
	}
	s := a.Stats
	d.Story.Groups, d.Story.Widest = s.Groups, s.Widest
	d.Story.VerifierCPU, d.Story.ReplayCPU = a.CPU.Seconds(), again.CPU.Seconds()
	d.say("3. Audited: ACCEPT")
	d.quote(a.Text())
	d.say("   requests %d, groups %d, widest group %d, operations on shared state %d", s.Requests, s.Groups, s.Widest, s.Operations)
	d.say("   advice   %s, %.1f bytes a request", bytesOf(d.Story.AdviceBytes), float64(d.Story.AdviceBytes)/float64(max(1, s.Requests)))
	d.say("   CPU      server %.2f s, verifier %.2f s, plain re-execution %.2f s (one request after another, same engine)",
		d.Story.ServerCPU, d.Story.VerifierCPU, d.Story.ReplayCPU)
	return nil
}

func (d *demo) auditForgedByte(ctx context.Context, honest scenario.Evidence, dir string) error {
	e, err := forge.Load(honest.Trace, honest.Advice)
	if err != nil {
		return err
	}
	x := &e.Trace.Exchanges[len(e.Trace.Exchanges)/2]
	at, before, after := forge.FlipByte(x)
	d.say("\n4. On a copy, byte %d of the response to request %d (%s %s) is changed from %q to %q", at, x.RID, x.Request.Method, x.Request.Target, before, after)
	a, err := d.forged(ctx, e, honest.Dist, dir)
	if err != nil {
		return err
	}
	d.Story.Forged = &a.Verdict
	return d.mustReject(a, x.RID)
}

func (d *demo) auditStaleRead(ctx context.Context, honest scenario.Evidence, dir string) error {
	e, err := forge.Load(honest.Trace, honest.Advice)
	if err != nil {
		return err
	}
	s, err := e.StaleRead()
	if err != nil {
		return err
	}
	d.say("\n5. On another copy, request %d is said to have read what request %d wrote to %s, not what request %d wrote later;", s.Reader, s.Older, s.Location, s.Newer)
	d.say("   that later write was answered before request %d arrived. Its response is changed to match,", s.Reader)
	d.say("   from %q\n   to   %q", s.Was, s.Is)
	a, err := d.forged(ctx, e, honest.Dist, dir)
	if err != nil {
		return err
	}
	d.Story.Stale = &a.Verdict
	return d.mustReject(a, s.Reader, s.Older, s.Newer)
}

func (d *demo) forged(ctx context.Context, e *forge.Evidence, dist, dir string) (*scenario.Audit, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	copied := scenario.In(dist, dir)
	if err := e.Save(copied.Trace, copied.Advice); err != nil {
		return nil, err
	}
	return d.kit.Verify(ctx, copied)
}

// mustReject wants a reject that tells a person what is wrong: about one of the
// requests, with its place in the app's source.
func (d *demo) mustReject(a *scenario.Audit, rids ...uint64) error {
	v := &a.Verdict
	if v.Outcome != verdict.Reject {
		d.say("   Audited: NOT REJECTED")
		d.quote(a.Text())
		return &demoFailure{"a lie was not rejected"}
	}
	d.say("   Audited: REJECT")
	d.quote(a.Text())
	named := false
	for _, rid := range rids {
		named = named || v.RID == rid
	}
	switch {
	case !named:
		return &demoFailure{fmt.Sprintf("the reject is about request %d, not about what was forged", v.RID)}
	case v.Position == nil:
		return &demoFailure{"the reject does not say where in the app's source"}
	case v.Expected == "" && len(v.Cycle) == 0:
		return &demoFailure{"the reject does not say what was expected"}
	}
	return nil
}

func bytesOf(n int64) string {
	if n < 10_000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f KB", float64(n)/1000)
}

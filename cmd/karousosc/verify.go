package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/engine"
	"karousosc/verifier/reexec"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

func newVerifyCommand() *cobra.Command {
	var v verifier
	cmd := &cobra.Command{
		Use:   "verify DIST --trace FILE --advice DIR",
		Short: "Audit: could the program have given these answers?",
		Long: `Verify decides whether some legal execution of the program in DIST yields exactly
the trace. It runs the requests again, in groups, on what the advice says they
read, compares every answer, and checks that all reads and writes can have
happened in one order that agrees with the trace.

Where requests share what no log can hold (callbacks, promises, sockets), all of them
are run again together instead, in the order in which the server says that it ran
them, if that order agrees with the trace. This takes about as long as running the
program again.

The trace is trusted; the advice is not: whatever it says, it cannot make a wrong
answer pass, and tags in it only decide how fast the audit is.

A server that is started anew forgets what it kept in memory, which could excuse
lost writes. Verify therefore rejects the advice of more starts than --lives.

Exit status: 0 accept, 1 reject, 2 the audit could not be made.`,
		Example: `  karousosc verify dist --trace today.ktrace --advice advice
  karousosc verify dist --trace today.ktrace --advice advice --json | jq .rule`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			v.dist = args[0]
			result, err := v.audit(ctx, cmd.ErrOrStderr())
			if err != nil {
				if ctx.Err() != nil {
					return cannot("interrupted; nothing was decided")
				}
				return cannot("%w", err)
			}
			write := result.Text
			if v.json {
				write = result.JSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return cannot("%w", err)
			}
			switch result.Outcome {
			case verdict.Accept:
				return nil
			case verdict.Reject:
				return &exitError{code: exitReject}
			}
			return &exitError{code: exitCannot}
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.trace, "trace", "", "the trace `file` that the collector wrote")
	f.StringVar(&v.traceKey, "trace-key", "", "public key `file`: check first that the collector signed all of the trace")
	f.StringVar(&v.advice, "advice", "", "the `directory` of advice that the server wrote")
	f.IntVar(&v.workers, "workers", runtime.NumCPU(), "engines to run at a time, and threads for the rest")
	f.IntVar(&v.lives, "lives", 1, "how often the server may have been started")
	f.IntVar(&v.maxGroup, "max-group", reexec.DefaultMaxGroup, "widest group of requests to run together")
	f.DurationVar(&v.timeout, "timeout", time.Minute, "how long a group may take")
	f.Int64Var(&v.memory, "memory", 2048, "`MiB` of memory that each engine may use")
	f.BoolVar(&v.together, "together", false, "re-execute all requests together, in the server's order, and not in groups")
	f.BoolVar(&v.json, "json", false, "print the whole verdict as JSON")
	cmd.MarkFlagRequired("trace")
	cmd.MarkFlagRequired("advice")
	return cmd
}

// verifier is one run of the command.
type verifier struct {
	dist, trace, advice      string
	traceKey                 string
	workers, lives, maxGroup int
	timeout                  time.Duration
	memory                   int64
	together, json           bool
}

// The verifier's build, in the order in which an engine loads it.
var verifierScripts = []string{"runtime.js", "models.js", "program.js"}

// A group runs a program's code once for hundreds of requests, so little of it
// ever runs often enough to repay V8's last and dearest compiler.
var engineFlags = []string{"--no-turbofan"}

func (v *verifier) audit(ctx context.Context, stderr io.Writer) (*verdict.Verdict, error) {
	began := time.Now()
	switch {
	case v.workers < 1:
		return nil, errors.New("--workers must be at least 1")
	case v.lives < 1:
		return nil, errors.New("--lives must be at least 1")
	case v.maxGroup < 1:
		return nil, errors.New("--max-group must be at least 1")
	case v.memory < 64:
		return nil, errors.New("--memory must be at least 64 (MiB)")
	case v.timeout <= 0:
		return nil, errors.New("--timeout must be positive")
	}
	if v.traceKey != "" {
		r, err := verifyLog(v.trace, v.traceKey, "")
		if err != nil {
			return nil, err
		}
		if !r.Whole() {
			return nil, fmt.Errorf("the trace is not signed to its end:\n%s", r.Text())
		}
	}
	runtime.GOMAXPROCS(min(v.workers, runtime.NumCPU()))
	m, err := manifest.Load(v.dist)
	if err != nil {
		return nil, err
	}
	cfg := engine.Config{Timeout: v.timeout, MaxRSS: v.memory << 20, NodeMajor: 20, CodeDir: engine.DefaultCodeDir(), Flags: engineFlags}
	cfg.Files = filepath.Join(v.dist, "verifier", "files.json")
	for _, name := range verifierScripts {
		text, err := os.ReadFile(filepath.Join(v.dist, "verifier", name))
		if err != nil {
			return nil, fmt.Errorf("the verifier's build is incomplete: %w", err)
		}
		cfg.Scripts = append(cfg.Scripts, engine.Script{Name: name, Source: string(text)})
	}
	// Trace and advice are decoded side by side: each is one long pass over bytes.
	var t *trace.Trace
	var a *advice.Advice
	var traceErr, adviceErr error
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t, traceErr = trace.Load(v.trace, trace.Limits{})
	}()
	a, adviceErr = advice.Load(v.advice, advice.Limits{Memory: adviceMemory()})
	wg.Wait()
	if traceErr != nil {
		return nil, traceErr
	}
	var result *verdict.Verdict
	if adviceErr != nil {
		var malformed *advice.FormatError
		if !errors.As(adviceErr, &malformed) {
			return nil, adviceErr
		}
		result = verdict.Malformed(malformed)
	} else {
		bar := newProgress(stderr)
		result, err = verdict.Audit(ctx, verdict.Input{
			Trace: t, Advice: a, Manifest: m, MaxLives: v.lives, Together: v.together,
			Sources: verdict.NewSources("program.js", filepath.Join(v.dist, "verifier", "program.js.map")),
			Options: reexec.Options{
				Start: func(ctx context.Context) (reexec.Engine, error) {
					e, err := engine.Start(ctx, cfg)
					if err != nil {
						return nil, err
					}
					return e, nil
				},
				Survives: func(err error) bool {
					var thrown *engine.JSError
					return errors.As(err, &thrown)
				},
				Workers: v.workers, MaxGroup: v.maxGroup, Progress: bar.update,
			},
		})
		bar.clear()
		if err != nil {
			return nil, err
		}
	}
	s := &result.Stats
	s.TraceBytes, s.AdviceBytes = fileSize(v.trace), adviceSize(v.advice)
	s.Wall = time.Since(began).Seconds()
	s.CPU = ownCPU().Seconds() + s.EngineCPU
	return result, nil
}

// adviceMemory is what decoded advice may occupy, in bytes: it packs so well that a small file could fill the machine.
func adviceMemory() int64 {
	most := record.Defaults.Memory
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) == nil {
		most = min(most, int64(s.Totalram)*int64(s.Unit)/2)
	}
	return most
}

func fileSize(name string) int64 {
	if info, err := os.Stat(name); err == nil {
		return info.Size()
	}
	return 0
}

func adviceSize(dir string) int64 {
	var n int64
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
	}
	return n
}

// ownCPU is the processor time of this process, its engines left out.
func ownCPU() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// progress is a line on a terminal that is written over and over; on anything else it is silent.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	next time.Time
	used bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok {
		return &progress{}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{w: f, next: time.Now().Add(300 * time.Millisecond)}
}

func (p *progress) update(done, total int) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(100 * time.Millisecond)
	p.used = true
	fmt.Fprintf(p.w, "\r\x1b[Kauditing: %d of %d requests", done, total)
}

func (p *progress) clear() {
	if p.used {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

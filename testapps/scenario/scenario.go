// Package scenario runs the whole chain as its users do: build, serve, collect,
// send requests, verify, each a process of its own. The demo, the end-to-end tests
// and the benchmarks share it, so that what is shown, tested and measured is one
// and the same thing, and so that processor time is what the kernel says of the
// process in question and of nothing else.
package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"karousosc/transpile/manifest"
	"karousosc/verifier/verdict"
)

// A Kit is the program under test.
type Kit struct {
	Exe string // the karousosc program
}

// FromSource builds the program from the source around the working directory and
// puts it into dir. The JavaScript runtime must have been generated (make build).
func FromSource(dir string) (*Kit, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	exe := filepath.Join(dir, "karousosc")
	cmd := exec.Command("go", "build", "-o", exe, "./cmd/karousosc")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return &Kit{Exe: exe}, nil
}

// Root is the module's folder.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("there is no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// installing: several apps may have one folder.
var installing sync.Mutex

// Install installs an app's packages by its lock file, unless they are there.
func Install(ctx context.Context, app string) error {
	installing.Lock()
	defer installing.Unlock()
	lock, err := os.Stat(filepath.Join(app, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("%s is no npm project with a lock file: %w", app, err)
	}
	stamp := filepath.Join(app, "node_modules", ".package-lock.json")
	if have, err := os.Stat(stamp); err == nil && !have.ModTime().Before(lock.ModTime()) {
		return nil
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = app
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", app, err, out)
	}
	// npm leaves nothing where there is nothing to install.
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(stamp, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	f.Close()
	now := time.Now()
	return os.Chtimes(stamp, now, now)
}

// Run runs the program with the arguments; err says only that it could not be run.
func (k *Kit) Run(ctx context.Context, args ...string) (stdout, stderr string, u Usage, err error) {
	var out bytes.Buffer
	u, stderr, err = finish(ctx, exec.CommandContext(ctx, k.Exe, args...), &out, nil)
	return out.String(), stderr, u, err
}

// A Build is a build of an app.
type Build struct {
	Dist     string
	Manifest *manifest.Manifest
	CPU      time.Duration
}

// Build builds an app into dist. args are further flags.
func (k *Kit) Build(ctx context.Context, app, dist string, args ...string) (*Build, error) {
	stdout, stderr, u, err := k.Run(ctx, append([]string{"build", app, "-o", dist}, args...)...)
	if err != nil {
		return nil, err
	}
	if u.Code != 0 {
		return nil, fmt.Errorf("karousosc build %s: exit status %d\n%s%s", app, u.Code, stdout, stderr)
	}
	m, err := manifest.Load(dist)
	if err != nil {
		return nil, err
	}
	return &Build{Dist: dist, Manifest: m, CPU: u.CPU}, nil
}

// Serve starts the server build and waits until it listens.
func (k *Kit) Serve(ctx context.Context, dist, advice string, env ...string) (*Process, error) {
	return node(ctx, "the server", filepath.Join(dist, "server", "index.js"), "", append(env, "KAROUSOS_ADVICE="+advice)...)
}

// ServeOn is Serve on a port that somebody knows already.
func (k *Kit) ServeOn(ctx context.Context, dist, advice, port string, env ...string) (*Process, error) {
	return nodeOn(ctx, "the server", filepath.Join(dist, "server", "index.js"), "", port, append(env, "KAROUSOS_ADVICE="+advice)...)
}

// ServePlain starts an app as it is, without karousosc, and waits until it listens.
func ServePlain(ctx context.Context, app, entry string, env ...string) (*Process, error) {
	return node(ctx, "the unmodified app", entry, app, env...)
}

func node(ctx context.Context, name, script, dir string, env ...string) (*Process, error) {
	port, err := Port()
	if err != nil {
		return nil, err
	}
	return nodeOn(ctx, name, script, dir, port, env...)
}

func nodeOn(ctx context.Context, name, script, dir, port string, env ...string) (*Process, error) {
	cmd := exec.Command("node", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "PORT="+port)
	p, err := start(ctx, name, cmd, nil)
	if err != nil {
		return nil, err
	}
	p.Addr = net.JoinHostPort("127.0.0.1", port)
	return p, p.ready(ctx)
}

// Collect starts the collector and waits until it listens.
func (k *Kit) Collect(ctx context.Context, upstream, trace string, args ...string) (*Process, error) {
	listening := make(chan string, 1)
	cmd := exec.Command(k.Exe, append([]string{"collect", "--listen", "127.0.0.1:0", "--upstream", "http://" + upstream, "--trace", trace}, args...)...)
	p, err := start(ctx, "the collector", cmd, func(line string) {
		if rest, ok := strings.CutPrefix(line, "collecting on http://"); ok {
			addr, _, _ := strings.Cut(rest, " ")
			select {
			case listening <- addr:
			default:
			}
		}
	})
	if err != nil {
		return nil, err
	}
	select {
	case p.Addr = <-listening:
	case <-p.exited:
		return nil, fmt.Errorf("the collector ended (%s):\n%s", p.cmd.ProcessState, p.Output())
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p.begin = p.CPU()
	return p, nil
}

// Evidence is what a run leaves for the audit.
type Evidence struct {
	Dist, Trace, Advice string
}

// In names the evidence that lies in dir, under the names that Record uses.
func In(dist, dir string) Evidence {
	return Evidence{Dist: dist, Trace: filepath.Join(dir, "trace.ktrace"), Advice: filepath.Join(dir, "advice")}
}

// AdviceBytes is the size of the advice.
func (e Evidence) AdviceBytes() int64 {
	var n int64
	entries, _ := os.ReadDir(e.Advice)
	for _, f := range entries {
		if info, err := f.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// A Recording is an honest run.
type Recording struct {
	Evidence
	Server, Collector Usage
	ServerOutput      string
}

// Record runs the server build behind the collector while drive sends requests
// to addr, and stops both. What it leaves lies in dir.
func (k *Kit) Record(ctx context.Context, dist, dir string, drive func(ctx context.Context, addr string) error, env ...string) (*Recording, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // kills what still runs
	r := &Recording{Evidence: In(dist, dir)}
	server, err := k.Serve(ctx, dist, r.Advice, env...)
	if err != nil {
		return nil, err
	}
	collector, err := k.Collect(ctx, server.Addr, r.Trace)
	if err != nil {
		return nil, err
	}
	if err := drive(ctx, collector.Addr); err != nil {
		return nil, fmt.Errorf("%w\nthe server said:\n%s\nthe collector said:\n%s", err, server.Output(), collector.Output())
	}
	if r.Collector, err = collector.Stop(syscall.SIGTERM); err != nil {
		return nil, err
	}
	if r.Server, err = server.Stop(syscall.SIGTERM); err != nil {
		return nil, err
	}
	r.ServerOutput = server.Output()
	return r, nil
}

// RunPlain is Record without karousosc in the server: the unmodified app, behind
// the same collector, so that both servers see the same requests.
func (k *Kit) RunPlain(ctx context.Context, app, entry, dir string, drive func(ctx context.Context, addr string) error) (Usage, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Usage{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := ServePlain(ctx, app, entry)
	if err != nil {
		return Usage{}, err
	}
	collector, err := k.Collect(ctx, server.Addr, filepath.Join(dir, "trace.ktrace"))
	if err != nil {
		return Usage{}, err
	}
	if err := drive(ctx, collector.Addr); err != nil {
		return Usage{}, fmt.Errorf("%w\nthe app said:\n%s", err, server.Output())
	}
	if _, err := collector.Stop(syscall.SIGTERM); err != nil {
		return Usage{}, err
	}
	return server.Stop(syscall.SIGTERM)
}

// An Audit is the outcome of karousosc verify.
type Audit struct {
	Usage
	verdict.Verdict
	Wall   time.Duration
	Stderr string
	// Peaks of resident memory in bytes: of the verifier, and of its largest engine.
	Peak, EnginePeak int64
}

// Verify audits, in a process of its own. That it could not be decided is no
// error here: see Audit.Code and Audit.Outcome.
func (k *Kit) Verify(ctx context.Context, e Evidence, args ...string) (*Audit, error) {
	began := time.Now()
	cmd := exec.CommandContext(ctx, k.Exe, append([]string{"verify", e.Dist, "--trace", e.Trace, "--advice", e.Advice, "--json"}, args...)...)
	var out bytes.Buffer
	memory := &watch{}
	u, stderr, err := finish(ctx, cmd, &out, memory.run)
	if err != nil {
		return nil, err
	}
	stdout := out.String()
	a := &Audit{Usage: u, Wall: time.Since(began), Stderr: stderr, Peak: memory.own, EnginePeak: memory.child}
	if stdout != "" {
		if err := json.Unmarshal([]byte(stdout), &a.Verdict); err != nil {
			return nil, fmt.Errorf("karousosc verify printed something else than its verdict: %w\n%.2000s", err, stdout)
		}
	}
	if want, ok := map[verdict.Outcome]int{verdict.Accept: 0, verdict.Reject: 1, verdict.Undecided: 2, "": 2}[a.Outcome]; !ok || u.Code != want {
		return nil, fmt.Errorf("karousosc verify: exit status %d and the verdict %q do not fit\n%s", u.Code, a.Outcome, stderr)
	}
	return a, nil
}

// Text is the verdict for a person.
func (a *Audit) Text() string {
	if a.Outcome == "" {
		return a.Stderr
	}
	var b bytes.Buffer
	a.Verdict.Text(&b)
	return b.String()
}

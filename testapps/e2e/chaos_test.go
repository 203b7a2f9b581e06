package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/scenario"
	"karousosc/verifier/verdict"
)

// A world is an app in trouble: processes come and go while clients ask.
type world struct {
	t    *testing.T
	rnd  *rand.Rand
	e    scenario.Evidence
	env  []string
	args []string // of the collector

	mu                sync.Mutex
	server, collector *scenario.Process
	addr              string // of the collector
}

// pace is how fast requests are sent, so that trouble comes between them.
const pace = 3 * time.Millisecond

func (w *world) serve() {
	w.t.Helper()
	var err error
	if w.server, err = kit.Serve(w.t.Context(), w.e.Dist, w.e.Advice, w.env...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) collect(args ...string) {
	w.t.Helper()
	c, err := kit.Collect(w.t.Context(), w.server.Addr, w.e.Trace, append(args, w.args...)...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	w.collector, w.addr = c, c.Addr
	w.mu.Unlock()
}

// load sends requests over a few connections; what fails, fails. hurried is the share of
// clients that leave early, of 10.
func (w *world) load(requests []request, hurried int) {
	var wg sync.WaitGroup
	seeds := w.rnd.Perm(len(requests))
	for k := range 6 {
		wg.Go(func() {
			for i := k; i < len(requests); i += 6 {
				w.mu.Lock()
				addr := w.addr
				w.mu.Unlock()
				ctx, cancel := w.t.Context(), func() {}
				if seeds[i]%10 < hurried {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(seeds[i]%7)*time.Millisecond)
				}
				drive(ctx, addr, 1, requests[i:i+1])
				cancel()
				time.Sleep(pace)
			}
		})
	}
	wg.Wait()
}

func (w *world) stop() {
	w.t.Helper()
	if _, err := w.collector.Stop(syscall.SIGTERM); err != nil {
		w.t.Error(err)
	}
	if _, err := w.server.Stop(syscall.SIGTERM); err != nil {
		w.t.Error(err)
	}
}

// stepped makes the server's clock jump to and fro.
const stepped = `'use strict';
const now = Date.now.bind(Date);
const real = globalThis.Date;
const { uptime } = process; // Node's own, not what the program will find
const offset = () => [0, 3600e3, -3600e3, 5][Math.floor(uptime() * 50) % 4];
globalThis.Date = new Proxy(real, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now() + offset()] : args, self),
  apply: () => new real(now() + offset()).toString(),
  get: (target, key, self) => (key === 'now' ? () => now() + offset() : Reflect.get(target, key, self)),
});
`

// TestChaos: whatever happens to an honest server, its clients, its collector, its
// clock and its disk, it is never accused. It is accepted where the advice is whole,
// and otherwise the verdict says what could not be audited.
func TestChaos(t *testing.T) {
	for _, c := range []struct {
		name   string
		app    *app
		run    func(w *world)
		accept bool // the evidence is whole
		says   string
		verify []string
	}{
		{name: "clients leave", app: accounts, run: func(w *world) {
			w.serve()
			w.collect()
			w.load(accounts.requests(w.rnd.Uint64(), 400), 4)
			time.Sleep(300 * time.Millisecond)
			w.stop()
		}},
		{name: "the server is restarted", app: counters, accept: true, verify: []string{"--workers", "1", "--lives", "3"}, run: func(w *world) {
			w.serve()
			addr := w.server.Addr
			w.collect()
			for i := range 3 {
				w.load(counters.requests(w.rnd.Uint64(), 60), 0)
				if i == 2 {
					break
				}
				if _, err := w.server.Stop(syscall.SIGTERM); err != nil {
					w.t.Error(err)
				}
				w.load(counters.requests(w.rnd.Uint64(), 6), 0) // nobody answers
				_, port, _ := strings.Cut(addr, ":")
				w.serveAt(port)
			}
			w.stop()
		}},
		{name: "the server is killed under load", app: accounts, says: "incomplete", run: func(w *world) {
			w.serve()
			w.collect()
			go func() {
				time.Sleep(400 * time.Millisecond)
				w.server.Kill()
			}()
			w.load(accounts.requests(w.rnd.Uint64(), 600), 0)
			<-w.server.Exited()
			w.collector.Stop(syscall.SIGTERM)
		}},
		{name: "the collector is killed", app: accounts, run: func(w *world) {
			w.killCollector()
		}},
		{name: "a signing collector is killed", app: accounts, run: func(w *world) {
			key := filepath.Join(w.t.TempDir(), "key")
			if _, stderr, u, err := kit.Run(w.t.Context(), "trace", "keygen", key, "--name", "chaos"); err != nil || u.Code != 0 {
				w.t.Fatal(stderr, err)
			}
			w.args = []string{"--key", key}
			w.killCollector()
			if out, stderr, u, err := kit.Run(w.t.Context(), "trace", "verify-log", w.e.Trace, "--key", key+".pub"); err != nil || u.Code != 0 {
				w.t.Errorf("verify-log: exit status %d\n%s%s", u.Code, out, stderr)
			}
		}},
		{name: "the clock is stepped", app: pages, accept: true, run: func(w *world) {
			preload := filepath.Join(w.t.TempDir(), "clock.js")
			if err := os.WriteFile(preload, []byte(stepped), 0o600); err != nil {
				w.t.Fatal(err)
			}
			w.env = []string{"NODE_OPTIONS=--require " + preload}
			w.serve()
			w.collect()
			w.load(pages.requests(w.rnd.Uint64(), 300), 0)
			w.stop()
		}},
		{name: "the disk is full", app: motd, says: "incomplete", run: func(w *world) {
			w.serve()
			w.collect()
			w.load(motdRequests(w.rnd.Uint64(), 30), 0)
			if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(w.server.Pid()), "--fsize=3000:3000").CombinedOutput(); err != nil {
				w.t.Skipf("prlimit: %v %s", err, out)
			}
			var requests []request
			for i := range 300 {
				requests = append(requests, post(fmt.Sprint(w.rnd.IntN(20)), fmt.Sprint(w.rnd.Uint64(), w.rnd.Uint64(), i), true), getdate(fmt.Sprint(w.rnd.IntN(20))))
			}
			w.load(requests, 0)
			time.Sleep(1500 * time.Millisecond)
			w.load(requests[:60], 0)
			w.stop()
			if !strings.Contains(w.server.Output(), "incomplete") {
				w.t.Errorf("the server does not say that its advice is incomplete:\n%s", w.server.Output())
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range *seeds {
				w := &world{t: t, rnd: rand.New(rand.NewPCG(uint64(seed), 77)), e: scenario.In(c.app.build(t), t.TempDir())}
				c.run(w)
				a := verify(t, w.e, c.verify...)
				switch {
				case a.Outcome == verdict.Accept && c.says == "":
				case a.Outcome == verdict.Undecided && !c.accept && strings.Contains(a.Text(), c.says):
				default:
					keepEvidence(t, w.e)
					t.Errorf("seed %d:\n%s\nthe server said:\n%s", seed, a.Text(), w.server.Output())
				}
				t.Logf("seed %d: %.400s", seed, a.Text())
			}
		})
	}
}

// killCollector runs a load in the middle of which the collector is killed and
// started again.
func (w *world) killCollector() {
	w.serve()
	w.collect()
	go func() {
		time.Sleep(300 * time.Millisecond)
		w.collector.Kill()
		w.collect("--append")
	}()
	w.load(accounts.requests(w.rnd.Uint64(), 400), 0)
	time.Sleep(300 * time.Millisecond)
	w.stop()
}

// serveAt starts the server again on the port that the collector knows.
func (w *world) serveAt(port string) {
	w.t.Helper()
	var err error
	if w.server, err = kit.ServeOn(w.t.Context(), w.e.Dist, w.e.Advice, port, w.env...); err != nil {
		w.t.Fatal(err)
	}
}

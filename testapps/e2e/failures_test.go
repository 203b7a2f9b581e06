package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var (
	failures = &app{name: "failures", dir: "gallery", entry: "failures.js"}
	handled  = &app{name: "handled", dir: "gallery", entry: "handled.js", requests: handledRequests}
)

// failureNames are the routes of failures.js that fail, and those that do not.
func failureNames(t testing.TB) (fail, fine []string) {
	src, err := os.ReadFile(filepath.Join(failures.source(t), failures.entry))
	if err != nil {
		t.Fatal(err)
	}
	names := func(table string) (list []string) {
		_, rest, _ := strings.Cut(string(src), "const "+table+" = {\n")
		rest, _, _ = strings.Cut(rest, "\n};")
		for _, m := range regexp.MustCompile(`(?m)^  (\w+): `).FindAllStringSubmatch(rest, -1) {
			list = append(list, m[1])
		}
		return list
	}
	fail, fine = append(names("failures"), "outside"), names("fine")
	if len(fail) < 15 || len(fine) < 5 {
		t.Fatalf("%d and %d routes", len(fail), len(fine))
	}
	return fail, fine
}

// A death is a run of failures.js whose process ended by itself.
func (a *app) dies(t *testing.T, load func(ctx context.Context, addr string)) (e scenario.Evidence, output string, code int) {
	t.Helper()
	e = scenario.In(a.build(t), t.TempDir())
	server, err := kit.Serve(t.Context(), e.Dist, e.Advice)
	if err != nil {
		t.Fatal(err)
	}
	collector, err := kit.Collect(t.Context(), server.Addr, e.Trace)
	if err != nil {
		t.Fatal(err)
	}
	load(t.Context(), collector.Addr)
	select {
	case <-server.Exited():
	case <-time.After(10 * time.Second):
		t.Error("the process goes on")
	}
	u, _ := server.Stop(syscall.SIGTERM)
	if _, err := collector.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return e, server.Output(), u.Code
}

// together sends requests at once, a little after one another.
func together(ctx context.Context, addr string, paths ...string) {
	done := make(chan bool)
	for _, p := range paths {
		go func() {
			drive(ctx, addr, 1, []request{get(p)})
			done <- true
		}()
		time.Sleep(3 * time.Millisecond)
	}
	for range paths {
		<-done
	}
}

// TestUncaught: what nobody catches ends the process, as Node.js has it, and nobody is
// accused of it, whatever else was going on.
func TestUncaught(t *testing.T) {
	fail, fine := failureNames(t)
	for _, name := range append(slices.Clone(fail), "exit") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, output, code := failures.dies(t, func(ctx context.Context, addr string) {
				together(ctx, addr, "/ok", "/slow", "/ok", "/slow", "/"+name, "/slow")
			})
			wantCode, wantText := plainDeath(t, "/"+name)
			if code != wantCode || wantText != "" && !strings.Contains(output, wantText) {
				t.Errorf("exit status %d, want %d with %q:\n%s", code, wantCode, wantText, output)
			}
			v := mustAccept(t, e)
			if v.Together == "" {
				t.Errorf("it does not say what happened:\n%s", v.Text())
			}
		})
	}
	t.Run("fine", func(t *testing.T) {
		t.Parallel()
		var requests []request
		for range 4 {
			for _, name := range fine {
				requests = append(requests, get("/"+name))
			}
		}
		v := mustAccept(t, failures.record(t, 8, requests).Evidence)
		if v.Together != "" {
			t.Errorf("nothing failed:\n%s", v.Text())
		}
	})
}

// plainDeath runs the app by itself, and says how it ends.
func plainDeath(t *testing.T, path string) (code int, line string) {
	t.Helper()
	port, err := scenario.Port()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", failures.entry)
	cmd.Dir, cmd.Env = failures.source(t), append(os.Environ(), "PORT="+port)
	var out strings.Builder
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() {
		cmd.Wait()
		close(ended)
	}()
	for range 500 {
		if _, err := drive(t.Context(), "127.0.0.1:"+port, 1, []request{get("/ok")}); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	go drive(t.Context(), "127.0.0.1:"+port, 1, []request{get(path)})
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Fatalf("the app itself goes on after %s", path)
	}
	return cmd.ProcessState.ExitCode(), regexp.MustCompile(`(?m)^\w*(Error|Rejection): .*$`).FindString(out.String())
}

// A server says that it went on after what would have ended it.
func TestUncaughtAttacks(t *testing.T) {
	e, _, _ := failures.dies(t, func(ctx context.Context, addr string) {
		together(ctx, addr, "/slow", "/ok", "/later", "/ok")
	})
	mustAccept(t, e)
	tr, err := trace.Load(e.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	rid := func(target string) uint64 {
		i := slices.IndexFunc(tr.Exchanges, func(x trace.Exchange) bool { return x.Request.Target == target })
		return tr.Exchanges[i].RID
	}
	dying := func(t *testing.T, l *forge.Life) *forge.Record {
		turns := l.Of(rid("/later"), record.Turn)
		if len(turns) == 0 {
			t.Fatal("the request that failed has no turns")
		}
		return turns[len(turns)-1]
	}
	for name, change := range map[string]func(t *testing.T, l *forge.Life){
		"a timer that fired later": func(t *testing.T, l *forge.Life) {
			turns := l.Of(rid("/slow"), record.Turn)
			again := turns[len(turns)-1].Record
			l.InsertAfter(dying(t, l), again)
			l.Drop(turns[len(turns)-1])
		},
	} {
		t.Run(name, func(t *testing.T) {
			mustReject(t, forged(t, e, func(e *forge.Evidence) { change(t, life(t, e)) }), "R-exception")
		})
	}
	// Nothing is gained by not saying that it failed: the request that was cut off has all re-executed together, as it was.
	a := forged(t, e, func(e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.All(record.Unauditable)...)
	})
	if a.Outcome != verdict.Reject && a.Together == "" {
		t.Errorf("nothing is said to have failed:\n%s", a.Text())
	}
}

func handledRequests(seed uint64, n int) []request {
	var makers []func(r *rand.Rand) request
	for _, name := range []string{"sync", "async", "later", "rejected", "chained", "all", "adopted", "thrown", "timer", "immediate", "tick", "microtask", "file", "unheard", "emitted",
		"ok", "ok", "caught", "settled", "raced", "slow", "slow", "counts"} {
		makers = append(makers, func(r *rand.Rand) request { return get("/" + name) })
	}
	return mix(seed, n, makers...)
}

// TestHandlers: where the program has handlers for them, failures do not end the
// process, and what the handlers do is audited.
func TestHandlers(t *testing.T) {
	for _, connections := range []int{1, 8} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) {
			t.Parallel()
			handled.honest(t, connections, handled.requests(uint64(connections), 100))
		})
	}
	t.Run("like the app", func(t *testing.T) {
		handled.answersLikePlain(t, handled.entry, handled.requests(3, 60))
	})
	t.Run("a signal", func(t *testing.T) {
		e := scenario.In(handled.build(t), t.TempDir())
		w := &world{t: t, e: e}
		w.serve()
		w.collect()
		load := func() { drive(t.Context(), w.addr, 1, []request{get("/async"), get("/ok")}) }
		load()
		syscall.Kill(w.server.Pid(), syscall.SIGUSR2)
		time.Sleep(50 * time.Millisecond)
		load()
		w.stop()
		if v := verify(t, e); v.Outcome != verdict.Accept {
			t.Fatal(v.Text())
		}
		mustReject(t, forged(t, e, func(e *forge.Evidence) {
			x := e.Exchange(3)
			x.Response.Body = []byte(strings.Replace(string(x.Response.Body), "SIGUSR2", "SIGUSR1", 1))
		}), "R-response")
		mustReject(t, forged(t, e, func(e *forge.Evidence) {
			l := life(t, e)
			l.Drop(slices.DeleteFunc(l.All(record.Turn), func(r *forge.Record) bool { return r.Req != 0 })...)
			l.Tidy()
		}), "R-response R-leftover A3")
	})
}

// TestStackTraces: they tell of the sources, not of what the builds made of them.
func TestStackTraces(t *testing.T) {
	a := &app{name: "stacks", dir: "gallery", entry: "stacks.js"}
	var requests []request
	for _, kind := range strings.Fields("thrown natives async captured coded header recoded own missing url asserted aborted") {
		requests = append(requests, get("/"+kind), get("/"+kind))
	}
	a.answersLikePlain(t, a.entry, requests)
	a.honest(t, 4, requests)
}

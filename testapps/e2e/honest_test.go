package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
)

// TestHonest: whatever overlapped, an honest run is accepted; and with one byte
// of one response changed, rejected.
func TestHonest(t *testing.T) {
	for _, a := range apps {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			for _, connections := range []int{1, 10, 60} {
				for seed := range uint64(*seeds) {
					t.Run(fmt.Sprintf("connections=%d,seed=%d", connections, seed), func(t *testing.T) {
						n := 150
						if connections == 60 {
							n = 400
						}
						if v := a.honest(t, connections, a.requests(seed+uint64(connections), n)); v.Together != "" {
							t.Errorf("groups would have done, but: %s", v.Together)
						}
					})
				}
			}
		})
	}
}

// honest makes an honest run, which must be accepted, and rejected with one byte of
// one response changed.
func (a *app) honest(t *testing.T, connections int, requests []request) *scenario.Audit {
	t.Helper()
	n := len(requests)
	r := a.record(t, connections, requests)
	if strings.Contains(r.ServerOutput, "not auditable") {
		t.Errorf("the server says:\n%s", r.ServerOutput)
	}
	v := mustAccept(t, r.Evidence)
	if v.Stats.Requests != n {
		t.Errorf("%d of %d requests were audited", v.Stats.Requests, n)
	}
	if v.Together != "" {
		t.Log("re-executed together: ", v.Together)
	} else if connections > 1 {
		// The other way must agree.
		mustAccept(t, r.Evidence, "--together")
	}
	t.Logf("%d groups, the widest of %d, %d splits, %d alone, advice %d bytes", v.Stats.Groups, v.Stats.Widest, v.Stats.Splits, v.Stats.LoneReruns, v.Stats.AdviceBytes)

	var rid uint64
	lie := forged(t, r.Evidence, func(e *forge.Evidence) {
		for i := range e.Trace.Exchanges {
			x := &e.Trace.Exchanges[(i+n/2)%n]
			if len(x.Response.Body) > 0 {
				forge.FlipByte(x)
				rid = x.RID
				return
			}
		}
		t.Fatal("no response has a body")
	})
	mustReject(t, lie, "R-response")
	if lie.RID != rid {
		t.Errorf("the reject is about request %d, not %d:\n%s", lie.RID, rid, lie.Text())
	}
	return v
}

// TestServerBuildAnswersLikeTheApp: one request after another, the server build
// answers what the unmodified app answers.
func TestServerBuildAnswersLikeTheApp(t *testing.T) {
	for _, a := range apps {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			entry := a.entry
			switch {
			case a == motdTS:
				entry = "lib/server.js"
				tsc := exec.Command("npx", "--no-install", "tsc")
				tsc.Dir = a.source(t)
				if out, err := tsc.CombinedOutput(); err != nil {
					t.Fatalf("tsc: %v\n%s", err, out)
				}
			case entry == "":
				entry = "server.js"
			}
			requests := slices.DeleteFunc(a.requests(7, 150), func(q request) bool {
				// Answers differ by chance, or by the clock.
				return q.path == "/chance" || strings.HasSuffix(q.path, "/reserve") || q.path == "/sessions" || strings.HasPrefix(q.path, "/limited/")
			})
			a.answersLikePlain(t, entry, requests)
		})
	}
}

// answersLikePlain sends requests to the server build and to the app itself.
func (a *app) answersLikePlain(t *testing.T, entry string, requests []request) {
	t.Helper()
	r := a.record(t, 1, requests)
	dir := t.TempDir()
	if _, err := kit.RunPlain(t.Context(), a.source(t), entry, dir, func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, 1, requests)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	ours, err := trace.Load(r.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := trace.Load(filepath.Join(dir, "trace.ktrace"), trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(ours.Exchanges) != len(requests) || len(theirs.Exchanges) != len(requests) {
		t.Fatalf("%d and %d exchanges, want %d", len(ours.Exchanges), len(theirs.Exchanges), len(requests))
	}
	for i := range requests {
		x, y := &ours.Exchanges[i].Response, &theirs.Exchanges[i].Response
		got, want := head(x), head(y)
		if got != want {
			t.Errorf("%s %s: head\n%s\nwant\n%s", requests[i].method, requests[i].path, got, want)
		} else if !bytes.Equal(x.Body, y.Body) && !stackTrace(y.Body) {
			t.Errorf("%s %s: body\n%.300q\nwant\n%.300q", requests[i].method, requests[i].path, x.Body, y.Body)
		}
		if t.Failed() && i > 20 {
			return
		}
	}
}

// stackTrace says whether a body tells where in the program something failed: that
// may differ, and with it everything about the body's length.
func stackTrace(body []byte) bool { return bytes.Contains(body, []byte("&nbsp; &nbsp;at ")) }

func head(r *trace.Response) string {
	lines := []string{fmt.Sprint(r.Status)}
	for _, h := range r.Headers {
		name := strings.ToLower(h.Name)
		if name == "date" || stackTrace(r.Body) && (name == "content-length" || name == "etag") {
			continue
		}
		value, _, _ := strings.Cut(h.Value, "Expires=") // a cookie's time
		lines = append(lines, h.Name+": "+value)
	}
	return strings.Join(lines, "\n")
}

// TestManyGroups: neither narrow groups nor many workers change a verdict.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	r := catalog.record(t, 20, catalog.requests(3, 200))
	for _, args := range [][]string{{"--max-group", "1"}, {"--max-group", "7", "--workers", "3"}, {"--workers", "1"}} {
		mustAccept(t, r.Evidence, args...)
	}
}

// TestUnchangedCopyIsAccepted: evidence that was written anew by the forger's own
// encoder, with nothing changed, is accepted. Otherwise attacks might be
// rejected for how they were written.
func TestUnchangedCopyIsAccepted(t *testing.T) {
	t.Parallel()
	for _, a := range []*app{motd, accounts, counters, pages} {
		t.Run(a.name, func(t *testing.T) {
			r := a.record(t, 20, a.requests(9, 150))
			e, err := forge.Load(r.Trace, r.Advice)
			if err != nil {
				t.Fatal(err)
			}
			lie := scenario.In(r.Dist, t.TempDir())
			if err := e.Save(lie.Trace, lie.Advice); err != nil {
				t.Fatal(err)
			}
			mustAccept(t, lie)
		})
	}
}

// TestHonestTypeScript: an app that Node.js cannot run by itself.
func TestHonestTypeScript(t *testing.T) {
	for _, connections := range []int{1, 10, 60} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) { desk.honest(t, connections, deskRequests(uint64(connections), 200)) })
	}
}

// TestOverlapInOneRequest: what the callbacks of one request share, they may change in
// any order, though nothing is tracked that a request makes for itself.
func TestOverlapInOneRequest(t *testing.T) {
	var requests []request
	for i := range 120 {
		requests = append(requests, get(fmt.Sprintf("/sum/%d?race=1", 2+i%6)))
	}
	for _, connections := range []int{1, 20} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) { lounge.honest(t, connections, requests) })
	}
}

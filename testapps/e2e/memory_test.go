package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// TestReadMostly: of ten thousand entries, the advice speaks only of those that some
// request has written.
func TestReadMostly(t *testing.T) {
	mostly := &app{name: "mostly", dir: "gallery", entry: "mostly.js"}
	var requests []request
	for i := range 300 {
		what := "get"
		if i%100 == 50 {
			what = "change"
		}
		requests = append(requests, get(fmt.Sprintf("/%s/%d", what, i*37%10_000)))
	}
	r := mostly.record(t, 10, requests)
	if v := mustAccept(t, r.Evidence); v.Together != "" {
		t.Errorf("groups would have done, but: %s", v.Together)
	}
	e, err := forge.Load(r.Trace, r.Advice)
	if err != nil {
		t.Fatal(err)
	}
	l := life(t, e)
	// "name" of an entry, "p0", the first of rows; "new" and its Map's keys are read by nobody.
	if n := len(l.All(record.Location)); n > 5 {
		t.Errorf("the advice speaks of %d locations", n)
	}
	if n := len(l.All(record.Object)); n > 0 {
		t.Errorf("the advice tells %d objects", n)
	}
}

// TestSharedBytes: however many bytes the app keeps, they are looked after, to the last one.
func TestSharedBytes(t *testing.T) {
	r := (&app{name: "bytes", dir: "gallery", entry: "bytes.js"}).record(t, 1, []request{get("/get"), get("/set"), get("/get")})
	mustAccept(t, r.Evidence)
	v := forged(t, r.Evidence, func(e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.All(record.Unauditable)...)
		e.Answer(3, "003pwu of 16777216")
	})
	mustReject(t, v, "R-response")
}

// TestGarbage: what the program no longer holds, the server's runtime does not hold either.
func TestGarbage(t *testing.T) {
	garbage := &app{name: "garbage", dir: "gallery", entry: "garbage.js"}
	probe := filepath.Join(t.TempDir(), "probe.js")
	if err := os.WriteFile(probe, []byte(`
require('v8').setFlagsFromString('--expose-gc');
const gc = require('vm').runInNewContext('gc');
const watched = [];
globalThis.watchObject = (o) => watched.push(new WeakRef(o));
globalThis.liveObjects = () => {
  gc();
  return watched.filter((r) => r.deref() !== undefined).length;
};
`), 0o644); err != nil {
		t.Fatal(err)
	}
	const n = 200
	r, err := kit.Record(t.Context(), garbage.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		var requests []request
		for i := range n {
			requests = append(requests, get(fmt.Sprintf("/put/%d", i)))
		}
		_, err := drive(ctx, addr, 1, append(requests, get("/live")))
		return err
	}, "NODE_OPTIONS=--require "+probe)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.ServerOutput, "to audit") {
		t.Errorf("the server says:\n%s", r.ServerOutput)
	}
	e, err := forge.Load(r.Trace, r.Advice)
	if err != nil {
		t.Fatal(err)
	}
	live, err := strconv.Atoi(string(e.Exchange(n + 1).Response.Body))
	if err != nil {
		t.Fatal(err)
	}
	// The last few records are still there, with all of their parts.
	if live < 4 || live > 40 {
		t.Errorf("%d of %d objects are alive", live, 4*n)
	}
	t.Logf("%d of %d objects are alive", live, 4*n)
}

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

var comings = &app{name: "strangers-comings", dir: "strangers", entry: "comings.js"}

// TestAbsenceAttacks: keys whose locations the server no longer keeps are no easier to lie about.
func TestAbsenceAttacks(t *testing.T) {
	t.Parallel()
	const gone = "undefined false false no false"
	honest := comings.record(t, 1, []request{
		jsonBody("POST", "/seen/5", ""), jsonBody("DELETE", "/seen/5", ""), jsonBody("POST", "/visit/9", ""), // the visit makes the server forget
		get("/seen/5"), // request 4
		jsonBody("POST", "/seen/5", ""),
		get("/seen/5"), // request 6: it is there
		jsonBody("DELETE", "/seen/5", ""), jsonBody("POST", "/visit/9", ""),
		get("/seen/5"), // request 9
	}).Evidence
	mustAccept(t, honest)
	const before, there, after = 4, 6, 9
	atLeastOne := func(t *testing.T, what string, n int) {
		t.Helper()
		if n == 0 {
			t.Fatalf("there is no %s", what)
		}
	}

	// absences lists a request's reads of what is absent, each with the version that it names.
	absences := func(l *forge.Life, rid uint64) (reads, versions []*forge.Record) {
		for _, r := range l.Of(rid, record.Read) {
			if v := l.Get(record.Absence, r.Write); v != nil {
				reads, versions = append(reads, r), append(versions, v)
			}
		}
		return reads, versions
	}
	// shapeOf finds the shape that another version of the same object's key was absent as of.
	shapeOf := func(l *forge.Life, versions []*forge.Record, loc int32) int32 {
		for _, v := range versions {
			if l.Get(record.Location, v.Loc).Obj == l.Get(record.Location, loc).Obj {
				return v.Write
			}
		}
		t.Fatal("the object's shape was not named")
		return -1
	}

	t.Run("as it was before it came again", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			l := life(t, e)
			_, old := absences(l, before)
			_, late := absences(l, after)
			atLeastOne(t, "absence", len(late))
			for _, v := range late {
				v.Write = shapeOf(l, old, v.Loc)
			}
		}), "R8")
	})
	t.Run("as if it had never been", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			l := life(t, e)
			reads, versions := absences(l, after)
			atLeastOne(t, "absence", len(reads))
			l.Drop(reads...)
			l.Drop(versions...)
			l.Tidy()
		}), "R8")
	})
	t.Run("although it is there", func(t *testing.T) {
		for when, rid := range map[string]uint64{"then": after, "before": before} {
			t.Run(when, func(t *testing.T) {
				mustReject(t, forged(t, honest, func(e *forge.Evidence) {
					l := life(t, e)
					_, versions := absences(l, rid)
					n := 0
					for _, r := range l.Of(there, record.Read) {
						w := l.Get(record.Write, r.Write)
						if w == nil || w.Value.Kind == record.Absent {
							continue
						}
						shape := l.Version(shapeOf(l, versions, w.Loc))
						at := l.Records[len(l.Records)-2] // before the end
						v := l.InsertAfter(at, advice.Record{Op: record.Absence, Loc: w.Loc, Write: shape.ID})
						l.MoveAfter(r, v)
						r.Write = v.ID
						n++
					}
					atLeastOne(t, "read of what is there", n)
					e.Answer(there, gone)
				}), "R8 R3 R4")
			})
		}
	})
	t.Run("of a key that was there from the start", func(t *testing.T) {
		always := &app{name: "always", dir: "gallery", entry: "always.js"}
		honest := always.record(t, 1, []request{get("/churn"), get("/look"), get("/drop"), get("/churn"), get("/look")}).Evidence
		mustAccept(t, honest)
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			l := life(t, e)
			_, versions := absences(l, 5)
			reads := l.ReadsOf(5, "start")
			atLeastOne(t, "read of the key", len(reads))
			for _, r := range reads {
				w := l.Version(r.Write)
				v := l.InsertAfter(l.Records[len(l.Records)-2], advice.Record{Op: record.Absence, Loc: w.Loc, Write: shapeOf(l, versions, w.Loc)})
				l.MoveAfter(r, v)
				r.Write = v.ID
			}
		}), "R-value")
	})
}

// TestForgotten: of keys that came and went, the server's runtime keeps nothing.
func TestForgotten(t *testing.T) {
	probe := filepath.Join(t.TempDir(), "probe.js")
	if err := os.WriteFile(probe, []byte(`
require('v8').setFlagsFromString('--expose-gc');
const gc = require('vm').runInNewContext('gc');
globalThis.heap = () => (gc(), process.memoryUsage().heapUsed);
`), 0o644); err != nil {
		t.Fatal(err)
	}
	const keys = 150_000
	r, err := kit.Record(t.Context(), (&app{name: "always", dir: "gallery", entry: "always.js"}).build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, 1, []request{get("/many/100"), get("/heap"), get(fmt.Sprintf("/many/%d", keys/3)), get(fmt.Sprintf("/many/%d", keys/3)), get(fmt.Sprintf("/many/%d", keys/3)), get("/heap")})
		return err
	}, "NODE_OPTIONS=--require "+probe)
	if err != nil {
		t.Fatal(err)
	}
	e, err := forge.Load(r.Trace, r.Advice)
	if err != nil {
		t.Fatal(err)
	}
	heap := func(rid uint64) int {
		n, err := strconv.Atoi(string(e.Exchange(rid).Response.Body))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	// A location takes more than a hundred bytes, and there were three of each.
	if grown := heap(6) - heap(2); grown > 10*keys {
		t.Errorf("%d keys that are gone leave %d bytes", 3*keys, grown)
	} else {
		t.Logf("%d keys that are gone leave %d bytes", 3*keys, grown)
	}
}

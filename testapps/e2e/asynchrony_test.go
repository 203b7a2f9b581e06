package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// asynchrony has one route for each way in which the turns of a request follow, wait
// for, or race each other.
var asynchrony = &app{name: "asynchrony", dir: "gallery", entry: "asynchrony.js"}

func asynchronyRequests(t *testing.T, times int) []request {
	src, err := os.ReadFile(filepath.Join(asynchrony.source(t), asynchrony.entry))
	if err != nil {
		t.Fatal(err)
	}
	var list []request
	for _, m := range regexp.MustCompile(`(?m)^routes\.(\w+) =`).FindAllStringSubmatch(string(src), -1) {
		for range times {
			list = append(list, get("/"+m[1]))
		}
	}
	if len(list) < 25*times {
		t.Fatalf("only %d requests", len(list))
	}
	return list
}

func TestAsynchrony(t *testing.T) {
	t.Parallel()
	t.Run("answers", func(t *testing.T) {
		asynchrony.answersLikePlain(t, asynchrony.entry, asynchronyRequests(t, 1))
	})
	for _, r := range asynchronyRequests(t, 1) {
		t.Run(r.path[1:], func(t *testing.T) {
			mustAccept(t, asynchrony.record(t, 1, []request{r, r, r}).Evidence)
		})
	}
	t.Run("all at once", func(t *testing.T) {
		mustAccept(t, asynchrony.record(t, 12, asynchronyRequests(t, 4)).Evidence)
	})
}

// Attacks on what the advice says about competitions.
func TestCompetitionAttacks(t *testing.T) {
	drop := func(name string) func(t *testing.T, e *forge.Evidence) {
		return func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == name {
					l.Drop(r)
					l.Tidy()
					return
				}
			}
			t.Fatalf("no record %s", name)
		}
	}
	double := func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		rs := l.Of(1, record.Recorded)
		last := rs[len(rs)-1]
		l.InsertAfter(last, last.Record)
	}
	oneByOne(asynchrony, get("/race")).attack(t,
		attack{"a race that nobody wins", "R-response", drop("won")},
		attack{"a race that is won twice over", "R-leftover", double},
		attack{"a winner that is none", "R-leftover R-response R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(1, record.Recorded) {
				r.Value = record.Number(7)
			}
		}},
	)
	oneByOne(asynchrony, get("/interval")).attack(t,
		attack{"an interval that fires too seldom", "R-response R-turn", drop("tick")},
		attack{"an interval that fires too often", "R-leftover R8", double},
	)
}

// TestStampedTurns: where the time that turns are told shows that they ran in another order than a group has them in, the
// group has them in the server's.
func TestStampedTurns(t *testing.T) {
	stamps := &app{name: "stamps", dir: "gallery", entry: "stamps.js"}
	v := mustAccept(t, stamps.record(t, 10, slices.Repeat([]request{get("/a"), get("/b")}, 60)).Evidence)
	if v.Together != "" || v.Stats.Groups > 60 {
		t.Errorf("groups would have done: %s", v.Text())
	}
}

// TestListensLate: what an app does before it listens, in timers and intervals, happens
// in re-execution as often and in the same order, and what it goes on with later asks for no more.
func TestListensLate(t *testing.T) {
	patient := &app{name: "patient", dir: "gallery", entry: "patient.js"}
	var requests []request
	for i := range 100 {
		requests = append(requests, get(fmt.Sprintf("/%d", i%7)))
	}
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) {
			if v := patient.honest(t, connections, requests); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			}
		})
	}
}

// TestStartAttacks: the turns of the app's start are those that it could have had.
func TestStartAttacks(t *testing.T) {
	starts := oneByOne(&app{name: "patient", dir: "gallery", entry: "patient.js"}, get("/a"), get("/b"))
	turns := func(t *testing.T, l *forge.Life) []*forge.Record {
		var of []*forge.Record
		for _, r := range l.Records {
			if r.Op == record.Turn && r.Req == 0 {
				of = append(of, r)
			}
		}
		if len(of) < 4 {
			t.Fatalf("the start has %d turns", len(of))
		}
		return of
	}
	starts.attack(t,
		attack{"a timer that fires twice", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := turns(t, l)[0]
			l.InsertAfter(r, r.Record)
		}},
		attack{"a timer that never fires", "A3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(turns(t, l)[0])
		}},
	)
}

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
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
		attack{"an interval that fires too seldom", "R-response", drop("tick")},
		attack{"an interval that fires too often", "R-leftover R8", double},
	)
}

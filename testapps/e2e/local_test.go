package e2e

import (
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

var callbacks = &app{name: "callbacks", dir: "gallery", entry: "callbacks.js"}

// A request's own turns meet in variables that nobody tracks, or in a stream of the
// platform's. What one of them finds there, another one must have done before: an answer
// that depends on it was not given earlier. Groups know no order of such turns but their own, and
// leave it to joint re-execution to reject.
func TestLocalStateAttacks(t *testing.T) {
	for _, path := range []string{"/count", "/gather", "/reads", "/stream", "/through"} {
		t.Run(path[1:], func(t *testing.T) {
			honest := oneByOne(callbacks, get(path+"?x=1"), get("/x"), get(path+"?x=2"), get("/x")).honest(t)
			mustAccept(t, honest)
			for _, a := range staleAfterAnswer {
				v := forged(t, honest, func(e *forge.Evidence) { a.change(t, e) })
				mustReject(t, v, a.rules)
				if v.Rule != "R8" && !strings.Contains(v.Together, "variables that nobody tracks") {
					t.Errorf("%s: %s", a.name, v.Text())
				}
			}
		})
	}
}

var staleAfterAnswer = []attack{
	{"a stale read after the answer, unlogged", "R8 R-response", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.Of(2, record.Read)...)
		l.Tidy()
		e.Answer(2, "x is none")
	}},
	{"a stale read after the answer", "R8 R-response", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		rs := l.Of(4, record.Read)
		if len(rs) != 1 {
			t.Fatalf("%d reads", len(rs))
		}
		rs[0].Write = l.Get(record.Write, rs[0].Write).Prev
		e.Answer(4, "x is 1")
	}},
}

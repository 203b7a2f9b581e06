package e2e

import (
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// Family: combined forgeries. Here answers follow from the advice, which was changed in
// several places to agree with them and with itself. (Package enumerate makes such
// forgeries by the thousand; these have names. The place of those on the
// transactional store is here, too, when there is one.)

var texts = oneByOne(figures, get("/text"), get("/text?t=abc"), get("/later"), get("/text?t=longer"), get("/later"))

var unused = oneByOne(figures, get("/unused"), get("/unused"), get("/stack"))

// A result that no answer shows must have been recorded all the same.
func TestUnusedResultAttacks(t *testing.T) {
	unused.attack(t,
		attack{"a missing record that no answer shows", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(some(t, "random number", l.Of(2, record.Recorded)[0]))
			l.Tidy()
		}},
		attack{"a missing stack trace that no answer shows", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rs := l.Of(3, record.Recorded)
			if len(rs) != 1 || rs[0].Name != "stack" {
				t.Fatalf("recorded: %v", rs)
			}
			l.Drop(rs...)
			l.Tidy()
		}},
	)
}

// A read of a version that makes the program fail is no way out of being compared.
func TestObjectAttacks(t *testing.T) {
	later := func(t *testing.T, l *forge.Life) *forge.Record {
		rs := l.Of(3, record.Read)
		if len(rs) != 1 {
			t.Fatalf("request 3 has %d logged reads", len(rs))
		}
		return rs[0]
	}
	texts.attack(t,
		attack{"a read that makes a timer throw", "R-exception", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := later(t, l)
			r.Write = l.Get(record.Write, r.Write).Prev
		}},
		attack{"two reads of two versions, both older", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rs := l.Of(5, record.Read)
			if len(rs) != 1 {
				t.Fatalf("request 5 has %d logged reads", len(rs))
			}
			rs[0].Write = l.Get(record.Write, rs[0].Write).Prev
			e.Answer(5, "3 characters")
		}},
	)
	board.attack(t,
		attack{"an initial value that the log keeps back", "R-hole R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			forgeField(t, l, write(t, l, 6, "B"), "message", record.Value{Kind: record.Hole})
		}},
		attack{"two messages change places, with all that was answered", "R-value R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			a, b := write(t, l, 6, "B"), write(t, l, 8, "A")
			forgeField(t, l, a, "message", record.Text("three"))
			forgeField(t, l, b, "message", record.Text("b-one"))
			e.Answer(7, "B: three")
			e.Answer(17, "B: three")
			e.Answer(9, "A: b-one")
		}},
		attack{"a write taken back by a later one that never was, and all readers of it", "R1 R-leftover R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			last := write(t, l, 8, "A")
			w := l.InsertAfter(last, advice.Record{Op: record.Write, Req: last.Req, Act: last.Act, OpNum: last.OpNum + 1, Loc: last.Loc, Prev: last.ID, Value: write(t, l, 3, "A").Value})
			read(t, l, 9, "A").Write = w.ID
			e.Answer(9, "A: two")
		}},
		attack{"an update lost in one group, hidden by another tag", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			read(t, l, 9, "A").Write = write(t, l, 1, "A").ID
			read(t, l, 4, "A").Write = write(t, l, 1, "A").ID
			for _, rid := range []uint64{2, 4, 9} {
				l.Of(rid, record.Tag)[0].Tag = 77
				e.Answer(rid, "A: one")
			}
		}},
	)
}

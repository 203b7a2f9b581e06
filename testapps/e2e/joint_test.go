package e2e

import (
	"slices"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// Family: impossible traces for which a forger would rather have all requests re-executed together, where nobody looks
// at logs of shared state.
func TestJointAttacks(t *testing.T) {
	// turnAt is the n-th turn that the server says the request had, from 0.
	turnAt := func(t *testing.T, l *forge.Life, rid uint64, n int) *forge.Record {
		t.Helper()
		all := l.Of(rid, record.Turn)
		if n >= len(all) {
			t.Fatalf("request %d has %d turns", rid, len(all))
		}
		return all[n]
	}
	swap := func(l *forge.Life, a, b *forge.Record) {
		i, j := slices.Index(l.Records, a), slices.Index(l.Records, b)
		l.Records[i], l.Records[j] = l.Records[j], l.Records[i]
	}
	attackTogether(t, oneByOne(contests, get("/cleared")),
		attack{"a timer that was cleared fires all the same", "R-turn R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			other := fired(t, l, 1)[0]
			said(l, other, 0, "late", record.Boolean(true))
			act := other.Record
			act.OpNum--
			first := l.InsertAfter(other, act)
			l.InsertAfter(first, advice.Record{Op: record.Turn, Req: other.Req, Act: first.ID})
			e.Answer(1, "fired")
		}},
	)
	attackTogether(t, oneByOne(contests, get("/either")),
		attack{"the second of two settles", "R-response R-leftover R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			was := "timer"
			if string(e.Exchange(1).Response.Body) == was {
				was = "immediate"
			}
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "lost" {
					first, second := turnAt(t, l, 1, 0), turnAt(t, l, 1, 1)
					for _, a := range []*forge.Record{first, second} {
						if a.Act != r.Act {
							r.Act = a.Act
							break
						}
					}
				}
			}
			e.Answer(1, was)
		}},
		attack{"nobody settles", "R-leftover R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for i := range 2 {
				r := turnAt(t, l, 1, i)
				said(l, r, r.Act, "lost", record.Number(1))
			}
		}},
		attack{"an answer before what it waits for", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, a := range slices.Backward(fired(t, l, 1)) {
				l.MoveAfter(a, l.All(record.Request)[0])
			}
			swap(l, turnAt(t, l, 1, 0), turnAt(t, l, 1, 2))
		}},
	)
	attackTogether(t, oneByOne(contests, get("/set?x=1"), get("/watch"), get("/set?x=2"), get("/x"), get("/ticks"), get("/ticks")),
		attack{"a race won by who looked later", "R-response R-turn", func(t *testing.T, e *forge.Evidence) {
			undecide(t, e)
			e.Answer(2, "2 then 1,1")
		}},
		attack{"a race with two winners", "R-nondet R-leftover", secondWinner},
		attack{"a race that nobody wins", "R-response R-turn", func(t *testing.T, e *forge.Evidence) {
			undecide(t, e)
			e.Answer(2, "undefined then 1,1")
		}},
		attack{"an old value, by a turn of the writer's that comes later", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			// As if /set had come after /x.
			all := l.All(record.Request)
			all[2].RID, all[3].RID = all[3].RID, all[2].RID
			e.Answer(4, "x is 1")
		}},
		attack{"another request's timer", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			other := l.All(record.Request)[3]
			l.InsertAfter(other, advice.Record{Op: record.Turn, Req: other.ID, Act: 0})
		}},
		attack{"a request that arrives twice", "A2", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			q := l.All(record.Request)[0]
			l.InsertAfter(q, q.Record)
		}},
	)
	attackTogether(t, oneByOne(contests, get("/ticks")),
		attack{"a tick after the interval was cleared", "R-turn R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			var act, at *forge.Record
			for _, a := range fired(t, l, 1) {
				if act == nil || a.Firing > act.Firing {
					act = a
				}
			}
			at = some(t, "tick", turn(l, act))
			again := act.Record
			again.Firing++
			third := l.InsertAfter(at, again)
			said(l, third, third.ID, "tick", record.Boolean(true))
			l.InsertAfter(third, advice.Record{Op: record.Turn, Req: third.Req, Act: third.ID})
			e.Answer(1, "3 ticks")
		}},
	)
}

// attackTogether audits lies jointly, and checks that the honest run is accepted so.
func attackTogether(t *testing.T, s *story, attacks ...attack) {
	t.Helper()
	honest := s.honest(t)
	mustAccept(t, honest, "--together")
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			v := verify(t, lieOf(t, honest, func(e *forge.Evidence) { a.change(t, e) }), "--workers", "1", "--together")
			mustReject(t, v, a.rules)
			t.Log(v.Text())
		})
	}
}

// secondWinner says of the member of request 2's race that came second that it won, too.
func secondWinner(t *testing.T, e *forge.Evidence) {
	l := life(t, e)
	for _, r := range l.Of(2, record.Recorded) {
		if r.Name != "won" {
			continue
		}
		for _, a := range fired(t, l, 2) {
			if a.ID == r.Act {
				next := a.Record
				next.OpNum++
				other := l.InsertAfter(r, next)
				said(l, other, other.ID, "won", record.Boolean(true))
				return
			}
		}
	}
	t.Fatal("nobody won")
}

// undecide drops what the advice says of who won the second request's race.
func undecide(t *testing.T, e *forge.Evidence) {
	l := life(t, e)
	for _, r := range l.Of(2, record.Recorded) {
		if r.Name == "won" {
			l.Drop(r)
		}
	}
	l.Tidy()
}

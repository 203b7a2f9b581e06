package e2e

import (
	"encoding/base64"
	"slices"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// Family: promises, timers and competitions. The record says who won, and the answer
// follows; but who came after another cannot have come before it.

var contests = &app{name: "contests", dir: "gallery", entry: "contests.js"}

// fired are the named activations of request 1, in the order of the records.
func fired(t *testing.T, l *forge.Life, rid uint64) []*forge.Record {
	t.Helper()
	rs := l.Of(rid, record.Activation)
	if len(rs) == 0 {
		t.Fatalf("the advice names no activation of request %d", rid)
	}
	return rs
}

// turn is the record that an activation ran.
func turn(l *forge.Life, act *forge.Record) *forge.Record {
	for _, r := range l.All(record.Turn) {
		if r.Req == act.Req && r.Act == act.ID {
			return r
		}
	}
	return nil
}

func said(l *forge.Life, at *forge.Record, act int32, name string, v record.Value) *forge.Record {
	return l.InsertAfter(at, advice.Record{Op: record.Recorded, Req: at.Req, Act: act, Name: name, Value: v})
}

func TestContestAttacks(t *testing.T) {
	last := func(l *forge.Life, rid uint64) *forge.Record {
		var at *forge.Record
		for _, r := range l.Records {
			if r.Op != record.Request && l.RID(r) == rid {
				at = r
			}
		}
		return at
	}
	oneByOne(contests, get("/limit")).attack(t,
		attack{"a limit that ends before the work that it waits for", "R8 R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			act := fired(t, l, 1)[0]
			said(l, last(l, 1), act.ID, "lost", record.Number(1))
			e.Answer(1, "limit")
		}},
		attack{"a timer in a turn that is none", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			act := fired(t, l, 1)[0]
			said(l, act, act.ID, "turn", record.Text("soon"))
		}},
		attack{"a loser of another number", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			said(l, last(l, 1), fired(t, l, 1)[0].ID, "lost", record.Number(2))
		}},
	)
	oneByOne(contests, get("/cleared"), get("/keep?x=1")).attack(t,
		attack{"bytes that read as the text does in base64", "R-response", func(t *testing.T, e *forge.Evidence) {
			x := e.Exchange(2)
			bytes, err := base64.StdEncoding.DecodeString(string(x.Response.Body))
			if err != nil || string(x.Response.Body) != "kept" {
				t.Fatal(err)
			}
			x.Response.Body = bytes
		}},
		attack{"a timer that fires before it is cleared in the turn that set it", "R8 R-nondet R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			said(l, last(l, 1), 0, "late", record.Boolean(true))
			other := fired(t, l, 1)[0]
			act := other.Record
			act.OpNum--
			l.InsertAfter(some(t, "turn", turn(l, other)), advice.Record{Op: record.Turn, Req: other.Req, Act: l.InsertAfter(other, act).ID})
			e.Answer(1, "fired")
		}},
	)
	oneByOne(contests, get("/ticks")).attack(t,
		attack{"a tick after the one that ends them", "R8 R-leftover R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			var tick *forge.Record
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "tick" {
					tick = r
				}
			}
			var act advice.Record
			for _, r := range l.Of(1, record.Activation) {
				if r.ID == some(t, "tick", tick).Act {
					act = r.Record
				}
			}
			act.Firing++
			third := l.InsertAfter(tick, act)
			said(l, third, third.ID, "tick", record.Boolean(true))
			l.InsertAfter(third, advice.Record{Op: record.Turn, Req: third.Req, Act: third.ID})
			e.Answer(1, "3 ticks")
		}},
		attack{"a tick that is none", "R-leftover R-nondet R-response R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "tick" {
					r.Value = record.Text("yes")
				}
			}
		}},
	)
	oneByOne(contests, get("/either")).attack(t,
		attack{"what neither of two settled with", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(1, "both") }},
		attack{"both lose", "R-response R-leftover R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			at := last(l, 1)
			for _, a := range fired(t, l, 1) {
				lost := false
				for _, r := range l.Of(1, record.Recorded) {
					lost = lost || r.Act == a.ID && r.Name == "lost"
				}
				if !lost && a.Act == 0 {
					said(l, at, a.ID, "lost", record.Number(1))
				}
			}
		}},
	)
	oneByOne(contests, get("/set?x=1"), get("/set?x=2"), get("/watch"), get("/set?x=3"), get("/watch")).attack(t,
		attack{"a race won by who looked before it began", "R8 R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := l.Of(5, record.Read)[0]
			r.Write = l.Get(record.Write, r.Write).Prev
			e.Answer(5, "2 then 3,3")
		}},
		attack{"two looks in a join, of which one is too old", "R8 R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rs := l.Of(5, record.Read)
			r := rs[len(rs)-1]
			r.Write = l.Get(record.Write, r.Write).Prev
			e.Answer(5, "3 then 3,2")
		}},
		attack{"the first of a race forgotten", "R8 R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(l.Of(3, record.Read)...)
			l.Tidy()
			e.Answer(3, "none then none,none")
		}},
	)
}

// Of two that say that they won a race, one lies.
func TestSecondWinnerAttack(t *testing.T) {
	oneByOne(contests, get("/set?x=1"), get("/watch"), get("/ticks"), get("/ticks")).attack(t, attack{"a race with two winners", "R-nondet R-leftover", secondWinner})
}

// TestTimersThatNeverFired: what is still pending when the server stops has not happened.
func TestTimersThatNeverFired(t *testing.T) {
	for _, connections := range []int{1, 4} {
		r := contests.record(t, connections, []request{get("/keep?x=1"), get("/x"), get("/keep?x=2"), get("/x"), get("/keep?x=3"), get("/watch"), get("/either"), get("/x")})
		mustAccept(t, r.Evidence)
	}
}

// TestLongCourse: a record of very many turns, none of which can have been, costs hardly more than one of few.
func TestLongCourse(t *testing.T) {
	r := contests.record(t, 1, []request{get("/limit"), get("/x")})
	lie := lieOf(t, r.Evidence, func(e *forge.Evidence) {
		l := life(t, e)
		turns := l.Of(1, record.Turn)
		at := turns[len(turns)-1]
		l.Records = slices.Insert(l.Records, slices.Index(l.Records, at)+1, slices.Repeat([]*forge.Record{{Record: at.Record, ID: -1}}, 100_000)...)
		e.Answer(1, "limit")
	})
	began := time.Now()
	mustReject(t, verify(t, lie), "R-response")
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

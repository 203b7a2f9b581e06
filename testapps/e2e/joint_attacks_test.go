package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

var joint = &app{name: "joint", dir: "gallery", entry: "joint.js"}

// met is a run of joint.js in which request 1 waits until request 4 calls, and the others come one by one.
var met = &story{app: joint, drive: func(ctx context.Context, addr string) error {
	done := make(chan error, 1)
	go func() {
		_, err := drive(ctx, addr, 1, []request{get("/wait")})
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if _, err := drive(ctx, addr, 1, []request{get("/time"), get("/time"), get("/call/me"), get("/later"), get("/later"), get("/much/4"), get("/both"), get("/fails"), get("/log")}); err != nil {
		return err
	}
	return <-done
}}

// named are the recorded results of a request of one name.
func named(t *testing.T, l *forge.Life, rid uint64, name string) []*forge.Record {
	t.Helper()
	rs := slices.DeleteFunc(l.Of(rid, record.Recorded), func(r *forge.Record) bool { return r.Name != name })
	if len(rs) == 0 {
		t.Fatalf("nothing called %s was recorded of request %d", name, rid)
	}
	return rs
}

// firings are a request's turns that are no arrival and no piece of a body.
func firings(t *testing.T, l *forge.Life, rid uint64) []*forge.Record {
	t.Helper()
	rs := slices.DeleteFunc(l.Of(rid, record.Turn), func(r *forge.Record) bool { return r.Body })
	if len(rs) == 0 {
		t.Fatalf("request %d has no turns", rid)
	}
	return rs
}

func arrivalOf(t *testing.T, l *forge.Life, rid uint64) *forge.Record {
	t.Helper()
	return some(t, "arrival", turnsOf(l, rid)[0])
}

// earlier sets a recorded clock of one request to what another was told, less a little, and the answer with it.
func earlier(name string, was, is func(v record.Value) string, less func(v record.Value) record.Value) func(t *testing.T, e *forge.Evidence) {
	return func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		r := named(t, l, 3, name)[0]
		told := was(r.Value)
		r.Value = less(named(t, l, 2, name)[0].Value)
		body := string(e.Exchange(3).Response.Body)
		if !strings.Contains(body, told) {
			t.Fatalf("the answer %s does not have %s", body, told)
		}
		e.Answer(3, strings.Replace(body, told, is(r.Value), 1))
	}
}

func asNumber(v record.Value) string { return string(v.AppendJSON(nil, record.Renumber{})) }

func aLittleLess(v record.Value) record.Value { return record.Number(v.Float() - 1) }

// Family: joint re-execution, where the order of all turns is known.
func TestJointOrder(t *testing.T) {
	nanoseconds := func(v record.Value) string {
		s, ns, _ := strings.Cut(v.Str, " ")
		return s + fmt.Sprintf("%09s", ns)
	}
	met.attack(t,
		attack{"an earlier wall clock in a later turn", "R-clock", earlier("now", asNumber, asNumber, aLittleLess)},
		attack{"an earlier monotonic clock in a later turn", "R-clock", earlier("perf", asNumber, asNumber, aLittleLess)},
		attack{"a shorter uptime in a later turn", "R-clock", earlier("uptime", asNumber, asNumber, func(v record.Value) record.Value { return record.Number(v.Float() / 2) })},
		attack{"an earlier high-resolution clock in a later turn", "R-clock", earlier("hrtime", nanoseconds, nanoseconds, func(v record.Value) record.Value {
			s, _, _ := strings.Cut(v.Str, " ")
			return record.Text(s + " 0")
		})},
		attack{"a timer that is told an earlier time than one before it", "R-clock", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			first, second := named(t, l, 5, "now")[0], named(t, l, 6, "now")[0]
			second.Value = aLittleLess(first.Value)
			e.Answer(6, "2 "+asNumber(second.Value))
		}},
		attack{"a write that filled the buffer, of which there was none", "R-leftover R-turn", func(t *testing.T, e *forge.Evidence) {
			named(t, life(t, e), 7, "full")[0].Value = record.Number(99)
		}},
		attack{"a write that filled the buffer twice", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := named(t, l, 7, "full")[0]
			l.InsertAfter(r, r.Record)
		}},
		attack{"room in a buffer that was not full", "R-turn R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(named(t, l, 7, "full")[0])
		}},
		attack{"room in a buffer, twice", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := firings(t, l, 7)[0]
			l.InsertAfter(r, r.Record)
		}},
		attack{"room in a buffer, never", "R-response R-leftover R-turn A3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(firings(t, l, 7)...)
		}},
		attack{"a request that comes before another one was answered that had been", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.MoveAfter(arrivalOf(t, l, 4), arrivalOf(t, l, 1))
		}},
		attack{"a timer that fires when its answer was already known", "R-turn R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.MoveAfter(firings(t, l, 5)[0], arrivalOf(t, l, 6))
		}},
		attack{"a call that came before who waited for it", "R-response R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.MoveAfter(arrivalOf(t, l, 4), l.Records[slices.Index(l.Records, arrivalOf(t, l, 1))-1])
			e.Answer(4, "0 waited")
		}},
		attack{"a request's own first turn, again", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			q := arrivalOf(t, l, 4)
			l.InsertAfter(q, advice.Record{Op: record.Turn, Req: q.ID})
		}},
		attack{"a turn of the app's start that nothing asked for", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.InsertAfter(arrivalOf(t, l, 4), advice.Record{Op: record.Turn})
		}},
		attack{"what came of another call", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			named(t, life(t, e), 8, "fs.readFile")[0].Name = "fs.stat"
		}},
		attack{"what came in another turn", "R-nondet R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := named(t, l, 8, "fs.readFile")
			r[0].Act = r[1].Act
			l.MoveAfter(r[0], r[1])
		}},
		attack{"a stack of another error", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			r := named(t, life(t, e), 9, "stack")[0]
			r.Value = record.Text(strings.Replace(r.Value.Str, "in vain", "on purpose", 1))
			e.Answer(9, r.Value.Str)
		}},
	)
	t.Run("a stack that is no stack", func(t *testing.T) {
		a := forged(t, met.honest(t), func(e *forge.Evidence) {
			r := named(t, life(t, e), 9, "stack")[0]
			r.Value = record.Text("Error: in vain\n<b>all is well</b>")
			e.Answer(9, r.Value.Str)
		})
		if a.Outcome != verdict.Undecided || !strings.Contains(a.Text(), "no frames") {
			t.Error(a.Text())
		}
	})
}

// Groups know no order of all turns, but who was answered before whom came, and a life has one clock.
func TestClockOfAnotherRequest(t *testing.T) {
	throws := oneByOne(pages, get("/chance"), get("/pages/home"), get("/chance"))
	throws.attack(t, attack{"a request that came later is told an earlier time", "R-clock", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		first := named(t, l, 1, "now")[0].Value
		for _, r := range named(t, l, 3, "now") {
			r.Value = record.Number(first.Float() - 1000)
		}
	}})
	// What overlaps is ordered by nothing but what one found of the other.
	honest := throws.honest(t)
	mustAccept(t, lieOf(t, honest, func(e *forge.Evidence) {
		l := life(t, e)
		e.Overlap()
		first := named(t, l, 1, "now")[0].Value
		for _, r := range named(t, l, 3, "now") {
			r.Value = record.Number(first.Float() - 1000)
		}
	}))
}

// TestClockOfAnotherRequestThatOverlaps: who finds what another request wrote was not told an earlier time than that one.
func TestClockOfAnotherRequestThatOverlaps(t *testing.T) {
	stamps := oneByOne(contests, get("/stamp"), get("/stamp"), get("/stamp"))
	earlier := func(t *testing.T, e *forge.Evidence, by float64) {
		l := life(t, e)
		e.Overlap()
		was := named(t, l, 1, "now")[0].Value.Float()
		named(t, l, 2, "now")[0].Value = record.Number(was - by)
		for _, w := range l.Of(2, record.Write) {
			w.Value = record.Number(was - by)
		}
		e.Answer(2, fmt.Sprintf("%.0f after %.0f", was-by, was))
		third := named(t, l, 3, "now")[0].Value.Float()
		e.Answer(3, fmt.Sprintf("%.0f after %.0f", third, was-by))
	}
	stamps.attack(t, attack{"a time that is before the one that it follows", "R-clock", func(t *testing.T, e *forge.Evidence) { earlier(t, e, 1) }})
	mustAccept(t, lieOf(t, stamps.honest(t), func(e *forge.Evidence) { earlier(t, e, 0) }))
}

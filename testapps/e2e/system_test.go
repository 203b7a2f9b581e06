package e2e

import (
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// Family: the whole system. Requests change places or names, answers change owners, and
// what the server says of its start, of its clock or of its order is made to agree.
func TestSystemAttacks(t *testing.T) {
	request := func(t *testing.T, l *forge.Life, rid uint64) *forge.Record {
		t.Helper()
		for _, q := range l.All(record.Request) {
			if q.RID == rid {
				return q
			}
		}
		t.Fatalf("no request %d", rid)
		return nil
	}
	// swap gives each of two requests the other's advice.
	swap := func(t *testing.T, e *forge.Evidence, a, b uint64) {
		l := life(t, e)
		x, y := request(t, l, a), request(t, l, b)
		x.RID, y.RID = y.RID, x.RID
	}
	answers := func(e *forge.Evidence, a, b uint64) {
		x, y := e.Exchange(a), e.Exchange(b)
		x.Response, y.Response = y.Response, x.Response
	}
	board.attack(t,
		attack{"two readers' advice changes places", "R-response", func(t *testing.T, e *forge.Evidence) { swap(t, e, 2, 4) }},
		attack{"two readers' advice and answers change places", "R8", func(t *testing.T, e *forge.Evidence) {
			swap(t, e, 2, 4)
			answers(e, 2, 4)
		}},
		attack{"a writer's and a reader's advice change places", "R-response R-leftover R-value R-unlogged R8", func(t *testing.T, e *forge.Evidence) { swap(t, e, 3, 4) }},
		attack{"two writers' advice changes places", "R-value R-object", func(t *testing.T, e *forge.Evidence) { swap(t, e, 1, 3) }},
		attack{"two writers of two keys, with their bodies", "R-value R-object R-leftover R-response", func(t *testing.T, e *forge.Evidence) {
			swap(t, e, 3, 6)
			answers(e, 3, 6)
		}},
		attack{"a request by the number of another", "A2", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			request(t, l, 4).RID = 2
		}},
		attack{"a request by the number of the start", "A1", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			request(t, l, 1).RID = 1 << 40
		}},
		attack{"answers of equal tags change places", "R-response", func(t *testing.T, e *forge.Evidence) { answers(e, 4, 9) }},
		attack{"an answer given twice, the other lost", "R-response", func(t *testing.T, e *forge.Evidence) { e.Exchange(9).Response = e.Exchange(4).Response }},
		attack{"a stale first version", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(l.Of(9, record.Read)...)
			l.Tidy()
			e.Answer(9, "No message for A")
		}},
		attack{"something where nothing was", "R-leftover R1 R-response R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 7, "B")
			copied := r.Record
			copied.Req = request(t, l, 5).ID
			copied.Act = 0
			for _, a := range l.Of(5, record.Activation) {
				copied.Act = a.ID
			}
			l.InsertAfter(r, copied)
			e.Answer(5, "B: b-one")
		}},
		attack{"a key that is called __proto__", "R1 R-leftover R-value R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Get(record.Location, write(t, l, 6, "B").Loc).Key = record.Name("__proto__")
		}},
		attack{"a key that is called constructor", "R1 R-leftover R-value R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Get(record.Location, write(t, l, 6, "B").Loc).Key = record.Name("constructor")
		}},
		attack{"the log of another object", "R1 R2 R-leftover R-value R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Get(record.Location, write(t, l, 6, "B").Loc).Obj = record.InitRef(1 << 20)
		}},
	)
	// What the start was told decides what all requests are answered.
	moods.attack(t,
		attack{"another environment than the answers show", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.All(record.Env) {
				if r.Name == "MOOD" {
					r.Value = record.Text("bad")
					return
				}
			}
			t.Fatal("the environment was not recorded")
		}},
		attack{"an environment that is no text", "A10", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.All(record.Env) {
				if r.Name == "MOOD" {
					r.Value = record.Number(5)
				}
			}
		}},
		attack{"a clock that was later when the app began", "R-clock", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(0, record.Recorded) {
				if r.Name == "now" {
					r.Value = record.Number(r.Value.Float() + 1e9)
				}
			}
		}},
		attack{"a start that drew something else", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(0, record.Recorded) {
				if r.Name == "random" {
					r.Value = record.Number(0.987654321)
				}
			}
		}},
		attack{"a start that drew nothing", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(0, record.Recorded) {
				if r.Name == "random" {
					l.Drop(r)
				}
			}
		}},
		attack{"a start that drew once more", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rs := l.Of(0, record.Recorded)
			last := rs[len(rs)-1]
			l.InsertAfter(last, last.Record)
		}},
	)
}

var moods = oneByOne(&app{name: "moods", dir: "gallery", entry: "moods.js"}, get("/mood"), get("/since"), get("/mood"))

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

var greedy = &app{name: "greedy", dir: "gallery", entry: "greedy.js"}

// Request 1 asks for too much, request 2 for little, and request 3 does it; a forger
// says that it read what request 1 wrote.
func costly(path string, n string) *story {
	return oneByOne(greedy, get("/limit?n="+n), get("/limit?n=3"), get(path))
}

var (
	endless  = costly("/loop", "1e15")
	filled   = costly("/fill", "1e15")
	spinning = costly("/spin", "1e15")
	repeated = costly("/repeat", "500000000")
)

// TestCostlyReads: reads that make the program loop for ever, or allocate without end.
// The engine is stopped, the verdict names the request and why, and nothing else breaks.
func TestCostlyReads(t *testing.T) {
	for _, c := range []struct {
		name    string
		story   *story
		says    string
		timeout string
	}{
		{"an endless loop", endless, "no answer within", "1500ms"},
		// Time enough to fill it on a busy machine.
		{"memory without end", filled, "memory", "1m"},
		{"microtasks without end", spinning, "cannot be re-executed", "1500ms"},
		{"a huge string", repeated, "", "1500ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			honest := c.story.honest(t)
			e, err := forge.Load(honest.Trace, honest.Advice)
			if err != nil {
				t.Fatal(err)
			}
			l := life(t, e)
			rs := l.Of(3, record.Read)
			if len(rs) != 1 {
				t.Fatalf("%d reads", len(rs))
			}
			rs[0].Write = l.Get(record.Write, rs[0].Write).Prev
			lie := scenario.In(honest.Dist, t.TempDir())
			if err := e.Save(lie.Trace, lie.Advice); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			a := verify(t, lie, "--workers", "1", "--timeout", c.timeout, "--memory", "400")
			if a.Outcome == verdict.Accept {
				t.Fatal("accepted")
			}
			if c.says != "" && (a.Outcome != verdict.Undecided || !slices.Contains(a.Requests, 3) || !strings.Contains(a.Text(), c.says)) {
				t.Errorf("the verdict names neither request nor reason:\n%s", a.Text())
			}
			if took := time.Since(began); took > 2*time.Minute {
				t.Errorf("it took %v", took)
			}
			if a.EnginePeak > 1200<<20 || a.Peak > 500<<20 {
				t.Errorf("peaks of %d and %d MB", a.EnginePeak>>20, a.Peak>>20)
			}
			t.Logf("%v, engine %d MB\n%s", time.Since(began).Round(time.Millisecond), a.EnginePeak>>20, a.Text())
		})
	}
}

// TestManyClaims: advice that claims far more than there is. Small limits of the
// decoder's own are tested in package advice; here the whole program must hold.
func TestManyClaims(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	for name, change := range map[string]func(l *forge.Life){
		"requests": func(l *forge.Life) {
			last := l.All(record.Request)[len(l.All(record.Request))-1]
			for i := range 100_000 {
				last = l.InsertAfter(last, advice.Record{Op: record.Request, RID: uint64(1000 + i)})
			}
		},
		"reads": func(l *forge.Life) {
			r := read(t, l, 9, "A")
			for range 200_000 {
				r = l.InsertAfter(r, r.Record)
			}
		},
		"activations in a row": func(l *forge.Life) {
			r := read(t, l, 9, "A")
			act := r
			id := r.Act
			for range 50_000 {
				act = l.InsertAfter(act, advice.Record{Op: record.Activation, Req: r.Req, Act: id, OpNum: 1})
				id = act.ID
			}
			l.InsertAfter(act, advice.Record{Op: record.Read, Req: r.Req, Act: id, Write: r.Write})
		},
		"changes of one list": func(l *forge.Life) {
			w := write(t, l, 8, "A")
			w.Value = record.ListOf(record.Number(1))
			last := w
			for i := range 20_000 {
				last = l.InsertAfter(last, advice.Record{Op: record.Write, Req: w.Req, Act: w.Act, OpNum: w.OpNum + 1 + int32(i), Loc: w.Loc, Prev: last.ID,
					Value: record.DeltaFrom(last.ID, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Number(1)}})})
			}
			l.Tidy()
		},
		"nesting": func(l *forge.Life) {
			v := record.Number(1)
			for range 1_000_000 {
				v = record.ListOf(v)
			}
			write(t, l, 6, "B").Value = v
			l.Tidy()
		},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			a := forged(t, honest, func(e *forge.Evidence) { change(life(t, e)) })
			if a.Outcome == verdict.Accept {
				t.Error("accepted")
			}
			if a.Peak > 1<<30 || a.EnginePeak > 2<<30 {
				t.Errorf("peaks of %d and %d MB", a.Peak>>20, a.EnginePeak>>20)
			}
			t.Logf("%v, %d and %d MB: %s", time.Since(began).Round(time.Millisecond), a.Peak>>20, a.EnginePeak>>20, fmt.Sprintf("%.200s", a.Text()))
		})
	}
}

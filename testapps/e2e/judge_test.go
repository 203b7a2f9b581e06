package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/engine"
	"karousosc/verifier/order"
	"karousosc/verifier/reexec"
	"karousosc/verifier/trace"
)

// history is what re-execution says that the requests did, nil if it finds something
// to object to before their order matters.
func history(t *testing.T, e scenario.Evidence) *order.History {
	t.Helper()
	tr, err := trace.Load(e.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	adv, err := advice.Load(e.Advice, advice.Limits{})
	if err != nil {
		return nil
	}
	cfg := engine.Config{NodeMajor: 20, Timeout: time.Minute, MaxRSS: 1 << 30, CodeDir: engine.DefaultCodeDir()}
	for _, name := range []string{"runtime.js", "models.js", "program.js"} {
		text, err := os.ReadFile(filepath.Join(e.Dist, "verifier", name))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Scripts = append(cfg.Scripts, engine.Script{Name: name, Source: string(text)})
	}
	audit := reexec.New(tr, adv, reexec.Options{Start: func(ctx context.Context) (reexec.Engine, error) { return engine.Start(ctx, cfg) }})
	defer audit.Close()
	r, err := audit.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.History
}

// A judge runs the turns of a history, one after the other, on plain variables: it knows
// the execution model, and neither edges nor cycles. A turn can run when its parents
// have, when whatever was answered before its request arrived has been, and when
// each of its operations meets the version that it claims. It must not yet run if it
// overwrites what another turn has still to meet.
//
// Which turn of several that can run goes first makes no difference: running one takes
// nothing from the others that they need. So if the judge is stuck, no order exists.
type judge struct {
	h       *order.History
	request []int   // of each turn
	ops     [][]op  // of each turn, in program order
	pending [][]int // per version: the turns that have still to meet it
	now     []int   // per location: its version
	done    []bool
}

// An op meets a version; a write then makes another one. Versions are numbered: the
// initial one of a location, then each write's.
type op struct {
	num         int32
	loc         int32
	meets, next int // next is -1 for a read
}

func newJudge(h *order.History) *judge {
	j := &judge{h: h, now: make([]int, h.Locs), pending: make([][]int, int(h.Locs)+len(h.Writes))}
	for i, r := range h.Requests {
		for range h.Shapes[r.Shape].Len() {
			j.request = append(j.request, i)
		}
	}
	for l := range j.now {
		j.now[l] = l
	}
	j.ops, j.done = make([][]op, len(j.request)), make([]bool, len(j.request))
	logged := map[int32]int{}
	for i, w := range h.Writes {
		if w.Logged >= 0 {
			logged[w.Logged] = i
		}
	}
	version := func(s order.Source, loc int32) int {
		switch {
		case s >= 0:
			return int(h.Locs) + logged[int32(s)]
		case s == order.Initial:
			return int(loc)
		}
		return int(h.Locs) + int(-2-s)
	}
	add := func(turn int32, o op) {
		j.ops[turn] = append(j.ops[turn], o)
		j.pending[o.meets] = append(j.pending[o.meets], int(turn))
	}
	for i, w := range h.Writes {
		add(w.Node, op{w.Num, w.Loc, version(w.Prev, w.Loc), int(h.Locs) + i})
	}
	// A read comes after the write that has its number.
	for _, r := range h.Reads {
		add(r.Node, op{r.Num, r.Loc, version(r.Src, r.Loc), -1})
	}
	for i := range j.ops {
		slices.SortStableFunc(j.ops[i], func(a, b op) int { return int(a.num) - int(b.num) })
	}
	return j
}

// stuck is "" if all turns can run in some order, and says which of them cannot.
func (j *judge) stuck() string {
	for ran := true; ran; {
		ran = false
		for t := range j.done {
			if !j.done[t] && j.may(t) && j.run(t) {
				ran = true
			}
		}
	}
	if t := slices.Index(j.done, false); t >= 0 {
		r := j.h.Requests[j.request[t]]
		return fmt.Sprintf("turn %d of request %d can never run", t-int(r.First), r.RID)
	}
	return ""
}

func (j *judge) may(t int) bool {
	q := j.request[t]
	r := &j.h.Requests[q]
	s := &j.h.Shapes[r.Shape]
	a := int32(t) - r.First
	if s.InOrder && a > 0 && !j.done[t-1] {
		return false
	}
	for _, p := range s.Parents[s.Start[a]:s.Start[a+1]] {
		if !j.done[r.First+p] {
			return false
		}
	}
	for i := range j.h.Requests {
		x := &j.h.Requests[i]
		xs := &j.h.Shapes[x.Shape]
		n := int32(0)
		switch {
		case x.Life < r.Life:
			n = xs.Len()
		case x.Life == r.Life && x.Init && !r.Init:
			n = xs.Loaded
		}
		for k := range n {
			if !j.done[x.First+k] {
				return false
			}
		}
	}
	answered := []int{}
	for _, e := range j.h.Events {
		if e.Answer {
			answered = append(answered, int(e.Req))
			continue
		}
		if int(e.Req) != q {
			continue
		}
		for _, i := range answered {
			x := &j.h.Requests[i]
			if xs := &j.h.Shapes[x.Shape]; !j.done[x.First+xs.Responds] || xs.InOrder && !j.done[x.First+xs.Sent] {
				return false
			}
		}
		break
	}
	return true
}

func (j *judge) run(t int) bool {
	now := map[int32]int{}
	at := func(l int32) int {
		if v, ok := now[l]; ok {
			return v
		}
		return j.now[l]
	}
	for _, o := range j.ops[t] {
		if at(o.loc) != o.meets {
			return false
		}
		if o.next >= 0 {
			if slices.ContainsFunc(j.pending[o.meets], func(u int) bool { return u != t }) {
				return false
			}
			now[o.loc] = o.next
		}
	}
	for _, o := range j.ops[t] {
		j.pending[o.meets] = slices.DeleteFunc(j.pending[o.meets], func(u int) bool { return u == t })
	}
	for l, v := range now {
		j.now[l] = v
	}
	j.done[t] = true
	return true
}

package e2e

import (
	"context"
	"fmt"
	"maps"
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
	wants   []want
	// then is what a key was in a version of its object's shape that is no more.
	then map[keyOf]int
}

// An op meets a version; a write then makes another one. Versions are numbered: the
// initial one of a location, then each write's.
type op struct {
	num         int32
	loc         int32
	meets, next int // next is -1 for a read; meets is lacking or absent where a key is not there
	as          int // the shape as of which it is absent
}

const (
	lacking = -1 // now
	absent  = -2 // as of a version of the shape
)

// A keyOf is a key's location and a version of its object's shape.
type keyOf struct {
	loc   int32
	shape int
}

// A want is what a turn has still to meet, of a key that is absent.
type want struct {
	turn int
	keyOf
}

func newJudge(h *order.History) *judge {
	j := &judge{h: h, now: make([]int, h.Locs), pending: make([][]int, int(h.Locs)+len(h.Writes)), then: map[keyOf]int{}}
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
	add := func(turn int32, s order.Source, o op) {
		switch {
		case s == order.Lacking:
			o.meets = lacking
		case s >= 0 && h.Logged[s].Absent:
			shape := h.Logged[s].Shape
			o.meets, o.as = absent, version(order.Source(shape), h.Logged[shape].Loc)
			j.wants = append(j.wants, want{int(turn), keyOf{o.loc, o.as}})
		default:
			o.meets = version(s, o.loc)
			j.pending[o.meets] = append(j.pending[o.meets], int(turn))
		}
		j.ops[turn] = append(j.ops[turn], o)
	}
	for i, w := range h.Writes {
		add(w.Node, w.Prev, op{num: w.Num, loc: w.Loc, next: int(h.Locs) + i})
	}
	// A read comes after the write that has its number.
	for _, r := range h.Reads {
		add(r.Node, r.Src, op{num: r.Num, loc: r.Loc, next: -1})
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
	// What is written to a key and to the shape of its object at once is written to the shape first.
	before, num := map[int32]int{}, int32(-1)
	then := map[keyOf]int{}
	for _, o := range j.ops[t] {
		if o.num != num {
			before, num = maps.Clone(now), o.num
		}
		met := at(o.loc)
		switch o.meets {
		case lacking:
			if !j.gone(met) {
				return false
			}
		case absent:
			if !j.gone(met) {
				return false
			}
			if v, ok := then[keyOf{o.loc, o.as}]; ok && v != met {
				return false
			} else if v, past := j.then[keyOf{o.loc, o.as}]; !ok && (past && v != met || !past && at(j.locOf(o.as)) != o.as) {
				return false
			}
		default:
			if met != o.meets {
				return false
			}
		}
		if o.next < 0 {
			continue
		}
		if slices.ContainsFunc(j.pending[met], func(u int) bool { return u != t }) {
			return false
		}
		for _, w := range j.wants {
			if w.turn == t || j.done[w.turn] {
				continue
			}
			if w.shape == met { // the shape of a key that somebody has still to meet
				v, ok := before[w.loc]
				if !ok {
					v = j.now[w.loc]
				}
				then[w.keyOf] = v
			}
			if v, past := j.then[w.keyOf]; w.loc == o.loc && (past && v == met || !past && at(j.locOf(w.shape)) == w.shape && j.gone(met)) {
				return false
			}
		}
		now[o.loc] = o.next
	}
	for _, o := range j.ops[t] {
		if o.meets >= 0 {
			j.pending[o.meets] = slices.DeleteFunc(j.pending[o.meets], func(u int) bool { return u == t })
		}
	}
	maps.Copy(j.then, then)
	for l, v := range now {
		j.now[l] = v
	}
	j.done[t] = true
	return true
}

// gone tells whether a key is not there in a version. (Of initial ones, re-execution says so.)
func (j *judge) gone(version int) bool {
	return version < int(j.h.Locs) || j.h.Writes[version-int(j.h.Locs)].Gone
}

// locOf is the location that a version is of.
func (j *judge) locOf(version int) int32 {
	if version < int(j.h.Locs) {
		return int32(version)
	}
	return j.h.Writes[version-int(j.h.Locs)].Loc
}

package order

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"karousosc/verifier/rule"
)

// legal is the judge of the property test: it tries every order of the activations, runs their operations one after
// the other on plain variables and asks whether each operation meets the version that it claims. It shares
// nothing with the checker but the history.
func legal(h *History) bool {
	type op struct {
		write    bool
		num      int32
		loc      int32
		src      int32 // index of the write that made the version, -1 initial
		makes    int32
		fromLog  bool
		producer int32
	}
	var acts int32
	var reqOf []int32
	for i, r := range h.Requests {
		for range h.Shapes[r.Shape].Len() {
			reqOf = append(reqOf, int32(i))
		}
		acts += h.Shapes[r.Shape].Len()
	}
	producer := make([]int32, len(h.Logged))
	for i := range producer {
		producer[i] = -1
	}
	for i, w := range h.Writes {
		if w.Logged >= 0 {
			if l := h.Logged[w.Logged]; producer[w.Logged] >= 0 || l.Req != reqOf[w.Node] || l.Loc != w.Loc || l.Num != w.Num {
				return false
			}
			producer[w.Logged] = int32(i)
		}
	}
	for _, p := range producer {
		if p < 0 {
			return false
		}
	}
	source := func(s Source) int32 {
		if s >= 0 {
			return producer[s]
		}
		if s == Initial {
			return -1
		}
		return int32(-2 - s)
	}
	ops := make([][]op, acts)
	// Operations of a turn run by number; a read comes after the write that has its number.
	for num := int32(0); num < 100; num++ {
		for i, w := range h.Writes {
			if w.Num == num {
				ops[w.Node] = append(ops[w.Node], op{write: true, loc: w.Loc, src: source(w.Prev), makes: int32(i), fromLog: w.Prev >= 0})
			}
		}
		for _, r := range h.Reads {
			if r.Num == num {
				ops[r.Node] = append(ops[r.Node], op{loc: r.Loc, src: source(r.Src), fromLog: r.Src >= 0})
			}
		}
	}
	// before[a] are the activations that must have run when a runs.
	before := make([]uint64, acts)
	for i, r := range h.Requests {
		s := h.Shapes[r.Shape]
		for a := int32(0); a < s.Len(); a++ {
			for _, p := range s.Parents[s.Start[a]:s.Start[a+1]] {
				before[r.First+a] |= 1 << (r.First + p)
			}
			if s.InOrder && a > 0 {
				before[r.First+a] |= 1 << (r.First + a - 1)
			}
		}
		for j, q := range h.Requests {
			t := h.Shapes[q.Shape]
			for a := int32(0); a < s.Len(); a++ {
				if q.Life < r.Life {
					for b := int32(0); b < t.Len(); b++ {
						before[r.First+a] |= 1 << (q.First + b)
					}
				}
				if q.Life == r.Life && q.Init && !r.Init {
					for b := int32(0); b < t.Loaded; b++ {
						before[r.First+a] |= 1 << (q.First + b)
					}
				}
			}
			// Did j's answer come before i's arrival?
			answered := false
			for _, e := range h.Events {
				if int(e.Req) == j && e.Answer {
					answered = true
				}
				if int(e.Req) == i && !e.Answer && answered {
					before[r.First] |= 1 << (q.First + t.Responds)
					if t.InOrder {
						before[r.First] |= 1 << (q.First + t.Sent)
					}
				}
			}
		}
	}
	for _, x := range h.Readings {
		for _, y := range h.Readings {
			if x.Node != y.Node && x.Clock == y.Clock && x.First < y.Last {
				before[y.Node] |= 1 << x.Node
			}
		}
	}
	now := make([]int32, h.Locs)
	for i := range now {
		now[i] = -1
	}
	var try func(done uint64, n int32) bool
	try = func(done uint64, n int32) bool {
		if n == acts {
			return true
		}
	next:
		for a := int32(0); a < acts; a++ {
			if done&(1<<a) != 0 || before[a]&^done != 0 {
				continue
			}
			old := append([]int32{}, now...)
			for _, o := range ops[a] {
				own := o.src >= 0 && h.Writes[o.src].Node == a
				if now[o.loc] != o.src || o.src >= 0 && h.Writes[o.src].Loc != o.loc || own && o.fromLog {
					copy(now, old)
					continue next
				}
				if o.write {
					now[o.loc] = o.makes
				}
			}
			if try(done|1<<a, n+1) {
				return true
			}
			copy(now, old)
		}
		return false
	}
	return try(0, 0)
}

// TestAgainstAllOrders draws small histories, most of them nearly legal, and compares the checker with the judge.
func TestAgainstAllOrders(t *testing.T) {
	accepted, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := draw(t)
		h := parse(text)
		v, err := Check(h)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := legal(h)
		if inOrder := strings.HasPrefix(text, "# "); inOrder && !want && v != nil && v.Rule != rule.R1 && v.Rule != rule.R7 {
			// It is the order of turns that is to blame if, and only if, there is another one.
			if other := legal(parse(strings.TrimPrefix(text, "# "))); other != (v.Rule == rule.Unsupported) {
				t.Fatalf("%s\nlegal in another order: %v, but the checker says: %s %s", text, other, v.Rule, v.Explain(h, Names{}))
			}
		}
		if want != (v == nil) {
			said := "accepted"
			if v != nil {
				said = v.Explain(h, Names{})
			}
			t.Fatalf("%s\nlegal: %v, but the checker says: %s", text, want, said)
		}
		if want {
			accepted++
			return
		}
		rejected++
		if v.Rule == rule.R8 || v.Rule == rule.Clock {
			for i, s := range v.Cycle {
				if n := v.Cycle[(i+1)%len(v.Cycle)]; s.To != n.From {
					t.Fatalf("%s: the cycle has a gap: %v", text, v.Cycle)
				}
				if s.Why == unknown {
					t.Fatalf("%s: a step without a reason: %v", text, v.Cycle)
				}
			}
		}
	})
	t.Logf("%d legal, %d not", accepted, rejected)
	if accepted == 0 || rejected == 0 {
		t.Error("the histories drawn were all of one kind")
	}
}

// draw simulates a schedule, which makes a legal history, and then may spoil some versions and the trace.
func draw(t *rapid.T) string {
	nreq := rapid.IntRange(1, 4).Draw(t, "requests")
	spoil := rapid.IntRange(0, 2).Draw(t, "spoil")
	var out []string
	if rapid.Bool().Draw(t, "in order") {
		out = append(out, "#")
	}
	type turn struct{ req, act int }
	var ready []turn
	acts := make([]int, nreq+1)
	arrived, answered := make([]bool, nreq+1), make([]bool, nreq+1)
	cur, made := map[string]int{}, map[string]int{}
	maker := map[string]turn{}
	time := 0
	op := func(a turn, name string) {
		letter := string(rune('a' + a.act))
		loc := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "loc")
		src := cur[loc]
		if spoil > 0 && rapid.IntRange(0, 2).Draw(t, "lie") == 0 && made[loc] > 0 {
			src = rapid.IntRange(0, made[loc]).Draw(t, "src")
		}
		bang := "!"
		if src == 0 || maker[fmt.Sprint(loc, src)] == a {
			bang = ""
		}
		if made[loc] < 9 && rapid.Bool().Draw(t, "write") {
			made[loc]++
			cur[loc] = made[loc]
			maker[fmt.Sprint(loc, made[loc])] = a
			// Every write is logged; whether a reference to it is a logged one follows from who refers.
			out = append(out, fmt.Sprintf("%d%s.%s%d=%d%s", a.req, letter, loc, src, made[loc], "!"))
			if bang == "" && src != 0 {
				// The predecessor is of the same turn: not logged, and parse takes "!" for both, so drop it.
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "!")
				maker[fmt.Sprint(loc, made[loc])] = a
			}
			return
		}
		out = append(out, fmt.Sprintf("%d%s.%s%d%s", a.req, letter, loc, src, bang))
	}
	for step := 0; step < 24; step++ {
		switch rapid.IntRange(0, 3).Draw(t, "step") {
		case 0:
			for r := 1; r <= nreq; r++ {
				if !arrived[r] {
					arrived[r] = true
					out = append(out, fmt.Sprintf("(%d", r))
					ready = append(ready, turn{r, 0})
					acts[r] = 1
					break
				}
			}
		case 1, 2:
			if len(ready) == 0 {
				continue
			}
			k := rapid.IntRange(0, len(ready)-1).Draw(t, "turn")
			a := ready[k]
			ready = append(ready[:k], ready[k+1:]...)
			for n := rapid.IntRange(1, 3).Draw(t, "ops"); n > 0; n-- {
				op(a, "")
			}
			if rapid.IntRange(0, 2).Draw(t, "looks at the clock") == 0 {
				first := min(time+rapid.IntRange(0, 1).Draw(t, "first"), 9)
				time = min(first+rapid.IntRange(0, 2).Draw(t, "last"), 9)
				if spoil > 0 && rapid.IntRange(0, 3).Draw(t, "another time") == 0 {
					first = rapid.IntRange(0, time).Draw(t, "earlier")
				}
				out = append(out, fmt.Sprintf("%d%c@%d%d", a.req, 'a'+a.act, first, time))
			}
			if acts[a.req] < 3 && rapid.Bool().Draw(t, "child") {
				b := turn{a.req, acts[a.req]}
				acts[a.req]++
				out = append(out, fmt.Sprintf("%d%c<%c", b.req, 'a'+b.act, 'a'+a.act))
				ready = append(ready, b)
			}
			if !answered[a.req] && rapid.Bool().Draw(t, "answer") {
				answered[a.req] = true
				out = append(out, fmt.Sprintf(")%d%c", a.req, 'a'+a.act))
			}
		case 3:
			if spoil == 2 && len(out) > 1 {
				i := rapid.IntRange(0, len(out)-2).Draw(t, "swap")
				out[i], out[i+1] = out[i+1], out[i]
			}
		}
	}
	return strings.Join(out, " ")
}

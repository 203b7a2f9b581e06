package order

import (
	"fmt"
	"strings"

	"karousosc/verifier/rule"
)

// Why says which edge of R8 a step of a cycle is.
type Why string

const (
	Parent   Why = "parent"   // R8a
	Load     Why = "load"     // R8b
	NextLife Why = "life"     // R8c
	Time     Why = "time"     // R8d
	WR       Why = "wr"       // R8e
	WW       Why = "ww"       // R8f
	RW       Why = "rw"       // R8g
	Clock    Why = "clock"    // R8h
	Sequence Why = "sequence" // re-execution ran one turn of a request before the other
	unknown  Why = "internal" // an edge that nobody claims would be a mistake of this package
)

// A Step is one edge of a cycle between activations; steps over epochs and barriers are drawn together.
type Step struct {
	From, To Act
	Why      Why
	Loc      int32 // for WR, WW, RW
	// For WR: the write and the read. For WW: the write and its overwriter. For RW: the read, its version's
	// overwriter and the write that made the version (None for the initial one).
	Ops []Op
}

// An Act is an activation of a request.
type Act struct {
	Req int32 // index in History.Requests
	Act int32
}

func (c *checker) act(node int32) Act {
	r := c.nodeReq[node]
	return Act{r, node - c.h.Requests[r].First}
}

// explain turns a cycle of nodes into steps between activations and finds the reason of each.
func (c *checker) explain(path []int32) []Step {
	// Start at an activation, so that what lies between two of them is one run.
	for i, n := range path {
		if n < c.acts {
			path = append(append([]int32{}, path[i:]...), path[:i]...)
			break
		}
	}
	type pair struct{ from, to int32 }
	want := map[pair]*Step{}
	var steps []*Step
	for i := 0; i < len(path); {
		j := i + 1
		for j < len(path) && path[j] >= c.acts {
			j++
		}
		to := path[0]
		if j < len(path) {
			to = path[j]
		}
		s := &Step{From: c.act(path[i]), To: c.act(to), Why: unknown}
		if j == i+1 {
			want[pair{path[i], to}] = s
		} else {
			s.Why = c.between(path[i+1 : j])
		}
		steps = append(steps, s)
		i = j
	}
	h := c.h
	for p, s := range want {
		if s.From.Req == s.To.Req {
			sh := &h.Shapes[h.Requests[s.From.Req].Shape]
			for _, q := range sh.Parents[sh.Start[s.To.Act]:sh.Start[s.To.Act+1]] {
				if q == s.From.Act {
					s.Why = Parent
					delete(want, p)
				}
			}
		}
	}
	for _, s := range want {
		// Turns of one request that G does not order, or other requests' that the answer came before.
		if s.Why == unknown && s.From.Req == s.To.Req && s.From.Act < s.To.Act {
			s.Why = Sequence
		}
	}
	claim := func(from, to int32, why Why, loc int32, ops ...Op) {
		if s := want[pair{from, to}]; s != nil && (s.Why == unknown || s.Why == Sequence || s.Why != WR && why == WR) {
			s.Why, s.Loc, s.Ops = why, loc, ops
		}
	}
	for i := range h.Reads {
		r := &h.Reads[i]
		op, src := Op{false, int32(i)}, c.resolve(r.Src)
		made := None
		if src >= 0 {
			made = Op{true, src}
			claim(h.Writes[src].Node, r.Node, WR, r.Loc, made, op)
		}
		if o := c.overwriter(src, r.Loc); o >= 0 {
			claim(r.Node, h.Writes[o].Node, RW, r.Loc, op, Op{true, o}, made)
		}
	}
	for i := range h.Writes {
		w := &h.Writes[i]
		if p := c.made(int32(i)); p >= 0 {
			claim(h.Writes[p].Node, w.Node, WW, w.Loc, Op{true, p}, Op{true, int32(i)})
		}
	}
	for _, e := range c.told {
		claim(e.from, e.to, Clock, 0)
	}
	// The odd read is what a person wants to hear of first.
	begin := 0
	for i, s := range steps {
		if s.Why == RW {
			begin = i
			break
		}
	}
	out := make([]Step, len(steps))
	for i := range steps {
		out[i] = *steps[(begin+i)%len(steps)]
	}
	return out
}

// between names the run of epochs and barriers between two activations. A change of lives says most.
func (c *checker) between(run []int32) Why {
	why := Time
	for _, n := range run {
		if c.isEpoch(n) {
			continue
		}
		if n >= c.born(c.h.Lives) {
			return Clock
		}
		if (n-c.acts-c.epochs)%2 == 1 {
			return NextLife
		}
		why = Load
	}
	return why
}

// Names tells how to speak of the parts of a history.
type Names struct {
	Request func(req int32) string // "request 12 (POST /getdate)"
	Loc     func(loc int32) string // "messages[\"2024-01-01\"]"
	Op      func(op Op) string     // " at server.js:30:22", or nothing
}

func (n Names) op(op Op) string {
	if n.Op == nil || op.Index < 0 {
		return ""
	}
	return n.Op(op)
}

func (n Names) request(h *History, i int32) string {
	if n.Request != nil {
		return n.Request(i)
	}
	if r := &h.Requests[i]; r.Init {
		return "init"
	}
	return fmt.Sprintf("request %d", h.Requests[i].RID)
}

func (n Names) loc(i int32) string {
	if n.Loc != nil {
		return n.Loc(i)
	}
	return fmt.Sprintf("location %d", i)
}

// At returns an operation's activation, location and number.
func (h *History) At(op Op) (a Act, loc, num int32) {
	var node int32
	if op.Write {
		w := &h.Writes[op.Index]
		node, loc, num = w.Node, w.Loc, w.Num
	} else {
		r := &h.Reads[op.Index]
		node, loc, num = r.Node, r.Loc, r.Num
	}
	req := h.reqOf(node)
	return Act{req, node - h.Requests[req].First}, loc, num
}

// reqOf finds the request that owns a node: requests are in the order of their nodes.
func (h *History) reqOf(node int32) int32 {
	lo, hi := 0, len(h.Requests)
	for hi-lo > 1 {
		if m := (lo + hi) / 2; h.Requests[m].First <= node {
			lo = m
		} else {
			hi = m
		}
	}
	return int32(lo)
}

// Explain says in sentences what a violation shows.
func (v *Violation) Explain(h *History, n Names) string {
	who := func(op Op) string {
		if op.Index < 0 {
			return "the initial version"
		}
		a, _, _ := h.At(op)
		return n.request(h, a.Req)
	}
	loc := func() string {
		_, l, _ := h.At(v.Ops[0])
		return n.loc(l)
	}
	verb := func(op Op) string {
		if op.Write {
			return "overwrites"
		}
		return "reads"
	}
	switch v.Rule {
	case rule.R1:
		l := h.Logged[v.Log]
		switch len(v.Ops) {
		case 0:
			return fmt.Sprintf("the advice holds a write of %s to %s (its operation %d) that re-execution never made",
				n.request(h, l.Req), n.loc(l.Loc), l.Num)
		case 1:
			_, wl, num := h.At(v.Ops[0])
			return fmt.Sprintf("the advice says that %s wrote %s in its operation %d, but re-execution has %s write %s in operation %d",
				n.request(h, l.Req), n.loc(l.Loc), l.Num, who(v.Ops[0]), n.loc(wl), num)
		default:
			return fmt.Sprintf("two writes of %s to %s use one log entry", n.request(h, l.Req), n.loc(l.Loc))
		}
	case rule.R2:
		_, l2, _ := h.At(v.Ops[1])
		return fmt.Sprintf("%s %s a version of %s that is a version of %s in truth, or of another life of the server, written by %s",
			who(v.Ops[0]), verb(v.Ops[0]), loc(), n.loc(l2), who(v.Ops[1]))
	case rule.R3:
		version := "the initial version"
		if v.Ops[2].Index >= 0 {
			version = "the version written by " + who(v.Ops[2])
		}
		return fmt.Sprintf("%s and %s both overwrote %s of %s: one of them must have seen the other's write",
			who(v.Ops[1]), who(v.Ops[0]), version, loc())
	case rule.R4:
		return fmt.Sprintf("the write of %s to %s is not on the chain of versions that starts at the initial one", who(v.Ops[0]), loc())
	case rule.R5:
		return fmt.Sprintf("%s %s %s as one of its own later operations writes it", who(v.Ops[0]), verb(v.Ops[0]), loc())
	case rule.R6:
		return fmt.Sprintf("%s reads a version of %s that it had itself overwritten before, in the same turn", who(v.Ops[0]), loc())
	case rule.R7:
		return fmt.Sprintf("the advice feeds %s of %s from a write of the same turn, which an honest server does not log",
			map[bool]string{true: "a write", false: "a read"}[v.Ops[0].Write], who(v.Ops[0]))
	}
	var b strings.Builder
	if v.Rule == rule.Unsupported {
		b.WriteString("turns of one request may share variables that nobody tracks, and no order of the turns agrees with the trace in which they run as they were re-executed:\n")
	} else {
		b.WriteString("no order of the turns agrees with the trace:\n")
	}
	several := false
	for _, s := range v.Cycle {
		several = several || s.From.Req != s.To.Req
	}
	k := 0
	for i, s := range v.Cycle {
		if several && s.Why == Parent {
			continue // that a request's turns follow one another goes without saying
		}
		k++
		fmt.Fprintf(&b, "  %d. %s;\n", k, v.Sentence(h, n, i))
	}
	fmt.Fprintf(&b, "  so %s would have to come before itself", n.request(h, v.Cycle[0].From.Req))
	return b.String()
}

// Sentence says why step i of the cycle holds.
func (v *Violation) Sentence(h *History, n Names, i int) string {
	s := v.Cycle[i]
	from, to := n.request(h, s.From.Req), n.request(h, s.To.Req)
	switch s.Why {
	case Parent:
		return fmt.Sprintf("turn %d of %s came before its turn %d", s.From.Act, from, s.To.Act)
	case Sequence:
		return fmt.Sprintf("turn %d of %s was re-executed before its turn %d, which does not descend from it", s.From.Act, from, s.To.Act)
	case Load:
		return fmt.Sprintf("the app had finished loading before %s was let in", to)
	case NextLife:
		return fmt.Sprintf("%s was handled before the server was started again and handled %s", from, to)
	case Time:
		return fmt.Sprintf("%s had been answered before %s arrived", from, to)
	case Clock:
		return fmt.Sprintf("%s was told an earlier time than %s, by a clock that never runs backwards", from, to)
	case WR:
		return fmt.Sprintf("%s read %s%s as %s had written it%s", to, n.loc(s.Loc), n.op(s.Ops[1]), from, n.op(s.Ops[0]))
	case WW:
		return fmt.Sprintf("%s overwrote %s%s as %s had written it%s", to, n.loc(s.Loc), n.op(s.Ops[1]), from, n.op(s.Ops[0]))
	case RW:
		version := "its initial version"
		if made := s.Ops[2]; made.Index >= 0 {
			a, _, _ := h.At(made)
			version = "the version written by " + n.request(h, a.Req) + n.op(made)
		}
		return fmt.Sprintf("%s read %s%s in %s, which %s then overwrote%s", from, n.loc(s.Loc), n.op(s.Ops[0]), version, to, n.op(s.Ops[1]))
	}
	return fmt.Sprintf("%s came before %s", from, to)
}

package order

import (
	"cmp"
	"slices"

	"karousosc/verifier/rule"
)

// A Reading is what an activation was told by a clock, first and last, in whole numbers of that clock. A clock belongs to
// one life, and never runs backwards.
type Reading struct {
	Node, Clock int32
	First, Last int64
}

// clocks finds the edges of R8h. That one activation precedes all that were told more goes by a gate at each time: who was
// told less comes before it, and who was told that much after it. An activation that was told several times is the gate
// at all of them but the first; if it cannot be, because another one is, each came before the other.
func (c *checker) clocks() *Violation {
	rs := slices.Clone(c.h.Readings)
	slices.SortFunc(rs, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	for len(rs) > 0 {
		n := 1
		for n < len(rs) && rs[n].Clock == rs[0].Clock {
			n++
		}
		if v := c.clock(rs[:n]); v != nil {
			return v
		}
		rs = rs[n:]
	}
	return nil
}

func (c *checker) clock(rs []Reading) *Violation {
	var times []int64
	for _, r := range rs {
		times = append(times, r.First, r.Last)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	at := func(t int64) int {
		i, _ := slices.BinarySearch(times, t)
		return i
	}
	gates := make([]int32, len(times))
	for i := range gates {
		gates[i] = -1
	}
	for _, r := range rs {
		for i := at(r.First) + 1; i <= at(r.Last); i++ {
			if other := gates[i]; other >= 0 {
				a, b := c.act(other), c.act(r.Node)
				return &Violation{Rule: rule.Clock, Log: -1, Cycle: []Step{{From: a, To: b, Why: Clock}, {From: b, To: a, Why: Clock}}}
			}
			gates[i] = r.Node
		}
	}
	for i := 1; i < len(gates); i++ {
		if gates[i] < 0 {
			gates[i] = c.nodes
			c.nodes++
		}
		if i > 1 && gates[i] != gates[i-1] {
			c.told = append(c.told, edge{gates[i-1], gates[i]})
		}
	}
	for _, r := range rs {
		if first := at(r.First); first > 0 {
			c.told = append(c.told, edge{gates[first], r.Node})
		}
		if last := at(r.Last); last+1 < len(gates) {
			c.told = append(c.told, edge{r.Node, gates[last+1]})
		}
	}
	return nil
}

type edge struct{ from, to int32 }

// clockEdges visits the edges of R8h.
func (c *checker) clockEdges(visit func(from, to int32)) {
	for _, e := range c.told {
		visit(e.from, e.to)
	}
}

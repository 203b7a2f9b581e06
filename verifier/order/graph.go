package order

import "karousosc/verifier/rule"

// epochsOfTrace cuts the trace into epochs: see the package comment.
func (c *checker) epochsOfTrace() {
	h := c.h
	c.epochOf = make([]int32, len(h.Requests))
	for i := range c.epochOf {
		c.epochOf[i] = -1
	}
	c.startOf = make([]int32, len(h.Events))
	since := false
	for _, e := range h.Events {
		if e.Answer {
			since = true
			continue
		}
		if since {
			c.epochs++
			since = false
		}
		if c.epochs > 0 {
			c.epochOf[e.Req] = c.acts + c.epochs - 1
		}
	}
	// An answer precedes the epoch that the next arrival opens.
	next := int32(0)
	since = false
	for i, e := range h.Events {
		c.startOf[i] = -1
		if e.Answer {
			since = true
			if next < c.epochs {
				c.startOf[i] = c.acts + next
			}
			continue
		}
		if since {
			next++
			since = false
		}
	}
	c.nodes = c.acts + c.epochs + 2*h.Lives
}

// born and died are the two barriers of a life: the end of its load phase, and its end.
func (c *checker) born(life int32) int32 { return c.acts + c.epochs + 2*life }
func (c *checker) died(life int32) int32 { return c.born(life) + 1 }

func (c *checker) isEpoch(n int32) bool { return n >= c.acts && n < c.acts+c.epochs }

// fixedEdges visits the edges of R8a to R8d.
func (c *checker) fixedEdges(visit func(from, to int32)) {
	h := c.h
	for i := range h.Requests {
		r := &h.Requests[i]
		s := &h.Shapes[r.Shape]
		n := s.Len()
		for a := int32(1); a < n; a++ {
			for _, p := range s.Parents[s.Start[a]:s.Start[a+1]] {
				visit(r.First+p, r.First+a)
			}
		}
		if r.Init {
			// That the life before has ended needs no edge to here: all that an init touches is of its own
			// life, whose requests come after born.
			for a := int32(0); a < s.Loaded; a++ {
				visit(r.First+a, c.born(r.Life))
			}
		} else {
			visit(c.born(r.Life), r.First)
			if e := c.epochOf[i]; e >= 0 {
				visit(e, r.First)
			}
		}
		if r.Life+1 < h.Lives {
			for a := int32(0); a < n; a++ {
				visit(r.First+a, c.died(r.Life))
			}
		}
	}
	for e := int32(1); e < c.epochs; e++ {
		visit(c.acts+e-1, c.acts+e)
	}
	for l := int32(0); l < h.Lives; l++ {
		// A life without requests and without init still separates its neighbours.
		visit(c.born(l), c.died(l))
		if l > 0 {
			visit(c.died(l-1), c.born(l))
		}
	}
	for i, e := range h.Events {
		if e.Answer && c.startOf[i] >= 0 {
			r := &h.Requests[e.Req]
			if a := h.Shapes[r.Shape].Responds; a >= 0 {
				visit(r.First+a, c.startOf[i])
			}
		}
	}
}

// dataEdges visits the edges of R8e to R8g. Both ends may be the same activation: R5 and R6 have dealt with those.
func (c *checker) dataEdges(visit func(from, to int32)) {
	h := c.h
	for i := range h.Writes {
		w := &h.Writes[i]
		if p := c.made(int32(i)); p >= 0 && h.Writes[p].Node != w.Node {
			visit(h.Writes[p].Node, w.Node)
		}
	}
	for i := range h.Reads {
		r := &h.Reads[i]
		src := c.resolve(r.Src)
		if src >= 0 && h.Writes[src].Node != r.Node {
			visit(h.Writes[src].Node, r.Node)
		}
		if o := c.overwriter(src, r.Loc); o >= 0 && h.Writes[o].Node != r.Node {
			visit(r.Node, h.Writes[o].Node)
		}
	}
}

// A csr is a directed graph: the successors of n are to[start[n]:start[n+1]].
type csr struct{ start, to []int32 }

func (g *csr) succ(n int32) []int32 { return g.to[g.start[n]:g.start[n+1]] }

// build visits all edges twice, so that no list of edges is ever held beside the graph.
func build(nodes int32, edges ...func(visit func(from, to int32))) *csr {
	g := &csr{start: make([]int32, nodes+2)}
	// Offsets live one slot up while the graph is filled, and have slid into place when it is full.
	for _, e := range edges {
		e(func(from, _ int32) { g.start[from+2]++ })
	}
	for i := int32(2); i < nodes+2; i++ {
		g.start[i] += g.start[i-1]
	}
	g.to = make([]int32, g.start[nodes+1])
	for _, e := range edges {
		e(func(from, to int32) {
			g.to[g.start[from+1]] = to
			g.start[from+1]++
		})
	}
	g.start = g.start[:nodes+1]
	return g
}

// peel removes nodes without predecessors until none is left (Kahn), and marks those that stay.
func (g *csr) peel() (stay []bool, left int) {
	n := int32(len(g.start)) - 1
	in := make([]int32, n)
	for _, t := range g.to {
		in[t]++
	}
	queue := make([]int32, 0, n)
	for i, d := range in {
		if d == 0 {
			queue = append(queue, int32(i))
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, t := range g.succ(queue[k]) {
			if in[t]--; in[t] == 0 {
				queue = append(queue, t)
			}
		}
	}
	if len(queue) == int(n) {
		return nil, 0
	}
	stay = make([]bool, n)
	for i, d := range in {
		stay[i] = d > 0
	}
	return stay, int(n) - len(queue)
}

// turnEdges visits the edges of the order in which the turns of each request were re-executed. An answer is given
// after all of them that had run.
func (c *checker) turnEdges(visit func(from, to int32)) {
	h := c.h
	for i := range h.Requests {
		r := &h.Requests[i]
		s := &h.Shapes[r.Shape]
		if !s.InOrder {
			continue
		}
		for a := int32(1); a < s.Len(); a++ {
			visit(r.First+a-1, r.First+a)
		}
	}
	for i, e := range h.Events {
		r := &h.Requests[e.Req]
		if s := &h.Shapes[r.Shape]; e.Answer && c.startOf[i] >= 0 && s.InOrder && s.Sent > s.Responds {
			visit(r.First+s.Sent, c.startOf[i])
		}
	}
}

// cycle returns a short cycle of G as a violation of R8, or one of G and the order of turns if G itself has none.
func (c *checker) cycle() *Violation {
	if _, left := build(c.nodes, c.fixedEdges, c.dataEdges, c.clockEdges, c.turnEdges).peel(); left == 0 {
		return nil
	}
	if path := c.shortCycle(build(c.nodes, c.fixedEdges, c.dataEdges)); path != nil {
		return &Violation{Rule: rule.R8, Cycle: c.explain(path), Log: -1}
	}
	if path := c.shortCycle(build(c.nodes, c.fixedEdges, c.dataEdges, c.clockEdges)); path != nil {
		return &Violation{Rule: rule.Clock, Cycle: c.explain(path), Log: -1}
	}
	path := c.shortCycle(build(c.nodes, c.fixedEdges, c.dataEdges, c.clockEdges, c.turnEdges))
	return &Violation{Rule: rule.Unsupported, Cycle: c.explain(path), Log: -1}
}

// shortCycle returns a short cycle of a graph, or nil.
func (c *checker) shortCycle(g *csr) []int32 {
	stay, left := g.peel()
	if left == 0 {
		return nil
	}
	return c.shorten(g, stay, g.someCycle(stay))
}

// someCycle finds a cycle among the nodes that stay: each of them has a predecessor that stays, so walking
// backwards must come round.
func (g *csr) someCycle(stay []bool) []int32 {
	n := int32(len(g.start)) - 1
	pred := make([]int32, n)
	for i := range pred {
		pred[i] = -1
	}
	for f := int32(0); f < n; f++ {
		if !stay[f] {
			continue
		}
		for _, t := range g.succ(f) {
			pred[t] = f
		}
	}
	at := int32(0)
	for !stay[at] {
		at++
	}
	seen := make([]bool, n)
	for ; !seen[at]; at = pred[at] {
		seen[at] = true
	}
	var cyc []int32
	for f := at; ; f = pred[f] {
		cyc = append(cyc, f)
		if pred[f] == at {
			break
		}
	}
	for i, j := 0, len(cyc)-1; i < j; i, j = i+1, j-1 {
		cyc[i], cyc[j] = cyc[j], cyc[i]
	}
	return cyc
}

// shorten looks for the shortest cycle through some of the activations of a known one. Steps between epochs cost
// nothing: a person reads them as one "was answered before … arrived".
func (c *checker) shorten(g *csr, stay []bool, known []int32) []int32 {
	best, bestLen := known, c.weigh(known)
	dist := make([]int32, c.nodes)
	from := make([]int32, c.nodes)
	budget := 20_000_000
	for tries, i := 0, 0; i < len(known) && tries < 64 && budget > 0; i++ {
		s := known[i]
		if s >= c.acts {
			continue
		}
		tries++
		for n := range dist {
			dist[n] = -1
		}
		budget -= len(dist)
		// Two queues by distance make a breadth-first search with edges of weight 0 and 1.
		now, later := []int32{s}, []int32(nil)
		dist[s] = 0
		found := false
		for d := int32(0); len(now) > 0 && !found && int(d) < bestLen; d++ {
			for k := 0; k < len(now) && !found; k++ {
				for _, t := range g.succ(now[k]) {
					budget--
					if t == s {
						path := []int32{}
						for n := now[k]; n != s; n = from[n] {
							path = append(path, n)
						}
						path = append(path, s)
						for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
							path[a], path[b] = path[b], path[a]
						}
						if l := c.weigh(path); l < bestLen {
							best, bestLen = path, l
						}
						found = true
						break
					}
					if !stay[t] || dist[t] >= 0 {
						continue
					}
					from[t] = now[k]
					if t >= c.acts {
						dist[t] = d
						now = append(now, t)
					} else {
						dist[t] = d + 1
						later = append(later, t)
					}
				}
			}
			now, later = later, nil
		}
	}
	return best
}

func (c *checker) weigh(path []int32) int {
	n := 0
	for _, p := range path {
		if p < c.acts {
			n++
		}
	}
	return n
}

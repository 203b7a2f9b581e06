package order

import (
	"cmp"
	"math"
	"slices"
)

// Keys that come and go need no number for the version in which they are absent: when they came and went is in the
// chain of their object's shape, which every write that makes or removes a key changes, too. So a server may forget the
// location of a key that was removed, and an operation may leave to the verifier which removal it met.
//
// What is found is then treated like a version that the advice names: a wrong one is on no chain, or in a cycle. So
// nothing here need be right for an accept to mean something, except that what stands for an absence is one: a write
// that removes the key, or the initial version of one that was not there, of which re-execution sees to the latter.

// Lacking is the version in which a key was absent when the operation that now makes it changed the shape.
const Lacking Source = math.MinInt32

// A removal is a write that leaves a key absent, where it is in the history of its object's shape.
type removal struct {
	loc   int32
	place place
	write int32
}

// A place in a shape's history: the number of the shape's version, and an operation of the turn that made it.
type place struct{ version, num int32 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.version, q.version), cmp.Compare(p.num, q.num))
}

// absences finds the versions that Lacking and the log's absences stand for.
func (c *checker) absences() {
	h := c.h
	s := &shapes{c: c, needed: make([]bool, h.Locs)}
	some := false
	for i := range h.Writes {
		if w := &h.Writes[i]; w.Prev == Lacking {
			s.needed[h.Shape[w.Loc]], some = true, true
		}
	}
	for i := range h.Logged {
		if l := &h.Logged[i]; l.Absent {
			s.needed[h.Logged[l.Shape].Loc], some = true, true
		}
	}
	if !some {
		return
	}
	s.follow()
	var removals []removal
	for i := range h.Writes {
		w := &h.Writes[i]
		if shape := c.shapeOf(w.Loc); w.Gone && shape >= 0 && s.needed[shape] {
			removals = append(removals, removal{w.Loc, s.place(shape, w), int32(i)})
		}
	}
	slices.SortFunc(removals, func(a, b removal) int {
		return cmp.Or(cmp.Compare(a.loc, b.loc), a.place.compare(b.place))
	})
	// before is the last removal of a key before a place, or -1.
	before := func(loc int32, p place) int32 {
		i, _ := slices.BinarySearchFunc(removals, p, func(r removal, p place) int {
			return cmp.Or(cmp.Compare(r.loc, loc), r.place.compare(p))
		})
		if i == 0 || removals[i-1].loc != loc {
			return -1
		}
		return removals[i-1].write
	}
	for i := range h.Logged {
		if l := &h.Logged[i]; l.Absent {
			c.byLog[i] = before(l.Loc, place{s.version[c.byLog[l.Shape]] + 1, 0})
		}
	}
	c.lacks = make(map[int32]int32)
	for i := range h.Writes {
		if w := &h.Writes[i]; w.Prev == Lacking {
			c.lacks[int32(i)] = before(w.Loc, s.place(h.Shape[w.Loc], w))
		}
	}
}

// shapeOf is the location of the shape of a location's object, or -1.
func (c *checker) shapeOf(loc int32) int32 {
	if int(loc) >= len(c.h.Shape) {
		return -1
	}
	return c.h.Shape[loc]
}

// shapes knows the histories of some shapes.
type shapes struct {
	c       *checker
	needed  []bool  // by location
	version []int32 // by write: the number of the version that it made
	turns   []turn  // the writes of shapes, by location, node and number
}

type turn struct{ loc, node, num, write int32 }

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.loc, u.loc), cmp.Compare(t.node, u.node), cmp.Compare(t.num, u.num))
}

// follow numbers the versions of the shapes that are needed.
func (s *shapes) follow() {
	h := s.c.h
	s.version = make([]int32, len(h.Writes))
	first := map[int32]int32{}
	next := map[int32]int32{}
	for i := range h.Writes {
		w := &h.Writes[i]
		if !s.needed[w.Loc] {
			continue
		}
		s.version[i] = math.MaxInt32 - 1 // until it is found: chains refuses what is on none
		s.turns = append(s.turns, turn{w.Loc, w.Node, w.Num, int32(i)})
		if p := s.c.resolve(w.Prev); p >= 0 {
			next[p] = int32(i)
		} else {
			first[w.Loc] = int32(i)
		}
	}
	slices.SortFunc(s.turns, turn.compare)
	for _, w := range first {
		for n := int32(1); s.version[w] == math.MaxInt32-1; n++ {
			s.version[w] = n
			following, ok := next[w]
			if !ok {
				break
			}
			w = following
		}
	}
}

// place is where a write of a key is in the history of its shape: in the version that its turn made then, or later, if
// what it wrote to the shape was written over in the same turn; or before, if what it wrote to the key was.
func (s *shapes) place(shape int32, w *Write) place {
	i, _ := slices.BinarySearchFunc(s.turns, turn{loc: shape, node: w.Node, num: w.Num}, turn.compare)
	of := func(i int) bool {
		return i >= 0 && i < len(s.turns) && s.turns[i].loc == shape && s.turns[i].node == w.Node
	}
	if !of(i) {
		i--
	}
	if !of(i) {
		return place{math.MaxInt32 - 1, w.Num}
	}
	return place{s.version[s.turns[i].write], w.Num}
}

// Package order decides whether everything that re-execution did can have happened in one order that the
// trace allows. It builds the audit's graph G and looks for a cycle.
//
// # What a node is
//
// A node of G is an activation: one run-to-completion turn of the event loop. The paper (figures 14 to 21)
// takes one node per operation and joins the operations of a handler by program-order edges. Turns do not
// interleave in JavaScript, so all operations of a turn have the same place in any real order; taking the
// turn as the node says so. This is coarser (a tenth of the nodes or less) and stronger: the paper's graph has
// an order of operations if it is acyclic, this one has an order of whole turns, and an honest server always
// ran in one. What is lost by contracting a turn is the order of two operations inside it; rules R5 and R6
// put that back with one integer comparison per operation.
//
// Responding inside a turn makes the whole turn precede whatever arrives after the response: the later request
// cannot have been looked at before the turn ended.
//
// # Rules
//
//	R1  A logged write that anything refers to was produced by re-execution: the same request, operation number
//	    and location. A logged write that nothing produced is refused even when nobody refers to it.
//	R2  The version that an operation reads or overwrites belongs to the operation's own location and life.
//	    What an operation met of a key that was absent may be left to be found: see absence.go.
//	R3  Every version has at most one overwriter, logged or not. The initial version counts as a version.
//	R4  The versions of a location form one chain from the initial version, and every write that re-execution
//	    made is on it.
//	R5  Inside one activation a write overwrites, and a read observes, only what was written before it.
//	R6  Inside one activation nothing written before a read is missed by it: the version it observes is not
//	    overwritten earlier in the same activation.
//	R7  A logged read or a logged predecessor never names a write of its own activation: the server logs only what
//	    crosses activations.
//	R8  G is acyclic. Its edges:
//	    a. an activation's parents precede it;
//	    b. the load phase of a life's init precedes every request of that life;
//	    c. every activation of a life precedes the init of the next life;
//	    d. the activation that answered a request precedes every request that arrived after the answer;
//	    e. a write precedes the reads of its version (WR);
//	    f. a write precedes the write that overwrites its version (WW);
//	    g. a read precedes the write that overwrites the version that it observed (RW);
//	    h. an activation that was told a time by a clock precedes those that were told a later one. (A cycle that
//	       needs this is of the rule of clocks.)
//
// An acyclic G is not enough yet. The turns of one request may share variables that nobody tracks, and what they find
// there is what re-execution found in its own order of them. So the order that G has must be one in which each request's
// turns run in the order of re-execution (InOrder). If there is none, though G itself has no cycle, nobody can tell
// whether the turns could have run in another one, and the history is neither accepted nor rejected (rule.Unsupported).
//
// Time precedence (d) costs one edge per request and one per response: a request that arrives after responses
// opens an epoch, those responses precede the epoch, and the epoch precedes the request and the next epoch.
//
// Everything is flat arrays of int32, so that 10^8 edges fit one machine, and every step is linear.
package order

import (
	"fmt"

	"karousosc/verifier/rule"
)

// A Source says which version an operation read or overwrote.
type Source int32

// Initial is the version that a location has before the first write to it.
const Initial Source = -1

// FromLog is the version made by a logged write, by its number in History.Logged.
func FromLog(logged int32) Source { return Source(logged) }

// FromOwn is the version made by a write of the same request that re-execution found by itself, by its index in
// History.Writes.
func FromOwn(write int32) Source { return Source(-2 - write) }

// A History is what the trace and re-execution say, and what the advice claims about writes.
type History struct {
	Requests []Request // the inits of the lives are requests too
	Shapes   []Shape
	Writes   []Write
	Reads    []Read
	Readings []Reading // one of each activation and clock
	Logged   []Logged  // what the advice claims; a Source from the log is an index in here
	Locs     int32     // locations are 0 .. Locs-1; a location belongs to one life
	Shape    []int32   // of a key's location that was found Lacking or Absent: its object's shape; of others, and beyond the end, -1
	Events   []Event   // requests' arrivals and answers as the collector saw them
	Lives    int32
}

// A Request owns the nodes First .. First+activations of its shape.
type Request struct {
	RID   uint64
	Life  int32
	Shape int32 // index in Shapes
	First int32 // node of its activation 0
	Init  bool  // this is the init of its life
}

// A Shape is the activations of a request. Requests that ran together share one.
type Shape struct {
	Start    []int32 // the parents of activation i are Parents[Start[i]:Start[i+1]]
	Parents  []int32
	Responds int32 // the activation that sent the response, or -1
	// InOrder: re-execution ran the activations in the order of their numbers, and sent the response after Sent (or
	// in it). What they share among themselves, in variables that nobody tracks, is known for this order only.
	InOrder bool
	Sent    int32
	// Loaded is meant for an init: its first Loaded activations ended before the first request was let in.
	Loaded int32
}

// Len returns the number of activations.
func (s *Shape) Len() int32 { return int32(len(s.Start)) - 1 }

// A Write is one write that re-execution made.
type Write struct {
	Node   int32
	Num    int32  // operation number inside the activation, counted from 1
	Loc    int32  //
	Prev   Source // what it overwrote
	Logged int32  // the log entry that it was checked against, or -1
	Gone   bool   // it left nothing there
}

// A Read is one read that re-execution made. Reads have no number of their own: Num is the number of the last
// write or registration before it, 0 if there was none.
type Read struct {
	Node int32
	Num  int32
	Loc  int32
	Src  Source
}

// Logged is what the advice says about one write; or, if it is Absent, about the version in which a key was absent as of
// what another entry (Shape) left of its object's shape.
type Logged struct {
	Req    int32 // index in History.Requests
	Num    int32
	Loc    int32
	Absent bool
	Shape  int32
}

// An Event is an arrival or an answer in the trace.
type Event struct {
	Req    int32 // index in History.Requests
	Answer bool
}

// A Rule is one of package rule's.
type Rule = string

// A Violation is the evidence for a reject.
type Violation struct {
	Rule  Rule
	Ops   []Op   // operations that the rule speaks of, in the order of its message
	Cycle []Step // for R8 and Unsupported: each step's To is the next one's From, and the last one's To is the first one's From
	// Log is the number of the log entry that the violation is about, or -1.
	Log int32
}

// An Op points at one read or one write.
type Op struct {
	Write bool
	Index int32 // in History.Writes or History.Reads
}

// None is an Op that points nowhere: the initial version's.
var None = Op{Index: -1}

// A checker holds what is derived from a history.
type checker struct {
	h *History

	nodeReq  []int32         // request of each activation
	byLog    []int32         // write that produced each log entry, or -1; of an absence: the removal, or -1 for the initial version
	lacks    map[int32]int32 // the removal that each Lacking write overwrote, or -1
	over     []int32         // the write that overwrote each write's version, or -1
	overInit []int32         // the write that overwrote each location's initial version, or -1
	acts     int32
	epochs   int32
	nodes    int32   // activations, then epochs, then two barriers per life, then gates of clocks
	told     []edge  // of R8h
	epochOf  []int32 // per request: node of the epoch that it arrived in, or -1
	startOf  []int32 // per event: for an answer the node of the epoch that it precedes, or -1
}

// Check returns nil if the history obeys every rule. It returns an error only if the history is not well formed,
// which is a mistake of the caller.
func Check(h *History) (*Violation, error) {
	c := &checker{h: h}
	if err := c.index(); err != nil {
		return nil, err
	}
	if v := c.versions(); v != nil {
		return v, nil
	}
	c.absences()
	if v := c.chains(); v != nil {
		return v, nil
	}
	if v := c.reads(); v != nil {
		return v, nil
	}
	c.epochsOfTrace()
	if v := c.clocks(); v != nil {
		return v, nil
	}
	return c.cycle(), nil
}

// index numbers the nodes and refuses histories that do not hang together.
func (c *checker) index() error {
	h := c.h
	for i := range h.Requests {
		r := &h.Requests[i]
		if r.Shape < 0 || int(r.Shape) >= len(h.Shapes) {
			return fmt.Errorf("order: request %d has no shape", i)
		}
		s := &h.Shapes[r.Shape]
		if s.Len() < 1 || s.Responds >= s.Len() || s.Sent >= s.Len() || s.Loaded > s.Len() {
			return fmt.Errorf("order: shape %d is not well formed", r.Shape)
		}
		if r.First != c.acts {
			return fmt.Errorf("order: request %d does not follow the one before it", i)
		}
		if r.Life < 0 || r.Life >= h.Lives {
			return fmt.Errorf("order: request %d is of life %d of %d", i, r.Life, h.Lives)
		}
		c.acts += s.Len()
	}
	for i := range h.Shapes {
		s := &h.Shapes[i]
		n := s.Len()
		for a := int32(0); a < n; a++ {
			ps := s.Parents[s.Start[a]:s.Start[a+1]]
			if (a == 0) != (len(ps) == 0) {
				return fmt.Errorf("order: activation %d of shape %d has %d parents", a, i, len(ps))
			}
			for _, p := range ps {
				if p < 0 || p >= n {
					return fmt.Errorf("order: shape %d has a parent out of range", i)
				}
			}
		}
	}
	c.nodeReq = make([]int32, c.acts)
	for i := range h.Requests {
		r := &h.Requests[i]
		for n, end := r.First, r.First+h.Shapes[r.Shape].Len(); n < end; n++ {
			c.nodeReq[n] = int32(i)
		}
	}
	for i := range h.Writes {
		w := &h.Writes[i]
		prev := w.Prev
		if prev == Lacking && c.shapeOf(w.Loc) >= 0 {
			prev = Initial
		}
		if !c.validOp(w.Node, w.Loc, prev) || int(w.Logged) >= len(h.Logged) {
			return fmt.Errorf("order: write %d is out of range", i)
		}
	}
	for i := range h.Reads {
		r := &h.Reads[i]
		if !c.validOp(r.Node, r.Loc, r.Src) {
			return fmt.Errorf("order: read %d is out of range", i)
		}
	}
	for i := range h.Readings {
		if r := &h.Readings[i]; r.Node < 0 || r.Node >= c.acts || r.First > r.Last {
			return fmt.Errorf("order: reading %d is out of range", i)
		}
	}
	for i := range h.Logged {
		l := &h.Logged[i]
		if l.Absent && (l.Shape < 0 || int(l.Shape) >= len(h.Logged) || h.Logged[l.Shape].Absent || c.shapeOf(l.Loc) != h.Logged[l.Shape].Loc) {
			return fmt.Errorf("order: absence %d is of no shape", i)
		}
	}
	for _, s := range h.Shape {
		if s >= h.Locs || s >= 0 && c.shapeOf(s) >= 0 {
			return fmt.Errorf("order: location %d is no shape", s)
		}
	}
	for i := range h.Events {
		if r := h.Events[i].Req; r < 0 || int(r) >= len(h.Requests) {
			return fmt.Errorf("order: event %d is of no request", i)
		}
	}
	return nil
}

func (c *checker) validOp(node, loc int32, src Source) bool {
	if node < 0 || node >= c.acts || loc < 0 || loc >= c.h.Locs {
		return false
	}
	if src >= 0 {
		return int(src) < len(c.h.Logged)
	}
	return int(-2-src) < len(c.h.Writes) // Initial is -1
}

// versions finds the re-executed write behind each log entry (R1).
func (c *checker) versions() *Violation {
	h := c.h
	c.byLog = make([]int32, len(h.Logged))
	for i := range c.byLog {
		c.byLog[i] = -1
	}
	for i := range h.Writes {
		w := &h.Writes[i]
		if w.Logged < 0 {
			continue
		}
		op := Op{true, int32(i)}
		l := &h.Logged[w.Logged]
		if l.Absent || l.Req != c.nodeReq[w.Node] || l.Num != w.Num || l.Loc != w.Loc {
			return &Violation{Rule: rule.R1, Ops: []Op{op}, Log: w.Logged}
		}
		if c.byLog[w.Logged] >= 0 {
			return &Violation{Rule: rule.R1, Ops: []Op{op, {true, c.byLog[w.Logged]}}, Log: w.Logged}
		}
		c.byLog[w.Logged] = int32(i)
	}
	for l, w := range c.byLog {
		if w < 0 && !h.Logged[l].Absent {
			return &Violation{Rule: rule.R1, Log: int32(l)}
		}
	}
	return nil
}

// made is the write that made the version that write i overwrote, -1 for the initial one.
func (c *checker) made(i int32) int32 {
	if p := c.h.Writes[i].Prev; p != Lacking {
		return c.resolve(p)
	}
	return c.lacks[i]
}

// elsewhere: a source from the log is an absence of another location.
func (c *checker) elsewhere(s Source, loc int32) bool {
	return s >= 0 && c.h.Logged[s].Absent && c.h.Logged[s].Loc != loc
}

// resolve turns a source into the write that made the version, -1 for the initial one.
func (c *checker) resolve(s Source) int32 {
	if s >= 0 {
		return c.byLog[s]
	}
	return int32(-2 - s) // of Initial, too
}

func (c *checker) life(node int32) int32 { return c.h.Requests[c.nodeReq[node]].Life }

// overwriter returns the write that overwrote a version, or -1.
func (c *checker) overwriter(version, loc int32) int32 {
	if version < 0 {
		return c.overInit[loc]
	}
	return c.over[version]
}

// chains checks that versions form one chain per location (R2 to R5 and R7 for writes).
func (c *checker) chains() *Violation {
	h := c.h
	c.over = make([]int32, len(h.Writes))
	for i := range c.over {
		c.over[i] = -1
	}
	c.overInit = make([]int32, h.Locs)
	for i := range c.overInit {
		c.overInit[i] = -1
	}
	for i := range h.Writes {
		w := &h.Writes[i]
		op := Op{true, int32(i)}
		prev := c.made(int32(i))
		if c.elsewhere(w.Prev, w.Loc) {
			return &Violation{Rule: rule.R2, Ops: []Op{op, None}, Log: int32(w.Prev)}
		}
		slot := &c.overInit[w.Loc]
		if prev >= 0 {
			p := &h.Writes[prev]
			src := Op{true, prev}
			if p.Loc != w.Loc || c.life(p.Node) != c.life(w.Node) {
				return &Violation{Rule: rule.R2, Ops: []Op{op, src}, Log: -1}
			}
			if p.Node == w.Node {
				if w.Prev >= 0 {
					return &Violation{Rule: rule.R7, Ops: []Op{op, src}, Log: int32(w.Prev)}
				}
				if p.Num >= w.Num {
					return &Violation{Rule: rule.R5, Ops: []Op{op, src}, Log: -1}
				}
			}
			slot = &c.over[prev]
		}
		if *slot >= 0 {
			src := None
			if prev >= 0 {
				src = Op{true, prev}
			}
			return &Violation{Rule: rule.R3, Ops: []Op{op, {true, *slot}, src}, Log: -1}
		}
		*slot = int32(i)
	}
	// Each version has one predecessor and at most one overwriter now, so what the chains do not reach runs in
	// circles.
	reached := make([]bool, len(h.Writes))
	n := 0
	for _, w := range c.overInit {
		for ; w >= 0; w = c.over[w] {
			reached[w] = true
			n++
		}
	}
	if n < len(h.Writes) {
		for i, ok := range reached {
			if !ok {
				return &Violation{Rule: rule.R4, Ops: []Op{{true, int32(i)}}, Log: -1}
			}
		}
	}
	return nil
}

// reads checks what can be said about reads without G (R2, R5, R6 and R7).
func (c *checker) reads() *Violation {
	h := c.h
	for i := range h.Reads {
		r := &h.Reads[i]
		op := Op{false, int32(i)}
		src := c.resolve(r.Src)
		if c.elsewhere(r.Src, r.Loc) {
			return &Violation{Rule: rule.R2, Ops: []Op{op, None}, Log: int32(r.Src)}
		}
		if src >= 0 {
			s := &h.Writes[src]
			sop := Op{true, src}
			if s.Loc != r.Loc || c.life(s.Node) != c.life(r.Node) {
				return &Violation{Rule: rule.R2, Ops: []Op{op, sop}, Log: -1}
			}
			if s.Node == r.Node {
				if r.Src >= 0 {
					return &Violation{Rule: rule.R7, Ops: []Op{op, sop}, Log: int32(r.Src)}
				}
				if s.Num > r.Num {
					return &Violation{Rule: rule.R5, Ops: []Op{op, sop}, Log: -1}
				}
			}
		}
		if o := c.overwriter(src, r.Loc); o >= 0 {
			if w := &h.Writes[o]; w.Node == r.Node && w.Num <= r.Num {
				return &Violation{Rule: rule.R6, Ops: []Op{op, {true, o}}, Log: -1}
			}
		}
	}
	return nil
}

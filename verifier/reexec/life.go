package reexec

import (
	"encoding/binary"
	"fmt"
	"slices"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/rule"
	"karousosc/verifier/trace"
)

// A life is the advice of one life with what the audit derives from it.
type life struct {
	*advice.Life
	number   int32
	exchange []int32 // per request: its exchange in the trace, -1 for init
	reads    byRequest
	writes   byRequest
	objects  byRequest
	results  byRequest
	turns    byRequest
	names    map[locName]int32 // the first location of each name
	idle     int32             // a location that nothing writes, or -1
	ordered  []bool            // per request: its turns are to run in the server's own order
}

// byRequest lists the entries of each request in their order: those of q are entry[start[q]:start[q+1]]. Those of none
// (absences) are in no list.
type byRequest struct{ start, entry []int32 }

func (b *byRequest) of(q int32) []int32 { return b.entry[b.start[q]:b.start[q+1]] }

func sortByRequest(requests, entries int, req func(i int) int32) byRequest {
	b := byRequest{start: make([]int32, requests+2)}
	n := 0
	for i := 0; i < entries; i++ {
		if q := req(i); q >= 0 {
			b.start[q+2]++
			n++
		}
	}
	b.entry = make([]int32, n)
	for q := 2; q < len(b.start); q++ {
		b.start[q] += b.start[q-1]
	}
	for i := 0; i < entries; i++ {
		q := req(i)
		if q < 0 {
			continue
		}
		at := &b.start[q+1]
		b.entry[*at] = int32(i)
		*at++
	}
	b.start = b.start[:requests+1]
	return b
}

func (l *life) readsOf(q lane) []int32   { return l.reads.of(q) }
func (l *life) writesOf(q lane) []int32  { return l.writes.of(q) }
func (l *life) objectsOf(q lane) []int32 { return l.objects.of(q) }
func (l *life) resultsOf(q lane) []int32 { return l.results.of(q) }

func newLife(a *advice.Life, number int32) *life {
	n := len(a.Requests)
	l := &life{
		Life: a, number: number,
		exchange: make([]int32, n),
		ordered:  make([]bool, n),
		reads:    sortByRequest(n, len(a.Reads), func(i int) int32 { return a.Reads[i].Req }),
		writes:   sortByRequest(n, len(a.Writes), func(i int) int32 { return a.Writes[i].Req }),
		objects:  sortByRequest(n, len(a.Objects), func(i int) int32 { return a.Objects[i].Req }),
		results:  sortByRequest(n, len(a.ND), func(i int) int32 { return a.ND[i].Req }),
		turns:    sortByRequest(n, len(a.Turns), func(i int) int32 { return a.Turns[i].Req }),
	}
	l.nameLocations()
	return l
}

// nameLocations makes one location of those of one name: the server forgets those of keys that are no longer there, and
// defines them again.
func (l *life) nameLocations() {
	l.names = make(map[locName]int32, len(l.Locations))
	first := make([]int32, len(l.Locations))
	for i := range l.Locations {
		name := locName{int32(l.Locations[i].Obj), canonicalKey(l.Locations[i].Key)}
		known, ok := l.names[name]
		if !ok {
			known = int32(i)
			l.names[name] = known
		}
		first[i] = known
	}
	written := make([]bool, len(l.Locations))
	for i := range l.Writes {
		w := &l.Writes[i]
		written[w.Loc] = true
		w.Loc = first[w.Loc]
	}
	l.idle = int32(slices.Index(written, false))
}

// join matches the lives' requests with the trace's (rules A1 and A2). answered is the life of each exchange, -1 where
// no life has it.
func join(t *trace.Trace, lives []*life) (answered []int32, p *Problem) {
	answered = make([]int32, len(t.Exchanges))
	for i := range answered {
		answered[i] = -1
	}
	for _, l := range lives {
		l.exchange[0] = -1
		for q := 1; q < len(l.Requests); q++ {
			rid := l.Requests[q].RID
			x := t.Find(rid)
			if x < 0 {
				return nil, &Problem{Rule: rule.A1, RID: rid, Message: fmt.Sprintf("the advice speaks of request %d, which the trace does not have", rid)}
			}
			if answered[x] >= 0 {
				return nil, &Problem{Rule: rule.A2, RID: rid, Message: fmt.Sprintf("the advice has request %d twice", rid)}
			}
			answered[x] = l.number
			l.exchange[q] = int32(x)
		}
	}
	return answered, nil
}

// unused finds an entry of the advice that no re-execution could ever consume, because nothing hangs at it (rules A3
// to A5). All other entries are offered to re-execution, which says what it leaves over.
func (l *life) unused(t *trace.Trace) *Problem {
	// An activation is recorded for the entries at it or at its descendants.
	var used []bool
	for q := range l.Requests {
		acts := l.acts(int32(q))
		if len(acts) == 1 {
			continue
		}
		used = append(used[:0], make([]bool, len(acts))...)
		for _, i := range l.reads.of(int32(q)) {
			used[l.Reads[i].Act] = true
		}
		for _, i := range l.writes.of(int32(q)) {
			used[l.Writes[i].Act] = true
		}
		for _, i := range l.objects.of(int32(q)) {
			used[l.Objects[i].Act] = true
		}
		for _, i := range l.results.of(int32(q)) {
			used[l.ND[i].Act] = true
		}
		for _, i := range l.turns.of(int32(q)) {
			used[l.Turns[i].Act] = true
		}
		for a := len(acts) - 1; a > 0; a-- {
			if !used[a] {
				return &Problem{Rule: rule.A3, RID: l.Requests[q].RID, Message: "the advice names an activation at which nothing happened that would need advice"}
			}
			used[acts[a].Parent] = true
		}
	}
	if l.idle >= 0 {
		return &Problem{Rule: rule.A4, Message: fmt.Sprintf("the advice defines a location (number %d) that nothing writes", l.idle)}
	}
	if p := l.absences(); p != nil {
		return p
	}
	for q := 1; q < len(l.Requests); q++ {
		x := &t.Exchanges[l.exchange[q]]
		if wrong := pieces(l.Requests[q].Chunks, len(x.Request.Body), x.Aborted); wrong != "" {
			return &Problem{Rule: rule.A5, RID: l.Requests[q].RID, Message: wrong}
		}
	}
	return nil
}

// absences finds a version in which a key is said to be absent that is none, or that nothing refers to (rule A6).
func (l *life) absences() *Problem {
	var used []bool
	for i := range l.Writes {
		w := &l.Writes[i]
		if !w.Absence {
			continue
		}
		key, shape := &l.Locations[w.Loc], &l.Writes[w.Shape]
		// What is absent as of another absence is refused with that one: of a shape there is none.
		if of := &l.Locations[shape.Loc]; of.Key.KeyKind != record.ShapeKey || of.Obj != key.Obj || key.Key.KeyKind == record.ShapeKey || key.Key.KeyKind == record.AllKey {
			return &Problem{Rule: rule.A6, Message: "the advice says that a key is absent as of something else than its object's shape"}
		}
		if used == nil {
			used = l.referred()
		}
		if !used[i] && l.Complete {
			return &Problem{Rule: rule.A6, Message: "the advice says of a key that nobody looked for that it is absent"}
		}
	}
	return nil
}

// referred tells which writes others overwrote or read.
func (l *life) referred() []bool {
	used := make([]bool, len(l.Writes))
	for i := range l.Writes {
		if p := l.Writes[i].Prev; p >= 0 {
			used[p] = true
		}
	}
	for i := range l.Reads {
		used[l.Reads[i].Write] = true
	}
	return used
}

// wholeBody is how long a body reaches the program in one piece, or as the first one of a longer body at least (see
// runtime/js/server/http.ts).
const wholeBody = 65536

// pieces says what is wrong with the lengths in which a body is said to have reached the program, "" if nothing is.
// Of an aborted request not all of it need have done so.
func pieces(lengths []int32, body int, aborted bool) string {
	if len(lengths) == 0 {
		return ""
	}
	sum := uint64(0)
	for _, n := range lengths {
		if n <= 0 {
			return "the advice says that a piece of the body arrived in which there was nothing"
		}
		sum += uint64(n)
	}
	switch {
	case sum > uint64(body) || sum < uint64(body) && !aborted:
		return fmt.Sprintf("the advice says that the body arrived in pieces of %d bytes together, but it has %d", sum, body)
	case lengths[0] <= wholeBody:
		return fmt.Sprintf("the advice says that the program got the first %d bytes of the body by themselves, but up to %d come in one piece", lengths[0], wholeBody)
	}
	return ""
}

// hasTurns tells whether the server's event loop came back to a request.
func (l *life) hasTurns(q lane) bool {
	return slices.ContainsFunc(l.turns.of(q), func(i int32) bool { return l.Turns[i].Kind != advice.Arrived })
}

// leaving is the registration, in a request's first activation, of that its client left before the answer was complete
// (see runtime/js/verifier/feed.ts).
const leaving = 0

// left tells whether the server says of a request that its client left, or that the rest of its body never came.
func (l *life) left(q lane) bool {
	return slices.ContainsFunc(l.acts(q)[1:], func(a advice.Act) bool { return a.Parent == 0 && a.Op == leaving })
}

// byCourse has the turns of requests run in the server's own order, and puts those together in which they do so alike.
// What becomes of a request whose client left is too much its own affair.
func (l *life) byCourse(lanes []lane) [][]lane {
	var parts [][]lane
	index := map[string]int{}
	var course []byte
	for _, q := range lanes {
		l.ordered[q] = true
		course = course[:0]
		if l.left(q) {
			course = binary.AppendVarint(course, int64(q))
		}
		for _, a := range l.acts(q)[1:] {
			course = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(course, int64(a.Parent)), int64(a.Op)), int64(a.Firing))
		}
		course = append(course, ';')
		for _, i := range l.turns.of(q) {
			course = binary.AppendVarint(append(course, byte(l.Turns[i].Kind)), int64(l.Turns[i].Act))
		}
		at, ok := index[string(course)]
		if !ok {
			at = len(parts)
			index[string(course)] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], q)
	}
	return parts
}

// acts returns the activations that the advice names, the request handler first. Each has its parent before it.
func (l *life) acts(q lane) []advice.Act { return l.Requests[q].Acts }

// missing says what is missing from an incomplete life.
func (l *life) missing() string {
	if l.MissingNote != "" {
		return l.MissingNote
	}
	return l.File + " ends early"
}

// appendEnv writes the environment that init saw.
func (l *life) appendEnv(b []byte) []byte {
	b = append(b, `,"env":{`...)
	for i := range l.Env {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, l.Env[i].Name), ':')
		if v := l.Env[i].Value; v.Kind == record.String {
			b = appendText(b, v.Str)
		} else {
			b = append(b, "null"...)
		}
	}
	return append(b, '}')
}

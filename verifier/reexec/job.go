package reexec

import (
	"bytes"
	"slices"

	"karousosc/verifier/advice"
	"karousosc/verifier/trace"
)

// A builder writes jobs of one life. Its tables say where an entry of the advice is in the job that is being written;
// they are as long as the advice and are cleaned entry by entry, so that a job costs what is in it. A builder belongs
// to one worker.
type builder struct {
	t        *trace.Trace
	l        *life
	explain  bool
	listable *lists

	// whole: jobs have all that their lanes could ask for. Otherwise they tell only the length of long lists, and nothing
	// of objects that lie behind many others; an engine that needs one of them says so.
	whole bool

	b []byte

	// What the job speaks of, in job numbering.
	writes []jobWrite
	locs   []int32
	objs   []int32

	// Per entry of the advice: its number in the job plus 1, or 0.
	writeIn, locIn, objIn []int32

	of     []*trace.Exchange // per lane
	todo   []int32           // writes of which more is needed than was looked at
	trie   []trieNode
	actOf  []int32 // per lane and activation of it: node of the trie
	actsAt []int32 // per lane: where its part of actOf begins
}

// A jobWrite is a write that the job names, and why. Depth is the length of the chain of deltas that needed it.
type jobWrite struct {
	w     int32
	need  need
	depth int32
}

type need uint8

const (
	needPresence need = 1 << iota // is anything there?
	needList                      // a list, told as a change to another one or in full
	needOwn                       // a lane of the job made it
	needValue                     // a lane of the job reads it
)

// maxDepth bounds chains of deltas in a job: following one is recursive.
const maxDepth = 1000

type trieNode struct{ parent, op, firing int32 }

func newBuilder(t *trace.Trace, l *life) *builder {
	return &builder{
		t: t, l: l,
		listable: newLists(l),
		writeIn:  make([]int32, len(l.Writes)),
		locIn:    make([]int32, len(l.Locations)),
		objIn:    make([]int32, len(l.Objects)),
	}
}

// tables say what a job's numbers stand for in the advice.
type tables struct {
	writes []jobWrite
	objs   []int32
}

// maxJob bounds every job: the engine takes no longer ones.
const maxJob = 256 << 20

// nearby is how many objects a job holds beyond those that its lanes' entries speak of, unless it is whole.
const nearby = 256

// build writes the job of some lanes. It is nil if it would be longer than limit (which one lane alone may pass), or
// than the engine takes.
func (j *builder) build(id int64, lanes []lane, init bool, limit int) []byte {
	j.clean()
	j.b = j.b[:0]
	j.writes, j.locs, j.objs, j.todo = j.writes[:0], j.locs[:0], j.objs[:0], j.todo[:0]
	b := append(j.b, `{"id":`...)
	b = appendInt(b, id)
	b = append(b, `,"n":`...)
	b = appendInt(b, len(lanes))
	if init {
		b = append(b, `,"init":true`...)
		b = j.l.appendEnv(b)
	} else {
		b = append(b, `,"init":false`...)
		j.of = j.of[:0]
		for _, q := range lanes {
			j.of = append(j.of, &j.t.Exchanges[j.l.exchange[q]])
		}
		b = j.request(b, lanes)
		b = j.expect(b, lanes)
	}
	if j.explain {
		b = append(b, `,"explain":true`...)
	}
	b = j.acts(b, lanes)
	b = j.entries(b, lanes)
	b, fits := j.named(b, limit, len(lanes) == 1)
	j.b = append(b, '}')
	if !fits {
		return nil
	}
	return j.b
}

// tables returns the numbering of the job built last. It is valid until the next one.
func (j *builder) tables() tables { return tables{j.writes, j.objs} }

func (j *builder) clean() {
	for _, w := range j.writes {
		j.writeIn[w.w] = 0
	}
	for _, l := range j.locs {
		j.locIn[l] = 0
	}
	for _, o := range j.objs {
		j.objIn[o] = 0
	}
}

func (j *builder) request(b []byte, lanes []lane) []byte {
	n := len(lanes)
	at := func(i int) *trace.Request { return &j.of[i].Request }
	first := at(0)
	b = append(b, `,"req":{"method":`...)
	b = appendLatin(b, first.Method)
	b = append(b, `,"url":`...)
	b = appendColumn(b, n, func(i int) bool { return at(i).Target == first.Target },
		func(b []byte, i int) []byte { return appendLatin(b, at(i).Target) })
	b = append(b, `,"headers":[`...)
	for h := range first.Headers {
		if h > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendLatin(b, first.Headers[h].Name)
		b = append(b, ',')
		b = appendColumn(b, n, func(i int) bool { return at(i).Headers[h].Value == first.Headers[h].Value },
			func(b []byte, i int) []byte { return appendLatin(b, at(i).Headers[h].Value) })
		b = append(b, ']')
	}
	b = append(b, `],"body":`...)
	if len(first.Body) == 0 {
		b = append(b, "null"...)
	} else {
		b = j.bodies(b, n, func(i int) []byte { return at(i).Body })
	}
	b = append(b, `,"b64":`...)
	b = appendBool(b, !validText(first.Body))
	if x := j.of[0]; x.PartlyAnswered() {
		b = appendInt(append(b, `,"partial":`...), int64(len(x.Response.Body)))
	}
	if cutShort(j.of[0]) {
		b = append(b, `,"short":true`...)
	}
	b = append(b, `,"chunks":`...)
	if c := j.l.Requests[lanes[0]].Chunks; len(c) == 0 {
		b = append(b, "null"...)
	} else {
		for i, n := range c {
			b = append(b, sep(i))
			b = appendInt(b, int64(n))
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func (j *builder) expect(b []byte, lanes []lane) []byte {
	n := len(lanes)
	at := func(i int) *trace.Response { return &j.of[i].Response }
	first := at(0)
	partial := j.of[0].PartlyAnswered()
	if !j.of[0].HasResponse && !partial {
		return append(b, `,"expect":null`...)
	}
	b = append(b, `,"expect":{"status":`...)
	b = appendColumn(b, n, func(i int) bool { return at(i).Status == first.Status },
		func(b []byte, i int) []byte { return appendInt(b, at(i).Status) })
	b = append(b, `,"reason":`...)
	b = appendColumn(b, n, func(i int) bool { return at(i).Phrase() == first.Phrase() },
		func(b []byte, i int) []byte { return appendLatin(b, at(i).Phrase()) })
	b = append(b, `,"headers":[`...)
	for k, h := range compared(first.Headers) {
		if k > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendLower(b, first.Headers[h].Name)
		b = append(b, ',')
		b = appendColumn(b, n, func(i int) bool { return at(i).Headers[h].Value == first.Headers[h].Value },
			func(b []byte, i int) []byte { return appendLatin(b, at(i).Headers[h].Value) })
		b = append(b, ']')
	}
	b = append(b, `],"body":`...)
	if partial {
		// It may end within a character.
		return append(appendBase64(b, first.Body), `,"b64":true}`...)
	}
	b = j.bodies(b, n, func(i int) []byte { return at(i).Body })
	b = append(b, `,"b64":`...)
	b = appendBool(b, !validText(first.Body))
	return append(b, '}')
}

func (j *builder) bodies(b []byte, n int, body func(i int) []byte) []byte {
	first := body(0)
	text := validText(first)
	return appendColumn(b, n, func(i int) bool { return bytes.Equal(first, body(i)) },
		func(b []byte, i int) []byte {
			if text {
				return appendText(b, body(i))
			}
			return appendBase64(b, body(i))
		})
}

// acts writes the trie of the lanes' logged activations. Lanes of a group mostly log the same ones in the same order,
// so that the place of the lane before is the first guess.
func (j *builder) acts(b []byte, lanes []lane) []byte {
	j.trie = append(j.trie[:0], trieNode{-1, 0, 0})
	j.actOf, j.actsAt = j.actOf[:0], j.actsAt[:0]
	var found map[trieNode]int32
	for _, q := range lanes {
		base := int32(len(j.actOf))
		j.actsAt = append(j.actsAt, base)
		j.actOf = append(j.actOf, 0)
		for i, a := range j.l.acts(q)[1:] {
			n := trieNode{j.actOf[base+a.Parent], a.Op, a.Firing}
			at := int32(i + 1)
			if int(at) >= len(j.trie) || j.trie[at] != n {
				if found == nil {
					found = map[trieNode]int32{}
					for k, t := range j.trie {
						found[t] = int32(k)
					}
				}
				known, ok := found[n]
				if !ok {
					known = int32(len(j.trie))
					j.trie = append(j.trie, n)
					found[n] = known
				}
				at = known
			}
			j.actOf = append(j.actOf, at)
		}
	}
	b = append(b, `,"acts":`...)
	for i, t := range j.trie {
		b = append(b, sep(i), '[')
		b = appendInt(b, t.parent)
		b = append(b, ',')
		b = appendInt(b, t.op)
		b = append(b, ',')
		b = appendInt(b, t.firing)
		b = append(b, ']')
	}
	return append(b, ']')
}

// entries writes the lanes' log entries.
func (j *builder) entries(b []byte, lanes []lane) []byte {
	l := j.l
	n := 0
	b = append(b, `,"r":`...)
	for i, q := range lanes {
		for _, r := range l.readsOf(q) {
			e := &l.Reads[r]
			b = append(b, sep(n))
			n++
			b = appendInt(b, j.actOf[j.actsAt[i]+e.Act])
			b = append(b, ',')
			b = appendInt(b, i)
			b = append(b, ',')
			b = appendInt(b, j.write(e.Write, needValue, 0))
		}
	}
	b = closed(b, n)
	n = 0
	b = append(b, `,"f":`...)
	for i, q := range lanes {
		for _, k := range l.turns.of(q) {
			if t := &l.Turns[k]; t.Kind == advice.Fired {
				b = append(b, sep(n))
				n++
				b = appendInt(b, j.actOf[j.actsAt[i]+t.Act])
				b = append(b, ',')
				b = appendInt(b, i)
			}
		}
	}
	b = closed(b, n)
	if l.ordered[lanes[0]] {
		b = j.course(b, lanes[0])
	}
	n = 0
	b = append(b, `,"w":`...)
	for i, q := range lanes {
		for _, w := range l.writesOf(q) {
			e := &l.Writes[w]
			b = append(b, sep(n))
			n++
			b = appendInt(b, j.actOf[j.actsAt[i]+e.Act])
			b = append(b, ',')
			b = appendInt(b, i)
			b = append(b, ',')
			b = appendInt(b, e.Op)
			b = append(b, ',')
			b = appendInt(b, j.write(w, needOwn, 0))
		}
	}
	b = closed(b, n)
	n = 0
	b = append(b, `,"o":`...)
	for i, q := range lanes {
		for _, o := range l.objectsOf(q) {
			e := &l.Objects[o]
			b = append(b, sep(n))
			n++
			b = appendInt(b, j.actOf[j.actsAt[i]+e.Act])
			b = append(b, ',')
			b = appendInt(b, i)
			b = append(b, ',')
			b = appendInt(b, e.Op)
			b = append(b, ',')
			b = appendInt(b, e.Index)
			b = append(b, ',')
			b = appendInt(b, j.object(o))
		}
	}
	return j.results(closed(b, n), lanes)
}

// aBody is what stands for the next piece of a request's body among its turns.
const aBody = -1

// course writes the order in which the event loop ran the turns of the job's lanes, of which q is the first.
func (j *builder) course(b []byte, q lane) []byte {
	n := 0
	b = append(b, `,"course":`...)
	for _, k := range j.l.turns.of(q) {
		t := &j.l.Turns[k]
		if t.Kind == advice.Arrived {
			continue
		}
		b = append(b, sep(n))
		n++
		if t.Kind == advice.Body {
			b = appendInt(b, aBody)
		} else {
			b = appendInt(b, j.actOf[t.Act])
		}
	}
	return closed(b, n)
}

// results writes what re-execution cannot compute.
func (j *builder) results(b []byte, lanes []lane) []byte {
	l := j.l
	n := 0
	b = append(b, `,"nd":`...)
	for i, q := range lanes {
		// Results come in program order per activation, activations in any order.
		nd := l.resultsOf(q)
		byAct := func(x, y int32) int { return int(l.ND[x].Act) - int(l.ND[y].Act) }
		if !slices.IsSortedFunc(nd, byAct) {
			nd = slices.Clone(nd)
			slices.SortStableFunc(nd, byAct)
		}
		for k := 0; k < len(nd); {
			act := l.ND[nd[k]].Act
			b = append(b, sep(n), '[')
			n++
			b = appendInt(b, j.actOf[j.actsAt[i]+act])
			b = append(b, ',')
			b = appendInt(b, i)
			b = append(b, ',')
			for m := 0; k < len(nd) && l.ND[nd[k]].Act == act; k, m = k+1, m+1 {
				e := &l.ND[nd[k]]
				b = append(b, sep(m), '[')
				b = appendText(b, e.Type)
				b = append(b, ',')
				b = j.value(b, e.Value)
				b = append(b, ']')
			}
			b = append(b, ']', ']')
		}
	}
	return closed(b, n)
}

// named writes the writes, objects and locations that the rest of the job refers to, and what those refer to.
func (j *builder) named(b []byte, limit int, whole bool) ([]byte, bool) {
	l := j.l
	j.follow()
	b = append(b, `,"writes":`...)
	for i := range j.writes {
		if len(b) > limit && !whole || len(b) > maxJob {
			return b, false
		}
		b = j.appendWrite(append(b, sep(i)), &j.writes[i])
	}
	b = closed(b, len(j.writes))
	b = append(b, `,"objs":`...)
	near := len(j.objs) + nearby
	for i := 0; i < len(j.objs); i++ {
		if len(b) > limit && !whole || len(b) > maxJob {
			return b, false
		}
		o := &l.Objects[j.objs[i]]
		if i >= near && !j.whole {
			b = append(b, sep(i))
			b = append(b, `[0,0,null]`...)
			continue
		}
		b = append(b, sep(i), '[')
		b = appendInt(b, int(o.Kind))
		b = append(b, ',')
		b = appendInt(b, int(o.Class))
		b = append(b, ',')
		for k := range o.Fields {
			b = append(b, sep(k), '[')
			b = j.key(b, o.Fields[k].Key)
			b = append(b, ',')
			b = j.value(b, o.Fields[k].Value)
			b = append(b, ']')
		}
		b = append(closed(b, len(o.Fields)), ']')
	}
	b = closed(b, len(j.objs))
	b = append(b, `,"locs":`...)
	for i := 0; i < len(j.locs); i++ {
		loc := &l.Locations[j.locs[i]]
		b = append(b, sep(i), '[')
		b = j.ref(b, loc.Obj)
		b = append(b, ',')
		b = j.key(b, loc.Key)
		b = append(b, ']')
	}
	return closed(b, len(j.locs)), true
}

// write returns the number of a write in the job, and notes why it is named.
func (j *builder) write(w int32, why need, depth int32) int32 {
	at := j.writeIn[w] - 1
	if at < 0 {
		at = int32(len(j.writes))
		j.writes = append(j.writes, jobWrite{w: w})
		j.writeIn[w] = at + 1
	}
	e := &j.writes[at]
	if depth > e.depth {
		e.depth = depth
	}
	if why&needList != 0 && e.depth >= maxDepth {
		why |= needValue
	}
	if e.need|why != e.need {
		e.need |= why
		j.todo = append(j.todo, at)
	}
	return at
}

// follow names the writes that the named ones are told by.
func (j *builder) follow() {
	for len(j.todo) > 0 {
		at := j.todo[len(j.todo)-1]
		j.todo = j.todo[:len(j.todo)-1]
		e := j.writes[at]
		w := &j.l.Writes[e.w]
		base, delta := j.l.delta(w)
		if e.need&needOwn != 0 && w.Prev >= 0 {
			if j.whole && (delta || j.l.isList(w)) {
				j.write(w.Prev, needList, 0)
			} else {
				j.write(w.Prev, needPresence, 0)
			}
		}
		switch {
		case !delta || !j.asDelta(e.need, w):
		case j.whole:
			j.write(base, needList, e.depth+1)
		default:
			j.write(base, needPresence, 0)
		}
	}
}

// asDelta: a delta stays one if nobody reads it whole. A lane that made it as the very same change needs no list to
// see that it is right; otherwise two lists have to be compared.
func (j *builder) asDelta(n need, w *advice.Write) bool {
	if n&needOwn != 0 && !j.whole {
		return true
	}
	if n&needValue != 0 {
		return false
	}
	if n&needOwn != 0 {
		base, _ := j.l.delta(w)
		return base == w.Prev && j.l.deltaLen(w) == 1
	}
	return n&needList != 0
}

// appendWrite writes [location, predecessor, value], and of an absence a 1.
func (j *builder) appendWrite(b []byte, e *jobWrite) []byte {
	w := &j.l.Writes[e.w]
	b = append(b, '[')
	b = appendInt(b, j.loc(w.Loc))
	b = append(b, ',')
	if e.need&needOwn != 0 && w.Prev >= 0 {
		b = appendInt(b, j.writeIn[w.Prev]-1)
	} else {
		b = append(b, "-1"...)
	}
	b = append(b, ',')
	_, delta := j.l.delta(w)
	switch {
	case w.Absence:
		b = append(b, `["z"],1`...)
	case e.need == needPresence:
		switch {
		case j.l.isAbsent(w):
			b = append(b, `["z"]`...)
		case delta || j.l.isList(w):
			b = j.wholeList(b, e.w)
		default:
			b = append(b, "null"...)
		}
	case delta && j.asDelta(e.need, w):
		b = j.deltaValue(b, w, e)
	case delta || j.l.isList(w) && e.need&needOwn == 0:
		b = j.wholeList(b, e.w)
	default:
		b = j.value(b, w.Value)
	}
	return append(b, ']')
}

// shortList is how long a list is told that perhaps nobody needs.
const shortList = 32

// wholeList writes the list that write w left; or, unless the job is whole, only how long it is, if it is long.
func (j *builder) wholeList(b []byte, w int32) []byte {
	list := j.listable.at(w)
	if j.whole || len(list) <= shortList {
		return j.listValue(b, list)
	}
	b = append(b, `["N",`...)
	b = appendInt(b, len(list))
	return append(b, ']')
}

func (j *builder) object(o int32) int32 {
	if at := j.objIn[o]; at > 0 {
		return at - 1
	}
	j.objs = append(j.objs, o)
	j.objIn[o] = int32(len(j.objs))
	return int32(len(j.objs)) - 1
}

// loc returns the number of a location in the job. Locations are written last, so the object that one belongs to is
// named at once.
func (j *builder) loc(l int32) int32 {
	if at := j.locIn[l]; at > 0 {
		return at - 1
	}
	j.locs = append(j.locs, l)
	j.locIn[l] = int32(len(j.locs))
	loc := &j.l.Locations[l]
	if loc.Obj >= 0 {
		j.object(int32(loc.Obj))
	}
	if o, ok := keyObject(loc.Key); ok && o >= 0 {
		j.object(int32(o))
	}
	return int32(len(j.locs)) - 1
}

// sep begins an array or goes on with it.
func sep(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

// closed ends an array of n elements that sep began.
func closed(b []byte, n int) []byte {
	if n == 0 {
		b = append(b, '[')
	}
	return append(b, ']')
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

func appendLower(b []byte, s string) []byte {
	from := len(b)
	b = appendLatin(b, s)
	for i := from; i < len(b); i++ {
		if c := b[i]; c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

package reexec

import (
	"sort"
	"strings"
	"unicode/utf8"

	"karousosc/verifier/advice"
	"karousosc/verifier/trace"
)

// A lane is one request of a group, by its number in the life's advice.
type lane = int32

// A group is re-executed together. Its lanes agree on everything that a job says only once: method, names of headers,
// whether bodies are text.
type group struct {
	life  int32
	lanes []lane
}

// shape is what all lanes of a group have in common.
type shape struct {
	tag             uint32
	method          int32
	reqNames        int32
	respNames       int32
	chunks          int32
	reqB64, respB64 bool
	alone           int32 // the request's own number if it must run alone, else 0
	noBody          bool
	unanswered      bool
}

// names numbers lists of strings.
type names struct {
	byText map[string]int32
	buf    []byte
}

func (n *names) end() int32 {
	if i, ok := n.byText[string(n.buf)]; ok {
		return i
	}
	if n.byText == nil {
		n.byText = map[string]int32{}
	}
	i := int32(len(n.byText))
	n.byText[string(n.buf)] = i
	return i
}

func (n *names) add(s string) {
	n.buf = append(append(n.buf, s...), 0)
}

// makeGroups puts requests with equal tags and equal shapes together, in the order of their first members, and cuts
// what is wider than max, or wider than it takes to keep all workers busy. Tags are hints from the server: whatever
// they are, the verdict is the same.
func makeGroups(t *trace.Trace, l *advice.Life, life int32, exchange []int32, max, workers int) []group {
	var lists names
	index := map[shape]int32{}
	var groups []group
	for q := 1; q < len(l.Requests); q++ {
		r := &l.Requests[q]
		x := &t.Exchanges[exchange[q]]
		s := shape{tag: r.Tag}
		if !r.HasTag {
			s.alone = int32(q)
		}
		lists.buf = lists.buf[:0]
		lists.add(x.Request.Method)
		s.method = lists.end()
		lists.buf = lists.buf[:0]
		for i := range x.Request.Headers {
			lists.add(x.Request.Headers[i].Name)
		}
		s.reqNames = lists.end()
		lists.buf = lists.buf[:0]
		for i := range x.Response.Headers {
			lists.add(x.Response.Headers[i].Name)
		}
		s.respNames = lists.end()
		lists.buf = lists.buf[:0]
		for _, n := range r.Chunks {
			lists.buf = append(lists.buf, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
		s.chunks = lists.end()
		s.reqB64 = !utf8.Valid(x.Request.Body)
		s.respB64 = !utf8.Valid(x.Response.Body)
		s.noBody = len(x.Request.Body) == 0
		s.unanswered = !x.HasResponse
		g, ok := index[s]
		if !ok {
			g = int32(len(groups))
			index[s] = g
			groups = append(groups, group{life: life})
		}
		groups[g].lanes = append(groups[g].lanes, int32(q))
	}
	var cut []group
	for _, g := range groups {
		n := len(g.lanes)
		width := max
		if share := (n + workers - 1) / workers; share < width {
			width = share
			if width < fewLanes {
				width = fewLanes
			}
		}
		parts := (n + width - 1) / width
		for i := 0; i < parts; i++ {
			cut = append(cut, group{life, g.lanes[i*n/parts : (i+1)*n/parts]})
		}
	}
	// The widest first, so that workers end at about the same time.
	sort.SliceStable(cut, func(i, j int) bool { return len(cut[i].lanes) > len(cut[j].lanes) })
	return cut
}

// fewLanes: splitting a group of this many requests between workers gains nothing, because what is computed once per
// group is then computed twice.
const fewLanes = 64

// hop names the headers that the platform adds as it likes; they are not compared.
func hop(name string) bool {
	switch len(name) {
	case 4:
		return strings.EqualFold(name, "date")
	case 10:
		return strings.EqualFold(name, "connection") || strings.EqualFold(name, "keep-alive")
	case 17:
		return strings.EqualFold(name, "transfer-encoding")
	}
	return false
}

// compared returns which of the headers are compared, in the order of their lower-case names.
func compared(hs []trace.Header) []int {
	var idx []int
	for i := range hs {
		if !hop(hs[i].Name) {
			idx = append(idx, i)
		}
	}
	sort.SliceStable(idx, func(a, b int) bool {
		return strings.ToLower(hs[idx[a]].Name) < strings.ToLower(hs[idx[b]].Name)
	})
	return idx
}

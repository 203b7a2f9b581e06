package reexec

import (
	"fmt"
	"sort"
	"strconv"
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
	method          string
	reqNames        int32
	respNames       int32
	chunks          string
	reqB64, respB64 bool
	alone           int32 // the request's own number if it must run alone, else 0
	noBody          bool
	unanswered      bool
}

// headerLists numbers lists of header names. Most requests have the list of one seen lately, and comparing names that
// share memory costs next to nothing.
type headerLists struct {
	byText map[string]int32
	recent [8][]trace.Header
	number [8]int32
	next   int
	buf    []byte
}

func (h *headerLists) of(hs []trace.Header) int32 {
	for i := range h.recent {
		if h.recent[i] != nil && sameNames(h.recent[i], hs) {
			return h.number[i]
		}
	}
	h.buf = h.buf[:0]
	for i := range hs {
		h.buf = append(append(h.buf, hs[i].Name...), 0)
	}
	n, ok := h.byText[string(h.buf)]
	if !ok {
		if h.byText == nil {
			h.byText = map[string]int32{}
		}
		n = int32(len(h.byText))
		h.byText[string(h.buf)] = n
	}
	if hs != nil {
		h.recent[h.next], h.number[h.next] = hs, n
		h.next = (h.next + 1) % len(h.recent)
	}
	return n
}

func sameNames(a, b []trace.Header) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			return false
		}
	}
	return true
}

// makeGroups puts requests with equal tags and equal shapes together, in the order of their first members, and cuts
// what is wider than max, or wider than it takes to keep all workers busy. Tags are hints from the server: whatever
// they are, the verdict is the same.
func makeGroups(t *trace.Trace, l *advice.Life, life int32, exchange []int32, max, workers int) []group {
	var requests, responses headerLists
	index := map[shape]int32{}
	var groups []group
	for q := 1; q < len(l.Requests); q++ {
		r := &l.Requests[q]
		x := &t.Exchanges[exchange[q]]
		s := shape{tag: r.Tag}
		if !r.HasTag || x.PartlyAnswered() || cutShort(x) {
			s.alone = int32(q)
		}
		s.method = x.Request.Method
		s.reqNames = requests.of(x.Request.Headers)
		s.respNames = responses.of(x.Response.Headers)
		if len(r.Chunks) > 0 {
			s.chunks = fmt.Sprint(r.Chunks)
		}
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

// cutShort tells whether a client said how long its body is, and left before it had sent that much.
func cutShort(x *trace.Exchange) bool {
	if !x.Aborted {
		return false
	}
	for _, h := range x.Request.Headers {
		if strings.EqualFold(h.Name, "Content-Length") {
			n, err := strconv.ParseUint(h.Value, 10, 63)
			return err == nil && n > uint64(len(x.Request.Body))
		}
	}
	return false
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

package order

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// parse reads a history in one line. Tokens, in the order of the trace where that matters:
//
//	(1          request 1 arrives
//	)1  )1b     request 1 is answered, by its activation a or by b
//	1b  1c<a,b  request 1 has activation b, whose parent is the one before it, or those named
//	1.x1        activation a of request 1 reads version 1 of x; 1b.x1 is the same in b. Version 0 is the initial one
//	1.x1=2      … overwrites version 1 of x by version 2. A name such as 1.x1=2! is a write that the log holds
//	1.x1!       … reads as the log says
//	1.@         a registration: takes an operation number and nothing else
//	1b@5  1b@57 activation b of request 1 is told 5 by the life's clock; or 5 first, and 7 last
//	#           the turns of each request ran in the order of their letters; )1b+ is an answer that left after all of them
//	|           the server is started again
//	0.x0=1      request 0 is the init of the current life
//	-3x2        the log claims that request 3 wrote version 2 of x, though nothing does
//
// Versions are named by one digit, locations and activations by one letter.
func parse(s string) *History {
	h := &History{Lives: 1}
	type act struct{ parents []int32 }
	type req struct {
		rid      uint64
		life     int32
		acts     []act
		nums     []int32
		responds int32
		sent     int32
	}
	var reqs []*req
	life := int32(0)
	get := func(rid uint64) int32 {
		for i, r := range reqs {
			if r.rid == rid && (rid != 0 || r.life == life) {
				return int32(i)
			}
		}
		reqs = append(reqs, &req{rid: rid, life: life, acts: make([]act, 1), nums: make([]int32, 1), responds: -1})
		return int32(len(reqs) - 1)
	}
	get(0)
	locs := map[string]int32{}
	loc := func(name byte) int32 {
		k := fmt.Sprint(life, string(name))
		if _, ok := locs[k]; !ok {
			locs[k] = int32(len(locs))
		}
		return locs[k]
	}
	type op struct {
		write, logged  bool
		req, act       int32
		num, loc       int32
		src, makes     int
		index, logSlot int32
	}
	var ops []*op
	type told struct {
		req, act    int32
		first, last byte
	}
	var clock []told
	inOrder := false
	for _, t := range strings.Fields(s) {
		switch {
		case t == "#":
			inOrder = true
			continue
		case t == "|":
			life++
			h.Lives++
			get(0)
			continue
		case t[0] == '(':
			rid, _ := strconv.ParseUint(t[1:], 10, 64)
			h.Events = append(h.Events, Event{get(rid), false})
			continue
		case t[0] == ')':
			a := int32(0)
			n := strings.TrimSuffix(t[1:], "+")
			if l := n[len(n)-1]; l >= 'a' {
				a, n = int32(l-'a'), n[:len(n)-1]
			}
			rid, _ := strconv.ParseUint(n, 10, 64)
			r := get(rid)
			reqs[r].responds, reqs[r].sent = a, a
			if strings.HasSuffix(t, "+") {
				reqs[r].sent = int32(len(reqs[r].acts)) - 1
			}
			h.Events = append(h.Events, Event{r, true})
			continue
		case t[0] == '-':
			rid, _ := strconv.ParseUint(t[1:2], 10, 64)
			h.Logged = append(h.Logged, Logged{Req: get(rid), Num: 99, Loc: loc(t[2])})
			continue
		}
		i := 0
		for i < len(t) && t[i] >= '0' && t[i] <= '9' {
			i++
		}
		rid, _ := strconv.ParseUint(t[:i], 10, 64)
		ri := get(rid)
		r := reqs[ri]
		a := int32(0)
		if i < len(t) && t[i] >= 'a' && t[i] <= 'z' {
			a = int32(t[i] - 'a')
			i++
		}
		for int32(len(r.acts)) <= a {
			r.acts = append(r.acts, act{[]int32{int32(len(r.acts)) - 1}})
			r.nums = append(r.nums, 0)
		}
		if i == len(t) {
			continue
		}
		if t[i] == '<' {
			r.acts[a].parents = nil
			for _, p := range strings.Split(t[i+1:], ",") {
				r.acts[a].parents = append(r.acts[a].parents, int32(p[0]-'a'))
			}
			continue
		}
		if t[i] == '@' {
			clock = append(clock, told{ri, a, t[i+1], t[len(t)-1]})
			continue
		}
		if t[i+1] == '@' {
			r.nums[a]++
			continue
		}
		o := &op{req: ri, act: a, loc: loc(t[i+1]), src: int(t[i+2] - '0'), logSlot: -1}
		rest := t[i+3:]
		if strings.HasPrefix(rest, "=") {
			o.write, o.makes = true, int(rest[1]-'0')
			rest = rest[2:]
			r.nums[a]++
		}
		o.num = r.nums[a]
		o.logged = rest == "!"
		ops = append(ops, o)
	}
	var first []int32
	for _, r := range reqs {
		sh := Shape{Responds: r.responds, Start: []int32{0}, InOrder: inOrder, Sent: r.sent}
		for _, a := range r.acts {
			sh.Parents = append(sh.Parents, a.parents...)
			sh.Start = append(sh.Start, int32(len(sh.Parents)))
		}
		if r.rid == 0 {
			sh.Loaded = 1
		}
		n := int32(0)
		if k := len(h.Requests); k > 0 {
			n = h.Requests[k-1].First + h.Shapes[k-1].Len()
		}
		h.Shapes = append(h.Shapes, sh)
		h.Requests = append(h.Requests, Request{RID: r.rid, Life: r.life, Shape: int32(len(h.Shapes) - 1), First: n, Init: r.rid == 0})
		first = append(first, n)
	}
	for _, k := range clock {
		h.Readings = append(h.Readings, Reading{Node: first[k.req] + k.act, Clock: reqs[k.req].life, First: int64(k.first), Last: int64(k.last)})
	}
	for _, o := range ops {
		if o.write {
			if o.logged {
				o.logSlot = int32(len(h.Logged))
				h.Logged = append(h.Logged, Logged{Req: o.req, Num: o.num, Loc: o.loc})
			}
			o.index = int32(len(h.Writes))
			h.Writes = append(h.Writes, Write{Node: first[o.req] + o.act, Num: o.num, Loc: o.loc, Logged: o.logSlot})
		}
	}
	h.Locs = int32(len(locs))
	for _, o := range ops {
		src := Initial
		if o.src != 0 {
			src = -99
			for _, w := range ops {
				if w.write && w.loc == o.loc && w.makes == o.src {
					if src = FromOwn(w.index); w.logSlot >= 0 && (o.logged || w.req != o.req) {
						src = FromLog(w.logSlot)
					}
				}
			}
			if src == -99 {
				panic("no write makes the version of " + s)
			}
		}
		if o.write {
			h.Writes[o.index].Prev = src
		} else {
			h.Reads = append(h.Reads, Read{Node: first[o.req] + o.act, Num: o.num, Loc: o.loc, Src: src})
		}
	}
	return h
}

func TestHistories(t *testing.T) {
	for _, c := range []struct {
		name, history string
		rule          Rule // empty: accept
		says          string
	}{
		{"nothing", "", "", ""},
		{"one write", "(1 1.x0=1 )1", "", ""},
		{"read after an acknowledged write", "(1 1.x0=1! )1 (2 2.x1! )2", "", ""},
		{"stale read long after an acknowledged write", "(1 1.x0=1 )1 (2 2.x0 )2", "R8",
			"request 2 read location 0 in its initial version, which request 1 then overwrote"},
		{"concurrent requests may read either version", "(1 (2 1.x0=1! 2.x0 )2 )1", "", ""},
		{"a read from the future", "(1 1.x1! )1 (2 2.x0=1! )2", "R8", "request 1 had been answered before request 2 arrived"},
		{"two overwriters of the initial version", "(1 (2 1.x0=1 2.x0=2 )1 )2", "R3", "both overwrote the initial version"},
		{"two unlogged writes hide one another from a stale reader", "(1 1.x0=1 )1 (2 2.x0=2 )2 (3 3.x0 )3", "R3", ""},
		{"two overwriters of a written version", "(1 (2 (3 1.x0=1! 2.x1=2 3.x1=3 )1 )2 )3", "R3", "written by request 1"},
		{"a chain", "(1 (2 (3 1.x0=1! 2.x1=2! 3.x2=3 )1 )2 )3", "", ""},
		{"a circle of writes", "(1 (2 1.x2=1! 2.x1=2! )1 )2", "R4", ""},
		{"a log entry that nothing produced", "(1 -1x2 )1", "R1", "re-execution never made"},
		{"figure 5: y - z made positive", "(1 (2 1.x0=1! 1b.x2! 1c.x1! 2.x1=2! )1 )2", "R8", ""},
		{"a cycle through two variables", "(1 (2 1.x0=1! 1.y0 2.y0=1! 2.x0 )1 )2", "R8", ""},
		{"write skew in one turn each is impossible", "(1 (2 1.x0 1.y0=1 2.y0 2.x0=1 )1 )2", "R8", ""},
		{"a clock that goes on while requests overlap", "(1 (2 1.x0=1! 1@23 2.x1! 2@35 )1 )2", "", ""},
		{"a clock that stands still", "(1 (2 1.x0=1! 1@3 2.x1! 2@3 )1 )2", "", ""},
		{"a reader that is told an earlier time than the writer", "(1 (2 1.x0=1! 1@5 2.x1! 2@4 )1 )2", "R-clock", "request 2 was told an earlier time than request 1"},
		{"an earlier time after an answer", "(1 1@5 )1 (2 2@4 )2", "R-clock", "request 2 was told an earlier time than request 1"},
		{"two turns that each began before the other ended", "(1 (2 1@47 2@69 )1 )2", "R-clock", ""},
		{"three turns, of which one took long", "(1 (2 (3 1@4 2@47 3@7 3.x0=1! 1.x1! )1 )2 )3", "R-clock", "request 1 was told an earlier time than request 2"},
		{"another life has another clock", "(1 1@5 )1 | (2 2@4 )2", "", ""},
		{"reads what it writes later", "(1 1.x1 1.x0=1 )1", "R5", ""},
		{"misses its own write", "(1 1.x0=1 1.x0 )1", "R6", "overwritten before"},
		{"overwrites what it writes later", "(1 1.x2=1 1.x0=2 )1", "R5", ""},
		{"own versions in order", "(1 1.x0 1.x0=1 1.x1 1.@ 1.x1=2 1.x2 )1", "", ""},
		{"an older own version", "(1 1.x0=1 1.x1=2 1.x1 )1", "R6", ""},
		{"logged read of its own turn", "(1 1.x0=1! 1.x1! )1", "R7", ""},
		{"logged predecessor of its own turn", "(1 1.x0=1! 1.x1=2! )1", "R7", ""},
		{"siblings in any order", "(1 1b<a 1c<a 1c.x0=1! 1b.x1! )1b", "", ""},
		{"siblings that join", "(1 1b<a 1c<a 1d<b,c 1b.x0=1 1d.x1 )1d", "", ""},
		{"an activation before its parent", "(1 1b.x0=1! 1.x1! )1b", "R8", "came before its turn"},
		{"siblings in the order of re-execution", "# (1 1b<a 1c<a 1b.x0=1! 1c.x1! )1b", "", ""},
		{"siblings in another order", "# (1 1b<a 1c<a 1c.x0=1! 1b.x1! )1b", "R-unsupported", "re-executed before"},
		{"a sibling of the turn that answers", "# (1 1b<a 1c<a 1b.x0=1! )1c (2 2.x0 )2", "R-unsupported", "variables that nobody tracks"},
		{"a turn before an answer of the platform's", "# (1 1b<a 1b.x0=1! )1+ (2 2.x0 )2", "R-unsupported", ""},
		{"siblings against their order, and the trace", "# (1 1b<a 1c<a 1b.x0=1! )1b (2 2.x0 )2", "R8", ""},
		{"work after the response", "(1 1b.x0=1! )1a (2 2.x0 )2", "", ""},
		{"response by a later turn", "(1 1b.x0=1! )1b (2 2.x0 )2", "R8", ""},
		{"another turn between", "(1 (2 1.x0=1! 2.x1=2! 1.x2=3! )1 )2", "R8", ""},
		{"init first", "0.x0=1 (1 1.x1 )1", "", ""},
		{"init sees no request", "0.x1! (1 1.x0=1! )1", "R8", "finished loading"},
		{"init's timers are concurrent", "0b.x1! (1 1.x0=1! )1", "", ""},
		{"lives follow one another", "(1 1.x0=1 )1 | (2 2.x0 )2", "", ""},
		{"a request of an earlier life after one of a later life", "(1 1.x0=1 | (2 2.x0 )2 )1", "", ""},
		{"lives against the trace", "1.x0 | (2 2.x0 )2 (1 )1", "R8", "started again"},
		{"a life without requests separates its neighbours", "1.x0 | | (2 2.x0 )2 (1 )1", "R8", "started again"},
		{"epochs are transitive", "(1 1.x0=1! )1 (2 )2 (3 )3 (4 4.x0 )4", "R8", ""},
		{"an answer after an arrival says nothing", "(1 1.x0=1 (2 )1 2.x0 )2", "", ""},
	} {
		h := parse(c.history)
		v, err := Check(h)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if v == nil {
			if c.rule != "" {
				t.Errorf("%s: accepted, want %s", c.name, c.rule)
			}
			continue
		}
		text := v.Explain(h, Names{})
		if v.Rule != c.rule || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s, want %s %q:\n%s", c.name, v.Rule, c.rule, c.says, text)
		}
		for _, s := range v.Cycle {
			if s.Why == unknown {
				t.Errorf("%s: a step without a reason: %s", c.name, text)
			}
		}
	}
}

func TestExplanationReadsWell(t *testing.T) {
	h := parse("(3 3.x0=1! )3 (7 7.x1=2! )7 (9 )9 (5 5.x1! )5")
	v, _ := Check(h)
	got := v.Explain(h, Names{Loc: func(int32) string { return `messages["today"]` }})
	want := `no order of the turns agrees with the trace:
  1. request 5 read messages["today"] in the version written by request 3, which request 7 then overwrote;
  2. request 7 had been answered before request 5 arrived;
  so request 5 would have to come before itself`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What was in memory is lost when the server is started again.
func TestVersionsOfAnotherLife(t *testing.T) {
	for what, text := range map[string]string{"a read": "(1 1.x0=1! )1 | (2 2.x0 )2", "a write": "(1 1.x0=1! )1 | (2 2.x0=2 )2"} {
		h := parse(text)
		// As if the location were the same in both.
		if len(h.Reads) > 0 {
			h.Reads[0].Loc, h.Reads[0].Src = 0, FromLog(0)
		} else {
			h.Writes[1].Loc, h.Writes[1].Prev = 0, FromLog(0)
		}
		if v, err := Check(h); err != nil || v == nil || v.Rule != "R2" {
			t.Errorf("%s of what the life before left: %+v %v", what, v, err)
		}
	}
}

// Locations and log entries cannot be exchanged, however the history came about.
func TestVersionsThatDoNotBelong(t *testing.T) {
	h := parse("(1 1.x0=1 1.y0=2 )1")
	h.Writes[1].Prev = FromOwn(0)
	if v, err := Check(h); err != nil || v == nil || v.Rule != "R2" {
		t.Errorf("a write over a version of another location: %+v %v", v, err)
	}
	h = parse("(1 1.x0=1 1.x1=2 )1")
	h.Writes[1].Num = h.Writes[0].Num
	if v, err := Check(h); err != nil || v == nil || v.Rule != "R5" {
		t.Errorf("a write over one of the same number: %+v %v", v, err)
	}
	h = parse("(1 1.x0=1! )1")
	h.Writes = append(h.Writes, h.Writes[0])
	h.Writes[1].Prev = FromOwn(0)
	if v, err := Check(h); err != nil || v == nil || v.Rule != "R1" || len(v.Ops) != 2 {
		t.Errorf("two writes for one log entry: %+v %v", v, err)
	}
}

func TestResponsesOfAnotherRequestsNumber(t *testing.T) {
	h := parse("(1 1.x0=1! )1")
	h.Logged[0].Num = 2
	if v, _ := Check(h); v == nil || v.Rule != "R1" {
		t.Errorf("a log entry under another operation number: %v", v)
	}
	h = parse("(1 (2 1.x0=1! )1 )2")
	h.Logged[0].Req++
	if v, _ := Check(h); v == nil || v.Rule != "R1" {
		t.Errorf("a log entry of another request: %v", v)
	}
	h = parse("(1 1.x0=1! 1.y0 )1")
	h.Logged[0].Loc++
	if v, _ := Check(h); v == nil || v.Rule != "R1" {
		t.Errorf("a log entry for another location: %v", v)
	}
	h = parse("(1 1.x0=1! )1 (2 2.y0 )2")
	h.Reads[0].Src = FromLog(0)
	if v, _ := Check(h); v == nil || v.Rule != "R2" {
		t.Errorf("a read of another location's version: %v", v)
	}
}

func TestMalformedHistoriesAreErrors(t *testing.T) {
	// Shape 0 is that of init, shape 1 that of request 1: two activations, of which the second answers.
	for name, c := range map[string]struct {
		spoil func(h *History)
		says  string
	}{
		"shape -1":                         {func(h *History) { h.Requests[1].Shape = -1 }, "request 1 has no shape"},
		"a shape too many":                 {func(h *History) { h.Requests[1].Shape = 2 }, "request 1 has no shape"},
		"no activation":                    {func(h *History) { h.Shapes[1] = Shape{Start: []int32{0}, Responds: -1, Sent: -1} }, "shape 1 is not well formed"},
		"answer too late":                  {func(h *History) { h.Shapes[1].Responds = 2 }, "shape 1 is not well formed"},
		"sent too late":                    {func(h *History) { h.Shapes[1].Sent = 2 }, "shape 1 is not well formed"},
		"loaded too late":                  {func(h *History) { h.Shapes[0].Loaded = 2 }, "shape 0 is not well formed"},
		"a gap":                            {func(h *History) { h.Requests[1].First++ }, "does not follow"},
		"an overlap":                       {func(h *History) { h.Requests[1].First-- }, "does not follow"},
		"life -1":                          {func(h *History) { h.Requests[1].Life = -1 }, "life -1 of 1"},
		"a life too many":                  {func(h *History) { h.Requests[1].Life = 1 }, "life 1 of 1"},
		"a first with a parent":            {func(h *History) { h.Shapes[1].Start = []int32{0, 1, 1} }, "activation 0 of shape 1 has 1 parents"},
		"a second without parents":         {func(h *History) { h.Shapes[1].Start = []int32{0, 0, 0} }, "activation 1 of shape 1 has 0 parents"},
		"parent -1":                        {func(h *History) { h.Shapes[1].Parents = []int32{-1} }, "a parent out of range"},
		"a parent too many":                {func(h *History) { h.Shapes[1].Parents = []int32{2} }, "a parent out of range"},
		"node -1":                          {func(h *History) { h.Writes[0].Node = -1 }, "write 0 is out of range"},
		"a node too many":                  {func(h *History) { h.Writes[0].Node = 3 }, "write 0 is out of range"},
		"location -1":                      {func(h *History) { h.Writes[0].Loc = -1 }, "write 0 is out of range"},
		"a location too many":              {func(h *History) { h.Writes[0].Loc = 1 }, "write 0 is out of range"},
		"over a log entry too many":        {func(h *History) { h.Writes[0].Prev = FromLog(1) }, "write 0 is out of range"},
		"over a write too many":            {func(h *History) { h.Writes[0].Prev = FromOwn(1) }, "write 0 is out of range"},
		"a log entry too many":             {func(h *History) { h.Writes[0].Logged = 1 }, "write 0 is out of range"},
		"over the first log entry of none": {func(h *History) { h.Logged, h.Writes[0].Logged, h.Writes[0].Prev = nil, -1, FromLog(0) }, "write 0 is out of range"},
		"a read's node":                    {func(h *History) { h.Reads[0].Node = 3 }, "read 0 is out of range"},
		"a read's log entry":               {func(h *History) { h.Reads[0].Src = FromLog(1) }, "read 0 is out of range"},
		"a read's write":                   {func(h *History) { h.Reads[0].Src = FromOwn(1) }, "read 0 is out of range"},
		"an event of -1":                   {func(h *History) { h.Events[0].Req = -1 }, "event 0 is of no request"},
		"an event of one too many":         {func(h *History) { h.Events[1].Req = 2 }, "event 1 is of no request"},
	} {
		h := parse("(1 1.x0=1! 1.x1 )1b 1b")
		h.Reads[0].Src = FromOwn(0)
		if v, err := Check(h); err != nil || v != nil {
			t.Fatal(v, err)
		}
		c.spoil(h)
		if _, err := Check(h); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	// Requests in fives at a time, each reading and overwriting one of 1,000 locations.
	const n = 200_000
	h := &History{Lives: 1, Locs: 1000, Shapes: []Shape{{Start: []int32{0, 0}, Responds: -1, Loaded: 1}, {Start: []int32{0, 0, 1}, Parents: []int32{0}, Responds: 1}}}
	h.Requests = append(h.Requests, Request{Init: true})
	last := make([]Source, h.Locs)
	for i := range last {
		last[i] = Initial
	}
	for i := int32(0); i < n; i++ {
		r := int32(len(h.Requests))
		node := 1 + 2*i
		h.Requests = append(h.Requests, Request{RID: uint64(i + 1), Shape: 1, First: node})
		loc := (i * 7919) % h.Locs
		h.Reads = append(h.Reads, Read{node, 0, loc, last[loc]}, Read{node, 0, (loc + 1) % h.Locs, last[(loc+1)%h.Locs]})
		h.Writes = append(h.Writes, Write{Node: node, Num: 1, Loc: loc, Prev: last[loc], Logged: int32(len(h.Logged))})
		last[loc] = FromLog(int32(len(h.Logged)))
		h.Logged = append(h.Logged, Logged{Req: r, Num: 1, Loc: loc})
		h.Events = append(h.Events, Event{r, false})
		if i%5 == 4 {
			for k := int32(0); k < 5; k++ {
				h.Events = append(h.Events, Event{r - k, true})
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if v, err := Check(h); v != nil || err != nil {
			b.Fatal(v, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(3*n), "ns/operation")
}

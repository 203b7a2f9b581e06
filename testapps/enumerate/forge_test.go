package enumerate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

// evidence is the part of a recording that is about one run of a program.
type evidence struct {
	*run
	trace *trace.Trace
	life  *advice.Life
	claims
}

// claims are what a forger can choose: the accesses that are logged, and what is
// recorded of the order in which timers fired.
type claims struct {
	writes, reads []access
	turns         []turned
	order         []happened
}

func (c claims) clone() claims {
	return claims{slices.Clone(c.writes), slices.Clone(c.reads), slices.Clone(c.turns), slices.Clone(c.order)}
}

// happened is what the event loop is said to have run next.
type happened struct {
	kind advice.TurnKind
	req  int // -1 is init, whose activation is number init
	act  string
	init int32
}

// turned is what is recorded of an activation: as how many-eth it fired among its request's timers, or that it won or
// lost a race.
type turned struct {
	req  int
	act  string
	what string
	n    record.Value
}

// An access is a logged one, by names that mean the same in all runs of a program.
type access struct {
	req  int    // of the program, from 0
	act  string // path of the activation
	op   int32  // of a write
	loc  string
	nth  int // of a read: there may be more in one activation
	prev int // index of the write that it overwrote or read, -1 if it does not say
	text string
}

func (a access) name() string { return fmt.Sprint(a.req, a.act, a.op, a.loc, a.nth) }

// project cuts a recording into the evidence of its runs.
func project(t *testing.T, tr *trace.Trace, l *advice.Life, runs []*run) []*evidence {
	t.Helper()
	es := make([]*evidence, len(runs))
	for i, r := range runs {
		es[i] = &evidence{run: r, trace: &trace.Trace{}}
		r.rids = make([]uint64, len(r.p.Requests))
	}
	at := func(x *trace.Exchange) (*evidence, int) {
		f := strings.Split(x.Request.Target, "/")
		slot, e1 := strconv.Atoi(f[1])
		id, e2 := strconv.Atoi(f[2])
		if e1 != nil || e2 != nil {
			t.Fatalf("the target %s", x.Request.Target)
		}
		return es[slot], id - 1
	}
	for _, v := range tr.Events {
		x := &tr.Exchanges[v.Exchange]
		e, i := at(x)
		if v.Kind == trace.RequestEvent {
			e.rids[i] = x.RID
			e.trace.Exchanges = append(e.trace.Exchanges, *x)
		}
		v.Exchange = int32(e.trace.Find(x.RID))
		e.trace.Events = append(e.trace.Events, v)
	}
	paths := make([][]string, len(l.Requests))
	for q := range l.Requests {
		for _, a := range l.Requests[q].Acts {
			p := ""
			if a.Parent >= 0 {
				p = fmt.Sprintf("%s/%d.%d", paths[q][a.Parent], a.Op, a.Firing)
			}
			paths[q] = append(paths[q], p)
		}
	}
	where := func(q int32) (*evidence, int) { return at(&tr.Exchanges[tr.Find(l.Requests[q].RID)]) }
	index := make([]int, len(l.Writes)) // in its evidence
	for i := range l.Writes {
		w := &l.Writes[i]
		e, r := where(w.Req)
		a := access{req: r, act: paths[w.Req][w.Act], op: w.Op, loc: l.Locations[w.Loc].Key.Str, prev: -1, text: w.Value.Str}
		if w.Prev >= 0 {
			a.prev = index[w.Prev]
		}
		index[i] = len(e.writes)
		e.writes = append(e.writes, a)
	}
	for i := range l.Reads {
		d := &l.Reads[i]
		e, r := where(d.Req)
		a := access{req: r, act: paths[d.Req][d.Act], loc: l.Locations[l.Writes[d.Write].Loc].Key.Str, prev: index[d.Write]}
		for slices.ContainsFunc(e.reads, func(b access) bool { return b.name() == a.name() }) {
			a.nth++
		}
		e.reads = append(e.reads, a)
	}
	for _, d := range l.ND {
		if d.Req != 0 {
			e, r := where(d.Req)
			e.turns = append(e.turns, turned{r, paths[d.Req][d.Act], d.Type, d.Value})
		}
	}
	for _, t := range l.Turns {
		if t.Req == 0 {
			for _, e := range es {
				e.order = append(e.order, happened{t.Kind, -1, "", t.Act})
			}
			continue
		}
		e, r := where(t.Req)
		e.order = append(e.order, happened{t.Kind, r, paths[t.Req][t.Act], 0})
	}
	for _, e := range es {
		e.life = l
	}
	return es
}

// advice makes the tables that the accesses stand for.
func (e *evidence) advice(c claims) *advice.Life {
	l := &advice.Life{File: e.life.File, BuildID: e.life.BuildID, Complete: true, Env: e.life.Env}
	l.Requests = append(l.Requests, e.life.Requests[0])
	for _, d := range e.life.ND {
		if d.Req == 0 {
			l.ND = append(l.ND, d)
		}
	}
	acts := []map[string]int32{nil}
	for i := range e.rids {
		l.Requests = append(l.Requests, advice.Request{RID: e.rids[i], Tag: uint32(i), HasTag: true, Acts: []advice.Act{{Parent: -1}}})
		acts = append(acts, map[string]int32{"": 0})
	}
	var act func(q int32, path string) int32
	act = func(q int32, path string) int32 {
		if n, ok := acts[q][path]; ok {
			return n
		}
		i := strings.LastIndexByte(path, '/')
		a := advice.Act{Parent: act(q, path[:i])}
		fmt.Sscanf(path[i+1:], "%d.%d", &a.Op, &a.Firing)
		n := int32(len(l.Requests[q].Acts))
		l.Requests[q].Acts = append(l.Requests[q].Acts, a)
		acts[q][path] = n
		return n
	}
	locs := map[string]int32{}
	for _, w := range c.writes {
		if _, ok := locs[w.loc]; !ok {
			locs[w.loc] = int32(len(l.Locations))
			l.Locations = append(l.Locations, e.location(w.loc))
		}
		q := int32(w.req + 1)
		l.Writes = append(l.Writes, advice.Write{Req: q, Act: act(q, w.act), Op: w.op, Loc: locs[w.loc], Prev: int32(w.prev), Value: record.Text(w.text)})
	}
	for _, r := range c.reads {
		q := int32(r.req + 1)
		l.Reads = append(l.Reads, advice.Read{Req: q, Act: act(q, r.act), Write: int32(r.prev)})
	}
	for _, t := range c.turns {
		q := int32(t.req + 1)
		l.ND = append(l.ND, advice.ND{Req: q, Act: act(q, t.act), Type: t.what, Value: t.n})
	}
	for _, t := range c.order {
		if t.req < 0 {
			l.Turns = append(l.Turns, advice.Turn{Kind: t.kind, Act: t.init})
			continue
		}
		q := int32(t.req + 1)
		l.Turns = append(l.Turns, advice.Turn{Kind: t.kind, Req: q, Act: act(q, t.act)})
	}
	return l
}

// location is a key of the app's one map.
func (e *evidence) location(name string) advice.Location {
	return advice.Location{Obj: e.life.Locations[0].Obj, Key: record.Name(name)}
}

func (e *evidence) answers() Outcome {
	o := make(Outcome, len(e.rids))
	for i, rid := range e.rids {
		o[i] = string(e.trace.Exchanges[e.trace.Find(rid)].Response.Body)
	}
	return o
}

func (e *evidence) answer(rid uint64, body string) {
	r := &e.trace.Exchanges[e.trace.Find(rid)].Response
	r.Body = []byte(body)
	r.Headers = slices.Clone(r.Headers)
	for i := range r.Headers {
		if strings.EqualFold(r.Headers[i].Name, "Content-Length") {
			r.Headers[i].Value = strconv.Itoa(len(body))
		}
	}
}

// A forger makes up advice for a program out of what is known of all its runs.
type forger struct {
	rnd  *rand.Rand
	runs []*evidence // of one program
	// What was logged in any run.
	writes, reads []access
}

func newForger(rnd *rand.Rand, runs []*evidence) *forger {
	f := &forger{rnd: rnd, runs: runs}
	known := map[string]bool{}
	for _, e := range runs {
		for i, as := range [][]access{e.writes, e.reads} {
			for _, a := range as {
				if a.loc = a.loc[:1]; !known[fmt.Sprint(i, a.name())] {
					known[fmt.Sprint(i, a.name())] = true
					into := []*[]access{&f.writes, &f.reads}[i]
					*into = append(*into, a)
				}
			}
		}
	}
	return f
}

// forge makes up a log: either one at random, or an honest one with a few changes.
func (f *forger) forge() (base *evidence, c claims) {
	base = f.runs[f.rnd.IntN(len(f.runs))]
	// In whatever order another run had its turns, and perhaps in none that ever was.
	order := slices.Clone(f.runs[f.rnd.IntN(len(f.runs))].order)
	if len(order) > 1 && f.rnd.IntN(3) == 0 {
		i := 1 + f.rnd.IntN(len(order)-1)
		order[i-1], order[i] = order[i], order[i-1]
	}
	if f.rnd.IntN(2) == 0 {
		c = base.clone()
		c.order = order
		for range 1 + f.rnd.IntN(3) {
			if f.rnd.IntN(4) == 0 {
				c.turns = f.reorder(c.turns)
				continue
			}
			c.writes, c.reads = f.change(c.writes, c.reads)
		}
		return base, c
	}
	if c.turns = slices.Clone(f.runs[f.rnd.IntN(len(f.runs))].turns); f.rnd.IntN(3) == 0 {
		c.turns = f.reorder(c.turns)
	}
	writes, reads := c.writes, c.reads
	suffix := strconv.Itoa(base.slot)
	for _, i := range f.rnd.Perm(len(f.writes)) {
		if w := f.writes[i]; f.rnd.IntN(8) > 0 {
			w.loc += suffix
			w.prev = f.version(writes, w.loc, f.rnd.IntN(4) == 0)
			writes = append(writes, w)
		}
	}
	for _, r := range f.reads {
		r.loc += suffix
		if r.prev = f.version(writes, r.loc, f.rnd.IntN(3) > 0); r.prev >= 0 && f.rnd.IntN(6) > 0 {
			reads = append(reads, r)
		}
	}
	c.writes, c.reads, c.order = writes, reads, order
	return base, c
}

// reorder changes what is said of the order of timers.
func (f *forger) reorder(turns []turned) []turned {
	if len(turns) == 0 {
		return turns
	}
	i := f.rnd.IntN(len(turns))
	switch k := f.rnd.IntN(4); {
	case k == 0:
		return slices.Delete(turns, i, i+1)
	case k == 1 && turns[i].what == "turn":
		turns[i].n = record.Number(float64(f.rnd.IntN(6)))
	case k == 2:
		// Somebody else of the request won, or ran then.
		if j := f.rnd.IntN(len(turns)); turns[j].req == turns[i].req {
			turns[i].act, turns[j].act = turns[j].act, turns[i].act
		}
	default:
		j := f.rnd.IntN(len(turns))
		turns[i].what, turns[j].what = turns[j].what, turns[i].what
		turns[i].n, turns[j].n = turns[j].n, turns[i].n
	}
	return turns
}

// version picks one of the writes to loc, the last one or any; -1 if there is none.
func (f *forger) version(writes []access, loc string, any bool) int {
	var all []int
	for i := range writes {
		if writes[i].loc == loc {
			all = append(all, i)
		}
	}
	switch {
	case len(all) == 0:
		return -1
	case any:
		return append(all, -1)[f.rnd.IntN(len(all)+1)]
	}
	return all[len(all)-1]
}

func (f *forger) change(writes, reads []access) ([]access, []access) {
	switch k := f.rnd.IntN(5); {
	case k == 0 && len(writes) > 0: // another predecessor
		i := f.rnd.IntN(len(writes))
		writes[i].prev = f.version(writes[:i], writes[i].loc, true)
	case k == 1 && len(reads) > 0: // a dropped read
		i := f.rnd.IntN(len(reads))
		reads = slices.Delete(reads, i, i+1)
	case k == 2 && len(writes) > 0: // a dropped write
		i := f.rnd.IntN(len(writes))
		prev := writes[i].prev
		writes = slices.Delete(writes, i, i+1)
		repoint := func(p int) int {
			if p == i {
				p = prev
			}
			if p > i {
				p--
			}
			return p
		}
		for j := range writes {
			writes[j].prev = repoint(writes[j].prev)
		}
		for j := range reads {
			reads[j].prev = repoint(reads[j].prev)
		}
		reads = slices.DeleteFunc(reads, func(r access) bool { return r.prev < 0 })
	case k == 3 && len(writes) > 1: // two neighbours in a chain change places
		i := 1 + f.rnd.IntN(len(writes)-1)
		for j := range i {
			if writes[j].loc != writes[i].loc || writes[i].prev != j {
				continue
			}
			writes[i].act, writes[j].act = writes[j].act, writes[i].act
			writes[i].req, writes[j].req = writes[j].req, writes[i].req
			writes[i].op, writes[j].op = writes[j].op, writes[i].op
			writes[i].text, writes[j].text = writes[j].text, writes[i].text
		}
	case len(reads) > 0: // a read of another version
		i := f.rnd.IntN(len(reads))
		if v := f.version(writes, reads[i].loc, true); v >= 0 {
			reads[i].prev = v
		}
	}
	return writes, reads
}

// attempt asks the verifier what is wrong with a forgery, mends that, and tries again,
// as long as what is wrong is only that an answer or a value does not follow from
// the rest: the forgeries that are consistent in themselves are the interesting ones.
func attempt(t *testing.T, a *auditor, base *evidence, c claims) (*verdict.Verdict, Outcome, *advice.Life) {
	writes := c.writes
	e := *base
	e.trace = &trace.Trace{Exchanges: slices.Clone(base.trace.Exchanges), Events: base.trace.Events}
	var v *verdict.Verdict
	var l *advice.Life
	for range 20 {
		l = e.advice(c)
		v = a.audit(t, e.trace, l)
		if v.Outcome != verdict.Reject {
			break
		}
		if v.Rule == "R-response" && strings.Contains(v.Message, "body") {
			e.answer(v.RID, unquote(v.Expected))
			continue
		}
		if n, err := strconv.Atoi(unquote(v.Expected)); v.Rule == "R-response" && strings.Contains(v.Message, "content-length") && err == nil {
			e.answer(v.RID, strings.Repeat("?", n)) // the next complaint is about the body
			continue
		}
		if v.Rule != "R-value" {
			break
		}
		mended := false
		for i := range writes {
			if base.rids[writes[i].req] == v.RID && writes[i].text == unquote(v.Found) && writes[i].text != unquote(v.Expected) {
				writes[i].text = unquote(v.Expected)
				mended = true
				break
			}
		}
		if !mended {
			break
		}
	}
	return v, e.answers(), l
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}

// After a join there are two latest writes, and only the log can tell which one was seen.
func TestUnloggedReadAfterJoin(t *testing.T) {
	p, err := Parse("(.X|.X)x")
	if err != nil {
		t.Fatal(err)
	}
	legal, _ := Outcomes(p, true)
	var runs []*run
	for _, k := range slices.Sorted(mapsKeys(legal)) {
		runs = append(runs, &run{p: p, s: legal[k], slot: len(runs)})
	}
	if len(runs) != 2 {
		t.Fatalf("%d outcomes", len(runs))
	}
	rec := cause(t, dist, runs)
	tr, all := load(t, rec)
	a := newAuditor(t, dist)
	for _, e := range project(t, tr, all.Lives[0], runs) {
		if len(e.reads) != 1 {
			t.Fatalf("the server logged %d reads", len(e.reads))
		}
		if v := a.audit(t, e.trace, e.advice(e.claims)); v.Outcome != verdict.Accept {
			t.Errorf("honest: %s %s", v.Rule, v.Message)
		}
		if v := a.audit(t, e.trace, e.advice(claims{writes: e.writes, turns: e.turns, order: e.order})); v.Outcome != verdict.Reject || v.Rule != "R-unlogged" {
			t.Errorf("the read left out: %s %s %s", v.Outcome, v.Rule, v.Message)
		}
	}
}

func load(t testing.TB, rec *scenario.Recording) (*trace.Trace, *advice.Advice) {
	t.Helper()
	tr, err := trace.Load(rec.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := advice.Load(rec.Advice, advice.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tr, all
}

// caused draws runs, causes them, and says what a server left of each program's.
func caused(t *testing.T) ([]*run, map[*Program][]*evidence) {
	t.Helper()
	runs := draw(t)
	tr, all := load(t, cause(t, dist, runs))
	byProgram := map[*Program][]*evidence{}
	for _, e := range project(t, tr, all.Lives[0], runs) {
		byProgram[e.p] = append(byProgram[e.p], e)
	}
	return runs, byProgram
}

// TestForgedSchedules looks for advice that makes the verifier accept an outcome that
// no schedule has: logs re-pointed, reordered, thinned out and made up.
func TestForgedSchedules(t *testing.T) {
	runs, byProgram := caused(t)
	a := newAuditor(t, dist)
	rnd := rand.New(rand.NewPCG(*seed, 1))
	end := time.Now().Add(time.Duration(*seconds) * time.Second)
	counts := map[string]int{}
	covered := 0
	for _, r := range runs {
		es := byProgram[r.p]
		if es == nil {
			continue
		}
		delete(byProgram, r.p) // once each
		if time.Now().After(end) {
			break
		}
		covered++
		legal, _ := Outcomes(r.p, false)
		// The honest evidence first: cutting it out must not have spoilt it.
		for _, e := range es {
			if v := a.audit(t, e.trace, e.advice(e.claims)); v.Outcome != verdict.Accept {
				t.Fatalf("%s, honest, answered %s: %s %s", e.p.Text, e.got, v.Rule, v.Message)
			}
		}
		f := newForger(rnd, es)
		if len(f.reads) == 0 && len(f.writes) == 0 {
			continue
		}
		for range 40 {
			base, c := f.forge()
			v, o, l := attempt(t, a, base, c)
			counts[string(v.Outcome)+" "+v.Rule]++
			if v.Outcome == verdict.Accept && legal[o.String()] == nil {
				t.Errorf("%s: accepted with the answers %s, which no schedule gives\n%+v\n%+v", r.p.Text, o, c, l.Requests)
			}
		}
	}
	if counts["accept "] == 0 || counts["reject R8"] == 0 {
		t.Error("the forgeries were all of one kind")
	}
	t.Logf("seed %d: %d programs, %d jobs; %v", *seed, covered, a.jobs, counts)
}

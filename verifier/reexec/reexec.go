// Package reexec runs the requests of a trace again, in groups, on what the advice says they read, and collects what
// they did for package order to judge.
//
// A group is the requests whose advice carries one tag; the engine runs all of them in lockstep. Tags are hints of the
// untrusted server and cannot change a verdict: a group whose lanes part ways is split and its parts are run anew, at
// the limit one request at a time. Only what a lone request does is held against the server: a problem that shows in
// a group is run again without company first.
//
// Nothing that a group computes depends on another group, so that groups run on several engines at once; memory grows
// with the widest group, not with the values of the trace. What outlives a group is a few numbers per operation.
//
// # Rules
//
// Package rule lists them. Those with an A are checked here, before anything runs; those that begin with R- by the
// verifier's runtime in re-execution: every response equals the trace's, every logged write is made with the logged
// value, every entry of the advice is consumed by exactly one operation.
package reexec

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"karousosc/verifier/advice"
	"karousosc/verifier/order"
	"karousosc/verifier/rule"
	"karousosc/verifier/trace"
)

// An Engine runs jobs, one after the other. After an error other than a *JSError of package engine it is of no more
// use.
type Engine interface {
	Run(ctx context.Context, job []byte) ([]byte, error)
	Close() error
}

// Options say how to re-execute.
type Options struct {
	// Start starts an engine that has loaded the verifier's build.
	Start func(ctx context.Context) (Engine, error)
	// Survives says whether an engine can go on after an error of its Run. nil means never.
	Survives func(error) bool
	Workers  int // engines at a time; at least 1
	MaxGroup int // widest group; default DefaultMaxGroup
	MinGroup int // groups narrower than this run lane by lane; default 2
	// MostAlone is how many requests may run alone before all are re-executed together, which is cheaper than to
	// run half of them alone; default 1000. It means nothing if MaxGroup is 1.
	MostAlone int
	MaxJob    int // bytes of a job of more than one lane; default 16 MiB
	// Ordered has the turns of all requests run in the server's own order, which makes more groups.
	Ordered bool
	// Progress, if set, is told how many requests of how many are done, from any goroutine.
	Progress func(done, total int)
}

// A Problem is evidence against the server.
type Problem struct {
	Rule     string
	RID      uint64 // 0 when it is not about one request
	Life     int32
	Req      int32 // its number in the life's advice, -1 if it has none
	Message  string
	Expected string // what the program does
	Found    string // what trace or advice say
	Stack    string // JavaScript stack in the verifier's program, if it is known
}

// Undecided says why an audit could not be made.
type Undecided struct {
	Message  string
	Requests []uint64 // those that could not be audited, where it is about some of them
	Stack    string   // JavaScript stack in the verifier's program, if there is a place in it
	// Together: groups cannot follow what requests share, but Together may.
	Together bool
}

// Stats is what an audit cost.
type Stats struct {
	Requests  int // re-executed and accounted for
	Groups    int // jobs that counted: each request was in one of them
	Widest    int
	Jobs      int // jobs that were run
	Splits    int // groups that were split because their lanes parted ways
	Lone      int // requests that were run again alone because a group had a problem
	Failures  int // groups that the engine could not run
	JobBytes  int64
	JobTime   time.Duration // writing jobs
	RunTime   time.Duration // waiting for engines
	AddTime   time.Duration // reading results
	EngineCPU time.Duration
	// Reasons counts why groups were split, and what problems of groups were.
	Reasons map[string]int
}

// because counts a reason; there are not many different ones, but a program could make some up.
func (s *Stats) because(reason string) {
	if s.Reasons == nil {
		s.Reasons = map[string]int{}
	}
	if _, known := s.Reasons[reason]; known || len(s.Reasons) < 100 {
		s.Reasons[strings.Clone(reason)]++
	}
}

// mostly is the commonest reason, "" if there is none.
func (s *Stats) mostly() string {
	why := ""
	for r, n := range s.Reasons {
		if n > s.Reasons[why] || n == s.Reasons[why] && r < why {
			why = r
		}
	}
	return why
}

// A Result is what re-execution found. History is complete if there is neither problem nor doubt.
type Result struct {
	History   *order.History
	Problem   *Problem
	Undecided *Undecided
	Stats     Stats
	// Together: it comes of joint re-execution, which leaves no history to judge.
	Together bool
	// Unanswered are the requests that the client left, or that were cut off, before any of an answer reached the
	// client. Those of them that the advice knows were re-executed like others, without an answer to compare.
	Unanswered []uint64
	// Lost are those of them that the advice does not know: they never reached the server, or might as well not have.
	Lost []uint64
	// Upgraded are those of connections that the program was to speak another protocol on: they were not audited, and
	// may have changed what others are answered.
	Upgraded []uint64
	// Lanes gives the advice's name of each of the history's requests.
	Lanes []LaneOf

	c *collector
}

// Location tells which location one of the history's is: by object and key, in the life's own numbering.
func (r *Result) Location(loc int32) (advice.Location, bool) {
	for i := len(r.c.lives) - 1; i >= 0; i-- {
		l := r.c.lives[i]
		if n := loc - l.locBase; n >= 0 && int(n) < len(l.Locations) {
			return l.Locations[n], true
		}
		for name, n := range l.locs {
			if n == loc {
				return advice.Location{Obj: advice.Ref(name.obj), Key: keyFrom(name.key)}, true
			}
		}
	}
	return advice.Location{}, false
}

// LaneOf is a request by life and number in the life's advice.
type LaneOf struct{ Life, Req int32 }

// An Audit is one trace with the advice for it.
type Audit struct {
	t     *trace.Trace
	lives []*life
	opt   Options

	c     *collector
	queue []group
	next  atomic.Int64
	stop  atomic.Bool
	// accused: something is held against the server. The other groups run all the same, once and with company: they may
	// show that requests share what was not found, so that it proves nothing (look).
	accused atomic.Bool
	// blind: an engine died with what groups had changed.
	blind atomic.Bool
	// alone counts requests that were re-executed one at a time.
	alone  atomic.Int64
	jobIDs atomic.Int64
	done   atomic.Int64
	total  int

	// upgrades: the program listens for connections that change their protocol.
	upgrades atomic.Bool

	unanswered, lost, upgraded []uint64
	explainer                  *worker

	mu        sync.Mutex
	problems  []*Problem
	undecided *Undecided
	failed    error
	initDid   []string // per life: what init did, which must be the same on every engine
	stats     Stats
}

// DefaultMaxGroup is how wide a group may be: wide enough that what is done once
// for a group costs little, not so wide that its lanes' values fill the caches
// and memory.
const DefaultMaxGroup = 1200

// New prepares an audit.
func New(t *trace.Trace, a *advice.Advice, opt Options) *Audit {
	if opt.Workers < 1 {
		opt.Workers = 1
	}
	if opt.MaxGroup < 1 {
		opt.MaxGroup = DefaultMaxGroup
	}
	if opt.MostAlone < 1 {
		opt.MostAlone = 1000
	}
	if opt.MinGroup < 1 {
		opt.MinGroup = 2
	}
	if opt.MaxJob < 1 {
		opt.MaxJob = 16 << 20
	}
	au := &Audit{t: t, opt: opt}
	for i, l := range a.Lives {
		au.lives = append(au.lives, newLife(l, int32(i)))
	}
	au.initDid = make([]string, len(au.lives))
	return au
}

// Run re-executes everything. An error means that the machinery failed, not that anybody is to blame.
func (a *Audit) Run(ctx context.Context) (*Result, error) {
	return a.upgradable(a.run(ctx))
}

// upgradable: only a program that listens for them upgrades connections.
func (a *Audit) upgradable(r *Result, err error) (*Result, error) {
	if err != nil || len(a.upgraded) == 0 {
		return r, err
	}
	switch {
	case a.upgrades.Load():
		r.Upgraded = a.upgraded
	case r.Problem == nil && r.Undecided == nil:
		r = a.rejected(&Problem{Rule: rule.A2, RID: a.upgraded[0], Req: -1, Message: "the advice says nothing of this request, and the program does not listen for connections to upgrade"})
	}
	return r, nil
}

func (a *Audit) run(ctx context.Context) (*Result, error) {
	if r := a.before(false); r != nil {
		return r, nil
	}
	a.c = newCollector(a.lives)
	for _, l := range a.lives {
		if len(l.Requests) == 1 {
			// A life without requests has to run its init all the same: it is advice like other advice.
			a.queue = append(a.queue, group{life: l.number})
		}
		a.queue = append(a.queue, makeGroups(a.t, l.Life, l.number, l.exchange, a.opt.MaxGroup, a.opt.Workers)...)
		a.total += len(l.Requests) - 1
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for range min(a.opt.Workers, max(len(a.queue), 1)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w := &worker{a: a}
			defer w.close()
			if err := w.work(ctx); err != nil {
				a.fail(err)
			}
		}()
	}
	wg.Wait()
	if a.failed != nil {
		return nil, a.failed
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	a.stats.Requests = int(a.done.Load())
	switch {
	case a.undecided != nil && a.undecided.Together:
		return &Result{Undecided: a.undecided, Stats: a.stats}, nil
	case a.blind.Load() && (len(a.problems) > 0 || a.undecided == nil):
		return &Result{Undecided: &Undecided{Message: "an engine died before it could be asked what requests share", Together: true}, Stats: a.stats}, nil
	case len(a.problems) > 0:
		sort.SliceStable(a.problems, func(i, j int) bool { return a.problems[i].RID < a.problems[j].RID })
		return a.rejected(a.problems[0]), nil
	case a.undecided != nil:
		return &Result{Undecided: a.undecided, Stats: a.stats}, nil
	}
	r := &Result{History: a.c.history(a.events()), Stats: a.stats, Unanswered: a.unanswered, Lost: a.lost, c: a.c}
	r.Lanes = make([]LaneOf, len(r.History.Requests))
	for _, l := range a.c.lives {
		for q, n := range l.reqOf {
			if n < 0 {
				return nil, fmt.Errorf("request %d was never re-executed", l.Requests[q].RID)
			}
			r.Lanes[n] = LaneOf{l.number, int32(q)}
		}
	}
	return r, nil
}

func (a *Audit) rejected(p *Problem) *Result {
	return &Result{Problem: p, Stats: a.stats}
}

// before makes the checks that need no engine.
func (a *Audit) before(together bool) *Result {
	a.unanswered, a.lost, a.upgraded = nil, nil, nil
	complete := a.t.Truncated == ""
	var unaudited []uint64
	why := ""
	for i := range a.t.Exchanges {
		x := &a.t.Exchanges[i]
		switch {
		case x.Upgraded():
		case x.Aborted && !x.Unaudited:
			if !x.PartlyAnswered() {
				a.unanswered = append(a.unanswered, x.RID)
			}
		case x.Unaudited:
			unaudited = append(unaudited, x.RID)
			if why == "" {
				why = fmt.Sprintf("request %d: %s", x.RID, x.Note)
			}
		case !x.HasResponse && complete:
			return a.rejected(&Problem{Rule: rule.A8, RID: x.RID, Req: -1, Message: "the request was never answered"})
		case !x.HasResponse:
			unaudited = append(unaudited, x.RID)
			if why == "" {
				why = "the trace ends before they were answered: " + a.t.Truncated
			}
		}
	}
	var shared *Undecided
	for _, l := range a.lives {
		for i := range l.Unauditable {
			u := &l.Unauditable[i]
			if u.Shared {
				if shared == nil {
					shared = &Undecided{Message: "what happened cannot be logged: " + u.Text(), Requests: []uint64{l.Requests[u.Req].RID}, Together: true}
				}
				continue
			}
			unaudited = append(unaudited, l.Requests[u.Req].RID)
			if why == "" {
				why = u.Text()
			}
		}
	}
	if len(unaudited) > 0 {
		// What happened, happened in several places of one request, and to requests in any order.
		slices.Sort(unaudited)
		unaudited = slices.Compact(unaudited)
		return &Result{Undecided: &Undecided{Message: "some requests cannot be audited: " + why, Requests: unaudited}}
	}
	answered, p := join(a.t, a.lives)
	if p != nil {
		p.Req = -1
		if p.Rule == rule.A1 && !complete {
			return &Result{Undecided: &Undecided{Message: p.Message + ": " + a.t.Truncated}}
		}
		return a.rejected(p)
	}
	var missing []uint64
	for i, l := range answered {
		switch x := &a.t.Exchanges[i]; {
		case l >= 0 && x.Upgraded():
			return &Result{Undecided: &Undecided{Message: "the program upgraded the connection of an ordinary request", Requests: []uint64{x.RID}}}
		case l >= 0:
		case x.Upgraded() || x.AsksToUpgrade():
			a.upgraded = append(a.upgraded, x.RID)
		case x.Aborted && !x.PartlyAnswered():
			a.lost = append(a.lost, x.RID)
		default:
			missing = append(missing, a.t.Exchanges[i].RID)
		}
	}
	if len(missing) > 0 {
		if note := a.incomplete(); note != "" {
			return &Result{Undecided: &Undecided{Message: "the advice is incomplete (" + note + ") and says nothing of some requests", Requests: missing}}
		}
		return a.rejected(&Problem{Rule: rule.A2, RID: missing[0], Req: -1, Message: "the advice says nothing of this request, although its client had an answer, or a part of it"})
	}
	for _, l := range a.lives {
		if p := l.unused(a.t); p != nil {
			p.Req, p.Life = -1, l.number
			return a.rejected(p)
		}
	}
	if shared != nil && !together {
		return &Result{Undecided: shared}
	}
	return nil
}

// incomplete says why the advice of some life does not reach to its end, "" if all do.
func (a *Audit) incomplete() string {
	for _, l := range a.lives {
		if !l.Complete {
			return l.missing()
		}
	}
	return ""
}

// events puts the trace's events in terms of the history's requests.
func (a *Audit) events() []order.Event {
	req := make([]int32, len(a.t.Exchanges)) // the number plus 1, 0 for those that no life has
	for _, l := range a.c.lives {
		for q := 1; q < len(l.Requests); q++ {
			req[l.exchange[q]] = l.reqOf[q] + 1
		}
	}
	events := make([]order.Event, 0, len(a.t.Events))
	for _, e := range a.t.Events {
		n := req[e.Exchange]
		if n == 0 {
			continue
		}
		switch e.Kind {
		case trace.RequestEvent:
			events = append(events, order.Event{Req: n - 1})
		case trace.ResponseEvent:
			events = append(events, order.Event{Req: n - 1, Answer: true})
		case trace.AbortEvent:
			// What of an answer the client had, the program had sent.
			if a.t.Exchanges[e.Exchange].PartlyAnswered() {
				events = append(events, order.Event{Req: n - 1, Answer: true})
			}
		}
	}
	return events
}

func (a *Audit) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed == nil {
		a.failed = err
	}
	a.stop.Store(true)
}

func (a *Audit) reject(p *Problem) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.problems) < mostProblems {
		a.problems = append(a.problems, p)
	}
	a.accused.Store(true)
}

const mostProblems = 100

// beyond reports whether the runtime met what it has no model of. All else that a request did after that says nothing.
func (a *Audit) beyond(problems []problem, rids ...uint64) bool {
	for _, p := range problems {
		if p.Rule != rule.Unsupported && p.Rule != rule.Shared {
			continue
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.undecided == nil || p.Rule == rule.Shared {
			a.undecided = &Undecided{Message: p.Msg, Requests: rids, Stack: p.Stack, Together: p.Rule == rule.Shared}
		}
		a.stop.Store(true)
		return true
	}
	return false
}

// tooMany tells whether so many requests were re-executed alone that re-executing all together is cheaper: see
// Options.MostAlone.
func (a *Audit) tooMany(alone int64) bool {
	return a.opt.MaxGroup > 1 && alone >= int64(a.opt.MostAlone) && alone*2 > int64(a.total)
}

// scattered gives groups up because there are hardly any.
func (a *Audit) scattered(why string) {
	message := "requests have too little in common to be re-executed in groups"
	if why != "" {
		message += ": " + why
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.undecided == nil {
		a.undecided = &Undecided{Message: message, Together: true}
	}
	a.stop.Store(true)
}

func (a *Audit) doubt(message string, rids ...uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.undecided == nil {
		a.undecided = &Undecided{Message: message, Requests: rids}
	}
	a.stop.Store(true)
}

// An Explained is where a request did things, for messages.
type Explained struct {
	Problem *Problem // the problem that it has when it runs alone, if any
	Stacks  []Stack
}

// A Stack is the JavaScript stack of one operation.
type Stack struct {
	Act, Num int32
	Write    bool
	Text     string
}

// Explain re-executes one request alone, with stacks. It works after Run, until Close.
func (a *Audit) Explain(ctx context.Context, number, req int32) (*Explained, error) {
	w := a.explainer
	if w == nil || w.e == nil || w.life != number || req == 0 {
		a.Close()
		w = &worker{a: a, life: number, b: newBuilder(a.t, a.lives[number])}
		a.explainer = w
		var err error
		if w.e, err = a.opt.Start(ctx); err != nil {
			w.e = nil
			return nil, err
		}
		w.b.explain = req == 0
		r, err := w.run(ctx, []lane{0}, true)
		if err != nil {
			return nil, err
		}
		if req == 0 || len(r.problems) > 0 {
			defer a.Close()
			return w.explained(0, r), nil
		}
		w.b.explain = true
	}
	r, err := w.run(ctx, []lane{req}, false)
	if err != nil {
		return nil, err
	}
	return w.explained(req, r), nil
}

func (w *worker) explained(q lane, r *result) *Explained {
	x := &Explained{}
	if len(r.problems) > 0 {
		x.Problem = w.problem(q, r.problems[0])
	}
	for _, s := range r.stacks {
		x.Stacks = append(x.Stacks, Stack{s.act, s.num, s.kind == 1, strings.Clone(s.text)})
	}
	return x
}

// Close ends what Explain needs.
func (a *Audit) Close() {
	if a.explainer != nil {
		a.explainer.drop()
		a.explainer = nil
	}
}

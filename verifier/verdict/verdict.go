// Package verdict makes an audit's one decision and says why.
//
// Everything that the other packages find ends up in decide, which fails closed: it accepts only when it has counted
// that every request of the trace was re-executed once and answered as the trace says, that nothing of the advice is
// left over, and that some order of all turns agrees with the trace. There are three outcomes, never two: an audit that
// could not be made is neither an accept nor a reject.
//
// A reject carries its evidence: the rule (see package rule),
// the request, the place in the app's own sources, and what was expected and found.
package verdict

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/order"
	"karousosc/verifier/reexec"
	"karousosc/verifier/rule"
	"karousosc/verifier/trace"
)

// An Outcome is what an audit comes to.
type Outcome string

const (
	Accept    Outcome = "accept"
	Reject    Outcome = "reject"
	Undecided Outcome = "undecided" // the audit could not be made
)

// A Verdict is the outcome with its evidence. Its JSON form is a contract: fields may be added, not changed.
type Verdict struct {
	Outcome Outcome `json:"outcome"`
	// Rule is the rule that was broken. Empty unless rejected.
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"`
	// RID is the request that the message is about first, 0 if it is about none.
	RID     uint64 `json:"rid,omitempty"`
	Request string `json:"request,omitempty"` // its method and target
	Handler string `json:"handler,omitempty"` // the turn of it: see Step.From
	// Position is where in the app's sources the request did what is held against it.
	Position *manifest.Position `json:"position,omitempty"`
	Expected string             `json:"expected,omitempty"` // what the program does
	Found    string             `json:"found,omitempty"`    // what trace or advice say
	Cycle    []Step             `json:"cycle,omitempty"`
	Requests []uint64           `json:"requests,omitempty"` // undecided: those that could not be audited
	Lives    []Life             `json:"lives,omitempty"`    // what each life of the server answered, if it had several
	Notes    []string           `json:"notes,omitempty"`
	// Trusted counts the results from outside the program that an accept rests on: what other servers answered, files
	// that are not the app's, writes. Of compressed bytes, signatures and key pairs (checked), only the choice is the server's.
	Trusted map[string]int `json:"trusted,omitempty"`
	// Together is why all requests were re-executed together, in the server's own order, and not in groups.
	Together string `json:"together,omitempty"`
	Stats    Stats  `json:"stats"`
}

// A Step is one reason in a cycle why something came before something else.
type Step struct {
	Why      order.Why          `json:"why"`
	From     Turn               `json:"from"`
	To       Turn               `json:"to"`
	Location string             `json:"location,omitempty"`
	At       *manifest.Position `json:"at,omitempty"` // the operation of To (of From for rw) in the sources
	Message  string             `json:"message"`
}

// A Turn is an activation of a request.
type Turn struct {
	RID  uint64 `json:"rid"` // 0 for the app's start
	Turn int32  `json:"turn"`
}

// A Life is one run of the server.
type Life struct {
	File     string `json:"file"`
	Requests int    `json:"requests"`
	First    uint64 `json:"first,omitempty"`
	Last     uint64 `json:"last,omitempty"`
}

// Stats is what an audit covered and cost.
type Stats struct {
	Requests    int            `json:"requests"`
	Groups      int            `json:"groups"`
	Widest      int            `json:"widest"`
	Jobs        int            `json:"jobs"`
	Splits      int            `json:"splits"`
	LoneReruns  int            `json:"loneReruns"`
	Failures    int            `json:"failures"`
	Reasons     map[string]int `json:"reasons,omitempty"` // of splits, lone re-runs and failures
	Operations  int            `json:"operations"`        // on shared state; of a turn's on one location, those that others could see
	Logged      int            `json:"logged"`            // reads and writes that the advice tells of
	Locations   int            `json:"locations"`         // of which the operations are
	AdviceBytes int64          `json:"adviceBytes"`
	TraceBytes  int64          `json:"traceBytes"`
	EngineCPU   float64        `json:"engineCpuSeconds"`
	CPU         float64        `json:"cpuSeconds"`
	Wall        float64        `json:"wallSeconds"`
	OrderTime   float64        `json:"orderSeconds"`
	JobTime     float64        `json:"jobSeconds"`    // writing jobs, over all workers
	ResultTime  float64        `json:"resultSeconds"` // reading results
	EngineWait  float64        `json:"engineWaitSeconds"`
	JobBytes    int64          `json:"jobBytes"`
}

// Input is what an audit needs.
type Input struct {
	Trace    *trace.Trace
	Advice   *advice.Advice
	Manifest *manifest.Manifest
	MaxLives int
	// Together: do not try groups.
	Together bool
	Options  reexec.Options
	// Sources maps positions in the verifier's program to the app's sources. nil: positions stay unknown.
	Sources *Sources
}

// explainer re-executes one request with stacks.
type explainer interface {
	Explain(ctx context.Context, life, req int32) (*reexec.Explained, error)
}

// Audit makes the audit.
func Audit(ctx context.Context, in Input) (*Verdict, error) {
	d := &decider{in: in, ctx: ctx}
	if v := d.build(); v != nil {
		return v, nil
	}
	a := reexec.New(in.Trace, in.Advice, in.Options)
	defer a.Close()
	d.explainer = a
	r := &reexec.Result{Undecided: &reexec.Undecided{Message: "as asked", Together: true}}
	var err error
	if !in.Together {
		if r, err = a.Run(ctx); err != nil {
			return nil, err
		}
	}
	var tried time.Duration // processor time of engines whose groups decided nothing
	together := func(why *reexec.Undecided) error {
		tried += r.Stats.EngineCPU
		d.together = why
		r, err = a.Together(ctx)
		return err
	}
	if u := r.Undecided; u != nil && u.Together {
		if err := together(u); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	v, err := d.decide(r)
	if err != nil {
		return nil, err
	}
	if d.unordered {
		// In the order of the server everything that turns of a request share is as it was.
		tried += r.Stats.EngineCPU
		in.Options.Ordered = true
		again := reexec.New(in.Trace, in.Advice, in.Options)
		defer again.Close()
		d.explainer, d.unordered = again, false
		if r, err = again.Run(ctx); err != nil {
			return nil, err
		}
		if v, err = d.decide(r); err != nil {
			return nil, err
		}
		if u := r.Undecided; d.unordered || u != nil && u.Together {
			if u == nil {
				u = &reexec.Undecided{Message: v.Message}
			}
			if err := together(u); err != nil {
				return nil, err
			}
			if v, err = d.decide(r); err != nil {
				return nil, err
			}
		}
	}
	s := &v.Stats
	s.OrderTime = time.Since(began).Seconds()
	s.Requests, s.Groups, s.Widest, s.Jobs = r.Stats.Requests, r.Stats.Groups, r.Stats.Widest, r.Stats.Jobs
	s.Splits, s.LoneReruns, s.Failures = r.Stats.Splits, r.Stats.Lone, r.Stats.Failures
	s.Reasons = r.Stats.Reasons
	s.JobTime, s.ResultTime, s.EngineWait = r.Stats.JobTime.Seconds(), r.Stats.AddTime.Seconds(), r.Stats.RunTime.Seconds()
	s.JobBytes = r.Stats.JobBytes
	s.EngineCPU = (tried + r.Stats.EngineCPU).Seconds()
	if r.History != nil {
		for _, l := range in.Advice.Lives {
			s.Logged += len(l.Reads) + len(l.Writes)
		}
		s.Operations, s.Locations = len(r.History.Reads)+len(r.History.Writes), int(r.History.Locs)
	}
	if d.together != nil {
		why := d.together.Message
		if p := d.position(d.together.Stack); p != nil {
			why += " (" + p.String() + ")"
		}
		v.Together = why
	}
	if v.Outcome == Accept {
		v.Notes = append(v.Notes, d.notes()...)
		v.Trusted = trusted(in.Advice)
	}
	v.bound()
	return v, nil
}

// checked are recorded results whose contents re-execution checks.
var checked = map[string]string{"zlib": "compressed bytes (contents checked)", "signature": "signatures (checked)", "keypair": "key pairs (checked)"}

// outside are recorded results of what other programs did: answers of fetch, and events of requests, sockets and processes.
var outside = map[string]bool{"fetch": true, "http": true, "net": true, "dns": true, "child_process": true}

// trusted counts what the server recorded of the world outside.
func trusted(a *advice.Advice) map[string]int {
	var n map[string]int
	for _, l := range a.Lives {
		for i := range l.ND {
			name := l.ND[i].Type
			what, ok := checked[name]
			switch {
			case ok:
				name = what
			case !outside[name] && !strings.HasPrefix(name, "fs."):
				continue
			}
			if n == nil {
				n = map[string]int{}
			}
			n[name]++
		}
	}
	return n
}

// Malformed is the verdict on advice that cannot be decoded (rule A10).
func Malformed(err *advice.FormatError) *Verdict {
	return &Verdict{Outcome: Reject, Rule: rule.A10, Message: "the advice is malformed: " + err.Error()}
}

type decider struct {
	in        Input
	ctx       context.Context
	explainer explainer
	explained map[reexec.LaneOf]*reexec.Explained
	// together is why groups did not do, if the requests were re-executed together.
	together *reexec.Undecided
	// unordered: groups cannot tell in which order a request's own turns ran, and it matters.
	unordered bool
}

// build checks what needs no re-execution at all: whose advice it is, and how many lives it tells of (A7 and A9).
func (d *decider) build() *Verdict {
	for _, l := range d.in.Advice.Lives {
		if l.BuildID == "" && !l.Complete {
			continue // the file ends before it says: there are no requests in it either
		}
		if d.in.Manifest != nil && l.BuildID != d.in.Manifest.BuildID {
			return &Verdict{Outcome: Reject, Rule: rule.A9, Message: fmt.Sprintf(
				"the advice in %s was written by another build of the app (%s) than the one that is audited (%s)", l.File, short(l.BuildID), short(d.in.Manifest.BuildID)),
				Expected: d.in.Manifest.BuildID, Found: l.BuildID}
		}
	}
	if n := len(d.in.Advice.Lives); n > d.in.MaxLives {
		return &Verdict{Outcome: Reject, Rule: rule.A7, Lives: d.lives(), Message: fmt.Sprintf(
			"the server was started %d times, and %s allowed (see --lives): what it kept in memory was lost each time", n, count(d.in.MaxLives, "start is", "starts are"))}
	}
	return nil
}

func short(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

func (d *decider) lives() []Life {
	if len(d.in.Advice.Lives) < 2 {
		return nil
	}
	var out []Life
	for _, l := range d.in.Advice.Lives {
		x := Life{File: l.File, Requests: len(l.Requests) - 1}
		for _, q := range l.Requests[1:] {
			if x.First == 0 || q.RID < x.First {
				x.First = q.RID
			}
			x.Last = max(x.Last, q.RID)
		}
		out = append(out, x)
	}
	return out
}

// incomplete says what is missing from the advice, "" if nothing is.
func (d *decider) incomplete() string {
	for _, l := range d.in.Advice.Lives {
		if !l.Complete {
			if l.MissingNote != "" {
				return l.MissingNote
			}
			return l.File + " ends early"
		}
	}
	return ""
}

func (d *decider) notes() []string {
	var notes []string
	if d.in.Trace.Truncated != "" {
		notes = append(notes, d.in.Trace.Truncated)
	}
	if m := d.incomplete(); m != "" {
		notes = append(notes, "the advice does not end cleanly ("+m+"), but nothing of it was missed")
	}
	return notes
}

// decide is the one place where an audit is decided.
func (d *decider) decide(r *reexec.Result) (*Verdict, error) {
	v := &Verdict{Outcome: Undecided, Lives: d.lives()}
	switch {
	case r.Problem != nil:
		d.problem(v, r.Problem)
	case r.Undecided != nil:
		v.Message = r.Undecided.Message
		v.Position = d.position(r.Undecided.Stack)
		for _, rid := range r.Undecided.Requests {
			if rid != 0 {
				v.Requests = append(v.Requests, rid)
			}
		}
		return v, nil
	case r.Together:
		if all := len(d.in.Trace.Exchanges) - len(r.Lost) - len(r.Upgraded); r.Stats.Requests != all {
			return nil, fmt.Errorf("verdict: %d of %d requests were re-executed together", r.Stats.Requests, all)
		}
		d.accept(v, r)
		return v, nil
	default:
		if err := d.complete(r); err != nil {
			return nil, err
		}
		violation, err := order.Check(r.History)
		if err != nil {
			return nil, err
		}
		if violation == nil {
			d.accept(v, r)
			return v, nil
		}
		d.violation(v, r, violation)
		if violation.Rule == rule.Unsupported {
			v.Rule, v.Requests = "", []uint64{v.RID}
			d.unordered = true
			return v, nil
		}
	}
	v.Outcome = Reject
	if len(r.Upgraded) > 0 && !strings.HasPrefix(v.Rule, "A") {
		// What came by them may have changed what the program answers.
		v.Outcome, v.Rule = Undecided, ""
		v.Message = fmt.Sprintf("%s to be upgraded, which is not audited, and without what came by them: request %d: %s", connections(r.Upgraded), v.RID, v.Message)
		v.Requests = r.Upgraded
	}
	if m := d.incomplete(); m != "" {
		// What is missing may be what would have explained it.
		v.Outcome, v.Rule = Undecided, ""
		v.Message = "the advice is incomplete (" + m + "), and what there is does not suffice: " + v.Message
	}
	return v, nil
}

func (d *decider) accept(v *Verdict, r *reexec.Result) {
	v.Outcome = Accept
	v.Message = "all requests of the trace were answered as the program answers them"
	if len(r.Upgraded) > 0 {
		v.Message = "all other requests of the trace were answered as the program answers them"
		v.Notes = append(v.Notes, fmt.Sprintf("not audited: %s to be upgraded, and what went over them is not recorded: %s", connections(r.Upgraded), trace.Requests(r.Upgraded)))
	}
	if n := len(r.Unanswered); n > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%s not answered at all: %s", count(n, "request was", "requests were"), trace.Requests(r.Unanswered)))
	}
}

func connections(upgraded []uint64) string {
	return count(len(upgraded), "connection asked", "connections asked")
}

// complete counts that nothing was forgotten. A failure is a mistake of the verifier's, which must not become an accept.
func (d *decider) complete(r *reexec.Result) error {
	h := r.History
	all := len(d.in.Trace.Exchanges) - len(r.Lost) - len(r.Upgraded)
	if h == nil || len(h.Requests) != all+len(d.in.Advice.Lives) || len(r.Lanes) != len(h.Requests) {
		return fmt.Errorf("verdict: re-execution does not account for every request")
	}
	if r.Stats.Requests != all {
		return fmt.Errorf("verdict: %d of %d requests were re-executed", r.Stats.Requests, all)
	}
	seen := make([]bool, len(d.in.Trace.Exchanges))
	for i := range h.Requests {
		q := &h.Requests[i]
		if q.Init {
			continue
		}
		x := d.in.Trace.Find(q.RID)
		if x < 0 || seen[x] {
			return fmt.Errorf("verdict: request %d was re-executed twice, or is none", q.RID)
		}
		seen[x] = true
		if e := &d.in.Trace.Exchanges[x]; (e.HasResponse || e.PartlyAnswered()) && h.Shapes[q.Shape].Responds < 0 {
			return fmt.Errorf("verdict: re-execution does not say when request %d was answered", q.RID)
		}
	}
	for x, ok := range seen {
		if e := &d.in.Trace.Exchanges[x]; !slices.Contains(r.Upgraded, e.RID) && (!e.HasResponse && !e.Aborted || !ok && (e.HasResponse || e.PartlyAnswered())) {
			return fmt.Errorf("verdict: request %d was not audited", e.RID)
		}
	}
	return nil
}

// problem explains what re-execution found.
func (d *decider) problem(v *Verdict, p *reexec.Problem) {
	v.Rule, v.Message, v.RID, v.Expected, v.Found = p.Rule, p.Message, p.RID, p.Expected, p.Found
	v.Request = d.request(p.RID)
	if p.Req < 0 {
		return
	}
	if p.Req == 0 {
		v.Message = "when the app starts: " + v.Message
	}
	stack := p.Stack
	if d.together != nil {
		v.Position = d.position(stack)
		return
	}
	if x := d.explain(reexec.LaneOf{Life: p.Life, Req: p.Req}); x != nil && x.Problem != nil && x.Problem.Stack != "" {
		stack = x.Problem.Stack
	}
	v.Position = d.position(stack)
}

// violation explains what the order check found.
func (d *decider) violation(v *Verdict, r *reexec.Result, o *order.Violation) {
	h := r.History
	at := func(op order.Op) *manifest.Position {
		if op.Index < 0 {
			return nil
		}
		a, _, num := h.At(op)
		x := d.explain(r.Lanes[a.Req])
		if x == nil {
			return nil
		}
		for _, s := range x.Stacks {
			if s.Act == a.Act && s.Num == num && s.Write == op.Write {
				if p := d.position(s.Text); p != nil {
					return p
				}
			}
		}
		return nil
	}
	n := order.Names{
		Request: func(i int32) string { return d.name(h.Requests[i].RID, h.Requests[i].Init) },
		Loc:     d.locations(r),
		Op: func(op order.Op) string {
			if p := at(op); p != nil {
				return " at " + p.String()
			}
			return ""
		},
	}
	v.Rule = string(o.Rule)
	v.Message = o.Explain(h, n)
	switch {
	case len(o.Cycle) > 0:
		for i, s := range o.Cycle {
			step := Step{Why: s.Why, From: Turn{h.Requests[s.From.Req].RID, s.From.Act}, To: Turn{h.Requests[s.To.Req].RID, s.To.Act}, Message: o.Sentence(h, n, i)}
			if len(s.Ops) > 0 {
				step.Location = n.Loc(s.Loc)
				op := s.Ops[1]
				if s.Why == order.RW {
					op = s.Ops[0]
				}
				step.At = at(op)
			}
			v.Cycle = append(v.Cycle, step)
		}
		first := o.Cycle[0].From
		v.RID = h.Requests[first.Req].RID
		v.Handler = fmt.Sprintf("turn %d", first.Act)
		for i := range v.Cycle {
			if v.Position = v.Cycle[i].At; v.Position != nil {
				break
			}
		}
	case len(o.Ops) > 0:
		a, _, _ := h.At(o.Ops[0])
		v.RID = h.Requests[a.Req].RID
		v.Handler = fmt.Sprintf("turn %d", a.Act)
		v.Position = at(o.Ops[0])
	case o.Log >= 0:
		v.RID = h.Requests[h.Logged[o.Log].Req].RID
	}
	v.Request = d.request(v.RID)
}

// explain re-executes a request with stacks, once. It helps a reader, so that its failures are not failures.
func (d *decider) explain(l reexec.LaneOf) *reexec.Explained {
	if d.explainer == nil || d.in.Sources == nil {
		return nil
	}
	x, ok := d.explained[l]
	if !ok && len(d.explained) < maxExplained {
		x, _ = d.explainer.Explain(d.ctx, l.Life, l.Req)
		if d.explained == nil {
			d.explained = map[reexec.LaneOf]*reexec.Explained{}
		}
		d.explained[l] = x
	}
	return x
}

// maxExplained bounds how many requests are run again for the sake of a message.
const maxExplained = 16

func (d *decider) position(stack string) *manifest.Position {
	if d.in.Sources == nil || stack == "" {
		return nil
	}
	p, ok := d.in.Sources.Locate(stack)
	if !ok {
		return nil
	}
	return &p
}

// name speaks of a request: request 12 (POST /getdate).
func (d *decider) name(rid uint64, init bool) string {
	if init {
		return "the app's start"
	}
	if line := d.request(rid); line != "" {
		return fmt.Sprintf("request %d (%s)", rid, line)
	}
	return fmt.Sprintf("request %d", rid)
}

// request is a request's line, shortened, without anything that could upset a terminal.
func (d *decider) request(rid uint64) string {
	i := d.in.Trace.Find(rid)
	if i < 0 {
		return ""
	}
	q := &d.in.Trace.Exchanges[i].Request
	return printable(q.Method+" "+q.Target, 80)
}

// locations names the history's locations. Those that the advice defines are told by their keys; others are told by
// what is known.
func (d *decider) locations(r *reexec.Result) func(loc int32) string {
	root := d.onlyObject()
	return func(loc int32) string {
		l, ok := r.Location(loc)
		if !ok {
			return "a location"
		}
		var object string
		k, init := l.Obj.Init()
		switch {
		case init && int64(k) == root && d.in.Manifest != nil && len(d.in.Manifest.Annotations) == 1:
			object = d.in.Manifest.Annotations[0].Name
			if l.Key == record.Name("v") && d.in.Manifest.Annotations[0].Kind != "const" {
				return object
			}
		case init:
			object = fmt.Sprintf("object %d of the app's start", k)
		default:
			object = fmt.Sprintf("object %d", l.Obj)
		}
		switch l.Key.KeyKind {
		case record.ShapeKey:
			return "the keys of " + object
		case record.AllKey:
			return "the elements of " + object
		case record.StringKey:
			return object + "[" + printable(fmt.Sprintf("%q", l.Key.Str), 80) + "]"
		}
		return object + "[" + keyText(l.Key) + "]"
	}
}

// onlyObject is the number of the one object of the app's start that the advice says anything of, or -1. If there is
// one annotation, it is what that declares.
func (d *decider) onlyObject() int64 {
	only := int64(-1)
	for _, l := range d.in.Advice.Lives {
		for _, loc := range l.Locations {
			if k, init := loc.Obj.Init(); init && int64(k) != only {
				if only >= 0 {
					return -1
				}
				only = int64(k)
			}
		}
	}
	return only
}

func keyText(k record.Key) string {
	switch k.Kind {
	case record.Int, record.Double:
		return fmt.Sprint(k.Value().Float())
	case record.Bool:
		return fmt.Sprint(k.Num != 0)
	case record.RefValue:
		return "an object"
	case record.BigInt:
		return k.Str + "n"
	}
	return k.Kind.String()
}

// printable shortens s and replaces what is no character to show.
func printable(s string, max int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > max {
			b.WriteString("…")
			break
		}
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e' {
			r = '\uFFFD'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package reexec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"karousosc/verifier/rule"
)

// A worker runs groups on an engine of its own.
type worker struct {
	a    *Audit
	e    Engine
	life int32 // whose init e has run
	ran  int   // groups that count and that e ran
	used bool  // e ran something since it was last asked what that changed
	// unseen are those of them that e ran since it was last asked what they changed, owed
	// those of which engines died that never were.
	unseen, owed []group
	b            *builder
	st           Stats
	whole        map[uint32]*wants // by tag
	ordered      map[uint32]bool   // by tag: re-execution's own order of turns did not do
}

// wants is what is known of requests of one kind: that the next jobs had better be whole, and how many will have to be
// if the one that is tried then wants more, too.
type wants struct{ now, next int }

func (w *worker) close() {
	w.drop()
	if len(w.owed) > 0 {
		w.a.blind.Store(true)
	}
	w.a.mu.Lock()
	defer w.a.mu.Unlock()
	s := &w.a.stats
	s.Groups += w.st.Groups
	s.Widest = max(s.Widest, w.st.Widest)
	s.Jobs += w.st.Jobs
	s.Splits += w.st.Splits
	s.Lone += w.st.Lone
	s.Failures += w.st.Failures
	s.JobBytes += w.st.JobBytes
	s.JobTime += w.st.JobTime
	s.RunTime += w.st.RunTime
	s.AddTime += w.st.AddTime
	s.EngineCPU += w.st.EngineCPU
	for r, n := range w.st.Reasons {
		if s.Reasons == nil {
			s.Reasons = map[string]int{}
		}
		s.Reasons[r] += n
	}
}

func (w *worker) drop() {
	if w.e == nil {
		return
	}
	w.owed = append(w.owed, w.unseen...)
	w.ran, w.used, w.unseen = 0, false, nil
	w.e.Close()
	if c, ok := w.e.(interface{ CPU() time.Duration }); ok {
		w.st.EngineCPU += c.CPU()
	}
	w.e = nil
}

func (w *worker) work(ctx context.Context) error {
	for !w.a.stop.Load() && ctx.Err() == nil {
		i := w.a.next.Add(1) - 1
		if i >= int64(len(w.a.queue)) {
			break
		}
		if err := w.group(ctx, w.a.queue[i]); err != nil {
			return err
		}
	}
	_, err := w.look(ctx)
	return err
}

// ready starts an engine and runs init on it, unless that has been done. ok is false if init itself ended the audit.
func (w *worker) ready(ctx context.Context, number int32) (ok bool, err error) {
	if w.e != nil && w.life == number {
		return true, nil
	}
	if found, err := w.look(ctx); found || err != nil {
		return false, err
	}
	w.drop()
	l := w.a.lives[number]
	if w.b == nil || w.b.l != l {
		w.b = newBuilder(w.a.t, l)
	}
	if w.e, err = w.a.opt.Start(ctx); err != nil {
		w.e = nil
		if ctx.Err() != nil {
			return false, nil
		}
		return false, fmt.Errorf("the verifier's build cannot be started: %w", err)
	}
	w.life = number
	r, err := w.run(ctx, []lane{0}, true)
	switch {
	case ctx.Err() != nil:
		return false, nil
	case err != nil:
		w.a.doubt("the app's start cannot be re-executed: " + err.Error())
		return false, nil
	case r.diverged:
		w.a.doubt("the app's start cannot be re-executed: " + r.why)
		return false, nil
	case w.a.beyond(r.problems):
		return false, nil
	case len(r.problems) > 0:
		w.a.reject(w.problem(0, r.problems[0]))
		w.a.stop.Store(true)
		return false, nil
	}
	// The first engine's init counts. That the others do the same is what lets groups run anywhere.
	did := r.fingerprint()
	w.a.mu.Lock()
	first := w.a.initDid[number]
	w.a.initDid[number] = did
	w.a.mu.Unlock()
	switch first {
	case "":
		err := w.a.c.add(number, []lane{0}, true, w.b.tables(), r)
		return err == nil, err
	case did:
		return w.again(ctx, number)
	}
	w.a.doubt("the app does different things each time that it starts, so its start cannot be re-executed")
	return false, nil
}

// fingerprint tells results of the same job apart.
func (r *result) fingerprint() string {
	return fmt.Sprint(r.start, r.parents, r.responds, r.loaded, r.ops, r.keys)
}

// group re-executes one group to the end, in as many parts as it takes.
func (w *worker) group(ctx context.Context, g group) error {
	l := w.a.lives[g.life]
	if len(g.lanes) == 0 {
		_, err := w.ready(ctx, g.life)
		return err
	}
	todo := w.parts(l, g.lanes)
	for len(todo) > 0 && !w.a.stop.Load() && ctx.Err() == nil {
		lanes := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n := len(lanes); n > 1 && n < w.a.opt.MinGroup {
			for i := n - 1; i >= 0; i-- {
				todo = append(todo, lanes[i:i+1])
			}
			continue
		}
		if ok, err := w.ready(ctx, g.life); !ok || err != nil {
			return err
		}
		r, err := w.run(ctx, lanes, false)
		lone := len(lanes) == 1
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, errTooLong) && !lone:
			todo = append(todo, halves(lanes)...)
		case err != nil && lone:
			rid := l.Requests[lanes[0]].RID
			w.a.doubt(fmt.Sprintf("request %d cannot be re-executed: %v", rid, err), rid)
		case err != nil:
			w.st.Failures++
			w.st.because(err.Error())
			todo = append(todo, halves(lanes)...)
		case w.a.beyond(onlyShared(r.problems)):
			// Whatever else is run of them would find what this run left.
		case (len(r.problems) > 0 || r.diverged && lone) && !l.ordered[lanes[0]] && slices.ContainsFunc(lanes, l.hasTurns):
			w.st.because("the event loop ran their turns in another order")
			w.ordered[l.Requests[lanes[0]].Tag] = true
			todo = append(todo, l.byCourse(lanes)...)
		case r.diverged && lone:
			rid := l.Requests[lanes[0]].RID
			w.a.doubt(fmt.Sprintf("request %d cannot be re-executed: %s", rid, r.why), rid)
		case r.diverged:
			w.st.Splits++
			w.st.because(r.why)
			todo = append(todo, split(lanes, r.parts)...)
		case lone && w.a.beyond(r.problems, l.Requests[lanes[0]].RID):
		case len(r.problems) > 0 && lone:
			w.a.reject(w.problem(lanes[0], r.problems[0]))
		case len(r.problems) > 0 && w.a.accused.Load():
			// Nothing more is held against anybody.
		case len(r.problems) > 0:
			w.st.because(r.problems[0].Rule + ": " + r.problems[0].Msg)
			todo = append(todo, w.apart(lanes, r.problems)...)
		default:
			began := time.Now()
			if err := w.a.c.add(g.life, lanes, false, w.b.tables(), r); err != nil {
				return err
			}
			w.st.AddTime += time.Since(began)
			w.ran++
			w.unseen = append(w.unseen, group{g.life, lanes})
			w.st.Groups++
			w.st.Widest = max(w.st.Widest, len(lanes))
			if done := w.a.done.Add(int64(len(lanes))); w.a.opt.Progress != nil {
				w.a.opt.Progress(int(done), w.a.total)
			}
			if lone && w.a.tooMany(w.a.alone.Add(1)) {
				w.a.scattered(w.st.mostly())
				return nil
			}
			if early(w.ran) {
				if found, err := w.look(ctx); found || err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// parts are those of a group with which to begin. That a client left is a turn that re-execution has only in the server's
// own order.
func (w *worker) parts(l *life, lanes []lane) [][]lane {
	if w.ordered == nil {
		w.ordered = map[uint32]bool{}
	}
	if w.a.opt.Ordered || w.ordered[l.Requests[lanes[0]].Tag] {
		return l.byCourse(lanes)
	}
	var left, stayed []lane
	for _, q := range lanes {
		if l.left(q) {
			left = append(left, q)
		} else {
			stayed = append(stayed, q)
		}
	}
	parts := l.byCourse(left)
	if len(stayed) > 0 {
		parts = append(parts, stayed)
	}
	return parts
}

func onlyShared(problems []problem) []problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p problem) bool { return p.Rule != rule.Shared })
}

// errTooLong: a job would be longer than is good.
var errTooLong = errors.New("its job would be too long for the engine")

// wantsMore is what the runtime says of a job that leaves out what it needs.
const wantsMore = "the job leaves out what is needed"

// run runs some lanes, with a whole job if one that leaves something out does not do. An engine that failed is dropped.
func (w *worker) run(ctx context.Context, lanes []lane, init bool) (*result, error) {
	kind := w.b.l.Requests[lanes[0]].Tag // requests of one kind need alike
	if w.whole == nil {
		w.whole = map[uint32]*wants{}
	}
	known := w.whole[kind]
	if known == nil {
		known = &wants{}
		w.whole[kind] = known
	}
	w.b.whole = init || w.b.explain || known.now > 0
	if w.b.whole {
		known.now--
		return w.job(ctx, lanes, init)
	}
	r, err := w.job(ctx, lanes, init)
	if err != nil || r.why != wantsMore {
		known.next = 0
		return r, err
	}
	known.now, known.next = known.next, min(2*known.next+1, 63)
	w.b.whole = true
	return w.job(ctx, lanes, init)
}

// job runs one job.
func (w *worker) job(ctx context.Context, lanes []lane, init bool) (*result, error) {
	began := time.Now()
	id := w.a.jobIDs.Add(1)
	job := w.b.build(id, lanes, init, w.a.opt.MaxJob)
	w.st.JobTime += time.Since(began)
	if job == nil {
		return nil, errTooLong
	}
	w.used = w.used || !init
	w.st.Jobs++
	w.st.JobBytes += int64(len(job))
	began = time.Now()
	out, err := w.e.Run(ctx, job)
	w.st.RunTime += time.Since(began)
	if err != nil {
		if w.a.opt.Survives == nil || !w.a.opt.Survives(err) {
			w.drop()
		}
		return nil, err
	}
	began = time.Now()
	text := unsafe.String(unsafe.SliceData(out), len(out))
	r, err := parseResult(text)
	w.st.AddTime += time.Since(began)
	if err == nil && r.id != id {
		err = anotherJob(id, r.id)
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	if r.upgrades {
		w.a.upgrades.Store(true)
	}
	return r, nil
}

func anotherJob(asked, answered int64) error {
	return fmt.Errorf("the engine answered job %d as job %d", asked, answered)
}

func halves(lanes []lane) [][]lane {
	m := len(lanes) / 2
	return [][]lane{lanes[m:], lanes[:m]}
}

// split parts lanes by class, in halves if the classes are not known or say nothing.
func split(lanes []lane, class []int32) [][]lane {
	if len(class) != len(lanes) {
		return halves(lanes)
	}
	index := map[int32]int{}
	var parts [][]lane
	for i, c := range class {
		at, ok := index[c]
		if !ok {
			at = len(parts)
			index[c] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], lanes[i])
	}
	if len(parts) == 1 {
		return halves(lanes)
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return parts
}

// apart takes the lanes with problems out of a group, to be run first and alone. A problem may be told of the wrong
// lane, or of one lane for all; that is why the others do not go on in one piece.
func (w *worker) apart(lanes []lane, problems []problem) [][]lane {
	bad := make([]bool, len(lanes))
	for _, p := range problems {
		if p.Lane >= 0 && p.Lane < len(bad) {
			bad[p.Lane] = true
		}
	}
	var alone [][]lane
	var rest []lane
	for i := len(lanes) - 1; i >= 0; i-- {
		if bad[i] {
			alone = append(alone, lanes[i:i+1])
			w.st.Lone++
		}
	}
	for i, q := range lanes {
		if !bad[i] {
			rest = append(rest, q)
		}
	}
	var parts [][]lane
	switch {
	case len(alone) == 0 || len(rest) > 1:
		for _, h := range halves(rest) {
			if len(h) > 0 {
				parts = append(parts, h)
			}
		}
	case len(rest) == 1:
		parts = append(parts, rest)
	}
	return append(parts, alone...)
}

// problem turns what the runtime says of a lone request into evidence.
func (w *worker) problem(q lane, p problem) *Problem {
	l := w.a.lives[w.life]
	return &Problem{
		Rule: p.Rule, RID: l.Requests[q].RID, Life: l.number, Req: q, Message: p.Msg,
		Expected: shown(p.Expected), Found: shown(p.Found), Stack: p.Stack,
	}
}

// shown undoes the JSON around what the runtime has already written for people.
func shown(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

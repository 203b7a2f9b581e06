package reexec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"karousosc/verifier/advice"
	"karousosc/verifier/rule"
	"karousosc/verifier/trace"
)

// Together re-executes the requests of each life in one engine, in the order in which the server says that its event
// loop ran their turns. It is for what groups cannot follow: closures, promises or sockets that requests share, and
// shared state that nobody found. Whoever's order it is, an execution in which every turn was due, every request was
// answered as the trace says, and none was answered before a request that the trace has after it, is one that the
// program could have had; so nothing needs to be said about state, and logs of it are not looked at.
//
// It costs about what it costs to run the program again.
func (a *Audit) Together(ctx context.Context) (*Result, error) {
	return a.upgradable(a.together(ctx))
}

func (a *Audit) together(ctx context.Context) (*Result, error) {
	if r := a.before(true); r != nil {
		return r, nil
	}
	a.problems, a.undecided, a.stats = nil, nil, Stats{}
	a.done.Store(0)
	a.total = 0
	for _, l := range a.lives {
		a.total += len(l.Requests) - 1
	}
	// answered is the turn in which each exchange was answered, arrived that in which it began; they count over all
	// lives, from 1.
	arrived, answered := make([]int, len(a.t.Exchanges)), make([]int, len(a.t.Exchanges))
	turn := 0
	for _, l := range a.lives {
		if len(a.problems) > 0 || a.undecided != nil {
			break
		}
		w := &worker{a: a, life: l.number, b: newBuilder(a.t, l)}
		err := w.together(ctx, turn, arrived, answered)
		w.close()
		if err != nil {
			return nil, err
		}
		turn += len(l.Turns) + 1
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	switch {
	case len(a.problems) > 0:
		r := a.rejected(a.problems[0])
		r.Together = true
		return r, nil
	case a.undecided != nil:
		return &Result{Undecided: a.undecided, Stats: a.stats}, nil
	}
	if p, err := inTime(a.t, a.lives, a.upgraded, arrived, answered); p != nil || err != nil {
		return &Result{Problem: p, Stats: a.stats, Together: true}, err
	}
	a.stats.Requests, a.stats.Groups = a.total, len(a.lives)
	return &Result{Together: true, Stats: a.stats, Unanswered: a.unanswered, Lost: a.lost}, nil
}

// inTime checks that the order of the turns is one for what the collector saw.
func inTime(t *trace.Trace, lives []*life, upgraded []uint64, arrived, answered []int) (*Problem, error) {
	lifeOf := make([]int32, len(t.Exchanges))
	for _, l := range lives {
		for q := 1; q < len(l.Requests); q++ {
			lifeOf[l.exchange[q]] = l.number
		}
	}
	latest, by := 0, uint64(0)
	for _, e := range t.Events {
		x := &t.Exchanges[e.Exchange]
		switch e.Kind {
		case trace.AbortEvent:
			// What of an answer the client had, the program had sent.
			if answered[e.Exchange] > latest && x.PartlyAnswered() {
				latest, by = answered[e.Exchange], x.RID
			}
		case trace.ResponseEvent:
			if answered[e.Exchange] == 0 {
				if slices.Contains(upgraded, x.RID) {
					continue
				}
				return nil, fmt.Errorf("request %d was never answered in joint re-execution", x.RID)
			}
			if answered[e.Exchange] > latest {
				latest, by = answered[e.Exchange], x.RID
			}
		case trace.RequestEvent:
			if at := arrived[e.Exchange]; at > 0 && at <= latest {
				return &Problem{Rule: rule.Turn, RID: x.RID, Life: lifeOf[e.Exchange], Req: -1, Message: fmt.Sprintf(
					"the server says that it got this request before it answered request %d, but the client of that one had the answer before this one was sent", by)}, nil
			}
		}
	}
	return nil, nil
}

// Turns of a job are written as [kind, request, activation or request's data].
const (
	turnFired = iota
	turnArrived
	turnBody
)

// A job of joint re-execution has so many turns, and is not much longer than so many bytes.
const (
	togetherTurns = 2000
	togetherBytes = 4 << 20
)

// together runs one life whose turns are counted from first.
func (w *worker) together(ctx context.Context, first int, arrived, answered []int) error {
	l := w.b.l
	later := make([]int32, len(l.Requests))
	late := make([]bool, len(l.Requests))
	for _, t := range l.Turns {
		if t.Kind != advice.Arrived {
			later[t.Req]++
		}
		if t.Kind == advice.Body {
			late[t.Req] = true
		}
	}
	var err error
	if w.e, err = w.a.opt.Start(ctx); err != nil {
		w.e = nil
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("the verifier's build cannot be started: %w", err)
	}
	// Init's load is the first turn.
	id := w.a.jobIDs.Add(1)
	b, n, from := w.b.openTogether(id), 0, 0
	b = w.b.arrival(b, 0, later[0], false)
	for i := 0; ; i++ {
		n++
		last := i == len(l.Turns)
		if last || n == togetherTurns || len(b) > togetherBytes {
			answers, ok, err := w.turns(ctx, id, append(b, fmt.Sprintf(`],"last":%t}`, last)...))
			if !ok {
				return err
			}
			for k := 0; k+1 < len(answers); k += 2 {
				q, at := answers[k], int(answers[k+1])
				if q <= 0 || int(q) >= len(l.Requests) || at < 0 || at >= n {
					return errors.New("the engine answered a request that is none")
				}
				answered[l.exchange[q]] = first + from + at + 1
				w.a.done.Add(1)
			}
			if w.a.opt.Progress != nil {
				w.a.opt.Progress(int(w.a.done.Load()), w.a.total)
			}
			if last {
				return nil
			}
			from += n
			id = w.a.jobIDs.Add(1)
			b, n = w.b.openTogether(id), 0
		} else {
			b = append(b, ',')
		}
		switch t := l.Turns[i]; t.Kind {
		case advice.Arrived:
			arrived[l.exchange[t.Req]] = first + i + 2
			b = w.b.arrival(b, t.Req, later[t.Req], late[t.Req])
		case advice.Fired:
			b = fmt.Appendf(b, "[%d,%d,%d]", turnFired, t.Req, t.Act)
		case advice.Body:
			b = fmt.Appendf(b, "[%d,%d,0]", turnBody, t.Req)
		}
	}
}

// turns runs one job. ok is false if it ended the audit, or there is an error.
func (w *worker) turns(ctx context.Context, id int64, job []byte) (answers []int32, ok bool, err error) {
	w.st.Jobs++
	w.st.JobBytes += int64(len(job))
	began := time.Now()
	out, err := w.e.Run(ctx, job)
	w.st.RunTime += time.Since(began)
	switch {
	case ctx.Err() != nil:
		return nil, false, nil
	case err != nil:
		w.a.doubt("the requests cannot be re-executed together: " + err.Error())
		return nil, false, nil
	}
	r, err := parseResult(unsafe.String(unsafe.SliceData(out), len(out)))
	switch {
	case err != nil:
		return nil, false, err
	case r.id != id:
		return nil, false, anotherJob(id, r.id)
	case r.diverged:
		w.a.doubt("the requests cannot be re-executed together: " + r.why)
		return nil, false, nil
	}
	if r.upgrades {
		w.a.upgrades.Store(true)
	}
	for i := range r.problems {
		p := &r.problems[i]
		if p.Lane < 0 || p.Lane >= len(w.b.l.Requests) {
			return nil, false, errors.New("the engine has a problem with a request that is none")
		}
		if p.Rule == rule.Unsupported || p.Rule == rule.Shared {
			w.a.beyond(r.problems[i:], w.b.l.Requests[p.Lane].RID)
			return nil, false, nil
		}
	}
	if len(r.problems) > 0 {
		w.a.reject(w.problem(lane(r.problems[0].Lane), r.problems[0]))
		return nil, false, nil
	}
	return r.answers, true, nil
}

// openTogether begins a job of joint re-execution.
func (j *builder) openTogether(id int64) []byte {
	return fmt.Appendf(nil, `{"id":%d,"n":1,"init":false,"together":true,"turns":[`, id)
}

// arrival writes the turn in which request q begins: what it is, what is recorded of it, how many turns come later, and
// whether its body comes in one of them.
func (j *builder) arrival(b []byte, q lane, later int32, late bool) []byte {
	b = fmt.Appendf(b, `[%d,%d,{"turns":%d,"late":%t`, turnArrived, q, later, late)
	if q == 0 {
		b = j.l.appendEnv(b)
	} else {
		j.of = append(j.of[:0], &j.t.Exchanges[j.l.exchange[q]])
		b = j.request(b, []lane{q})
		b = j.expect(b, []lane{q})
	}
	acts := j.l.acts(q)
	j.actOf, j.actsAt = j.actOf[:0], append(j.actsAt[:0], 0)
	b = append(b, `,"acts":`...)
	for i, a := range acts {
		j.actOf = append(j.actOf, int32(i))
		b = fmt.Appendf(append(b, sep(i)), "[%d,%d,%d]", a.Parent, a.Op, a.Firing)
	}
	b = j.results(append(b, ']'), []lane{q})
	return append(b, '}', ']')
}

package reexec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
)

// A puppet is an engine that says what a test wants it to.
type puppet func(job string) (string, error)

func (p puppet) Run(_ context.Context, job []byte) ([]byte, error) {
	out, err := p(string(job))
	return []byte(out), err
}

func (p puppet) Close() error { return nil }

// jointly re-executes what servers report of n requests each, which were answered in the turns in which they came.
func jointly(t *testing.T, says puppet, change func(tr *trace.Trace, lives []*advice.Life), lives, n int) (res *Result, started int, err error) {
	t.Helper()
	s := sample(n)
	all := &advice.Advice{Lives: []*advice.Life{s.Life}}
	for len(all.Lives) < lives {
		next := fake.New()
		next.Trace = s.Trace
		for range n {
			next.Serve("GET x")
		}
		all.Lives = append(all.Lives, next.Life)
	}
	for _, l := range all.Lives {
		for q := 1; q < len(l.Requests); q++ {
			l.Turns = append(l.Turns, advice.Turn{Req: int32(q), Kind: advice.Arrived})
		}
	}
	if change != nil {
		change(s.Trace, all.Lives)
	}
	a := New(s.Trace, all, Options{Start: func(context.Context) (Engine, error) { started++; return says, nil }})
	res, err = a.Together(context.Background())
	return res, started, err
}

// say answers each job alike; a $ is the job's number.
func say(text string) puppet {
	return func(job string) (string, error) {
		id, _, _ := strings.Cut(strings.TrimPrefix(job, `{"id":`), ",")
		return strings.Replace(text, "$", id, 1), nil
	}
}

const honestly = `{"id":$,"ok":true,"answers":[1,1,2,2,3,3],"problems":[]}`

func TestJointly(t *testing.T) {
	res, _, err := jointly(t, say(honestly), nil, 2, 3)
	if err != nil || res.Problem != nil || res.Undecided != nil || !res.Together || res.Stats.Requests != 6 {
		t.Errorf("%+v %v", res, err)
	}
}

// The order of the turns is the server's, but not against what the collector saw.
func TestTurnsOfAnotherTime(t *testing.T) {
	for _, c := range []struct {
		name, answers string
		change        func(tr *trace.Trace)
		rid           uint64
	}{
		{"an answer when the next request had come", "[1,2,2,2,3,3]", nil, 2},
		{"an answer at the end", "[1,3,2,2,3,3]", nil, 2},
		{"an answer after the next but one", "[1,1,2,3,3,3]", nil, 3},
		{"what a client had of an answer before it left", "[1,2,2,2,3,3]", func(tr *trace.Trace) {
			tr.Exchanges[0].Aborted, tr.Exchanges[0].HasResponse = true, false
			tr.Events[1].Kind = trace.AbortEvent
		}, 2},
	} {
		res, _, err := jointly(t, say(`{"id":1,"ok":true,"answers":`+c.answers+`}`), func(tr *trace.Trace, _ []*advice.Life) {
			if c.change != nil {
				c.change(tr)
			}
		}, 1, 3)
		if err != nil || res.Problem == nil || res.Problem.Rule != "R-turn" || res.Problem.RID != c.rid || res.History != nil {
			t.Errorf("%s: %+v %v", c.name, res, err)
		}
	}
	// A client that left without any of it, and one that came later anyway, say nothing.
	for name, change := range map[string]func(tr *trace.Trace){
		"a client that had nothing": func(tr *trace.Trace) {
			x := &tr.Exchanges[0]
			x.Aborted, x.HasResponse, x.Response = true, false, trace.Response{}
			tr.Events[1].Kind = trace.AbortEvent
		},
		"two at a time": func(tr *trace.Trace) { tr.Events[1], tr.Events[2] = tr.Events[2], tr.Events[1] },
	} {
		res, _, err := jointly(t, say(`{"id":1,"ok":true,"answers":[1,2,2,2,3,3]}`), func(tr *trace.Trace, _ []*advice.Life) { change(tr) }, 1, 3)
		if err != nil || res.Problem != nil || res.Undecided != nil {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
}

func TestJointProblems(t *testing.T) {
	for _, c := range []struct{ name, says, rule string }{
		{"a response", `{"id":1,"problems":[{"lane":2,"rule":"R-response","msg":"m"}]}`, "R-response"},
		{"what has no model, after what is wrong", `{"id":1,"problems":[{"lane":1,"rule":"R-response"},{"lane":2,"rule":"R-unsupported","msg":"no model"}]}`, ""},
		{"what is shared all the same", `{"id":1,"problems":[{"lane":2,"rule":"R-shared","msg":"no model"}]}`, ""},
		{"lanes that part ways", `{"id":1,"ok":false,"diverged":{"why":"no model"}}`, ""},
	} {
		res, started, err := jointly(t, say(c.says), nil, 2, 3)
		switch {
		case err != nil || started != 1:
			t.Errorf("%s: %v; %d engines", c.name, err, started)
		case c.rule != "" && (res.Problem == nil || res.Problem.Rule != c.rule || res.Problem.RID != 2 || !res.Together):
			t.Errorf("%s: %+v", c.name, res)
		case c.rule == "" && (res.Problem != nil || res.Undecided == nil || !strings.Contains(res.Undecided.Message, "no model")):
			t.Errorf("%s: %+v", c.name, res)
		}
	}
	res, _, err := jointly(t, func(string) (string, error) { return "", errors.New("it died") }, nil, 2, 3)
	if err != nil || res.Undecided == nil || !strings.Contains(res.Undecided.Message, "it died") {
		t.Errorf("an engine that dies: %+v %v", res, err)
	}
	res, _, err = jointly(t, say(honestly), func(_ *trace.Trace, lives []*advice.Life) {
		lives[0].Requests = append(lives[0].Requests, lives[0].Requests[1])
	}, 1, 3)
	if err != nil || res.Problem == nil || res.Problem.Rule != "A2" {
		t.Errorf("a request twice: %+v %v", res, err)
	}
}

// What an engine must not be taken at its word for.
func TestJointResultsThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":                         {`{"id":1`, "cannot be read"},
		"an answer of init":               {`{"id":1,"ok":true,"answers":[0,1,1,1,2,2,3,3]}`, "answered a request that is none"},
		"an answer of a request too many": {`{"id":1,"ok":true,"answers":[4,1,1,1,2,2,3,3]}`, "answered a request that is none"},
		"an answer before the job":        {`{"id":1,"ok":true,"answers":[1,-1,2,2,3,3]}`, "answered a request that is none"},
		"an answer after the job":         {`{"id":1,"ok":true,"answers":[1,1,2,2,3,4]}`, "answered a request that is none"},
		"no answer":                       {`{"id":1,"ok":true,"answers":[1,1,3,3]}`, "never answered"},
		"no answers":                      {`{"id":1,"ok":true}`, "never answered"},
		"a problem of request -1":         {`{"id":1,"problems":[{"lane":-1,"rule":"R-response"}]}`, "a problem with a request that is none"},
		"a problem of one too many":       {`{"id":1,"problems":[{"lane":4,"rule":"R-response"}]}`, "a problem with a request that is none"},
		"a job that was not asked for":    {`{"id":2,"ok":true,"answers":[1,1,2,2,3,3]}`, "answered job 1 as job 2"},
	} {
		if res, _, err := jointly(t, say(c.text), nil, 1, 3); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v %v, want %s", name, res, err, c.says)
		}
	}
	a := New(sample(3).Trace, sample(3).Advice(), Options{Start: func(context.Context) (Engine, error) { return nil, errors.New("no such build") }})
	if res, err := a.Together(context.Background()); err == nil || !strings.Contains(err.Error(), "no such build") {
		t.Errorf("no engine: %+v %v", res, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if res, err := a.Together(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v %v", res, err)
	}
}

// Long jobs are cut, and turns count on.
func TestJointJobsThatAreCut(t *testing.T) {
	const n = togetherTurns + 500
	jobs := 0
	says := func(job string) (string, error) {
		jobs++
		from, to := 1, togetherTurns
		if strings.HasSuffix(job, `"last":true}`) {
			from, to = togetherTurns, n+1
		}
		var answers []string
		for q := from; q < to; q++ {
			answers = append(answers, fmt.Sprintf("%d,%d", q, q%togetherTurns))
		}
		return fmt.Sprintf(`{"id":%d,"ok":true,"answers":[%s]}`, jobs, strings.Join(answers, ",")), nil
	}
	res, _, err := jointly(t, says, nil, 1, n)
	if err != nil || res.Problem != nil || res.Undecided != nil || jobs != 2 {
		t.Errorf("%+v %v, %d jobs", res, err, jobs)
	}
}

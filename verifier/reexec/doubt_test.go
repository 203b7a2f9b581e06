package reexec

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
)

// accusing is a fake engine that has a problem with all requests for a target.
func accusing(target, rule string) Options {
	return Options{MaxGroup: 1, Start: spoiling(func(j *fake.Job, out map[string]any) {
		if !j.Init && !j.Look && string(j.Req.URL) == `"/`+target+`"` {
			out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": rule, "msg": "it is wrong", "expected": "this", "found": "that"}}
		}
	})}
}

// leave makes the client of request i (from 0) leave without any of an answer.
func leave(s *fake.Server, i int) {
	x := &s.Trace.Exchanges[i]
	x.Aborted, x.HasResponse, x.Response = true, false, trace.Response{}
	for k := range s.Trace.Events {
		if e := &s.Trace.Events[k]; e.Exchange == int32(i) && e.Kind == trace.ResponseEvent {
			e.Kind = trace.AbortEvent
		}
	}
}

// What groups hold against some requests is for joint re-execution to confirm; all else rejects.
func TestWhatGroupsCannotJudge(t *testing.T) {
	turns := func(kinds ...advice.TurnKind) func(s *fake.Server) {
		return func(s *fake.Server) {
			s.Life.Turns = []advice.Turn{{Req: 2, Kind: advice.Arrived}}
			for _, k := range kinds {
				s.Life.Turns = append(s.Life.Turns, advice.Turn{Req: 2, Kind: k})
			}
		}
	}
	for _, c := range []struct {
		name, rule string
		change     func(s *fake.Server)
		says       string // "": it rejects
		confirms   bool   // the problem is told on
	}{
		{"an ordinary request", "R-response", func(*fake.Server) {}, "", false},
		{"its client left", "R-response", func(s *fake.Server) { leave(s, 1) }, "the client of request 2 left", false},
		{"another client left", "R-response", func(s *fake.Server) { leave(s, 0) }, "", false},
		{"its body came first", "R-response", turns(advice.Body, advice.Fired), "", false},
		{"its body came later", "R-response", turns(advice.Fired, advice.Body), "the body of request 2 came", true},
		{"its body came later, and its clock is wrong", "R-nondet", turns(advice.Fired, advice.Body), "the body of request 2 came", true},
		{"its body came later, and something is left over", "R-leftover", turns(advice.Fired, advice.Body), "the body of request 2 came", true},
		{"its body came later, and a turn is wrong", "R-turn", turns(advice.Fired, advice.Body), "the body of request 2 came", true},
		{"its body came later, and it wrote something else", "R-value", turns(advice.Fired, advice.Body), "", false},
		{"its body came in pieces", "R-response", func(s *fake.Server) {
			turns(advice.Body)(s)
			s.Trace.Exchanges[1].Request.Body = make([]byte, wholeBody+2)
			s.Life.Requests[2].Chunks = []int32{wholeBody + 1, 1}
		}, "the body of request 2 came", true},
		{"it shares something", "R-shared", func(*fake.Server) {}, "it is wrong", false},
	} {
		s := fake.New()
		s.Serve("GET a")
		s.Serve("GET b")
		c.change(s)
		res, err := New(s.Trace, s.Advice(), accusing("b", c.rule)).Run(t.Context())
		u := res.Undecided
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says == "" && (res.Problem == nil || res.Problem.RID != 2 || res.Problem.Rule != c.rule):
			t.Errorf("%s: %+v", c.name, res)
		case c.says != "" && (res.Problem != nil || u == nil || !u.Together || !strings.Contains(u.Message, c.says) || fmt.Sprint(u.Requests) != "[2]" || (u.Problem != nil) != c.confirms):
			t.Errorf("%s: %+v %+v", c.name, res, u)
		}
	}
}

// A problem of a group counts for nothing, not even where its lanes' clients left or their bodies came late.
func TestLateLanesOfAGroup(t *testing.T) {
	s := fake.New()
	for range 4 {
		s.Serve("GET a")
	}
	leave(s, 1)
	s.Life.Turns = []advice.Turn{{Req: 1, Kind: advice.Arrived}, {Req: 1}, {Req: 1, Kind: advice.Body}}
	r := run{engine: fake.Engine{Nervous: true}}
	res, v := r.audit(t, s)
	if bad := accepted(res, v, 4); bad != "" {
		t.Error(bad)
	}
}

// What the runtime has no model of rejects nobody; what is shared may be followed by joint re-execution, whichever of
// the two is told first.
func TestBeyondTheModel(t *testing.T) {
	for _, c := range []struct {
		rules    []string
		together bool
	}{
		{[]string{"R-unsupported"}, false},
		{[]string{"R-response", "R-unsupported"}, false},
		{[]string{"R-shared"}, true},
		{[]string{"R-response", "R-shared"}, true},
	} {
		for _, when := range []string{"init", "a request", "a look"} {
			s := sample(3)
			res, err := New(s.Trace, s.Advice(), Options{MaxGroup: 1, Start: spoiling(func(j *fake.Job, out map[string]any) {
				if j.Init != (when == "init") || j.Look != (when == "a look") {
					return
				}
				var problems []any
				for _, r := range c.rules {
					problems = append(problems, map[string]any{"lane": 0, "rule": r, "msg": r, "stack": "at x"})
				}
				out["ok"], out["problems"] = false, problems
			})}).Run(t.Context())
			if u := res.Undecided; err != nil || res.Problem != nil || u == nil || u.Together != c.together || u.Message != c.rules[len(c.rules)-1] || u.Stack != "at x" {
				t.Errorf("%v in %s: %+v %v", c.rules, when, res, err)
			}
		}
	}
}

// What one request did without a model is no excuse for another that is wrong, unless they share something.
func TestBeyondTheModelOfAnother(t *testing.T) {
	for rule, excused := range map[string]bool{"R-unsupported": false, "R-shared": true} {
		s := fake.New()
		s.Serve("GET a")
		s.Serve("GET b")
		res, err := New(s.Trace, s.Advice(), Options{MaxGroup: 1, Start: spoiling(func(j *fake.Job, out map[string]any) {
			switch string(j.Req.URL) {
			case `"/a"`:
				out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": "R-response", "msg": "wrong"}}
			case `"/b"`:
				out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": rule, "msg": "no model"}}
			}
		})}).Run(t.Context())
		if err != nil || (res.Problem == nil) != excused || (res.Undecided != nil && res.Undecided.Together) != excused {
			t.Errorf("%s: %+v %v", rule, res, err)
		}
	}
}

// Where something is held against the server, a client that left may be why, but only then.
func TestProblemsAfterAClientLeft(t *testing.T) {
	for _, rule := range []string{"", "R-response"} {
		s := fake.New()
		s.Serve("GET a")
		s.Serve("GET b")
		leave(s, 0)
		s.Life.Requests[1].Acts = append(s.Life.Requests[1].Acts, advice.Act{Parent: 0, Op: leaving})
		s.Life.Turns = []advice.Turn{{Req: 1, Act: 1}}
		opt := Options{Start: func(context.Context) (Engine, error) { return &fake.Engine{}, nil }}
		if rule != "" {
			opt = accusing("b", rule)
		}
		res, err := New(s.Trace, s.Advice(), opt).Run(t.Context())
		u := res.Undecided
		switch {
		case err != nil || res.Problem != nil:
			t.Errorf("%q: %+v %v", rule, res, err)
		case rule == "" && res.History == nil, rule != "" && (u == nil || !u.Together || u.Message != "the program may have heard that a client left"):
			t.Errorf("%q: %+v", rule, u)
		}
	}
}

// Once something is held against the server, the other groups run all the same, but are not taken apart any more.
func TestGroupsAfterAProblem(t *testing.T) {
	s := fake.New()
	for range 10 {
		s.Serve("GET k")
		s.Serve("POST k v")
	}
	s.Trace.Exchanges[2].Response.Body = []byte("forged")
	s.Trace.Exchanges[3].Response.Body = []byte("forged")
	alone, others := 0, 0
	res, err := New(s.Trace, s.Advice(), Options{Start: spoiling(func(j *fake.Job, out map[string]any) {
		switch {
		case j.Init || j.Look:
		case j.N == 1:
			alone++
		case string(j.Req.Method) == `"POST"`:
			others++
		}
	})}).Run(t.Context())
	if err != nil || res.Problem == nil || res.Problem.RID != 3 || alone != 1 || others != 1 {
		t.Errorf("%+v %v; %d requests ran alone, and the other group %d times", res, err, alone, others)
	}
}

// What is held against a request proves nothing where another group says that requests share what groups do not follow,
// whichever of them was first.
func TestSharedAfterAProblem(t *testing.T) {
	s := fake.New()
	for range 10 {
		s.Serve("GET k")
		s.Serve("POST k v")
	}
	s.Trace.Exchanges[2].Response.Body = []byte("forged")
	res, err := New(s.Trace, s.Advice(), Options{Start: spoiling(func(j *fake.Job, out map[string]any) {
		if !j.Init && !j.Look && string(j.Req.Method) == `"POST"` {
			out["problems"] = []map[string]any{{"lane": 0, "rule": "R-response", "msg": "another answer"}, {"lane": 0, "rule": "R-shared", "msg": "a secret"}}
		}
	})}).Run(t.Context())
	if err != nil || res.Problem != nil || res.Undecided == nil || !res.Undecided.Together || res.Undecided.Message != "a secret" {
		t.Errorf("%+v %v", res, err)
	}
}

// What is wrong with the app's start is held against the server.
func TestProblemsOfTheStart(t *testing.T) {
	s := sample(3)
	requests := 0
	res, err := New(s.Trace, s.Advice(), Options{Start: spoiling(func(j *fake.Job, out map[string]any) {
		if j.Init {
			out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": "R-value", "msg": "m"}}
		} else if !j.Look {
			requests++
		}
	})}).Run(t.Context())
	if err != nil || res.Problem == nil || res.Problem.Rule != "R-value" || res.Problem.Req != 0 || requests > 0 {
		t.Errorf("%+v %v; %d requests ran", res, err, requests)
	}
}

// What the server says cannot be logged is left to joint re-execution, and so is an answer of which a client had a part;
// what it says cannot be audited is not.
func TestWhatIsLeftToJointReexecution(t *testing.T) {
	part := func(s *fake.Server) {
		leave(s, 1)
		s.Trace.Exchanges[1].Response = trace.Response{Status: 200, Body: []byte("no")}
	}
	shared := func(s *fake.Server) {
		s.Life.Unauditable = append(s.Life.Unauditable, advice.Unauditable{Req: 3, Reason: "a closure", Shared: true})
	}
	for _, c := range []struct {
		name     string
		change   func(s *fake.Server)
		together bool
		message  string
		requests string
	}{
		{"shared state", shared, true, "what happened cannot be logged: a closure", "[3]"},
		{"a part of an answer", part, true, "a client left when it had a part of its answer", "[2]"},
		{"headers of an answer", func(s *fake.Server) {
			leave(s, 1)
			s.Trace.Exchanges[1].Response.Headers = []trace.Header{{Name: "A", Value: "b"}}
		}, true, "a client left when it had a part of its answer", "[2]"},
		{"both", func(s *fake.Server) { part(s); shared(s) }, true, "what happened cannot be logged: a closure", "[3]"},
		{"both, and what cannot be audited", func(s *fake.Server) {
			part(s)
			shared(s)
			s.Life.Unauditable = append(s.Life.Unauditable, advice.Unauditable{Req: 1, Reason: "a worker"})
		}, false, "some requests cannot be audited: a worker", "[1]"},
		{"what cannot be audited, in several places", func(s *fake.Server) {
			for _, req := range []int32{2, 1, 2, 1, 1} {
				s.Life.Unauditable = append(s.Life.Unauditable, advice.Unauditable{Req: req, Reason: "a worker"})
			}
		}, false, "some requests cannot be audited: a worker", "[1 2]"},
		{"what the collector could not record", func(s *fake.Server) {
			s.Trace.Exchanges[2].Unaudited, s.Trace.Exchanges[2].Note = true, "too large"
			shared(s)
		}, false, "some requests cannot be audited: request 3: too large", "[3]"},
	} {
		s := sample(4)
		c.change(s)
		res, err := New(s.Trace, s.Advice(), Options{Start: func(context.Context) (Engine, error) { return &fake.Engine{}, nil }}).Run(t.Context())
		if u := res.Undecided; err != nil || u == nil || u.Together != c.together || u.Message != c.message || fmt.Sprint(u.Requests) != c.requests {
			t.Errorf("%s: %+v %v", c.name, res, err)
		}
	}
	// Joint re-execution does not give up because of them.
	for name, change := range map[string]func(s *fake.Server){"shared state": shared, "a part of an answer": part} {
		s := sample(4)
		change(s)
		for q := range int32(4) {
			s.Life.Turns = append(s.Life.Turns, advice.Turn{Req: q + 1, Kind: advice.Arrived})
		}
		start := func(context.Context) (Engine, error) {
			return say(`{"id":$,"ok":true,"answers":[1,1,2,2,3,3,4,4]}`), nil
		}
		res, err := New(s.Trace, s.Advice(), Options{Start: start}).Together(t.Context())
		if err != nil || res.Undecided != nil || res.Problem != nil || !res.Together {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
}

// upgrading is a server of which a second client asked for another protocol; the advice says nothing of that one.
func upgrading(answered bool) *fake.Server {
	s := fake.New()
	s.Serve("GET a")
	s.Serve("GET socket")
	s.Serve("GET b")
	x := &s.Trace.Exchanges[1]
	x.Request.Headers = []trace.Header{{Name: "connection", Value: "upgrade"}, {Name: "upgrade", Value: "websocket"}}
	x.Response = trace.Response{Status: http.StatusBadRequest}
	if !answered {
		x.HasResponse, x.Aborted, x.Unaudited, x.Response.Status = false, true, true, http.StatusSwitchingProtocols
		s.Trace.Events[3].Kind = trace.AbortEvent
	}
	s.Life.Requests = append(s.Life.Requests[:2], s.Life.Requests[3])
	return s
}

// Connections that changed their protocol are not audited, if the program listens for them.
func TestUpgrades(t *testing.T) {
	listening := func(yes bool) Options {
		return Options{Start: spoiling(func(j *fake.Job, out map[string]any) { out["upgrades"] = yes })}
	}
	jointly := func(yes bool) Options {
		return Options{Start: func(context.Context) (Engine, error) {
			return say(fmt.Sprintf(`{"id":$,"ok":true,"upgrades":%t,"answers":[1,1,2,2]}`, yes)), nil
		}}
	}
	for _, answered := range []bool{true, false} {
		for _, together := range []bool{true, false} {
			audit := func(s *fake.Server, opt, joint Options) *Result {
				t.Helper()
				var res *Result
				var err error
				if together {
					s.Life.Turns = []advice.Turn{{Req: 1, Kind: advice.Arrived}, {Req: 2, Kind: advice.Arrived}}
					res, err = New(s.Trace, s.Advice(), joint).Together(t.Context())
				} else {
					res, err = New(s.Trace, s.Advice(), opt).Run(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			what := fmt.Sprintf("answered %t, together %t", answered, together)
			if r := audit(upgrading(answered), listening(true), jointly(true)); r.Problem != nil || r.Undecided != nil || fmt.Sprint(r.Upgraded) != "[2]" || !together && len(r.History.Events) != 4 {
				t.Errorf("%s: %+v", what, r)
			}
			if r := audit(upgrading(answered), listening(false), jointly(false)); r.Problem == nil || r.Problem.Rule != "A2" || r.Problem.RID != 2 || !strings.Contains(r.Problem.Message, "does not listen") {
				t.Errorf("%s, and the program does not listen: %+v", what, r)
			}
			// What is wrong anyway is told first.
			s := upgrading(answered)
			s.Trace.Exchanges[2].Response.Body = []byte("forged")
			wrong := Options{Start: func(context.Context) (Engine, error) {
				return say(`{"id":1,"problems":[{"lane":2,"rule":"R-response"}]}`), nil
			}}
			if r := audit(s, listening(false), wrong); r.Problem == nil || r.Problem.Rule != "R-response" {
				t.Errorf("%s, and a forged answer: %+v", what, r)
			}
		}
	}
	none := Options{Start: func(context.Context) (Engine, error) { return nil, errors.New("no such build") }}
	if res, err := New(upgrading(true).Trace, upgrading(true).Advice(), none).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no such build") {
		t.Errorf("without an engine: %+v %v", res, err)
	}
	// A request that the program answered cannot have been upgraded.
	s := upgrading(false)
	s.Life.Requests[2].RID = 2
	s.Trace.Exchanges = s.Trace.Exchanges[:2]
	s.Trace.Events = s.Trace.Events[:4]
	r := run{}
	if res, _ := r.audit(t, s); res.Undecided == nil || fmt.Sprint(res.Undecided.Requests) != "[2]" || !strings.Contains(res.Undecided.Message, "an ordinary request") {
		t.Errorf("a request that the advice has: %+v", res)
	}
}

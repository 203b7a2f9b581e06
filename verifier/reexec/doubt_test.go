package reexec

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
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

// Where a group has problems, its requests are re-executed with their turns in the server's own order, those together
// that have the same; from then on all of their kind are. Those whose clients left are at once, each for itself.
func TestTurnsInTheServersOrder(t *testing.T) {
	fired, body := advice.Turn{Kind: advice.Fired, Act: 1}, advice.Turn{Kind: advice.Body}
	for _, c := range []struct {
		name  string
		kinds string // of turns, by request: b(ody), f(ired), l(eft), or none (-)
		bad   bool   // re-execution's own order does not do
		want  string // jobs: how many lanes, and in which order
	}{
		{"nothing is wrong", "bf bf fb fb", false, "4"},
		{"turns, but the others", "bf bf fb fb", true, "4 2[1 -1] 2[-1 1]"},
		{"a body of its own", "b b - -", true, "4 2[] 2[-1]"},
		{"no turns", "- - - -", false, "4"},
		{"clients that left", "- l l b", false, "2 1[1] 1[1]"},
		{"clients that left, and turns", "bf l l bf", true, "2 2[-1 1] 1[1] 1[1]"},
	} {
		s := fake.New()
		for i, kinds := range strings.Fields(c.kinds) {
			s.Serve("GET a")
			q := &s.Life.Requests[i+1]
			q.Acts = append(q.Acts, advice.Act{Parent: 0, Op: 5})
			s.Life.Turns = append(s.Life.Turns, advice.Turn{Req: int32(i + 1), Kind: advice.Arrived})
			for _, k := range kinds {
				turn := map[rune]advice.Turn{'b': body, 'f': fired, 'l': fired}[k]
				if k == '-' {
					continue
				}
				if k == 'l' {
					q.Acts[1].Op = leaving
				}
				turn.Req = int32(i + 1)
				s.Life.Turns = append(s.Life.Turns, turn)
			}
			if !strings.ContainsAny(kinds, "fl") {
				q.Acts = q.Acts[:1]
			}
		}
		var jobs []string
		res, err := New(s.Trace, s.Advice(), Options{Start: spoiling(func(j *fake.Job, out map[string]any) {
			if j.Init || j.Look {
				return
			}
			if job := strconv.Itoa(j.N); j.Course == nil {
				jobs = append(jobs, job)
			} else {
				jobs = append(jobs, job+fmt.Sprint(j.Course))
			}
			if c.bad && j.Course == nil {
				out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": "R-response", "msg": "it is wrong"}}
			}
		})}).Run(t.Context())
		if got := strings.Join(jobs, " "); err != nil || res.History == nil || got != c.want {
			t.Errorf("%s: %q, want %q; %+v %v", c.name, got, c.want, res, err)
		}
	}
}

// Requests of a kind that once had to follow the server's order do so at once.
func TestTurnsOfOneKind(t *testing.T) {
	s := fake.New()
	for i := range int32(6) {
		s.Serve("GET a")
		s.Life.Turns = append(s.Life.Turns, advice.Turn{Req: i + 1, Kind: advice.Arrived}, advice.Turn{Req: i + 1, Kind: advice.Body})
	}
	own, followed := 0, 0
	res, err := New(s.Trace, s.Advice(), Options{Workers: 1, MaxGroup: 2, Start: spoiling(func(j *fake.Job, out map[string]any) {
		switch {
		case j.Init || j.Look:
		case j.Course == nil:
			own++
			out["diverged"] = map[string]any{"why": "it waits for something", "parts": nil}
			out["problems"] = []any{map[string]any{"lane": 0, "rule": "R-response", "msg": "it is wrong"}}
		default:
			followed++
		}
	})}).Run(t.Context())
	if err != nil || res.History == nil || own != 1 || followed != 3 {
		t.Errorf("%d groups in their own order, %d in the server's: %+v %v", own, followed, res, err)
	}
}

// What is wrong in the server's own order, too, is held against the server.
func TestWrongInTheServersOrder(t *testing.T) {
	for _, rule := range []string{"R-response", "R-leftover", "R-value"} {
		s := fake.New()
		s.Serve("GET a")
		s.Serve("GET b")
		s.Life.Turns = []advice.Turn{{Req: 2, Kind: advice.Arrived}, {Req: 2, Kind: advice.Body}}
		leave(s, 1)
		res, err := New(s.Trace, s.Advice(), accusing("b", rule)).Run(t.Context())
		if err != nil || res.Problem == nil || res.Problem.RID != 2 || res.Problem.Rule != rule {
			t.Errorf("%s: %+v %v", rule, res, err)
		}
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

// What the server says cannot be logged is left to joint re-execution; what it says cannot be audited is not.
func TestWhatIsLeftToJointReexecution(t *testing.T) {
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
		{"both", func(s *fake.Server) {
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
	// Joint re-execution does not give up because of it.
	s := sample(4)
	shared(s)
	for q := range int32(4) {
		s.Life.Turns = append(s.Life.Turns, advice.Turn{Req: q + 1, Kind: advice.Arrived})
	}
	start := func(context.Context) (Engine, error) {
		return say(`{"id":$,"ok":true,"answers":[1,1,2,2,3,3,4,4]}`), nil
	}
	res, err := New(s.Trace, s.Advice(), Options{Start: start}).Together(t.Context())
	if err != nil || res.Undecided != nil || res.Problem != nil || !res.Together {
		t.Errorf("%+v %v", res, err)
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

package reexec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/order"
	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
)

// sample is an honest run: n requests over a few keys.
func sample(n int) *fake.Server {
	s := fake.New()
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < n; i++ {
		if key := r.IntN(7); r.IntN(3) == 0 {
			s.Serve(fmt.Sprintf("POST k%d v%d", key, i))
		} else {
			s.Serve(fmt.Sprintf("GET k%d", key))
		}
	}
	return s
}

type run struct {
	engine fake.Engine
	opt    Options
	jobs   atomic.Int64
}

// audit re-executes and, if that finds nothing, checks the order.
func (r *run) audit(t *testing.T, s *fake.Server) (*Result, *order.Violation) {
	t.Helper()
	r.opt.Start = func(context.Context) (Engine, error) {
		e := r.engine
		e.Jobs = &r.jobs
		return &e, nil
	}
	res, err := New(s.Trace, s.Advice(), r.opt).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if res.History == nil {
		return res, nil
	}
	v, err := order.Check(res.History)
	if err != nil {
		t.Fatal(err)
	}
	return res, v
}

func accepted(res *Result, v *order.Violation, requests int) string {
	switch {
	case res.Problem != nil:
		return res.Problem.Rule + " " + res.Problem.Message
	case res.Undecided != nil:
		return res.Undecided.Message
	case v != nil:
		return v.Explain(res.History, order.Names{})
	case res.Stats.Requests != requests:
		return fmt.Sprintf("%d requests", res.Stats.Requests)
	}
	return ""
}

func TestHonest(t *testing.T) {
	for _, opt := range []Options{{}, {Workers: 3}, {MaxGroup: 7}, {MaxGroup: 1}, {MinGroup: 1000, MostAlone: 1000}, {MaxJob: 600}} {
		r := run{opt: opt}
		res, v := r.audit(t, sample(300))
		if bad := accepted(res, v, 300); bad != "" {
			t.Errorf("%+v: %s", opt, bad)
		}
		if res.Stats.Failures > 0 {
			t.Errorf("%+v: the engine failed at %d jobs", opt, res.Stats.Failures)
		}
		if opt.MaxGroup == 7 && res.Stats.Widest > 7 {
			t.Errorf("a group of %d", res.Stats.Widest)
		}
	}
}

func TestTagsNeverMatter(t *testing.T) {
	for name, tag := range map[string]func(i int, r *advice.Request){
		"all equal": func(i int, r *advice.Request) { r.Tag = 7 },
		"random":    func(i int, r *advice.Request) { r.Tag = rand.Uint32N(5) },
		"none":      func(i int, r *advice.Request) { r.HasTag = false },
	} {
		s := sample(100)
		for i := range s.Life.Requests {
			tag(i, &s.Life.Requests[i])
		}
		r := run{opt: Options{Workers: 2, MostAlone: 1000}}
		res, v := r.audit(t, s)
		if bad := accepted(res, v, 100); bad != "" {
			t.Errorf("%s: %s", name, bad)
		}
	}
}

// Where hardly any requests run in groups, all of them are run together.
func TestScattered(t *testing.T) {
	s := sample(300)
	for i := range s.Life.Requests {
		s.Life.Requests[i].HasTag = false
	}
	r := run{opt: Options{MostAlone: 100}}
	if res, _ := r.audit(t, s); res.Undecided == nil || !res.Undecided.Together || r.jobs.Load() > 170 {
		t.Errorf("%+v", res)
	}
	few := fake.New()
	for i := range 12 {
		few.Serve("GET k")
		few.Life.Requests[i+1].HasTag = false
	}
	r = run{opt: Options{MostAlone: 10}}
	if res, _ := r.audit(t, few); res.Undecided == nil || !res.Undecided.Together || r.jobs.Load() != 1+10 {
		t.Errorf("%+v after %d jobs", res, r.jobs.Load())
	}
	for i := range s.Life.Requests[:240] {
		s.Life.Requests[i].Tag, s.Life.Requests[i].HasTag = 1, true
	}
	r = run{opt: Options{MostAlone: 100}}
	res, v := r.audit(t, s)
	if bad := accepted(res, v, 300); bad != "" {
		t.Errorf("one in five alone: %s", bad)
	}
}

// A group of two is one, and those in company are not alone.
func TestSmallGroups(t *testing.T) {
	s := fake.New()
	for i := range 110 {
		s.Serve("GET k")
		s.Life.Requests[i+1].Tag = uint32(min(i, 80) / 2)
		s.Life.Requests[i+1].HasTag = i < 80
	}
	r := run{opt: Options{MostAlone: 10}}
	res, v := r.audit(t, s)
	if bad := accepted(res, v, 110); bad != "" || res.Stats.Groups != 40+30 {
		t.Errorf("%s: %+v", bad, res.Stats)
	}
}

func TestOneEngineThatTellsNonsenseOfGroups(t *testing.T) {
	r := run{opt: Options{MostAlone: 1000}, engine: fake.Engine{Nervous: true}}
	res, v := r.audit(t, sample(100))
	if bad := accepted(res, v, 100); bad != "" {
		t.Error(bad)
	}
	if res.Stats.Lone == 0 {
		t.Error("nothing was run alone")
	}
}

func TestBrokenEngines(t *testing.T) {
	r := run{engine: fake.Engine{Breaks: func(j *fake.Job) bool { return j.N > 10 }}}
	res, v := r.audit(t, sample(100))
	if bad := accepted(res, v, 100); bad != "" || res.Stats.Failures == 0 {
		t.Errorf("groups that are too much for the engine: %s %+v", bad, res.Stats)
	}
	// What the first three groups changed shows when they run again, if the engine dies of the fourth.
	died := 0
	once := func(j *fake.Job) bool {
		if !j.Init && died >= 0 {
			died++
		}
		if died == 4 {
			died = -1
			return true
		}
		return false
	}
	r = run{opt: Options{MaxGroup: 5, Workers: 1}, engine: fake.Engine{Breaks: once}}
	res, v = r.audit(t, sample(100))
	if bad := accepted(res, v, 100); bad != "" || res.Stats.Failures != 1 {
		t.Errorf("an engine that dies with what groups changed: %s %+v", bad, res.Stats)
	}
	died = 0
	var answers string
	third := func(j *fake.Job) bool {
		if j.Init {
			return false
		}
		if j.ID == 4 {
			answers = string(j.Expect.Body)
		}
		return answers != "" && string(j.Expect.Body) == answers
	}
	r = run{opt: Options{MaxGroup: 5, Workers: 1}, engine: fake.Engine{Breaks: once, Shares: third}}
	if res, _ := r.audit(t, sample(100)); res.Undecided == nil || !res.Undecided.Together {
		t.Errorf("an engine that dies with what groups share: %+v", res)
	}
	// Nobody knows it if they then fail.
	jobs := 0
	r = run{opt: Options{MaxGroup: 5, Workers: 1}, engine: fake.Engine{Breaks: func(j *fake.Job) bool { jobs++; return jobs == 5 || jobs == 8 }}}
	if res, _ := r.audit(t, sample(100)); res.Undecided == nil || !res.Undecided.Together {
		t.Errorf("engines that die with what groups changed: %+v", res)
	}
	r = run{engine: fake.Engine{Breaks: func(j *fake.Job) bool { return strings.Contains(string(j.Req.Body), "v57") }}}
	s := sample(57)
	s.Serve("POST k1 v57")
	s.Serve("GET k1")
	res, _ = r.audit(t, s)
	if res.Undecided == nil || fmt.Sprint(res.Undecided.Requests) != "[58]" {
		t.Errorf("a request that the engine dies of: %+v", res)
	}
	r = run{engine: fake.Engine{Breaks: func(j *fake.Job) bool { return j.Init }}}
	if res, _ = r.audit(t, s); res.Undecided == nil {
		t.Errorf("an init that the engine dies of: %+v", res)
	}
}

// absent lets request 5 find a key of the map absent.
func absent(s *fake.Server, key record.Key) {
	of, shape, w := s.Life.Locations[0].Obj, int32(len(s.Life.Locations)), int32(len(s.Life.Writes))
	s.Life.Locations = append(s.Life.Locations, advice.Location{Obj: of, Key: record.Key{KeyKind: record.ShapeKey}}, advice.Location{Obj: of, Key: key})
	s.Life.Writes = append(s.Life.Writes, advice.Write{Req: 5, Op: 9, Loc: shape, Prev: -1}, advice.Write{Req: -1, Loc: shape + 1, Prev: -1, Absence: true, Shape: w})
	s.Life.Reads = append(s.Life.Reads, advice.Read{Req: 5, Write: w + 1})
}

func TestDishonest(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *fake.Server)
		rule   string
	}{
		{"a response body", func(s *fake.Server) { s.Trace.Exchanges[40].Response.Body = []byte("forged") }, "R-response"},
		{"a response header", func(s *fake.Server) { s.Trace.Exchanges[40].Response.Headers[0].Value = "forged" }, "R-response"},
		{"a logged value", func(s *fake.Server) { s.Life.Writes[3].Value = record.Text("forged") }, "R-"},
		{"a read left out", func(s *fake.Server) { s.Life.Reads = s.Life.Reads[1:] }, "R-response"},
		{"a read twice", func(s *fake.Server) { s.Life.Reads = append(s.Life.Reads, s.Life.Reads[0]) }, "R-leftover"},
		{"a write moved to another request", func(s *fake.Server) { s.Life.Writes[3].Req++ }, "R"},
		{"a write under another number", func(s *fake.Server) { s.Life.Writes[3].Op = 2 }, "R-leftover"},
		{"a request that the trace lacks", func(s *fake.Server) {
			s.Life.Requests = append(s.Life.Requests, advice.Request{RID: 999, Acts: s.Life.Requests[1].Acts})
		}, "A1"},
		{"a request twice", func(s *fake.Server) { s.Life.Requests = append(s.Life.Requests, s.Life.Requests[1]) }, "A2"},
		{"a request left out", func(s *fake.Server) {
			s.Serve("GET nothing")
			s.Life.Requests = s.Life.Requests[:len(s.Life.Requests)-1]
		}, "A2"},
		{"a request left out whose client had a part of the answer", func(s *fake.Server) {
			s.Serve("GET nothing")
			part := s.Trace.Exchanges[len(s.Trace.Exchanges)-1].Response
			leave(s, len(s.Trace.Exchanges)-1)
			s.Trace.Exchanges[len(s.Trace.Exchanges)-1].Response = part
			s.Life.Requests = s.Life.Requests[:len(s.Life.Requests)-1]
		}, "A2"},
		{"an activation without entries", func(s *fake.Server) {
			s.Life.Requests[5].Acts = append(s.Life.Requests[5].Acts[:1:1], advice.Act{Parent: 0, Op: 1})
		}, "A3"},
		{"a location without writes", func(s *fake.Server) {
			s.Life.Locations = append(s.Life.Locations, advice.Location{Obj: record.InitRef(0), Key: record.Name("x")})
		}, "A4"},
		{"a first location without writes", func(s *fake.Server) {
			s.Life.Locations = append([]advice.Location{{Obj: record.InitRef(0), Key: record.Name("x")}}, s.Life.Locations...)
			for i := range s.Life.Writes {
				s.Life.Writes[i].Loc++
			}
		}, "A4"},
		{"pieces of a body", func(s *fake.Server) { s.Life.Requests[5].Chunks = []int32{1000, 1} }, "A5"},
		{"an empty piece of a body", func(s *fake.Server) {
			s.Trace.Exchanges[4].Request.Body = make([]byte, 70_000)
			s.Life.Requests[5].Chunks = []int32{70_000, 0}
		}, "A5"},
		{"a small piece of a body", func(s *fake.Server) {
			s.Trace.Exchanges[4].Request.Body = make([]byte, 70_000)
			s.Life.Requests[5].Chunks = []int32{1, 69_999}
		}, "A5"},
		{"an absence as of another key", func(s *fake.Server) {
			w := int32(len(s.Life.Writes))
			s.Life.Writes = append(s.Life.Writes, advice.Write{Req: -1, Loc: s.Life.Writes[0].Loc, Prev: -1, Absence: true, Shape: 0})
			s.Life.Reads = append(s.Life.Reads, advice.Read{Req: 5, Write: w})
		}, "A6"},
		{"an absence as of another object's shape", func(s *fake.Server) {
			shape, w := int32(len(s.Life.Locations)), int32(len(s.Life.Writes))
			s.Life.Locations = append(s.Life.Locations, advice.Location{Obj: record.InitRef(77), Key: record.Key{KeyKind: record.ShapeKey}})
			s.Life.Writes = append(s.Life.Writes, advice.Write{Req: 5, Op: 9, Loc: shape, Prev: -1}, advice.Write{Req: -1, Loc: s.Life.Writes[0].Loc, Prev: -1, Absence: true, Shape: w})
			s.Life.Reads = append(s.Life.Reads, advice.Read{Req: 5, Write: w + 1})
		}, "A6"},
		{"an absence of a shape", func(s *fake.Server) { absent(s, record.Key{KeyKind: record.ShapeKey}) }, "A6"},
		{"an absence of all elements", func(s *fake.Server) { absent(s, record.Key{KeyKind: record.AllKey}) }, "A6"},
		{"an absence that nobody looked for", func(s *fake.Server) {
			shape, w := int32(len(s.Life.Locations)), int32(len(s.Life.Writes))
			s.Life.Locations = append(s.Life.Locations, advice.Location{Obj: s.Life.Locations[0].Obj, Key: record.Key{KeyKind: record.ShapeKey}})
			s.Life.Writes = append(s.Life.Writes, advice.Write{Req: 5, Op: 9, Loc: shape, Prev: -1}, advice.Write{Req: -1, Loc: s.Life.Writes[0].Loc, Prev: -1, Absence: true, Shape: w})
		}, "A6"},
		{"no answer", func(s *fake.Server) { s.Trace.Exchanges[5].HasResponse = false }, "A8"},
		{"another tag hides nothing", func(s *fake.Server) {
			for i := range s.Life.Requests {
				s.Life.Requests[i].Tag = 3
			}
			s.Trace.Exchanges[40].Response.Body = []byte("forged")
		}, "R-response"},
		{"a stale read", func(s *fake.Server) {
			s.Serve("POST old a")
			s.Serve("POST old b")
			s.Serve("GET old")
			s.Trace.Exchanges[len(s.Trace.Exchanges)-1].Response.Body = []byte("a")
			s.Life.Reads[len(s.Life.Reads)-1].Write--
		}, "R8"},
		{"a read of what was never there", func(s *fake.Server) {
			s.Serve("POST fresh a")
			s.Serve("GET fresh")
			s.Trace.Exchanges[len(s.Trace.Exchanges)-1].Response.Body = []byte("none")
			s.Life.Reads = s.Life.Reads[:len(s.Life.Reads)-1]
		}, "R8"},
		{"two unlogged writes", func(s *fake.Server) {
			n := len(s.Life.Writes)
			s.Serve("POST fresh a")
			s.Serve("POST fresh b")
			s.Life.Writes = s.Life.Writes[:n]
			s.Life.Locations = s.Life.Locations[:len(s.Life.Locations)-1]
		}, "R3"},
	} {
		for _, opt := range []Options{{}, {Workers: 2, MaxGroup: 5}} {
			s := sample(100)
			c.change(s)
			r := run{opt: opt}
			res, v := r.audit(t, s)
			switch {
			case res.Problem != nil && strings.HasPrefix(res.Problem.Rule, c.rule):
			case v != nil && strings.HasPrefix(string(v.Rule), c.rule):
			default:
				t.Errorf("%s: %q, want %s", c.name, accepted(res, v, len(s.Trace.Exchanges)), c.rule)
			}
		}
	}
}

func TestCannotAudit(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *fake.Server)
		rids   string
	}{
		{"the server says so", func(s *fake.Server) {
			s.Life.Unauditable = []advice.Unauditable{{Req: 3, Reason: "a socket is shared", Where: "app.js:1:2"}}
		}, "[3]"},
		{"an upgrade", func(s *fake.Server) { s.Trace.Exchanges[4].Unaudited = true }, "[5]"},
		{"a trace and advice that both end early", func(s *fake.Server) {
			s.Serve("GET nothing")
			s.Trace.Exchanges = s.Trace.Exchanges[:100]
			s.Trace.Events = s.Trace.Events[:200]
			s.Trace.Truncated = trace.NotClosed
		}, "[]"},
		{"truncated advice", func(s *fake.Server) {
			s.Serve("GET nothing")
			s.Life.Requests = s.Life.Requests[:len(s.Life.Requests)-1]
			s.Life.Complete = false
		}, "[101]"},
		{"a killed collector", func(s *fake.Server) {
			s.Arrive("GET nothing")
			s.Trace.Exchanges[100].HasResponse = false
			s.Trace.Truncated = trace.NotClosed
		}, "[101]"},
	} {
		s := sample(100)
		c.change(s)
		r := run{}
		res, _ := r.audit(t, s)
		if res.Undecided == nil || fmt.Sprint(res.Undecided.Requests) != c.rids {
			t.Errorf("%s: %+v %+v", c.name, res.Undecided, res.Problem)
		}
	}
}

// What of an answer a client had before it left must be what the program sent, and comes before what was asked later.
func TestPartOfAnAnswer(t *testing.T) {
	record := func() *fake.Server {
		s := fake.New()
		s.Serve("POST a 1")
		s.Serve("POST a 2")
		s.Serve("POST a 3")
		x := &s.Trace.Exchanges[1]
		x.Aborted, x.HasResponse, x.Response.Body = true, false, x.Response.Body[:1]
		s.Trace.Events[3].Kind = trace.AbortEvent
		return s
	}
	r := run{}
	if res, v := r.audit(t, record()); accepted(res, v, 3) != "" || res.Stats.Groups != 2 {
		t.Error(accepted(res, v, 3), res.Stats)
	}
	s := record()
	s.Trace.Exchanges[1].Response.Body = []byte("n")
	if res, _ := r.audit(t, s); res.Problem == nil || res.Problem.RID != 2 || res.Problem.Rule != "R-response" {
		t.Errorf("another part: %+v", res)
	}
	// The third request overwrote what the first wrote, and the second what the third did.
	s = record()
	w := s.Life.Writes
	w[1].Prev, w[2].Prev = 2, 0
	if res, v := r.audit(t, s); v == nil {
		t.Errorf("before what was asked later: %+v", res)
	}
	s.Trace.Exchanges[1].Response = trace.Response{} // nothing reached the client: then it may have been so
	if res, v := r.audit(t, s); accepted(res, v, 3) != "" {
		t.Error(accepted(res, v, 3))
	}
}

func TestRequestsThatWereNeverAnswered(t *testing.T) {
	s := sample(100)
	leave := func(i int) {
		s.Trace.Exchanges[i].Aborted, s.Trace.Exchanges[i].HasResponse = true, false
		s.Trace.Exchanges[i].Response = trace.Response{}
		s.Trace.Events[2*i+1].Kind = trace.AbortEvent
	}
	s.Serve("POST left x") // its client left, but it was carried out
	leave(100)
	s.Serve("GET left")
	s.Serve("GET lost") // never reached the server
	leave(102)
	s.Life.Requests = s.Life.Requests[:len(s.Life.Requests)-1]
	r := run{}
	res, v := r.audit(t, s)
	if bad := accepted(res, v, 102); bad != "" || fmt.Sprint(res.Unanswered, res.Lost) != "[101 103] [103]" {
		t.Error(bad, res.Unanswered, res.Lost)
	}
	// What the client did not wait for is no excuse for others.
	s.Trace.Exchanges[101].Response.Body = []byte("none")
	if res, _ := r.audit(t, s); res.Problem == nil || res.Problem.RID != 102 {
		t.Errorf("%+v", res)
	}
}

func TestExplain(t *testing.T) {
	s := sample(100)
	s.Trace.Exchanges[40].Response.Body = []byte("forged")
	var jobs atomic.Int64
	a := New(s.Trace, s.Advice(), Options{Start: func(context.Context) (Engine, error) { return &fake.Engine{Jobs: &jobs}, nil }})
	res, err := a.Run(context.Background())
	if err != nil || res.Problem == nil || res.Problem.RID != 41 {
		t.Fatal(res, err)
	}
	x, err := a.Explain(context.Background(), res.Problem.Life, res.Problem.Req)
	if err != nil || x.Problem == nil || x.Problem.Found != "forged" || len(x.Stacks) != 1 {
		t.Errorf("%+v %v", x, err)
	}
}

func TestResultsThatAreNone(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[]`, `{"id":1}x`, `{"ops":[1]}`, `{"ops":[1,2,3,4,5,6,7,8,9,99999999999]}`, `{"ok":false}`, `{"keys":[["#"]]}`, `{"keys":["\ud83"]}`,
		`{"ok":1}`, `{"id":1234567890123456}`, `{"ops":1}`, `{"ops":[0,1,2,3,4,5,6,7,8,2147483648]}`, `{"ops":[0,1,2,3,4,5,6,7,8,18446744073709551617]}`, `{"keys":[["#",1}]}`, `{"ops":[0,1,2,3,4,5,6,7,8,]}`, `{"x":,"id":1}`, `{"x":`, `{"diverged":nope}`, `{"diverged":n`,
		`{"keys":["\x"]}`, `{"keys":["\u12`, `{"keys":["\u12x4"]}`, `{"keys":["\`, `{"keys":["a`, `{"keys":[["!",1]]}`, `{"keys":[["#" 1]]}`, `{"keys":[["#",1,2]]}`, `{"keys":[1]}`, `{"acts":[1]}`,
		`{"ok":true]`, `{"x":}}`, `{"x":[}`, `{"ok" true}`, `{ok:true}`, `{"problems":[{"lane":"x"}]}`, `{"ops":[1,2,3,4,5,6,7,8,9]}`,
		`{"acts":[[1,]]}`, `{"problems":[1]}`, `{"keys":["` + "\n" + `"]}`, `{"a":]}`, `{"id":-}`,
	} {
		if r, err := parseResult(text); err == nil {
			t.Errorf("%s: %+v", text, r)
		}
	}
	for text, says := range map[string]string{
		`{"ok":1}`: "no boolean", `{"id":-}`: "no integer", `{"ops":1}`: "'['", `{"ops":[12345678901]}`: "no 32-bit", `{"keys":["` + "\n" + `"]}`: "a control character",
		`{"keys":["a`: "within a string", `{"keys":["\n`: "within a string", `{"keys":["\x"]}`: "unknown escape", `{"keys":["\u12`: "a short escape", `{"x":`: "within a value",
		`{"x":,}`: "a value is missing", `{"x":}}`: "brackets", `{"keys":[["#" 1]]}`: "unknown key", `{"problems":[1]}`: "a problem that is none", `{}x`: "after its end",
	} {
		if _, err := parseResult(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
	r, err := parseResult(`{"id":7,"ok":true,"diverged":{"why":"x","parts":[0,1]},"acts":[[],[0],[0,1]],"respAct":2,"ops":[],"new":{"a":[1,{"b":"}"}]},
		"keys":["a\nb\ud83d\ude00\ud800","\ud83dA\ud83d\ud83d\u0041\ud83d\ue000\ud83d\udfff\ud83d\udc00\u00e9",["shape"],["all"],["#",1.50],["#",["u"]],["#",["r",3]]],"problems":[],"stacks":[[0,1,2,1,"Error"]]}`)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%d %v %v %v %q %v", r.id, r.diverged, r.parts, r.parents, r.keys, r.stacks)
	want := `7 true [0 1] [0 0 1] ["sa\nb😀\xed\xa0\x80" "s\xed\xa0\xbdA\xed\xa0\xbd\xed\xa0\xbdA\xed\xa0\xbd\ue000\U0001f7ff🐀é" "S" "A" "#1.5" "#[\"u\"]" "#[\"r\",3]"] [{0 1 2 1 Error}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A group's results may be hostile: the program runs beside the runtime.
func FuzzResult(f *testing.F) {
	f.Add(`{"id":1,"ok":true,"acts":[[]],"ops":[0,0,0,-1,0,0,0,0,0,-1],"keys":["a"],"problems":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseResult(text)
		if err != nil {
			return
		}
		s := sample(3)
		lives := []*life{newLife(s.Life, 0)}
		newCollector(lives).add(0, []lane{1, 2}, false, tables{}, r)
	})
}

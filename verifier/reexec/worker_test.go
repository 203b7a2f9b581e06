package reexec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
)

// spoiling is a fake engine that answers some jobs otherwise than it would.
func spoiling(spoil func(j *fake.Job, out map[string]any)) func(context.Context) (Engine, error) {
	return func(ctx context.Context) (Engine, error) {
		e := &fake.Engine{}
		return puppet(func(job string) (string, error) {
			var j fake.Job
			if err := json.Unmarshal([]byte(job), &j); err != nil {
				return "", err
			}
			text, err := e.Run(ctx, []byte(job))
			if err != nil {
				return "", err
			}
			var out map[string]any
			if err := json.Unmarshal(text, &out); err != nil {
				return "", err
			}
			spoil(&j, out)
			text, err = json.Marshal(out)
			return string(text), err
		}), nil
	}
}

// An engine that does not answer what it was asked ends the audit without a verdict.
func TestEnginesThatAnswerSomethingElse(t *testing.T) {
	other := func(_ *fake.Job, out map[string]any) { out["id"] = 999 }
	for _, c := range []struct {
		name  string
		spoil func(j *fake.Job, out map[string]any)
		fails bool // the machinery, rather than to decide
		says  string
	}{
		{"another job", func(j *fake.Job, out map[string]any) {
			if !j.Look && !j.Init {
				other(j, out)
			}
		}, false, "cannot be re-executed: the engine answered job"},
		{"another init", func(j *fake.Job, out map[string]any) {
			if j.Init {
				other(j, out)
			}
		}, false, "the app's start cannot be re-executed: the engine answered job"},
		{"another look", func(j *fake.Job, out map[string]any) {
			if j.Look {
				other(j, out)
			}
		}, true, "cannot say what requests share"},
		{"a look that is none", func(j *fake.Job, out map[string]any) {
			if j.Look {
				out["ok"] = "perhaps"
			}
		}, true, "cannot say what requests share"},
		{"operations that are none", func(j *fake.Job, out map[string]any) {
			if !j.Look && !j.Init {
				out["keys"] = []string{}
			}
		}, true, "out of range"},
		{"operations of init that are none", func(j *fake.Job, out map[string]any) {
			if j.Init {
				out["ops"] = []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
			}
		}, true, "out of range"},
		{"a start that parts ways", func(j *fake.Job, out map[string]any) {
			if j.Init {
				out["ok"], out["diverged"] = false, map[string]any{"why": "of itself"}
			}
		}, false, "the app's start cannot be re-executed: of itself"},
		{"a request that parts ways with itself", func(j *fake.Job, out map[string]any) {
			if !j.Look && !j.Init {
				out["ok"], out["diverged"] = false, map[string]any{"why": "of itself", "parts": []int{0}}
			}
		}, false, "cannot be re-executed: of itself"},
	} {
		for _, workers := range []int{1, 2} {
			res, err := New(sample(30).Trace, sample(30).Advice(), Options{Start: spoiling(c.spoil), Workers: workers, MaxGroup: 5}).Run(context.Background())
			switch {
			case c.fails && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%s: %v %+v", c.name, err, res)
			case !c.fails && (err != nil || res.Undecided == nil || res.Problem != nil || !strings.Contains(res.Undecided.Message, c.says)):
				t.Errorf("%s: %v %+v", c.name, err, res)
			}
		}
	}
}

// A group all of whose lanes are said to go one way, or of which nobody says where they go, is cut all the same.
func TestOneClassOfLanes(t *testing.T) {
	for name, parts := range map[string]func(n int) []int{
		"one way": func(n int) []int { return make([]int, n) }, "nothing said": func(int) []int { return nil }, "too few": func(int) []int { return []int{0, 1} },
	} {
		res, err := New(sample(30).Trace, sample(30).Advice(), Options{Start: spoiling(func(j *fake.Job, out map[string]any) {
			if j.N > 3 {
				out["ok"], out["diverged"] = false, map[string]any{"why": "no reason", "parts": parts(j.N)}
			}
		})}).Run(context.Background())
		if err != nil || res.History == nil || res.Stats.Widest > 3 {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
}

func TestAppsThatStartDifferently(t *testing.T) {
	var started atomic.Int32
	res, err := New(sample(30).Trace, sample(30).Advice(), Options{MaxGroup: 3, Start: func(ctx context.Context) (Engine, error) {
		n := started.Add(1)
		return spoiling(func(j *fake.Job, out map[string]any) {
			if j.Init {
				out["loaded"] = n
			}
		})(ctx)
	}, Workers: 2}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if started.Load() > 1 && (res.Undecided == nil || !strings.Contains(res.Undecided.Message, "different things")) {
		t.Errorf("%+v", res)
	}
}

func TestEnginesThatDoNotStart(t *testing.T) {
	s := sample(30)
	a := New(s.Trace, s.Advice(), Options{Start: func(context.Context) (Engine, error) { return nil, errors.New("no such build") }})
	if res, err := a.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "no such build") {
		t.Errorf("%+v %v", res, err)
	}
	if x, err := a.Explain(context.Background(), 0, 1); err == nil {
		t.Errorf("%+v", x)
	}
	// It is nobody's fault if the audit was to end.
	ctx, cancel := context.WithCancel(context.Background())
	a = New(s.Trace, s.Advice(), Options{Start: func(context.Context) (Engine, error) { cancel(); return nil, errors.New("no such build") }})
	if res, err := a.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v %v", res, err)
	}
	broken := func(context.Context) (Engine, error) {
		return &fake.Engine{Breaks: func(j *fake.Job) bool { return !j.Init }}, nil
	}
	a = New(s.Trace, s.Advice(), Options{Start: broken})
	if x, err := a.Explain(context.Background(), 0, 1); !errors.Is(err, fake.ErrBroken) {
		t.Errorf("%+v %v", x, err)
	}
	broken = func(context.Context) (Engine, error) {
		return &fake.Engine{Breaks: func(j *fake.Job) bool { return true }}, nil
	}
	if x, err := New(s.Trace, s.Advice(), Options{Start: broken}).Explain(context.Background(), 0, 1); !errors.Is(err, fake.ErrBroken) {
		t.Errorf("%+v %v", x, err)
	}
}

// What groups share shows before an engine goes on to another life.
func TestSharedInTheLifeBefore(t *testing.T) {
	s, second := sample(3), fake.New()
	second.Trace = s.Trace
	second.Serve("GET nothing")
	start := func(context.Context) (Engine, error) {
		return &fake.Engine{Shares: func(j *fake.Job) bool { return !j.Init && !strings.Contains(string(j.Req.URL), "nothing") }}, nil
	}
	res, err := New(s.Trace, &advice.Advice{Lives: []*advice.Life{s.Life, second.Life}}, Options{Start: start}).Run(context.Background())
	if err != nil || res.Undecided == nil || !res.Undecided.Together {
		t.Errorf("%+v %v", res, err)
	}
	if res.Stats.Groups > 2 {
		t.Errorf("%d groups ran, of which those of the second life could have been spared", res.Stats.Groups)
	}
}

// A life without requests has to be started all the same.
func TestLifeWithoutRequests(t *testing.T) {
	s, empty := sample(3), fake.New()
	a := &advice.Advice{Lives: []*advice.Life{s.Life, empty.Life}}
	inits := 0
	res, err := New(s.Trace, a, Options{Start: spoiling(func(j *fake.Job, _ map[string]any) {
		if j.Init {
			inits++
		}
	})}).Run(context.Background())
	if err != nil || res.History == nil || len(res.History.Requests) != 5 || inits != 2 {
		t.Errorf("%+v %v, %d inits", res, err, inits)
	}
}

func TestHeaderLists(t *testing.T) {
	names := func(names ...string) (hs []trace.Header) {
		for _, n := range names {
			hs = append(hs, trace.Header{Name: n})
		}
		return hs
	}
	var h headerLists
	for i, c := range []struct {
		of   []trace.Header
		want int32
	}{
		{names("a", "b"), 0}, {names("a", "c"), 1}, {names("a"), 2}, {nil, 3}, {names("a", "b"), 0}, {names("a", "c"), 1}, {nil, 3}, {names("ab"), 4}, {names("b", "a"), 5},
	} {
		if got := h.of(c.of); got != c.want {
			t.Errorf("%d: %v is list %d, want %d", i, c.of, got, c.want)
		}
	}
	var all []string
	for _, i := range compared(names("X-B", "Date", "x-a", "Connection", "keep-alive", "Transfer-Encoding", "Dote", "Connectiom", "keep-alivf", "Transfer-encodinh", "X-b")) {
		all = append(all, fmt.Sprint(i))
	}
	if got := strings.Join(all, " "); got != "7 6 8 9 2 0 10" {
		t.Errorf("compared: %s", got)
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		lengths []int32
		body    int
		aborted bool
		wrong   string
	}{
		{nil, 0, false, ""},
		{[]int32{65537}, 65537, false, ""},
		{[]int32{65537, 1}, 65538, false, ""},
		{[]int32{65537, 1}, 65537, false, "pieces of 65538 bytes"},
		{[]int32{65537, 1}, 65537, true, "pieces of 65538 bytes"},
		{[]int32{65537}, 65538, false, "pieces of 65537 bytes"},
		{[]int32{65537}, 65538, true, ""},
		{[]int32{65536, 1}, 65537, false, "by themselves"},
		{[]int32{65537, 0}, 65537, false, "nothing"},
		{[]int32{65538, -1}, 65537, false, "nothing"},
	} {
		if got := pieces(c.lengths, c.body, c.aborted); (got == "") != (c.wrong == "") || !strings.Contains(got, c.wrong) {
			t.Errorf("%v of %d, aborted %t: %q, want %q", c.lengths, c.body, c.aborted, got, c.wrong)
		}
	}
}

// Locations are named for messages, those of the advice and others, of each life.
func TestLocationNames(t *testing.T) {
	lives := []*life{newLife(sample(20).Life, 0), newLife(sample(20).Life, 1)}
	c := newCollector(lives)
	for number := range int32(2) {
		r := good()
		r.keys = []string{"sown", "S", "A", "#2.5", `#["u"]`, "s2.5"}
		r.ops = nil
		for k := range int32(len(r.keys)) {
			r.ops = append(r.ops, op(0, 0, 0, -8, k, 0, 0, 0, 0, -1)...)
		}
		if err := c.add(number, []lane{1}, false, jobTables, r); err != nil {
			t.Fatal(err)
		}
	}
	res := &Result{c: c}
	two, _ := record.KeyOf(record.Number(2.5))
	n := int32(len(lives[0].Locations))
	for loc, want := range map[int32]advice.Location{
		0: lives[0].Locations[0], n - 1: lives[0].Locations[n-1], n: lives[1].Locations[0], 2*n - 1: lives[1].Locations[n-1],
		2 * n: {Obj: -8, Key: record.Name("own")}, 2*n + 1: {Obj: -8, Key: record.Key{KeyKind: record.ShapeKey}}, 2*n + 2: {Obj: -8, Key: record.Key{KeyKind: record.AllKey}},
		2*n + 3: {Obj: -8, Key: two}, 2*n + 4: {Obj: -8, Key: record.Name(`["u"]`)}, 2*n + 5: {Obj: -8, Key: record.Name("2.5")}, 2*n + 6: {Obj: -8, Key: record.Name("own")},
	} {
		if got, ok := res.Location(loc); !ok || got != want {
			t.Errorf("location %d: %+v %t, want %+v", loc, got, ok, want)
		}
	}
	if got, ok := res.Location(2*n + 12); ok {
		t.Errorf("no location: %+v", got)
	}
}

// Only what the request itself registers as leaving is its client's leaving.
func TestLeft(t *testing.T) {
	for i, c := range []struct {
		act  advice.Act
		want bool
	}{
		{advice.Act{Parent: 0, Op: leaving}, true},
		{advice.Act{Parent: 0, Op: leaving, Firing: 1}, true},
		{advice.Act{Parent: 0, Op: 1}, false},
		{advice.Act{Parent: 1, Op: leaving}, false},
	} {
		s := sample(3)
		s.Life.Requests[2].Acts = append(s.Life.Requests[2].Acts, advice.Act{Parent: 0, Op: 7}, c.act)
		if l := newLife(s.Life, 0); l.left(1) || l.left(2) != c.want || l.left(3) {
			t.Errorf("%d: %t", i, l.left(2))
		}
	}
}

// What a job says of several lanes at once, they all have in common.
func TestColumns(t *testing.T) {
	s := fake.New()
	s.Serve("POST a 1")
	s.Serve("POST a 1")
	for i, v := range []string{"h", "other"} {
		s.Trace.Exchanges[i].Request.Headers = []trace.Header{{Name: "Host", Value: v}}
	}
	job := func() (out string) {
		l := newLife(s.Life, 0)
		l.exchange = []int32{-1, 0, 1}
		return string(newBuilder(s.Trace, l).build(1, []lane{1, 2}, false, 1<<20))
	}
	has := func(what, want string) {
		t.Helper()
		if got := job(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	has("headers", `"headers":[["Host",{"c":["h","other"]}]]`)
	has("status", `"status":200`)
	s.Trace.Exchanges[1].Response.Status = 201
	has("status", `"status":{"c":[200,201]}`)
	s.Trace.Exchanges[1].Request.Target = "/b"
	has("targets", `"url":{"c":["/a","/b"]}`)
	s.Trace.Exchanges[1].Response.Headers[0].Value = "b"
	has("response headers", `"x-key",{"c":["a","b"]}`)
	has("bodies", `"body":"1","b64":false`)
	for i := range s.Trace.Exchanges {
		s.Trace.Exchanges[i].Request.Body = []byte{0xff}
		s.Trace.Exchanges[i].Response.Body = []byte{0xff, byte(i)}
	}
	has("bytes", `"body":"/w==","b64":true`)
	has("response bytes", `"body":{"c":["/wA=","/wE="]},"b64":true`)
	for i := range s.Trace.Exchanges {
		x := &s.Trace.Exchanges[i]
		x.HasResponse, x.Aborted = false, true
		x.Response.Body = []byte("part")
	}
	has("what came of an answer", `"partial":4`)
	has("what came of an answer", `"body":"cGFydA==","b64":true}`)
	for i := range s.Trace.Exchanges {
		s.Trace.Exchanges[i].Response = trace.Response{}
	}
	has("nothing of an answer", `"expect":null`)
}

func TestOddNumbersAreKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 0.5} {
		k, _ := record.KeyOf(record.Number(f))
		seen[canonicalKey(k)] = true
	}
	if len(seen) != 6 {
		t.Errorf("%v", seen)
	}
}

func TestMissingNote(t *testing.T) {
	s := sample(3)
	s.Serve("GET nothing")
	s.Life.Requests = s.Life.Requests[:4]
	s.Life.Complete, s.Life.MissingNote = false, "the disk is full"
	r := run{}
	if res, _ := r.audit(t, s); res.Undecided == nil || !strings.Contains(res.Undecided.Message, "the disk is full") {
		t.Errorf("%+v", res)
	}
}

// Groups of which an engine died that was not asked yet must do the same again.
func TestGroupsThatDoOtherwiseAgain(t *testing.T) {
	for name, spoil := range map[string]func(out map[string]any){
		"part ways": func(out map[string]any) { out["ok"], out["diverged"] = false, map[string]any{"why": "now"} },
		"fail": func(out map[string]any) {
			out["ok"], out["problems"] = false, []any{map[string]any{"lane": 0, "rule": "R-response", "msg": "now"}}
		},
		"stay": nil,
	} {
		jobs := 0
		start := func(ctx context.Context) (Engine, error) {
			e, err := spoiling(func(j *fake.Job, out map[string]any) {
				if jobs == 6 && spoil != nil { // the first that runs again
					spoil(out)
				}
			})(ctx)
			p := e.(puppet)
			return puppet(func(job string) (string, error) {
				if !strings.Contains(job, `"look":true`) && !strings.Contains(job, `"init":true`) {
					if jobs++; jobs == 4 {
						return "", fake.ErrBroken
					}
				}
				if jobs == 5 {
					jobs++
				}
				return p(job)
			}), err
		}
		s := sample(40)
		res, err := New(s.Trace, s.Advice(), Options{Start: start, MaxGroup: 5}).Run(context.Background())
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case spoil == nil && res.History == nil:
			t.Errorf("%s: %+v", name, res)
		case spoil != nil && (res.Undecided == nil || !res.Undecided.Together):
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// What groups changed that ran again has to be said, too.
func TestLookAtGroupsThatRanAgain(t *testing.T) {
	jobs, looks := 0, 0
	start := func(ctx context.Context) (Engine, error) {
		e, err := spoiling(func(j *fake.Job, out map[string]any) {
			if j.Look {
				if looks++; looks == 1 {
					out["id"] = 999
				}
			}
		})(ctx)
		p := e.(puppet)
		return puppet(func(job string) (string, error) {
			if jobs++; jobs == 3 { // init, a group, and the next one
				return "", fake.ErrBroken
			}
			return p(job)
		}), err
	}
	s := sample(40)
	res, err := New(s.Trace, s.Advice(), Options{Start: start, MaxGroup: 5}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "cannot say what requests share") || jobs != 6 { // init, the first group and a look again
		t.Errorf("%+v %v, %d jobs", res, err, jobs)
	}
}

func TestEarly(t *testing.T) {
	var when []int
	for i := range 300 {
		if early(i) {
			when = append(when, i)
		}
	}
	if got := fmt.Sprint(when); got != "[4 32 256]" {
		t.Error(got)
	}
}

// What cannot be said of some groups ends the audit, even if it can be said of those after them.
func TestEarlyLook(t *testing.T) {
	looks := 0
	start := spoiling(func(j *fake.Job, out map[string]any) {
		if j.Look {
			if looks++; looks == 1 {
				out["id"] = 999
			}
		}
	})
	res, err := New(sample(40).Trace, sample(40).Advice(), Options{Start: start, MaxGroup: 5}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "cannot say what requests share") {
		t.Errorf("%+v %v", res, err)
	}
}

// What cannot be said of the life before ends the audit.
func TestLookBeforeTheNextLife(t *testing.T) {
	s, second := sample(3), fake.New()
	second.Trace = s.Trace
	second.Serve("GET nothing")
	looks := 0
	start := spoiling(func(j *fake.Job, out map[string]any) {
		if j.Look {
			if looks++; looks == 1 {
				out["id"] = 999
			}
		}
	})
	res, err := New(s.Trace, &advice.Advice{Lives: []*advice.Life{s.Life, second.Life}}, Options{Start: start}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "cannot say what requests share") {
		t.Errorf("%+v %v", res, err)
	}
}

// What a job leaves out is told in a second one; the more often that happens, the longer the jobs after it leave nothing out.
func TestJobsThatLeaveOut(t *testing.T) {
	for _, c := range []struct {
		why  string
		jobs int // for ten requests and init
	}{
		{wantsMore, 1 + 10 + 4}, // asked at the first request, the second, the fourth and the eighth
		{"of itself", 1 + 1},
	} {
		asked := map[string]bool{}
		s := fake.New()
		for i := range 10 {
			s.Serve(fmt.Sprintf("GET k%d", i))
		}
		jobs := 0
		res, err := New(s.Trace, s.Advice(), Options{MaxGroup: 1, Start: spoiling(func(j *fake.Job, out map[string]any) {
			if j.Look {
				return
			}
			jobs++
			if url := string(j.Req.URL); !j.Init && !asked[url] {
				asked[url] = true
				if n := len(asked); c.why != wantsMore || n == 1 || n == 2 || n == 4 || n == 8 {
					out["ok"], out["diverged"] = false, map[string]any{"why": c.why}
				}
			}
		})}).Run(t.Context())
		if err != nil || jobs != c.jobs || (res.History != nil) != (c.why == wantsMore) {
			t.Errorf("%s: %+v %v, %d jobs", c.why, res, err, jobs)
		}
	}
}

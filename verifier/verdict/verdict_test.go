package verdict

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/reexec"
	"karousosc/verifier/reexec/fake"
)

// decided audits what a fake server reports. The program is the map of package fake, declared as `messages` in app.js.
func decided(t *testing.T, a *advice.Advice, s *fake.Server, lives int) *Verdict {
	t.Helper()
	dir := t.TempDir()
	// Line 1 of the program is line 12, column 5 of app.js from its third column on; before that a package's.
	m := `{"version":3,"sources":["node_modules/x/index.js","app.js"],"names":[],"mappings":"AAAA,ECWI"}`
	if err := os.WriteFile(filepath.Join(dir, "program.js.map"), []byte(m), 0o666); err != nil {
		t.Fatal(err)
	}
	v, err := Audit(context.Background(), Input{
		Trace: s.Trace, Advice: a, MaxLives: lives,
		Manifest: &manifest.Manifest{BuildID: "b1", Annotations: []manifest.Annotation{{Name: "messages", Kind: "const"}}},
		Options:  reexec.Options{Start: func(context.Context) (reexec.Engine, error) { return &fake.Engine{}, nil }},
		Sources:  NewSources("program.js", filepath.Join(dir, "program.js.map")),
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func motd() *fake.Server {
	s := fake.New()
	s.Life.BuildID, s.Life.File = "b1", "life-1.kadv"
	s.Serve("POST today hello")
	s.Serve("GET today")
	s.Serve("POST today bye")
	return s
}

func text(t *testing.T, v *Verdict) string {
	t.Helper()
	v.Stats = Stats{}
	var b bytes.Buffer
	if err := v.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCounted: what an accept says that it covered.
func TestCounted(t *testing.T) {
	s := motd()
	v := decided(t, s.Advice(), s, 1)
	v.Stats.CPU = 0
	var b bytes.Buffer
	if err := v.Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = "3 requests in 2 groups (the widest of 2), 3 operations on 1 shared location (3 in the advice)"
	if !strings.Contains(b.String(), want) {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *fake.Server)
		want   string
	}{
		{"honest", func(s *fake.Server) {}, `accept: all requests of the trace were answered as the program answers them
  0 requests in 0 groups (the widest of 0), 0 operations; 0.00 s of CPU; 0 bytes of advice
`},
		{"a stale read", func(s *fake.Server) {
			s.Serve("GET today")
			s.Trace.Exchanges[3].Response.Body = []byte("hello")
			s.Life.Reads[1].Write = 0
		}, `reject (rule R8): no order of the turns agrees with the trace:
  1. request 4 (GET /today) read messages["today"] at app.js:12:5 in the version written by request 1 (POST /today) at app.js:12:5, which request 3 (POST /today) then overwrote at app.js:12:5;
  2. request 3 (POST /today) had been answered before request 4 (GET /today) arrived;
  so request 4 (GET /today) would have to come before itself
`},
		{"a forged answer", func(s *fake.Server) { s.Trace.Exchanges[1].Response.Body = []byte("forged") },
			`reject (rule R-response): request 2 (GET /today): the response's body is not what the program answers
  expected: hello
  found:    forged
`},
		{"another build", func(s *fake.Server) { s.Life.BuildID = "b2" },
			`reject (rule A9): the advice in life-1.kadv was written by another build of the app (b2) than the one that is audited (b1)
  expected: b1
  found:    b2
`},
		{"no build at all", func(s *fake.Server) { s.Life.BuildID = "" },
			`reject (rule A9): the advice in life-1.kadv was written by another build of the app () than the one that is audited (b1)
  expected: b1
  found:    ` + "\n"},
		{"a build with a long name", func(s *fake.Server) { s.Life.BuildID = "0123456789abc" },
			`reject (rule A9): the advice in life-1.kadv was written by another build of the app (0123456789ab) than the one that is audited (b1)
  expected: b1
  found:    0123456789abc
`},
		{"another build's advice, cut short", func(s *fake.Server) { s.Life.BuildID, s.Life.Complete = "b2", false },
			`reject (rule A9): the advice in life-1.kadv was written by another build of the app (b2) than the one that is audited (b1)
  expected: b1
  found:    b2
`},
		{"advice that the server could not write", func(s *fake.Server) {
			s.Life.Complete, s.Life.MissingNote = false, "the disk is full"
			s.Life.Reads = nil
		}, `cannot audit: the advice is incomplete (the disk is full), and what there is does not suffice: the response's body is not what the program answers
  expected: none
  found:    hello
`},
		{"advice without its first bytes' end", func(s *fake.Server) {
			s.Life.Complete, s.Life.BuildID = false, ""
			s.Life.Requests, s.Life.Locations, s.Life.Writes, s.Life.Reads = s.Life.Requests[:1], nil, nil, nil
		}, `cannot audit: the advice is incomplete (life-1.kadv ends early) and says nothing of some requests
  requests 1 to 3
`},
		{"advice cut short", func(s *fake.Server) {
			s.Life.Complete = false
			s.Life.Requests = s.Life.Requests[:2]
			s.Life.Writes = s.Life.Writes[:1]
			s.Life.Reads = nil
		}, `cannot audit: the advice is incomplete (life-1.kadv ends early) and says nothing of some requests
  requests 2 and 3
`},
		{"advice cut short between requests that are there", func(s *fake.Server) {
			s.Life.Complete = false
			s.Life.Reads = nil
		}, `cannot audit: the advice is incomplete (life-1.kadv ends early), and what there is does not suffice: the response's body is not what the program answers
  expected: none
  found:    hello
`},
		{"an unauditable request", func(s *fake.Server) {
			s.Life.Unauditable = []advice.Unauditable{{Req: 2, Reason: "a function is stored in shared state", Where: "app.js:3:1"}}
		}, `cannot audit: some requests cannot be audited: a function is stored in shared state (app.js:3:1)
  request 2
`},
		{"a request that nobody answered", func(s *fake.Server) { s.Trace.Exchanges[2].HasResponse = false },
			`reject (rule A8): request 3 (POST /today): the request was never answered
`},
		{"a target that would upset a terminal", func(s *fake.Server) {
			s.Trace.Exchanges[1].Request.Target = "/today\x1b[2J"
			s.Life.Reads = nil
			s.Trace.Exchanges[1].Response.Headers[0].Value = "today\x1b[2J"
		}, `reject (rule R-response): request 2 (GET /today` + "\uFFFD" + `[2J): the response's body is not what the program answers
  expected: none
  found:    hello
`},
	} {
		s := motd()
		c.change(s)
		v := decided(t, s.Advice(), s, 1)
		if got := text(t, v); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestLives(t *testing.T) {
	s, second := motd(), fake.New()
	second.Life.BuildID, second.Life.File = "b1", "life-2.kadv"
	second.Trace = s.Trace
	second.Serve("GET today") // forgotten: the map is empty again
	a := &advice.Advice{Lives: []*advice.Life{s.Life, second.Life}}
	if v := decided(t, a, s, 1); v.Rule != "A7" || len(v.Lives) != 2 {
		t.Errorf("two lives where one is allowed: %s", text(t, v))
	}
	v := decided(t, a, s, 2)
	if v.Outcome != Accept || len(v.Lives) != 2 || v.Lives[1].First != 4 {
		t.Errorf("two lives: %s", text(t, v))
	}
	// What the second life says it read from the first.
	second.Life.Reads = nil
	s.Trace.Exchanges[3].Response.Body = []byte("bye")
	if v := decided(t, a, s, 2); v.Outcome != Reject {
		t.Errorf("memory that outlives the server: %s", text(t, v))
	}
}

func TestJSON(t *testing.T) {
	s := motd()
	s.Serve("GET today")
	s.Trace.Exchanges[3].Response.Body = []byte("hello")
	s.Life.Reads[1].Write = 0
	var b bytes.Buffer
	if err := decided(t, s.Advice(), s, 1).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var v struct {
		Outcome, Rule, Request, Handler string
		RID                             uint64
		Position                        struct {
			File         string
			Line, Column int
		}
		Cycle []struct {
			Why, Location, Message string
			From                   struct{ RID, Turn int }
		}
		Stats struct{ Requests int }
	}
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s %s %d %s %s %v %d %s %s %d", v.Outcome, v.Rule, v.RID, v.Request, v.Handler, v.Position, len(v.Cycle), v.Cycle[0].Why, v.Cycle[0].Location, v.Stats.Requests)
	if got != `reject R8 4 GET /today turn 0 {app.js 12 5} 2 rw messages["today"] 4` {
		t.Error(got, b.String())
	}
}

// The verifier's own mistakes must never become an accept.
func TestFailsClosed(t *testing.T) {
	gone := func(s *fake.Server, status int) {
		x := &s.Trace.Exchanges[1]
		x.HasResponse, x.Aborted, x.Response.Status = false, true, status
	}
	for name, c := range map[string]struct {
		spoil func(s *fake.Server, r *reexec.Result)
		says  string
	}{
		"no history":          {func(_ *fake.Server, r *reexec.Result) { r.History = nil }, "does not account"},
		"a request missing":   {func(_ *fake.Server, r *reexec.Result) { r.History.Requests = r.History.Requests[:3] }, "does not account"},
		"a lane missing":      {func(_ *fake.Server, r *reexec.Result) { r.Lanes = r.Lanes[:3] }, "does not account"},
		"a request lost":      {func(_ *fake.Server, r *reexec.Result) { r.Lost = []uint64{2} }, "does not account"},
		"a request twice":     {func(_ *fake.Server, r *reexec.Result) { r.History.Requests[2].RID = r.History.Requests[3].RID }, "twice"},
		"a request of nobody": {func(_ *fake.Server, r *reexec.Result) { r.History.Requests[2].RID = 99 }, "or is none"},
		"no answer":           {func(_ *fake.Server, r *reexec.Result) { r.History.Shapes[1].Responds = -1 }, "when request"},
		"fewer than counted":  {func(_ *fake.Server, r *reexec.Result) { r.Stats.Requests-- }, "2 of 3"},
		"taken for init":      {func(_ *fake.Server, r *reexec.Result) { r.History.Requests[2].Init = true }, "was not audited"},
		"nobody's answer":     {func(s *fake.Server, _ *reexec.Result) { s.Trace.Exchanges[1].HasResponse = false }, "was not audited"},
		"no answer, not even that the client left": {func(s *fake.Server, _ *reexec.Result) {
			gone(s, 0)
			s.Trace.Exchanges[1].Aborted = false
		}, "was not audited"},
		"no part of an answer": {func(s *fake.Server, r *reexec.Result) {
			gone(s, 200)
			r.History.Shapes[1].Responds = -1
		}, "when request"},
		"a part of nobody's answer": {func(s *fake.Server, r *reexec.Result) {
			gone(s, 200)
			r.History.Requests[2].Init = true
		}, "was not audited"},
		"fewer than together": {func(_ *fake.Server, r *reexec.Result) {
			*r = reexec.Result{Together: true, Stats: reexec.Stats{Requests: 2}}
		}, "2 of 3"},
		"an impossible source": {func(_ *fake.Server, r *reexec.Result) { r.History.Reads[0].Src = 99 }, "out of range"},
		"another life's":       {func(_ *fake.Server, r *reexec.Result) { r.History.Requests[2].Life = 99 }, "life 99"},
	} {
		s := motd()
		a := reexec.New(s.Trace, s.Advice(), reexec.Options{Start: func(context.Context) (reexec.Engine, error) { return &fake.Engine{}, nil }})
		r, err := a.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		d := &decider{in: Input{Trace: s.Trace, Advice: s.Advice()}, ctx: context.Background()}
		if v, err := d.decide(r); err != nil || v.Outcome != Accept {
			t.Fatal(v, err)
		}
		c.spoil(s, r)
		if v, err := d.decide(r); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v %v, want %s", name, v, err, c.says)
		}
	}
	// One whose client had nothing of an answer need not be answered.
	s := motd()
	r, err := reexec.New(s.Trace, s.Advice(), reexec.Options{Start: func(context.Context) (reexec.Engine, error) { return &fake.Engine{}, nil }}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	gone(s, 0)
	d := &decider{in: Input{Trace: s.Trace, Advice: s.Advice()}, ctx: context.Background()}
	if v, err := d.decide(r); err != nil || v.Outcome != Accept {
		t.Errorf("a client that left: %+v %v", v, err)
	}
}

// What came by connections that were upgraded may be why an answer is another one, but not why advice is malformed.
func TestUpgraded(t *testing.T) {
	s := motd()
	d := &decider{in: Input{Trace: s.Trace, Advice: s.Advice()}, ctx: context.Background()}
	for rule, want := range map[string]Outcome{"R-response": Undecided, "R8": Undecided, "A2": Reject} {
		v, err := d.decide(&reexec.Result{Problem: &reexec.Problem{Rule: rule, RID: 2, Req: -1, Message: "it is wrong"}, Upgraded: []uint64{9}})
		if err != nil || v.Outcome != want || (v.Rule == "") != (want == Undecided) || !strings.Contains(v.Message, "it is wrong") ||
			strings.HasPrefix(v.Message, "1 connection asked to be upgraded") != (want == Undecided) {
			t.Errorf("%s: %+v %v", rule, v, err)
		}
	}
}

// scripted is an engine that answers groups in one way, those that follow the server's order of turns in another, and
// joint re-execution in a third; a $ is the job's number.
type scripted struct{ group, ordered, together string }

func (e scripted) Close() error { return nil }

// CPU: each engine takes a second.
func (e scripted) CPU() time.Duration { return time.Second }

func (e scripted) Run(_ context.Context, job []byte) ([]byte, error) {
	var j struct {
		ID                   int
		Init, Look, Together bool
		Course               *[]int
	}
	if err := json.Unmarshal(job, &j); err != nil {
		return nil, err
	}
	text := e.group
	switch {
	case j.Together:
		text = e.together
	case j.Course != nil:
		text = e.ordered
	case j.Init:
		text = `{"id":$,"ok":true,"acts":[[]],"respAct":-1}`
	case j.Look:
		text = `{"id":$,"ok":true}`
	}
	return []byte(strings.Replace(text, "$", fmt.Sprint(j.ID), 1)), nil
}

// A request's turns that would have had to run in another order than they did are run again in the server's own.
func TestTurnsInAnotherOrder(t *testing.T) {
	// Turns 1 and 2 come of turn 0; turn 1 read what turn 2 wrote.
	const unordered = `{"id":$,"ok":true,"acts":[[],[0],[0]],"respAct":0,"keys":["k"],"ops":[0,2,1,-1,0,1,0,0,0,-1,0,1,0,-1,0,0,2,2,1,-1]}`
	const wrong = `{"id":$,"ok":false,"problems":[{"lane":1,"rule":"R-response","msg":"wrong"}]}`
	const shared = `{"id":$,"ok":false,"problems":[{"lane":0,"rule":"R-shared","msg":"variables that nobody tracks"}]}`
	const diverged = `{"id":$,"ok":false,"diverged":{"why":"no model"}}`
	for _, c := range []struct {
		ordered, together string
		want              Outcome
	}{
		{`{"id":$,"ok":true,"acts":[[]],"respAct":0}`, wrong, Accept},
		{strings.Replace(wrong, "1", "0", 1), `{"id":$,"ok":true,"answers":[1,1]}`, Reject},
		{unordered, `{"id":$,"ok":true,"answers":[1,1]}`, Accept},
		{unordered, wrong, Reject},
		{unordered, diverged, Undecided},
		{shared, wrong, Reject},
	} {
		s := fake.New()
		s.Serve("GET k")
		s.Life.Turns = []advice.Turn{{Req: 1, Kind: advice.Arrived}}
		v, err := Audit(context.Background(), Input{
			Trace: s.Trace, Advice: s.Advice(), MaxLives: 1,
			Options: reexec.Options{Start: func(context.Context) (reexec.Engine, error) {
				return scripted{unordered, c.ordered, c.together}, nil
			}},
		})
		jointly := c.ordered == unordered || c.ordered == shared
		if err != nil || v.Outcome != c.want || strings.Contains(v.Together, "variables that nobody tracks") != jointly || v.Stats.EngineCPU < 2 {
			t.Errorf("%s, %s: %+v %v", c.ordered, c.together, v, err) // the engines of all groups count
		}
	}
}

// Where the machinery fails there is no verdict.
func TestNoVerdict(t *testing.T) {
	for _, together := range []bool{false, true} {
		s := motd()
		v, err := Audit(context.Background(), Input{
			Trace: s.Trace, Advice: s.Advice(), MaxLives: 1, Together: together,
			Options: reexec.Options{Start: func(context.Context) (reexec.Engine, error) { return nil, os.ErrPermission }},
		})
		if err == nil {
			t.Errorf("together %t: %+v", together, v)
		}
	}
}

func TestTrusted(t *testing.T) {
	s := motd()
	for _, name := range []string{"now", "fetch", "fetch", "fs.read", "fsx", "zlib", "signature", "keypair", "dns", "random"} {
		s.Life.ND = append(s.Life.ND, advice.ND{Type: name})
	}
	got := fmt.Sprint(trusted(s.Advice()))
	if got != "map[compressed bytes (contents checked):1 dns:1 fetch:2 fs.read:1 key pairs (checked):1 signatures (checked):1]" {
		t.Error(got)
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.map")
	os.WriteFile(file, []byte(`{"version":3,"sources":["../node_modules/x/i.js","../src/a.ts"],"mappings":";AACA,IAAC;KCDE,C"}`), 0o666)
	s := NewSources("program.js", file)
	stack := "Error: x\n at lib (runtime.js:1:1)\n at f (program.js:2:5)\n at g (program.js:3:6)\n at program.js:99:1"
	if p, ok := s.Locate(stack); !ok || !strings.HasSuffix(p.String(), "src/a.ts:1:4") {
		t.Errorf("the app's own frame: %v %v", p, ok)
	}
	if p, ok := s.Locate("at f (program.js:2:5)"); !ok || !strings.HasSuffix(p.String(), "node_modules/x/i.js:2:2") {
		t.Errorf("a package's frame: %v %v", p, ok)
	}
	for _, bad := range []string{"", "program.js:", "program.js:0:0", "program.js:1:1", "at program.js:2", "program.js:3:1"} {
		if p, ok := s.Locate(bad); ok {
			t.Errorf("%q: %v", bad, p)
		}
	}
	for _, bad := range []string{"", "{", `{"version":2}`, `{"version":3,"mappings":"!"}`, `{"version":3,"mappings":"AAAAAA"}`, `{"version":3,"mappings":"gggggggggggg"}`} {
		os.WriteFile(file, []byte(bad), 0o666)
		if _, ok := NewSources("program.js", file).Original(1, 1); ok {
			t.Errorf("%s: mapped", bad)
		}
	}
}

// A server's words must not look like the verdict's, whatever the terminal does with them, nor fill it.
func TestTextOfAServer(t *testing.T) {
	v := &Verdict{Outcome: Undecided, Message: "some requests cannot be audited: x\naccept: all is well\x1b[2J\u202e", Together: strings.Repeat("€", 20_000), Notes: []string{"n\nreject"}}
	v.bound()
	var b strings.Builder
	if err := v.Text(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Contains(text, "\naccept") || strings.Contains(text, "\nreject") || strings.ContainsAny(text, "\x1b\u202e") || len(text) > 3*longestMessage || !utf8.ValidString(text) {
		t.Errorf("%.1000q", text)
	}
}

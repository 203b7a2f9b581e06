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
	s := motd()
	for name, spoil := range map[string]func(r *reexec.Result){
		"no history":         func(r *reexec.Result) { r.History = nil },
		"a request missing":  func(r *reexec.Result) { r.History.Requests = r.History.Requests[:3] },
		"a request twice":    func(r *reexec.Result) { r.History.Requests[2].RID = r.History.Requests[3].RID },
		"no answer":          func(r *reexec.Result) { r.History.Shapes[1].Responds = -1 },
		"fewer than counted": func(r *reexec.Result) { r.Stats.Requests-- },
	} {
		a := reexec.New(s.Trace, s.Advice(), reexec.Options{Start: func(context.Context) (reexec.Engine, error) { return &fake.Engine{}, nil }})
		r, err := a.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		d := &decider{in: Input{Trace: s.Trace, Advice: s.Advice()}, ctx: context.Background()}
		if v, err := d.decide(r); err != nil || v.Outcome != Accept {
			t.Fatal(v, err)
		}
		spoil(r)
		if v, err := d.decide(r); err == nil && v.Outcome == Accept {
			t.Errorf("%s: accepted", name)
		}
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

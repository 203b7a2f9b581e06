package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"karousosc/verifier/advice/record"
	"karousosc/verifier/reexec/fake"
)

// verified runs the command on what a fake server reports, with the real engine.
func verified(t *testing.T, s *fake.Server, flags ...string) (code int, out string) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := fake.WriteDist(at("dist")); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(at("trace"), at("advice")); err != nil {
		t.Fatal(err)
	}
	return runIn(append([]string{"verify", at("dist"), "--trace", at("trace"), "--advice", at("advice")}, flags...)...)
}

func runIn(args ...string) (code int, out string) {
	var stdout, stderr bytes.Buffer
	code = run(args, &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

func motd() *fake.Server {
	s := fake.New()
	for range 20 {
		s.Serve("POST today hello")
		s.Serve("GET today")
		s.Serve("GET tomorrow")
		s.Serve("POST today bye")
	}
	return s
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *fake.Server)
		flags  []string
		code   int
		says   string
	}{
		{"honest", func(s *fake.Server) {}, nil, 0, "80 requests in"},
		{"many engines, narrow groups", func(s *fake.Server) {}, []string{"--workers", "3", "--max-group", "7"}, 0, "accept"},
		{"a wrong tag", func(s *fake.Server) { s.Life.Requests[1].Tag = 1 }, nil, 0, "accept"},
		{"a forged answer", func(s *fake.Server) { s.Trace.Exchanges[1].Response.Body = []byte("forged") }, nil, 1,
			"request 2 (GET /today): the response's body is not what the program answers\n  expected: hello\n  found:    forged\n  at app.js:12:5"},
		{"a stale read", func(s *fake.Server) {
			s.Serve("GET today")
			s.Trace.Exchanges[80].Response.Body = []byte("hello")
			s.Life.Reads[len(s.Life.Reads)-1].Write--
		}, nil, 1, `request 81 (GET /today) read messages["today"] at app.js:12:5 in the version written by request 77 (POST /today) at app.js:12:5, which request 80 (POST /today) then overwrote`},
		{"a forged value", func(s *fake.Server) { s.Life.Writes[0].Value = record.Text("forged") }, nil, 1, "reject"},
		{"another build", func(s *fake.Server) { s.Life.BuildID = strings.Repeat("ab", 32) }, nil, 1, "another build"},
		{"an endless request", func(s *fake.Server) { s.Serve("GET forever") }, []string{"--timeout", "1s"}, 2, "request 81"},
		{"a request that takes all memory", func(s *fake.Server) { s.Serve("GET memory") }, []string{"--memory", "200"}, 2, "request 81"},
		{"an exception in the runtime", func(s *fake.Server) { s.Serve("GET throw") }, nil, 2, "thrown by the program"},
		{"no engine", func(s *fake.Server) {}, []string{"--workers", "0"}, 2, "--workers must be"},
		{"no start", func(s *fake.Server) {}, []string{"--lives", "0"}, 2, "--lives must be"},
		{"no request in a group", func(s *fake.Server) {}, []string{"--max-group", "0"}, 2, "--max-group must be"},
		{"no memory", func(s *fake.Server) {}, []string{"--memory", "63"}, 2, "--memory must be"},
		{"no time", func(s *fake.Server) {}, []string{"--timeout", "0s"}, 2, "--timeout must be"},
		{"time that is over", func(s *fake.Server) {}, []string{"--timeout", "-1s"}, 2, "--timeout must be"},
		{"no key", func(s *fake.Server) {}, []string{"--trace-key", "/nowhere"}, 2, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := motd()
			c.change(s)
			code, out := verified(t, s, c.flags...)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit status %d, want %d and %q:\n%s", code, c.code, c.says, out)
			}
		})
	}
}

func TestVerifyJSON(t *testing.T) {
	s := motd()
	s.Trace.Exchanges[1].Response.Body = []byte("forged")
	code, out := verified(t, s, "--json")
	var v struct {
		Outcome, Rule, Expected, Found string
		RID                            int
		Stats                          struct{ TraceBytes, AdviceBytes int64 }
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != 1 {
		t.Fatal(code, err, out)
	}
	if v.Outcome != "reject" || v.Rule != "R-response" || v.RID != 2 || v.Expected != "hello" || v.Found != "forged" {
		t.Error(out)
	}
	if v.Stats.TraceBytes == 0 || v.Stats.AdviceBytes == 0 {
		t.Errorf("of files of no size: %s", out)
	}
}

func TestVerifyWithoutItsFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := fake.WriteDist(at("dist")); err != nil {
		t.Fatal(err)
	}
	if err := motd().Write(at("trace"), at("advice")); err != nil {
		t.Fatal(err)
	}
	verify := func(dist, trace, advice string) (int, string) {
		return runIn("verify", at(dist), "--trace", at(trace), "--advice", at(advice))
	}
	for _, c := range []struct{ dist, trace, advice, says string }{
		{"no", "trace", "advice", "no build here"},
		{"dist", "no", "advice", "no such file"},
		{"dist", "trace", "no", "no such file"},
		{"dist", "advice/life-1-1.kadv", "advice", "not a trace"},
		{"dist", "trace", "dist", "holds no advice"},
	} {
		if code, out := verify(c.dist, c.trace, c.advice); code != 2 || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit status %d:\n%s", c, code, out)
		}
	}
	if code, out := runIn("verify"); code != 2 || !strings.Contains(out, "arg") {
		t.Errorf("no arguments: exit status %d:\n%s", code, out)
	}

	// Advice that is cut short is no evidence against anybody; advice that was changed is.
	file := at("advice/life-1-1.kadv")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(file, whole[:len(whole)-20], 0o644)
	if code, out := verify("dist", "trace", "advice"); code != 2 || !strings.Contains(out, "incomplete") {
		t.Errorf("truncated advice: exit status %d:\n%s", code, out)
	}
	for _, at := range []int{0, len(whole) / 2, len(whole) - 1} {
		changed := append([]byte{}, whole...)
		changed[at] ^= 0x10
		os.WriteFile(file, changed, 0o644)
		if code, out := verify("dist", "trace", "advice"); code != 1 || !strings.Contains(out, "malformed") {
			t.Errorf("byte %d of the advice changed: exit status %d:\n%s", at, code, out)
		}
	}
	os.WriteFile(file, whole, 0o644)
	program := at("dist/verifier/program.js")
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(program)
	if code, out := verify("dist", "trace", "advice"); code != 2 || !strings.Contains(out, "build is incomplete") {
		t.Errorf("without its program: exit status %d:\n%s", code, out)
	}
	os.WriteFile(program, text, 0o644)
	if code, out := verify("dist", "trace", "advice"); code != 0 {
		t.Errorf("after all that: exit status %d:\n%s", code, out)
	}
}

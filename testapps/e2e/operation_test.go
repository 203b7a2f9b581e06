package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

// serve starts the server build, and a collector in front of it.
func serve(t *testing.T, e scenario.Evidence) (server, collector *scenario.Process) {
	t.Helper()
	server, err := kit.Serve(t.Context(), e.Dist, e.Advice)
	if err != nil {
		t.Fatal(err)
	}
	collector, err = kit.Collect(t.Context(), server.Addr, e.Trace)
	if err != nil {
		t.Fatal(err)
	}
	return server, collector
}

// TestKilledServer: the server is killed without warning. What it had written in
// complete blocks is used, what is missing is named, and nobody is accused.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	e := scenario.In(motd.build(t), t.TempDir())
	server, collector := serve(t, e)
	// So much that blocks were written before the end.
	var requests []request
	for i := range 2000 {
		requests = append(requests, post(fmt.Sprint(i%50), fmt.Sprintf("message %d %s", i, strings.Repeat("text ", 50)), true), getdate(fmt.Sprint(i%50)))
	}
	if _, err := drive(t.Context(), collector.Addr, 10, requests); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	if _, err := collector.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	a := verify(t, e)
	if a.Outcome != verdict.Undecided || a.Code != 2 {
		t.Fatalf("the verdict on advice that was cut off:\n%s", a.Text())
	}
	if !strings.Contains(a.Message, "incomplete") && !strings.Contains(a.Message, "missing") && !strings.Contains(a.Message, "early") {
		t.Errorf("the verdict does not say what is missing: %s", a.Message)
	}
	if len(a.Requests) == 0 || len(a.Requests) >= len(requests) {
		t.Errorf("of %d requests, %d are said to be unaudited: complete blocks should be used, the rest named", len(requests), len(a.Requests))
	}
	t.Log(a.Text())
}

// TestAbortedByClient: clients that leave do not spoil the audit of the others.
func TestAbortedByClient(t *testing.T) {
	t.Parallel()
	dist := figures.build(t)
	dir := t.TempDir()
	r, err := kit.Record(t.Context(), dist, dir, func(ctx context.Context, addr string) error {
		for range 5 {
			short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			_, err := drive(short, addr, 1, []request{get("/difference?ms=200")})
			cancel()
			if err == nil {
				return fmt.Errorf("a request that should have been cut off was answered")
			}
			if _, err := drive(ctx, addr, 4, []request{get("/left"), get("/right"), get("/set?x=3"), get("/flag?on=1")}); err != nil {
				return err
			}
		}
		time.Sleep(500 * time.Millisecond) // the server finishes what nobody waits for
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := mustAccept(t, r.Evidence); a.Together != "" {
		t.Errorf("the program hears nothing of it, but: %s", a.Together)
	}
}

// TestBypass: a request that comes past the collector could not be audited, and is
// told so; it leaves no trace in the app.
func TestBypass(t *testing.T) {
	t.Parallel()
	e := scenario.In(motd.build(t), t.TempDir())
	server, collector := serve(t, e)
	if _, err := drive(t.Context(), collector.Addr, 1, []request{post("A", "one", true)}); err != nil {
		t.Fatal(err)
	}
	res, err := http.Post("http://"+server.Addr+"/post", "application/json", strings.NewReader(`{"date":"A","message":"smuggled","readable":true}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if res.StatusCode != http.StatusMisdirectedRequest || !strings.Contains(string(body), "collector") {
		t.Errorf("status %d: %s", res.StatusCode, body)
	}
	// Nor does a client name its own request.
	req, _ := http.NewRequest("GET", "http://"+collector.Addr+"/", nil)
	req.Header.Set("Karousos-Request-Id", "1")
	if res, err = http.DefaultClient.Do(req); err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	statuses, err := drive(t.Context(), collector.Addr, 1, []request{getdate("A")})
	if err != nil || statuses[200] != 1 {
		t.Fatal(statuses, err)
	}
	if _, err := collector.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	mustAccept(t, e)
}

// TestAnotherBuild: advice speaks of one build only.
func TestAnotherBuild(t *testing.T) {
	t.Parallel()
	e := board.honest(t)
	e.Dist = catalog.build(t)
	a := verify(t, e)
	if a.Outcome == verdict.Accept || !strings.Contains(a.Text(), "another build") {
		t.Errorf("exit status %d:\n%s", a.Code, a.Text())
	}
	// A build whose files are not those of its manifest is none.
	dist := t.TempDir()
	if out, err := exec.Command("cp", "-r", board.honest(t).Dist+"/.", dist).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	program := filepath.Join(dist, "verifier", "program.js")
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte("No message for"), []byte("No massage for"), 1)
	if bytes.Equal(text, changed) {
		t.Fatal("the program does not hold what was to be changed")
	}
	if err := os.WriteFile(program, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	e = board.honest(t)
	e.Dist = dist
	if a := verify(t, e); a.Outcome == verdict.Accept {
		t.Errorf("a changed verifier build accepted:\n%s", a.Text())
	}
}

// TestTwoLives: a server that was started again forgot what it knew; that is
// accepted only if the owner allows it.
func TestTwoLives(t *testing.T) {
	t.Parallel()
	e := scenario.In(motd.build(t), t.TempDir())
	for i, requests := range [][]request{{post("A", "one", true), getdate("A")}, {getdate("A"), post("A", "two", true), getdate("A")}} {
		server, err := kit.Serve(t.Context(), e.Dist, e.Advice)
		if err != nil {
			t.Fatal(err)
		}
		var args []string
		if i > 0 {
			args = []string{"--append"}
		}
		collector, err := kit.Collect(t.Context(), server.Addr, e.Trace, args...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drive(t.Context(), collector.Addr, 1, requests); err != nil {
			t.Fatal(err)
		}
		if _, err := collector.Stop(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Stop(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	mustReject(t, verify(t, e), "A7")
	a := mustAccept(t, e, "--lives", "2")
	if len(a.Lives) != 2 || a.Lives[0].Requests != 2 || a.Lives[1].Requests != 3 {
		t.Errorf("lives: %+v", a.Lives)
	}
	request := func(l *forge.Life, n int) *forge.Record { return l.All(record.Request)[n] }
	for _, a := range []attack{
		{"what the life before wrote", "R-response", func(t *testing.T, e *forge.Evidence) {
			e.Exchange(3).Response = e.Exchange(2).Response
		}},
		{"a life that goes on when the next one has answered", "R8 R-turn", func(t *testing.T, e *forge.Evidence) {
			second, third := request(e.Lives[0], 1), request(e.Lives[1], 0)
			second.RID, third.RID = third.RID, second.RID
			e.Exchange(2).Response, e.Exchange(3).Response = e.Exchange(3).Response, e.Exchange(2).Response
		}},
		{"lives in another order", "R8 R-turn", func(t *testing.T, e *forge.Evidence) {
			e.Lives[0].File, e.Lives[1].File = e.Lives[1].File, e.Lives[0].File
		}},
	} {
		t.Run(a.name, func(t *testing.T) {
			lie := lieOf(t, e, func(e *forge.Evidence) { a.change(t, e) })
			mustReject(t, verify(t, lie, "--lives", "2"), a.rules)
			mustReject(t, verify(t, lie, "--lives", "2", "--together"), a.rules)
		})
	}
}

// TestSignals: SIGTERM and SIGINT leave complete advice; what the app answered
// last is in it.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		e := scenario.In(motd.build(t), t.TempDir())
		server, collector := serve(t, e)
		if _, err := drive(t.Context(), collector.Addr, 5, motdRequests(1, 50)); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Stop(sig); err != nil {
			t.Error(err)
		}
		if _, err := collector.Stop(sig); err != nil {
			t.Error(err)
		}
		mustAccept(t, e)
	}
}

// TestPortInUse: both servers say so, and the collector leaves no file behind.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := filepath.Join(t.TempDir(), "t.ktrace")
	_, stderr, u, err := kit.Run(t.Context(), "collect", "--listen", l.Addr().String(), "--upstream", "http://127.0.0.1:1", "--trace", file)
	if err != nil || u.Code != 2 || !strings.Contains(stderr, "in use") {
		t.Errorf("collect: exit status %d, %v: %s", u.Code, err, stderr)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the collector left a trace of nothing")
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	cmd := exec.CommandContext(t.Context(), kit.Exe, "serve", motd.build(t))
	cmd.Env = append(os.Environ(), "PORT="+port, "KAROUSOS_ADVICE="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "EADDRINUSE") {
		t.Errorf("serve: %v: %s", err, out)
	}
}

// TestServerIsGone: a collector without a server answers for itself.
func TestServerIsGone(t *testing.T) {
	t.Parallel()
	e := scenario.In(motd.build(t), t.TempDir())
	collector, err := kit.Collect(t.Context(), "127.0.0.1:1", e.Trace)
	if err != nil {
		t.Fatal(err)
	}
	statuses, err := drive(t.Context(), collector.Addr, 1, []request{get("/")})
	if err != nil || statuses[502] != 1 {
		t.Errorf("%v %v", statuses, err)
	}
	if _, err := collector.Stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// TestMissingAndBrokenFiles: exit status 2 and a sentence, for everything that is
// not there or no such thing.
func TestMissingAndBrokenFiles(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	os.Mkdir(at("empty"), 0o755)
	os.WriteFile(at("nothing"), nil, 0o644)
	os.WriteFile(at("noise"), bytes.Repeat([]byte("noise"), 1000), 0o644)
	whole, err := os.ReadFile(honest.Trace)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(at("cut"), whole[:len(whole)-10], 0o644)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0x40
	os.WriteFile(at("flipped"), flipped, 0o644)
	version := bytes.Clone(whole)
	for i := range 32 {
		if i >= 4 && version[i] == 1 {
			version[i] = 99
			break
		}
	}
	os.WriteFile(at("version"), version, 0o644)
	for _, c := range []struct{ name, dist, trace, advice string }{
		{"no build", at("none"), honest.Trace, honest.Advice},
		{"an empty build", at("empty"), honest.Trace, honest.Advice},
		{"no trace", honest.Dist, at("none"), honest.Advice},
		{"a folder for a trace", honest.Dist, dir, honest.Advice},
		{"an empty trace", honest.Dist, at("nothing"), honest.Advice},
		{"noise for a trace", honest.Dist, at("noise"), honest.Advice},
		{"a flipped bit in the trace", honest.Dist, at("flipped"), honest.Advice},
		{"a trace of an unknown version", honest.Dist, at("version"), honest.Advice},
		{"no advice", honest.Dist, honest.Trace, at("none")},
		{"an empty folder of advice", honest.Dist, honest.Trace, at("empty")},
		{"a file for a folder of advice", honest.Dist, honest.Trace, at("noise")},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := verify(t, scenario.Evidence{Dist: c.dist, Trace: c.trace, Advice: c.advice})
			if a.Code != 2 || a.Outcome != "" && a.Outcome != verdict.Undecided {
				t.Errorf("exit status %d:\n%s", a.Code, a.Text())
			}
			if s := strings.TrimSpace(a.Text()); len(s) < 20 || strings.Contains(s, "goroutine") {
				t.Errorf("it says %q", s)
			}
		})
	}
	t.Run("a trace that was cut off", func(t *testing.T) {
		a := verify(t, scenario.Evidence{Dist: honest.Dist, Trace: at("cut"), Advice: honest.Advice})
		if a.Outcome == verdict.Reject {
			t.Errorf("the server was blamed for a collector that was cut off:\n%s", a.Text())
		}
	})
	for name, args := range map[string][]string{
		"build of nothing":    {"build", at("none")},
		"build of no package": {"build", at("empty"), "-o", at("out")},
		"serve of nothing":    {"serve", at("none")},
		"export of nothing":   {"trace", "export", at("none")},
		"import of noise":     {"trace", "import", at("noise"), at("out.ktrace")},
		"advice of nothing":   {"advice", "export", at("none")},
		"advice from noise":   {"advice", "import", at("noise"), "-o", at("out-advice")},
		"no such command":     {"frobnicate"},
		"no such flag":        {"verify", "--frobnicate"},
		"upstream of nothing": {"collect", "--upstream", "nonsense", "--trace", at("out2")},
	} {
		t.Run(name, func(t *testing.T) {
			_, stderr, u, err := kit.Run(t.Context(), args...)
			if err != nil || u.Code != 2 || len(stderr) < 20 || strings.Contains(stderr, "goroutine") {
				t.Errorf("exit status %d, %v: %s", u.Code, err, stderr)
			}
		})
	}
}

// TestSyntaxErrorIsLocated: a build that fails says where, and leaves nothing.
func TestSyntaxErrorIsLocated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"broken","main":"server.js"}`), 0o644)
	os.WriteFile(filepath.Join(dir, "server.js"), []byte("'use strict';\nconst a = ;\n"), 0o644)
	dist := filepath.Join(dir, "dist")
	_, stderr, u, err := kit.Run(t.Context(), "build", dir, "-o", dist)
	if err != nil || u.Code != 2 || !strings.Contains(stderr, "server.js:2:11") {
		t.Errorf("exit status %d, %v: %s", u.Code, err, stderr)
	}
	if _, err := os.Stat(dist); err == nil {
		t.Error("something was built")
	}
}

// TestBuildsAreReproducible: two builds of one app are byte-identical.
func TestBuildsAreReproducible(t *testing.T) {
	t.Parallel()
	one := motd.build(t)
	two := filepath.Join(t.TempDir(), "again")
	if _, err := kit.Build(t.Context(), motd.source(t), two); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("diff", "-r", one, two).CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
}

// Family: encoding. Advice that was damaged is rejected with the reason (or, if it
// only ends early, not decided); it never crashes, hangs or passes.
func TestDamagedAdvice(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	files, _ := filepath.Glob(filepath.Join(honest.Advice, "*.kadv"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(t *testing.T, data []byte) *scenario.Audit {
		e := scenario.In(honest.Dist, t.TempDir())
		e.Trace = honest.Trace
		os.MkdirAll(e.Advice, 0o755)
		if err := os.WriteFile(filepath.Join(e.Advice, filepath.Base(files[0])), data, 0o644); err != nil {
			t.Fatal(err)
		}
		return verify(t, e)
	}
	for i := range 8 {
		at := len(whole) * i / 8
		t.Run(fmt.Sprintf("cut off at %d of %d", at, len(whole)), func(t *testing.T) {
			if a := damaged(t, whole[:at]); a.Outcome == verdict.Accept || a.Outcome == verdict.Reject && a.Rule != "A10" {
				t.Errorf("%s", a.Text())
			}
		})
		t.Run(fmt.Sprintf("bit flipped at %d of %d", at, len(whole)), func(t *testing.T) {
			data := bytes.Clone(whole)
			data[at] ^= 1 << (i % 8)
			if a := damaged(t, data); a.Outcome != verdict.Reject || a.Rule != "A10" && a.Rule != "A9" {
				t.Errorf("%s", a.Text())
			}
		})
	}
	t.Run("bytes at the end", func(t *testing.T) {
		if a := damaged(t, append(bytes.Clone(whole), 0, 1, 2)); a.Outcome == verdict.Accept {
			t.Errorf("%s", a.Text())
		}
	})
	t.Run("twice", func(t *testing.T) {
		if a := damaged(t, append(bytes.Clone(whole), whole...)); a.Outcome != verdict.Reject {
			t.Errorf("%s", a.Text())
		}
	})
	t.Run("an unknown version", func(t *testing.T) {
		data := bytes.Clone(whole)
		i := bytes.IndexByte(data, advice.Version)
		data[i] = 200
		if a := damaged(t, data); a.Outcome == verdict.Accept {
			t.Errorf("%s", a.Text())
		}
	})
}

// Every bit of the file, in this process: no panic, no accept, no long wait. What
// still decodes must be the same advice.
func TestEveryBitOfTheAdvice(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	files, _ := filepath.Glob(filepath.Join(honest.Advice, "*.kadv"))
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for bit := range 8 {
			data := bytes.Clone(whole)
			data[i] ^= 1 << bit
			if l, err := advice.Decode("a", data, advice.Limits{Memory: 64 << 20}); err == nil {
				t.Fatalf("bit %d of byte %d was flipped, and nobody noticed: %d requests", bit, i, len(l.Requests))
			}
		}
	}
}

func TestEveryBitOfTheTrace(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	whole, err := os.ReadFile(honest.Trace)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for bit := range 8 {
			data := bytes.Clone(whole)
			data[i] ^= 1 << bit
			if tr, err := trace.Decode("t", data, trace.Limits{MaxMemory: 64 << 20}); err == nil && tr.Truncated == "" {
				t.Fatalf("bit %d of byte %d was flipped, and nobody noticed", bit, i)
			}
		}
	}
}

// Values that nest deeply, numbers that are huge: limits hold.
func TestHugeAdvice(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	nested := record.Number(1)
	for range 50_000 {
		nested = record.ListOf(nested)
	}
	a := forged(t, honest, func(e *forge.Evidence) {
		l := life(t, e)
		w := write(t, l, 6, "B")
		w.Value = nested
		l.Tidy()
	})
	if a.Outcome != verdict.Reject {
		t.Errorf("deep nesting:\n%s", a.Text())
	}
	a = forged(t, honest, func(e *forge.Evidence) {
		l := life(t, e)
		r := read(t, l, 9, "A")
		l.InsertAfter(r, advice.Record{Op: record.Chunks, Req: r.Req, Lengths: []int32{1 << 30, 1 << 30}})
	})
	mustReject(t, a, "A5")
	a = forged(t, honest, func(e *forge.Evidence) {
		l := life(t, e)
		w := write(t, l, 8, "A")
		w.OpNum = 1 << 30
	})
	if a.Outcome != verdict.Reject {
		t.Errorf("a huge operation number:\n%s", a.Text())
	}
}

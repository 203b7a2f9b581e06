package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
	"karousosc/verifier/trace/signed"
)

// deaf takes nothing that is written to it.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

// evidence is a build with honest evidence.
func evidence(t *testing.T) (at func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	at = func(name string) string { return filepath.Join(dir, name) }
	if err := fake.WriteDist(at("dist")); err != nil {
		t.Fatal(err)
	}
	if err := motd().Write(at("trace"), at("advice")); err != nil {
		t.Fatal(err)
	}
	return at
}

// What could not be said has not been done.
func TestNobodyListens(t *testing.T) {
	at := evidence(t)
	app := writeFiles(t, map[string]string{"package.json": `{"name": "tiny", "main": "main.js"}`, "main.js": "let n = 0;\nexports.f = () => n++;\n", "bad.js": "let n = ;\n"})
	for _, args := range [][]string{
		{"verify", at("dist"), "--trace", at("trace"), "--advice", at("advice")},
		{"verify", at("dist"), "--trace", at("trace"), "--advice", at("advice"), "--json"},
		{"trace", "export", at("trace")},
		{"advice", "export", at("advice")},
		{"annotate", app, "--json"},
		{"build", app, "-o", at("new"), "--json"},
		{"build", app, "-o", at("new"), "--entry", "bad.js", "--json"},
	} {
		var stderr bytes.Buffer
		if code := run(args, deaf{}, &stderr); code != exitCannot || !strings.Contains(stderr.String(), "nobody listens") {
			t.Errorf("%v: exit %d: %s", args, code, stderr.String())
		}
	}
}

// What cannot be written is not left half done.
func TestNowhereToWrite(t *testing.T) {
	at := evidence(t)
	lines := at("lines")
	if code, out := runIn("trace", "export", at("trace"), lines); code != 0 {
		t.Fatal(out)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"no such file", []string{"trace", "export", at("trace"), at("no/where")}},
		{"cannot write the trace", []string{"trace", "import", lines, at("no/where")}},
		{"no such file", []string{"trace", "import", at("none"), at("new")}},
		{"no such file", []string{"advice", "export", at("advice"), "-o", at("no/where")}},
		{"not a directory", []string{"advice", "import", lines, "-o", filepath.Join(lines, "advice")}},
		{"cannot export", []string{"advice", "export", at("dist"), "-o", at("new")}},
		{"no such file", []string{"trace", "keygen", at("no/where")}},
	} {
		if code, out := runIn(c.args...); code != exitCannot || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit %d: %s", c.args, code, out)
		}
	}
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("something was left behind")
	}
}

// An archive has no place for what is not audited, so none is made, not even half of one.
func TestExportsThatFail(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "t"), filepath.Join(dir, "out")
	x := trace.Exchange{RID: 1, Request: trace.Request{Method: "GET", Target: "/", Proto: "HTTP/1.1"}}
	if err := trace.Save(file, &trace.Trace{Exchanges: []trace.Exchange{x}, Events: []trace.Event{{RID: 1, Time: 1, Kind: trace.RequestEvent}}}); err != nil {
		t.Fatal(err)
	}
	code, _ := runIn("trace", "export", "--format", "har", file, out)
	if _, err := os.Stat(out); (code == 0) != (err == nil) {
		t.Errorf("exit %d, and the file: %v", code, err)
	}
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "k")
	for _, name := range []string{"with spaces", "with+plus", ""} {
		if code, out := runIn("trace", "keygen", key, "--name", name); code != exitCannot || !strings.Contains(out, "cannot name a key") {
			t.Errorf("exit %d: %s", code, out)
		}
	}
	if code, out := runIn("trace", "keygen", key, "--name", "test"); code != 0 {
		t.Fatal(out)
	}
	before, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	if code, out := runIn("trace", "keygen", key, "--name", "test"); code != exitCannot || !strings.Contains(out, "exists; it is not overwritten") {
		t.Errorf("exit %d: %s", code, out)
	}
	if after, _ := os.ReadFile(key); !bytes.Equal(before, after) {
		t.Error("a key was overwritten")
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"no such file", []string{"trace", "verify-log", key, "--key", key + ".none"}},
		{key + ":", []string{"trace", "verify-log", key, "--key", key}}, // the private one
		{"no such file", []string{"trace", "verify-log", key, "--key", key + ".pub", "--contains", key + ".none"}},
		{"no such file", []string{"collect", "--upstream", "http://x", "--trace", filepath.Join(dir, "t"), "--key", key + ".none", "--listen", "127.0.0.1:0"}},
		{key + ".pub:", []string{"collect", "--upstream", "http://x", "--trace", filepath.Join(dir, "t"), "--key", key + ".pub", "--listen", "127.0.0.1:0"}},
	} {
		if code, out := runIn(c.args...); code != exitCannot || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit %d: %s", c.args, code, out)
		}
	}
}

// Nothing is audited of a trace that is signed in part only.
func TestTraceSignedInPart(t *testing.T) {
	at := evidence(t)
	if code, out := runIn("trace", "keygen", at("k"), "--name", "test"); code != 0 {
		t.Fatal(out)
	}
	c := startCollect(t, echo(t), at("t"), "--key", at("k"))
	c.get("/x")
	var first []byte
	for deadline := time.Now().Add(10 * time.Second); len(first) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		first, _ = os.ReadFile(at("t") + signed.Extension)
	}
	c.get("/y")
	if out, code := c.stop(os.Interrupt); code != 0 {
		t.Fatal(code, out)
	}
	verify := func() (int, string) {
		return runIn("verify", at("dist"), "--trace", at("t"), "--advice", at("advice"), "--trace-key", at("k.pub"))
	}
	log := func() (int, string) { return runIn("trace", "verify-log", at("t"), "--key", at("k.pub")) }
	if code, out := log(); code != 0 {
		t.Errorf("verify-log: exit %d: %s", code, out)
	}
	if code, out := verify(); code == 0 || strings.Contains(out, "not signed") {
		t.Errorf("verify of what is signed: exit %d: %s", code, out)
	}
	if err := os.WriteFile(at("t")+signed.Extension, first, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := log(); code != exitCannot {
		t.Errorf("verify-log: exit %d: %s", code, out)
	}
	if code, out := verify(); code != exitCannot || !strings.Contains(out, "not signed to its end") {
		t.Errorf("verify: exit %d: %s", code, out)
	}
}

func TestRefusedArguments(t *testing.T) {
	app := writeFiles(t, map[string]string{"package.json": `{"name": "tiny", "main": "main.js"}`, "main.js": "let n = 0;\nexports.f = () => n++;\n"})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--files-limit must be", []string{"build", app, "--files-limit", "0"}},
		{"no variable m was found", []string{"annotate", app, "m"}},
		{"there is no such folder", []string{"annotate", filepath.Join(app, "none")}},
		{"no such file", []string{"replay", filepath.Join(app, "main.js"), "--trace", filepath.Join(app, "none")}},
		{"--requests must be", []string{"demo", "--requests", "19"}},
		{"--connections must be", []string{"demo", "--connections", "0"}},
		{"there is no app in", []string{"demo", "--app", filepath.Join(app, "none")}},
		{"there is no app in", []string{"demo", "--app", filepath.Join(app, "main.js")}},
		{"exists", []string{"demo", "--app", app, "--keep", app}},
		{"is already in use", []string{"collect", "--listen", l.Addr().String(), "--upstream", "http://x", "--trace", filepath.Join(app, "t")}},
	} {
		if code, out := runIn(c.args...); code != exitCannot || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit %d: %s", c.args, code, out)
		}
	}
}

// Progress is shown to people, now and then.
func TestProgress(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// Not a terminal, but what looks like one to whoever asks for its mode.
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	closed, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, c := range []struct {
		name, term string
		w          io.Writer
		shown      bool
	}{{"nobody", "xterm", &bytes.Buffer{}, false}, {"a file", "xterm", file, false}, {"what is closed", "xterm", closed, false}, {"a poor terminal", "dumb", device, false}, {"a terminal", "xterm", device, true}} {
		t.Setenv("TERM", c.term)
		if p := newProgress(c.w); (p.w != nil) != c.shown {
			t.Errorf("%s: shown %v", c.name, p.w != nil)
		}
	}
	(&progress{}).update(1, 2)
	var out bytes.Buffer
	p := &progress{w: &out, next: time.Now().Add(time.Hour)}
	p.update(1, 2)
	if p.clear(); out.Len() != 0 {
		t.Errorf("too soon: %q", out.String())
	}
	p.next = time.Now()
	p.update(1, 2)
	if p.clear(); !strings.Contains(out.String(), "1 of 2 requests") {
		t.Errorf("%q", out.String())
	}
}

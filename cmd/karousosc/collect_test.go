package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/verifier/trace"
)

// collecting is `karousosc collect` in a process of its own.
type collecting struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Reader
	url string
}

func startCollect(t *testing.T, upstream, file string, more ...string) *collecting {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"collect", "--listen", "127.0.0.1:0", "--upstream", upstream, "--trace", file}, more...)...)
	cmd.Env = append(os.Environ(), "KAROUSOSC_TEST_AS_COMMAND=1")
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	c := &collecting{t: t, cmd: cmd, out: bufio.NewReader(pipe)}
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(line, "collecting on %s for", &c.url); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return c
}

func (c *collecting) get(path string) string {
	c.t.Helper()
	resp, err := http.Get(c.url + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(body)
}

// stop sends a signal and returns what was printed and the exit code.
func (c *collecting) stop(sig os.Signal) (string, int) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(sig); err != nil {
		c.t.Fatal(err)
	}
	rest, _ := io.ReadAll(c.out)
	c.cmd.Wait()
	return string(rest), c.cmd.ProcessState.ExitCode()
}

func echo(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", r.Header.Get("Karousos-Request-Id"), r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestCollect(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.ktrace")
	up := echo(t)
	for i, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := startCollect(t, up, file, "--append")
		if body := c.get("/x"); body != fmt.Sprintf("%d /x", i+1) {
			t.Errorf("the client got %q", body)
		}
		out, code := c.stop(sig)
		if code != 0 || out != "collected 1 requests, 0 of them aborted, 0 not auditable\n" {
			t.Errorf("%v: exit %d, %q", sig, code, out)
		}
	}
	tr, err := trace.Load(file, trace.Limits{})
	if err != nil || tr.Truncated != "" || len(tr.Exchanges) != 2 || string(tr.Exchanges[1].Response.Body) != "2 /x" {
		t.Fatalf("%+v %v", tr, err)
	}
}

// Killed without a warning, the collector leaves what it saw until shortly before.
func TestCollectKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.ktrace")
	c := startCollect(t, echo(t), file)
	c.get("/x")
	time.Sleep(time.Second)
	c.stop(syscall.SIGKILL)
	tr, err := trace.Load(file, trace.Limits{})
	if err != nil || tr.Truncated == "" || len(tr.Exchanges) != 1 || !tr.Exchanges[0].HasResponse {
		t.Fatalf("%+v %v", tr, err)
	}
}

// A collector with a key loses nothing that a client had got whole, however it dies.
func TestCollectSigned(t *testing.T) {
	dir := t.TempDir()
	file, key := filepath.Join(dir, "t.ktrace"), filepath.Join(dir, "k")
	if code, _, stderr := runHere("trace", "keygen", key, "--name", "test"); code != 0 {
		t.Fatal(stderr)
	}
	up := echo(t)
	rids := 0
	for range 3 {
		c := startCollect(t, up, file, "--append", "--key", key)
		for range 10 {
			c.get("/x")
			rids++
		}
		c.stop(syscall.SIGKILL)
		tr, err := trace.Load(file, trace.Limits{})
		if err != nil || len(tr.Exchanges) != rids || !tr.Exchanges[rids-1].HasResponse {
			t.Fatalf("of %d requests answered, %d are in the trace: %v", rids, len(tr.Exchanges), err)
		}
	}
	code, out, stderr := runHere("trace", "verify-log", file, "--key", key+".pub")
	if code != 2 || !strings.Contains(out+stderr, "signed") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if code, _, stderr := runHere("collect", "--listen", "127.0.0.1:0", "--upstream", up, "--trace", file, "--append"); code != 2 || !strings.Contains(stderr, "is signed; give --key") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	c := startCollect(t, up, file, "--append", "--key", key)
	out, code = c.stop(syscall.SIGTERM)
	if code != 0 || !strings.Contains(out, "keep it elsewhere") {
		t.Errorf("exit %d: %s", code, out)
	}
	_, last, _ := strings.Cut(out, "cut the trace:\n")
	if err := os.WriteFile(key+".last", []byte(last), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr = runHere("trace", "verify-log", file, "--key", key+".pub", "--contains", key+".last")
	if code != 0 || !strings.Contains(out, "30 requests") || !strings.Contains(out, "nobody vouches") || !strings.Contains(out, "was killed") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ = runHere("trace", "verify-log", file, "--key", key+".pub")
	if code != 1 {
		t.Errorf("a changed trace: exit %d: %s", code, out)
	}
	code, _, stderr = runHere("verify", dir, "--trace", file, "--advice", dir, "--trace-key", key+".pub")
	if code != 2 || !strings.Contains(stderr, "trace") {
		t.Errorf("verify of a changed trace: exit %d: %s", code, stderr)
	}
}

func TestCollectCannot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "t.ktrace")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	used := filepath.Join(dir, "used.ktrace")
	notTrace := filepath.Join(dir, "not.ktrace")
	for _, f := range []string{used, notTrace} {
		if err := os.WriteFile(f, []byte("something"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"already in use", []string{"--listen", l.Addr().String(), "--upstream", "http://127.0.0.1:1", "--trace", file}},
		{"cannot listen", []string{"--listen", "127.0.0.1:xyz", "--upstream", "http://127.0.0.1:1", "--trace", file}},
		{"not of the form", []string{"--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:1", "--trace", file}},
		{"--append", []string{"--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:1", "--trace", used}},
		{"not a trace", []string{"--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:1", "--trace", notTrace, "--append"}},
		{"no such file", []string{"--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:1", "--trace", filepath.Join(dir, "no", "t")}},
	} {
		code, stdout, stderr := runHere(append([]string{"collect"}, c.args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a collector that could not run left a trace")
	}
	if b, _ := os.ReadFile(used); string(b) != "something" {
		t.Error("an existing file was changed")
	}
}
